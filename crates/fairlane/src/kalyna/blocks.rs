//! The block ciphers: their types, and the traits of `cipher`.

use super::aeads::Aeads;
use super::counters::Keystream;
use super::field::{HashKey, Powers};
use super::kernels::{BACKENDS, Cipher, Mode, bytes};
use super::stages;
use crate::{Backend, Unsupported};
use cipher::array::ArraySize;
use cipher::consts::{U16, U32, U64, U128};
use cipher::{
    AlgorithmName, Array, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, InOutBuf, Key, KeyInit,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use core::fmt;
use fairlane_lanes::{AnyToken, BlocksN};
use zeroize::ZeroizeOnDrop;

/// Each block for itself.
struct Ecb<'a, S: ArraySize>(InOutBuf<'a, 'a, Array<u8, S>>);

impl<S: ArraySize> Mode for Ecb<'_, S> {
    #[inline(always)]
    fn left(&self) -> usize {
        self.0.len() * S::USIZE
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        W::load(token, &Array::slice_as_flattened(self.0.get_in())[bytes::<N>(from, len)])
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, _: W::Token, from: usize, len: usize, output: W) {
        output.store(&mut Array::slice_as_flattened_mut(self.0.get_out())[bytes::<N>(from, len)]);
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        let rest = core::mem::replace(&mut self.0, (&mut [][..]).into());
        self.0 = rest.split_at(len / S::USIZE).1;
    }
}

/// A key's columns.
#[inline(always)]
fn columns<const KEY: usize>(key: &[u8]) -> &[[u8; 8]; KEY] {
    key.as_chunks().0.try_into().expect("as many columns as keys of this type have")
}

/// One of the five ciphers, for the modes that are generic over them. It cannot be implemented elsewhere.
pub trait Kalyna: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + Clone + ZeroizeOnDrop + Sealed {}

/// What the modes need of a cipher.
pub trait Sealed: KeySizeUser + BlockSizeUser + Aeads + Sized {
    /// A block of zeros.
    const ZERO: Block<Self>;
    /// As the types' own `with_backend`.
    fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported>;
    /// Does all blocks of a mode.
    fn run<const DECRYPT: bool>(&self, mode: &mut impl Mode);
    /// Encrypts counters: the one mode with kernels of its own.
    fn keystream(&self, mode: &mut Keystream<'_, Self::BlockSize>);
    /// A key of the hash of GCM and GMAC, over the field whose elements are blocks.
    type HashKey: HashKey;
    /// The key for the element `h`, on the backend of the cipher.
    fn hash_key(&self, h: &Block<Self>) -> Self::HashKey;
}

macro_rules! kalyna {
    ($name:ident, $title:literal: $block:ident $block_bytes:literal, $key:ident $key_bytes:literal, $rounds:literal;
     $par:ident, $columns:literal, $key_columns:literal, $keys:literal) => {
        #[doc = concat!($title, " (DSTU 7624:2014): ", $rounds, " rounds, a key of ", $key_bytes, " bytes, blocks of ", $block_bytes, ".")]
        ///
        /// Many blocks in one call are many times as fast as one by one. The round keys are erased on drop.
        #[derive(Clone)]
        pub struct $name(Cipher<$columns, $keys>);

        impl $name {
            /// The cipher on one backend.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or Kalyna has no kernel for it.
            #[inline]
            pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
                AnyToken::among(BACKENDS, backend).map(|token| Self(Cipher::<$columns, $keys>::with_token(token, key)))
            }
        }

        impl KeySizeUser for $name {
            type KeySize = $key;
        }

        impl BlockSizeUser for $name {
            type BlockSize = $block;
        }

        /// On the best backend that this machine has.
        impl KeyInit for $name {
            #[inline]
            fn new(key: &Key<Self>) -> Self {
                Self(Cipher::<$columns, $keys>::with_token(AnyToken::best(BACKENDS), key))
            }
        }

        impl BlockCipherEncrypt for $name {
            #[inline]
            fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = $block>) {
                f.call(&self.0);
            }
        }

