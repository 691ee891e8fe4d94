//! Cipher block chaining: each block of plaintext is added to the ciphertext block before it.
//!
//! Encryption waits for each block; decryption processes many at once.

use super::{Mode, ModeCipher, word_range, xor_block};
use crate::in_out::take;
use crate::{Backend, Unsupported};
use cipher::array::ArraySize;
use cipher::common::InnerUser;
use cipher::consts::U128;
use cipher::{
    AlgorithmName, Array, Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOut, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, Key,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use core::fmt;
use fairlane_lanes::BlocksN;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A block cipher in CBC mode, its own or borrowed, for the types that are generic over it. Other crates cannot
/// implement it.
pub trait CbcCipher: BlockSizeUser + Clone {
    /// The module of the cipher, as [`AlgorithmName`] writes it.
    const MODULE: &'static str;
    /// The names of the encryptor and the decryptor in debug output.
    const DEBUG_NAMES: [&'static str; 2];

    /// Encrypts blocks after the ciphertext block `previous`, which becomes the last one.
    fn cbc_encrypt(&self, previous: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>);

    /// Decrypts blocks.
    fn cbc_decrypt(&self, ciphertext: &mut Decryption<'_, Self::BlockSize>);
}

/// One that can be made of a key.
pub trait CbcKeyInit: CbcCipher + KeySizeUser + ZeroizeOnDrop {
    /// The cipher on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or the cipher has no kernel for it.
    fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported>;
}

/// A key that serves many messages is borrowed by each: its schedule is neither copied nor erased with them.
impl<C: CbcCipher> CbcCipher for &C {
    const MODULE: &'static str = C::MODULE;
    const DEBUG_NAMES: [&'static str; 2] = C::DEBUG_NAMES;

    #[inline]
    fn cbc_encrypt(&self, previous: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>) {
        C::cbc_encrypt(self, previous, blocks);
    }

    #[inline]
    fn cbc_decrypt(&self, ciphertext: &mut Decryption<'_, Self::BlockSize>) {
        C::cbc_decrypt(self, ciphertext);
    }
}

/// One direction's type.
macro_rules! mode {
    ($(#[$doc:meta])* $name:ident, $number:literal, $trait:ident { $with_backend:ident: $closure:ident },
     $backend:ident { $one:ident, $many:ident, $tail:ident },
     |$cipher:ident, $previous:ident, $blocks:ident| $crypt:expr) => {
        $(#[$doc])*
        ///
        /// The IV is one block; each call continues where the last one ended. Key and IV are erased on drop. With
        /// `inner_iv_init(&cipher, &iv)`, a method of [`InnerIvInit`], one cipher serves many messages, each of which
        /// borrows its key.
        #[derive(Clone)]
        pub struct $name<C: CbcCipher> {
            cipher: C,
            /// The ciphertext block before the next.
            previous: Block<C>,
        }

        impl<C: CbcKeyInit> $name<C> {
            /// The mode on one backend.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or the cipher has no kernel for it.
            #[inline]
            pub fn with_backend(key: &Key<C>, iv: &Iv<Self>, backend: Backend) -> Result<Self, Unsupported> {
                Ok(Self { cipher: C::with_backend(key, backend)?, previous: iv.clone() })
            }
        }

        impl<C: CbcCipher> $name<C> {
            #[inline(always)]
            fn crypt(&mut self, $blocks: InOutBuf<'_, '_, Block<C>>) {
                let Self { cipher: $cipher, previous: $previous } = self;
                $crypt;
            }
        }

        impl<C: CbcCipher> BlockSizeUser for $name<C> {
            type BlockSize = C::BlockSize;
        }

        impl<C: CbcCipher> ParBlocksSizeUser for $name<C> {
            type ParBlocksSize = U128;
        }

        impl<C: CbcCipher> InnerUser for $name<C> {
            type Inner = C;
        }

        impl<C: CbcCipher> IvSizeUser for $name<C> {
            type IvSize = C::BlockSize;
        }

        impl<C: CbcCipher> InnerIvInit for $name<C> {
            #[inline]
            fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
                // If a cipher of its own were moved, its round keys would stay behind in memory.
                Self { cipher: cipher.clone(), previous: iv.clone() }
            }
        }

        impl<C: CbcCipher> IvState for $name<C> {
            #[inline]
            fn iv_state(&self) -> Iv<Self> {
                self.previous.clone()
            }
        }

        impl<C: CbcCipher> $trait for $name<C> {
            #[inline]
            fn $with_backend(&mut self, f: impl $closure<BlockSize = C::BlockSize>) {
                f.call(self);
            }
        }

        impl<C: CbcCipher> $backend for $name<C> {
            #[inline]
            fn $one(&mut self, block: InOut<'_, '_, Block<Self>>) {
                self.crypt(block.into_buf().into_chunks().0);
            }
            #[inline]
            fn $many(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.crypt(blocks.into_buf());
            }
            #[inline]
            fn $tail(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.crypt(blocks);
            }
        }

        impl<C: CbcCipher> AlgorithmName for $name<C> {
            fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("{}::Cbc", stringify!($name)), C::MODULE)
            }
        }

        /// Shows no secret.
        impl<C: CbcCipher> fmt::Debug for $name<C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(C::DEBUG_NAMES[$number]).finish_non_exhaustive()
            }
        }

        impl<C: CbcCipher> Drop for $name<C> {
            #[inline]
            fn drop(&mut self) {
                self.previous.zeroize();
            }
        }

        /// The cipher erases itself; a borrowed one is its owner's.
        impl<C: CbcCipher> ZeroizeOnDrop for $name<C> {}
    };
}

mode!(
    /// Encryption in CBC mode, with the traits of [`cipher`](crate::cipher): whole blocks, each of which waits for the
    /// one before.
    Encryptor,
    0,
    BlockModeEncrypt { encrypt_with_backend: BlockModeEncClosure },
    BlockModeEncBackend { encrypt_block, encrypt_par_blocks, encrypt_tail_blocks },
    |cipher, previous, blocks| cipher.cbc_encrypt(previous, blocks)
);
mode!(
    /// Decryption in CBC mode, many blocks at once: the inverse of [`Encryptor`].
    Decryptor,
    1,
    BlockModeDecrypt { decrypt_with_backend: BlockModeDecClosure },
    BlockModeDecBackend { decrypt_block, decrypt_par_blocks, decrypt_tail_blocks },
    // Made here and passed by a pointer: a copy would wait for the narrow stores of its parts.
    |cipher, previous, blocks| {
        cipher.cbc_decrypt(&mut Decryption(Ciphertext { previous, blocks, preceding_first: [0; 64] }));
    }
);

/// Encrypts blocks one after the other; `previous` is the ciphertext block before them, and then the last one.
#[inline(always)]
pub(crate) fn encrypt<C: ModeCipher>(cipher: &C, previous: &mut Block<C>, blocks: InOutBuf<'_, '_, Block<C>>) {
    for mut block in blocks {
        xor_block(previous, block.get_in());
        cipher.process_block::<false>(previous);
        block.get_out().copy_from_slice(previous);
    }
}

/// Ciphertext, and the ciphertext one block before: what CBC and CFB decrypt from.
pub(crate) struct Ciphertext<'a, S: ArraySize> {
    /// The block before the next.
    previous: &'a mut Array<u8, S>,
    blocks: InOutBuf<'a, 'a, Array<u8, S>>,
    /// What precedes the blocks of a batch's first word, or its first block if a block is longer than a word. In place
    /// the blocks themselves are overwritten before this is added.
    preceding_first: [u8; 64],
}

