//! The block ciphers: their types, and the traits of `cipher`.

use super::kernels::{self, BACKENDS};
use super::rounds;
use crate::{Backend, Unsupported};
use cipher::consts::{U16, U32, U64, U128};
use cipher::{
    AlgorithmName, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, InOutBuf, Key, KeyInit, KeySizeUser, ParBlocks,
    ParBlocksSizeUser, Tweak, TweakBlockCipherDecBackend, TweakBlockCipherDecClosure, TweakBlockCipherDecrypt,
    TweakBlockCipherEncBackend, TweakBlockCipherEncClosure, TweakBlockCipherEncrypt, TweakSizeUser, array::ArraySize,
};
use core::fmt;
use core::marker::PhantomData;
use fairlane_lanes::AnyToken;
use zeroize::ZeroizeOnDrop;

/// A key and a tweak on a backend, for blocks of `WORDS` words.
#[derive(Clone)]
pub(super) struct Cipher<const WORDS: usize> {
    pub(super) token: AnyToken,
    pub(super) key: rounds::Key<WORDS>,
    pub(super) tweak: rounds::Tweak,
}

impl<const WORDS: usize> Cipher<WORDS> {
    #[inline]
    pub(super) fn new(token: AnyToken, key: &[u8]) -> Self {
        Self { token, key: rounds::Key::new(key), tweak: rounds::Tweak::ZERO }
    }

    #[inline]
    fn run<B: AsRef<[u8]> + AsMut<[u8]>, const DECRYPT: bool>(
        &self,
        tweak: &rounds::Tweak,
        blocks: InOutBuf<'_, '_, B>,
    ) {
        kernels::run(self.token, kernels::Blocks::<_, WORDS, DECRYPT> { key: &self.key, tweak, blocks });
    }
}

impl<const WORDS: usize> Drop for Cipher<WORDS> {
    fn drop(&mut self) {
        self.key = rounds::Key::ZERO;
        self.tweak = rounds::Tweak::ZERO;
        zeroize::optimization_barrier(self);
    }
}

/// What the rank-2 closures of `cipher` work with: blocks of `S` bytes.
struct Worker<'a, S, const WORDS: usize>(&'a Cipher<WORDS>, PhantomData<S>);

impl<S: ArraySize, const WORDS: usize> BlockSizeUser for Worker<'_, S, WORDS> {
    type BlockSize = S;
}

impl<S: ArraySize, const WORDS: usize> ParBlocksSizeUser for Worker<'_, S, WORDS> {
    type ParBlocksSize = U16;
}

impl<S: ArraySize, const WORDS: usize> TweakSizeUser for Worker<'_, S, WORDS> {
    type TweakSize = U16;
}

/// The traits for both directions: encrypting, and decrypting.
macro_rules! direction {
    ($decrypt:literal, $backend:ident { $one:ident, $many:ident, $tail:ident }, $tweaked:ident { $with_tweak:ident }) => {
        impl<S: ArraySize<ArrayType<u8>: Copy>, const WORDS: usize> $backend for Worker<'_, S, WORDS> {
            #[inline(always)]
            fn $one(&self, block: InOut<'_, '_, Block<Self>>) {
                self.0.run::<_, $decrypt>(&self.0.tweak, InOutBuf::from_mut(block.into_out_with_copied_in()));
            }
            #[inline(always)]
            fn $many(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.0.run::<_, $decrypt>(&self.0.tweak, blocks.into_buf());
            }
            #[inline(always)]
            fn $tail(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.0.run::<_, $decrypt>(&self.0.tweak, blocks);
            }
        }

        impl<S: ArraySize<ArrayType<u8>: Copy>, const WORDS: usize> $tweaked for Worker<'_, S, WORDS> {
            #[inline(always)]
            fn $with_tweak(&self, tweak: &Tweak<Self>, block: InOut<'_, '_, Block<Self>>) {
                self.0.run::<_, $decrypt>(
                    &rounds::Tweak::new(tweak.as_ref()),
                    InOutBuf::from_mut(block.into_out_with_copied_in()),
                );
            }
        }
    };
}

