//! XTS: a tweak for each block, which is added before and after the cipher, and ciphertext stealing at the end.

use super::{Mode, ModeCipher, word_range, xor_block};
use crate::in_out::take;
use cipher::typenum::Unsigned;
use cipher::{Block, BlockSizeUser, InOutBuf};
use fairlane_lanes::BlocksN;

/// The tweaks of a data unit's blocks, in the field and the order of bits that a standard defines.
pub(crate) trait Tweaks: BlockSizeUser {
    /// What is needed to make the first one.
    type First;

    /// None yet. They are long, so they are made in place instead of being moved.
    fn empty() -> Self;

    /// Makes the tweaks that the blocks of a data unit of `len` bytes begin with.
    fn begin(&mut self, first: Self::First, len: usize);

    /// The tweaks at byte `from` of those that are left. All words of a batch are made in ascending order.
    fn make<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W;

    /// Tweaks of the batch that were made before.
    fn made<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize) -> W;

    /// Skips the tweaks of `len` bytes.
    fn advance(&mut self, len: usize);

    /// The next block's tweak and the one after it.
    fn next_two(&self) -> [Block<Self>; 2];
}

/// Encrypts or decrypts a data unit of a block or more.
#[inline(always)]
pub(crate) fn process<C, T, const DECRYPT: bool>(cipher: &C, first: T::First, data: InOutBuf<'_, '_, u8>)
where
    C: ModeCipher,
    T: Tweaks<BlockSize = C::BlockSize>,
{
    // A part of a block at the end takes the whole block before it along.
    let (block, len) = (C::BlockSize::USIZE, data.len());
    let part = len % block;
    let (data, last) = data.split_at(if part == 0 { len } else { len - part - block });
    let mut blocks = Xts { tweaks: T::empty(), data };
    blocks.tweaks.begin(first, len);
    cipher.process::<DECRYPT>(&mut blocks);
    if part > 0 {
        let mut tweaks = blocks.tweaks.next_two();
        steal::<C, DECRYPT>(cipher, &tweaks, last);
        for tweak in &mut tweaks {
            tweak.fill(0);
        }
        zeroize::optimization_barrier(&tweaks);
    }
}

/// The last whole block and the part of one after it (ciphertext stealing, IEEE 1619, section 5.3.2).
#[inline(always)]
fn steal<C: ModeCipher, const DECRYPT: bool>(cipher: &C, tweaks: &[Block<C>; 2], mut last: InOutBuf<'_, '_, u8>) {
    let crypt = |tweak: &Block<C>, block: &mut Block<C>| {
        xor_block(block, tweak);
        cipher.process_block::<DECRYPT>(block);
        xor_block(block, tweak);
    };
    let [first, second] = if DECRYPT { [1, 0] } else { [0, 1] };
    let size = C::BlockSize::USIZE;
    let mut block = Block::<C>::default();
    block.copy_from_slice(&last.get_in()[..size]);
    crypt(&tweaks[first], &mut block);
    // The beginning of this output becomes the part; the part's own bytes take its place.
    let mut stolen = block.clone();
    let part = last.len() - size;
    stolen[..part].copy_from_slice(&last.get_in()[size..]);
    crypt(&tweaks[second], &mut stolen);
    let out = last.get_out();
    out[..size].copy_from_slice(&stolen);
    out[size..].copy_from_slice(&block[..part]);
}

/// Whole blocks, with their tweaks added before and after.
struct Xts<'a, T> {
    tweaks: T,
    data: InOutBuf<'a, 'a, u8>,
}

impl<T: Tweaks> Mode for Xts<'_, T> {
    #[inline(always)]
    fn remaining(&self) -> usize {
        self.data.len()
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        let tweaks: W = self.tweaks.make(token, from);
        W::load(token, &self.data.get_in()[word_range::<N>(from, len)]).xor(tweaks)
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W) {
        let tweaks: W = self.tweaks.made(token, from);
        output.xor(tweaks).store(&mut self.data.get_out()[word_range::<N>(from, len)]);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.tweaks.advance(len);
        take(&mut self.data, len);
    }
}
