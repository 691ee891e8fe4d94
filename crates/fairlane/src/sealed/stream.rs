//! STREAM: encrypts a stream in chunks, each under a nonce that holds its position and whether it is the last.
//!
//! Hoang, Reyhanitabar, Rogaway and Vizár, *Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance*,
//! CRYPTO 2015. The nonce is prefix ‖ counter (32 bits, big-endian) ‖ last-chunk flag (one byte, 0 or 1), as in
//! STREAM-BE32 of the crate `aead-stream`, with which the tests compare it. That crate works in place only, where a
//! failed decryption may destroy the ciphertext; but telling truncation from corruption takes a second decryption of
//! the same chunk.

use super::{CHUNK, Error, TAG};
use crate::dynamic::{self, Aead};
use std::io::{self, Read, Write};
use std::mem;
use zeroize::Zeroizing;

/// Bytes of the counter and the flag in the nonce.
pub(super) const OVERHEAD: usize = 5;

/// STREAM over one AEAD, under a key that is used for one stream only.
pub(super) struct StreamBe32 {
    aead: Box<dyn Aead>,
    /// The prefix, followed by zeros in place of counter and flag.
    nonce: Vec<u8>,
}

impl StreamBe32 {
    /// With the prefix of the nonce, which is [`OVERHEAD`] bytes shorter than the nonce.
    pub(super) fn new(aead: Box<dyn Aead>, prefix: &[u8]) -> Self {
        Self { aead, nonce: [prefix, &[0; OVERHEAD]].concat() }
    }

    fn nonce(&self, position: u32, last: bool) -> Vec<u8> {
        let mut nonce = self.nonce.clone();
        let prefix = nonce.len() - OVERHEAD;
        nonce[prefix..][..4].copy_from_slice(&position.to_be_bytes());
        nonce[prefix + 4] = u8::from(last);
        nonce
    }

    /// Seals a chunk of at most [`CHUNK`] bytes into `sealed`, which is [`TAG`] bytes longer.
    pub(super) fn seal(&self, position: u32, last: bool, plain: &[u8], sealed: &mut [u8]) {
        let result = self.aead.seal(&self.nonce(position, last), &[], plain, sealed);
        result.expect("every AEAD takes messages of a chunk's length");
    }

    /// Opens a chunk of at least [`TAG`] bytes into `plain`, which is [`TAG`] bytes shorter. On an error `plain` is
    /// unchanged.
    fn open(&self, position: u32, last: bool, sealed: &[u8], plain: &mut [u8]) -> Result<(), dynamic::Error> {
        self.aead.open(&self.nonce(position, last), &[], sealed, plain)
    }
}

