//! Threefish's rounds (Skein 1.3, section 3.3), written once over words of lanes and over the number of words of a
//! block.
//!
//! Threefish-512 in operations of a word: 72 rounds of 4 MIXes, each an addition, a rotation and an exclusive or, are
//! 864; 19 subkeys of 8 words, of which three have the tweak or the subkey's number added, are at most 209. That makes
//! 1073; with AVX2, where a rotation is three operations or one shuffle, 1577. Transpositions add 24 shuffles each way
//! for eight blocks, 16 for four.
//!
//! Cycles on a shared Emerald Rapids Xeon (median of 400 samples; the clock from a chain of dependent additions around
//! each). The bound is operations over ports: 5 for integers, 3 for 256 bits, 2 for 512.
//!
//! | | bound | encryption | decryption |
//! | --- | --- | --- | --- |
//! | one block, integers | 215 | 300 | 347 |
//! | four blocks, AVX2 | 536 | 612 | 693 |
//! | four blocks, AVX-512 in 256 bits | 368 | 418 | |
//! | eight blocks, AVX-512 | 560 | 663 | 679 |
//! | eight blocks of keystream, AVX-512 | 549 | 585 | |
//!
//! Encryption has two dependent operations a round, decryption three: 163 and 235 cycles for one block, so that its
//! four MIXes are enough to do side by side. Eight blocks wait for shuffles, all on one port, where one group ends and
//! the next begins; a keystream needs no transposition of its input.
//!
//! Key set-up computes the parity word alone: with the choice of a backend and the erasure at the end, 12 cycles. With
//! all subkeys in a table (1.2 KB) one block took 280 cycles instead of 300, and the table has to be made first.
//!
//! The four MIXes' additions first, then their rotations, then their exclusive ors: 1 to 3 % slower on a Zen 4, in
//! integers and in 512 bits.
//!
//! In assembly, with the key's words as operands in memory, `k + t` in a register of its own and no other move, one
//! block of Threefish-512 is encrypted in 0.92 of the time on a Zen 4 (76.4 ns; LLVM's code 83). Putting the key behind
//! a `black_box` for each subkey, so that LLVM reads it anew, saves a quarter of its moves, but takes 2 to 3 % longer.
//!
//! With an operation of `U64x1` that is `add` of a word in memory, in inline assembly, and with the tweak's sum added
//! by another, so that LLVM does not reorder the sums, encryption takes 0.98 of the time with Threefish-512 and 0.89 to
//! 0.93 with 256, decryption 0.99 and 0.93. But 1024 takes 1.04, so that the sums would need two forms.
//!
//! A loop over eight rounds, with the key's words repeated so that every subkey is a window of them, is a ninth of the
//! code, but on an EPYC without AVX-512 one block took 1.4 to 1.5 times as long to encrypt, four lanes 1.02 to 1.05
//! times.

use fairlane_lanes::U64xN;

/// The constant of the key schedule, C240.
const C240: u64 = 0x1bd1_1bda_a9fc_1a22;

/// The rotation constants of table 4, by round modulo 8 and by MIX, for four, eight and sixteen words.
const ROTATIONS_4: [[u32; 8]; 8] =
    wide([[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]]);
const ROTATIONS_8: [[u32; 8]; 8] = wide([
    [46, 36, 19, 37],
    [33, 27, 14, 42],
    [17, 49, 36, 39],
    [44, 9, 54, 56],
    [39, 30, 34, 24],
    [13, 50, 10, 17],
    [25, 29, 39, 43],
    [8, 35, 56, 22],
]);
const ROTATIONS_16: [[u32; 8]; 8] = [
    [24, 13, 8, 47, 8, 17, 22, 37],
    [38, 19, 10, 55, 49, 18, 23, 52],
    [33, 4, 51, 13, 34, 41, 59, 17],
    [5, 20, 48, 41, 47, 28, 16, 25],
    [41, 9, 37, 31, 12, 47, 44, 30],
    [16, 34, 56, 51, 4, 53, 42, 41],
    [31, 44, 47, 46, 19, 42, 44, 25],
    [9, 48, 35, 52, 23, 31, 37, 20],
];

