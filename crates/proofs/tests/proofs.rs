//! All proofs: `cargo test -p fairlane-proofs --release`. Without optimisation they would take an hour.

use fairlane_proofs::{LONG_PROOFS, PROOFS, run};

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes in a debug build: cargo test -p fairlane-proofs --release")]
fn everything_is_proved() {
    run(&[PROOFS, LONG_PROOFS].concat(), |name, claims| {
        for claim in claims {
            println!("{name}: {}: {} ({:.2} s)", claim.what, claim.figures, claim.seconds);
        }
    });
}
