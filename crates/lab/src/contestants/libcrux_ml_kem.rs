//! The libcrux-ml-kem crate: keys as bytes in types of its own, and keys unpacked for many uses.
//!
//! It leaves the checks of keys from bytes to its user, so they are made here wherever such keys come in.

use super::{About, Roster};
use crate::contest::{Contest, Label};
use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys, params};
use fairlane_reference::kem::Params;

const PORTABLE: &str = "portable Rust";

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let Some(params) = params(contest) else { return };
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
    if !contest.job().ends_with("-prepared") {
        match params {
            Params::ML_KEM_512 => roster.kem(contest, &about, |_| packed::MlKem512),
            Params::ML_KEM_768 => roster.kem(contest, &about, |_| packed::MlKem768),
            Params::ML_KEM_1024 => roster.kem(contest, &about, |_| packed::MlKem1024),
            _ => return,
        };
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

/// Keys as bytes.
mod packed {
    use super::{FixedPair, GOOD, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys};

    macro_rules! sets {
        ($($Set:ident: $module:ident, $Public:ident, $Private:ident, $Pair:ident, $Ciphertext:ident;)*) => {$(
            pub(super) struct $Set;

            impl KeptKeys for $Set {
                type Pair = libcrux_ml_kem::$module::$Pair;
                type Key = libcrux_ml_kem::$module::$Public;

                fn pair(&mut self, pair: &FixedPair) -> Self::Pair {
                    self.generate(&pair.seeds)
                }

                fn key(&mut self, ek: &[u8]) -> Self::Key {
                    let key = ek.try_into().expect(GOOD);
                    assert!(libcrux_ml_kem::$module::validate_public_key(&key), "{GOOD}");
                    key
                }

                fn encapsulate(
                    &mut self,
                    key: &Self::Key,
                    m: &[u8; MESSAGE],
                    sent: &mut [u8],
                    secret: &mut [u8; SECRET],
                ) {
                    let (ciphertext, shared) = libcrux_ml_kem::$module::encapsulate(key, *m);
                    sent.copy_from_slice(ciphertext.as_slice());
                    *secret = shared;
                }

                fn decapsulate(&mut self, pair: &Self::Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
                    let sent = sent.try_into().expect(GOOD);
                    *secret = libcrux_ml_kem::$module::decapsulate(pair.private_key(), &sent);
                }
            }

            impl TypedKeys for $Set {
                fn generate(&mut self, seeds: &[u8; SEEDS]) -> Self::Pair {
                    libcrux_ml_kem::$module::generate_key_pair(*seeds)
                }

                fn write_key(&mut self, pair: &Self::Pair, ek: &mut [u8]) {
                    ek.copy_from_slice(pair.pk());
                }

                fn write_pair(&mut self, pair: &Self::Pair, dk: &mut [u8]) {
                    dk.copy_from_slice(pair.sk());
                }

                fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
                    let key: libcrux_ml_kem::$module::$Private = dk.try_into().expect(GOOD);
                    let sent: libcrux_ml_kem::$module::$Ciphertext = sent.try_into().expect(GOOD);
                    assert!(libcrux_ml_kem::$module::validate_private_key(&key, &sent), "{GOOD}");
                    *secret = libcrux_ml_kem::$module::decapsulate(&key, &sent);
                }
            }
        )*};
    }
    sets! {
        MlKem512: mlkem512, MlKem512PublicKey, MlKem512PrivateKey, MlKem512KeyPair, MlKem512Ciphertext;
        MlKem768: mlkem768, MlKem768PublicKey, MlKem768PrivateKey, MlKem768KeyPair, MlKem768Ciphertext;
        MlKem1024: mlkem1024, MlKem1024PublicKey, MlKem1024PrivateKey, MlKem1024KeyPair, MlKem1024Ciphertext;
    }
}

