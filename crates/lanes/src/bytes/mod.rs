//! Words of bytes: blocks of 16 bytes in memory order, and bytes as elements of AES's field GF(2<sup>8</sup>).
//!
//! | file | content |
//! | --- | --- |
//! | `affine` | matrices over GF(2) and their tables |
//! | `orders` | byte shuffles |
//! | `rows` | look-ups, and transposition of columns into rows |
//! | `scalar` | one block in integers |
//! | `table` | tables for look-ups |
//!
//! The vector words are in the modules of the architectures.

#[allow(dead_code, reason = "only vector words use it")]
pub(crate) mod affine;
#[allow(dead_code, reason = "only vector words use it")]
pub(crate) mod orders;
mod rows;
mod scalar;
mod table;
#[cfg(test)]
mod tests;

pub use rows::RowsN;
pub use scalar::U8x16Scalar;
pub use table::{Inversion, Table};

#[allow(unused_imports, reason = "only words of AVX2 use it")]
pub(crate) use table::SMALL_TABLES;

use crate::token::Token;

/// `N / 16` blocks of 16 bytes, as modes of a block cipher see them.
///
/// A value exists only if its token did, so every method is safe.
pub trait BlocksN<const N: usize>: Copy {
    /// The proof that the word's instructions may run.
    type Token: Token;

    /// The same block everywhere.
    fn splat_block(token: Self::Token, block: [u8; 16]) -> Self;
    /// The blocks in `bytes`; the remaining blocks are zero.
    ///
    /// # Panics
    /// If `bytes` is longer than `N`, or not a multiple of 16.
    fn load(token: Self::Token, bytes: &[u8]) -> Self;
    /// The converse of [`load`](Self::load): as many blocks as `bytes` has room for.
    ///
    /// # Panics
    /// If `bytes` is longer than `N`, or not a multiple of 16.
    fn store(self, bytes: &mut [u8]);
    /// `self ^ b`
    fn xor(self, b: Self) -> Self;
    /// `self ^ b ^ c`
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.xor(b).xor(c)
    }
    /// Block `i` holds the big-endian number `first + from + i`, of which the last 32 bits count modulo 2<sup>32</sup>.
    fn counters(token: Self::Token, first: [u8; 16], from: u32) -> Self;
    /// Block `i` multiplied by x<sup>K</sup> modulo x<sup>128</sup> + x<sup>7</sup> + x<sup>2</sup> + x + 1, for
    /// `0 < K <= 32`: bit `j` of byte `i` is the coefficient of x<sup>8 i + j</sup> (XTS, IEEE 1619).
    fn mul_x<const K: u32>(self) -> Self;
    /// The bits of each byte in reverse order.
    fn reverse_bits(self) -> Self;
}

/// `N` bytes with operations for S-boxes over GF(2<sup>8</sup>) and byte-wise linear layers.
///
/// A byte is an element of AES's field, GF(2)\[x\] modulo x<sup>8</sup> + x<sup>4</sup> + x<sup>3</sup> + x + 1. A
/// matrix is as in `gf2p8affineqb`: bit `i` of the product is the parity of byte `7 - i` of the matrix and the
/// element.
pub trait U8xN<const N: usize>: BlocksN<N> {
    /// The same four bytes in every group of four, the least significant first.
    fn splat_u32(token: Self::Token, bytes: u32) -> Self;
    /// Group `j` of four bytes of block `i` holds the big-endian number `first + j * N / 16 + i`, modulo
    /// 2<sup>32</sup>: the last four bytes of counters, as [`transpose4`](Self::transpose4) would gather them.
    fn counter_column(token: Self::Token, first: u32) -> Self;
    /// `M x + C`, `0 <= C < 256`.
    fn affine<const M: u64, const C: i32>(self) -> Self;
    /// `M x⁻¹ + C`, where 0 is its own inverse.
    fn inverse_affine<const M: u64, const C: i32>(self) -> Self;
    /// Every group of four bytes rotated: byte `i` takes byte `(i + K) % 4`, `0 < K < 4`.
    fn rotate_bytes<const K: usize>(self) -> Self;
    /// In every block byte `i` takes byte `4 * K + i / 4`, `K < 4`.
    fn broadcast_bytes<const K: usize>(self) -> Self;
    /// In every block: group `i` of four bytes of word `j` becomes group `j` of word `i`.
    fn transpose4(words: [Self; 4]) -> [Self; 4];
    /// In every block: the bytes of both lower halves interleaved, that of `self` first; and those of the upper halves.
    fn interleave(self, b: Self) -> [Self; 2];
    /// In every block: byte `i` of word `j` becomes byte `j` of word `i`.
    #[inline(always)]
    fn transpose16(words: [Self; 16]) -> [Self; 16] {
        // A byte's place is a number of eight bits: four for the word, four for the byte in its block. Each of four
        // steps rotates this number by one bit.
        turn_place(turn_place(turn_place(turn_place(words))))
    }
}

/// A step of [`U8xN::transpose16`]. It is written without a loop, because with one LLVM keeps the words in memory.
#[inline(always)]
fn turn_place<W: U8xN<N>, const N: usize>(w: [W; 16]) -> [W; 16] {
    let ([a, b], [c, d]) = (w[0].interleave(w[8]), w[1].interleave(w[9]));
    let ([e, f], [g, h]) = (w[2].interleave(w[10]), w[3].interleave(w[11]));
    let ([i, j], [k, l]) = (w[4].interleave(w[12]), w[5].interleave(w[13]));
    let ([m, n], [o, p]) = (w[6].interleave(w[14]), w[7].interleave(w[15]));
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
}
