//! Key encapsulation: ML-KEM (FIPS 203), and X25519MLKEM768 of draft-ietf-tls-ecdhe-mlkem, in which ML-KEM-768 comes
//! first and X25519 second in keys, ciphertexts and secrets.
//!
//! Keys are erased on drop, and ML-KEM erases the stack that it has used. What the crate `x25519-dalek` and moves of
//! its keys leave on the stack is not erased.

mod keys;
mod operations;
mod tls;

use crate::border::{Checked, Core, Failure, HasCore, equal};
use core::ffi::CStr;
use fairlane::dynamic::{DecapsulationKey, EncapsulationKey, KemAlgorithm};
use std::sync::Arc;
use x25519_dalek::{PublicKey, StaticSecret};
use zeroize::Zeroizing;

pub(crate) use keys::ALGORITHMS as KEYS;
pub(crate) use operations::ALGORITHMS as OPERATIONS;
pub(crate) use tls::get_capabilities;

/// Bytes of a key of X25519.
const X25519: usize = 32;
/// Bytes of the seeds d ‖ z.
const SEEDS: usize = 64;

/// A line of the table: the names that OpenSSL's own provider uses from 3.5 on, too, and the algorithm.
struct Line {
    /// The first of the names.
    name: &'static CStr,
    names: &'static CStr,
    algorithm: KemAlgorithm,
    /// Whether X25519 is beside it.
    hybrid: bool,
    /// What TLS calls the group, and its number.
    group: (&'static CStr, u32),
    /// The number in ML-KEM's name, which OpenSSL calls bits.
    bits: usize,
    /// Security in bits, and NIST's category.
    security: (u32, u32),
}

static LINES: [Line; 4] = [
    Line {
        name: c"ML-KEM-512",
        names: c"ML-KEM-512:MLKEM512:id-alg-ml-kem-512:2.16.840.1.101.3.4.4.1",
        algorithm: KemAlgorithm::MlKem512,
        hybrid: false,
        group: (c"MLKEM512", 0x200),
        bits: 512,
        security: (128, 1),
    },
    Line {
        name: c"ML-KEM-768",
        names: c"ML-KEM-768:MLKEM768:id-alg-ml-kem-768:2.16.840.1.101.3.4.4.2",
        algorithm: KemAlgorithm::MlKem768,
        hybrid: false,
        group: (c"MLKEM768", 0x201),
        bits: 768,
        security: (192, 3),
    },
    Line {
        name: c"ML-KEM-1024",
        names: c"ML-KEM-1024:MLKEM1024:id-alg-ml-kem-1024:2.16.840.1.101.3.4.4.3",
        algorithm: KemAlgorithm::MlKem1024,
        hybrid: false,
        group: (c"MLKEM1024", 0x202),
        bits: 1024,
        security: (256, 5),
    },
    Line {
        name: c"X25519MLKEM768",
        names: c"X25519MLKEM768",
        algorithm: KemAlgorithm::MlKem768,
        hybrid: true,
        group: (c"X25519MLKEM768", 0x11ec),
        bits: 768,
        security: (192, 3),
    },
];

impl Line {
    /// Bytes that X25519 adds to keys, ciphertexts and secrets.
    const fn more(&self) -> usize {
        if self.hybrid { X25519 } else { 0 }
    }

    const fn public_size(&self) -> usize {
        self.algorithm.encapsulation_key_size() + self.more()
    }

    const fn private_size(&self) -> usize {
        self.algorithm.expanded_size() + self.more()
    }

    const fn ciphertext_size(&self) -> usize {
        self.algorithm.ciphertext_size() + self.more()
    }