/// Keys unpacked, with what one path of the library's has for them.
macro_rules! unpacked {
    ($path:ident { $($Set:ident: $params:ident, $module:ident, $Public:ident, $Pair:ident;)* }) => {
        mod $path {
            use super::{About, FixedPair, GOOD, KeptKeys, MESSAGE, Params, Roster, SECRET, SEEDS, TypedKeys};
            use crate::contest::Contest;

            pub(super) fn enter(contest: &Contest, roster: &mut Roster, about: &About, params: Params) {
                match params {
                    $(Params::$params => {
                        roster.kem(contest, about, |_| $Set);
                    })*
                    _ => {}
                }
            }

            $(
                struct $Set;

                impl KeptKeys for $Set {
                    type Pair = libcrux_ml_kem::$module::$path::unpacked::$Pair;
                    type Key = libcrux_ml_kem::$module::$path::unpacked::$Public;

                    fn pair(&mut self, pair: &FixedPair) -> Self::Pair {
                        self.generate(&pair.seeds)
                    }

                    fn key(&mut self, ek: &[u8]) -> Self::Key {
                        use libcrux_ml_kem::$module::$path::{unpacked, validate_public_key};
                        let packed = ek.try_into().expect(GOOD);
                        assert!(validate_public_key(&packed), "{GOOD}");
                        let mut key = unpacked::init_public_key();
                        unpacked::unpacked_public_key(&packed, &mut key);
                        key
                    }

                    fn encapsulate(
                        &mut self,
                        key: &Self::Key,
                        m: &[u8; MESSAGE],
                        sent: &mut [u8],
                        secret: &mut [u8; SECRET],
                    ) {
                        use libcrux_ml_kem::$module::$path::unpacked;
                        let (ciphertext, shared) = unpacked::encapsulate(key, *m);
                        sent.copy_from_slice(ciphertext.as_slice());
                        *secret = shared;
                    }

                    fn decapsulate(&mut self, pair: &Self::Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
                        use libcrux_ml_kem::$module::$path::unpacked;
                        *secret = unpacked::decapsulate(pair, &sent.try_into().expect(GOOD));
                    }
                }

                impl TypedKeys for $Set {
                    fn generate(&mut self, seeds: &[u8; SEEDS]) -> Self::Pair {
                        libcrux_ml_kem::$module::$path::unpacked::generate_key_pair(*seeds)
                    }

                    fn write_key(&mut self, pair: &Self::Pair, ek: &mut [u8]) {
                        use libcrux_ml_kem::$module::$path::unpacked;
                        ek.copy_from_slice(unpacked::key_pair_serialized_public_key(pair).as_slice());
                    }

                    fn write_pair(&mut self, pair: &Self::Pair, dk: &mut [u8]) {
                        use libcrux_ml_kem::$module::$path::unpacked;
                        dk.copy_from_slice(unpacked::key_pair_serialized_private_key(pair).as_slice());
                    }

                    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
                        use libcrux_ml_kem::$module::$path::{unpacked, validate_private_key};
                        let (key, sent) = (dk.try_into().expect(GOOD), sent.try_into().expect(GOOD));
                        assert!(validate_private_key(&key, &sent), "{GOOD}");
                        let mut pair = unpacked::init_key_pair();
                        unpacked::key_pair_from_private_mut(&key, &mut pair);
                        *secret = unpacked::decapsulate(&pair, &sent);
                    }
                }
            )*
        }
    };
    ($path:ident) => {
        unpacked!($path {
            MlKem512: ML_KEM_512, mlkem512, MlKem512PublicKeyUnpacked, MlKem512KeyPairUnpacked;
            MlKem768: ML_KEM_768, mlkem768, MlKem768PublicKeyUnpacked, MlKem768KeyPairUnpacked;
            MlKem1024: ML_KEM_1024, mlkem1024, MlKem1024PublicKeyUnpacked, MlKem1024KeyPairUnpacked;
        });
    };
}
#[cfg(target_arch = "x86_64")]
unpacked!(avx2);
#[cfg(target_arch = "aarch64")]
unpacked!(neon);
#[cfg(not(target_arch = "aarch64"))]
unpacked!(portable);
