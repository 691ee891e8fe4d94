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
mod bounds;
pub mod ghash;
mod halves;
pub mod integer;
pub mod kalyna;
mod kalyna_bit_sliced;
pub mod kalyna_gcm;
pub mod kalyna_whole;
pub mod keccak;
pub mod keystream;
pub mod lane;
pub mod lattice;
mod lattice_numbers;
pub mod mutation;
mod operations;
mod plane;
pub mod poly1305;
mod poly1305_number;
mod poly1305_order;
pub mod products;
pub mod proof;
mod real;
pub mod sm3;
pub mod sm4;
mod sm4_bitsliced;
mod sm4_standard;
pub mod smt;
mod smt_script;
mod smt_steps;
pub mod term;
pub mod value;
pub mod word;

use proof::Claim;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

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
    ("kalyna-bit-sliced", kalyna_bit_sliced::claims),
    ("ghash", ghash::claims),
    ("kalyna-gcm", kalyna_gcm::claims),
    ("poly1305", poly1305::claims),
    ("ml-kem", lattice::claims),
    ("ml-kem-products", products::claims),
    ("smt", smt::claims),
    ("backends", backends::claims),
];

/// Proofs that take long, which run if they are named.
pub const LONG_PROOFS: &[(&str, Proof)] = &[
    ("smt-keccak", smt::keccak_claims),
    ("smt-sm4", smt::sm4_claims),
    ("keystream-faults", keystream::faults),
    ("kalyna-byte-sliced", kalyna_whole::byte_sliced_claims),
    ("kalyna-in-order", kalyna_whole::in_order_claims),
    ("kalyna-scalar", kalyna_whole::short_integer_claims),
    ("kalyna-scalar-all", kalyna_whole::integer_claims),
    ("kalyna-faults", kalyna_whole::faults),
];

/// Runs proofs, as many at once as there are processors, and calls `show` with the name and the claims of each, in
/// order.
///
/// # Panics
/// If one fails.
pub fn run(proofs: &[(&str, Proof)], mut show: impl FnMut(&str, Vec<Claim>)) {
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let (ended, all) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            let (next, ended) = (&next, ended.clone());
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some((_, proof)) = proofs.get(i) else { return };
                    // With room for deep terms.
                    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(*proof).expect("a thread");
                    if ended.send((i, thread.join())).is_err() {
                        return;
                    }
                }
            });
        }
        drop(ended);
        let (mut waiting, mut shown) = (BTreeMap::new(), 0);
        for (i, claims) in all {
            waiting.insert(i, claims.unwrap_or_else(|cause| std::panic::resume_unwind(cause)));
            while let Some(claims) = waiting.remove(&shown) {
                show(proofs[shown].0, claims);
                shown += 1;
            }
        }
    });
}
