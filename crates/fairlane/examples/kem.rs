//! Two sides agree on a key by ML-KEM-768, and one sends the other a message under it:
//! `cargo run --example kem --features getrandom`

use fairlane::aead::{Aead, Error, KeyInit};
use fairlane::chacha::ChaCha20Poly1305;
use fairlane::kem::{Encapsulate, Kem};
use fairlane::ml_kem::{EncapsulationKey, MlKem768};

fn main() -> Result<(), Error> {
    // Alice makes a key pair, and sends the encapsulation key: 1184 bytes.
    let (private, public) = MlKem768::generate_keypair();
    let sent = public.as_bytes();

    // Bob checks it, and makes a secret and a ciphertext of 1088 bytes, which he sends with the message. The secret is
    // used once, so that the nonce may be zero.
    let received = EncapsulationKey::<MlKem768>::from_bytes(sent).expect("an encapsulation key");
    let (ciphertext, secret) = received.encapsulate();
    let message = ChaCha20Poly1305::new(&secret).encrypt(&[0; 12].into(), &b"hello, Alice"[..])?;

    // Alice has the same secret. For a ciphertext that was changed she has another one, and the message does not open.
    let secret = private.decapsulate(&ciphertext);
    let opened = ChaCha20Poly1305::new(&secret).decrypt(&[0; 12].into(), &message[..])?;
    assert_eq!(opened, b"hello, Alice");
    println!("{} + {} bytes for a message of {}", ciphertext.len(), message.len(), opened.len());
    Ok(())
}
