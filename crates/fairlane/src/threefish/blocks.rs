//! The block ciphers' types, and the traits for tweaks of crate `cipher`.

use super::kernels::{self, BACKENDS};
use super::rounds;
use crate::modes::block_cipher::block_cipher;
use crate::modes::ecb::Ecb;
use cipher::array::ArraySize;
use cipher::consts::{U16, U32, U64, U128};
use cipher::{
    Array, Block, InOut, InOutBuf, Key, KeyInit, Tweak, TweakBlockCipherDecBackend, TweakBlockCipherDecClosure,
    TweakBlockCipherDecrypt, TweakBlockCipherEncBackend, TweakBlockCipherEncClosure, TweakBlockCipherEncrypt,
    TweakSizeUser,
};
use fairlane_lanes::AnyToken;

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

    /// Encrypts or decrypts each block with the key's tweak.
    #[inline(always)]
    fn ecb<S: ArraySize, const DECRYPT: bool>(&self, blocks: &mut Ecb<'_, S>) {
        self.tweaked::<S, DECRYPT>(&self.tweak, blocks.0.reborrow());
    }

    /// Encrypts or decrypts each block with another tweak.
    #[inline(always)]
    fn tweaked<S: ArraySize, const DECRYPT: bool>(
        &self,
        tweak: &rounds::Tweak,
        blocks: InOutBuf<'_, '_, Array<u8, S>>,
    ) {
        kernels::run(self.token, kernels::Ecb::<_, WORDS, DECRYPT> { key: &self.key, tweak, blocks });
    }
}

impl<const WORDS: usize> Drop for Cipher<WORDS> {
    fn drop(&mut self) {
        self.key = rounds::Key::ZERO;
        self.tweak = rounds::Tweak::ZERO;
        zeroize::optimization_barrier(self);
    }
}

macro_rules! threefish {
    ($name:ident, $title:literal, $words:literal, $size:ident, $bytes:literal) => {
        #[doc = concat!($title, ": a block cipher with blocks of ", $bytes, " bytes, a key of ", $bytes,
            " and a tweak of 16.")]
        ///
        /// [`KeyInit`] and `with_backend` make it with a tweak of zeros.
        /// [`BlockCipherEncrypt`](cipher::BlockCipherEncrypt) and [`BlockCipherDecrypt`](cipher::BlockCipherDecrypt)
        /// use the tweak of the value; [`TweakBlockCipherEncrypt`] and [`TweakBlockCipherDecrypt`] take one with each
        /// block instead. Bring one of the two pairs of traits into scope: their methods have the same names. The key
        /// is erased on drop. Follows the Skein paper, version 1.3, section 3.3.
        #[derive(Clone)]
        pub struct $name(pub(super) Cipher<$words>);

        impl $name {
            /// The cipher with a key and a tweak.
            #[inline]
            pub fn new_with_tweak(key: &Key<Self>, tweak: &[u8; 16]) -> Self {
                Self::new(key).with_tweak(tweak)
            }

            /// The same key and backend with another tweak.
            #[inline]
            #[must_use]
            pub fn with_tweak(mut self, tweak: &[u8; 16]) -> Self {
                self.0.tweak = rounds::Tweak::new(tweak);
                self
            }
        }

        block_cipher!(
            $name(Cipher<$words>): key $size, block $size, parallel U16, BACKENDS, |token, key| Cipher::new(token, key)
        );

        // Not inlined, so that the kernels are compiled in this crate, once.
        impl Cipher<$words> {
            #[inline(never)]
            fn encrypt_tweaked(&self, tweak: &[u8; 16], block: &mut Array<u8, $size>) {
                self.tweaked::<_, false>(&rounds::Tweak::new(tweak), InOutBuf::from_mut(block));
            }
            #[inline(never)]
            fn decrypt_tweaked(&self, tweak: &[u8; 16], block: &mut Array<u8, $size>) {
                self.tweaked::<_, true>(&rounds::Tweak::new(tweak), InOutBuf::from_mut(block));
            }
        }

        impl TweakSizeUser for Cipher<$words> {
            type TweakSize = U16;
        }

        impl TweakBlockCipherEncBackend for Cipher<$words> {
            #[inline]
            fn encrypt_block_inout(&self, tweak: &Tweak<Self>, block: InOut<'_, '_, Block<Self>>) {
                self.encrypt_tweaked(tweak.as_ref(), block.into_out_with_copied_in());
            }
        }

        impl TweakBlockCipherDecBackend for Cipher<$words> {
            #[inline]
            fn decrypt_block_inout(&self, tweak: &Tweak<Self>, block: InOut<'_, '_, Block<Self>>) {
                self.decrypt_tweaked(tweak.as_ref(), block.into_out_with_copied_in());
            }
        }

        impl TweakSizeUser for $name {
            type TweakSize = U16;
        }

        impl TweakBlockCipherEncrypt for $name {
            #[inline]
            fn encrypt_with_backend(
                &self,
                f: impl TweakBlockCipherEncClosure<BlockSize = Self::BlockSize, TweakSize = Self::TweakSize>,
            ) {
                f.call(&self.0);
            }
        }

        impl TweakBlockCipherDecrypt for $name {
            #[inline]
            fn decrypt_with_backend(
                &self,
                f: impl TweakBlockCipherDecClosure<BlockSize = Self::BlockSize, TweakSize = Self::TweakSize>,
            ) {
                f.call(&self.0);
            }
        }
    };
}

threefish!(Threefish256, "Threefish-256", 4, U32, "32");
threefish!(Threefish512, "Threefish-512", 8, U64, "64");
threefish!(Threefish1024, "Threefish-1024", 16, U128, "128");
