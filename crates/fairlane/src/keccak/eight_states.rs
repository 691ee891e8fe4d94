//! Eight states side by side, each with its own input, for the sampling and hashing of the KEMs: with the same
//! permutations, some begin with a seed and are squeezed, and others absorb blocks.

use super::equal_lengths::hash_groups;
use super::kernels::Keccak;
use super::parameters::{RATE_256, SpongeFunction};
use super::permutation::{ROUNDS_24, State, permute};
use core::marker::PhantomData;
use fairlane_lanes::{
    AnyToken, Avx2, KeccakWord, Kernel, Scalar, Token, U64x1, U64x2Sha3, U64x4, U64x4Vl, U64x4Zen, U64x8, U64x8Zen,
    is_zen,
};

/// Eight states: word `i` of state `j` at `[i][j]`.
pub(crate) type EightStates = State<[u64; 8]>;

/// A row of bytes that a state has squeezed.
///
/// Three blocks of SHAKE128 fit, or two of SHAKE256. The last 24 bytes are never written.
pub(crate) type Row = [u8; 3 * RATE_128 + 24];

/// The rate of SHAKE128 in bytes, the largest here.
pub(crate) const RATE_128: usize = 168;

/// What a state is used for in a run of permutations.
#[derive(Clone, Copy)]
pub(crate) enum StateInput<'a> {
    /// It is squeezed further, or idle.
    None,
    /// It begins with a whole short message: a seed and `rest`, the bytes that follow it and the first bit of the
    /// padding. The last bit of the padding goes to the end of a block of SHAKE128 or of SHAKE256.
    Short { seed: &'a [u8; 32], rest: u32, shake_128: bool },
    /// It absorbs a block before each permutation, and begins with the first of them if `begins`.
    Blocks { blocks: &'a [[u8; RATE_256]], begins: bool },
}

/// Where the first bytes of each state go after each permutation.
pub(crate) struct Squeezed<'a> {
    pub(crate) rows: &'a mut [Row; 8],
    /// How many lanes of a state are needed, at most 21.
    pub(crate) words: usize,
    /// Whether they are needed after the last permutation only.
    pub(crate) last_only: bool,
    /// For each state, the place of the first permutation's bytes in its row. It is followed by [`RATE_128`] bytes.
    pub(crate) first: [usize; 8],
    /// The distance from there to the next permutation's. Less than [`RATE_128`] if what is beyond it is overwritten.
    pub(crate) step: [usize; 8],
}

/// A run of permutations.
pub(crate) struct Run<'a> {
    /// The states that matter, a bit for each. Others may change to anything.
    pub(crate) active: u8,
    pub(crate) inputs: &'a [StateInput<'a>; 8],
    pub(crate) permutations: usize,
    /// Whether a state is permuted again by a later run. If not, states in memory stay as they are.
    pub(crate) goes_on: bool,
    pub(crate) squeezed: Option<Squeezed<'a>>,
}

impl StateInput<'_> {
    fn begins(&self) -> bool {
        matches!(self, Self::Short { .. } | Self::Blocks { begins: true, .. })
    }
}

impl Keccak {
    /// What a permutation of one state costs, one of four, and one of eight, in proportion (`permutation.rs` has the
    /// cycles).
    pub(crate) fn costs(self) -> [usize; 3] {
        match self.0 {
            AnyToken::Avx512(_) if is_zen() => [26, 26, 50],
            AnyToken::Avx512(_) => [25, 26, 40],
            AnyToken::Avx2(_) => [9, 20, 40],
            AnyToken::NeonSha3(_) => [1, 2, 4],
            _ => [1, 4, 8],
        }
    }

    /// Applies Keccak-f\[1600\] to eight states, several times.
    pub(crate) fn permute_eight(self, states: &mut EightStates, mut run: Run<'_>) {
        let active = run.active;
        macro_rules! run {
            ($token:expr, $word:ty, $n:literal, $first:expr) => {{
                let (first, run) = ($first, &mut run);
                $token.run(PermuteSome::<$word, $n> { states, first, run, word: PhantomData })
            }};
        }
        match self.0 {
            AnyToken::Avx512(token) if is_zen() && active > 15 => run!(token, U64x8Zen, 8, 0),
            AnyToken::Avx512(token) if is_zen() => run!(token, U64x4Zen, 4, 0),
            AnyToken::Avx512(token) if active > 15 => run!(token, U64x8, 8, 0),
            AnyToken::Avx512(token) => run!(token, U64x4Vl, 4, 0),
            AnyToken::Avx2(token) => {
                for first in [0, 4] {
                    let active = active >> first & 15;
                    // One state in integers takes half the time of four.
                    match active.count_ones() {
                        0 => {}
                        1 => run!(token, U64x1<Avx2>, 1, first + active.trailing_zeros() as usize),
                        _ => run!(token, U64x4, 4, first),
                    }
                }
            }
            AnyToken::NeonSha3(token) => {
                for first in (0..8).step_by(2).filter(|first| active >> first & 3 != 0) {
                    run!(token, U64x2Sha3, 2, first);
                }
            }
            _ => {
                for first in (0..8).filter(|first| active >> first & 1 != 0) {
                    run!(Scalar::PROOF, U64x1<Scalar>, 1, first);
                }
            }
        }
    }

