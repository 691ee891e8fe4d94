//! Key encapsulation over module lattices: ML-KEM (FIPS 203, August 2024), and CLWE-KEM, which is ML-KEM with three
//! changes.
//!
//! Names, and the line numbers in comments, are those of FIPS 203. The changes of CLWE-KEM are:
//!
//! 1. u is not compressed (d<sub>u</sub> = 12), and v is compressed to 7 bits.
//! 2. G hashes the byte b = 0xC0 + k: (ρ, σ) = G(d ‖ b) instead of G(d ‖ k), and (K, r) = G(m ‖ H(ek) ‖ b) instead of
//!    G(m ‖ H(ek)), so that keys and ciphertexts of one scheme are of no use in the other.
//! 3. A ciphertext with a coefficient of u that is not below q is rejected implicitly.
//!
//! In the table, ek, dk and c are the bytes of an encapsulation key, a decapsulation key and a ciphertext. Shared
//! secrets have 32 bytes.
//!
//! | parameters | k | η<sub>1</sub>, η<sub>2</sub> | d<sub>u</sub>, d<sub>v</sub> | ek | dk | c |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | [`Params::ML_KEM_512`] | 2 | 3, 2 | 10, 4 | 800 | 1632 | 768 |
//! | [`Params::ML_KEM_768`] | 3 | 2, 2 | 10, 4 | 1184 | 2400 | 1088 |
//! | [`Params::ML_KEM_1024`] | 4 | 2, 2 | 11, 5 | 1568 | 3168 | 1568 |
//! | [`Params::CLWE_512`] | 2 | 3, 2 | 12, 7 | 800 | 1632 | 992 |
//! | [`Params::CLWE_768`] | 3 | 2, 2 | 12, 7 | 1184 | 2400 | 1376 |
//! | [`Params::CLWE_1024`] | 4 | 2, 2 | 12, 7 | 1568 | 3168 | 1760 |
//!
//! The caller gives the randomness, as in FIPS 203's `_internal` functions: the seeds d and z of a key pair, the
//! message m of an encapsulation.

mod pke;
pub mod ring;

use crate::keccak::{sha3_256, shake256};
use pke::{ELEMENT, g};

/// A parameter set of one of the schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    name: &'static str,
    /// The rank of the module.
    k: usize,
    /// η<sub>1</sub>: the noise of s, e and y.
    eta1: usize,
    /// d<sub>u</sub>: the bits that each coefficient of u is compressed to; 12 leaves it as it is.
    du: usize,
    /// d<sub>v</sub>: the bits that each coefficient of v is compressed to.
    dv: usize,
    /// The byte b of CLWE-KEM.
    domain: Option<u8>,
}

impl Params {
    /// ML-KEM-512.
    pub const ML_KEM_512: Self = Self::ml_kem("ML-KEM-512", 2, 3, 10, 4);
    /// ML-KEM-768.
    pub const ML_KEM_768: Self = Self::ml_kem("ML-KEM-768", 3, 2, 10, 4);
    /// ML-KEM-1024.
    pub const ML_KEM_1024: Self = Self::ml_kem("ML-KEM-1024", 4, 2, 11, 5);
    /// CLWE-512.
    pub const CLWE_512: Self = Self::clwe("CLWE-512", 2, 3);
    /// CLWE-768.
    pub const CLWE_768: Self = Self::clwe("CLWE-768", 3, 2);
    /// CLWE-1024.
    pub const CLWE_1024: Self = Self::clwe("CLWE-1024", 4, 2);

    /// All six parameter sets.
    pub const ALL: [Self; 6] =
        [Self::ML_KEM_512, Self::ML_KEM_768, Self::ML_KEM_1024, Self::CLWE_512, Self::CLWE_768, Self::CLWE_1024];

    const fn ml_kem(name: &'static str, k: usize, eta1: usize, du: usize, dv: usize) -> Self {
        Self { name, k, eta1, du, dv, domain: None }
    }

    const fn clwe(name: &'static str, k: usize, eta1: usize) -> Self {
        Self { name, k, eta1, du: 12, dv: 7, domain: Some(0xC0 + k as u8) }
    }

    /// The set's name, such as `ML-KEM-768`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The rank of the module: 2, 3 or 4.
    #[must_use]
    pub const fn k(self) -> usize {
        self.k
    }

    /// The bytes of an encapsulation key: t̂ ‖ ρ.
    #[must_use]
    pub const fn encapsulation_key_len(self) -> usize {
        ELEMENT * self.k + 32
    }

    /// The bytes of a decapsulation key: ŝ ‖ ek ‖ H(ek) ‖ z.
    #[must_use]
    pub const fn decapsulation_key_len(self) -> usize {
        ELEMENT * self.k + self.encapsulation_key_len() + 32 + 32
    }

