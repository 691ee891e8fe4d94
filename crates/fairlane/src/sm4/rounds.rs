//! SM4's rounds (GB/T 32907-2016, section 6) on inner bytes (see `sbox`), for two layouts of blocks in words.
//!
//! *Word-sliced*: word `w` of four holds word `w` of each of `N / 4` blocks, in a group of four bytes. A round is three
//! inversions, three rotations and five sums. *Byte-sliced*: word `4 w + b` of sixteen holds byte `b` of word `w` of
//! each of `N` blocks. A round of four times as many blocks is eight inversions and 18 sums, without a
//! shuffle.
//!
//! Cycles on an Emerald Rapids Xeon (median; the clock from a chain of dependent additions around each sample).
//! Inversions have one port in 512 bits, and shuffles another; the result of an inversion is available to a sum after
//! five cycles.
//!
//! | | bound | measured |
//! | --- | --- | --- |
//! | 1 to 4 blocks, word-sliced, 128 bits of AVX-512: 32 rounds of 8 cycles one after the other | 256 | 348 |
//! | 16 blocks, word-sliced, 512 bits | 256 | 404 |
//! | 64 blocks, word-sliced, 512 bits: 38 operations a round on two ports, and 64 around them | 640 | 741 |
//! | 64 blocks, byte-sliced, 512 bits: 26 operations a round, and 128 shuffles around them | 544 | 776 |
//! | 32 blocks, byte-sliced, 256 bits, GFNI without AVX-512 | | 702 |
//! | 64 blocks, byte-sliced, 256 bits, AES-NI | | 2710 |
//!
//! In 512 bits byte slices gain nothing: the latency of 64 blocks is not hidden (all inversions of a round come before
//! its end), and the states of 128 blocks leave no registers (1566 cycles). Without AVX-512 they take a third less than
//! word slices. With rotations, which share the inversions' port, in place of 16 shuffles a round, 64 word-sliced
//! blocks took 940 cycles.

use super::sbox::{self, AFTER, BEFORE, FAR, IN, KEY, KEY_AFTER, MIDDLE, NEAR, OUT};
use fairlane_lanes::U8xN;

/// Round keys in inner bytes, the first byte least significant. They include the constant before each inversion.
pub(super) type Keys = [u32; 32];

/// FK, section 7.3.
pub(super) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// CK, section 7.3: byte `j` of word `i` is 7 (4 i + j).
pub(super) const CK: [u32; 32] = {
    let (mut words, mut i) = ([0; 32], 0);
    while i < 128 {
        words[i / 4] = words[i / 4] << 8 | (7 * i as u32) & 0xff;
        i += 1;
    }
    words
};

/// To inner bytes.
#[inline(always)]
pub(super) fn to_inner<W: U8xN<N>, const N: usize>(x: W) -> W {
    x.affine::<IN, 0>()
}

/// From inner bytes.
#[inline(always)]
pub(super) fn from_inner<W: U8xN<N>, const N: usize>(x: W) -> W {
    x.affine::<OUT, 0>()
}

/// Four words whose sum is L of the S-boxes of `t`.
#[inline(always)]
fn t_terms<W: U8xN<N>, const N: usize>(t: W) -> [W; 4] {
    let near = t.inverse_affine::<NEAR, AFTER>();
    let middle = t.inverse_affine::<MIDDLE, 0>();
    let far = t.inverse_affine::<FAR, 0>();
    [near, middle.rotate_bytes::<1>(), middle.rotate_bytes::<2>(), far.rotate_bytes::<3>()]
}

/// Encrypts `G` groups of word-sliced blocks; decrypts them with the keys in reverse order.
///
/// `key` returns the round key of a round and a group, the same for all blocks or one for each.
#[inline(always)]
pub(super) fn word_sliced<W: U8xN<N>, const N: usize, const G: usize>(
    key: impl Fn(usize, usize) -> W,
    x: &mut [[W; 4]; G],
) {
    macro_rules! round {
        ($i:ident, $t:ident, $($r:literal: $a:literal $b:literal $c:literal $d:literal),*) => {$(
            for g in 0..G {
                // The next round's input is made beside this round's output, which shortens the chain of dependent
                // operations.
                let rest = x[g][$c].xor3(x[g][$d], key((4 * $i + $r + 1) % 32, g));
                let [a, b, c, d] = t_terms($t[g]);
                let sum = x[g][$a].xor(a).xor3(b, c);
                x[g][$a] = sum.xor(d);
                $t[g] = sum.xor3(d, rest);
            }
        )*};
    }
    macro_rules! two_rounds {
        ($i:ident, $($r:literal: $a:literal $b:literal $c:literal $d:literal),*) => {$(
            for g in 0..G {
                // What two rounds have in common.
                let both = x[g][$c].xor(x[g][$d]);
                let [a, b, c, d] = t_terms(x[g][$b].xor3(both, key(4 * $i + $r, g)));
                x[g][$a] = x[g][$a].xor3(a, b).xor3(c, d);
                let [a, b, c, d] = t_terms(both.xor3(x[g][$a], key(4 * $i + $r + 1, g)));
                x[g][$b] = x[g][$b].xor3(a, b).xor3(c, d);
            }
        )*};
    }
    if G <= 2 {
        let mut t = [x[0][0]; G];
        for g in 0..G {
            t[g] = x[g][1].xor3(x[g][2], key(0, g)).xor(x[g][3]);
        }
        for i in 0..8 {
            round!(i, t, 0: 0 1 2 3, 1: 1 2 3 0, 2: 2 3 0 1, 3: 3 0 1 2);
        }
    } else {
        for i in 0..8 {
            two_rounds!(i, 0: 0 1 2 3, 2: 2 3 0 1);
        }
    }
    for g in 0..G {
        x[g].reverse();
    }
}

