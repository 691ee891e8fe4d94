//! STREAM: chunks of one stream, each sealed under a nonce that says which it is and whether it is the last.
//!
//! Hoang, Reyhanitabar, Rogaway and Vizár, *Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance*,
//! CRYPTO 2015. The nonce is prefix ‖ counter (32 bits, big-endian) ‖ last-chunk flag (one byte, 0 or 1), the STREAM-BE32
//! of the crate `aead-stream`, with which the tests compare it. That crate seals in place only, and a failed attempt
//! may destroy the ciphertext; telling a cut from a change, below, takes a second look at it.

use super::{CHUNK, Error, TAG};
use aead::array::typenum::{U16, Unsigned};
use aead::inout::InOutBuf;
use aead::{AeadInOut, Key, KeyInit, Nonce, Tag};
use std::io::{self, Read, Write};
use std::mem;
use zeroize::Zeroizing;

/// Bytes of the nonce that the counter and the flag take.
const OVERHEAD: usize = 5;

/// Seals and opens single chunks of one stream.
pub(super) trait ChunkCipher {
    /// Seals a chunk of at most [`CHUNK`] bytes into `sealed`, which is [`TAG`] bytes longer.
    fn seal(&self, position: u32, last: bool, plain: &[u8], sealed: &mut [u8]);

    /// Opens a chunk of at least [`TAG`] bytes into `plain`, which is so much shorter. On an error `plain` is unspecified.
    fn open(&self, position: u32, last: bool, sealed: &[u8], plain: &mut [u8]) -> Result<(), aead::Error>;
}

/// STREAM over one AEAD, under a key that is used for one stream only.
pub(super) struct StreamBe32<A: AeadInOut> {
    aead: A,
    /// The prefix; zero where counter and flag belong.
    nonce: Nonce<A>,
}

impl<A: AeadInOut + KeyInit> StreamBe32<A> {
    /// Takes the key and then the prefix of the nonce from the beginning of `material`.
    pub(super) fn new(material: &[u8]) -> Self {
        let (key, material) = material.split_at(A::KeySize::USIZE);
        let mut nonce = Nonce::<A>::default();
        let prefix = nonce.len() - OVERHEAD;
        nonce[..prefix].copy_from_slice(&material[..prefix]);
        let key = <&Key<A>>::try_from(key).expect("split at its length");
        Self { aead: A::new(key), nonce }
    }

    fn nonce(&self, position: u32, last: bool) -> Nonce<A> {
        let mut nonce = self.nonce.clone();
        let prefix = nonce.len() - OVERHEAD;
        nonce[prefix..][..4].copy_from_slice(&position.to_be_bytes());
        nonce[prefix + 4] = u8::from(last);
        nonce
    }
}

impl<A: AeadInOut<TagSize = U16> + KeyInit> ChunkCipher for StreamBe32<A> {
    fn seal(&self, position: u32, last: bool, plain: &[u8], sealed: &mut [u8]) {
        let (body, tag) = sealed.split_at_mut(plain.len());
        let body = InOutBuf::new(plain, body).expect("split at its length");
        let nonce = self.nonce(position, last);
        let computed = self.aead.encrypt_inout_detached(&nonce, &[], body);
        tag.copy_from_slice(&computed.expect("every AEAD takes messages of a chunk's length"));
    }

    fn open(&self, position: u32, last: bool, sealed: &[u8], plain: &mut [u8]) -> Result<(), aead::Error> {
        let (body, tag) = sealed.split_at(plain.len());
        let body = InOutBuf::new(body, plain).expect("split at its length");
        let tag = <&Tag<A>>::try_from(tag).expect("what is left has its length");
        self.aead.decrypt_inout_detached(&self.nonce(position, last), &[], body, tag)
    }
}

/// Seals all that `reader` gives as the chunks from `first` on; returns how many bytes of plaintext that were.
pub(super) fn seal(
    cipher: &dyn ChunkCipher,
    first: u32,
    reader: &mut dyn Read,
    writer: &mut dyn Write,
) -> Result<u64, Error> {
    let mut pieces = Pieces::new(reader, CHUNK)?;
    let mut sealed = vec![0; CHUNK + TAG];
    let mut total = 0;
    for position in first..=u32::MAX {
        let (plain, last) = pieces.next()?;
        if !last && position == u32::MAX {
            break;
        }
        let sealed = &mut sealed[..plain.len() + TAG];
        cipher.seal(position, last, plain, sealed);
        writer.write_all(sealed).map_err(Error::Write)?;
        total += plain.len() as u64;
        if last {
            writer.flush().map_err(Error::Write)?;
            return Ok(total);
        }
    }
    Err(Error::TooLong)
}

