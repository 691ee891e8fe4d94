//! Modes whose input and output pass through a buffer of one batch, so that they share the kernels of ECB.
//!
//! A kernel for each mode, direction and block size would take minutes to compile. Only CTR, which GCM and CCM use too,
//! has kernels of its own: through a buffer it took 1.2 times as long as ECB (16 KiB, blocks of 128 bits), with them
//! 1.07 times.

use crate::modes::{Mode, ModeCipher, word_range};
use cipher::{Array, Block, BlockCipherDecBackend, BlockCipherEncBackend, BlockSizeUser, InOut, InOutBuf};
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, BlocksN, Kernel, Scalar, Token, U8x16, U8x16Scalar, U8x32Aes, U8x32Gfni, U8x64Vbmi};

/// Bytes of a batch: two of the widest kernel.
const BATCH: usize = 1024;

/// A batch, aligned so that no word lies in two cache lines.
#[repr(align(64))]
struct Buffer([u8; BATCH]);

/// A cipher that processes modes through a buffer, which is erased afterwards.
pub(super) struct Buffered<'a, C> {
    pub(super) token: AnyToken,
    pub(super) cipher: &'a C,
}

impl<C: BlockSizeUser> BlockSizeUser for Buffered<'_, C> {
    type BlockSize = C::BlockSize;
}

impl<C: BlockCipherEncBackend + BlockCipherDecBackend> ModeCipher for Buffered<'_, C> {
    #[inline(always)]
    fn process<const DECRYPT: bool>(&self, mode: &mut impl Mode) {
        let mut buffer = Buffer([0; BATCH]);
        let mut used = 0;
        while mode.remaining() > 0 {
            let len = mode.remaining().min(BATCH);
            used = used.max(len);
            let batch = &mut buffer.0[..len];
            copy::<false>(self.token, mode, batch);
            let (blocks, _) = Array::slice_as_chunks_mut(batch);
            if DECRYPT {
                self.cipher.decrypt_tail_blocks(InOutBuf::from(blocks));
            } else {
                self.cipher.encrypt_tail_blocks(InOutBuf::from(blocks));
            }
            copy::<true>(self.token, mode, batch);
            mode.advance(len);
        }
        buffer.0[..used].fill(0);
        zeroize::optimization_barrier(&buffer);
    }

    #[inline(always)]
    fn process_block<const DECRYPT: bool>(&self, block: &mut Block<Self>) {
        if DECRYPT {
            self.cipher.decrypt_block(InOut::from(block));
        } else {
            self.cipher.encrypt_block(InOut::from(block));
        }
    }
}

/// Copies a mode's input to a batch, or a batch to a mode's output.
#[inline(always)]
fn copy<const OUTPUT: bool>(token: AnyToken, mode: &mut impl Mode, batch: &mut [u8]) {
    match token {
        AnyToken::Avx512Vbmi(token) => token.run(Copy::<U8x64Vbmi, _, 64, OUTPUT>(mode, batch, PhantomData)),
        AnyToken::Avx2Gfni(token) => token.run(Copy::<U8x32Gfni, _, 32, OUTPUT>(mode, batch, PhantomData)),
        AnyToken::Avx2Aes(token) => token.run(Copy::<U8x32Aes, _, 32, OUTPUT>(mode, batch, PhantomData)),
        AnyToken::NeonAes(token) => token.run(Copy::<U8x16, _, 16, OUTPUT>(mode, batch, PhantomData)),
        _ => Scalar::PROOF.run(Copy::<U8x16Scalar, _, 16, OUTPUT>(mode, batch, PhantomData)),
    }
}

struct Copy<'a, W, M, const N: usize, const OUTPUT: bool>(&'a mut M, &'a mut [u8], PhantomData<W>);

impl<W: BlocksN<N>, M: Mode, const N: usize, const OUTPUT: bool> Kernel<W::Token> for Copy<'_, W, M, N, OUTPUT> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self(mode, batch, _) = self;
        let len = batch.len();
        for i in 0..len.div_ceil(N) {
            if OUTPUT {
                // In descending order.
                let from = N * (len.div_ceil(N) - 1 - i);
                let word = W::load(token, &batch[word_range::<N>(from, len)]);
                mode.store(token, from, len, word);
            } else {
                let word: W = mode.load(token, N * i, len);
                word.store(&mut batch[word_range::<N>(N * i, len)]);
            }
        }
    }
}
