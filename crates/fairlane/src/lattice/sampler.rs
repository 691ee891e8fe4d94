//! Sampling (FIPS 203, section 4.2.2) and the hashes H, J and G (section 4.1): `SampleNTT` and `SamplePolyCBD_η` for
//! many polynomials, and hashes of longer messages at the same time.
//!
//! Eight Keccak states are permuted together. With AVX-512 a permutation of one to four states takes the same time, and
//! one of eight half as long again. The blocks of one hash need one permutation after the other, and polynomials are
//! independent of each other: so hashes and polynomials share permutations.

use super::engine::{ByteKernel, Engine};
use super::ring::{Poly, Q};
use super::secret::{Secret, Zero};
use crate::keccak::{EightStates as States, FirstBytes as Rows, RATE_256 as BLOCK, StateInput as Input};
use fairlane_lanes::CoefficientCoding;

/// Bytes of a block of SHA3-512.
const G_BLOCK: usize = 72;
/// Bytes of a block of SHAKE128.
const XOF_BLOCK: usize = 168;

/// The suffix of SHA-3 and the first bit of its padding.
const SHA3_SUFFIX: u8 = 0x06;
/// The suffix of SHAKE and the first bit of its padding.
const SHAKE_SUFFIX: u8 = 0x1f;

/// The computation of a hash. Its message is the concatenation of three slices.
pub(super) struct Hash<'a> {
    message: [&'a [u8]; 3],
    suffix: u8,
    /// Bytes of a block, at most [`BLOCK`].
    rate: usize,
    /// Whether the end of the message is not known yet: only whole blocks are absorbed.
    is_prefix: bool,
    /// Blocks absorbed.
    absorbed: usize,
    digest: Secret<[u8; 64]>,
}

impl<'a> Hash<'a> {
    /// A hash of the empty message, for unused elements of an array.
    pub(super) const EMPTY: Self = Self::new([&[]; 3], SHA3_SUFFIX, BLOCK);

    /// H: SHA3-256.
    pub(super) fn h(message: &'a [u8]) -> Self {
        Self::new([message, &[], &[]], SHA3_SUFFIX, BLOCK)
    }

    /// J: SHAKE256 of z ‖ c, of which the first 32 bytes are used.
    pub(super) fn j(z: &'a [u8; 32], c: &'a [u8]) -> Self {
        Self::new([z, c, &[]], SHAKE_SUFFIX, BLOCK)
    }

    /// G: SHA3-512 of a message that is shorter than a block.
    pub(super) fn g(message: [&'a [u8]; 3]) -> Self {
        Self::new(message, SHA3_SUFFIX, G_BLOCK)
    }

    const fn new(message: [&'a [u8]; 3], suffix: u8, rate: usize) -> Self {
        Self { message, suffix, rate, is_prefix: false, absorbed: 0, digest: Secret([0; 64]) }
    }

    /// The hash of a longer message that begins with this one: its whole blocks are absorbed, and it stays unfinished.
    pub(super) fn prefix(self) -> Self {
        Self { is_prefix: true, ..self }
    }

    /// The hash of a message whose first `absorbed` blocks the same state has absorbed, as those of a
    /// [`prefix`](Self::prefix).
    pub(super) fn resume(self, absorbed: usize) -> Self {
        Self { absorbed, ..self }
    }

    /// How many blocks have been absorbed.
    pub(super) fn absorbed(&self) -> usize {
        self.absorbed
    }

    /// The finished hash in two halves. H and J are the first one.
    pub(super) fn halves(&self) -> (&[u8; 32], &[u8; 32]) {
        let ([first, second], _) = self.digest.0.as_chunks() else { unreachable!("64 bytes are two halves") };
        (first, second)
    }

    /// How many blocks can be absorbed now.
    fn blocks_left(&self) -> usize {
        let bytes = self.message.iter().map(|piece| piece.len()).sum::<usize>();
        (bytes / self.rate + usize::from(!self.is_prefix)).saturating_sub(self.absorbed)
    }

    fn is_finished(&self) -> bool {
        !self.is_prefix && self.blocks_left() == 0
    }

    /// The next whole blocks of [`BLOCK`] bytes that lie in one slice.
    fn contiguous_blocks(&self) -> &'a [[u8; BLOCK]] {
        let mut skip = self.absorbed * self.rate;
        for piece in self.message {
            if skip < piece.len() && self.rate == BLOCK {
                return piece[skip..].as_chunks().0;
            }
            let Some(rest) = skip.checked_sub(piece.len()) else { break };
            skip = rest;
        }
        &[]
    }

    /// Writes the next block, padded if it is the last one.
    fn next_block(&mut self, block: &mut [u8]) {
        let (mut skip, mut len) = (self.absorbed * self.rate, 0);
        for piece in self.message {
            let rest = &piece[skip.min(piece.len())..];
            skip = skip.saturating_sub(piece.len());
            let rest = &rest[..rest.len().min(self.rate - len)];
            block[len..len + rest.len()].copy_from_slice(rest);
            len += rest.len();
        }
        if len < self.rate {
            block[len..].fill(0);
            block[len] = self.suffix;
            block[self.rate - 1] |= 0x80;
        }
        self.absorbed += 1;
    }
}

/// A polynomial that is to be sampled.
pub(super) struct Sample<'a> {
    seed: &'a [u8; 32],
    /// The bytes after the seed: one or two of input, then [`SHAKE_SUFFIX`].
    after_seed: u32,
    distribution: Distribution,
    poly: &'a mut Poly,
}

