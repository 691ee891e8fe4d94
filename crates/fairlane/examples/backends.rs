//! The backends that this machine can run, and a hash on each: `cargo run --example backends`
//!
//! `FAIRLANE_BACKEND=scalar,avx2` limits the choice of all types of a process.

use fairlane::digest::Digest;
use fairlane::keccak::Keccak256;
use fairlane::{Backend, primitives};

fn main() {
    for primitive in primitives() {
        let chosen = primitive.chosen();
        let warning = if primitive.variable_time.contains(&chosen) { ", not constant-time" } else { "" };
        println!("{}: {}{warning}", primitive.name, chosen.name());
    }

    let expected = Keccak256::digest(b"a message");
    for &backend in Backend::ALL {
        match Keccak256::with_backend(backend) {
            Ok(hasher) => assert_eq!(hasher.chain_update(b"a message").finalize(), expected),
            Err(error) => println!("{error}"),
        }
    }
}