    const fn secret_size(&self) -> usize {
        KemAlgorithm::SHARED_SECRET_SIZE + self.more()
    }
}

/// A list of algorithms with a table of functions for each line.
macro_rules! algorithms {
    ($functions:ident) => {
        pub(crate) static ALGORITHMS: &[Algorithm] = &[
            Algorithm::new(LINES[0].names, &$functions::<0>::TABLE),
            Algorithm::new(LINES[1].names, &$functions::<1>::TABLE),
            Algorithm::new(LINES[2].names, &$functions::<2>::TABLE),
            Algorithm::new(LINES[3].names, &$functions::<3>::TABLE),
            Algorithm::LAST,
        ];
    };
}
use algorithms;

/// A key as OpenSSL has it: it is made empty, and filled later.
struct Key {
    core: Option<Core>,
    line: &'static Line,
    /// The key of a peer: a private key has its public one with it.
    public: Option<Arc<Public>>,
    private: Option<Arc<Private>>,
}

impl HasCore for Key {
    fn core(&self) -> Option<Core> {
        self.core
    }
}

impl Key {
    /// The bytes of the public key, if there is one.
    fn public_bytes(&self) -> Option<&[u8]> {
        match (&self.private, &self.public) {
            (Some(private), _) => Some(&private.public),
            (None, Some(public)) => Some(&public.bytes),
            (None, None) => None,
        }
    }

    /// The public key, checked.
    fn public(&self) -> Checked<Arc<Public>> {
        match (&self.public, &self.private) {
            (Some(public), _) => Ok(Arc::clone(public)),
            (None, Some(private)) => Public::new(self.line, &private.public).map(Arc::new),
            (None, None) => Err(Failure::NoKey),
        }
    }
}

/// A key that encapsulates.
struct Public {
    bytes: Vec<u8>,
    ml_kem: Box<dyn EncapsulationKey>,
    x25519: Option<PublicKey>,
}

impl Public {
    fn new(line: &Line, bytes: &[u8]) -> Checked<Self> {
        if bytes.len() != line.public_size() {
            return Err(Failure::KeyLength);
        }
        let (ml_kem, x25519) = bytes.split_at(line.algorithm.encapsulation_key_size());
        Ok(Self {
            bytes: bytes.to_vec(),
            ml_kem: line.algorithm.encapsulation_key_from_bytes(ml_kem, None)?,
            x25519: x25519.first_chunk().map(|bytes| PublicKey::from(*bytes)),
        })
    }

    /// Writes a ciphertext and its secret. The randomness of ML-KEM is `m`, or new.
    fn encapsulate(&self, m: Option<&[u8; 32]>, ciphertext: &mut [u8], secret: &mut [u8]) -> Checked<()> {
        let algorithm = self.ml_kem.algorithm();
        let (in_ml_kem, in_x25519) = ciphertext.split_at_mut(algorithm.ciphertext_size());
        let (of_ml_kem, of_x25519) = secret.split_at_mut(KemAlgorithm::SHARED_SECRET_SIZE);
        let new;
        let m = match m {
            Some(m) => m,
            None => {
                new = random()?;
                &**new
            }
        };
        // What can fail comes before what is written.
        if let Some(theirs) = &self.x25519 {
            let own = StaticSecret::from(**random::<X25519>()?);
            exchange(&own, theirs, of_x25519)?;
            in_x25519.copy_from_slice(PublicKey::from(&own).as_bytes());
        }
        Ok(self.ml_kem.encapsulate(m, in_ml_kem, of_ml_kem)?)
    }
}

/// Bytes that stay in one place until they are erased.
type Kept<const N: usize> = Box<Zeroizing<[u8; N]>>;

/// A copy of so many bytes.
fn kept<const N: usize>(bytes: &[u8]) -> Checked<Kept<N>> {
    if bytes.len() != N {
        return Err(Failure::WrongParameter);
    }
    let mut kept = Box::new(Zeroizing::new([0; N]));
    kept.copy_from_slice(bytes);
    Ok(kept)
}

/// A key that decapsulates, which is erased on drop.
struct Private {
    ml_kem: Box<dyn DecapsulationKey>,
    /// Those of which it was made, if it was made of seeds.
    seeds: Option<Kept<SEEDS>>,
    x25519: Option<Kept<X25519>>,
    /// The bytes of the public key.
    public: Vec<u8>,
}

impl Private {
    /// A new key.
    fn generate(line: &Line) -> Checked<Self> {
        let x25519 = if line.hybrid { Some(random()?) } else { None };
        Self::with(line, random()?, x25519)
    }

    /// The key of these seeds, and of this key of X25519.
    fn with(line: &Line, seeds: Kept<SEEDS>, x25519: Option<Kept<X25519>>) -> Checked<Self> {
        let ml_kem = line.algorithm.decapsulation_key_from_seeds(&**seeds, None)?;
        Ok(Self { public: public_of(&*ml_kem, x25519.as_deref()), ml_kem, seeds: Some(seeds), x25519 })
    }

