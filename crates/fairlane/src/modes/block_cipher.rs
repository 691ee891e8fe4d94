//! The traits of crate `cipher` for the types of block ciphers.

/// Implements `cipher`'s traits and `with_backend` for a block cipher's public type `$name(pub(super) $cipher)`.
///
/// `$cipher`, a key on a backend, has the method `ecb::<S, DECRYPT>(&self, blocks: &mut Ecb<S>)`. `$new` makes one of
/// a token and a key. `$parallel` is the number of blocks that generic modes should process at once.
macro_rules! block_cipher {
    ($name:ident($cipher:ty): key $key:ident, block $block:ident, parallel $parallel:ident,
     $backends:ident, $new:expr) => {
        impl $name {
            /// The cipher on one backend.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or the cipher has no kernel for it.
            #[inline]
            pub fn with_backend(
                key: &cipher::Key<Self>,
                backend: $crate::Backend,
            ) -> Result<Self, $crate::Unsupported> {
                let new: fn(fairlane_lanes::AnyToken, &cipher::Key<Self>) -> $cipher = $new;
                fairlane_lanes::AnyToken::among($backends, backend).map(|token| Self(new(token, key)))
            }
        }

        impl cipher::KeySizeUser for $name {
            type KeySize = $key;
        }

        impl cipher::BlockSizeUser for $name {
            type BlockSize = $block;
        }

        /// On the best backend that this machine has.
        impl cipher::KeyInit for $name {
            #[inline]
            fn new(key: &cipher::Key<Self>) -> Self {
                let new: fn(fairlane_lanes::AnyToken, &cipher::Key<Self>) -> $cipher = $new;
                Self(new(fairlane_lanes::AnyToken::best($backends), key))
            }
        }

        impl cipher::BlockCipherEncrypt for $name {
            #[inline]
            fn encrypt_with_backend(&self, f: impl cipher::BlockCipherEncClosure<BlockSize = $block>) {
                f.call(&self.0);
            }
        }

        impl cipher::BlockCipherDecrypt for $name {
            #[inline]
            fn decrypt_with_backend(&self, f: impl cipher::BlockCipherDecClosure<BlockSize = $block>) {
                f.call(&self.0);
            }
        }

        impl cipher::AlgorithmName for $name {
            fn write_alg_name(f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(stringify!($name))
            }
        }

        /// Shows no secret.
        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }

        impl zeroize::ZeroizeOnDrop for $name {}

        // Not generic and not inlined, so that the kernels are compiled in this crate, once.
        impl $cipher {
            #[inline(never)]
            fn encrypt_many(&self, blocks: &mut $crate::modes::ecb::Ecb<'_, $block>) {
                self.ecb::<_, false>(blocks);
            }
            #[inline(never)]
            fn decrypt_many(&self, blocks: &mut $crate::modes::ecb::Ecb<'_, $block>) {
                self.ecb::<_, true>(blocks);
            }
            /// One block, whose address is passed in a register.
            #[inline(never)]
            pub(super) fn encrypt_one(&self, block: &mut cipher::Array<u8, $block>) {
                self.ecb::<_, false>(&mut $crate::modes::ecb::Ecb(cipher::InOutBuf::from_mut(block)));
            }
            #[inline(never)]
            pub(super) fn decrypt_one(&self, block: &mut cipher::Array<u8, $block>) {
                self.ecb::<_, true>(&mut $crate::modes::ecb::Ecb(cipher::InOutBuf::from_mut(block)));
            }
        }

        impl cipher::BlockSizeUser for $cipher {
            type BlockSize = $block;
        }

        impl cipher::ParBlocksSizeUser for $cipher {
            type ParBlocksSize = $parallel;
        }

        $crate::modes::block_cipher::backend!(
            BlockCipherEncBackend for $cipher { encrypt_block, encrypt_par_blocks, encrypt_tail_blocks },
            encrypt_one, encrypt_many
        );
        $crate::modes::block_cipher::backend!(
            BlockCipherDecBackend for $cipher { decrypt_block, decrypt_par_blocks, decrypt_tail_blocks },
            decrypt_one, decrypt_many
        );
    };
}

/// One direction's trait for the closures of `cipher`.
macro_rules! backend {
    ($trait:ident for $cipher:ty { $one:ident, $many:ident, $tail:ident }, $crypt_one:ident, $crypt_many:ident) => {
        impl cipher::$trait for $cipher {
            #[inline]
            fn $one(&self, block: cipher::InOut<'_, '_, cipher::Block<Self>>) {
                self.$crypt_one(block.into_out_with_copied_in());
            }
            #[inline]
            fn $many(&self, blocks: cipher::InOut<'_, '_, cipher::ParBlocks<Self>>) {
                self.$crypt_many(&mut $crate::modes::ecb::Ecb(blocks.into_buf()));
            }
            #[inline]
            fn $tail(&self, blocks: cipher::InOutBuf<'_, '_, cipher::Block<Self>>) {
                self.$crypt_many(&mut $crate::modes::ecb::Ecb(blocks));
            }
        }
    };
}

pub(crate) use {backend, block_cipher};
