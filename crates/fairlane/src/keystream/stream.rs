//! What every stream cipher here does around its kernels: the position, bytes left over from a block, and the end.

use crate::{Backend, Unsupported};
use cipher::array::ArraySize;
use cipher::inout::InOutBuf;
use cipher::{
    AlgorithmName, Iv, IvSizeUser, Key, KeyIvInit, KeySizeUser, OverflowError, SeekNum, StreamCipher,
    StreamCipherError, StreamCipherSeek,
};
use core::fmt;
use fairlane_lanes::AnyToken;
use zeroize::ZeroizeOnDrop;

/// Keeps [`Generator`] within this crate.
pub trait Sealed {}

/// The blocks of one keystream, that of a key and a nonce. Other crates cannot implement it.
pub trait Blocks: Sealed + Clone + ZeroizeOnDrop {
    /// A block of keystream, in bytes.
    type Block: AsRef<[u8]> + AsMut<[u8]> + Clone;

    /// The cipher's name.
    const NAME: &'static str;
    /// A block of zeros.
    const EMPTY: Self::Block;
    /// The counter of the first block that is for data.
    const FIRST: u64;
    /// How many blocks there are from that on.
    const BLOCKS: u64;

    /// Adds keystream, from block `counter` on, to all whole blocks of `data`. If a part of a block is left at the end,
    /// that stays as it is, and its block of keystream goes to `last`.
    ///
    /// Nothing here notices the end of the keystream, or blocks that are used twice: [`Stream`] does.
    #[doc(hidden)]
    fn apply(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut Self::Block);
}

/// Makes [`Blocks`] of a key and a nonce.
pub trait Generator: Blocks + 'static {
    /// Bytes of a key.
    type KeySize: ArraySize;
    /// Bytes of a nonce.
    type NonceSize: ArraySize;
    /// A key that is ready for any number of nonces: its schedule, if the cipher has one.
    type ReadyKey: Clone + ZeroizeOnDrop;
    /// The blocks of a nonce under a ready key, which they borrow if it has a schedule.
    type Keyed<'k>: Blocks<Block = Self::Block>
    where
        Self: 'k;

    /// The backends it has kernels for, best first.
    const BACKENDS: &'static [Backend];

    /// Prepares a key and a nonce.
    #[doc(hidden)]
    fn new(token: AnyToken, key: &cipher::Array<u8, Self::KeySize>, nonce: &cipher::Array<u8, Self::NonceSize>)
    -> Self;

    /// Prepares a key.
    #[doc(hidden)]
    fn ready_key(token: AnyToken, key: &cipher::Array<u8, Self::KeySize>) -> Self::ReadyKey;

    /// Prepares a nonce.
    #[doc(hidden)]
    fn keyed<'k>(key: &'k Self::ReadyKey, nonce: &cipher::Array<u8, Self::NonceSize>) -> Self::Keyed<'k>;
}

/// A stream cipher: a key, a nonce, and a position in their keystream.
///
/// Encryption and decryption are the same: [`StreamCipher`] adds the keystream to data, each call from where the last
/// one ended, so that the result does not depend on how a message is cut. [`StreamCipherSeek`] moves to any byte of the
/// keystream. A nonce must never meet two messages under one key, and nothing here notices changed data: most programs
/// want an AEAD instead.
///
/// Key, nonce and what is left of a block are erased on drop. A stream that a [`StreamKey`](super::StreamKey) made
/// leaves the key's schedule to that.
//
// The order of the fields keeps `begun` apart from a `Result`'s error, which would be at the start, and from other
// zeros: LLVM stores it in parts otherwise, and then its first load waits for all stores before it.
#[derive(Clone)]
#[repr(C)]
pub struct Stream<B: Blocks> {
    /// The keystream block that the position is in.
    block: B::Block,
    /// Bytes of `block` before the position; all of them at the end of a block, and at the start.
    used: usize,
    /// Blocks up to and with `block`.
    begun: u64,
    blocks: B,
}

