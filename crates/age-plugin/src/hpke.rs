//! HPKE (RFC 9180) in its base mode, for one message, with the suite that age takes:
//!
//! | part | algorithm | number |
//! | --- | --- | --- |
//! | KEM | MLKEM768-X25519 of draft-ietf-hpke-pq, which is X-Wing | 0x647a |
//! | KDF | HKDF-SHA256 | 1 |
//! | AEAD | ChaCha20-Poly1305 | 3 |

use fairlane::aead::{self, AeadInOut, KeyInit};
use fairlane::chacha::ChaCha20Poly1305;
use fairlane::x_wing::{Ciphertext, DecapsulationKey, EncapsulationKey};
use hkdf::{Hkdf, HkdfExtract};
use sha2::Sha256;
use zeroize::{Zeroize, Zeroizing};

/// `suite_id`: the numbers of the three parts.
const SUITE: &[u8] = b"HPKE\x64\x7a\x00\x01\x00\x03";

/// Bytes of the AEAD's tag, which follows the message.
pub(crate) const TAG: usize = 16;

/// `mode_base`: neither a pre-shared key nor a sender's key.
const MODE: u8 = 0;

/// Encrypts `message` for `key`. Returns the encapsulated key, which goes with it.
///
/// # Errors
/// The system has no random numbers.
pub(crate) fn seal(key: &EncapsulationKey, info: &[u8], message: &mut Vec<u8>) -> Result<Ciphertext, getrandom::Error> {
    let mut randomness = Zeroizing::new([0; 64]);
    getrandom::fill(&mut *randomness)?;
    let (encapsulated, mut shared) = key.encapsulate_deterministic(&randomness);
    let context = Context::new(&shared, info);
    shared.as_mut_slice().zeroize();
    context.seal(b"", message);
    Ok(encapsulated)
}

/// Decrypts `message`, or says that it was changed or is for another key.
pub(crate) fn open(
    key: &DecapsulationKey,
    encapsulated: &Ciphertext,
    info: &[u8],
    message: &mut Vec<u8>,
) -> Result<(), aead::Error> {
    let mut shared = key.decapsulate(encapsulated);
    let context = Context::new(&shared, info);
    shared.as_mut_slice().zeroize();
    context.open(b"", message)
}

/// What both sides derive from the shared secret. The nonce is that of the first message.
struct Context {
    aead: ChaCha20Poly1305,
    nonce: Zeroizing<[u8; 12]>,
}

impl Context {
    /// `KeySchedule` of section 5.1, without `psk` and `psk_id`.
    fn new(shared: &[u8], info: &[u8]) -> Self {
        let (psk_id_hash, _) = extract(b"", b"psk_id_hash", b"");
        let (info_hash, _) = extract(b"", b"info_hash", info);
        let context = [&[MODE], &psk_id_hash[..], &info_hash[..]].concat();
        let (mut secret, expanding) = extract(shared, b"secret", b"");
        secret.as_mut_slice().zeroize();
        let mut key = Zeroizing::new([0; 32]);
        let mut nonce = Zeroizing::new([0; 12]);
        expand(&expanding, b"key", &context, &mut *key);
        expand(&expanding, b"base_nonce", &context, &mut *nonce);
        Self { aead: ChaCha20Poly1305::new((&*key).into()), nonce }
    }

    fn seal(&self, associated: &[u8], message: &mut Vec<u8>) {
        self.aead
            .encrypt_in_place((&*self.nonce).into(), associated, message)
            .expect("the message is far shorter than ChaCha20 allows");
    }

    fn open(&self, associated: &[u8], message: &mut Vec<u8>) -> Result<(), aead::Error> {
        self.aead.decrypt_in_place((&*self.nonce).into(), associated, message)
    }
}

/// `LabeledExtract` of section 4, and what expands its result.
fn extract(salt: &[u8], label: &[u8], input: &[u8]) -> (hkdf::hmac::digest::Output<Sha256>, Hkdf<Sha256>) {
    let mut extracting = HkdfExtract::<Sha256>::new(Some(salt));
    for part in [b"HPKE-v1", SUITE, label, input] {
        extracting.input_ikm(part);
    }
    extracting.finalize()
}

/// `LabeledExpand` of section 4.
fn expand(from: &Hkdf<Sha256>, label: &[u8], info: &[u8], output: &mut [u8]) {
    let length = u16::try_from(output.len()).expect("some bytes").to_be_bytes();
    from.expand_multi_info(&[&length, b"HPKE-v1", SUITE, label, info], output).expect("far less than HKDF can give");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{hex, read};

    #[derive(serde::Deserialize)]
    struct Answer {
        info: String,
        seed: String,
        key: String,
        randomness: String,
        encapsulated: String,
        shared_secret: String,
        base_nonce: String,
        associated: String,
        message: String,
        ciphertext: String,
    }

    #[test]
    fn the_drafts_answer() {
        let answer: Answer = read("hpke.json");
        let own = DecapsulationKey::new(&hex(&answer.seed)[..].try_into().unwrap());
        assert_eq!(own.encapsulation_key().as_bytes()[..], hex(&answer.key));
        let randomness = hex(&answer.randomness).try_into().unwrap();
        let (encapsulated, shared) = own.encapsulation_key().encapsulate_deterministic(&randomness);
        assert_eq!(encapsulated[..], hex(&answer.encapsulated));
        assert_eq!(shared[..], hex(&answer.shared_secret));
        assert_eq!(own.decapsulate(&encapsulated), shared);

        let context = Context::new(&shared, &hex(&answer.info));
        assert_eq!(context.nonce[..], hex(&answer.base_nonce));
        let mut message = hex(&answer.message);
        context.seal(&hex(&answer.associated), &mut message);
        assert_eq!(message, hex(&answer.ciphertext));
        context.open(&hex(&answer.associated), &mut message).unwrap();
        assert_eq!(message, hex(&answer.message));
    }

    #[test]
    fn what_is_sealed_is_opened_by_its_key_alone() {
        let own = DecapsulationKey::new(&[7; 32].into());
        let mut sealed = b"message".to_vec();
        let encapsulated = seal(own.encapsulation_key(), b"info", &mut sealed).unwrap();
        assert_eq!(sealed.len(), b"message".len() + TAG);

        let opened = |key: &DecapsulationKey, encapsulated: &Ciphertext, info: &[u8], at: usize| {
            let mut message = sealed.clone();
            if let Some(byte) = message.get_mut(at) {
                *byte ^= 1;
            }
            open(key, encapsulated, info, &mut message).ok().map(|()| message)
        };
        let nowhere = sealed.len();
        assert_eq!(opened(&own, &encapsulated, b"info", nowhere).as_deref(), Some(&b"message"[..]));
        assert_eq!(opened(&own, &encapsulated, b"other", nowhere), None);
        assert_eq!(opened(&DecapsulationKey::new(&[8; 32].into()), &encapsulated, b"info", nowhere), None);
        for at in 0..sealed.len() {
            assert_eq!(opened(&own, &encapsulated, b"info", at), None);
        }
        for at in [0, 1087, 1088, 1119] {
            let mut changed = encapsulated;
            changed[at] ^= 1;
            assert_eq!(opened(&own, &changed, b"info", nowhere), None);
        }
    }
}
