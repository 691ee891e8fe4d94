//! What bench.py compares Python's calls with: nanoseconds of the library's own, one line each, best of several.

use fairlane::HashMany;
use fairlane::keccak::{Keccak256, keccak256};
use std::hint::black_box;
use std::time::Instant;

/// Messages of a batch, as in bench.py.
const ROWS: usize = 100_000;

fn main() {
    let best = |repeats: usize, calls: usize, f: &mut dyn FnMut()| {
        let sample = |_| {
            let start = Instant::now();
            for _ in 0..calls {
                f();
            }
            start.elapsed().as_secs_f64() * 1e9 / calls as f64
        };
        (0..repeats).map(sample).fold(f64::INFINITY, f64::min)
    };
    let message = [0; 32];
    println!("one {}", best(20, 20_000, &mut || _ = black_box(keccak256(black_box(&message)))));
    for width in [32, 100] {
        let bytes: Vec<u8> = (0..ROWS * width).map(|i| (i * 7 + i / 256) as u8).collect();
        let mut digests = vec![[0; 32]; ROWS];
        let batch = best(10, 1, &mut || {
            Keccak256::hash_many(black_box(&bytes).chunks_exact(width), &mut digests).expect("as many digests");
        });
        println!("batch-{width} {}", batch / ROWS as f64);
    }
}
