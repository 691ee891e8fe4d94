//! ML-KEM (FIPS 203): encapsulation to many keys.

use crate::device::{Device, Kernel, Parameters, Section, check_length, get_or_try_init};
use crate::rows::RowFunction;
use crate::{Error, unrolled};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, OnceLock};
use wgpu::BufferUsages;

/// A parameter set of ML-KEM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterSet {
    /// ML-KEM-512.
    MlKem512,
    /// ML-KEM-768.
    MlKem768,
    /// ML-KEM-1024.
    MlKem1024,
}

impl ParameterSet {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::MlKem512, Self::MlKem768, Self::MlKem1024];
    /// Bytes of a seed m and of a shared secret.
    pub const SECRET_SIZE: usize = 32;

    /// Bytes of an encapsulation key.
    pub const fn key_size(self) -> usize {
        384 * self.rank() + 32
    }

    /// Bytes of a ciphertext.
    pub const fn ciphertext_size(self) -> usize {
        32 * (self.du() * self.rank() + self.dv())
    }

    /// k.
    const fn rank(self) -> usize {
        match self {
            Self::MlKem512 => 2,
            Self::MlKem768 => 3,
            Self::MlKem1024 => 4,
        }
    }

    const fn eta1(self) -> usize {
        if matches!(self, Self::MlKem512) { 3 } else { 2 }
    }

    const fn du(self) -> usize {
        if matches!(self, Self::MlKem1024) { 11 } else { 10 }
    }

    const fn dv(self) -> usize {
        if matches!(self, Self::MlKem1024) { 5 } else { 4 }
    }

    /// Polynomials of a matrix.
    const fn matrix(self) -> usize {
        self.rank() * self.rank()
    }

    /// Polynomials of y, e₁ and e₂.
    const fn noise(self) -> usize {
        2 * self.rank() + 1
    }
}

const Q: i64 = 3329;
/// Bytes of a polynomial between the kernels.
const POLYNOMIAL: usize = 512;
/// Most keys that are processed together; memory for what comes between, at most 0.9 GB, is taken for so many.
const GROUP: usize = 1 << 16;
/// The same for a driver that computes on the CPU, whose caches are small.
const SOFTWARE_GROUP: usize = 1 << 10;
/// Keys of a workgroup of the encryption.
const ITEMS: usize = 2;

/// A constant factor as the kernels take it: the number nearest to zero that is congruent to −2³² `factor` modulo q,
/// divided by q modulo 2³².
fn constant_factor(factor: i64) -> i32 {
    let residue = (-(factor << 32)).rem_euclid(Q);
    let residue = if residue > Q / 2 { residue - Q } else { residue };
    residue.wrapping_mul(q_inverse()) as i32
}

/// 1 / q modulo 2³².
fn q_inverse() -> i64 {
    // Each step of Newton's method doubles the number of right bits.
    (0..5).fold(Q, |x, _| x.wrapping_mul(2 - Q.wrapping_mul(x)) & 0xffff_ffff)
}

/// ζ^BitRev₇(i) for ζ = 17 (FIPS 203, appendix A), as constant factors.
fn zetas() -> [i32; 128] {
    let power = |exponent: u8| (0..exponent).fold(1, |x, _| x * 17 % Q);
    std::array::from_fn(|i| constant_factor(power((i as u8).reverse_bits() >> 1)))
}

/// The kernels of all parameter sets, each compiled when it is first used.
#[derive(Default)]
pub(crate) struct AllKernels([OnceLock<Kernels>; ParameterSet::ALL.len()]);

/// The kernels of a parameter set, and memory for what comes between them.
struct Kernels {
    hash_keys: Kernel,
    sample_matrices: Kernel,
    sample_noise: Kernel,
    encrypt: Kernel,
    zetas: wgpu::Buffer,
    between: Mutex<Option<Between>>,
}

/// Memory for `count` keys between kernels.
struct Between {
    count: usize,
    randomness: wgpu::Buffer,
    matrices: wgpu::Buffer,
    noise: wgpu::Buffer,
    /// The complement of the smallest index of an invalid key, or 0, and a copy for the host.
    invalid: [wgpu::Buffer; 2],
}