#[derive(Clone, Copy)]
enum Distribution {
    /// `SampleNTT`.
    Uniform,
    /// `SamplePolyCBD_2`.
    Binomial2,
    /// `SamplePolyCBD_3`.
    Binomial3,
}

impl<'a> Sample<'a> {
    /// Â\[i, j\] ← `SampleNTT`(ρ ‖ j ‖ i) (Algorithm 7).
    pub(super) fn uniform(rho: &'a [u8; 32], [j, i]: [u8; 2], poly: &'a mut Poly) -> Self {
        let after_seed = u32::from_le_bytes([j, i, SHAKE_SUFFIX, 0]);
        Self { seed: rho, after_seed, distribution: Distribution::Uniform, poly }
    }

    /// `SamplePolyCBD_η`(`PRF_η`(`seed`, `n`)) (Algorithm 8) for η = 2 or 3.
    pub(super) fn binomial(seed: &'a [u8; 32], n: u8, eta: u8, poly: &'a mut Poly) -> Self {
        let distribution = if eta == 2 { Distribution::Binomial2 } else { Distribution::Binomial3 };
        Self { seed, after_seed: u32::from_le_bytes([n, SHAKE_SUFFIX, 0, 0]), distribution, poly }
    }

    fn input(&self) -> Input<'a> {
        let shake_128 = matches!(self.distribution, Distribution::Uniform);
        Input::Short { seed: self.seed, rest: self.after_seed, shake_128 }
    }
}

/// The sample that one of the Keccak states is used for, if any.
#[derive(Default)]
struct InProgress<'a> {
    sample: Option<Sample<'a>>,
    /// Blocks squeezed.
    squeezed: usize,
    /// Coefficients that `SampleNTT` has accepted.
    accepted: usize,
}

/// The memory of a [`Sampler`].
#[repr(align(64))]
pub(super) struct SamplerState {
    states: States,
    /// The first bytes of each state after a permutation.
    rows: Rows,
    /// For each state the next block of a hash, or the two blocks that `SamplePolyCBD_3` needs.
    blocks: [[u8; 2 * BLOCK]; 8],
}

impl Zero for SamplerState {
    const ZERO: Self = Self { states: Zero::ZERO, rows: Zero::ZERO, blocks: Zero::ZERO };
}

