//! Authenticated encryption, of a new buffer and in place: `cargo run --example aead`

use fairlane::aead::inout::InOutBuf;
use fairlane::aead::{Aead, AeadInOut, Error, KeyInit, Payload};
use fairlane::chacha::XChaCha20Poly1305;
use fairlane::sm4::Sm4Gcm;

fn main() -> Result<(), Error> {
    // A nonce of 24 bytes may be random. The associated data is authenticated but not encrypted.
    let key: [u8; 32] = rand::random();
    let nonce: [u8; 24] = rand::random();
    let cipher = XChaCha20Poly1305::new(&key.into());
    let sealed = cipher.encrypt(&nonce.into(), Payload { msg: b"the message", aad: b"to Bob" })?;
    assert_eq!(cipher.decrypt(&nonce.into(), Payload { msg: &sealed, aad: b"to Bob" })?, b"the message");
    assert!(cipher.decrypt(&nonce.into(), Payload { msg: &sealed, aad: b"to Eve" }).is_err());

    // A nonce of 12 bytes is too short to be random for many messages: it is counted.
    let cipher = Sm4Gcm::new(&rand::random::<[u8; 16]>().into());
    for number in 0u32..3 {
        let mut nonce = [0; 12];
        nonce[8..].copy_from_slice(&number.to_be_bytes());
        let mut data = *b"a record in a buffer of its own";
        let tag = cipher.encrypt_inout_detached(&nonce.into(), b"", InOutBuf::from(&mut data[..]))?;
        println!("record {number}: {data:02x?}, tag {tag:02x?}");
        cipher.decrypt_inout_detached(&nonce.into(), b"", InOutBuf::from(&mut data[..]), &tag)?;
        assert_eq!(&data, b"a record in a buffer of its own");
    }
    Ok(())
}
