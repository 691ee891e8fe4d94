//! KT128 (RFC 9861, KangarooTwelve): a tree of TurboSHAKE128 over chunks of 8192 bytes, hashed side by side.

use super::kernels::Keccak;
use super::parameters::SpongeFunction;
use super::sponge::Sponge;
use super::xofs::Reader;
use crate::hash_many::Slots;
use crate::zeroizing::Zeroizing;
use crate::{Backend, Unsupported};
use core::fmt;
use digest::common::AlgorithmName;
use digest::{ExtendableOutput, ExtendableOutputReset, HashMarker, Reset, Update};

/// Bytes of a chunk.
const CHUNK: usize = 8192;
/// Bytes of a chunk's chaining value.
const CHAINING: usize = 32;
/// Chunks hashed side by side at a time, which fill the widest word twice.
const GROUP: usize = 16;

type Turbo = Sponge<168, 12>;

/// Domain byte of a message of one chunk.
const SINGLE: u8 = 0x07;
/// Domain byte of the final node, which absorbs the chaining values.
const FINAL: u8 = 0x06;
/// Domain byte of every other chunk.
const LEAF: u8 = 0x0b;

/// KT128 (RFC 9861): output of any length; chunks of long messages are hashed side by side.
///
/// Only pieces of 64 KiB or more gain all the speed from that. The customization is borrowed until the end of the
/// message.
#[derive(Clone)]
pub struct Kt128<'c> {
    /// The final node: it absorbs the first chunk, then the chaining values of the others.
    node: Turbo,
    /// The current chunk, unless it is the first.
    leaf: Turbo,
    /// Bytes of the current chunk that are absorbed.
    filled: usize,
    /// Whole chunks before the current one.
    chunks: u64,
    customization: &'c [u8],
}

/// The output of [`Kt128`], read in pieces of any length.
pub type Kt128Reader = Reader<168, 12>;

/// Fills `out` with [`Kt128`] of one message under a customization, which may be empty.
pub fn kt128(message: &[u8], customization: &[u8], out: &mut [u8]) {
    let mut xof = Kt128::new(customization);
    xof.update(message);
    xof.finalize_xof_into(out);
}

impl<'c> Kt128<'c> {
    /// A hasher for a customization of any length, which may be empty.
    pub fn new(customization: &'c [u8]) -> Self {
        Self::with(Keccak::best(), customization)
    }

    /// A hasher on a backend of the caller's choice.
    ///
    /// # Errors
    /// The backend is not available here.
    pub fn with_backend(backend: Backend, customization: &'c [u8]) -> Result<Self, Unsupported> {
        Ok(Self::with(Keccak::new(backend)?, customization))
    }

    fn with(keccak: Keccak, customization: &'c [u8]) -> Self {
        Self { node: Sponge::new(keccak), leaf: Sponge::new(keccak), filled: 0, chunks: 0, customization }
    }

    /// Ends the current chunk.
    fn end_chunk(&mut self) {
        if self.chunks == 0 {
            self.node.absorb(&[3, 0, 0, 0, 0, 0, 0, 0]);
        } else {
            let mut chaining = Zeroizing([0; CHAINING]);
            self.leaf.finish(LEAF);
            self.leaf.squeeze(&mut chaining.0);
            self.node.absorb(&chaining.0);
            self.leaf.reset();
        }
        self.chunks += 1;
        self.filled = 0;
    }

    /// Absorbs whole chunks other than the first.
    fn absorb_chunks(&mut self, chunks: &[[u8; CHUNK]]) {
        for group in chunks.chunks(GROUP) {
            let mut chaining = Zeroizing([[0; CHAINING]; GROUP]);
            let chaining = &mut chaining.0[..group.len()];
            let function = const { SpongeFunction::new(168, 12, LEAF) };
            self.node.keccak().hash_messages(function, &mut Slots::<_, _, GROUP>::new(group.iter(), chaining));
            self.node.absorb(chaining.as_flattened());
        }
        self.chunks += chunks.len() as u64;
    }
}

impl Default for Kt128<'_> {
    fn default() -> Self {
        Self::new(&[])
    }
}

impl fmt::Debug for Kt128<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kt128 { .. }")
    }
}

impl AlgorithmName for Kt128<'_> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KT128")
    }
}

impl HashMarker for Kt128<'_> {}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Kt128<'_> {}

impl Update for Kt128<'_> {
    fn update(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            // A chunk ends when more data follows: a message of one chunk is hashed without the tree.
            if self.filled == CHUNK {
                self.end_chunk();
            }
            if self.chunks > 0 && self.filled == 0 && data.len() >= CHUNK {
                let (chunks, rest) = data.as_chunks::<CHUNK>();
                self.absorb_chunks(chunks);
                data = rest;
                continue;
            }
            let (part, rest) = data.split_at(data.len().min(CHUNK - self.filled));
            if self.chunks == 0 { &mut self.node } else { &mut self.leaf }.absorb(part);
            self.filled += part.len();
            data = rest;
        }
    }
}

impl Reset for Kt128<'_> {
    fn reset(&mut self) {
        self.node.reset();
        self.leaf.reset();
        self.filled = 0;
        self.chunks = 0;
    }
}

impl ExtendableOutput for Kt128<'_> {
    type Reader = Kt128Reader;

    fn finalize_xof(mut self) -> Kt128Reader {
        let (length, bytes) = length_encode(self.customization.len() as u64);
        self.update(self.customization);
        self.update(&length[..bytes]);
        if self.chunks == 0 {
            return Reader::new(self.node, SINGLE);
        }
        self.end_chunk();
        let (leaves, bytes) = length_encode(self.chunks - 1);
        self.node.absorb(&leaves[..bytes]);
        self.node.absorb(&[0xff, 0xff]);
        Reader::new(self.node, FINAL)
    }
}

impl ExtendableOutputReset for Kt128<'_> {
    fn finalize_xof_reset(&mut self) -> Kt128Reader {
        let reader = self.clone().finalize_xof();
        self.reset();
        reader
    }
}

/// `length_encode` of RFC 9861, section 3.3: the bytes of `x` in big-endian order, none for 0, and their number; with
/// it, how many bytes that is.
fn length_encode(x: u64) -> ([u8; 9], usize) {
    let length = 8 - x.leading_zeros() as usize / 8;
    let mut code = [0; 9];
    code[..length].copy_from_slice(&x.to_be_bytes()[8 - length..]);
    code[length] = length as u8;
    (code, length + 1)
}
