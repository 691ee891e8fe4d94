//! Modes of operation, each written once over any block cipher whose kernels can process a [`Mode`].
//!
//! | file | content |
//! | --- | --- |
//! | `block_cipher` | the traits of crate `cipher` for the types of block ciphers |
//! | `ecb`, `cbc`, `cfb`, `ctr`, `xts` | the modes |
//!
//! What the standards define differently is left to the ciphers: the order and the start of counters (`sm4/ctr.rs`,
//! `kalyna/lookahead.rs`), the field of XTS's tweaks (`sm4/xts.rs`, `kalyna/lookahead.rs`), and which messages are
//! taken.
//!
//! The functions here are generic, so they are compiled where they are called with a concrete cipher: only in
//! non-generic functions of this crate, marked `#[inline(never)]`, so that no user of the crate compiles a kernel
//! again.

pub(crate) mod block_cipher;
pub(crate) mod cbc;
pub(crate) mod cfb;
pub(crate) mod ctr;
pub(crate) mod ecb;
#[cfg(all(feature = "symbolic", any(feature = "kalyna", feature = "sm4")))]
pub(crate) mod symbolic;
pub(crate) mod xts;

use cipher::array::ArraySize;
use cipher::{Array, Block, BlockSizeUser};
use fairlane_lanes::{BlocksN, U8xN};

/// What a mode of operation gives to the cipher, and what it does with the cipher's output.
///
/// Kernels process a batch of blocks at a time: they load all words of the batch in ascending order, store them in
/// descending order, and then advance. Offsets and lengths are in bytes; `len` is the length of the batch, whole
/// blocks.
pub(crate) trait Mode {
    /// Bytes of the blocks that are not processed yet. A part of a block at the end counts as a whole one.
    fn remaining(&self) -> usize;

    /// The cipher's input at `from` of the remaining blocks: a word, or what the first `len` bytes have of it.
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W;

    /// Takes the cipher's output for the same bytes.
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W);

    /// Skips the first `len` bytes.
    fn advance(&mut self, len: usize);

    /// Four words of input from `from` on, word-sliced by [`transposed`].
    #[inline(always)]
    fn load_transposed<W: U8xN<N>, const N: usize, const MAP: u64>(
        &mut self,
        token: W::Token,
        from: usize,
        len: usize,
    ) -> [W; 4] {
        let a = self.load(token, from, len);
        let b = self.load(token, from + N, len);
        let c = self.load(token, from + 2 * N, len);
        let d = self.load(token, from + 3 * N, len);
        transposed::<W, N, MAP>([a, b, c, d])
    }
}

/// Four words after the linear map `MAP` of each byte, transposed so that word `i` holds the groups of four bytes with
/// number `i` of all blocks. The map goes first, as most ports are free then.
#[inline(always)]
pub(crate) fn transposed<W: U8xN<N>, const N: usize, const MAP: u64>([a, b, c, d]: [W; 4]) -> [W; 4] {
    W::transpose4([a.affine::<MAP, 0>(), b.affine::<MAP, 0>(), c.affine::<MAP, 0>(), d.affine::<MAP, 0>()])
}

/// The range of a word of `N` bytes at `from`, cut to the first `len` bytes.
#[inline(always)]
pub(crate) fn word_range<const N: usize>(from: usize, len: usize) -> core::ops::Range<usize> {
    from.min(len)..(from + N).min(len)
}

/// A block cipher with its key and backend, as modes see it.
pub(crate) trait ModeCipher: BlockSizeUser {
    /// Encrypts or decrypts all blocks of a mode.
    fn process<const DECRYPT: bool>(&self, mode: &mut impl Mode);

    /// Encrypts or decrypts one block.
    fn process_block<const DECRYPT: bool>(&self, block: &mut Block<Self>);
}

/// `to ^= with`, 16 bytes at a time.
#[inline(always)]
pub(crate) fn xor_block<S: ArraySize>(to: &mut Array<u8, S>, with: &Array<u8, S>) {
    for (to, with) in to.as_chunks_mut::<16>().0.iter_mut().zip(with.as_chunks::<16>().0) {
        *to = (u128::from_ne_bytes(*to) ^ u128::from_ne_bytes(*with)).to_ne_bytes();
    }
}
