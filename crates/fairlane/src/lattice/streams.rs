//! What Keccak computes, side by side: hashes, polynomials of the matrix (FIPS 203, algorithm 7) and noise (algorithm 8).
//!
//! One state to four take the same time with AVX-512, and eight half as long again; so what must be computed block after block,
//! a hash, shares its permutations with what need not.

use super::pke::{BitWork, Machine};
use super::ring::{Poly, Q};
use super::secret::Secret;
use crate::keccak::{BLOCK, Input, Rows, States};
use fairlane_lanes::Bits;

/// A hash of a message in pieces.
pub(super) struct Hash<'a> {
    pieces: [&'a [u8]; 3],
    /// Its domain and the padding's first bit.
    domain: u8,
    /// Bytes of a block, at most [`BLOCK`].
    rate: usize,
    /// Whether the pieces are all of it.
    ends: bool,
    /// Blocks taken.
    taken: usize,
    digest: Secret<[u8; 64]>,
}

impl<'a> Hash<'a> {
    /// Of nothing.
    pub(super) const NONE: Self = Self::new([&[]; 3], 6, BLOCK);

    /// H: SHA3-256.
    pub(super) fn h(message: &'a [u8]) -> Self {
        Self::new([message, &[], &[]], 6, BLOCK)
    }

    /// J: SHAKE256.
    pub(super) fn j(z: &'a [u8; 32], ciphertext: &'a [u8]) -> Self {
        Self::new([z, ciphertext, &[]], 0x1f, BLOCK)
    }

    /// G: SHA3-512, of less than a block.
    pub(super) fn g(pieces: [&'a [u8]; 3]) -> Self {
        Self::new(pieces, 6, 72)
    }

    const fn new(pieces: [&'a [u8]; 3], domain: u8, rate: usize) -> Self {
        Self { pieces, domain, rate, ends: true, taken: 0, digest: Secret([0; 64]) }
    }

    /// The first so many blocks only, for now.
    pub(super) fn part(self) -> Self {
        Self { ends: false, ..self }
    }

    /// The same hash, of whose message so many blocks were taken.
    pub(super) fn after(self, taken: usize) -> Self {
        Self { taken, ..self }
    }

    /// Blocks that were taken.
    pub(super) fn taken(&self) -> usize {
        self.taken
    }

    /// The digest, once it is computed, in the first bytes.
    pub(super) fn digest(&self) -> &[u8; 64] {
        &self.digest.0
    }

    /// Blocks that can be taken now.
    fn left(&self) -> usize {
        let bytes = self.pieces.iter().map(|piece| piece.len()).sum::<usize>();
        (bytes / self.rate + usize::from(self.ends)).saturating_sub(self.taken)
    }

    fn is_done(&self) -> bool {
        self.ends && self.left() == 0
    }

    /// The next blocks, of those that lie in one piece.
    fn whole(&self) -> &'a [[u8; BLOCK]] {
        let mut skip = self.taken * self.rate;
        for piece in self.pieces {
            if skip < piece.len() && self.rate == BLOCK {
                return piece[skip..].as_chunks().0;
            }
            let Some(rest) = skip.checked_sub(piece.len()) else { break };
            skip = rest;
        }
        &[]
    }

    /// The next block.
    fn take(&mut self, block: &mut [u8]) {
        let (mut skip, mut len) = (self.taken * self.rate, 0);
        for piece in self.pieces {
            let rest = &piece[skip.min(piece.len())..];
            skip = skip.saturating_sub(piece.len());
            let rest = &rest[..rest.len().min(self.rate - len)];
            block[len..len + rest.len()].copy_from_slice(rest);
            len += rest.len();
        }
        if len < self.rate {
            block[len..].fill(0);
            block[len] = self.domain;
            block[self.rate - 1] |= 0x80;
        }
        self.taken += 1;
    }
}

/// A polynomial to be sampled.
pub(super) struct Job<'a> {
    seed: &'a [u8; 32],
    /// What follows the seed, with the domain and the padding's first bit.
    rest: u32,
    what: What,
    poly: &'a mut Poly,
}

#[derive(Clone, Copy)]
enum What {
    /// Of the matrix.
    Uniform,
    /// Of noise with the parameter 2.
    Binomial2,
    /// Of noise with the parameter 3.
    Binomial3,
}

impl<'a> Job<'a> {
    /// Of the matrix, for the two bytes that follow the seed ρ.
    pub(super) fn matrix(rho: &'a [u8; 32], [j, i]: [u8; 2], poly: &'a mut Poly) -> Self {
        Self { seed: rho, rest: u32::from_le_bytes([j, i, 0x1f, 0]), what: What::Uniform, poly }
    }