/// Eight Keccak states, shared by samples and hashes.
pub(super) struct Sampler<'a> {
    engine: Engine,
    state: &'a mut SamplerState,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(engine: Engine, state: &'a mut SamplerState) -> Self {
        // The kernel for `SampleNTT` reads 192 bytes where a block has 168. The others are integers that are not below
        // q.
        for row in &mut state.rows {
            row[XOF_BLOCK..].fill(0xff);
        }
        Self { engine, state }
    }

    pub(super) fn engine(&self) -> Engine {
        self.engine
    }

    /// Absorbs all blocks of up to eight hashes.
    pub(super) fn hash(&mut self, hashes: &mut [Hash<'_>]) {
        if let [hash] = hashes {
            return self.hash_one(hash);
        }
        while hashes.iter().any(|hash| hash.blocks_left() > 0) {
            self.absorb_block(hashes);
        }
    }

    /// Absorbs one block of each hash that has blocks left.
    pub(super) fn absorb_block(&mut self, hashes: &mut [Hash<'_>]) {
        self.permute(hashes, &mut Default::default());
    }

    /// Absorbs all blocks of one hash, with the state in registers. It is state 0 before and after.
    fn hash_one(&mut self, hash: &mut Hash<'_>) {
        if hash.blocks_left() == 0 {
            return;
        }
        let mut state = Secret(self.state.states.map(|word| if hash.absorbed > 0 { word[0] } else { 0 }));
        while hash.blocks_left() > 0 {
            let blocks = hash.contiguous_blocks();
            if blocks.is_empty() {
                let block = self.state.blocks[0].first_chunk_mut().expect("two blocks hold one");
                hash.next_block(block);
                self.engine.keccak.absorb::<BLOCK, 24>(&mut state.0, core::slice::from_ref(block));
            } else {
                self.engine.keccak.absorb::<BLOCK, 24>(&mut state.0, blocks);
                hash.absorbed += blocks.len();
            }
        }
        if hash.is_finished() {
            for (bytes, word) in hash.digest.0.as_chunks_mut().0.iter_mut().zip(&state.0) {
                *bytes = word.to_le_bytes();
            }
        }
        for (word, one) in self.state.states.iter_mut().zip(&state.0) {
            word[0] = *one;
        }
    }

    /// Samples `count` polynomials. The same permutations absorb blocks of the hashes, which may be unfinished on
    /// return.
    ///
    /// State `i` is that of hash `i`, also where an earlier call has absorbed its prefix.
    pub(super) fn sample<'s>(
        &mut self,
        hashes: &mut [Hash<'_>],
        mut count: usize,
        samples: &mut dyn Iterator<Item = Sample<'s>>,
    ) {
        let mut in_progress: [InProgress<'s>; 8] = Default::default();
        loop {
            let begun = in_progress.iter().filter(|state| state.sample.is_some());
            let begun_blocks = begun.map(|state| 3_usize.saturating_sub(state.squeezed)).sum::<usize>();
            let width = self.width(hashes, 3 * count + begun_blocks);
            for (i, state) in in_progress.iter_mut().enumerate().take(width) {
                if count > 0 && state.sample.is_none() && hashes.get(i).is_none_or(Hash::is_finished) {
                    (state.squeezed, state.accepted) = (0, 0);
                    state.sample = samples.next();
                    count -= 1;
                }
            }
            if in_progress.iter().all(|state| state.sample.is_none()) {
                return;
            }
            self.permute(hashes, &mut in_progress);
        }
    }

    /// How many states to use: four if they can squeeze `blocks` blocks in the permutations that the hashes need
    /// anyway, or else eight.
    fn width(&self, hashes: &[Hash<'_>], blocks: usize) -> usize {
        let unfinished = hashes.iter().filter(|hash| !hash.is_finished()).count();
        let longest = hashes.iter().map(Hash::blocks_left).max().unwrap_or(0);
        let free = 4_usize.saturating_sub(unfinished);
        let wide = self.engine.keccak.is_wide() && blocks > free * longest.max(3);
        if wide || free == 0 { 8 } else { 4 }
    }

    /// Applies one permutation to all states in use: absorbs a block of each hash, and squeezes a block for each
    /// sample.
    fn permute(&mut self, hashes: &mut [Hash<'_>], in_progress: &mut [InProgress<'_>; 8]) {
        let SamplerState { states, rows, blocks } = &mut *self.state;
        let (mut inputs, mut active, mut needs_rows) = ([Input::None; 8], 0, false);
        for (i, state) in in_progress.iter().enumerate() {
            if let Some(sample) = &state.sample {
                (active, needs_rows) = (active | 1 << i, true);
                if state.squeezed == 0 {
                    inputs[i] = sample.input();
                }
            }
        }
        for (i, (hash, block)) in hashes.iter_mut().zip(blocks).enumerate() {
            if hash.blocks_left() > 0 {
                let block = block.first_chunk_mut().expect("two blocks hold one");
                hash.next_block(block);
                inputs[i] = Input::Block { block, first: hash.absorbed == 1 };
                (active, needs_rows) = (active | 1 << i, needs_rows | hash.is_finished());
            }
        }
        // A prefix that is absorbed must keep its state.
        let waiting =
            hashes.iter().enumerate().find(|(i, hash)| !hash.is_finished() && matches!(inputs[*i], Input::None));
        let saved = waiting.map(|(i, _)| (i, Secret(states.map(|word| word[i]))));
        self.engine.keccak.permute_eight(states, active, &inputs, needs_rows.then_some(&mut *rows));
        if let Some((i, state)) = saved {
            for (word, saved) in states.iter_mut().zip(&state.0) {
                word[i] = *saved;
            }
        }
        for (i, hash) in hashes.iter_mut().enumerate() {
            if hash.is_finished() && matches!(inputs[i], Input::Block { .. }) {
                hash.digest.0.copy_from_slice(&rows[i][..64]);
            }
        }
        for (i, state) in in_progress.iter_mut().enumerate() {
            self.take_block(i, state);
        }
    }

    /// Converts the block that state `i` has squeezed to coefficients. Removes the sample if it is complete.
    fn take_block(&mut self, i: usize, InProgress { sample, squeezed, accepted }: &mut InProgress<'_>) {
        let Some(Sample { distribution, poly, .. }) = sample else { return };
        let (row, engine) = (&self.state.rows[i], self.engine);
        *squeezed += 1;
        let finished = match distribution {
            Distribution::Uniform => {
                // ρ is public, so the time may depend on how many coefficients are rejected.
                *accepted += engine.run_bytes(Uniform { row, coefficients: &mut poly.0[*accepted..] });
                *accepted == 256
            }
            Distribution::Binomial2 => {
                engine.run_bytes(Binomial2 { row, poly });
                true
            }
            Distribution::Binomial3 => {
                let both = &mut self.state.blocks[i];
                both[(*squeezed - 1) * BLOCK..][..BLOCK].copy_from_slice(&row[..BLOCK]);
                if *squeezed == 2 {
                    engine.run_bytes(Binomial3 { blocks: both, poly });
                }
                *squeezed == 2
            }
        };
        if finished {
            *sample = None;
        }
    }
}

/// The loop of `SampleNTT` over a block: writes the integers of 12 bits that are below q, until `coefficients` is full.
/// Returns how many.
struct Uniform<'a> {
    row: &'a [u8; 192],
    coefficients: &'a mut [i16],
}

impl ByteKernel for Uniform<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) -> usize {
        let mut accepted = 0;
        let (chunks, _) = self.row.as_chunks::<48>();
        for i in 0..4 {
            accepted += token.rejection_sample(&chunks[i], Q, &mut self.coefficients[accepted..]);
        }
        accepted
    }
}

/// `SamplePolyCBD_2` of the first 128 bytes.
struct Binomial2<'a> {
    row: &'a [u8; 192],
    poly: &'a mut Poly,
}

impl ByteKernel for Binomial2<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) {
        let ((bytes, _), (coefficients, _)) = (self.row.as_chunks::<16>(), self.poly.0.as_chunks_mut());
        for i in 0..8 {
            token.centered_binomial_2(&bytes[i], &mut coefficients[i]);
        }
    }
}

/// `SamplePolyCBD_3` of the first 192 bytes.
struct Binomial3<'a> {
    blocks: &'a [u8; 2 * BLOCK],
    poly: &'a mut Poly,
}

impl ByteKernel for Binomial3<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) {
        let ((bytes, _), (coefficients, _)) = (self.blocks.as_chunks::<24>(), self.poly.0.as_chunks_mut());
        for i in 0..8 {
            token.centered_binomial_3(&bytes[i], &mut coefficients[i]);
        }
    }
}
