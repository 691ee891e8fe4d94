//! Stream ciphers: positions in a keystream, encryption of buffers and of readers, and AEADs with Poly1305.
//!
//! A cipher is used through [`StreamCipher`]: in place with `try_apply_keystream`, from one buffer to another with
//! `try_apply_keystream_b2b`. [`apply_to_vec`] returns a new buffer, [`copy`] reads from a reader and writes to a
//! writer. The result does not depend on how a message is cut into pieces. A [`StreamKey`] serves many nonces. None of
//! these functions authenticates: [`StreamPoly1305`] does.

#[cfg(feature = "chacha")]
mod aead;
#[cfg(feature = "chacha")]
pub(crate) mod arx;
#[cfg(feature = "chacha")]
mod first_block;
mod key;
mod stream;

#[cfg(feature = "chacha")]
pub use aead::{AeadKeystream, StreamPoly1305};
#[cfg(feature = "chacha")]
pub(crate) use aead::{BesideTag, PolyMessage, impl_aead_keystream, open_beside, seal_beside};
#[cfg(feature = "chacha")]
pub(crate) use first_block::FirstBlock;
pub use key::StreamKey;
pub(crate) use stream::Sealed;
pub use stream::{Blocks, Generator, Stream};

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use cipher::{StreamCipher, StreamCipherError};
#[cfg(feature = "std")]
use std::io::{self, Read, Write};

/// Encrypts or decrypts a message into a new buffer: one allocation.
///
/// # Errors
/// The keystream ends before the message does.
#[cfg(feature = "alloc")]
pub fn apply_to_vec(cipher: &mut impl StreamCipher, message: &[u8]) -> Result<Vec<u8>, StreamCipherError> {
    let mut data = message.to_vec();
    cipher.try_apply_keystream(&mut data)?;
    Ok(data)
}

/// Encrypts or decrypts everything from `reader` to `writer` through `buffer`, and returns the number of bytes.
///
/// The bytes written do not depend on the length of each read, nor on that of the buffer. 64 KiB is a good length.
///
/// # Errors
/// - those of the reader and the writer; interrupted reads are retried;
/// - [`io::ErrorKind::InvalidInput`] if the buffer is empty;
/// - [`io::ErrorKind::FileTooLarge`] if the keystream ends before the message does; the piece that did not fit is not
///   written.
#[cfg(feature = "std")]
pub fn copy(
    cipher: &mut impl StreamCipher,
    mut reader: impl Read,
    mut writer: impl Write,
    buffer: &mut [u8],
) -> io::Result<u64> {
    if buffer.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the buffer is empty"));
    }
    let mut copied = 0;
    loop {
        let read = match reader.read(buffer) {
            Ok(0) => return Ok(copied),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let data = &mut buffer[..read];
        cipher
            .try_apply_keystream(data)
            .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "the message is longer than the keystream"))?;
        writer.write_all(data)?;
        copied += read as u64;
    }
}
