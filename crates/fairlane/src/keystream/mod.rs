//! What the stream ciphers share: positions and buffers around the kernels, the kernel of blocks side by side, and
//! encryption of whole buffers and of streams.
//!
//! A cipher is used through [`StreamCipher`]: in place with `try_apply_keystream`, from one buffer to another with
//! `try_apply_keystream_b2b`. [`apply_to_vec`] answers with a new buffer, [`copy`] works from a reader to a writer. All of
//! them give the same bytes, whatever the chunking, and none of them authenticates: that is for [`StreamPoly1305`].

#[cfg(feature = "chacha")]
mod aead;
#[cfg(feature = "chacha")]
pub(crate) mod columns;
mod stream;

#[cfg(feature = "chacha")]
pub use aead::{AeadKeystream, StreamPoly1305};
#[cfg(feature = "chacha")]
pub(crate) use aead::{PolyMessage, impl_aead_keystream};
pub(crate) use stream::Sealed;
pub use stream::{Generator, Stream};

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

/// Encrypts or decrypts everything that `reader` gives to `writer`, through `buffer`; returns how many bytes that was.
///
/// The bytes written do not depend on how many a read gives, nor on the buffer's length. 64 KiB is a good one.
///
/// # Errors
/// - the reader's and the writer's own; reads that were interrupted are tried again;
/// - [`io::ErrorKind::InvalidInput`] if the buffer is empty;
/// - [`io::ErrorKind::FileTooLarge`] if the keystream ends before the message does; what did not fit in it was not written.
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
