//! The hash: one message in pieces of any length, in one call, or many.

use super::compression::{INITIAL, State};
use super::kernels::{BLOCK, Compressor};
use super::many::Padding;
use crate::batch::BlockHash;
use crate::erased::Erased;
use crate::many::hash_all;
use crate::{Backend, HashMany, HashManyError, Unsupported};
use core::fmt;
use digest::array::Array;
use digest::block_api::{Block, Buffer, BufferKindUser, Eager, FixedOutputCore, UpdateCore};
use digest::common::{AlgorithmName, BlockSizeUser};
use digest::{HashMarker, Output, OutputSizeUser, Reset, consts};

/// Bytes of a digest.
const OUTPUT: usize = 32;

digest::buffer_fixed!(
    /// SM3 (GB/T 32905-2016): 32 bytes, from blocks of 64.
    pub struct Sm3(Sm3Core);
    impl: BaseFixedTraits AlgorithmName Default Clone HashMarker Reset FixedOutputReset ZeroizeOnDrop;
);

impl Sm3 {
    /// A hasher on a backend of the caller's choice.
    ///
    /// # Errors
    /// The backend is not available here.
    pub fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { core: Sm3Core::new(Compressor::new(backend)?), buffer: Buffer::<Sm3Core>::default() })
    }
}

/// [`Sm3`] of one message, in one call.
pub fn sm3(message: &[u8]) -> [u8; OUTPUT] {
    let (blocks, rest) = message.as_chunks::<BLOCK>();
    let compressor = Compressor::best();
    let mut state = Erased(INITIAL);
    compressor.absorb(&mut state.0, blocks);
    let mut tail = Erased([[0; BLOCK]; 2]);
    Padding.pad(Some(rest), message.len(), &mut tail.0[0]);
    let ends = if rest.len() + Padding::PADDING <= BLOCK { 1 } else { 2 };
    if ends == 2 {
        Padding.pad(None, message.len(), &mut tail.0[1]);
    }
    compressor.absorb(&mut state.0, &tail.0[..ends]);
    digest_of(&state.0)
}

/// A state as bytes.
#[inline]
fn digest_of(state: &State<u32>) -> [u8; OUTPUT] {
    let mut digest = [0; OUTPUT];
    for (bytes, number) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = number.to_be_bytes();
    }
    digest
}

/// [`Sm3`] without its buffer: for code that is generic over block hashes, such as `hmac::Hmac`.
#[derive(Clone)]
pub struct Sm3Core {
    compressor: Compressor,
    state: Erased<State<u32>>,
    /// Blocks taken so far.
    blocks: u64,
}

impl Sm3Core {
    fn new(compressor: Compressor) -> Self {
        Self { compressor, state: Erased(INITIAL), blocks: 0 }
    }
}

impl Default for Sm3Core {
    #[inline]
    fn default() -> Self {
        Self::new(Compressor::best())
    }
}

impl fmt::Debug for Sm3Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm3Core { .. }")
    }
}

impl AlgorithmName for Sm3Core {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SM3")
    }
}

impl HashMarker for Sm3Core {}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Sm3Core {}

impl BlockSizeUser for Sm3Core {
    type BlockSize = consts::U64;
}

impl OutputSizeUser for Sm3Core {
    type OutputSize = consts::U32;
}

impl BufferKindUser for Sm3Core {
    type BufferKind = Eager;
}

impl Reset for Sm3Core {
    #[inline]
    fn reset(&mut self) {
        self.state.0 = INITIAL;
        self.blocks = 0;
    }
}

impl UpdateCore for Sm3Core {
    #[inline]
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.blocks += blocks.len() as u64;
        self.compressor.absorb(&mut self.state.0, Array::cast_slice_to_core(blocks));
    }
}

impl FixedOutputCore for Sm3Core {
    #[inline]
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        let bytes = self.blocks * BLOCK as u64 + buffer.get_pos() as u64;
        buffer.len64_padding_be(8 * bytes, |block| self.compressor.absorb(&mut self.state.0, &[block.0]));
        out.0 = digest_of(&self.state.0);
    }
}

impl HashMany for Sm3 {
    fn hash_many<I, O>(messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
    where
        I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        O: AsMut<[u8]>,
    {
        hash_all(messages, outputs, Some(OUTPUT), |slots| Compressor::best().many(slots))
    }

    fn hash_many_with<I, O>(backend: Backend, messages: I, outputs: &mut [O]) -> Result<(), HashManyError>
    where
        I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
        O: AsMut<[u8]>,
    {
        let compressor = Compressor::new(backend)?;
        hash_all(messages, outputs, Some(OUTPUT), |slots| compressor.many(slots))
    }
}