/// Pads rows to the length of the longest: the code for MIXes that a block does not have must compile, too.
const fn wide<const MIXES: usize>(rows: [[u32; MIXES]; 8]) -> [[u32; 8]; 8] {
    let mut all = [[1; 8]; 8];
    let mut i = 0;
    while i < 8 * MIXES {
        all[i / MIXES][i % MIXES] = rows[i / MIXES][i % MIXES];
        i += 1;
    }
    all
}

/// The permutation of table 3: word `i` comes from word `permutation(WORDS)[i]`.
const fn permutation(words: usize) -> &'static [usize] {
    match words {
        4 => &[0, 3, 2, 1],
        8 => &[2, 1, 4, 7, 6, 5, 0, 3],
        16 => &[0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1],
        _ => panic!("Threefish has blocks of 4, 8 or 16 words"),
    }
}

/// The number of rounds, table 2.
const fn rounds(words: usize) -> usize {
    if words == 16 { 80 } else { 72 }
}

/// A key with its parity word, k<sub>0</sub> to k<sub>Nw</sub> of section 3.3.2.
#[derive(Clone)]
pub(super) struct Key<const WORDS: usize> {
    /// Word `i` is at index `5 * i`, so that neighbours of eight and sixteen are not adjacent: otherwise LLVM adds them
    /// in pairs as vectors for one block, which makes Threefish-1024 slower by half.
    words: [u64; WORDS],
    parity: u64,
}

impl<const WORDS: usize> Key<WORDS> {
    /// An erased key.
    pub(super) const ZERO: Self = Self { words: [0; WORDS], parity: 0 };

    #[inline]
    pub(super) fn new(bytes: &[u8]) -> Self {
        let in_order: [u64; WORDS] = words(bytes);
        let (mut words, mut parity) = ([0; WORDS], C240);
        for i in 0..WORDS {
            words[5 * i % WORDS] = in_order[i];
            parity ^= in_order[i];
        }
        Self { words, parity }
    }

    /// k<sub>i mod (Nw + 1)</sub>
    #[inline(always)]
    fn word(&self, i: usize) -> u64 {
        let i = i % (WORDS + 1);
        if i == WORDS { self.parity } else { self.words[5 * i % WORDS] }
    }
}

/// A tweak with its parity word, t<sub>0</sub> to t<sub>2</sub>.
#[derive(Clone, Copy)]
pub(super) struct Tweak([u64; 3]);

impl Tweak {
    pub(super) const ZERO: Self = Self([0; 3]);

    #[inline]
    pub(super) fn new(bytes: &[u8; 16]) -> Self {
        let [a, b] = words(bytes);
        Self([a, b, a ^ b])
    }
}

/// `BytesToWords`, section 3.2.
#[inline(always)]
pub(super) fn words<const WORDS: usize>(bytes: &[u8]) -> [u64; WORDS] {
    let (bytes, _) = bytes.as_chunks();
    let mut words = [0; WORDS];
    for i in 0..WORDS {
        words[i] = u64::from_le_bytes(bytes[i]);
    }
    words
}

/// Adds subkey `s` to a block, or subtracts it, by `to`: word `i` is k<sub>s + i</sub>, and the last three have the
/// tweak and `s`.
#[inline(always)]
fn subkey<W: U64xN<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
    key: &Key<WORDS>,
    tweak: &Tweak,
    s: usize,
    v: &mut [W; WORDS],
    to: impl Fn(W, W) -> W,
) {
    for i in 0..WORDS {
        v[i] = to(v[i], W::splat(token, key.word(s + i)));
    }
    v[WORDS - 3] = to(v[WORDS - 3], W::splat(token, tweak.0[s % 3]));
    v[WORDS - 2] = to(v[WORDS - 2], W::splat(token, tweak.0[(s + 1) % 3]));
    v[WORDS - 1] = to(v[WORDS - 1], W::splat(token, s as u64));
}

