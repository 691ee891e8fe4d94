//! The libcrux-ml-kem crate: keys as bytes in types of its own, and keys unpacked for many uses.
//!
//! It leaves the checks of keys from bytes to its user, so they are made here wherever such keys come in.

use super::kem::{KemObjects, MESSAGE, SECRET, SEEDS};
use super::{About, Roster};
use crate::contest::{Contest, Label};
use fairlane_reference::kem::Params;

const PORTABLE: &str = "portable Rust";

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let Some(params) = contest.algorithm().ml_kem() else { return };
    let (unpacked, backend): (fn(&Contest, &mut Roster, &About, Params), _) = match () {
        #[cfg(target_arch = "x86_64")]
        () if is_x86_feature_detected!("avx2") => (avx2::enter, "Rust, AVX2"),
        #[cfg(target_arch = "aarch64")]
        () => (neon::enter, "Rust, NEON"),
        #[cfg(not(target_arch = "aarch64"))]
        () => (portable::enter, PORTABLE),
    };
    let about = About {
        name: "libcrux-ml-kem",
        library: "libcrux-ml-kem",
        version: "0.0.11",
        backend,
        labels: &[Label::ConstantTime],
        how_to_use: "crate libcrux-ml-kem: mlkem{512,768,1024}, validate_public_key and validate_private_key first",
    };
    // Where keys are prepared, its unpacked ones are.
    if !contest.job().is_prepared() {
        packed::enter(contest, roster, &about, params);
    }
    let about = About {
        name: "libcrux-ml-kem/unpacked",
        how_to_use: "crate libcrux-ml-kem: mlkem{512,768,1024}::avx2::unpacked, the checks of the module above first",
        ..about
    };
    unpacked(contest, roster, &about, params);
}

/// Why a key or a ciphertext is taken.
const GOOD: &str = "as long as it says, and good";

/// Enters the set of a contest: a type of each of these names stands beside.
macro_rules! enter {
    ($($Set:ident: $params:ident),*) => {
        pub(super) fn enter(contest: &Contest, roster: &mut Roster, about: &About, params: Params) {
            match params {
                $(Params::$params => roster.kem(contest, about, |_| $Set),)*
                _ => unreachable!("a parameter set of ML-KEM"),
            };
        }
    };
}

/// Keys as bytes.
mod packed {
    use super::{About, Contest, GOOD, KemObjects, MESSAGE, Params, Roster, SECRET, SEEDS};

    enter!(MlKem512: ML_KEM_512, MlKem768: ML_KEM_768, MlKem1024: ML_KEM_1024);

    macro_rules! set {
        ($Set:ident: $module:ident, $Public:ident, $Private:ident, $Pair:ident, $Ciphertext:ident) => {
            struct $Set;

            impl KemObjects for $Set {
                type PublicKey = libcrux_ml_kem::$module::$Public;
                type PrivateKey = libcrux_ml_kem::$module::$Pair;

                fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> Self::PrivateKey {
                    let pair = libcrux_ml_kem::$module::generate_key_pair(*seeds);
                    ek.copy_from_slice(pair.pk());
                    pair
                }

                fn public_key(&mut self, ek: &[u8]) -> Self::PublicKey {
                    let key = ek.try_into().expect(GOOD);
                    assert!(libcrux_ml_kem::$module::validate_public_key(&key), "{GOOD}");
                    key
                }

                fn write_private_key(&mut self, pair: &Self::PrivateKey, dk: &mut [u8]) {
                    dk.copy_from_slice(pair.sk());
                }

                fn encapsulate(
                    &mut self,
                    key: &Self::PublicKey,
                    m: &[u8; MESSAGE],
                    c: &mut [u8],
                    k: &mut [u8; SECRET],
                ) {
                    let (ciphertext, secret) = libcrux_ml_kem::$module::encapsulate(key, *m);
                    c.copy_from_slice(ciphertext.as_slice());
                    *k = secret;
                }

                fn decapsulate(&mut self, pair: &Self::PrivateKey, c: &[u8], k: &mut [u8; SECRET]) {
                    *k = libcrux_ml_kem::$module::decapsulate(pair.private_key(), &c.try_into().expect(GOOD));
                }

                // A private key alone decapsulates, too; a pair is not made of it.
                fn decapsulate_once(&mut self, dk: &[u8], c: &[u8], k: &mut [u8; SECRET]) {
                    let key: libcrux_ml_kem::$module::$Private = dk.try_into().expect(GOOD);
                    let c: libcrux_ml_kem::$module::$Ciphertext = c.try_into().expect(GOOD);
                    assert!(libcrux_ml_kem::$module::validate_private_key(&key, &c), "{GOOD}");
                    *k = libcrux_ml_kem::$module::decapsulate(&key, &c);
                }
            }
        };
    }
    set!(MlKem512: mlkem512, MlKem512PublicKey, MlKem512PrivateKey, MlKem512KeyPair, MlKem512Ciphertext);
    set!(MlKem768: mlkem768, MlKem768PublicKey, MlKem768PrivateKey, MlKem768KeyPair, MlKem768Ciphertext);
    set!(MlKem1024: mlkem1024, MlKem1024PublicKey, MlKem1024PrivateKey, MlKem1024KeyPair, MlKem1024Ciphertext);
}