    /// Writes the first `output_length` bytes of the hashes of `count` messages, at most eight and of one length. The
    /// function is that of `rate` and the byte `domain`, which follows a message. Messages and outputs from `count` on
    /// may be anything of the same lengths.
    pub(crate) fn hash_eight(
        self,
        (rate, domain): (usize, u8),
        count: usize,
        messages: &[&[u8]; 8],
        outputs: &mut [[u8; 64]; 8],
        output_length: usize,
    ) {
        let function = SpongeFunction::new(rate, 24, domain);
        macro_rules! run {
            ($token:expr, $word:ty, $n:literal) => {{
                let groups = messages.as_chunks().0.iter().zip(outputs.as_chunks_mut().0);
                for (messages, outputs) in groups.take(count.div_ceil($n)) {
                    let outputs = outputs.each_mut().map(|output| &mut output[..output_length]);
                    hash_groups::<$word, $n>($token, function, &mut Some((*messages, outputs)));
                }
            }};
        }
        match self.0 {
            AnyToken::Avx512(token) if is_zen() && count > 4 => run!(token, U64x8Zen, 8),
            AnyToken::Avx512(token) if is_zen() => run!(token, U64x4Zen, 4),
            AnyToken::Avx512(token) if count > 4 => run!(token, U64x8, 8),
            AnyToken::Avx512(token) => run!(token, U64x4Vl, 4),
            AnyToken::Avx2(token) => run!(token, U64x4, 4),
            AnyToken::NeonSha3(token) => run!(token, U64x2Sha3, 2),
            _ => run!(Scalar::PROOF, U64x1<Scalar>, 1),
        }
    }
}

/// The states from `first` on, as many as a word has lanes.
struct PermuteSome<'a, 'r, W, const N: usize> {
    states: &'a mut EightStates,
    first: usize,
    run: &'a mut Run<'r>,
    word: PhantomData<W>,
}

/// In the place of the seed of a state that does not begin with one.
static NO_SEED: [u8; 32] = [0; 32];

/// All ones in one lane.
static LANE: [[u64; 8]; 8] = {
    let (mut masks, mut lane) = ([[0; 8]; 8], 0);
    while lane < 8 {
        masks[lane][lane] = u64::MAX;
        lane += 1;
    }
    masks
};

impl<W: KeccakWord<N>, const N: usize> Kernel<W::Token> for PermuteSome<'_, '_, W, N> {
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { states, first, run, .. } = self;
        let Run { inputs, permutations, goes_on, squeezed, .. } = run;
        // Masks, and transposed seeds: a vector load would have to wait for single lanes stored to memory.
        let zero = W::splat(token, 0);
        let (mut begins, mut keep) = (false, W::splat(token, u64::MAX));
        let (mut after_seed, mut end_128, mut end_256) = (zero, zero, zero);
        let mut seeds: [&[u8]; N] = [&NO_SEED[..]; N];
        for lane in 0..N {
            let mask = W::from_array(token, part(&LANE[lane], 0));
            let input = &inputs[(first + lane) & 7];
            if input.begins() {
                begins = true;
                keep = keep.and(mask.not());
            }
            if let StateInput::Short { seed, rest, shake_128 } = input {
                seeds[lane] = &seed[..];
                after_seed = after_seed.xor(W::splat(token, u64::from(*rest)).and(mask));
                end_128 = end_128.xor(W::splat(token, u64::from(*shake_128) << 63).and(mask));
                end_256 = end_256.xor(W::splat(token, u64::from(!*shake_128) << 63).and(mask));
            }
        }
        // Not from zeros, which LLVM would make a call of memset.
        let mut a = [W::from_array(token, part(&states[0], first)); 25];
        for i in 1..25 {
            a[i] = W::from_array(token, part(&states[i], first));
        }
        if begins {
            for i in 0..25 {
                a[i] = a[i].and(keep);
            }
            for_each_tile!(N, 4, from, count => {
                let words = W::load_rows(token, &seeds, from, count);
                for i in 0..count {
                    a[from + i] = a[from + i].xor(words[i]);
                }
            });
            a[4] = a[4].xor(after_seed);
            a[RATE_128 / 8 - 1] = a[RATE_128 / 8 - 1].xor(end_128);
            a[RATE_256 / 8 - 1] = a[RATE_256 / 8 - 1].xor(end_256);
        }
        for permutation in 0..*permutations {
            for lane in 0..N {
                if let StateInput::Blocks { blocks, .. } = &inputs[(first + lane) & 7] {
                    // The same word in every lane, masked: a vector load would have to wait for single lanes.
                    let mask = W::from_array(token, part(&LANE[lane], 0));
                    let (words, _) = blocks[permutation].as_chunks::<8>();
                    for i in 0..RATE_256 / 8 {
                        a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(words[i])).and(mask));
                    }
                }
            }
            permute::<W, N>(token, &mut a, ROUNDS_24);
            if let Some(Squeezed { rows, words, last_only, first: places, step }) = squeezed
                && (!*last_only || permutation + 1 == *permutations)
            {
                for_each_tile!(N, RATE_128 / 8, from, count => {
                    if from < *words {
                        let mut tile = [a[from]; N];
                        for i in 1..count {
                            tile[i] = a[from + i];
                        }
                        let tile = W::transpose(tile);
                        for lane in 0..N {
                            let state = (first + lane) & 7;
                            let place = places[state] + permutation * step[state] + 8 * from;
                            tile[lane].store(&mut rows[state][place..place + 8 * count]);
                        }
                    }
                });
            }
        }
        if *goes_on {
            // Not a loop, which LLVM would not unroll.
            const ONE: usize = 1;
            for_each_tile!(ONE, 25, i, _count => {
                states[i][first..first + N].copy_from_slice(&a[i].to_array());
            });
        }
    }
}

/// `N` lanes from `first` on.
#[inline(always)]
fn part<const N: usize>(lanes: &[u64; 8], first: usize) -> [u64; N] {
    let mut part = [0; N];
    for lane in 0..N {
        part[lane] = lanes[first + lane];
    }
    part
}
