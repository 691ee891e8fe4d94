//! X25519MLKEM768 (draft-ietf-tls-ecdhe-mlkem): ML-KEM-768 and X25519 side by side.
//!
//! | | bytes |
//! | --- | --- |
//! | the client's share: encapsulation key, then key of X25519 | 1184 + 32 |
//! | the server's share: ciphertext, then key of X25519 | 1088 + 32 |
//! | the shared secret: that of ML-KEM-768, then that of X25519 | 32 + 32 |
//!
//! Keys of ML-KEM are those of [`fairlane::dynamic`], which stay in a box and erase the stack that they have used.

use fairlane::dynamic::{DecapsulationKey, KemAlgorithm};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SecureRandom, SharedSecret, SupportedKxGroup};
use rustls::ffdhe_groups::FfdheGroup;
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion};
use zeroize::Zeroizing;

const ML_KEM: KemAlgorithm = KemAlgorithm::MlKem768;

/// Bytes of an encapsulation key of ML-KEM-768.
const KEY: usize = 1184;
/// Bytes of a ciphertext of ML-KEM-768.
const CIPHERTEXT: usize = 1088;
/// Bytes of a key of X25519, and of each half of the shared secret.
const BYTES: usize = 32;

/// A share with the wrong length or a key that is none.
const INVALID: Error = Error::PeerMisbehaved(PeerMisbehaved::InvalidKeyShare);

/// What cannot be: all lengths were checked, and ML-KEM works on every CPU.
fn internal(error: &fairlane::dynamic::Error) -> Error {
    Error::General(error.to_string())
}

/// The group, of TLS 1.3 only.
///
/// A client that offers it can also complete an exchange with X25519 alone, so that a server without ML-KEM costs no
/// second round trip. Shares of the wrong length, encapsulation keys with a coefficient that is not below q, and what
/// the other provider's X25519 refuses, are refused.
#[derive(Debug)]
pub(crate) struct X25519MlKem768 {
    /// X25519 of another provider.
    pub(crate) x25519: &'static dyn SupportedKxGroup,
    pub(crate) random: &'static dyn SecureRandom,
}

impl X25519MlKem768 {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        self.random.fill(bytes).map_err(|_| Error::FailedToGetRandomBytes)
    }
}

impl SupportedKxGroup for X25519MlKem768 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let mut seeds = Zeroizing::new([0; 64]);
        self.fill(&mut *seeds)?;
        let ml_kem = ML_KEM.decapsulation_key_from_seeds(&*seeds, None).map_err(|error| internal(&error))?;
        let x25519 = self.x25519.start()?;
        let share = [ml_kem.encapsulation_key(), x25519.pub_key()].concat();
        Ok(Box::new(Offer { ml_kem, x25519, share }))
    }

    fn start_and_complete(&self, share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (key, theirs) = split::<KEY>(share)?;
        let key = ML_KEM.encapsulation_key_from_bytes(key, None).map_err(|_| INVALID)?;
        let x25519 = self.x25519.start_and_complete(theirs)?;
        let mut m = Zeroizing::new([0; 32]);
        self.fill(&mut *m)?;
        let (mut pub_key, mut of_ml_kem) = (vec![0; CIPHERTEXT], Zeroizing::new([0; BYTES]));
        key.encapsulate(&*m, &mut pub_key, &mut *of_ml_kem).map_err(|error| internal(&error))?;
        pub_key.extend_from_slice(&x25519.pub_key);
        Ok(CompletedKeyExchange { group: self.name(), pub_key, secret: joined(&*of_ml_kem, &x25519.secret) })
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

/// A client's exchange, which waits for the server's share. ML-KEM's key is erased on drop.
struct Offer {
    ml_kem: Box<dyn DecapsulationKey>,
    x25519: Box<dyn ActiveKeyExchange>,
    share: Vec<u8>,
}

impl ActiveKeyExchange for Offer {
    fn complete(self: Box<Self>, share: &[u8]) -> Result<SharedSecret, Error> {
        let (ciphertext, theirs) = split::<CIPHERTEXT>(share)?;
        let of_x25519 = self.x25519.complete(theirs)?;
        let mut of_ml_kem = Zeroizing::new([0; BYTES]);
        self.ml_kem.decapsulate(ciphertext, &mut *of_ml_kem).map_err(|error| internal(&error))?;
        Ok(joined(&*of_ml_kem, &of_x25519))
    }

    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        Some((self.x25519.group(), self.x25519.pub_key()))
    }

    fn complete_hybrid_component(self: Box<Self>, share: &[u8]) -> Result<SharedSecret, Error> {
        self.x25519.complete(share)
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn ffdhe_group(&self) -> Option<FfdheGroup<'static>> {
        None
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }
}

