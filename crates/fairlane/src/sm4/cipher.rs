//! The block cipher: its type, and the traits of `cipher`.

use super::kernels::{BACKENDS, Cipher, Mode, bytes};
use crate::{Backend, Unsupported};
use cipher::consts::{U16, U64};
use cipher::{
    AlgorithmName, Array, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, InOutBuf, Key, KeyInit,
    KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use core::fmt;
use fairlane_lanes::{AnyToken, BlocksN};
use zeroize::ZeroizeOnDrop;

/// SM4 (GB/T 32907-2016, RFC 8998): a block cipher with blocks of 16 bytes and a key of 16.
///
/// Encrypting and decrypting many blocks in one call is many times as fast as one by one, and the mode crates make use
/// of that. The round keys are erased on drop.
#[derive(Clone)]
pub struct Sm4(pub(super) Cipher);

impl Sm4 {
    /// The cipher on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or SM4 has no kernel for it.
    #[inline]
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(|token| Self(Cipher::new(token, key.as_ref())))
    }
}

/// Each block for itself.
struct Ecb<'a>(InOutBuf<'a, 'a, Array<u8, U16>>);

impl Mode for Ecb<'_> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize) -> W {
        W::load(token, &Array::slice_as_flattened(self.0.get_in())[bytes::<N>(from, count)])
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, _: W::Token, from: usize, count: usize, output: W) {
        output.store(&mut Array::slice_as_flattened_mut(self.0.get_out())[bytes::<N>(from, count)]);
    }

    #[inline(always)]
    fn advance(&mut self, count: usize) {
        let rest = core::mem::replace(&mut self.0, (&mut [][..]).into());
        self.0 = rest.split_at(count).1;
    }
}

impl Cipher {
    /// Encrypts or decrypts one block.
    #[inline]
    pub(super) fn block<const DECRYPT: bool>(&self, block: &mut [u8; 16]) {
        self.run::<DECRYPT>(&mut Ecb(InOutBuf::from_mut(block.into())));
    }
}

impl BlockSizeUser for Cipher {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Cipher {
    type ParBlocksSize = U64;
}

/// The traits for both directions.
macro_rules! direction {
    ($decrypt:literal, $backend:ident { $one:ident, $many:ident, $tail:ident }) => {
        impl $backend for Cipher {
            #[inline(always)]
            fn $one(&self, block: InOut<'_, '_, Block<Self>>) {
                self.run::<$decrypt>(&mut Ecb(InOutBuf::from_mut(block.into_out_with_copied_in())));
            }
            #[inline(always)]
            fn $many(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                self.run::<$decrypt>(&mut Ecb(blocks.into_buf()));
            }
            #[inline(always)]
            fn $tail(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                self.run::<$decrypt>(&mut Ecb(blocks));
            }
        }
    };
}
direction!(false, BlockCipherEncBackend { encrypt_block, encrypt_par_blocks, encrypt_tail_blocks });
direction!(true, BlockCipherDecBackend { decrypt_block, decrypt_par_blocks, decrypt_tail_blocks });

impl KeySizeUser for Sm4 {
    type KeySize = U16;
}

impl BlockSizeUser for Sm4 {
    type BlockSize = U16;
}

impl KeyInit for Sm4 {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self(Cipher::new(AnyToken::best(BACKENDS), key.as_ref()))
    }
}

impl BlockCipherEncrypt for Sm4 {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        f.call(&self.0);
    }
}

impl BlockCipherDecrypt for Sm4 {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        f.call(&self.0);
    }
}

impl AlgorithmName for Sm4 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4")
    }
}

/// Shows no secret.
impl fmt::Debug for Sm4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4").finish_non_exhaustive()
    }
}

impl ZeroizeOnDrop for Sm4 {}
