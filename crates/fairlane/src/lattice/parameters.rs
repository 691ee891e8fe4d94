//! The parameter sets of ML-KEM (FIPS 203, section 8) and CLWE-KEM as values, and the sizes in bytes that follow from
//! them.

/// The parameters of one set.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// The set's name, such as `ML-KEM-768`.
    pub(super) name: &'static str,
    /// The rank of the module: 2, 3 or 4.
    pub(super) k: usize,
    /// η₁: the binomial distribution of s, e and y, 2 or 3.
    pub(super) eta1: u8,
    /// d<sub>u</sub>: the bits that each coefficient of u is compressed to; 12 leaves it as it is.
    pub(super) du: usize,
    /// d<sub>v</sub>: the bits that each coefficient of v is compressed to.
    pub(super) dv: usize,
    /// The byte that CLWE-KEM appends to the input of G, so that it is another function than ML-KEM's.
    pub(super) domain: Option<u8>,
}

/// The largest rank of a module.
pub(super) const MAX_K: usize = 4;

/// η₂: the binomial distribution of e₁ and e₂, the same in every set.
pub(super) const ETA2: u8 = 2;

/// Evaluates an expression with the rank of a module as the constant `$k`, for arrays that are no longer than needed.
macro_rules! with_rank {
    ($rank:expr, $k:ident => $body:expr) => {
        match $rank {
            2 => {
                const $k: usize = 2;
                $body
            }
            3 => {
                const $k: usize = 3;
                $body
            }
            _ => {
                const $k: usize = 4;
                $body
            }
        }
    };
}
pub(super) use with_rank;

/// Bytes of seeds, messages, hashes and shared secrets.
pub(super) const BYTES: usize = 32;

/// Bytes of the longest ciphertext, CLWE-1024's.
pub(super) const MAX_CIPHERTEXT: usize = Parameters::CLWE_1024.ciphertext_size();

/// Bytes of 256 integers of `d` bits each, as `ByteEncode_d` packs them.
pub(super) const fn encoded_size(d: usize) -> usize {
    32 * d
}

impl Parameters {
    pub(super) const ML_KEM_512: Self = Self::ml_kem("ML-KEM-512", 2, 3, 10, 4);
    pub(super) const ML_KEM_768: Self = Self::ml_kem("ML-KEM-768", 3, 2, 10, 4);
    pub(super) const ML_KEM_1024: Self = Self::ml_kem("ML-KEM-1024", 4, 2, 11, 5);
    pub(super) const CLWE_512: Self = Self::clwe("CLWE-512", 2, 3);
    pub(super) const CLWE_768: Self = Self::clwe("CLWE-768", 3, 2);
    pub(super) const CLWE_1024: Self = Self::clwe("CLWE-1024", 4, 2);

    const fn ml_kem(name: &'static str, k: usize, eta1: u8, du: usize, dv: usize) -> Self {
        Self { name, k, eta1, du, dv, domain: None }
    }

    const fn clwe(name: &'static str, k: usize, eta1: u8) -> Self {
        Self { name, k, eta1, du: 12, dv: 7, domain: Some(0xc0 + k as u8) }
    }

    /// The byte that G takes after the seed d (Algorithm 13, line 1): k, or CLWE-KEM's own.
    pub(super) fn keygen_domain(&self) -> u8 {
        self.domain.unwrap_or(self.k as u8)
    }

    /// What G takes after m ‖ H(ek) (Algorithm 17, line 1): nothing, or CLWE-KEM's byte.
    pub(super) fn encaps_domain(&self) -> &[u8] {
        self.domain.as_slice()
    }

    /// Bytes of t̂, or of ŝ.
    pub(super) const fn vector_size(&self) -> usize {
        self.k * encoded_size(12)
    }

    /// Bytes of ek: t̂ and ρ.
    pub(super) const fn encapsulation_key_size(&self) -> usize {
        self.vector_size() + BYTES
    }

    /// Bytes of dk: ŝ, ek, H(ek) and z.
    pub(super) const fn decapsulation_key_size(&self) -> usize {
        self.vector_size() + self.encapsulation_key_size() + 2 * BYTES
    }

    /// Bytes of c₁: u, compressed.
    pub(super) const fn c1_size(&self) -> usize {
        self.k * encoded_size(self.du)
    }

    /// Bytes of a ciphertext: c₁ and c₂, which are u and v, compressed.
    pub(super) const fn ciphertext_size(&self) -> usize {
        self.c1_size() + encoded_size(self.dv)
    }
}
