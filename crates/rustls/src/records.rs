//! Records under ChaCha20-Poly1305: TLS 1.3 (RFC 8446, section 5.2) and TLS 1.2 (RFC 7905).

use fairlane::aead::inout::InOutBuf;
use fairlane::aead::{AeadInOut, KeyInit};
use fairlane::chacha;
use rustls::crypto::cipher::{
    AeadKey, BorrowedPayload, InboundOpaqueMessage, InboundPlainMessage, Iv, MessageDecrypter, MessageEncrypter, Nonce,
    OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls13AeadAlgorithm, UnsupportedOperationError,
    make_tls13_aad,
};
use rustls::{ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion};

/// Bytes of a key.
const KEY: usize = 32;
/// Bytes of a tag.
const TAG: usize = 16;

/// The AEAD, as rustls makes keys of it.
pub(crate) struct ChaCha20Poly1305;

/// A key and IV of one direction. The key is erased on drop.
struct Key {
    cipher: chacha::ChaCha20Poly1305,
    iv: Iv,
}

impl Key {
    fn new(key: &AeadKey, iv: Iv) -> Self {
        let key: &[u8; KEY] = key.as_ref().try_into().expect("rustls gives keys of the length that it was told");
        Self { cipher: chacha::ChaCha20Poly1305::new(key.into()), iv }
    }

    /// Encrypts a payload in place, and appends the tag.
    fn seal(&self, seq: u64, aad: &[u8], payload: &mut PrefixedPayload) -> Result<(), Error> {
        let nonce = Nonce::new(&self.iv, seq).0;
        let sealed = self.cipher.encrypt_inout_detached(&nonce.into(), aad, InOutBuf::from(payload.as_mut()));
        payload.extend_from_slice(&sealed.map_err(|_| Error::EncryptError)?);
        Ok(())
    }

    /// Verifies and decrypts a payload in place, and removes the tag.
    fn open(&self, seq: u64, aad: &[u8], payload: &mut BorrowedPayload<'_>) -> Result<(), Error> {
        let nonce = Nonce::new(&self.iv, seq).0;
        let (message, tag) = payload.split_last_chunk_mut::<TAG>().ok_or(Error::DecryptError)?;
        let (length, tag) = (message.len(), (&*tag).into());
        self.cipher
            .decrypt_inout_detached(&nonce.into(), aad, InOutBuf::from(message), tag)
            .map_err(|_| Error::DecryptError)?;
        payload.truncate(length);
        Ok(())
    }
}

impl Tls13AeadAlgorithm for ChaCha20Poly1305 {
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageEncrypter> {
        Box::new(Tls13(Key::new(&key, iv)))
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageDecrypter> {
        Box::new(Tls13(Key::new(&key, iv)))
    }

    fn key_len(&self) -> usize {
        KEY
    }

    fn extract_keys(&self, key: AeadKey, iv: Iv) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        Ok(ConnectionTrafficSecrets::Chacha20Poly1305 { key, iv })
    }
}

/// Records of TLS 1.3: the record's type is encrypted with the payload.
struct Tls13(Key);

impl MessageEncrypter for Tls13 {
    fn encrypt(&mut self, message: OutboundPlainMessage<'_>, seq: u64) -> Result<OutboundOpaqueMessage, Error> {
        let total = self.encrypted_payload_len(message.payload.len());
        let mut payload = PrefixedPayload::with_capacity(total);
        payload.extend_from_chunks(&message.payload);
        payload.extend_from_slice(&[message.typ.into()]);
        self.0.seal(seq, &make_tls13_aad(total), &mut payload)?;
        // To the outside every record looks like application data of TLS 1.2.
        Ok(OutboundOpaqueMessage::new(ContentType::ApplicationData, ProtocolVersion::TLSv1_2, payload))
    }

    fn encrypted_payload_len(&self, payload_len: usize) -> usize {
        payload_len + 1 + TAG
    }
}

impl MessageDecrypter for Tls13 {
    fn decrypt<'a>(
        &mut self,
        mut message: InboundOpaqueMessage<'a>,
        seq: u64,
    ) -> Result<InboundPlainMessage<'a>, Error> {
        let aad = make_tls13_aad(message.payload.len());
        self.0.open(seq, &aad, &mut message.payload)?;
        message.into_tls13_unpadded_message()
    }
}

#[cfg(feature = "tls12")]
mod tls12 {
    use super::{ChaCha20Poly1305, KEY, Key, TAG};
    use rustls::crypto::cipher::{
        AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, KeyBlockShape, MessageDecrypter, MessageEncrypter,
        NONCE_LEN, OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls12AeadAlgorithm,
        UnsupportedOperationError, make_tls12_aad,
    };
    use rustls::{ConnectionTrafficSecrets, Error};

    /// The most plaintext bytes of a record (RFC 5246, section 6.2.1).
    const MOST: usize = 1 << 14;

    impl Tls12AeadAlgorithm for ChaCha20Poly1305 {
        fn encrypter(&self, key: AeadKey, iv: &[u8], _explicit: &[u8]) -> Box<dyn MessageEncrypter> {
            Box::new(Tls12(Key::new(&key, Iv::copy(iv))))
        }

        fn decrypter(&self, key: AeadKey, iv: &[u8]) -> Box<dyn MessageDecrypter> {
            Box::new(Tls12(Key::new(&key, Iv::copy(iv))))
        }

        fn key_block_shape(&self) -> KeyBlockShape {
            KeyBlockShape { enc_key_len: KEY, fixed_iv_len: NONCE_LEN, explicit_nonce_len: 0 }
        }

        fn extract_keys(
            &self,
            key: AeadKey,
            iv: &[u8],
            _explicit: &[u8],
        ) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
            Ok(ConnectionTrafficSecrets::Chacha20Poly1305 { key, iv: Iv::copy(iv) })
        }
    }

    /// Records of TLS 1.2.
    struct Tls12(Key);

    impl MessageEncrypter for Tls12 {
        fn encrypt(&mut self, message: OutboundPlainMessage<'_>, seq: u64) -> Result<OutboundOpaqueMessage, Error> {
            let length = message.payload.len();
            let mut payload = PrefixedPayload::with_capacity(self.encrypted_payload_len(length));
            payload.extend_from_chunks(&message.payload);
            self.0.seal(seq, &make_tls12_aad(seq, message.typ, message.version, length), &mut payload)?;
            Ok(OutboundOpaqueMessage::new(message.typ, message.version, payload))
        }

        fn encrypted_payload_len(&self, payload_len: usize) -> usize {
            payload_len + TAG
        }
    }

    impl MessageDecrypter for Tls12 {
        fn decrypt<'a>(
            &mut self,
            mut message: InboundOpaqueMessage<'a>,
            seq: u64,
        ) -> Result<InboundPlainMessage<'a>, Error> {
            let length = message.payload.len().checked_sub(TAG).ok_or(Error::DecryptError)?;
            let aad = make_tls12_aad(seq, message.typ, message.version, length);
            self.0.open(seq, &aad, &mut message.payload)?;
            if length > MOST {
                return Err(Error::PeerSentOversizedRecord);
            }
            Ok(message.into_plain_message())
        }
    }
}
