//! Eight states side by side, each with its own input, for the sampling and hashing of the KEMs: with one permutation,
//! some begin with a seed, some absorb a block, and others are squeezed.

use super::kernels::Keccak;
use super::parameters::RATE_256;
use super::permutation::{ROUNDS_24, State, permute};
use core::marker::PhantomData;
use fairlane_lanes::{
    AnyToken, Avx2, KeccakWord, Kernel, Scalar, Token, U64x1, U64x2Sha3, U64x4, U64x4Vl, U64x4Zen, U64x8, U64x8Zen,
    is_zen,
};

/// Eight states: word `i` of state `j` at `[i][j]`.
pub(crate) type EightStates = State<[u64; 8]>;

/// The first 168 bytes of each state, with room for 24 more.
pub(crate) type FirstBytes = [[u8; 192]; 8];

/// The rate of SHAKE128 in bytes, the largest here.
const RATE_128: usize = 168;

/// What is added to a state before a permutation.
#[derive(Clone, Copy)]
pub(crate) enum StateInput<'a> {
    /// Nothing: the state is squeezed or idle.
    None,
    /// The state begins, with a whole short message: a seed and `rest`, the bytes that follow it and the first bit of
    /// the padding. The last bit of the padding goes to the end of a block of SHAKE128 or of SHAKE256.
    Short { seed: &'a [u8; 32], rest: u32, shake_128: bool },
    /// A block; the state begins with it if it is the first one.
    Block { block: &'a [u8; RATE_256], first: bool },
}

impl StateInput<'_> {
    fn begins(&self) -> bool {
        matches!(self, Self::Short { .. } | Self::Block { first: true, .. })
    }
}

impl Keccak {
    /// Whether eight states cost less than twice four.
    pub(crate) fn is_wide(self) -> bool {
        matches!(self.0, AnyToken::Avx512(_))
    }

    /// Adds each input to its state, and Keccak-f\[1600\] of the states whose bits are set in `active`; other states
    /// may change to anything. Copies the first bytes of the states, if `bytes` is given.
    pub(crate) fn permute_eight(
        self,
        states: &mut EightStates,
        active: u8,
        inputs: &[StateInput<'_>; 8],
        mut bytes: Option<&mut FirstBytes>,
    ) {
        macro_rules! run {
            ($token:expr, $word:ty, $n:literal, $first:expr) => {{
                let (first, bytes) = ($first, bytes.as_deref_mut());
                $token.run(PermuteSome::<$word, $n> { states, first, inputs, bytes, word: PhantomData })
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
}

/// The states from `first` on, as many as a word has lanes.
struct PermuteSome<'a, W, const N: usize> {
    states: &'a mut EightStates,
    first: usize,
    inputs: &'a [StateInput<'a>; 8],
    bytes: Option<&'a mut FirstBytes>,
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

impl<W: KeccakWord<N>, const N: usize> Kernel<W::Token> for PermuteSome<'_, W, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { states, first, inputs, bytes, .. } = self;
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
            // The same word in every lane, masked: a vector load would have to wait for single lanes stored to memory.
            match input {
                StateInput::None => {}
                StateInput::Short { seed, rest, shake_128 } => {
                    let (words, _) = seed.as_chunks::<8>();
                    for i in 0..4 {
                        a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(words[i])).and(mask));
                    }
                    a[4] = a[4].xor(W::splat(token, u64::from(*rest)).and(mask));
                    let last = W::splat(token, 1 << 63).and(mask);
                    let [at_128, at_256] = if *shake_128 { [last, last.xor(last)] } else { [last.xor(last), last] };
                    a[RATE_128 / 8 - 1] = a[RATE_128 / 8 - 1].xor(at_128);
                    a[RATE_256 / 8 - 1] = a[RATE_256 / 8 - 1].xor(at_256);
                }
                StateInput::Block { block, .. } => {
                    let (words, _) = block.as_chunks::<8>();
                    for i in 0..RATE_256 / 8 {
                        a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(words[i])).and(mask));
                    }
                }
            }
        }
        permute::<W, N>(token, &mut a, ROUNDS_24);
        for i in 0..25 {
            let lanes = a[i].to_array();
            for lane in 0..N {
                states[i][first + lane] = lanes[lane];
            }
        }
        let Some(bytes) = bytes else { return };
        for_each_tile!(N, RATE_128 / 8, from, count => {
            let mut tile = [a[from]; N];
            for i in 1..count {
                tile[i] = a[from + i];
            }
            let words = W::transpose(tile);
            for lane in 0..N {
                words[lane].store(&mut bytes[(first + lane) & 7][8 * from..][..8 * count]);
            }
        });
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
