//! Encryption in place without an allocator, as in firmware: only `core`, and a build without the features `std` and
//! `alloc`. `cargo run --example no_alloc --no-default-features --features chacha`

use fairlane::aead::inout::InOutBuf;
use fairlane::aead::{AeadInOut, Error, KeyInit};
use fairlane::chacha::ChaCha20Poly1305;

/// Encrypts `frame`, of which the last 16 bytes are room for the tag. The number must not be used twice with a key.
fn seal(key: &[u8; 32], number: u64, frame: &mut [u8]) -> Result<(), Error> {
    let (data, room) = frame.split_last_chunk_mut::<16>().ok_or(Error)?;
    let tag =
        ChaCha20Poly1305::new(key.into()).encrypt_inout_detached(&nonce(number).into(), b"", InOutBuf::from(data))?;
    *room = tag.into();
    Ok(())
}

/// Decrypts `frame`, and returns its data; on an error the frame is not to be used.
fn open<'a>(key: &[u8; 32], number: u64, frame: &'a mut [u8]) -> Result<&'a [u8], Error> {
    let (data, tag) = frame.split_last_chunk_mut::<16>().ok_or(Error)?;
    let cipher = ChaCha20Poly1305::new(key.into());
    cipher.decrypt_inout_detached(&nonce(number).into(), b"", InOutBuf::from(&mut *data), &(*tag).into())?;
    Ok(data)
}

fn nonce(number: u64) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[4..].copy_from_slice(&number.to_be_bytes());
    nonce
}

fn main() {
    let key = [0x42; 32]; // from the device's own store
    let mut frame = *b"23.5 degrees                ";
    seal(&key, 1, &mut frame).unwrap();
    assert_eq!(open(&key, 1, &mut frame.clone()).unwrap(), b"23.5 degrees");
    frame[0] ^= 1;
    assert!(open(&key, 1, &mut frame).is_err());
}