/// Keys unpacked, with what one path of the library has for them.
macro_rules! unpacked {
    ($path:ident { $($Set:ident: $module:ident, $Public:ident, $Pair:ident;)* }) => {
        mod $path {
            use super::{About, Contest, GOOD, KemObjects, MESSAGE, Params, Roster, SECRET, SEEDS};

            enter!(MlKem512: ML_KEM_512, MlKem768: ML_KEM_768, MlKem1024: ML_KEM_1024);

            $(
                use libcrux_ml_kem::$module::$path as $module;

                struct $Set;

                impl KemObjects for $Set {
                    type PublicKey = $module::unpacked::$Public;
                    type PrivateKey = $module::unpacked::$Pair;

                    fn generate(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8]) -> Self::PrivateKey {
                        let pair = $module::unpacked::generate_key_pair(*seeds);
                        ek.copy_from_slice($module::unpacked::key_pair_serialized_public_key(&pair).as_slice());
                        pair
                    }

                    fn public_key(&mut self, ek: &[u8]) -> Self::PublicKey {
                        let packed = ek.try_into().expect(GOOD);
                        assert!($module::validate_public_key(&packed), "{GOOD}");
                        let mut key = $module::unpacked::init_public_key();
                        $module::unpacked::unpacked_public_key(&packed, &mut key);
                        key
                    }

                    fn write_private_key(&mut self, pair: &Self::PrivateKey, dk: &mut [u8]) {
                        dk.copy_from_slice($module::unpacked::key_pair_serialized_private_key(pair).as_slice());
                    }

                    fn encapsulate(
                        &mut self,
                        key: &Self::PublicKey,
                        m: &[u8; MESSAGE],
                        c: &mut [u8],
                        k: &mut [u8; SECRET],
                    ) {
                        let (ciphertext, secret) = $module::unpacked::encapsulate(key, *m);
                        c.copy_from_slice(ciphertext.as_slice());
                        *k = secret;
                    }

                    fn decapsulate(&mut self, pair: &Self::PrivateKey, c: &[u8], k: &mut [u8; SECRET]) {
                        *k = $module::unpacked::decapsulate(pair, &c.try_into().expect(GOOD));
                    }

                    // The check of a private key asks for the ciphertext, too.
                    fn decapsulate_once(&mut self, dk: &[u8], c: &[u8], k: &mut [u8; SECRET]) {
                        let (key, c) = (dk.try_into().expect(GOOD), c.try_into().expect(GOOD));
                        assert!($module::validate_private_key(&key, &c), "{GOOD}");
                        let mut pair = $module::unpacked::init_key_pair();
                        $module::unpacked::key_pair_from_private_mut(&key, &mut pair);
                        *k = $module::unpacked::decapsulate(&pair, &c);
                    }
                }
            )*
        }
    };
    ($path:ident) => {
        unpacked!($path {
            MlKem512: mlkem512, MlKem512PublicKeyUnpacked, MlKem512KeyPairUnpacked;
            MlKem768: mlkem768, MlKem768PublicKeyUnpacked, MlKem768KeyPairUnpacked;
            MlKem1024: mlkem1024, MlKem1024PublicKeyUnpacked, MlKem1024KeyPairUnpacked;
        });
    };
}
#[cfg(target_arch = "x86_64")]
unpacked!(avx2);
#[cfg(target_arch = "aarch64")]
unpacked!(neon);
#[cfg(not(target_arch = "aarch64"))]
unpacked!(portable);
