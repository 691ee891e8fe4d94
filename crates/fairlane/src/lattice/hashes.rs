//! The hashes H, J and G (FIPS 203, section 4.1), of messages of one length or as the sampler's states are free.

use super::engine::Engine;
use super::samples::SHAKE_SUFFIX;
use super::secret::Secret;
use crate::keccak::RATE_256 as BLOCK;
use core::array;

/// The hash functions of FIPS 203, section 4.1.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// SHA3-256.
    H,
    /// SHAKE256, of which the first 32 bytes are used.
    J,
    /// SHA3-512, only of messages that are shorter than a block.
    G,
}

impl Function {
    /// Bytes of a block, at most [`BLOCK`], and the byte that follows a message: the suffix and the first bit of the
    /// padding.
    const fn rate_and_suffix(self) -> (usize, u8) {
        match self {
            Self::H => (BLOCK, 0x06),
            Self::J => (BLOCK, SHAKE_SUFFIX),
            Self::G => (72, 0x06),
        }
    }
}

/// Hashes in halves. Those by H and J are the first ones.
pub(super) type Digests = Secret<[[[u8; 32]; 2]; 8]>;

/// The hashes of up to eight messages of one length. There is at least one.
pub(super) fn hash_alike<'a>(
    engine: Engine,
    function: Function,
    messages: impl ExactSizeIterator<Item = &'a [u8]>,
) -> Digests {
    let (count, mut messages) = (messages.len(), messages);
    let mut last: &[u8] = &[];
    let messages: [&[u8]; 8] = array::from_fn(|_| {
        last = messages.next().unwrap_or(last);
        last
    });
    let mut digests = Digests::zero();
    let length = if matches!(function, Function::G) { 64 } else { 32 };
    let mut bytes = Secret::<[[u8; 64]; 8]>::zero();
    engine.keccak.hash_eight(function.rate_and_suffix(), count, &messages, &mut bytes.0, length);
    for (digest, bytes) in digests.0.iter_mut().zip(&bytes.0) {
        digest.as_flattened_mut().copy_from_slice(bytes);
    }
    digests
}

/// The computation of a hash. Its message is the concatenation of three slices.
pub(super) struct Hash<'a> {
    message: [&'a [u8]; 3],
    function: Function,
    /// Whether the end of the message is not known yet: only whole blocks are absorbed.
    is_prefix: bool,
    /// How many blocks are to be absorbed.
    blocks: usize,
    /// How many have been.
    pub(super) absorbed: usize,
    pub(super) digest: Secret<[u8; 64]>,
}

impl<'a> Hash<'a> {
    /// H.
    pub(super) fn h(message: &'a [u8]) -> Self {
        Self::new(Function::H, [message, &[], &[]])
    }

    /// J of z ‖ c.
    pub(super) fn j(z: &'a [u8; 32], c: &'a [u8]) -> Self {
        Self::new(Function::J, [z, c, &[]])
    }

    /// G.
    pub(super) fn g(message: [&'a [u8]; 3]) -> Self {
        Self::new(Function::G, message)
    }

    fn new(function: Function, message: [&'a [u8]; 3]) -> Self {
        let bytes = message.iter().map(|piece| piece.len()).sum::<usize>();
        let blocks = bytes / function.rate_and_suffix().0 + 1;
        Self { message, function, is_prefix: false, blocks, absorbed: 0, digest: Secret([0; 64]) }
    }

    fn rate(&self) -> usize {
        self.function.rate_and_suffix().0
    }

    /// The hash of a longer message that begins with this one: its whole blocks are absorbed, and it stays unfinished.
    pub(super) fn prefix(self) -> Self {
        Self { is_prefix: true, blocks: self.blocks - 1, ..self }
    }

    /// The hash of a message whose first `absorbed` blocks the same state has absorbed, as those of a
    /// [`prefix`](Self::prefix).
    pub(super) fn resume(self, absorbed: usize) -> Self {
        Self { absorbed, ..self }
    }

    /// How many blocks have been absorbed.
    pub(super) fn absorbed(&self) -> usize {
        self.absorbed
    }

    /// The finished hash in two halves. H and J are the first one.
    pub(super) fn halves(&self) -> (&[u8; 32], &[u8; 32]) {
        let ([first, second], _) = self.digest.0.as_chunks() else { unreachable!("64 bytes are two halves") };
        (first, second)
    }

    /// How many blocks can be absorbed now.
    pub(super) fn blocks_left(&self) -> usize {
        self.blocks - self.absorbed
    }

    /// Whether the digest is there.
    pub(super) fn is_finished(&self) -> bool {
        !self.is_prefix && self.blocks_left() == 0
    }

    /// The next whole blocks of [`BLOCK`] bytes that lie in one slice.
    pub(super) fn contiguous_blocks(&self) -> &'a [[u8; BLOCK]] {
        let mut skip = self.absorbed * self.rate();
        for piece in self.message {
            if skip < piece.len() && self.rate() == BLOCK {
                return piece[skip..].as_chunks().0;
            }
            let Some(rest) = skip.checked_sub(piece.len()) else { break };
            skip = rest;
        }
        &[]
    }

    /// Writes the next block, padded if it is the last one.
    pub(super) fn next_block(&mut self, block: &mut [u8; BLOCK]) {
        let (rate, suffix) = self.function.rate_and_suffix();
        let (mut skip, mut len) = (self.absorbed * rate, 0);
        for piece in self.message {
            let rest = &piece[skip.min(piece.len())..];
            skip = skip.saturating_sub(piece.len());
            let rest = &rest[..rest.len().min(rate - len)];
            block[len..len + rest.len()].copy_from_slice(rest);
            len += rest.len();
        }
        if len < rate {
            block[len..].fill(0);
            block[len] = suffix;
            block[rate - 1] |= 0x80;
        }
        self.absorbed += 1;
    }
}
