//! The compression function, and how a message becomes blocks of words and a state becomes a digest.

use crate::hash_many::IteratedHash;
use core::marker::PhantomData;
use digest::array::ArraySize;
use fairlane_lanes::{AnyToken, Backend, Sm3Word};

/// Bytes of a block.
pub(crate) const BLOCK: usize = 64;
/// Bytes of the message's length at the end of the padding.
const LENGTH: usize = 8;

/// The order of bytes in words, digests, and the message's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The most significant byte first, as in SHA-256 and SM3.
    Big,
    /// The least significant byte first, as in MD5 and RIPEMD-160.
    Little,
}

/// A compression function with a state of `WORDS` words.
pub trait CompressionFunction<const WORDS: usize>: Copy + 'static {
    /// The name of the hash.
    const NAME: &'static str;
    /// The backends, best first.
    const BACKENDS: &'static [Backend];
    /// The initial value.
    const INITIAL: [u32; WORDS];
    /// The order of bytes.
    const BYTE_ORDER: ByteOrder;
    /// Bytes of a digest: a multiple of 4, at most `4 * WORDS`.
    type OutputSize: ArraySize;

    /// Absorbs one block into each lane of the state: expands its 16 words and does the rounds. This must be
    /// `#[inline(always)]`, as everything that it calls. All words of 32-bit lanes are [`Sm3Word`]s.
    fn compress<W: Sm3Word<N>, const N: usize>(token: W::Token, state: &mut [W; WORDS], block: [W; 16]);

    /// Absorbs the blocks of one message. `block_hash::absorb_in` does that with [`compress`](Self::compress).
    fn absorb(token: AnyToken, state: &mut [u32; WORDS], blocks: &[[u8; BLOCK]]);
}

/// The words of each row's first block.
#[inline(always)]
pub(crate) fn load<W: Sm3Word<N>, const N: usize>(token: W::Token, rows: &[&[u8]; N], order: ByteOrder) -> [W; 16] {
    let mut words = [W::splat(token, 0); 16];
    for_each_tile!(N, 16, from, count => {
        let block = W::load_rows(token, rows, from, count);
        for i in 0..count {
            words[from + i] = if matches!(order, ByteOrder::Big) { block[i].swap_bytes() } else { block[i] };
        }
    });
    words
}

/// The hash of a compression function: a bit 1, bits 0 and the message's length in bits, a number of 64 bits, follow
/// the message.
pub(super) struct MerkleDamgard<F>(PhantomData<F>);

impl<F> MerkleDamgard<F> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<F> Clone for MerkleDamgard<F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for MerkleDamgard<F> {}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> IteratedHash<WORDS, BLOCK> for MerkleDamgard<F> {
    type Word = u32;
    const MIN_PADDING: usize = 1 + LENGTH;

    #[inline(always)]
    fn block_size(self) -> usize {
        BLOCK
    }

    #[inline(always)]
    fn initial<const N: usize>() -> [[u32; N]; WORDS] {
        F::INITIAL.map(|word| [word; N])
    }

    #[inline(always)]
    fn pad(self, rest: Option<&[u8]>, length: usize, block: &mut [u8; BLOCK]) {
        if let Some(rest) = rest {
            block[..rest.len()].copy_from_slice(rest);
            block[rest.len()] = 0x80;
        }
        if rest.is_none_or(|rest| rest.len() < BLOCK - LENGTH) {
            let bits = 8 * length as u64;
            block[BLOCK - LENGTH..].copy_from_slice(&match F::BYTE_ORDER {
                ByteOrder::Big => bits.to_be_bytes(),
                ByteOrder::Little => bits.to_le_bytes(),
            });
        }
    }

    #[inline(always)]
    fn output<const N: usize>(self, states: &[[u32; N]; WORDS], lane: usize, output: &mut [u8]) -> usize {
        for (bytes, lanes) in output.as_chunks_mut().0.iter_mut().zip(states) {
            *bytes = match F::BYTE_ORDER {
                ByteOrder::Big => lanes[lane].to_be_bytes(),
                ByteOrder::Little => lanes[lane].to_le_bytes(),
            };
        }
        output.len()
    }
}