        impl BlockCipherDecrypt for $name {
            #[inline]
            fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = $block>) {
                f.call(&self.0);
            }
        }

        // Not generic and not inlined: the kernels are compiled in this crate, once.
        impl Cipher<$columns, $keys> {
            #[inline(never)]
            fn with_token(token: AnyToken, key: &Key<$name>) -> Self {
                Self::new::<$key_columns>(token, columns(key))
            }
            #[inline(never)]
            fn encrypt(&self, blocks: InOutBuf<'_, '_, Array<u8, $block>>) {
                self.run::<false>(&mut Ecb(blocks));
            }
            #[inline(never)]
            fn decrypt(&self, blocks: InOutBuf<'_, '_, Array<u8, $block>>) {
                self.run::<true>(&mut Ecb(blocks));
            }
            /// One block for itself: its address comes in a register, that of a buffer's parts through memory.
            #[inline(never)]
            fn encrypt_one(&self, block: &mut Array<u8, $block>) {
                self.run::<false>(&mut Ecb(InOutBuf::from_mut(block)));
            }
            #[inline(never)]
            fn decrypt_one(&self, block: &mut Array<u8, $block>) {
                self.run::<true>(&mut Ecb(InOutBuf::from_mut(block)));
            }
            #[inline(never)]
            fn keystream(&self, mode: &mut Keystream<'_, $block>) {
                self.run::<false>(mode);
            }
        }

        impl BlockSizeUser for Cipher<$columns, $keys> {
            type BlockSize = $block;
        }

        impl ParBlocksSizeUser for Cipher<$columns, $keys> {
            type ParBlocksSize = $par;
        }

        impl BlockCipherEncBackend for Cipher<$columns, $keys> {
            #[inline]
            fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                self.encrypt_one(block.into_out_with_copied_in());
            }
            #[inline]
            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.encrypt(blocks.into_buf());
            }
            #[inline]
            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.encrypt(blocks);
            }
        }

        impl BlockCipherDecBackend for Cipher<$columns, $keys> {
            #[inline]
            fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                self.decrypt_one(block.into_out_with_copied_in());
            }
            #[inline]
            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.decrypt(blocks.into_buf());
            }
            #[inline]
            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.decrypt(blocks);
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

        impl Kalyna for $name {}

        impl Sealed for $name {
            const ZERO: Block<Self> = Array([0; 8 * $columns]);
            #[inline]
            fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
                $name::with_backend(key, backend)
            }
            #[inline]
            fn run<const DECRYPT: bool>(&self, mode: &mut impl Mode) {
                let mut buffer = [Self::ZERO; 128 / $columns];
                stages::run(self.0.token, mode, &mut buffer, |blocks| {
                    if DECRYPT { self.0.decrypt(blocks.into()) } else { self.0.encrypt(blocks.into()) }
                });
            }
            #[inline]
            fn keystream(&self, mode: &mut Keystream<'_, $block>) {
                self.0.keystream(mode);
            }
            type HashKey = Powers<{ $columns / 2 }>;
            #[inline]
            fn hash_key(&self, h: &Block<Self>) -> Self::HashKey {
                Powers::new(self.0.token, h)
            }
        }
    };
}

kalyna!(Kalyna128_128, "Kalyna-128/128": U16 "16", U16 "16", "10"; U128, 2, 2, 12);
kalyna!(Kalyna128_256, "Kalyna-128/256": U16 "16", U32 "32", "14"; U128, 2, 4, 16);
kalyna!(Kalyna256_256, "Kalyna-256/256": U32 "32", U32 "32", "14"; U64, 4, 4, 16);
kalyna!(Kalyna256_512, "Kalyna-256/512": U32 "32", U64 "64", "18"; U64, 4, 8, 20);
kalyna!(Kalyna512_512, "Kalyna-512/512": U64 "64", U64 "64", "18"; U32, 8, 8, 20);