impl<'a, S: ArraySize> Ciphertext<'a, S> {
    /// Blocks after `previous`, which becomes the last one.
    #[inline(always)]
    pub(crate) fn new(previous: &'a mut Array<u8, S>, blocks: InOutBuf<'a, 'a, Array<u8, S>>) -> Self {
        Self { previous, blocks, preceding_first: [0; 64] }
    }

    /// Keeps what a batch of `len` bytes overwrites, before its first word is loaded.
    #[inline(always)]
    pub(crate) fn begin<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, len: usize) {
        let ciphertext = Array::slice_as_flattened(self.blocks.get_in());
        self.preceding_first[..S::USIZE].copy_from_slice(self.previous);
        if N > S::USIZE {
            let first = word_range::<N>(0, len).len();
            W::load(token, &ciphertext[..first - S::USIZE]).store(&mut self.preceding_first[S::USIZE..first]);
        }
        self.previous.copy_from_slice(&ciphertext[len - S::USIZE..][..S::USIZE]);
    }

    /// A word of ciphertext.
    #[inline(always)]
    pub(crate) fn load<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize, len: usize) -> W {
        W::load(token, &Array::slice_as_flattened(self.blocks.get_in())[word_range::<N>(from, len)])
    }

    /// The ciphertext one block before that. It is not overwritten yet, as a batch is stored from its end.
    #[inline(always)]
    pub(crate) fn load_preceding<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize, len: usize) -> W {
        let range = word_range::<N>(from, len);
        W::load(
            token,
            if from < N || from < S::USIZE {
                &self.preceding_first[range]
            } else {
                let ciphertext = Array::slice_as_flattened(self.blocks.get_in());
                &ciphertext[range.start.saturating_sub(S::USIZE)..][..range.len()]
            },
        )
    }

    /// Writes a word of plaintext.
    #[inline(always)]
    pub(crate) fn store<W: BlocksN<N>, const N: usize>(&mut self, from: usize, len: usize, plaintext: W) {
        plaintext.store(&mut Array::slice_as_flattened_mut(self.blocks.get_out())[word_range::<N>(from, len)]);
    }

    /// Bytes of the blocks that are left.
    #[inline(always)]
    pub(crate) fn remaining(&self) -> usize {
        self.blocks.len() * S::USIZE
    }

    /// Skips the first `len` bytes.
    #[inline(always)]
    pub(crate) fn advance(&mut self, len: usize) {
        take(&mut self.blocks, len / S::USIZE);
    }
}

/// Decryption in CBC mode: the cipher decrypts the ciphertext, and the ciphertext one block before is added.
pub struct Decryption<'a, S: ArraySize>(Ciphertext<'a, S>);

impl<S: ArraySize> Mode for Decryption<'_, S> {
    #[inline(always)]
    fn remaining(&self) -> usize {
        self.0.remaining()
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize) -> W {
        if from == 0 {
            self.0.begin::<W, N>(token, len);
        }
        self.0.load(token, from, len)
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W) {
        let preceding = self.0.load_preceding(token, from, len);
        self.0.store(from, len, output.xor(preceding));
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.0.advance(len);
    }
}
