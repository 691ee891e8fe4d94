//! Cipher block chaining (DSTU 7624:2014, clause 10).

use super::blocks::{Kalyna, Sealed};
use super::chains::Decryption;
use super::kernels::{Mode, bytes};
use crate::{Backend, Unsupported};
use cipher::array::ArraySize;
use cipher::common::InnerUser;
use cipher::consts::U128;
use cipher::{
    AlgorithmName, Array, Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOut, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, Key,
    ParBlocks, ParBlocksSizeUser,
};
use core::fmt;
use fairlane_lanes::BlocksN;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// One direction's type.
macro_rules! mode {
    ($(#[$doc:meta])* $name:ident, $trait:ident { $with_backend:ident: $closure:ident }, $backend:ident {
        $one:ident, $many:ident, $tail:ident
    }, |$cipher:ident, $iv:ident, $blocks:ident| $work:expr) => {
        $(#[$doc])*
        ///
        /// The IV is one block; each call goes on where the last one ended. Key and IV are erased on drop.
        #[derive(Clone)]
        pub struct $name<C: Kalyna> {
            cipher: C,
            iv: Block<C>,
        }

        impl<C: Kalyna> $name<C> {
            /// The mode on one backend.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or Kalyna has no kernel for it.
            #[inline]
            pub fn with_backend(key: &Key<C>, iv: &Iv<Self>, backend: Backend) -> Result<Self, Unsupported> {
                Ok(Self { cipher: Sealed::with_backend(key, backend)?, iv: iv.clone() })
            }

            #[inline]
            fn run(&mut self, $blocks: InOutBuf<'_, '_, Block<C>>) {
                let Self { cipher: $cipher, iv: $iv } = self;
                $work
            }
        }

        impl<C: Kalyna> BlockSizeUser for $name<C> {
            type BlockSize = C::BlockSize;
        }

        impl<C: Kalyna> ParBlocksSizeUser for $name<C> {
            type ParBlocksSize = U128;
        }

        impl<C: Kalyna> InnerUser for $name<C> {
            type Inner = C;
        }

        impl<C: Kalyna> IvSizeUser for $name<C> {
            type IvSize = C::BlockSize;
        }

        impl<C: Kalyna> InnerIvInit for $name<C> {
            #[inline]
            fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
                // Moved, it would leave its round keys behind.
                Self { cipher: cipher.clone(), iv: iv.clone() }
            }
        }

        impl<C: Kalyna> IvState for $name<C> {
            #[inline]
            fn iv_state(&self) -> Iv<Self> {
                self.iv.clone()
            }
        }

        impl<C: Kalyna> $trait for $name<C> {
            #[inline]
            fn $with_backend(&mut self, f: impl $closure<BlockSize = C::BlockSize>) {
                f.call(self);
            }
        }

        impl<C: Kalyna> $backend for $name<C> {
            #[inline]
            fn $one(&mut self, block: InOut<'_, '_, Block<Self>>) {
                self.run(block.into_buf().into_chunks().0);
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

        impl<C: Kalyna> AlgorithmName for $name<C> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!("kalyna::", stringify!($name)))
            }
        }

        /// Shows no secret.
        impl<C: Kalyna> fmt::Debug for $name<C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(concat!("Kalyna", stringify!($name))).finish_non_exhaustive()
            }
        }

        impl<C: Kalyna> Drop for $name<C> {
            fn drop(&mut self) {
                self.iv.zeroize();
            }
        }

        /// The cipher erases itself.
        impl<C: Kalyna> ZeroizeOnDrop for $name<C> {}
    };
}

mode!(
    /// Encryption with Kalyna in CBC mode (DSTU 7624:2014, clause 10), with the traits of [`cipher`](crate::cipher):
    /// whole blocks.
    ///
    /// Each block waits for the one before. An IV must not be foreseen, and nothing here notices changed data: most
    /// programs want an AEAD.
    ///
    /// ```
    /// use fairlane::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
    /// use fairlane::kalyna::{CbcDecryptor, CbcEncryptor, Kalyna256_512};
    ///
    /// let (key, iv) = ([7; 64].into(), [1; 32].into());
    /// let mut blocks = [[3; 32].into(), [3; 32].into()];
    /// CbcEncryptor::<Kalyna256_512>::new(&key, &iv).encrypt_blocks(&mut blocks);
    /// assert_ne!(blocks[0], blocks[1]);
    /// CbcDecryptor::<Kalyna256_512>::new(&key, &iv).decrypt_blocks(&mut blocks);
    /// assert_eq!(blocks, [[3; 32], [3; 32]]);
    /// ```
    CbcEncryptor,
    BlockModeEncrypt { encrypt_with_backend: BlockModeEncClosure },
    BlockModeEncBackend { encrypt_block, encrypt_par_blocks, encrypt_tail_blocks },
    |cipher, iv, blocks| cipher.run::<false>(&mut Encryption { iv, blocks })
);
mode!(
    /// Decryption with Kalyna in CBC mode, many blocks at once: the converse of [`CbcEncryptor`].
    CbcDecryptor,
    BlockModeDecrypt { decrypt_with_backend: BlockModeDecClosure },
    BlockModeDecBackend { decrypt_block, decrypt_par_blocks, decrypt_tail_blocks },
    |cipher, iv, blocks| cipher.run::<true>(&mut Decryption::<_, false>::new(iv, blocks))
);

/// One block after the other.
struct Encryption<'a, S: ArraySize> {
    /// The ciphertext block before the next.
    iv: &'a mut Array<u8, S>,
    blocks: InOutBuf<'a, 'a, Array<u8, S>>,
}

impl<S: ArraySize> Mode for Encryption<'_, S> {
    #[inline(always)]
    fn left(&self) -> usize {
        if self.blocks.is_empty() { 0 } else { S::USIZE }
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        let range = bytes::<N>(from, len);
        W::load(token, &self.iv[range.clone()]).xor(W::load(token, &self.blocks.get_in()[0][range]))
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, _: W::Token, from: usize, len: usize, output: W) {
        let range = bytes::<N>(from, len);
        output.store(&mut self.iv[range.clone()]);
        output.store(&mut self.blocks.get_out()[0][range]);
    }

    #[inline(always)]
    fn advance(&mut self, _: usize) {
        let rest = core::mem::replace(&mut self.blocks, (&mut [][..]).into());
        self.blocks = rest.split_at(1).1;
    }
}