    /// Of noise with the parameter `eta`, 2 or 3, for the byte that follows the seed.
    pub(super) fn noise(seed: &'a [u8; 32], number: u8, eta: u8, poly: &'a mut Poly) -> Self {
        let what = if eta == 2 { What::Binomial2 } else { What::Binomial3 };
        Self { seed, rest: u32::from_le_bytes([number, 0x1f, 0, 0]), what, poly }
    }

    fn input(&self) -> Input<'a> {
        Input::Short { seed: self.seed, rest: self.rest, shake_128: matches!(self.what, What::Uniform) }
    }
}

/// A polynomial on its way, if there is one.
#[derive(Default)]
struct Running<'a> {
    job: Option<Job<'a>>,
    /// Blocks squeezed.
    blocks: usize,
    /// Of the matrix: numbers found.
    found: usize,
}

/// Eight states, and what comes out of them.
pub(super) struct Streams {
    machine: Machine,
    states: Secret<States>,
    rows: Secret<Rows>,
    /// Blocks of hashes that go in, or two blocks of noise with the parameter 3.
    blocks: Secret<[[u8; 2 * BLOCK]; 8]>,
}

impl Streams {
    pub(super) fn new(machine: Machine) -> Self {
        Self {
            machine,
            states: Secret::blank(),
            // What lies behind a block is refused: a number that is not below q.
            rows: Secret([[0xff; 192]; 8]),
            blocks: Secret::blank(),
        }
    }

    pub(super) fn machine(&self) -> Machine {
        self.machine
    }

