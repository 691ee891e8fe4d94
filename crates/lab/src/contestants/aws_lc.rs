//! AWS-LC, built from source. Cargo feature `aws-lc`.

use super::Roster;
use crate::contest::Contest;

#[cfg(not(feature = "aws-lc"))]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if contest.suite == "keccak" {
        roster.absent("AWS-LC", "cargo feature aws-lc builds it; that needs a C compiler");
    }
}

#[cfg(feature = "aws-lc")]
pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    use super::{About, evp};
    use crate::contest::Label;
    use aws_lc_sys as sys;

    // SAFETY: each takes nothing and returns a static.
    let md = unsafe {
        evp::Md::new(match contest.algorithm() {
            "keccak256" => sys::EVP_keccak256().cast(),
            "sha3-256" => sys::EVP_sha3_256().cast(),
            "shake128" => sys::EVP_shake128().cast(),
            _ => return,
        })
    };
    let version = std::str::from_utf8(sys::AWSLC_VERSION_NUMBER_STRING).unwrap_or("unknown").trim_end_matches('\0');
    let about = About {
        name: "aws-lc",
        library: "AWS-LC",
        version,
        // What its sources choose on x86-64, whatever the CPU.
        backend: if cfg!(all(target_arch = "x86_64", unix)) { "x86-64 assembly (s2n-bignum)" } else { "unknown" },
        labels: &[Label::ConstantTime, Label::Ffi, Label::Vendored],
        how_to_use: "crate aws-lc-sys: EVP_DigestInit_ex, Update, Final on one context",
    };
    evp::enter(contest, roster, &about, &EVP, md.expect("AWS-LC has this algorithm in every build"));
}

/// AWS-LC prefixes its symbols, so that its EVP can stand beside OpenSSL's.
#[cfg(feature = "aws-lc")]
#[allow(clippy::missing_transmute_annotations)]
static EVP: super::evp::Evp = {
    use aws_lc_sys as sys;
    use std::mem::transmute;
    // SAFETY: the types are those of OpenSSL's EVP but for the names of what is pointed to.
    unsafe {
        super::evp::Evp {
            OpenSSL_version: sys::OpenSSL_version,
            EVP_MD_CTX_new: transmute(sys::EVP_MD_CTX_new as *const ()),
            EVP_MD_CTX_free: transmute(sys::EVP_MD_CTX_free as *const ()),
            EVP_DigestInit_ex: transmute(sys::EVP_DigestInit_ex as *const ()),
            EVP_DigestUpdate: transmute(sys::EVP_DigestUpdate as *const ()),
            EVP_DigestFinal_ex: transmute(sys::EVP_DigestFinal_ex as *const ()),
            EVP_DigestFinalXOF: transmute(sys::EVP_DigestFinalXOF as *const ()),
        }
    }
};
