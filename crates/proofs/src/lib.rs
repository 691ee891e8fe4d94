//! Proofs that the kernels of `fairlane` equal their standards for every input.
//!
//! An algorithm of the library is one generic body over words of lanes. Here that body, the shipped one, runs on words
//! whose lanes are *terms* ([`term`]): functions of the inputs in a normal form. The standard, written step by step on
//! the same kind of lanes, gives terms too, and equal terms are equal functions. Terms have no values: a branch or an
//! address that depends on data would panic.
//!
//! `docs/verification.md` lists the claims, and says what they do not show.

#![forbid(unsafe_code)]

pub mod arx;
pub mod backends;
pub mod ghash;
pub mod integer;
pub mod kalyna;
pub mod kalyna_whole;
pub mod keccak;
pub mod keystream;
pub mod lane;
pub mod lattice;
pub mod mutation;
pub mod poly1305;
pub mod products;
pub mod proof;
mod real;
pub mod sm3;
pub mod sm4;
pub mod smt;
pub mod term;
pub mod word;

use proof::Claim;

/// A proof, which returns its claims.
pub type Proof = fn() -> Vec<Claim>;

/// Proofs by the name of what they are about.
pub const PROOFS: &[(&str, Proof)] = &[
    ("keccak", keccak::claims),
    ("chacha", arx::chacha_claims),
    ("kusumi", arx::kusumi_claims),
    ("keystream", keystream::claims),
    ("threefish", arx::threefish_claims),
    ("sm3", sm3::claims),
    ("sm4", sm4::claims),
    ("kalyna", kalyna::claims),
    ("kalyna-whole", kalyna_whole::short_claims),
    ("ghash", ghash::claims),
    ("poly1305", poly1305::claims),
    ("ml-kem", lattice::claims),
    ("ml-kem-products", products::claims),
    ("smt", smt::claims),
    ("backends", backends::claims),
];

/// Proofs that take long, which run if they are named.
pub const LONG_PROOFS: &[(&str, Proof)] = &[
    ("keystream-faults", keystream::faults),
    ("kalyna-byte-sliced", kalyna_whole::byte_sliced_claims),
    ("kalyna-in-order", kalyna_whole::in_order_claims),
    ("kalyna-scalar", kalyna_whole::short_integer_claims),
    ("kalyna-scalar-all", kalyna_whole::integer_claims),
    ("kalyna-faults", kalyna_whole::faults),
];

/// Runs a proof on a thread with room for deep terms.
///
/// # Panics
/// If it fails.
pub fn run(proof: Proof) -> Vec<Claim> {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(proof).expect("a thread");
    thread.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause))
}