direction!(
    false,
    BlockCipherEncBackend { encrypt_block, encrypt_par_blocks, encrypt_tail_blocks },
    TweakBlockCipherEncBackend { encrypt_block_inout }
);
direction!(
    true,
    BlockCipherDecBackend { decrypt_block, decrypt_par_blocks, decrypt_tail_blocks },
    TweakBlockCipherDecBackend { decrypt_block_inout }
);

macro_rules! threefish {
    ($name:ident, $title:literal, $words:literal, $size:ident, $bytes:literal) => {
        #[doc = concat!($title, ": a block cipher with blocks of ", $bytes, " bytes, a key of ", $bytes, " and a tweak of 16.")]
        ///
        /// [`KeyInit`] makes it with a tweak of zeros. [`BlockCipherEncrypt`] and [`BlockCipherDecrypt`] use the tweak
        /// that the value has; [`TweakBlockCipherEncrypt`] and [`TweakBlockCipherDecrypt`] take one with each block
        /// instead. Take one of the two pairs of traits into scope: their methods have the same names. The key is
        /// erased on drop. Follows the Skein paper, version 1.3, section 3.3.
        #[derive(Clone)]
        pub struct $name(Cipher<$words>);

        impl $name {
            /// The cipher with a key and a tweak.
            #[inline]
            pub fn new_with_tweak(key: &Key<Self>, tweak: &[u8; 16]) -> Self {
                Self::new(key).with_tweak(tweak)
            }

            /// The cipher with a tweak of zeros, on one backend.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or Threefish has no kernel for it.
            #[inline]
            pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
                AnyToken::among(BACKENDS, backend).map(|token| Self(Cipher::new(token, key)))
            }

            /// The same key and backend with another tweak.
            #[inline]
            #[must_use]
            pub fn with_tweak(mut self, tweak: &[u8; 16]) -> Self {
                self.0.tweak = rounds::Tweak::new(tweak);
                self
            }

            /// What the closures of `cipher` work with.
            #[inline(always)]
            fn worker(&self) -> Worker<'_, $size, $words> {
                Worker(&self.0, PhantomData)
            }
        }

        impl KeySizeUser for $name {
            type KeySize = $size;
        }

        impl BlockSizeUser for $name {
            type BlockSize = $size;
        }

        impl TweakSizeUser for $name {
            type TweakSize = U16;
        }

        impl KeyInit for $name {
            #[inline]
            fn new(key: &Key<Self>) -> Self {
                Self(Cipher::new(AnyToken::best(BACKENDS), key))
            }
        }

        impl BlockCipherEncrypt for $name {
            #[inline]
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>) {
                f.call(&self.worker());
            }
        }

        impl BlockCipherDecrypt for $name {
            #[inline]
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>) {
                f.call(&self.worker());
            }
        }

        impl TweakBlockCipherEncrypt for $name {
            #[inline]
            fn encrypt_with_backend(
                &self,
                f: impl TweakBlockCipherEncClosure<BlockSize = Self::BlockSize, TweakSize = Self::TweakSize>,
            ) {
                f.call(&self.worker());
            }
        }

        impl TweakBlockCipherDecrypt for $name {
            #[inline]
            fn decrypt_with_backend(
                &self,
                f: impl TweakBlockCipherDecClosure<BlockSize = Self::BlockSize, TweakSize = Self::TweakSize>,
            ) {
                f.call(&self.worker());
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        /// Shows no secret.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl ZeroizeOnDrop for $name {}
    };
}

threefish!(Threefish256, "Threefish-256", 4, U32, "32");
threefish!(Threefish512, "Threefish-512", 8, U64, "64");
threefish!(Threefish1024, "Threefish-1024", 16, U128, "128");
