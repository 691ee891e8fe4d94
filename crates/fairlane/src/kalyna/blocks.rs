//! The block ciphers' types, and their modes as functions that are compiled once for each of them.

use super::buffered::Buffered;
use super::field::{HashKey, Powers};
use super::kernels::{BACKENDS, Cipher};
use super::lookahead::{Increment, Lookahead, Step, TimesX, numbers, sum_and_carry};
use super::messages::{CcmMessage, GcmMessage};
use crate::authenticated;
use crate::modes::block_cipher::block_cipher;
use crate::modes::cbc::{CbcCipher, CbcKeyInit};
use crate::modes::ctr::Ctr;
use crate::modes::ecb::Ecb;
use crate::modes::{ModeCipher, cbc, cfb, xts};
use crate::{Backend, Unsupported};
use aead::Error;
use cipher::array::ArraySize;
use cipher::consts::{U16, U32, U64, U128};
use cipher::{
    Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, InOutBuf, Key, KeyInit, KeySizeUser,
};
use fairlane_lanes::AnyToken;
use zeroize::Zeroize;

/// A key as columns.
#[inline(always)]
fn columns<const KEY: usize>(key: &[u8]) -> &[[u8; 8]; KEY] {
    key.as_chunks().0.try_into().expect("as many columns as keys of this type have")
}

/// `number += addend`, where `number` has its least significant part first.
#[inline(always)]
fn add(number: &mut [u64], addend: u64) {
    let mut carry = addend;
    for i in 0..number.len() {
        (number[i], carry) = sum_and_carry(number[i], carry);
    }
}

/// One of the five ciphers, for the modes that are generic over them. Other crates cannot implement it.
pub trait Kalyna: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + CbcKeyInit + Sealed + 'static {}