/// The two parts of a share, of which the first has `N` bytes.
fn split<const N: usize>(share: &[u8]) -> Result<(&[u8; N], &[u8; BYTES]), Error> {
    let (first, rest) = share.split_first_chunk::<N>().ok_or(INVALID)?;
    Ok((first, rest.try_into().map_err(|_| INVALID)?))
}

/// Both secrets, in a vector that rustls erases.
fn joined(of_ml_kem: &[u8], of_x25519: &SharedSecret) -> SharedSecret {
    [of_ml_kem, of_x25519.secret_bytes()].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::crypto::ring::{default_provider, kx_group::X25519};

    fn group() -> X25519MlKem768 {
        X25519MlKem768 { x25519: X25519, random: default_provider().secure_random }
    }

    fn refused<T>(result: Result<T, Error>) -> bool {
        result.is_err_and(|error| error == INVALID)
    }

    #[test]
    fn both_sides_have_the_same_secret() {
        for _ in 0..10 {
            let offer = group().start().unwrap();
            assert_eq!(offer.pub_key().len(), KEY + BYTES);
            let answer = group().start_and_complete(offer.pub_key()).unwrap();
            assert_eq!((answer.group, answer.pub_key.len()), (NamedGroup::X25519MLKEM768, CIPHERTEXT + BYTES));
            let secret = offer.complete(&answer.pub_key).unwrap();
            assert_eq!(secret.secret_bytes(), answer.secret.secret_bytes());
            assert_eq!(secret.secret_bytes().len(), 2 * BYTES);
        }
    }

    #[test]
    fn a_changed_ciphertext_gives_another_secret() {
        let offer = group().start().unwrap();
        let mut answer = group().start_and_complete(offer.pub_key()).unwrap();
        answer.pub_key[17] ^= 1;
        let secret = offer.complete(&answer.pub_key).unwrap();
        let (of_ml_kem, of_x25519) = secret.secret_bytes().split_at(BYTES);
        assert_ne!(of_ml_kem, &answer.secret.secret_bytes()[..BYTES]);
        assert_eq!(of_x25519, &answer.secret.secret_bytes()[BYTES..]);
    }

    #[test]
    fn x25519_alone_completes_an_offer() {
        let offer = group().start().unwrap();
        let (name, share) = offer.hybrid_component().unwrap();
        assert_eq!(name, NamedGroup::X25519);
        let server = X25519.start_and_complete(share).unwrap();
        let secret = offer.complete_hybrid_component(&server.pub_key).unwrap();
        assert_eq!(secret.secret_bytes(), server.secret.secret_bytes());
    }

    #[test]
    fn malformed_shares_are_refused() {
        let good = group().start().unwrap().pub_key().to_vec();
        for length in [0, 1, BYTES, KEY - 1, KEY, KEY + BYTES - 1, CIPHERTEXT + BYTES] {
            assert!(refused(group().start_and_complete(&good[..length])), "{length}");
        }
        assert!(refused(group().start_and_complete(&[&good[..], &[0]].concat())));
        // A coefficient of 4095, and the two points of X25519 that are most easily written.
        let mut key = good.clone();
        key[..2].fill(0xff);
        assert!(refused(group().start_and_complete(&key)));
        for point in [0, 1] {
            let mut key = good.clone();
            key[KEY..].fill(0);
            key[KEY] = point;
            assert!(refused(group().start_and_complete(&key)), "{point}");
        }
        let answer = group().start_and_complete(&good).unwrap().pub_key;
        for length in [0, BYTES, CIPHERTEXT, CIPHERTEXT + BYTES - 1] {
            assert!(refused(group().start().unwrap().complete(&answer[..length])), "{length}");
        }
        assert!(refused(group().start().unwrap().complete(&[&answer[..], &[0]].concat())));
        let zero = [&answer[..CIPHERTEXT], &[0; BYTES]].concat();
        assert!(refused(group().start().unwrap().complete(&zero)));
        for share in [&[0; BYTES][..], &[9; BYTES - 1], &[9; BYTES + 1], &[]] {
            assert!(refused(group().start().unwrap().complete_hybrid_component(share)));
        }
    }

    #[test]
    fn keys_are_erased() {
        use fairlane::kem::KeyInit;
        use fairlane::ml_kem::{DecapsulationKey, MlKem768};

        fn erased<T: zeroize::ZeroizeOnDrop>(_: &T) {}
        erased(&DecapsulationKey::<MlKem768>::new(&[7; 64].into()));
        erased(&fairlane::chacha::ChaCha20Poly1305::new(&[7; BYTES].into()));
    }
}
