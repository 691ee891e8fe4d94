//! Cipher block chaining (NIST SP 800-38A, section 6.2; GB/T 17964-2021).
//!
//! Each block of a message waits for the one before when it is encrypted, but not when it is decrypted, nor does one
//! message wait for another: [`encrypt_many`] encrypts many side by side.
//!
//! ```
//! use fairlane::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
//! use fairlane::sm4::{CbcDecryptor, CbcEncryptor};
//!
//! let (key, iv) = ([7; 16].into(), [1; 16].into()); // an IV must not be foreseen
//! let mut blocks = [[3; 16].into(), [3; 16].into()];
//! CbcEncryptor::new(&key, &iv).encrypt_blocks(&mut blocks);
//! assert_ne!(blocks[0], blocks[1]);
//! CbcDecryptor::new(&key, &iv).decrypt_blocks(&mut blocks);
//! assert_eq!(blocks, [[3; 16], [3; 16]]);
//! ```
//!
//! The traits take whole blocks, by their type. Their calls for padded messages (feature `block-padding` of the crate
//! `cipher`) make data that is not whole blocks an error. Nothing here notices changed data, and how a program answers
//! to wrong padding can give a message away: most programs want an AEAD.

use super::Sm4;
use super::kernels::{BACKENDS, Cipher, Mode, bytes};
use crate::{Backend, Unsupported};
use cipher::common::InnerUser;
use cipher::consts::{U16, U64};
use cipher::{
    AlgorithmName, Array, Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOut, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, Key,
    ParBlocks, ParBlocksSizeUser,
};
use core::fmt;
use fairlane_lanes::{AnyToken, BlocksN};
use zeroize::{Zeroize, ZeroizeOnDrop};

pub use super::chains::{Message, encrypt_many};

/// One direction's type.
macro_rules! mode {
    ($name:ident, $doing:literal, $trait:ident { $with_backend:ident: $closure:ident }, $backend:ident {
        $one:ident, $many:ident, $tail:ident
    }, |$cipher:ident, $iv:ident, $blocks:ident| $work:expr) => {
        #[doc = concat!($doing, " with SM4 in CBC mode: key of 16 bytes, IV of 16, each call from where the last one ended.")]
        ///
        /// Key and IV are erased on drop.
        #[derive(Clone)]
        pub struct $name {
            cipher: Cipher,
            iv: [u8; 16],
        }

        impl $name {
            /// The mode on one backend.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or SM4 has no kernel for it.
            #[inline]
            pub fn with_backend(key: &Key<Self>, iv: &Iv<Self>, backend: Backend) -> Result<Self, Unsupported> {
                let token = AnyToken::among(BACKENDS, backend)?;
                Ok(Self { cipher: Cipher::new(token, key.as_ref()), iv: (*iv).into() })
            }

            #[inline]
            fn run(&mut self, $blocks: InOutBuf<'_, '_, Array<u8, U16>>) {
                let Self { cipher: $cipher, iv: $iv } = self;
                $work
            }
        }

        impl BlockSizeUser for $name {
            type BlockSize = U16;
        }

        impl ParBlocksSizeUser for $name {
            type ParBlocksSize = U64;
        }

        impl InnerUser for $name {
            type Inner = Sm4;
        }

        impl IvSizeUser for $name {
            type IvSize = U16;
        }

        impl InnerIvInit for $name {
            #[inline]
            fn inner_iv_init(cipher: Sm4, iv: &Iv<Self>) -> Self {
                // Moved, it would leave its round keys behind.
                Self { cipher: cipher.0.clone(), iv: (*iv).into() }
            }
        }

        impl IvState for $name {
            #[inline]
            fn iv_state(&self) -> Iv<Self> {
                self.iv.into()
            }
        }

        impl $trait for $name {
            #[inline]
            fn $with_backend(&mut self, f: impl $closure<BlockSize = U16>) {
                f.call(self);
            }
        }

        impl $backend for $name {
            #[inline]
            fn $one(&mut self, block: InOut<'_, '_, Block<Self>>) {
                self.run(InOutBuf::from_mut(block.into_out_with_copied_in()));
            }
            #[inline]
            fn $many(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.run(blocks.into_buf());
            }
            #[inline]
            fn $tail(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.run(blocks);
            }
        }

        impl AlgorithmName for $name {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!("sm4::", stringify!($name)))
            }
        }

        /// Shows no secret.
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                self.iv.zeroize();
            }
        }

        impl ZeroizeOnDrop for $name {}
    };
}

mode!(
    CbcEncryptor,
    "Encryption",
    BlockModeEncrypt { encrypt_with_backend: BlockModeEncClosure },
    BlockModeEncBackend { encrypt_block, encrypt_par_blocks, encrypt_tail_blocks },
    |cipher, iv, blocks| for mut block in blocks {
        *iv = (u128::from_ne_bytes(*iv) ^ u128::from_ne_bytes((*block.get_in()).into())).to_ne_bytes();
        cipher.block::<false>(iv);
        *block.get_out() = (*iv).into();
    }
);
mode!(
    CbcDecryptor,
    "Decryption",
    BlockModeDecrypt { decrypt_with_backend: BlockModeDecClosure },
    BlockModeDecBackend { decrypt_block, decrypt_par_blocks, decrypt_tail_blocks },
    |cipher, iv, blocks| cipher.run::<true>(&mut Decryption { iv, blocks, before: [0; 64] })
);

/// Ciphertext in; out, what comes of it and the ciphertext one block before.
struct Decryption<'a> {
    /// The ciphertext block before the next.
    iv: &'a mut [u8; 16],
    blocks: InOutBuf<'a, 'a, Array<u8, U16>>,
    /// The blocks before those of a batch's first word, which are overwritten when that is stored.
    before: [u8; 64],
}

impl Mode for Decryption<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.blocks.len()
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize) -> W {
        let ciphertext = Array::slice_as_flattened(self.blocks.get_in());
        if from == 0 {
            let first = bytes::<N>(0, count).len();
            self.before[..16].copy_from_slice(self.iv);
            W::load(token, &ciphertext[..first - 16]).store(&mut self.before[16..first]);
            self.iv.copy_from_slice(&ciphertext[16 * (count - 1)..][..16]);
        }
        W::load(token, &ciphertext[bytes::<N>(from, count)])
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize, output: W) {
        let range = bytes::<N>(from, count);
        let before = if from == 0 {
            &self.before[..range.len()]
        } else {
            // Not overwritten yet: the batch is stored from its end.
            &Array::slice_as_flattened(self.blocks.get_in())[range.start.saturating_sub(16)..][..range.len()]
        };
        let before = W::load(token, before);
        output.xor(before).store(&mut Array::slice_as_flattened_mut(self.blocks.get_out())[range]);
    }

    #[inline(always)]
    fn advance(&mut self, count: usize) {
        let rest = core::mem::replace(&mut self.blocks, (&mut [][..]).into());
        self.blocks = rest.split_at(count).1;
    }
}
