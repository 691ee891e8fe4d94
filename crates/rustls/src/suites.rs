//! The ChaCha20-Poly1305 suites, made of those of another provider.

use crate::records::ChaCha20Poly1305;
use rustls::crypto::hash::HashAlgorithm;
use rustls::{CipherSuite, CipherSuiteCommon, SupportedCipherSuite, Tls13CipherSuite};

/// The suite of TLS 1.3.
const CHACHA20_POLY1305: CipherSuite = CipherSuite::TLS13_CHACHA20_POLY1305_SHA256;

/// Puts fairlane's AEAD into the suites that have ChaCha20-Poly1305.
pub(crate) fn put_into(suites: &mut Vec<SupportedCipherSuite>) {
    if !suites.iter().any(|suite| suite.suite() == CHACHA20_POLY1305)
        && let Some(like) = suites.iter().find_map(with_sha256)
    {
        suites.push(tls13(like, None));
    }
    for suite in suites {
        *suite = match *suite {
            SupportedCipherSuite::Tls13(its) if its.common.suite == CHACHA20_POLY1305 => tls13(its, its.quic),
            #[cfg(feature = "tls12")]
            SupportedCipherSuite::Tls12(its) if is_chacha_of_tls12(its.common.suite) => tls12(its),
            other => other,
        };
    }
}

/// A suite of TLS 1.3 whose hash function is that of the ChaCha20-Poly1305 suite.
fn with_sha256(suite: &SupportedCipherSuite) -> Option<&'static Tls13CipherSuite> {
    suite.tls13().filter(|suite| suite.common.hash_provider.algorithm() == HashAlgorithm::SHA256)
}

/// The suite of TLS 1.3 with the hash functions of `like`.
fn tls13(like: &Tls13CipherSuite, quic: Option<&'static dyn rustls::quic::Algorithm>) -> SupportedCipherSuite {
    SupportedCipherSuite::Tls13(Box::leak(Box::new(Tls13CipherSuite {
        common: common(CHACHA20_POLY1305, &like.common),
        hkdf_provider: like.hkdf_provider,
        aead_alg: &ChaCha20Poly1305,
        quic,
    })))
}

fn common(suite: CipherSuite, like: &CipherSuiteCommon) -> CipherSuiteCommon {
    // More messages than this no connection has (draft-irtf-cfrg-aead-limits, section 5.2.1).
    CipherSuiteCommon { suite, hash_provider: like.hash_provider, confidentiality_limit: u64::MAX }
}

#[cfg(feature = "tls12")]
fn is_chacha_of_tls12(suite: CipherSuite) -> bool {
    [
        CipherSuite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    .contains(&suite)
}

/// The same suite of TLS 1.2, with fairlane's AEAD.
#[cfg(feature = "tls12")]
fn tls12(like: &rustls::Tls12CipherSuite) -> SupportedCipherSuite {
    SupportedCipherSuite::Tls12(Box::leak(Box::new(rustls::Tls12CipherSuite {
        common: common(like.common.suite, &like.common),
        prf_provider: like.prf_provider,
        kx: like.kx,
        sign: like.sign,
        aead_alg: &ChaCha20Poly1305,
    })))
}