impl Kernels {
    fn new(device: &Device, set: ParameterSet) -> Result<Self, Error> {
        let mut common = format!(
            "const Q = {Q};\nconst Q_INVERSE = {}i;\nconst LAST_FACTOR = {}i;\nconst K = {}u;\nconst ETA1 = {}u;\n\
             const DU = {}u;\nconst DV = {}u;\nconst KEY_WORDS = {}u;\nconst ITEMS = {ITEMS}u;\n",
            q_inverse() as i32,
            // NTT's inverse is to be divided by 128, and the reduction of a product has divided it by -2³².
            constant_factor(3303 * (-(1_i64 << 32)).rem_euclid(Q) % Q),
            set.rank(),
            set.eta1(),
            set.du(),
            set.dv(),
            set.key_size() / 4,
        );
        common.push_str(include_str!("shaders/ml_kem.wgsl"));
        let sample = [&common, &unrolled::keccak(), include_str!("shaders/ml_kem_sample.wgsl"), &unrolled::samples()];
        let sample = sample.concat();
        let kernel = |entry_point, group| device.compile(&sample, entry_point, group);
        let products = unrolled::products(set.rank());
        let encrypt = [&common, include_str!("shaders/ml_kem_encrypt.wgsl"), &products].concat();
        Ok(Self {
            hash_keys: kernel("hash_keys", 64)?,
            sample_matrices: kernel("sample_matrices", 64)?,
            sample_noise: kernel("sample_noise", 64)?,
            encrypt: device.compile(&encrypt, "encrypt", ITEMS)?,
            zetas: device.constants(&zetas().map(i32::to_le_bytes).concat())?,
            between: Mutex::default(),
        })
    }
}

impl Between {
    /// Memory for at least `count` keys.
    fn new(device: &Device, set: ParameterSet, count: usize) -> Result<Self, Error> {
        let size = |polynomials: usize| (count * polynomials * POLYNOMIAL) as u64;
        Ok(Self {
            count,
            randomness: device.storage((count * ParameterSet::SECRET_SIZE) as u64)?,
            matrices: device.storage(size(set.matrix()))?,
            noise: device.storage(size(set.noise()))?,
            invalid: [
                device.buffer(4, BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST)?,
                device.buffer(4, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?,
            ],
        })
    }
}

/// Bytes of keys, ciphertexts and shared secrets of a batch.
pub(crate) struct Lengths {
    pub(crate) keys: usize,
    pub(crate) ciphertexts: usize,
    pub(crate) secrets: usize,
}

/// Encapsulation to keys of one parameter set.
pub(crate) struct Encapsulate<'a> {
    set: ParameterSet,
    kernels: &'a Kernels,
    /// Keys of the batch.
    count: usize,
    /// Memory between kernels, which one call at a time uses.
    between: MutexGuard<'a, Option<Between>>,
}

impl AllKernels {
    /// Encapsulation to `count` keys.
    ///
    /// # Errors
    /// A length is not that of so many keys, or they are too many, or the device has too little memory.
    pub(crate) fn encapsulate(
        &self,
        device: &Device,
        set: ParameterSet,
        count: usize,
        lengths: &Lengths,
    ) -> Result<Encapsulate<'_>, Error> {
        check_length("encapsulation keys", count.saturating_mul(set.key_size()), lengths.keys)?;
        check_length("ciphertexts", count.saturating_mul(set.ciphertext_size()), lengths.ciphertexts)?;
        check_length("shared secrets", count.saturating_mul(ParameterSet::SECRET_SIZE), lengths.secrets)?;
        if u32::try_from(count).is_err() {
            return Err(Error::TooLarge);
        }
        let kernels = get_or_try_init(&self.0[set as usize], || Kernels::new(device, set))?;
        let mut between = kernels.between.lock().unwrap_or_else(|poisoned| {
            // The call that panicked may have left it in any state.
            kernels.between.clear_poison();
            let mut between = poisoned.into_inner();
            *between = None;
            between
        });
        let limit = device.most_bytes() / (set.matrix().max(set.noise()) * POLYNOMIAL) / 64 * 64;
        let group = if device.is_software() { SOFTWARE_GROUP } else { GROUP };
        // Rows of a multiple of 64 keys begin where sections can.
        let room = count.next_multiple_of(64).min(group).min(limit).max(64);
        if between.as_ref().is_none_or(|between| between.count < room) {
            *between = Some(Between::new(device, set, room)?);
        }
        Ok(Encapsulate { set, kernels, count, between })
    }
}

