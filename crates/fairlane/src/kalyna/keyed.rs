//! What the modes that are made from a key alone have in common, and what both MACs have.

/// Implements [`KeyInit`](cipher::KeyInit), `with_backend`, `Debug` and `ZeroizeOnDrop` for a mode that has a function
/// `with_cipher`, and whose parts erase themselves.
macro_rules! keyed_mode {
    ($mode:ident, $name:literal) => {
        impl<C: Kalyna> $mode<C> {
            /// The mode on one backend, of those that Kalyna has.
            ///
            /// # Errors
            /// This CPU lacks the backend's features, or Kalyna has no kernel for it.
            pub fn with_backend(
                key: &cipher::Key<Self>,
                backend: $crate::Backend,
            ) -> Result<Self, $crate::Unsupported> {
                C::with_backend(key, backend).map(Self::with_cipher)
            }
        }

        impl<C: Kalyna> cipher::KeySizeUser for $mode<C> {
            type KeySize = C::KeySize;
        }

        /// On the best backend that this machine has.
        impl<C: Kalyna> cipher::KeyInit for $mode<C> {
            fn new(key: &cipher::Key<Self>) -> Self {
                Self::with_cipher(C::new(key))
            }
        }

        /// Shows no secret.
        impl<C: Kalyna> core::fmt::Debug for $mode<C> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct($name).finish_non_exhaustive()
            }
        }

        /// The parts erase themselves.
        impl<C: Kalyna> zeroize::ZeroizeOnDrop for $mode<C> {}
    };
}
pub(super) use keyed_mode;

/// Implements the traits of `digest` that give a tag of one block, for a MAC that has a method `tag` and is `Reset`.
macro_rules! mac {
    ($mac:ident) => {
        impl<C: Kalyna> digest::OutputSizeUser for $mac<C> {
            type OutputSize = C::BlockSize;
        }

        impl<C: Kalyna> digest::FixedOutput for $mac<C> {
            fn finalize_into(mut self, out: &mut digest::Output<Self>) {
                *out = self.tag();
            }
        }

        impl<C: Kalyna> digest::FixedOutputReset for $mac<C> {
            fn finalize_into_reset(&mut self, out: &mut digest::Output<Self>) {
                *out = self.tag();
                self.reset();
            }
        }

        impl<C: Kalyna> digest::MacMarker for $mac<C> {}
    };
}
pub(super) use mac;