/// Opens the chunks that `reader` gives, from `first` on; returns how many bytes of plaintext were written.
pub(super) fn open(
    cipher: &dyn ChunkCipher,
    first: u32,
    reader: &mut dyn Read,
    writer: &mut dyn Write,
) -> Result<u64, Error> {
    let mut pieces = Pieces::new(reader, CHUNK + TAG)?;
    let mut plain = Zeroizing::new(vec![0; CHUNK]);
    let mut total = 0;
    for position in first..=u32::MAX {
        let (sealed, last) = pieces.next()?;
        let Some(length) = sealed.len().checked_sub(TAG) else { return Err(Error::Truncated) };
        let plain = &mut plain[..length];
        if cipher.open(position, last, sealed, plain).is_err() {
            // Both answers are authentic: the flag is part of what the tag verifies.
            let otherwise = cipher.open(position, !last, sealed, plain).is_ok();
            return Err(match (otherwise, last) {
                (true, true) => Error::Truncated,
                (true, false) => Error::TrailingData,
                (false, _) => Error::Corrupt { chunk: position.into(), last },
            });
        }
        // A stream has one form: only an empty one ends with an empty chunk.
        if length == 0 && position > 0 {
            return Err(Error::Corrupt { chunk: position.into(), last });
        }
        if !last && position == u32::MAX {
            break;
        }
        writer.write_all(plain).map_err(Error::Write)?;
        total += length as u64;
        if last {
            writer.flush().map_err(Error::Write)?;
            return Ok(total);
        }
    }
    Err(Error::TooLong)
}

/// A reader cut into pieces of one length, the last one shorter or as long, read one piece ahead to know which is the last.
struct Pieces<'a> {
    reader: &'a mut dyn Read,
    now: Piece,
    ahead: Piece,
}

struct Piece {
    bytes: Zeroizing<Vec<u8>>,
    filled: usize,
}

impl Piece {
    fn is_full(&self) -> bool {
        self.filled == self.bytes.len()
    }

    fn fill(&mut self, reader: &mut dyn Read) -> Result<(), Error> {
        self.filled = fill(reader, &mut self.bytes)?;
        Ok(())
    }
}

impl<'a> Pieces<'a> {
    fn new(reader: &'a mut dyn Read, length: usize) -> Result<Self, Error> {
        let piece = || Piece { bytes: Zeroizing::new(vec![0; length]), filled: 0 };
        let mut pieces = Self { reader, now: piece(), ahead: piece() };
        pieces.ahead.fill(pieces.reader)?;
        Ok(pieces)
    }

    /// The next piece, and whether it is the last.
    fn next(&mut self) -> Result<(&[u8], bool), Error> {
        mem::swap(&mut self.now, &mut self.ahead);
        self.ahead.filled = 0;
        // A reader that has said that it is at its end is not asked again.
        if self.now.is_full() {
            self.ahead.fill(self.reader)?;
        }
        Ok((&self.now.bytes[..self.now.filled], self.ahead.filled == 0))
    }
}

/// Reads until `buffer` is full or the reader at its end; returns how many bytes that were.
pub(super) fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> Result<usize, Error> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::Read(error)),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sealed::Algorithm;

    /// The last two positions that exist.
    const FIRST: u32 = u32::MAX - 1;

    #[test]
    fn the_counter_ends_with_an_error() {
        let cipher = Algorithm::default().cipher(&[7; 128]);
        let plain = vec![1; 2 * CHUNK + 1];
        let mut sealed = Vec::new();
        // A reader of a misbehaving length is no excuse to reuse a nonce.
        assert!(matches!(seal(&*cipher, FIRST, &mut &plain[..], &mut sealed), Err(Error::TooLong)));
        assert_eq!(sealed.len(), CHUNK + TAG);

        sealed.clear();
        assert_eq!(seal(&*cipher, FIRST, &mut &plain[..2 * CHUNK], &mut sealed).unwrap(), 2 * CHUNK as u64);
        let mut opened = Vec::new();
        assert_eq!(open(&*cipher, FIRST, &mut &sealed[..], &mut opened).unwrap(), 2 * CHUNK as u64);
        assert_eq!(opened, plain[..2 * CHUNK]);
        sealed.push(0);
        assert!(matches!(open(&*cipher, FIRST, &mut &sealed[..], &mut opened), Err(Error::TrailingData)));

        // Whoever has the key can seal the last position as if another followed.
        cipher.seal(u32::MAX, false, &plain[..CHUNK], &mut sealed[CHUNK + TAG..][..CHUNK + TAG]);
        opened.clear();
        assert!(matches!(open(&*cipher, FIRST, &mut &sealed[..], &mut opened), Err(Error::TooLong)));
        assert_eq!(opened.len(), CHUNK);
    }

    #[test]
    fn an_empty_last_chunk_is_for_empty_streams_only() {
        let cipher = Algorithm::default().cipher(&[7; 128]);
        let mut sealed = vec![0; CHUNK + 2 * TAG];
        let (first, last) = sealed.split_at_mut(CHUNK + TAG);
        cipher.seal(0, false, &[1; CHUNK], first);
        cipher.seal(1, true, &[], last);
        let opened = open(&*cipher, 0, &mut &sealed[..], &mut Vec::new());
        assert!(matches!(opened, Err(Error::Corrupt { chunk: 1, last: true })));
    }

    #[test]
    fn every_nonce_is_another() {
        let stream = StreamBe32::<crate::chacha::ChaCha20Poly1305>::new(&[7; 128]);
        let nonces = [(0, false), (0, true), (1, false), (256, false), (1 << 24, true)];
        let nonces = nonces.map(|(position, last)| stream.nonce(position, last));
        for (i, nonce) in nonces.iter().enumerate() {
            assert_eq!(nonce[..7], [7; 7]);
            assert!(!nonces[..i].contains(nonce));
        }
        assert_eq!(nonces[4][7..], [1, 0, 0, 0, 1]);
    }
}
