//! Hashes many messages of one length on one core and on several, and says how long each takes:
//! `cargo run --release -p fairlane --features rayon --example parallel`.

use fairlane::keccak::Keccak256;
use fairlane::{HashMany, HashManyError, parallel};
use std::time::Instant;

const COUNT: usize = 1 << 20;
const LENGTH: usize = 32;

fn main() -> Result<(), HashManyError> {
    let messages = vec![7; COUNT * LENGTH];
    let (mut one, mut several) = (vec![0; COUNT * 32], vec![0; COUNT * 32]);
    let mut times = Vec::new();
    for _ in 0..9 {
        let start = Instant::now();
        Keccak256::hash_fixed(&messages, COUNT, &mut one)?;
        let on_one = start.elapsed();
        let start = Instant::now();
        parallel::hash_fixed::<Keccak256>(&messages, COUNT, &mut several)?;
        times.push((on_one, start.elapsed()));
    }
    assert_eq!(one, several);
    times.sort_by(|(a, b), (c, d)| (a.as_secs_f64() * d.as_secs_f64()).total_cmp(&(c.as_secs_f64() * b.as_secs_f64())));
    let (on_one, on_several) = times[times.len() / 2];
    println!(
        "Keccak-256 of {COUNT} messages of {LENGTH} bytes: {on_one:.1?} on one core, {on_several:.1?} on {} threads",
        rayon::current_num_threads()
    );
    Ok(())
}
