//! Encapsulation and decapsulation (FIPS 203, sections 6 and 7), for any parameter set, with the randomness given.

use super::packing::{compress, decompress, packed};
use super::parameters::Set;
use super::pke::{self, Machine, Matrix, Vector, ZEROS};
use super::secret::Secret;
use crate::keccak::Sponge;
use ctutils::{CtAssign, CtEq};

/// Bytes of seeds, messages, hashes and shared secrets.
pub(super) const BYTES: usize = 32;

/// What is computed from an encapsulation key, whoever uses it.
#[derive(Clone)]
pub(super) struct Prepared {
    /// t̂, in the order of pairs.
    t: Vector,
    /// The transpose of Â.
    matrix: Matrix,
    /// H(ek).
    hash: [u8; BYTES],
}

impl Prepared {
    /// From a key whose numbers are below q.
    pub(super) fn new(machine: Machine, set: &Set, key: &[u8]) -> Self {
        Self::with_hash(machine, set, key, h(machine, key))
    }

    /// From such a key and its hash.
    pub(super) fn with_hash(machine: Machine, set: &Set, key: &[u8], hash: [u8; BYTES]) -> Self {
        let (vector, rho) = key.split_at(set.vector());
        let t = unpack(machine, set, vector).0;
        let rho = rho.try_into().expect("a key ends with 32 bytes");
        Self { t, matrix: pke::matrix(machine, set, rho, true), hash }
    }

    pub(super) fn hash(&self) -> &[u8; BYTES] {
        &self.hash
    }

    pub(super) fn has_hash(&self, hash: &[u8; BYTES]) -> bool {
        self.hash.ct_eq(hash).to_bool()
    }
}

/// A secret vector in the order of pairs.
pub(super) type SecretVector = Secret<Vector>;

/// Algorithm 16: writes the encapsulation key and returns ŝ.
pub(super) fn generate(machine: Machine, set: &Set, d: &[u8; BYTES], key: &mut [u8]) -> SecretVector {
    let domain = [set.domain.unwrap_or(set.k as u8)];
    let seeds = g(machine, &[d, &domain]);
    let (rho, sigma) = halves(&seeds.0);
    let mut s = Secret(ZEROS);
    let mut t = ZEROS;
    let matrix = pke::matrix(machine, set, rho, false);
    pke::generate(machine, set, &matrix, sigma, &mut t, &mut s.0);
    let (vector, end) = key.split_at_mut(set.vector());
    for (poly, bytes) in t.iter().zip(vector.chunks_exact_mut(packed(12))) {
        compress(poly, 12, bytes);
    }
    end.copy_from_slice(rho);
    s
}

/// Algorithm 17: writes the ciphertext and returns the shared secret.
pub(super) fn encapsulate(
    machine: Machine,
    set: &Set,
    key: &Prepared,
    message: &[u8; BYTES],
    ciphertext: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let seeds = g(machine, &[message, &key.hash, set.domain.as_slice()]);
    let (shared, randomness) = halves(&seeds.0);
    let k = set.k;
    pke::encrypt(machine, set, (&key.t[..k], &key.matrix[..k * k]), message, randomness, ciphertext);
    Secret(*shared)
}

/// Algorithm 18: the shared secret, or one that nobody knows. `room` is for a ciphertext.
pub(super) fn decapsulate(
    machine: Machine,
    set: &Set,
    (key, s, z): (&Prepared, &Vector, &[u8; BYTES]),
    ciphertext: &[u8],
    room: &mut [u8],
) -> Secret<[u8; BYTES]> {
    let message = pke::decrypt(machine, set, &s[..set.k], ciphertext);
    let mut shared = encapsulate(machine, set, key, &message.0, room);
    let mut rejected = Secret::<[u8; BYTES]>::blank();
    shake256(machine, &[z, ciphertext], &mut rejected.0);
    // A coefficient of u that is not below q is never encrypted again: such a ciphertext differs.
    shared.0.ct_assign(&rejected.0, room.ct_ne(ciphertext));
    shared
}

/// Numbers of 12 bits to the order of pairs.
pub(super) fn unpack(machine: Machine, set: &Set, bytes: &[u8]) -> SecretVector {
    let mut vector = Secret(ZEROS);
    for (poly, bytes) in vector.0.iter_mut().zip(bytes.chunks_exact(packed(12))) {
        decompress(bytes, 12, poly);
    }
    pke::to_pairs(machine, &mut vector.0[..set.k]);
    vector
}

/// The converse of [`unpack`].
pub(super) fn pack(machine: Machine, set: &Set, vector: &SecretVector, bytes: &mut [u8]) {
    let mut vector = vector.clone();
    pke::from_pairs(machine, &mut vector.0[..set.k]);
    for (poly, bytes) in vector.0.iter().zip(bytes.chunks_exact_mut(packed(12))) {
        compress(poly, 12, bytes);
    }
}

fn halves(bytes: &[u8; 2 * BYTES]) -> (&[u8; BYTES], &[u8; BYTES]) {
    let ([first, second], _) = bytes.as_chunks() else { unreachable!("64 bytes are two halves") };
    (first, second)
}

/// G: SHA3-512.
fn g(machine: Machine, parts: &[&[u8]]) -> Secret<[u8; 2 * BYTES]> {
    let mut output = Secret([0; 2 * BYTES]);
    hash::<72>(machine, parts, 6, &mut output.0);
    output
}

/// H: SHA3-256.
pub(super) fn h(machine: Machine, data: &[u8]) -> [u8; BYTES] {
    let mut output = [0; BYTES];
    hash::<136>(machine, &[data], 6, &mut output);
    output
}

/// J: SHAKE256.
fn shake256(machine: Machine, parts: &[&[u8]], output: &mut [u8]) {
    hash::<136>(machine, parts, 0x1f, output);
}

fn hash<const RATE: usize>(machine: Machine, parts: &[&[u8]], domain: u8, output: &mut [u8]) {
    let mut sponge = Sponge::<RATE, 24>::of(machine.keccak);
    for part in parts {
        sponge.absorb(part);
    }
    sponge.finish(domain);
    sponge.squeeze(output);
}