    /// The bytes of a ciphertext: u ‖ v.
    #[must_use]
    pub const fn ciphertext_len(self) -> usize {
        32 * (self.du * self.k + self.dv)
    }
}

/// Why a key or a ciphertext fails the checks of FIPS 203, sections 7.2 and 7.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// The key or the ciphertext is too short or too long.
    Length,
    /// An encapsulation key has a coefficient that is not below q.
    Modulus,
    /// The hash in a decapsulation key is not that of its encapsulation key.
    Hash,
}

impl std::fmt::Display for KeyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Length => "the key or the ciphertext is too short or too long",
            Self::Modulus => "the encapsulation key has a coefficient that is not below 3329",
            Self::Hash => "the hash in the decapsulation key is not that of its encapsulation key",
        })
    }
}

impl std::error::Error for KeyError {}

/// ML-KEM.KeyGen_internal (Algorithm 16): the encapsulation key and the decapsulation key of the seeds d and z.
#[must_use]
pub fn keygen(params: Params, d: &[u8; 32], z: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    // Lines 1 and 2.
    let (ek, dk_pke) = pke::keygen(params, d);
    with_z(ek, &dk_pke, z)
}

/// The key pair of ρ, σ and z: what [`keygen`] makes where G gives ρ and σ. So there are many secret keys for one ρ,
/// whose matrix takes a time that depends on ρ.
#[must_use]
pub fn keygen_from(params: Params, rho: &[u8; 32], sigma: &[u8; 32], z: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let (ek, dk_pke) = pke::keygen_from(params, rho, sigma);
    with_z(ek, &dk_pke, z)
}

/// Algorithm 16, line 3: both keys.
fn with_z(ek: Vec<u8>, dk_pke: &[u8], z: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let dk = [dk_pke, &ek, &h(&ek), z].concat();
    (ek, dk)
}

/// ML-KEM.Encaps (Algorithm 20) with the randomness m: the shared secret and the ciphertext.
///
/// # Errors
///
/// [`KeyError::Length`] or [`KeyError::Modulus`] if the encapsulation key fails the checks of section 7.2.
pub fn encaps(params: Params, ek: &[u8], m: &[u8; 32]) -> Result<([u8; 32], Vec<u8>), KeyError> {
    // Section 7.2: type check and modulus check.
    if ek.len() != params.encapsulation_key_len() {
        return Err(KeyError::Length);
    }
    if !pke::is_reduced(&ek[..ELEMENT * params.k]) {
        return Err(KeyError::Modulus);
    }
    // ML-KEM.Encaps_internal (Algorithm 17), line 1.
    let (shared_secret, r) = g(&[m, &h(ek), params.domain.as_slice()]);
    // Line 2.
    Ok((shared_secret, pke::encrypt(params, ek, m, &r)))
}

/// ML-KEM.Decaps (Algorithm 21): the shared secret or, for a ciphertext that no encapsulation gives, the secret J(z ‖
/// c), which only the owner of z can compute.
///
/// # Errors
///
/// [`KeyError::Length`] or [`KeyError::Hash`] if the key or the ciphertext fails the checks of section 7.3. Unlike
/// `fairlane`, these accept a coefficient of q or more in the key.
pub fn decaps(params: Params, dk: &[u8], ciphertext: &[u8]) -> Result<[u8; 32], KeyError> {
    // Section 7.3: type checks.
    if ciphertext.len() != params.ciphertext_len() || dk.len() != params.decapsulation_key_len() {
        return Err(KeyError::Length);
    }
    // ML-KEM.Decaps_internal (Algorithm 18), lines 1 to 4.
    let (dk_pke, rest) = dk.split_at(ELEMENT * params.k);
    let (ek, rest) = rest.split_at(params.encapsulation_key_len());
    let (hash, z) = rest.split_at(32);
    // Section 7.3: hash check.
    if h(ek) != hash {
        return Err(KeyError::Hash);
    }
    // Algorithm 18, line 5.
    let m = pke::decrypt(params, dk_pke, ciphertext);
    // Line 6.
    let (shared_secret, r) = g(&[&m, hash, params.domain.as_slice()]);
    // Line 8. Every coefficient of u in this ciphertext is below q, so that one with a larger coefficient differs from
    // it: CLWE-KEM's third change needs no step of its own.
    let reencrypted = pke::encrypt(params, ek, &m, &r);
    // Lines 7 and 9 to 12.
    Ok(if reencrypted == ciphertext { shared_secret } else { j(z, ciphertext) })
}

/// H (section 4.1): SHA3-256.
fn h(s: &[u8]) -> [u8; 32] {
    sha3_256(s)
}

/// J (section 4.1): 32 bytes of SHAKE256.
fn j(z: &[u8], c: &[u8]) -> [u8; 32] {
    let mut output = [0; 32];
    shake256(&[z, c].concat(), &mut output);
    output
}
