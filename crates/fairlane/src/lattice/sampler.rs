//! Keccak for many samples (FIPS 203, section 4.2.2), and for hashes of longer messages at the same time.
//!
//! Four or eight Keccak states are permuted together. With AVX-512 a permutation of one to four states takes the same
//! time, and one of eight half as long again (Emerald Rapids) or twice as long (Zen 4). The blocks of one hash need one
//! permutation after the other, and polynomials are independent of each other: so hashes and polynomials share
//! permutations.
//!
//! A ninth state in integers, its rounds between those of eight in vectors, gains nothing on a Zen 4: 2080 cycles where
//! eight take 1430.
//!
//! States stay in registers for as many permutations as all that share them need, three for `SampleNTT`, and a
//! polynomial's blocks are converted together.

use super::engine::{ByteKernel, Engine};
use super::hashes::Hash;
use super::samples::{
    Blocks, Destination, Distribution, Sample, UNIFORM_BLOCKS, sample_ntt, sample_ntt_more, sample_poly_cbd_2,
    sample_poly_cbd_3,
};
use super::secret::{Secret, Zero};
use crate::keccak::{EightStates, RATE_128, RATE_256 as BLOCK, Row, Run, Squeezed, StateInput as Input};
use core::slice;
use fairlane_lanes::CoefficientCoding;

/// At most so many hashes share permutations with samples.
const HASHES: usize = 3;

/// The sample that one of the Keccak states is used for, if any.
#[derive(Default)]
struct Lane<'a> {
    sample: Option<Sample<'a>>,
    /// How many samples began before it.
    number: usize,
    /// Blocks squeezed.
    squeezed: usize,
    /// Coefficients that `SampleNTT` has accepted.
    accepted: usize,
}

/// The samples that Keccak's states are used for.
#[derive(Default)]
pub(super) struct Lanes<'a> {
    lanes: [Lane<'a>; 8],
    /// The lanes that are in use, a bit for each.
    busy: u8,
    /// How many samples have begun.
    begun: usize,
}

impl<'a> Lanes<'a> {
    fn begin(&mut self, i: usize, sample: Sample<'a>) {
        self.lanes[i] = Lane { sample: Some(sample), number: self.begun, squeezed: 0, accepted: 0 };
        self.busy |= 1 << i;
        self.begun += 1;
    }

    /// How many samples have begun.
    pub(super) fn begun(&self) -> usize {
        self.begun
    }

    /// The lanes in use, with their samples.
    #[inline]
    fn iter(&self) -> impl Iterator<Item = (usize, &Lane<'a>, &Sample<'a>)> {
        let mut busy = self.busy;
        core::iter::from_fn(move || {
            let i = busy.trailing_zeros() as usize;
            busy &= busy.wrapping_sub(1);
            let lane = self.lanes.get(i)?;
            Some((i, lane, lane.sample.as_ref()?))
        })
    }