impl<G: Generator> Stream<G> {
    /// The cipher on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or the cipher has no kernel for it.
    pub fn with_backend(key: &Key<Self>, nonce: &Iv<Self>, backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(G::BACKENDS, backend).map(|token| Self::from_blocks(G::new(token, key, nonce)))
    }
}

impl<B: Blocks> Stream<B> {
    const BLOCK: usize = size_of::<B::Block>();

    #[inline]
    pub(crate) fn from_blocks(blocks: B) -> Self {
        Self { blocks, begun: 0, block: B::EMPTY, used: Self::BLOCK }
    }

    /// Adds bytes of `block` from the position on.
    #[inline]
    fn apply_block(&mut self, mut data: InOutBuf<'_, '_, u8>) {
        let keystream = &self.block.as_ref()[self.used..][..data.len()];
        data.xor_in2out(keystream);
        self.used += data.len();
    }
}

impl<B: Blocks> StreamCipher for Stream<B> {
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        let blocks = data_len.saturating_sub(Self::BLOCK - self.used).div_ceil(Self::BLOCK);
        if blocks as u64 <= B::BLOCKS.saturating_sub(self.begun) { Ok(()) } else { Err(StreamCipherError) }
    }

    #[inline]
    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let begun = data.len().min(Self::BLOCK - self.used);
        let (begun, data) = data.split_at(begun);
        self.apply_block(begun);
        if data.is_empty() {
            return;
        }
        let rest = data.len() % Self::BLOCK;
        let blocks = data.len().div_ceil(Self::BLOCK);
        let mut data = data;
        self.blocks.apply(B::FIRST.wrapping_add(self.begun), data.reborrow(), &mut self.block);
        // What was not checked may go on past the end; what is checked never again.
        self.begun = self.begun.saturating_add(blocks as u64);
        if rest > 0 {
            let whole = data.len() - rest;
            self.used = 0;
            self.apply_block(data.split_at(whole).1);
        }
    }

    fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
        data.fill(0);
        self.unchecked_apply_keystream(data);
    }
}

impl<B: Blocks> StreamCipherSeek for Stream<B> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        let unused = Self::BLOCK - self.used;
        // In blocks of one byte, of which the last is used up.
        T::from_block_byte(u128::from(self.begun) * Self::BLOCK as u128 - unused as u128, 1, 1)
    }

    fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
        let (position, _) = position.into_block_byte::<u128>(1).map_err(|_| StreamCipherError)?;
        let block = u64::try_from(position / Self::BLOCK as u128).map_err(|_| StreamCipherError)?;
        let byte = (position % Self::BLOCK as u128) as usize;
        if block > B::BLOCKS || (block == B::BLOCKS && byte > 0) {
            return Err(StreamCipherError);
        }
        self.begun = block;
        self.used = Self::BLOCK;
        if byte > 0 {
            self.blocks.apply(B::FIRST + block, [0].as_mut_slice().into(), &mut self.block);
            self.begun += 1;
            self.used = byte;
        }
        Ok(())
    }
}

impl<G: Generator> KeySizeUser for Stream<G> {
    type KeySize = G::KeySize;
}

impl<G: Generator> IvSizeUser for Stream<G> {
    type IvSize = G::NonceSize;
}

impl<G: Generator> KeyIvInit for Stream<G> {
    fn new(key: &Key<Self>, nonce: &Iv<Self>) -> Self {
        Self::from_blocks(G::new(AnyToken::best(G::BACKENDS), key, nonce))
    }
}

impl<B: Blocks> AlgorithmName for Stream<B> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(B::NAME)
    }
}

/// Shows no secret.
impl<B: Blocks> fmt::Debug for Stream<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(B::NAME).finish_non_exhaustive()
    }
}

impl<B: Blocks> Drop for Stream<B> {
    fn drop(&mut self) {
        self.block = B::EMPTY;
        zeroize::optimization_barrier(&self.block);
    }
}

impl<B: Blocks> ZeroizeOnDrop for Stream<B> {}
