//! Output of any length from a seed, in pieces: `cargo run --example xof`

use fairlane::digest::{ExtendableOutput, Update, XofReader};
use fairlane::keccak::{Shake256, shake256};

fn main() {
    let mut xof = Shake256::default();
    xof.update(b"a seed, ");
    xof.update(b"and what it is for");
    let mut reader = xof.finalize_xof();

    // Two keys that nobody can tell from random ones without the seed.
    let (mut encryption_key, mut mac_key) = ([0; 32], [0; 64]);
    reader.read(&mut encryption_key);
    reader.read(&mut mac_key);

    // The same output in one piece.
    let mut whole = [0; 96];
    shake256(b"a seed, and what it is for", &mut whole);
    assert_eq!(whole[..32], encryption_key);
    assert_eq!(whole[32..], mac_key);
    println!("{whole:02x?}");
}
