//! Sampling (FIPS 203, section 4.2.2) and the hashes H, J and G (section 4.1): `SampleNTT` and `SamplePolyCBD_η` for
//! many polynomials, and hashes of longer messages at the same time.
//!
//! Eight Keccak states are permuted together. With AVX-512 a permutation of one to four states takes the same time, and
//! one of eight half as long again. The blocks of one hash need one permutation after the other, and polynomials are
//! independent of each other: so hashes and polynomials share permutations.
//!
//! States stay in registers for as many permutations as all that share them need, three for `SampleNTT`, and a
//! polynomial's blocks are converted together.

use super::engine::{ByteKernel, Engine};
use super::ring::{Poly, Q};
use super::secret::{Secret, Zero};
use crate::keccak::{EightStates, RATE_128, RATE_256 as BLOCK, Row, Squeezed, StateInput as Input};
use core::{array, slice};
use fairlane_lanes::CoefficientCoding;

/// The first bit of the padding of SHAKE, with the bits before it.
const SHAKE_SUFFIX: u8 = 0x1f;

/// The blocks of SHAKE128 that `SampleNTT` nearly always finds 256 coefficients in.
const UNIFORM_BLOCKS: usize = 3;

/// At most so many hashes share permutations with samples.
const HASHES: usize = 3;

/// The hash functions of FIPS 203, section 4.1.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// SHA3-256.
    H,
    /// SHAKE256, of which the first 32 bytes are used.
    J,
    /// SHA3-512, only of messages that are shorter than a block.
    G,
}

impl Function {
    /// Bytes of a block, at most [`BLOCK`], and the byte that follows a message: the suffix and the first bit of the
    /// padding.
    const fn rate_and_suffix(self) -> (usize, u8) {
        match self {
            Self::H => (BLOCK, 0x06),
            Self::J => (BLOCK, SHAKE_SUFFIX),
            Self::G => (72, 0x06),
        }
    }
}

/// Hashes in halves. Those by H and J are the first ones.
pub(super) type Digests = Secret<[[[u8; 32]; 2]; 8]>;

/// The hashes of up to eight messages of one length. There is at least one.
pub(super) fn hash_alike<'a>(
    engine: Engine,
    function: Function,
    messages: impl ExactSizeIterator<Item = &'a [u8]>,
) -> Digests {
    let (count, mut messages) = (messages.len(), messages);
    let mut last: &[u8] = &[];
    let messages: [&[u8]; 8] = array::from_fn(|_| {
        last = messages.next().unwrap_or(last);
        last
    });
    let mut digests = Digests::zero();
    let length = if matches!(function, Function::G) { 64 } else { 32 };
    let mut bytes = Secret::<[[u8; 64]; 8]>::zero();
    engine.keccak.hash_eight(function.rate_and_suffix(), count, &messages, &mut bytes.0, length);
    for (digest, bytes) in digests.0.iter_mut().zip(&bytes.0) {
        digest.as_flattened_mut().copy_from_slice(bytes);
    }
    digests
}

/// The computation of a hash. Its message is the concatenation of three slices.
pub(super) struct Hash<'a> {
    message: [&'a [u8]; 3],
    function: Function,
    /// Whether the end of the message is not known yet: only whole blocks are absorbed.
    is_prefix: bool,
    /// How many blocks are to be absorbed.
    blocks: usize,
    /// How many have been.
    absorbed: usize,
    digest: Secret<[u8; 64]>,
}

impl<'a> Hash<'a> {
    /// H.
    pub(super) fn h(message: &'a [u8]) -> Self {
        Self::new(Function::H, [message, &[], &[]])
    }

    /// J of z ‖ c.
    pub(super) fn j(z: &'a [u8; 32], c: &'a [u8]) -> Self {
        Self::new(Function::J, [z, c, &[]])
    }

