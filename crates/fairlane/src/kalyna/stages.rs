//! Modes of operation around a cipher, batch by batch through a buffer: so the kernels are compiled once, and not for
//! each mode.
//!
//! Counter mode, which GCM and CCM use too, has kernels of its own: this way it took 1.2 times as long as ECB (16 KiB,
//! blocks of 128 bits), and so it takes 1.07 times.

use super::kernels::{Mode, bytes};
use cipher::Array;
use cipher::array::ArraySize;
use core::marker::PhantomData;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::U8x16;
use fairlane_lanes::{AnyToken, BlocksN, Kernel, Scalar, Token, U8x16Scalar};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{U8x32Aes, U8x32Gfni, U8x64Vbmi};

/// Does all blocks of a mode, as many at a time as `buffer` has room for, with what `crypt` does to some of them. The
/// buffer is erased then.
#[inline]
pub(super) fn run<S: ArraySize>(
    token: AnyToken,
    mode: &mut impl Mode,
    buffer: &mut [Array<u8, S>],
    crypt: impl Fn(&mut [Array<u8, S>]),
) {
    let mut used = 0;
    while mode.left() > 0 {
        let count = buffer.len().min(mode.left() / S::USIZE);
        used = used.max(count);
        let blocks = &mut buffer[..count];
        pass::<false>(token, mode, Array::slice_as_flattened_mut(blocks));
        crypt(blocks);
        pass::<true>(token, mode, Array::slice_as_flattened_mut(blocks));
        mode.advance(count * S::USIZE);
    }
    Array::slice_as_flattened_mut(&mut buffer[..used]).fill(0);
    zeroize::optimization_barrier(buffer);
}

/// Takes a batch from a mode, or gives it back.
#[inline(always)]
fn pass<const BACK: bool>(token: AnyToken, mode: &mut impl Mode, batch: &mut [u8]) {
    match token {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx512Vbmi(token) => token.run(Pass::<U8x64Vbmi, _, 64, BACK>(mode, batch, PhantomData)),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Gfni(token) => token.run(Pass::<U8x32Gfni, _, 32, BACK>(mode, batch, PhantomData)),
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        AnyToken::Avx2Aes(token) => token.run(Pass::<U8x32Aes, _, 32, BACK>(mode, batch, PhantomData)),
        #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
        AnyToken::NeonAes(token) => token.run(Pass::<U8x16, _, 16, BACK>(mode, batch, PhantomData)),
        _ => Scalar::PROOF.run(Pass::<U8x16Scalar, _, 16, BACK>(mode, batch, PhantomData)),
    }
}

struct Pass<'a, W, M, const N: usize, const BACK: bool>(&'a mut M, &'a mut [u8], PhantomData<W>);

impl<W: BlocksN<N>, M: Mode, const N: usize, const BACK: bool> Kernel<W::Token> for Pass<'_, W, M, N, BACK> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self(mode, batch, _) = self;
        let len = batch.len();
        for i in 0..len.div_ceil(N) {
            if BACK {
                // From the end.
                let from = N * (len.div_ceil(N) - 1 - i);
                let word = W::load(token, &batch[bytes::<N>(from, len)]);
                mode.store(token, from, len, word);
            } else {
                let word: W = mode.load(token, N * i, len);
                word.store(&mut batch[bytes::<N>(N * i, len)]);
            }
        }
    }
}
