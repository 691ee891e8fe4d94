//! The hash: one message in pieces of any length, in one call, or many.

use super::kernels::Sm3Function;
use crate::block_hash::{self, CompressionFunction, HashCore};
use crate::hash_many::{HashManyKernels, Messages, Rows};
use crate::{Backend, HashMany, Unsupported};
use digest::block_api::Buffer;
use fairlane_lanes::AnyToken;

/// Bytes of a digest.
const OUTPUT: usize = 32;

/// [`Sm3`] without its buffer: for code that is generic over block hashes, such as `hmac::Hmac`.
pub type Sm3Core = HashCore<Sm3Function, 8>;

digest::buffer_fixed!(
    /// SM3 (GB/T 32905-2016): a digest of 32 bytes, from blocks of 64 bytes.
    pub struct Sm3(Sm3Core);
    impl: BaseFixedTraits AlgorithmName Default Clone HashMarker Reset FixedOutputReset ZeroizeOnDrop;
);

impl Sm3 {
    /// A hasher on a backend of the caller's choice.
    ///
    /// # Errors
    /// The backend is not available here.
    pub fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { core: Sm3Core::with_backend(backend)?, buffer: Buffer::<Sm3Core>::default() })
    }
}

/// [`Sm3`] of one message, in one call.
pub fn sm3(message: &[u8]) -> [u8; OUTPUT] {
    let mut digest = [0; OUTPUT];
    block_hash::hash_message::<Sm3Function, 8>(AnyToken::best(Sm3Function::BACKENDS), message, &mut digest);
    digest
}

impl HashManyKernels for Sm3 {
    const BACKENDS: &'static [Backend] = Sm3Function::BACKENDS;
    const OUTPUT_SIZE: Option<usize> = Some(OUTPUT);

    #[inline(never)]
    fn hash_message(token: AnyToken, message: &[u8], output: &mut [u8]) {
        block_hash::hash_message::<Sm3Function, 8>(token, message, output);
    }

    #[inline(never)]
    fn hash_messages(token: AnyToken, messages: &mut dyn Messages) {
        block_hash::hash_messages::<Sm3Function, 8>(token, messages);
    }

    #[inline(never)]
    fn hash_groups(token: AnyToken, rows: &mut Rows<'_>) {
        block_hash::hash_groups::<Sm3Function, 8>(token, rows);
    }
}

impl HashMany for Sm3 {}