/// What the modes need of a cipher: functions that are compiled in this crate, once for each cipher.
pub trait Sealed: KeySizeUser + BlockSizeUser + Sized {
    /// A block of zeros.
    const ZERO: Block<Self>;
    /// Decrypts in CFB mode, one block a step, after the ciphertext block `previous`, which becomes the last one.
    fn cfb_decrypt(&self, previous: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>);
    /// Adds keystream, from block `number` on, to all whole blocks of `data`. If a part of a block is left at the end,
    /// that stays as it is, and its block of keystream goes to `last`.
    ///
    /// Block `i` of the keystream is the encryption of `begin + i`, where the first `width` bytes, a whole block or
    /// half of one, are a little-endian number modulo 2<sup>8 width</sup>, and the others stay. No branch depends on
    /// `begin`.
    fn ctr(&self, begin: &Block<Self>, width: usize, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut Block<Self>);
    /// Encrypts or decrypts a data unit of a block or more in XTS mode.
    fn xts(&self, iv: &Block<Self>, decrypt: bool, data: InOutBuf<'_, '_, u8>);
    /// A key of the hash of GCM and GMAC, over the field whose elements are blocks.
    type HashKey: HashKey;
    /// The key for the element `h`, on the backend of the cipher.
    fn hash_key(&self, h: &Block<Self>) -> Self::HashKey;
    /// Encrypts a message in GCM and returns the tag before it is truncated. The lengths must have been checked.
    fn gcm_seal(message: &GcmMessage<'_, Self, Self::HashKey>, data: InOutBuf<'_, '_, u8>) -> Block<Self>;
    /// Decrypts a message in GCM if its tag begins with `tag`. The lengths must have been checked.
    ///
    /// # Errors
    /// The tag is wrong; nothing is written then.
    fn gcm_open(
        message: &GcmMessage<'_, Self, Self::HashKey>,
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error>;
    /// Encrypts a message in CCM and returns the tag. The lengths must have been checked.
    fn ccm_seal(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> Block<Self>;
    /// Decrypts a message in CCM if its tag is `tag`. The lengths must have been checked.
    ///
    /// # Errors
    /// The tag is wrong; nothing is written then.
    fn ccm_open(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error>;
}

impl<const C: usize, const KEYS: usize> Cipher<C, KEYS> {
    /// Encrypts or decrypts each block.
    #[inline(always)]
    fn ecb<S: ArraySize, const DECRYPT: bool>(&self, blocks: &mut Ecb<'_, S>) {
        self.run::<DECRYPT>(blocks);
    }
}

macro_rules! kalyna {
    ($name:ident, $title:literal: $block:ident $block_bytes:literal, $key:ident $key_bytes:literal, $rounds:literal;
     $parallel:ident, $columns:literal, $key_columns:literal, $keys:literal) => {
        #[doc = concat!($title, " (DSTU 7624:2014): ", $rounds, " rounds, a key of ", $key_bytes, " bytes, blocks of ",
            $block_bytes, ".")]
        ///
        /// Many blocks in one call are many times as fast as one by one. The round keys are erased on drop.
        #[derive(Clone)]
        pub struct $name(Cipher<$columns, $keys>);

        block_cipher!(
            $name(Cipher<$columns, $keys>): key $key, block $block, parallel $parallel,
            BACKENDS, Cipher::<$columns, $keys>::with_token
        );

        impl Cipher<$columns, $keys> {
            #[inline(never)]
            fn with_token(token: AnyToken, key: &Key<$name>) -> Self {
                Self::new::<$key_columns>(token, columns(key))
            }

            #[inline(always)]
            fn buffered(&self) -> Buffered<'_, Self> {
                Buffered { token: self.token, cipher: self }
            }
        }

        impl Kalyna for $name {}

        impl CbcKeyInit for $name {
            #[inline]
            fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
                $name::with_backend(key, backend)
            }
        }

        impl CbcCipher for $name {
            const MODULE: &'static str = "kalyna";
            const DEBUG_NAMES: [&'static str; 2] = ["KalynaCbcEncryptor", "KalynaCbcDecryptor"];

            #[inline(never)]
            fn cbc_encrypt(&self, previous: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>) {
                cbc::encrypt(&self.0.buffered(), previous, blocks);
            }
            #[inline(never)]
            fn cbc_decrypt(&self, ciphertext: &mut cbc::Decryption<'_, $block>) {
                self.0.buffered().process::<true>(ciphertext);
            }
        }

        impl Sealed for $name {
            const ZERO: Block<Self> = Array([0; 8 * $columns]);
            #[inline(never)]
            fn cfb_decrypt(&self, previous: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>) {
                cfb::decrypt(&self.0.buffered(), previous, blocks);
            }
            #[inline(never)]
            fn ctr(
                &self,
                begin: &Block<Self>,
                width: usize,
                number: u64,
                data: InOutBuf<'_, '_, u8>,
                last: &mut Block<Self>,
            ) {
                let (mut first, len) = (numbers(begin), data.len());
                add(&mut first[..width / 8], number);
                let mut mode = Ctr { counters: Lookahead::<$block, Increment>::empty(), data, last };
                mode.counters.begin(first, Increment { carry: (width == 8 * $columns).into() }, len);
                first.zeroize();
                self.0.run::<false>(&mut mode);
            }
            #[inline(never)]
            fn xts(&self, iv: &Block<Self>, decrypt: bool, data: InOutBuf<'_, '_, u8>) {
                let mut tweak = iv.clone();
                self.0.encrypt_one(&mut tweak);
                let mut first = numbers(&tweak);
                TimesX.step(&mut first[..$columns]);
                if decrypt {
                    xts::process::<_, Lookahead<$block, TimesX>, true>(&self.0.buffered(), first, data);
                } else {
                    xts::process::<_, Lookahead<$block, TimesX>, false>(&self.0.buffered(), first, data);
                }
                tweak.zeroize();
                first.zeroize();
            }
            type HashKey = Powers<{ $columns / 2 }>;
            #[inline]
            fn hash_key(&self, h: &Block<Self>) -> Self::HashKey {
                Powers::new(self.0.token, h)
            }
            #[inline(never)]
            fn gcm_seal(message: &GcmMessage<'_, Self, Self::HashKey>, data: InOutBuf<'_, '_, u8>) -> Block<Self> {
                authenticated::encrypt(message, data)
            }
            #[inline(never)]
            fn gcm_open(
                message: &GcmMessage<'_, Self, Self::HashKey>,
                data: InOutBuf<'_, '_, u8>,
                tag: &[u8],
            ) -> Result<(), Error> {
                authenticated::decrypt(message, data, tag)
            }
            #[inline(never)]
            fn ccm_seal(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>) -> Block<Self> {
                authenticated::encrypt(message, data)
            }
            #[inline(never)]
            fn ccm_open(message: &CcmMessage<'_, Self>, data: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Result<(), Error> {
                authenticated::decrypt(message, data, tag)
            }
        }
    };
}

kalyna!(Kalyna128_128, "Kalyna-128/128": U16 "16", U16 "16", "10"; U128, 2, 2, 12);
kalyna!(Kalyna128_256, "Kalyna-128/256": U16 "16", U32 "32", "14"; U128, 2, 4, 16);
kalyna!(Kalyna256_256, "Kalyna-256/256": U32 "32", U32 "32", "14"; U64, 4, 4, 16);
kalyna!(Kalyna256_512, "Kalyna-256/512": U32 "32", U64 "64", "18"; U64, 4, 8, 20);
kalyna!(Kalyna512_512, "Kalyna-512/512": U64 "64", U64 "64", "18"; U32, 8, 8, 20);
