//! All proofs: `cargo test -p fairlane-proofs --release`. Without optimisation they would take an hour.

use fairlane_proofs::{LONG_PROOFS, PROOFS, run};

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes in a debug build: cargo test -p fairlane-proofs --release")]
fn everything_is_proved() {
    for (name, proof) in PROOFS.iter().chain(LONG_PROOFS) {
        for claim in run(*proof) {
            println!("{name}: {}: {} ({:.2} s)", claim.what, claim.figures, claim.seconds);
        }
    }
}
