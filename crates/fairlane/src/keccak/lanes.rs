//! Eight states side by side, each with work of its own: some begin, some take a block, and some give one.

use super::kernels::Keccak;
use super::permutation::{State, permute};
use core::marker::PhantomData;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::U64x2Sha3;
use fairlane_lanes::{AnyToken, KeccakWord, Kernel, Scalar, Token, U64x1};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{Avx2, U64x4, U64x4Vl, U64x8};

/// Eight states: word `i` of state `j` at `[i][j]`.
pub(crate) type States = State<[u64; 8]>;

/// The first 168 bytes of each state, with room for 24 more.
pub(crate) type Rows = [[u8; 192]; 8];

/// Bytes of a block of SHA3-256 and SHAKE256.
pub(crate) const BLOCK: usize = 136;
/// Bytes of a block of SHAKE128, the longest here.
const WIDEST: usize = 168;

/// What a state takes before a permutation.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a> {
    /// Nothing, and it goes on.
    None,
    /// It begins with a seed and what follows it, the padding's first bit among that; the last bit goes to the end of a block of
    /// SHAKE128 or of SHAKE256.
    Short { seed: &'a [u8; 32], rest: u32, shake_128: bool },
    /// It takes a block, and begins with it if it is the first one.
    Block { block: &'a [u8; BLOCK], first: bool },
}

impl Input<'_> {
    fn begins(&self) -> bool {
        matches!(self, Self::Short { .. } | Self::Block { first: true, .. })
    }
}

impl Keccak {
    /// Whether eight states cost less than twice four.
    pub(crate) fn is_wide(self) -> bool {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        return matches!(self.0, AnyToken::Avx512(_));
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
        false
    }

    /// Keccak-f\[1600\] of the states whose bits are set in `active`, and perhaps of others, which are then of no meaning; each takes
    /// its input before. Gives their first bytes, if there are rows.
    pub(crate) fn step(self, states: &mut States, active: u8, inputs: &[Input<'_>; 8], mut rows: Option<&mut Rows>) {
        macro_rules! run {
            ($token:expr, $word:ty, $n:literal, $first:expr) => {{
                let (first, rows) = ($first, rows.as_deref_mut());
                $token.run(Step::<$word, $n> { states, first, inputs, rows, word: PhantomData })
            }};
        }
        match self.0 {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) if active > 15 => run!(token, U64x8, 8, 0),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => run!(token, U64x4Vl, 4, 0),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
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
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
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
}

/// The states from one on, as many as a word has lanes.
struct Step<'a, W, const N: usize> {
    states: &'a mut States,
    first: usize,
    inputs: &'a [Input<'a>; 8],
    rows: Option<&'a mut Rows>,
    word: PhantomData<W>,
}

/// All ones in one lane.
static LANE: [[u64; 8]; 8] = {
    let (mut masks, mut lane) = ([[0; 8]; 8], 0);
    while lane < 8 {
        masks[lane][lane] = u64::MAX;
        lane += 1;
    }
    masks
};

impl<W: KeccakWord<N>, const N: usize> Kernel<W::Token> for Step<'_, W, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { states, first, inputs, rows, .. } = self;
        // Not from zeros, which LLVM would make a call of memset.
        let mut a = [W::from_array(token, part(&states[0], first)); 25];
        for i in 1..25 {
            a[i] = W::from_array(token, part(&states[i], first));
        }
        let mut begins = false;
        let mut keep = W::splat(token, u64::MAX);
        for lane in 0..N {
            if inputs[(first + lane) & 7].begins() {
                begins = true;
                keep = keep.and(W::from_array(token, part(&LANE[lane], 0)).not());
            }
        }
        if begins {
            for i in 0..25 {
                a[i] = a[i].and(keep);
            }
        }
        for lane in 0..N {
            let mask = W::from_array(token, part(&LANE[lane], 0));
            let input = &inputs[(first + lane) & 7];
            // A word in every lane, masked: written to memory a lane at a time, it would have to be waited for.
            match input {
                Input::None => {}
                Input::Short { seed, rest, shake_128 } => {
                    let (words, _) = seed.as_chunks::<8>();
                    for i in 0..4 {
                        a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(words[i])).and(mask));
                    }
                    a[4] = a[4].xor(W::splat(token, u64::from(*rest)).and(mask));
                    let last = W::splat(token, 1 << 63).and(mask);
                    let [at_128, at_256] = if *shake_128 { [last, last.xor(last)] } else { [last.xor(last), last] };
                    a[WIDEST / 8 - 1] = a[WIDEST / 8 - 1].xor(at_128);
                    a[BLOCK / 8 - 1] = a[BLOCK / 8 - 1].xor(at_256);
                }
                Input::Block { block, .. } => {
                    let (words, _) = block.as_chunks::<8>();
                    for i in 0..BLOCK / 8 {
                        a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(words[i])).and(mask));
                    }
                }
            }
        }
        permute::<W, N, 24>(token, &mut a);
        for i in 0..25 {
            let lanes = a[i].to_array();
            for lane in 0..N {
                states[i][first + lane] = lanes[lane];
            }
        }
        let Some(rows) = rows else { return };
        squares!(N, WIDEST / 8, from, count => {
            let mut square = [a[from]; N];
            for i in 1..count {
                square[i] = a[from + i];
            }
            let words = W::transpose(square);
            for lane in 0..N {
                words[lane].store(&mut rows[(first + lane) & 7][8 * from..][..8 * count]);
            }
        });
    }
}

/// `N` lanes from one on.
#[inline(always)]
fn part<const N: usize>(lanes: &[u64; 8], first: usize) -> [u64; N] {
    let mut part = [0; N];
    for lane in 0..N {
        part[lane] = lanes[first + lane];
    }
    part
}