/// A rotation by a constant of the tables.
macro_rules! rotated {
    ($x:expr, $words:ident, $d:literal, $j:literal, $amount:ident => $k:expr) => {
        match $words {
            4 => $x.rotl::<{
                let $amount = ROTATIONS_4[$d][$j];
                $k
            }>(),
            8 => $x.rotl::<{
                let $amount = ROTATIONS_8[$d][$j];
                $k
            }>(),
            _ => $x.rotl::<{
                let $amount = ROTATIONS_16[$d][$j];
                $k
            }>(),
        }
    };
}

/// Encrypts a block in each lane.
#[inline(always)]
pub(super) fn encrypt<W: U64xN<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
    key: &Key<WORDS>,
    tweak: &Tweak,
    v: &mut [W; WORDS],
) {
    macro_rules! mix {
        ($d:literal: $($j:literal)*) => {$(
            if 2 * $j < WORDS {
                let sum = v[2 * $j].add(v[2 * $j + 1]);
                v[2 * $j + 1] = rotated!(v[2 * $j + 1], WORDS, $d, $j, r => r).xor(sum);
                v[2 * $j] = sum;
            }
        )*};
    }
    macro_rules! rounds {
        ($($d:literal)*) => {$(
            mix!($d: 0 1 2 3 4 5 6 7);
            let f = *v;
            for i in 0..WORDS {
                v[i] = f[const { permutation(WORDS) }[i]];
            }
        )*};
    }
    // All rounds are unrolled, so that the words of every subkey are at constant indices.
    macro_rules! eight {
        ($($eight:literal)*) => {$(
            if 8 * $eight < const { rounds(WORDS) } {
                subkey::<W, N, WORDS>(token, key, tweak, 2 * $eight, v, W::add);
                rounds!(0 1 2 3);
                subkey::<W, N, WORDS>(token, key, tweak, 2 * $eight + 1, v, W::add);
                rounds!(4 5 6 7);
            }
        )*};
    }
    eight!(0 1 2 3 4 5 6 7 8 9);
    subkey::<W, N, WORDS>(token, key, tweak, const { rounds(WORDS) / 4 }, v, W::add);
}

/// Decrypts a block in each lane.
#[inline(always)]
pub(super) fn decrypt<W: U64xN<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
    key: &Key<WORDS>,
    tweak: &Tweak,
    v: &mut [W; WORDS],
) {
    macro_rules! unmix {
        ($d:literal: $($j:literal)*) => {$(
            if 2 * $j < WORDS {
                let mixed = v[2 * $j + 1].xor(v[2 * $j]);
                v[2 * $j + 1] = rotated!(mixed, WORDS, $d, $j, r => 64 - r);
                v[2 * $j] = v[2 * $j].sub(v[2 * $j + 1]);
            }
        )*};
    }
    macro_rules! rounds {
        ($($d:literal)*) => {$(
            let f = *v;
            for i in 0..WORDS {
                v[const { permutation(WORDS) }[i]] = f[i];
            }
            unmix!($d: 0 1 2 3 4 5 6 7);
        )*};
    }
    macro_rules! eight {
        ($($eight:literal)*) => {$(
            if 8 * $eight < const { rounds(WORDS) } {
                rounds!(7 6 5 4);
                subkey::<W, N, WORDS>(token, key, tweak, 2 * $eight + 1, v, W::sub);
                rounds!(3 2 1 0);
                subkey::<W, N, WORDS>(token, key, tweak, 2 * $eight, v, W::sub);
            }
        )*};
    }
    subkey::<W, N, WORDS>(token, key, tweak, const { rounds(WORDS) / 4 }, v, W::sub);
    eight!(9 8 7 6 5 4 3 2 1 0);
}