    /// The key in FIPS 203's expanded form, with that of X25519 after it.
    fn from_bytes(line: &Line, bytes: &[u8]) -> Checked<Self> {
        if bytes.len() != line.private_size() {
            return Err(Failure::KeyLength);
        }
        let (expanded, of_x25519) = bytes.split_at(line.algorithm.expanded_size());
        let ml_kem = line.algorithm.decapsulation_key_from_expanded(expanded, None)?;
        check_pair(line.algorithm, &*ml_kem)?;
        let x25519 = if line.hybrid { Some(kept(of_x25519)?) } else { None };
        Ok(Self { public: public_of(&*ml_kem, x25519.as_deref()), ml_kem, seeds: None, x25519 })
    }

    /// What [`from_bytes`](Self::from_bytes) takes.
    fn to_bytes(&self) -> Checked<Zeroizing<Vec<u8>>> {
        let expanded = self.ml_kem.algorithm().expanded_size();
        let mut bytes = Zeroizing::new(vec![0; expanded + if self.x25519.is_some() { X25519 } else { 0 }]);
        let (ml_kem, x25519) = bytes.split_at_mut(expanded);
        self.ml_kem.write_expanded(ml_kem)?;
        if let Some(own) = &self.x25519 {
            x25519.copy_from_slice(&***own);
        }
        Ok(bytes)
    }

    /// Writes the secret of a ciphertext. A changed part gives another secret, or an error.
    fn decapsulate(&self, ciphertext: &[u8], secret: &mut [u8]) -> Checked<()> {
        let (in_ml_kem, in_x25519) =
            ciphertext.split_at_checked(self.ml_kem.algorithm().ciphertext_size()).ok_or(Failure::Length)?;
        let (of_ml_kem, of_x25519) = secret.split_at_mut(KemAlgorithm::SHARED_SECRET_SIZE);
        match (&self.x25519, <[u8; X25519]>::try_from(in_x25519)) {
            (Some(own), Ok(theirs)) => {
                exchange(&StaticSecret::from(***own), &PublicKey::from(theirs), of_x25519)?;
            }
            (None, Err(_)) if in_x25519.is_empty() => {}
            _ => return Err(Failure::Length),
        }
        Ok(self.ml_kem.decapsulate(in_ml_kem, of_ml_kem)?)
    }
}

/// The bytes of the public key.
fn public_of(ml_kem: &dyn DecapsulationKey, x25519: Option<&Zeroizing<[u8; X25519]>>) -> Vec<u8> {
    let mut public = ml_kem.encapsulation_key().to_vec();
    if let Some(x25519) = x25519 {
        public.extend(PublicKey::from(&StaticSecret::from(**x25519)).as_bytes());
    }
    public
}

/// Whether a key that came in FIPS 203's expanded form decapsulates what its public key encapsulates: the check of the
/// hash in it says nothing of the secret part.
fn check_pair(algorithm: KemAlgorithm, key: &dyn DecapsulationKey) -> Checked<()> {
    let public = algorithm.encapsulation_key_from_bytes(key.encapsulation_key(), None)?;
    let mut ciphertext = vec![0; algorithm.ciphertext_size()];
    let mut sent = Zeroizing::new([0; KemAlgorithm::SHARED_SECRET_SIZE]);
    let mut received = sent.clone();
    public.encapsulate(&**random::<32>()?, &mut ciphertext, &mut *sent)?;
    key.decapsulate(&ciphertext, &mut *received)?;
    if equal(&*sent, &*received) { Ok(()) } else { Err(Failure::InvalidKey) }
}

/// Writes what X25519 gives. A key of low order, whose secret everybody knows, is refused (RFC 7748, section 6.1).
fn exchange(own: &StaticSecret, theirs: &PublicKey, secret: &mut [u8]) -> Checked<()> {
    let both = own.diffie_hellman(theirs);
    if !both.was_contributory() {
        return Err(Failure::InvalidKey);
    }
    secret.copy_from_slice(both.as_bytes());
    Ok(())
}

fn random<const N: usize>() -> Checked<Kept<N>> {
    let mut bytes = Box::new(Zeroizing::new([0; N]));
    getrandom::fill(&mut **bytes).map_err(|_| Failure::Internal)?;
    Ok(bytes)
}
