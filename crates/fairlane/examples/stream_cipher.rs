//! A keystream with seeking: reads the middle of an encrypted file. `cargo run --example stream_cipher`
//!
//! A stream cipher alone does not notice changes of the data: most programs want an AEAD.

use fairlane::chacha::XChaCha20;
use fairlane::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use fairlane::keystream;

fn main() -> std::io::Result<()> {
    let (key, nonce) = (rand::random::<[u8; 32]>(), rand::random::<[u8; 24]>());
    let text: Vec<u8> = (0..100_000u32).flat_map(u32::to_le_bytes).collect();

    // From a reader to a writer, 64 KiB at a time.
    let mut encrypted = Vec::new();
    let mut cipher = XChaCha20::new(&key.into(), &nonce.into());
    keystream::copy(&mut cipher, &text[..], &mut encrypted, &mut vec![0; 64 * 1024])?;

    // A record of 4 bytes at byte 123 456, without what comes before it.
    let at = 123_456;
    let mut record = [0; 4];
    record.copy_from_slice(&encrypted[at..at + 4]);
    cipher.seek(at as u64);
    cipher.apply_keystream(&mut record);
    assert_eq!(u32::from_le_bytes(record), at as u32 / 4);
    println!("the record at byte {at} is {}", u32::from_le_bytes(record));
    Ok(())
}