#[cfg(test)]
impl AllKernels {
    /// Secret memory between kernels.
    pub(crate) fn secret_memory(&self, set: ParameterSet) -> [wgpu::Buffer; 2] {
        let between = self.0[set as usize].get().expect("it was used").between.lock().unwrap();
        let between = between.as_ref().expect("it was allocated");
        [between.randomness.clone(), between.noise.clone()]
    }
}

impl Encapsulate<'_> {
    /// Ends a call with its result. After a failure, memory between kernels, which may be in any state, is given up.
    pub(crate) fn end(mut self, result: Result<(), Error>) -> Result<(), Error> {
        if !matches!(result, Ok(()) | Err(Error::InvalidKey { .. })) {
            *self.between = None;
        }
        result
    }
}

impl RowFunction for Encapsulate<'_> {
    fn input_sizes(&self) -> Vec<usize> {
        vec![self.set.key_size(), ParameterSet::SECRET_SIZE]
    }

    fn output_sizes(&self) -> Vec<usize> {
        vec![self.set.ciphertext_size(), ParameterSet::SECRET_SIZE]
    }

    fn secrets(&self) -> Option<[usize; 2]> {
        Some([1, 1])
    }

    fn encode_begin(&self, encoder: &mut wgpu::CommandEncoder) {
        let between = self.between.as_ref().expect("it was allocated");
        encoder.clear_buffer(&between.invalid[0], 0, None);
    }

    fn encode(
        &self,
        device: &Device,
        pass: &mut wgpu::ComputePass<'_>,
        rows: Range<usize>,
        inputs: &[Section<'_>],
        outputs: &[Section<'_>],
    ) {
        let (set, kernels) = (self.set, self.kernels);
        let between = self.between.as_ref().expect("it was allocated");
        let whole = |buffer| Section { buffer, offset: 0, length: wgpu::Buffer::size(buffer) };
        let [randomness, matrices, noise] = [&between.randomness, &between.matrices, &between.noise].map(whole);
        for first in (0..rows.len()).step_by(between.count) {
            let count = between.count.min(rows.len() - first);
            let [keys, messages] = [inputs[0].rows(set.key_size(), first, count), inputs[1].rows(32, first, count)];
            let ciphertexts = outputs[0].rows(set.ciphertext_size(), first, count);
            let secrets = outputs[1].rows(ParameterSet::SECRET_SIZE, first, count);
            let (parameters, constants) = (Parameters(count, rows.start + first, 0), (1, device.round_constants()));
            let mut run = |kernel, work, bindings: &[_]| device.dispatch(pass, kernel, work, &parameters, bindings);
            let bindings = [constants, (2, keys), (3, messages), (4, secrets), (5, randomness)];
            run(&kernels.hash_keys, count, &bindings);
            run(&kernels.sample_matrices, count * set.matrix(), &[constants, (2, keys), (6, matrices)]);
            run(&kernels.sample_noise, count * set.noise(), &[constants, (5, randomness), (7, noise)]);
            let (zetas, invalid) = (whole(&kernels.zetas), whole(&between.invalid[0]));
            let inputs = [(1, zetas), (2, keys), (3, messages), (4, matrices), (5, noise)];
            run(&kernels.encrypt, count, &[&inputs[..], &[(6, ciphertexts), (7, invalid)]].concat());
        }
    }

    fn encode_end(&self, encoder: &mut wgpu::CommandEncoder) {
        let between = self.between.as_ref().expect("it was allocated");
        let [invalid, copy] = &between.invalid;
        let count = self.count.min(between.count);
        encoder.clear_buffer(&between.randomness, 0, Some((count * ParameterSet::SECRET_SIZE) as u64));
        encoder.clear_buffer(&between.noise, 0, Some((count * self.set.noise() * POLYNOMIAL) as u64));
        encoder.copy_buffer_to_buffer(invalid, 0, copy, 0, 4);
    }

    fn check(&self, device: &Device) -> Result<(), Error> {
        let between = self.between.as_ref().expect("it was allocated");
        let mut complement = [0; 4];
        device.read(&between.invalid[1], &mut complement)?;
        match u32::from_le_bytes(complement) {
            0 => Ok(()),
            complement => Err(Error::InvalidKey { index: !complement as usize }),
        }
    }
}