    /// Whether the first `count` samples are complete.
    fn are_complete(&self, count: usize) -> bool {
        self.begun >= count && self.iter().all(|(_, lane, _)| lane.number >= count)
    }
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
        // The kernel for `SampleNTT` reads 48 bytes at a time, also past the last block. These are integers that are
        // not below q.
        for row in &mut state.rows {
            row[UNIFORM_BLOCKS * RATE_128..].fill(0xff);
        }
        Self { engine, state }
    }

    pub(super) fn engine(&self) -> Engine {
        self.engine
    }

    /// How many rows of Â, which has `k`, to sample with the noise of a new key before H(ek) shares permutations with
    /// the others: one or two.
    pub(super) fn rows_before_hash(&self, k: usize) -> usize {
        let [of_one, of_four, of_eight] = self.engine.keccak.costs();
        // Two rows and the noise fill eight states. Where a permutation of eight costs less than 1.75 of one of four,
        // that saves 6 to 8 % of a key generation (Granite Rapids); three rows of four save less.
        let in_eights = 4 * of_eight < 7 * of_four;
        // Two permutations for a hash alone cost less than one that it shares.
        let hashes_alone = 2 * of_one < of_four;
        // Of four rows, the first two take as many permutations together as one after the other, or fewer.
        if in_eights || hashes_alone || k == 4 { 2 } else { 1 }
    }

    /// Absorbs all blocks of up to [`HASHES`] hashes.
    pub(super) fn hash(&mut self, hashes: &mut [Hash<'_>]) {
        if let [hash] = hashes {
            return self.hash_one(hash);
        }
        while hashes.iter().any(|hash| hash.blocks_left() > 0) {
            self.permute(hashes, &mut Default::default(), &mut Destination::default());
        }
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

    /// Samples polynomials, which need so many blocks. The same permutations absorb blocks of the hashes, which may be
    /// unfinished on return.
    ///
    /// State `i` is that of hash `i`, also where an earlier call has absorbed its prefix.
    #[inline]
    pub(super) fn sample<'s>(
        &mut self,
        hashes: &mut [Hash<'_>],
        blocks: Blocks,
        samples: impl Iterator<Item = Sample<'s>>,
        destination: &mut Destination<'_>,
    ) {
        self.sample_first(&mut Lanes::default(), usize::MAX, hashes, blocks, &mut { samples }, destination);
    }

    /// As [`sample`](Self::sample), until the first `count` of all samples are complete that ever began in these lanes;
    /// `blocks` are those of samples that have not begun. Others begin where a state is free, and are continued by
    /// later calls.
    #[inline]
    pub(super) fn sample_first<'s>(
        &mut self,
        lanes: &mut Lanes<'s>,
        count: usize,
        hashes: &mut [Hash<'_>],
        mut blocks: Blocks,
        samples: &mut impl Iterator<Item = Sample<'s>>,
        destination: &mut Destination<'_>,
    ) {
        while !lanes.are_complete(count) {
            self.begin(lanes, count, hashes, &mut blocks, samples);
            if lanes.busy == 0 {
                return;
            }
            self.permute(hashes, lanes, destination);
        }
    }

    /// Absorbs one block of each hash that has blocks left, one of which has no more than that. The same permutation
    /// squeezes samples.
    #[inline]
    pub(super) fn absorb_block<'s>(
        &mut self,
        lanes: &mut Lanes<'s>,
        hashes: &mut [Hash<'_>],
        blocks: &mut Blocks,
        samples: &mut impl Iterator<Item = Sample<'s>>,
    ) {
        self.begin(lanes, usize::MAX, hashes, blocks, samples);
        // Few permutations suffice for no sample.
        self.permute(hashes, lanes, &mut Destination::default());
    }

    /// Begins samples in free states. After the first `count` of all, state 0 is left to the hash of a later call, and
    /// the last four are left free, so that later permutations can be of four.
    #[inline]
    fn begin<'s>(
        &mut self,
        lanes: &mut Lanes<'s>,
        count: usize,
        hashes: &[Hash<'_>],
        blocks: &mut Blocks,
        samples: &mut impl Iterator<Item = Sample<'s>>,
    ) {
        let width = self.width(lanes, hashes, *blocks);
        for i in 0..width {
            // The first states are those of hashes. Of eight, those that are busy longest should be in one half.
            let i = if width == 4 { 3 - i } else { i };
            let is_left = (i == 0 || i > 3) && lanes.begun >= count;
            if lanes.busy >> i & 1 == 0 && !is_left && hashes.get(i).is_none_or(Hash::is_finished) {
                let Some(sample) = samples.next() else { break };
                blocks.take(&sample);
                lanes.begin(i, sample);
            }
        }
    }

    /// How many states to use, four or eight, for samples that are to begin and need so many blocks: whichever takes
    /// less time, the rest of the longest hash included.
    fn width(&self, lanes: &Lanes<'_>, hashes: &[Hash<'_>], blocks: Blocks) -> usize {
        if lanes.busy > 15 {
            return 8;
        }
        if blocks.all() == 0 {
            return 4;
        }
        let unfinished = hashes.iter().filter(|hash| !hash.is_finished()).count();
        let longest = hashes.iter().map(Hash::blocks_left).max().unwrap_or(0);
        let begun = lanes.iter().map(|(_, lane, sample)| sample.blocks_left(lane.squeezed)).sum::<usize>();
        let blocks_left = blocks.all() + begun;
        let [of_one, of_four, of_eight] = self.engine.keccak.costs();
        let cost = |states: usize, each: usize| {
            let free = states - unfinished;
            let beside = (free * longest).min(blocks_left);
            let permutations = divide_up(beside, free) + divide_up(blocks_left - beside, states);
            let permutations = permutations.max(blocks.longest());
            permutations * each + longest.saturating_sub(permutations) * of_one
        };
        if cost(8, of_eight) < cost(4, of_four) { 8 } else { 4 }
    }

    /// Applies as many permutations as all samples and all unfinished hashes need: absorbs a block of each hash before
    /// each permutation, and squeezes a block for each sample after it.
    fn permute(&mut self, hashes: &mut [Hash<'_>], lanes: &mut Lanes<'_>, destination: &mut Destination<'_>) {
        let SamplerState { states, rows, blocks } = &mut *self.state;
        let (mut inputs, mut active) = ([Input::None; 8], lanes.busy);
        let (mut permutations, mut most, mut words) = (UNIFORM_BLOCKS, 0, 0);
        let (mut first, mut step) = ([0; 8], [0; 8]);
        for (i, Lane { squeezed, .. }, sample) in lanes.iter() {
            if *squeezed == 0 {
                inputs[i] = sample.input();
            }
            permutations = permutations.min(sample.blocks_left(*squeezed));
            most = most.max(sample.most_blocks_left(*squeezed));
            words = words.max(sample.words());
            // A fourth block of SHAKE128 takes the place of the third.
            (first[i], step[i]) = (sample.rate() * (*squeezed).min(UNIFORM_BLOCKS - 1), sample.rate());
        }
        for hash in hashes.iter().filter(|hash| hash.blocks_left() > 0) {
            permutations = permutations.min(hash.contiguous_blocks().len().max(1));
        }
        let mut goes_on = most > permutations;
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
            active |= 1 << i;
            if hash.is_finished() {
                words = words.max(64 / 8);
            } else {
                goes_on = true;
            }
        }
        // A prefix that is absorbed must keep its state.
        let waiting =
            hashes.iter().enumerate().find(|(i, hash)| !hash.is_finished() && matches!(inputs[*i], Input::None));
        let saved = waiting.filter(|_| goes_on).map(|(i, _)| (i, Secret(states.map(|word| word[i]))));
        let squeezed = Squeezed { rows: &mut *rows, words, last_only: lanes.busy == 0, first, step };
        let squeezed = (words > 0).then_some(squeezed);
        let run = Run { active, inputs: &inputs, permutations, goes_on, squeezed };
        self.engine.keccak.permute_eight(states, run);
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
        if lanes.busy != 0 {
            self.engine.run_bytes(TakeBlocks { rows, count: permutations, lanes, destination });
        }
    }
}