/// Seals everything that `reader` yields as the chunks from `first` on. Returns the number of bytes of plaintext.
pub(super) fn seal(
    cipher: &StreamBe32,
    first: u32,
    reader: &mut dyn Read,
    writer: &mut dyn Write,
) -> Result<u64, Error> {
    let mut blocks = BlockReader::new(reader, CHUNK)?;
    let mut sealed = vec![0; CHUNK + TAG];
    let mut total = 0;
    for position in first..=u32::MAX {
        let (plain, last) = blocks.next()?;
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

/// Opens the chunks that `reader` yields, from `first` on. Returns the number of bytes of plaintext.
pub(super) fn open(
    cipher: &StreamBe32,
    first: u32,
    reader: &mut dyn Read,
    writer: &mut dyn Write,
) -> Result<u64, Error> {
    let mut blocks = BlockReader::new(reader, CHUNK + TAG)?;
    let mut plain = Zeroizing::new(vec![0; CHUNK]);
    let mut total = 0;
    for position in first..=u32::MAX {
        let (sealed, last) = blocks.next()?;
        let Some(length) = sealed.len().checked_sub(TAG) else { return Err(Error::Truncated) };
        let plain = &mut plain[..length];
        if cipher.open(position, last, sealed, plain).is_err() {
            // If the chunk opens with the other flag it is authentic, since the tag depends on the flag.
            let otherwise = cipher.open(position, !last, sealed, plain).is_ok();
            return Err(match (otherwise, last) {
                (true, true) => Error::Truncated,
                (true, false) => Error::TrailingData,
                (false, _) => Error::Corrupt { chunk: position.into(), last },
            });
        }
        // The encoding is unique: only an empty stream ends with an empty chunk.
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

/// Reads blocks of one length, of which the last may be shorter. It reads one block ahead, to know which is the last.
struct BlockReader<'a> {
    reader: &'a mut dyn Read,
    current: Buffer,
    next: Buffer,
}

struct Buffer {
    bytes: Zeroizing<Vec<u8>>,
    filled: usize,
}

impl Buffer {
    fn is_full(&self) -> bool {
        self.filled == self.bytes.len()
    }

    fn fill(&mut self, reader: &mut dyn Read) -> Result<(), Error> {
        self.filled = fill(reader, &mut self.bytes)?;
        Ok(())
    }
}

impl<'a> BlockReader<'a> {
    fn new(reader: &'a mut dyn Read, length: usize) -> Result<Self, Error> {
        let buffer = || Buffer { bytes: Zeroizing::new(vec![0; length]), filled: 0 };
        let mut blocks = Self { reader, current: buffer(), next: buffer() };
        blocks.next.fill(blocks.reader)?;
        Ok(blocks)
    }

    /// Returns the next block, and whether it is the last.
    fn next(&mut self) -> Result<(&[u8], bool), Error> {
        mem::swap(&mut self.current, &mut self.next);
        self.next.filled = 0;
        // A reader that has reached its end is not read again.
        if self.current.is_full() {
            self.next.fill(self.reader)?;
        }
        Ok((&self.current.bytes[..self.current.filled], self.next.filled == 0))
    }
}

/// Reads until `buffer` is full or the reader is at its end. Returns the number of bytes read.
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
    use crate::dynamic::AeadAlgorithm;

    /// Copies the data; the tag is the nonce. With a real AEAD these tests would be compiled with every kernel of it.
    #[derive(Clone, Debug)]
    struct NonceAsTag;

    impl Aead for NonceAsTag {
        fn algorithm(&self) -> AeadAlgorithm {
            AeadAlgorithm::ChaCha20Poly1305
        }
        fn seal(&self, nonce: &[u8], _: &[u8], plain: &[u8], sealed: &mut [u8]) -> Result<(), dynamic::Error> {
            sealed.fill(0);
            sealed[..plain.len()].copy_from_slice(plain);
            sealed[plain.len()..][..nonce.len()].copy_from_slice(nonce);
            Ok(())
        }
        fn open(&self, nonce: &[u8], _: &[u8], sealed: &[u8], plain: &mut [u8]) -> Result<(), dynamic::Error> {
            let (data, tag) = sealed.split_at(plain.len());
            if !tag.starts_with(nonce) {
                return Err(dynamic::Error::AuthenticationFailed);
            }
            plain.copy_from_slice(data);
            Ok(())
        }
        fn seal_in_place(&self, _: &[u8], _: &[u8], _: &mut [u8], _: &mut [u8]) -> Result<(), dynamic::Error> {
            unreachable!("a stream has two buffers")
        }
        fn open_in_place(&self, _: &[u8], _: &[u8], _: &mut [u8], _: &[u8]) -> Result<(), dynamic::Error> {
            unreachable!("a stream has two buffers")
        }
        fn box_clone(&self) -> Box<dyn Aead> {
            Box::new(self.clone())
        }
    }

    fn cipher() -> StreamBe32 {
        StreamBe32::new(Box::new(NonceAsTag), &[7; 7])
    }

    /// The first of the last two positions.
    const FIRST: u32 = u32::MAX - 1;

    #[test]
    fn the_counter_ends_with_an_error() {
        let cipher = cipher();
        let plain = vec![1; 2 * CHUNK + 1];
        let mut sealed = Vec::new();
        // However long the input is, no nonce is used twice.
        assert!(matches!(seal(&cipher, FIRST, &mut &plain[..], &mut sealed), Err(Error::TooLong)));
        assert_eq!(sealed.len(), CHUNK + TAG);

        sealed.clear();
        assert_eq!(seal(&cipher, FIRST, &mut &plain[..2 * CHUNK], &mut sealed).unwrap(), 2 * CHUNK as u64);
        let mut opened = Vec::new();
        assert_eq!(open(&cipher, FIRST, &mut &sealed[..], &mut opened).unwrap(), 2 * CHUNK as u64);
        assert_eq!(opened, plain[..2 * CHUNK]);
        sealed.push(0);
        assert!(matches!(open(&cipher, FIRST, &mut &sealed[..], &mut opened), Err(Error::TrailingData)));

        // A chunk at the last position that was sealed as if another one followed.
        cipher.seal(u32::MAX, false, &plain[..CHUNK], &mut sealed[CHUNK + TAG..][..CHUNK + TAG]);
        opened.clear();
        assert!(matches!(open(&cipher, FIRST, &mut &sealed[..], &mut opened), Err(Error::TooLong)));
        assert_eq!(opened.len(), CHUNK);
    }

    #[test]
    fn an_empty_last_chunk_is_for_empty_streams_only() {
        let cipher = cipher();
        let mut sealed = vec![0; CHUNK + 2 * TAG];
        let (first, last) = sealed.split_at_mut(CHUNK + TAG);
        cipher.seal(0, false, &[1; CHUNK], first);
        cipher.seal(1, true, &[], last);
        let opened = open(&cipher, 0, &mut &sealed[..], &mut Vec::new());
        assert!(matches!(opened, Err(Error::Corrupt { chunk: 1, last: true })));
    }

    #[test]
    fn every_nonce_is_another() {
        let stream = cipher();
        let nonces = [(0, false), (0, true), (1, false), (256, false), (1 << 24, true)];
        let nonces = nonces.map(|(position, last)| stream.nonce(position, last));
        for (i, nonce) in nonces.iter().enumerate() {
            assert_eq!(nonce[..7], [7; 7]);
            assert!(!nonces[..i].contains(nonce));
        }
        assert_eq!(nonces[4][7..], [1, 0, 0, 0, 1]);
    }
}
