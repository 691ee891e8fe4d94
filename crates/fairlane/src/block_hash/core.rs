//! The hash of one message: in pieces of any length by the traits of `digest`, or in one call.

use super::function::{BLOCK, ByteOrder, CompressionFunction, MerkleDamgard};
use crate::hash_many::IteratedHash;
use crate::zeroizing::Zeroizing;
use crate::{Backend, Unsupported};
use core::fmt;
use core::marker::PhantomData;
use digest::array::Array;
use digest::block_api::{Block, Buffer, BufferKindUser, Eager, FixedOutputCore, UpdateCore};
use digest::common::{AlgorithmName, BlockSizeUser};
use digest::{HashMarker, Output, OutputSizeUser, Reset, consts};
use fairlane_lanes::AnyToken;

/// The hash of a compression function, without a buffer: for code that is generic over block hashes, such as
/// `hmac::Hmac`.
#[derive(Clone)]
pub struct HashCore<F: CompressionFunction<WORDS>, const WORDS: usize> {
    token: AnyToken,
    state: Zeroizing<[u32; WORDS]>,
    /// Blocks absorbed.
    blocks: u64,
    function: PhantomData<F>,
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> HashCore<F, WORDS> {
    /// The hash on a backend of the caller's choice.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or the hash has no kernel for it.
    pub fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(F::BACKENDS, backend).map(Self::new)
    }

    fn new(token: AnyToken) -> Self {
        Self { token, state: Zeroizing(F::INITIAL), blocks: 0, function: PhantomData }
    }
}

/// Writes the digest of one message, in one call.
pub(crate) fn hash_message<F: CompressionFunction<WORDS>, const WORDS: usize>(
    token: AnyToken,
    message: &[u8],
    digest: &mut [u8],
) {
    let hash = MerkleDamgard::<F>::NEW;
    let (blocks, rest) = message.as_chunks::<BLOCK>();
    let mut state = Zeroizing(F::INITIAL);
    F::absorb(token, &mut state.0, blocks);
    let mut padded = Zeroizing([[0; BLOCK]; 2]);
    hash.pad(Some(rest), message.len(), &mut padded.0[0]);
    let count = if rest.len() + MerkleDamgard::<F>::MIN_PADDING <= BLOCK { 1 } else { 2 };
    if count == 2 {
        hash.pad(None, message.len(), &mut padded.0[1]);
    }
    F::absorb(token, &mut state.0, &padded.0[..count]);
    hash.output(&state.0.map(|word| [word]), 0, digest);
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> Default for HashCore<F, WORDS> {
    #[inline]
    fn default() -> Self {
        Self::new(AnyToken::best(F::BACKENDS))
    }
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> fmt::Debug for HashCore<F, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HashCore").finish_non_exhaustive()
    }
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> AlgorithmName for HashCore<F, WORDS> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(F::NAME)
    }
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> HashMarker for HashCore<F, WORDS> {}

#[cfg(feature = "zeroize")]
impl<F: CompressionFunction<WORDS>, const WORDS: usize> zeroize::ZeroizeOnDrop for HashCore<F, WORDS> {}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> BlockSizeUser for HashCore<F, WORDS> {
    type BlockSize = consts::U64;
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> OutputSizeUser for HashCore<F, WORDS> {
    type OutputSize = F::OutputSize;
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> BufferKindUser for HashCore<F, WORDS> {
    type BufferKind = Eager;
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> Reset for HashCore<F, WORDS> {
    #[inline]
    fn reset(&mut self) {
        self.state.0 = F::INITIAL;
        self.blocks = 0;
    }
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> UpdateCore for HashCore<F, WORDS> {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.blocks += blocks.len() as u64;
        F::absorb(self.token, &mut self.state.0, Array::cast_slice_to_core(blocks));
    }
}

impl<F: CompressionFunction<WORDS>, const WORDS: usize> FixedOutputCore for HashCore<F, WORDS> {
    #[inline]
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let bits = 8 * (self.blocks * BLOCK as u64 + buffer.get_pos() as u64);
        let absorb = |block: &Block<Self>| F::absorb(self.token, &mut self.state.0, &[block.0]);
        match F::BYTE_ORDER {
            ByteOrder::Big => buffer.len64_padding_be(bits, absorb),
            ByteOrder::Little => buffer.len64_padding_le(bits, absorb),
        }
        MerkleDamgard::<F>::NEW.output(&self.state.0.map(|word| [word]), 0, out);
    }
}