    /// Hashes alone, until each has all of its message that is there.
    pub(super) fn hash(&mut self, hashes: &mut [Hash<'_>]) {
        if let [hash] = hashes {
            return self.one(hash);
        }
        while hashes.iter().any(|hash| hash.left() > 0) {
            self.block(hashes);
        }
    }

    /// A block of each hash that has one.
    pub(super) fn block(&mut self, hashes: &mut [Hash<'_>]) {
        self.step(hashes, &mut Default::default());
    }

    /// A hash alone, block after block with its state in registers.
    fn one(&mut self, hash: &mut Hash<'_>) {
        if hash.left() == 0 {
            return;
        }
        let mut state = Secret(self.states.0.map(|word| if hash.taken > 0 { word[0] } else { 0 }));
        while hash.left() > 0 {
            let whole = hash.whole();
            if whole.is_empty() {
                let block = self.blocks.0[0].first_chunk_mut().expect("there is room for two");
                hash.take(block);
                self.machine.keccak.absorb::<BLOCK, 24>(&mut state.0, core::slice::from_ref(block));
            } else {
                self.machine.keccak.absorb::<BLOCK, 24>(&mut state.0, whole);
                hash.taken += whole.len();
            }
        }
        if hash.is_done() {
            for (bytes, word) in hash.digest.0.as_chunks_mut().0.iter_mut().zip(&state.0) {
                *bytes = word.to_le_bytes();
            }
        }
        for (word, one) in self.states.0.iter_mut().zip(&state.0) {
            word[0] = *one;
        }
    }

    /// Samples `count` polynomials, while the hashes go on: state `i` is that of hash `i`, whose first part came in an earlier call if
    /// there was one.
    pub(super) fn run<'a>(
        &mut self,
        hashes: &mut [Hash<'_>],
        mut count: usize,
        jobs: &mut dyn Iterator<Item = Job<'a>>,
    ) {
        let mut running: [Running<'a>; 8] = Default::default();
        loop {
            let begun = running.iter().filter(|running| running.job.is_some());
            let begun = begun.map(|running| 3_usize.saturating_sub(running.blocks)).sum::<usize>();
            let width = self.width(hashes, 3 * count + begun);
            for (lane, running) in running.iter_mut().enumerate().take(width) {
                if count > 0 && running.job.is_none() && hashes.get(lane).is_none_or(Hash::is_done) {
                    (running.blocks, running.found) = (0, 0);
                    running.job = jobs.next();
                    count -= 1;
                }
            }
            if running.iter().all(|running| running.job.is_none()) {
                return;
            }
            self.step(hashes, &mut running);
        }
    }

    /// How many states to fill: eight if the hashes would not give the others time enough to be sampled in four.
    fn width(&self, hashes: &[Hash<'_>], blocks: usize) -> usize {
        let going = hashes.iter().filter(|hash| !hash.is_done()).count();
        let longest = hashes.iter().map(Hash::left).max().unwrap_or(0);
        let free = 4_usize.saturating_sub(going);
        let wide = self.machine.keccak.is_wide() && blocks > free * longest.max(3);
        if wide || free == 0 { 8 } else { 4 }
    }

    /// One permutation of all that goes on.
    fn step(&mut self, hashes: &mut [Hash<'_>], running: &mut [Running<'_>; 8]) {
        let (mut inputs, mut active, mut rows) = ([Input::None; 8], 0, false);
        for (lane, running) in running.iter().enumerate() {
            if let Some(job) = &running.job {
                (active, rows) = (active | 1 << lane, true);
                if running.blocks == 0 {
                    inputs[lane] = job.input();
                }
            }
        }
        for (lane, (hash, block)) in hashes.iter_mut().zip(&mut self.blocks.0).enumerate() {
            if hash.left() > 0 {
                let block = block.first_chunk_mut().expect("there is room for two");
                hash.take(block);
                inputs[lane] = Input::Block { block, first: hash.taken == 1 };
                (active, rows) = (active | 1 << lane, rows | hash.is_done());
            }
        }
        // A hash that waits for its next part stays as it is.
        let waits =
            hashes.iter().enumerate().find(|(lane, hash)| !hash.is_done() && matches!(inputs[*lane], Input::None));
        let before = waits.map(|(lane, _)| (lane, Secret(self.states.0.map(|word| word[lane]))));
        self.machine.keccak.step(&mut self.states.0, active, &inputs, rows.then_some(&mut self.rows.0));
        if let Some((lane, state)) = before {
            for (word, before) in self.states.0.iter_mut().zip(&state.0) {
                word[lane] = *before;
            }
        }
        for (lane, hash) in hashes.iter_mut().enumerate() {
            if hash.is_done() && matches!(inputs[lane], Input::Block { .. }) {
                hash.digest.0.copy_from_slice(&self.rows.0[lane][..64]);
            }
        }
        for (lane, running) in running.iter_mut().enumerate() {
            self.sampled(lane, running);
        }
    }

    /// Takes a block into a polynomial, which ends with the last one.
    fn sampled(&mut self, lane: usize, Running { job, blocks, found }: &mut Running<'_>) {
        let Some(Job { what, poly, .. }) = job else { return };
        let (row, machine) = (&self.rows.0[lane], self.machine);
        *blocks += 1;
        let done = match what {
            What::Uniform => {
                // The seed is public: how many numbers are refused may show.
                *found += machine.run_bits(Reject { row, numbers: &mut poly.0[*found..] });
                *found == 256
            }
            What::Binomial2 => {
                machine.run_bits(Noise2 { row, poly });
                true
            }
            What::Binomial3 => {
                let both = &mut self.blocks.0[lane];
                both[(*blocks - 1) * BLOCK..][..BLOCK].copy_from_slice(&row[..BLOCK]);
                if *blocks == 2 {
                    machine.run_bits(Noise3 { blocks: both, poly });
                }
                *blocks == 2
            }
        };
        if done {
            *job = None;
        }
    }
}

/// The numbers below q, of 12 bits each, as many as there is room for; returns how many they are.
struct Reject<'a> {
    row: &'a [u8; 192],
    numbers: &'a mut [i16],
}

impl BitWork for Reject<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<T: Bits>(self, token: T) -> usize {
        let mut found = 0;
        let (chunks, _) = self.row.as_chunks::<48>();
        for i in 0..4 {
            found += token.keep_below(&chunks[i], Q, &mut self.numbers[found..]);
        }
        found
    }
}

struct Noise2<'a> {
    row: &'a [u8; 192],
    poly: &'a mut Poly,
}

impl BitWork for Noise2<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: Bits>(self, token: T) {
        let ((bytes, _), (numbers, _)) = (self.row.as_chunks::<16>(), self.poly.0.as_chunks_mut());
        for i in 0..8 {
            token.binomial_2(&bytes[i], &mut numbers[i]);
        }
    }
}

struct Noise3<'a> {
    blocks: &'a [u8; 2 * BLOCK],
    poly: &'a mut Poly,
}

impl BitWork for Noise3<'_> {
    type Output = ();

    #[inline(always)]
    fn run<T: Bits>(self, token: T) {
        let ((bytes, _), (numbers, _)) = (self.blocks.as_chunks::<24>(), self.poly.0.as_chunks_mut());
        for i in 0..8 {
            token.binomial_3(&bytes[i], &mut numbers[i]);
        }
    }
}