/// Round keys for byte slices: each byte four times.
///
/// They are aligned for what the kernel keeps beside them on the stack: with less, half of the words that registers do
/// not hold lie in two cache lines, depending on the stack's depth, and the kernel took up to 1.6 times as long.
#[repr(align(64))]
pub(super) struct ByteSlicedKeys([[u8; 16]; 32]);

impl ByteSlicedKeys {
    pub(super) const EMPTY: Self = Self([[0; 16]; 32]);

    /// Sets the keys in place: a copy could not be erased.
    #[inline(always)]
    pub(super) fn fill<W: U8xN<16>>(&mut self, token: W::Token, key: impl Fn(usize) -> u32) {
        for r in 0..32 {
            W::splat_u32(token, key(r)).broadcast_bytes::<0>().store(&mut self.0[r]);
        }
    }

    #[inline(always)]
    pub(super) fn erase(&mut self) {
        self.0 = [[0; 16]; 32];
        zeroize::optimization_barrier(self);
    }

    /// Byte `j` of key `r`, four times.
    #[inline(always)]
    fn word(&self, r: usize, j: usize) -> u32 {
        let (words, _) = self.0[r].as_chunks();
        u32::from_ne_bytes(words[j])
    }
}

/// Encrypts `N` byte-sliced blocks; decrypts them with the keys in reverse order.
#[inline(always)]
pub(super) fn byte_sliced<W: U8xN<N>, const N: usize>(token: W::Token, keys: &ByteSlicedKeys, x: &mut [W; 16]) {
    for i in 0..8 {
        macro_rules! s_box {
            ($r:literal $j:literal: $b:literal $c:literal $d:literal) => {{
                let t = x[4 * $b + $j]
                    .xor3(x[4 * $c + $j], W::splat_u32(token, keys.word(4 * i + $r, $j)))
                    .xor(x[4 * $d + $j]);
                (t.inverse_affine::<NEAR, AFTER>(), t.inverse_affine::<FAR, 0>())
            }};
        }
        macro_rules! rounds {
            ($($r:literal: $a:literal $b:literal $c:literal $d:literal),*) => {$(
                let (near0, far0) = s_box!($r 0: $b $c $d);
                let (near1, far1) = s_box!($r 1: $b $c $d);
                let (near2, far2) = s_box!($r 2: $b $c $d);
                let (near3, far3) = s_box!($r 3: $b $c $d);
                let (p0, p1, p2, p3) = (far0.xor(near3), far1.xor(near0), far2.xor(near1), far3.xor(near2));
                let sum = p0.xor3(p1, p2).xor(p3);
                x[4 * $a] = x[4 * $a].xor3(p0, sum);
                x[4 * $a + 1] = x[4 * $a + 1].xor3(p1, sum);
                x[4 * $a + 2] = x[4 * $a + 2].xor3(p2, sum);
                x[4 * $a + 3] = x[4 * $a + 3].xor3(p3, sum);
            )*};
        }
        rounds!(0: 0 1 2 3, 1: 1 2 3 0, 2: 2 3 0 1, 3: 3 0 1 2);
    }
    let y = *x;
    *x = [y[12], y[13], y[14], y[15], y[8], y[9], y[10], y[11], y[4], y[5], y[6], y[7], y[0], y[1], y[2], y[3]];
}

/// The key schedule (section 7.3) of `N / 4` word-sliced keys; `store` takes each round key.
#[inline(always)]
pub(super) fn schedule<W: U8xN<N>, const N: usize>(token: W::Token, key: [W; 4], mut store: impl FnMut(usize, W)) {
    let mut k = key;
    for i in 0..4 {
        k[i] = to_inner(k[i].xor(W::splat_u32(token, FK[i].swap_bytes())));
    }
    let before = W::splat_u32(token, u32::from_ne_bytes([BEFORE; 4]));
    for i in 0..8 {
        macro_rules! rounds {
            ($($r:literal: $a:literal $b:literal $c:literal $d:literal),*) => {$(
                let ck = W::splat_u32(token, const { inner(CK) }[4 * i + $r]);
                let t = k[$b].xor3(k[$c], ck).xor(k[$d]);
                let own = k[$a].xor(t.inverse_affine::<{ KEY[0] }, KEY_AFTER>());
                let first = t.inverse_affine::<{ KEY[1] }, 0>().rotate_bytes::<1>();
                let second = t.inverse_affine::<{ KEY[2] }, 0>().rotate_bytes::<2>();
                let third = t.inverse_affine::<{ KEY[3] }, 0>().rotate_bytes::<3>();
                k[$a] = own.xor3(first, second).xor(third);
                store(4 * i + $r, k[$a].xor(before));
            )*};
        }
        rounds!(0: 0 1 2 3, 1: 1 2 3 0, 2: 2 3 0 1, 3: 3 0 1 2);
    }
}

/// Words in inner bytes, the first byte least significant, with the constant before each inversion added.
const fn inner(words: [u32; 32]) -> [u32; 32] {
    let (mut words, mut i) = (words, 0);
    while i < 32 {
        let (mut bytes, mut j) = (words[i].to_be_bytes(), 0);
        while j < 4 {
            bytes[j] = sbox::inner(bytes[j]) ^ BEFORE;
            j += 1;
        }
        words[i] = u32::from_le_bytes(bytes);
        i += 1;
    }
    words
}