    /// G.
    pub(super) fn g(message: [&'a [u8]; 3]) -> Self {
        Self::new(Function::G, message)
    }

    fn new(function: Function, message: [&'a [u8]; 3]) -> Self {
        let bytes = message.iter().map(|piece| piece.len()).sum::<usize>();
        let blocks = bytes / function.rate_and_suffix().0 + 1;
        Self { message, function, is_prefix: false, blocks, absorbed: 0, digest: Secret([0; 64]) }
    }

    fn rate(&self) -> usize {
        self.function.rate_and_suffix().0
    }

    /// The hash of a longer message that begins with this one: its whole blocks are absorbed, and it stays unfinished.
    pub(super) fn prefix(self) -> Self {
        Self { is_prefix: true, blocks: self.blocks - 1, ..self }
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
        self.blocks - self.absorbed
    }

    fn is_finished(&self) -> bool {
        !self.is_prefix && self.blocks_left() == 0
    }

    /// The next whole blocks of [`BLOCK`] bytes that lie in one slice.
    fn contiguous_blocks(&self) -> &'a [[u8; BLOCK]] {
        let mut skip = self.absorbed * self.rate();
        for piece in self.message {
            if skip < piece.len() && self.rate() == BLOCK {
                return piece[skip..].as_chunks().0;
            }
            let Some(rest) = skip.checked_sub(piece.len()) else { break };
            skip = rest;
        }
        &[]
    }

    /// Writes the next block, padded if it is the last one.
    fn next_block(&mut self, block: &mut [u8; BLOCK]) {
        let (rate, suffix) = self.function.rate_and_suffix();
        let (mut skip, mut len) = (self.absorbed * rate, 0);
        for piece in self.message {
            let rest = &piece[skip.min(piece.len())..];
            skip = skip.saturating_sub(piece.len());
            let rest = &rest[..rest.len().min(rate - len)];
            block[len..len + rest.len()].copy_from_slice(rest);
            len += rest.len();
        }
        if len < rate {
            block[len..].fill(0);
            block[len] = suffix;
            block[rate - 1] |= 0x80;
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

    /// Bytes of a block.
    fn rate(&self) -> usize {
        if matches!(self.distribution, Distribution::Uniform) { RATE_128 } else { BLOCK }
    }

    /// How many blocks it needs after `squeezed` ones. `SampleNTT` may need more.
    fn blocks_left(&self, squeezed: usize) -> usize {
        match self.distribution {
            Distribution::Uniform => UNIFORM_BLOCKS.saturating_sub(squeezed).max(1),
            Distribution::Binomial2 => 1,
            Distribution::Binomial3 => 2 - squeezed,
        }
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
    states: EightStates,
    /// The first bytes of each state after permutations.
    rows: [Row; 8],
    /// For each hash its next block, if that does not lie in the message as it is.
    blocks: [[u8; BLOCK]; HASHES],
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
        // The kernel for `SampleNTT` reads 48 bytes at a time, also behind the last block. These are integers that are
        // not below q.
        for row in &mut state.rows {
            row[UNIFORM_BLOCKS * RATE_128..].fill(0xff);
        }
        Self { engine, state }
    }

    pub(super) fn engine(&self) -> Engine {
        self.engine
    }

    /// Absorbs all blocks of up to [`HASHES`] hashes.
    pub(super) fn hash(&mut self, hashes: &mut [Hash<'_>]) {
        if let [hash] = hashes {
            return self.hash_one(hash);
        }
        while hashes.iter().any(|hash| hash.blocks_left() > 0) {
            self.permute(hashes, &mut Default::default());
        }
    }

    /// Absorbs one block of each hash that has blocks left, one of which has no more than that.
    pub(super) fn absorb_block(&mut self, hashes: &mut [Hash<'_>]) {
        self.permute(hashes, &mut Default::default());
    }

    /// Absorbs all blocks of one hash, with the state in registers. It is state 0 before, and after if it is a prefix.
    fn hash_one(&mut self, hash: &mut Hash<'_>) {
        if hash.blocks_left() == 0 {
            return;
        }
        let mut state = Secret(self.state.states.map(|word| if hash.absorbed > 0 { word[0] } else { 0 }));
        while hash.blocks_left() > 0 {
            let blocks = hash.contiguous_blocks();
            if blocks.is_empty() {
                let block = &mut self.state.blocks[0];
                hash.next_block(block);
                self.engine.keccak.absorb::<BLOCK, 24>(&mut state.0, slice::from_ref(block));
            } else {
                self.engine.keccak.absorb::<BLOCK, 24>(&mut state.0, blocks);
                hash.absorbed += blocks.len();
            }
        }
        if hash.is_finished() {
            for (bytes, word) in hash.digest.0.as_chunks_mut().0.iter_mut().zip(&state.0) {
                *bytes = word.to_le_bytes();
            }
            return;
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
            let begun_blocks = begun.map(|state| UNIFORM_BLOCKS.saturating_sub(state.squeezed)).sum::<usize>();
            let is_wide_anyway = in_progress[4..].iter().any(|state| state.sample.is_some());
            let width = self.width(hashes, UNIFORM_BLOCKS * count + begun_blocks, is_wide_anyway);
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
    /// anyway, or else eight. Those that are idle beside some of the last four cost nothing.
    fn width(&self, hashes: &[Hash<'_>], blocks: usize, is_wide_anyway: bool) -> usize {
        let unfinished = hashes.iter().filter(|hash| !hash.is_finished()).count();
        let longest = hashes.iter().map(Hash::blocks_left).max().unwrap_or(0);
        let free = 4_usize.saturating_sub(unfinished);
        let is_worth_it = is_wide_anyway || blocks > free * longest.max(UNIFORM_BLOCKS);
        if (self.engine.keccak.is_wide() && is_worth_it) || free == 0 { 8 } else { 4 }
    }

    /// Applies as many permutations as all samples and all unfinished hashes need: absorbs a block of each hash before
    /// each permutation, and squeezes a block for each sample after it.
    fn permute(&mut self, hashes: &mut [Hash<'_>], in_progress: &mut [InProgress<'_>; 8]) {
        let SamplerState { states, rows, blocks } = &mut *self.state;
        let (mut inputs, mut active, mut permutations, mut needs_rows) = ([Input::None; 8], 0, UNIFORM_BLOCKS, false);
        let (mut first, mut step) = ([0; 8], [0; 8]);
        for (i, InProgress { sample, squeezed, .. }) in in_progress.iter().enumerate() {
            let Some(sample) = sample else { continue };
            (active, needs_rows) = (active | 1 << i, true);
            if *squeezed == 0 {
                inputs[i] = sample.input();
            }
            permutations = permutations.min(sample.blocks_left(*squeezed));
            // A fourth block of SHAKE128 takes the place of the third.
            (first[i], step[i]) = (sample.rate() * (*squeezed).min(UNIFORM_BLOCKS - 1), sample.rate());
        }
        for hash in hashes.iter().filter(|hash| hash.blocks_left() > 0) {
            permutations = permutations.min(hash.contiguous_blocks().len().max(1));
        }
        debug_assert!(hashes.len() <= HASHES);
        for (i, (hash, block)) in hashes.iter_mut().zip(blocks).enumerate() {
            if hash.blocks_left() == 0 {
                continue;
            }
            let (begins, mut blocks) = (hash.absorbed == 0, hash.contiguous_blocks());
            if blocks.is_empty() {
                hash.next_block(block);
                blocks = slice::from_ref(block);
            } else {
                hash.absorbed += permutations;
            }
            inputs[i] = Input::Blocks { blocks, begins };
            (active, needs_rows) = (active | 1 << i, needs_rows | hash.is_finished());
        }
        // A prefix that is absorbed must keep its state.
        let waiting =
            hashes.iter().enumerate().find(|(i, hash)| !hash.is_finished() && matches!(inputs[*i], Input::None));
        let saved = waiting.map(|(i, _)| (i, Secret(states.map(|word| word[i]))));
        let squeezed = needs_rows.then_some(Squeezed { rows: &mut *rows, first, step });
        self.engine.keccak.permute_eight(states, active, &inputs, permutations, squeezed);
        if let Some((i, state)) = saved {
            for (word, saved) in states.iter_mut().zip(&state.0) {
                word[i] = *saved;
            }
        }
        for (i, hash) in hashes.iter_mut().enumerate() {
            if hash.is_finished() && matches!(inputs[i], Input::Blocks { .. }) {
                hash.digest.0.copy_from_slice(&rows[i][..64]);
            }
        }
        for (state, row) in in_progress.iter_mut().zip(&*rows) {
            take_blocks(self.engine, row, permutations, state);
        }
    }
}

/// Converts a state's blocks to coefficients when there are enough; the last `count` ones are new. Removes the sample
/// if it is complete.
fn take_blocks(
    engine: Engine,
    row: &Row,
    count: usize,
    InProgress { sample: in_progress, squeezed, accepted }: &mut InProgress<'_>,
) {
    let Some(sample) = in_progress else { return };
    *squeezed += count;
    let Sample { distribution, poly, .. } = sample;
    let finished = match distribution {
        Distribution::Uniform if *squeezed < UNIFORM_BLOCKS => false,
        Distribution::Uniform => {
            let is_first = *squeezed == UNIFORM_BLOCKS;
            let bytes = if is_first { &row[..] } else { &row[(UNIFORM_BLOCKS - 1) * RATE_128..] };
            // ρ is public, so the time may depend on how many coefficients are rejected.
            *accepted += engine.run_bytes(Uniform { bytes, coefficients: &mut poly.0[*accepted..] });
            *accepted == 256
        }
        Distribution::Binomial2 => {
            engine.run_bytes(Binomial2 { row, poly });
            true
        }
        Distribution::Binomial3 if *squeezed < 2 => false,
        Distribution::Binomial3 => {
            engine.run_bytes(Binomial3 { row, poly });
            true
        }
    };
    if finished {
        *in_progress = None;
    }
}

/// The loop of `SampleNTT` over bytes, 48 at a time: writes the integers of 12 bits that are below q, until
/// `coefficients` is full. Returns how many.
struct Uniform<'a> {
    bytes: &'a [u8],
    coefficients: &'a mut [i16],
}

impl ByteKernel for Uniform<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) -> usize {
        let mut accepted = 0;
        for chunk in self.bytes.as_chunks::<48>().0 {
            accepted += token.rejection_sample(chunk, Q, &mut self.coefficients[accepted..]);
        }
        accepted
    }
}

/// `SamplePolyCBD_2` of the first 128 bytes.
struct Binomial2<'a> {
    row: &'a Row,
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
    row: &'a Row,
    poly: &'a mut Poly,
}

impl ByteKernel for Binomial3<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) {
        let ((bytes, _), (coefficients, _)) = (self.row.as_chunks::<24>(), self.poly.0.as_chunks_mut());
        for i in 0..8 {
            token.centered_binomial_3(&bytes[i], &mut coefficients[i]);
        }
    }
}
