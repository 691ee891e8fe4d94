//! The parameter sets, and how large their keys and ciphertexts are.

use super::keys::{DecapsulationKey, EncapsulationKey};
use super::packing::packed;
use ::kem::Kem;
use ::kem::consts::U32;
use hybrid_array::ArraySize;
use hybrid_array::sizes::{U768, U800, U992, U1088, U1184, U1376, U1568, U1632, U1760, U2400, U3168};

/// What one set of a scheme's parameters says (FIPS 203, section 8).
#[derive(Clone, Copy, Debug)]
pub struct Set {
    /// Its name.
    pub(super) name: &'static str,
    /// The rank of the module.
    pub(super) k: usize,
    /// The parameter of the noise of s, e and y; that of e1 and e2 is 2.
    pub(super) eta1: u8,
    /// The bits that a coefficient of u is compressed to; 12 are all.
    pub(super) du: usize,
    /// Those of v.
    pub(super) dv: usize,
    /// What CLWE-KEM hashes with its seeds and messages, to be another function than ML-KEM.
    pub(super) domain: Option<u8>,
}

impl Set {
    const fn ml_kem(name: &'static str, k: usize, eta1: u8, du: usize, dv: usize) -> Self {
        Self { name, k, eta1, du, dv, domain: None }
    }

    const fn clwe(name: &'static str, k: usize, eta1: u8) -> Self {
        Self { name, k, eta1, du: 12, dv: 7, domain: Some(0xc0 + k as u8) }
    }

    /// Bytes of t̂, or of ŝ.
    pub(super) const fn vector(&self) -> usize {
        self.k * packed(12)
    }

    /// Bytes of t̂ and ρ.
    pub(super) const fn encapsulation_key(&self) -> usize {
        self.vector() + 32
    }

    /// Bytes of u and v.
    pub(super) const fn ciphertext(&self) -> usize {
        self.k * packed(self.du) + packed(self.dv)
    }
}

/// A set of parameters, as a type. It cannot be implemented elsewhere.
pub trait ParameterSet:
    Kem<EncapsulationKey = EncapsulationKey<Self>, DecapsulationKey = DecapsulationKey<Self>, SharedKeySize = U32>
{
    /// Bytes of an encapsulation key.
    type EncapsulationKeySize: ArraySize;
    /// Bytes of a decapsulation key in FIPS 203's own form.
    type ExpandedSize: ArraySize;
    /// The parameters.
    const SET: Set;
}

macro_rules! sets {
    ($($(#[$doc:meta])* $name:ident: $set:expr, $key:ident, $expanded:ident, $ciphertext:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name;

        impl Kem for $name {
            type DecapsulationKey = DecapsulationKey<Self>;
            type EncapsulationKey = EncapsulationKey<Self>;
            type SharedKeySize = U32;
            type CiphertextSize = $ciphertext;
        }

        impl ParameterSet for $name {
            type EncapsulationKeySize = $key;
            type ExpandedSize = $expanded;
            const SET: Set = {
                let set = $set;
                assert!(set.encapsulation_key() == <$key as digest::typenum::Unsigned>::USIZE);
                assert!(set.vector() + set.encapsulation_key() + 64 == <$expanded as digest::typenum::Unsigned>::USIZE);
                assert!(set.ciphertext() == <$ciphertext as digest::typenum::Unsigned>::USIZE);
                set
            };
        }
    )*};
}

sets! {
    /// ML-KEM-512: category 1. Encapsulation keys of 800 bytes, ciphertexts of 768.
    MlKem512: Set::ml_kem("ML-KEM-512", 2, 3, 10, 4), U800, U1632, U768;
    /// ML-KEM-768: category 3, the one to use. Encapsulation keys of 1184 bytes, ciphertexts of 1088.
    MlKem768: Set::ml_kem("ML-KEM-768", 3, 2, 10, 4), U1184, U2400, U1088;
    /// ML-KEM-1024: category 5. Encapsulation keys of 1568 bytes, ciphertexts of 1568.
    MlKem1024: Set::ml_kem("ML-KEM-1024", 4, 2, 11, 5), U1568, U3168, U1568;
    /// CLWE-512: core-SVP 2<sup>118</sup>. Encapsulation keys of 800 bytes, ciphertexts of 992.
    Clwe512: Set::clwe("CLWE-512", 2, 3), U800, U1632, U992;
    /// CLWE-768: core-SVP 2<sup>182</sup>. Encapsulation keys of 1184 bytes, ciphertexts of 1376.
    Clwe768: Set::clwe("CLWE-768", 3, 2), U1184, U2400, U1376;
    /// CLWE-1024: core-SVP 2<sup>255</sup>. Encapsulation keys of 1568 bytes, ciphertexts of 1760.
    Clwe1024: Set::clwe("CLWE-1024", 4, 2), U1568, U3168, U1760;
}