/// The quotient of small numbers, rounded up. A division would take 10 to 20 cycles.
fn divide_up(x: usize, divisor: usize) -> usize {
    const INVERSES: [u32; 16] = {
        let (mut inverses, mut i) = ([0; 16], 1);
        while i < 16 {
            inverses[i] = (1_u32 << 16).div_ceil(i as u32);
            i += 1;
        }
        inverses
    };
    ((x + divisor - 1) * INVERSES[divisor & 15] as usize) >> 16
}

/// Converts the states' blocks to coefficients where there are enough; the last `count` ones are new. Frees the lanes
/// of samples that are complete.
struct TakeBlocks<'a, 's, 'd> {
    rows: &'a [Row; 8],
    count: usize,
    lanes: &'a mut Lanes<'s>,
    destination: &'a mut Destination<'d>,
}

impl ByteKernel for TakeBlocks<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<T: CoefficientCoding>(self, token: T) {
        let Self { rows, count, lanes: Lanes { lanes, busy, .. }, destination } = self;
        for i in 0..8 {
            let (row, Lane { sample: in_lane, squeezed, accepted, .. }) = (&rows[i], &mut lanes[i]);
            let Some(sample) = in_lane else { continue };
            *squeezed += count;
            let distribution = sample.distribution();
            if distribution.blocks() > *squeezed {
                continue;
            }
            let poly = sample.to(destination);
            match distribution {
                Distribution::Uniform => {
                    // ρ is public, so the time may depend on how many coefficients are rejected.
                    *accepted = if *squeezed == UNIFORM_BLOCKS {
                        sample_ntt(token, row, &mut poly.0)
                    } else {
                        sample_ntt_more(token, &row[(UNIFORM_BLOCKS - 1) * RATE_128..], &mut poly.0, *accepted)
                    };
                    if *accepted < 256 {
                        continue;
                    }
                }
                Distribution::Binomial2 => sample_poly_cbd_2(token, row, poly),
                Distribution::Binomial3 => sample_poly_cbd_3(token, row, poly),
            }
            *in_lane = None;
            *busy &= !(1 << i);
        }
    }
}
