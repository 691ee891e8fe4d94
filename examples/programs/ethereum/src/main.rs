//! Checks that `alloy_primitives::keccak256` goes through fairlane; with the argument `time`, compares it with what the
//! feature `asm-keccak` of alloy-primitives takes instead:
//!
//! ```sh
//! cargo run --release --manifest-path examples/programs/ethereum/Cargo.toml -- time
//! ```

use alloy_primitives::keccak256;
use std::hint::black_box;
use std::time::Instant;

fn main() {
    assert!(!fairlane_ethereum::is_used());
    let message: Vec<u8> = (0..1000).map(|i| (i * 31 + i / 256) as u8).collect();
    for length in 0..=message.len() {
        let message = &message[..length];
        assert_eq!(keccak256(message)[..], keccak_asm::Keccak256::digest(message)[..], "{length} bytes");
    }
    if cfg!(feature = "off") {
        assert!(!fairlane_ethereum::is_used());
        println!("1001 lengths, by alloy-primitives: tiny-keccak has turned native-keccak off");
    } else {
        assert!(fairlane_ethereum::is_used());
        println!("1001 lengths, by fairlane");
    }
    if std::env::args().nth(1).as_deref() == Some("time") {
        for length in [20, 32, 64, 136, 532] {
            time(&message[..length]);
        }
    }
}

/// Prints the median times of both, and the median of their ratios, from rounds in which they take turns.
fn time(message: &[u8]) {
    const CALLS: usize = 2000;
    let nanoseconds = |hash: &dyn Fn()| {
        let start = Instant::now();
        hash();
        start.elapsed().as_nanos() as f64 / CALLS as f64
    };
    let ours = || {
        for _ in 0..CALLS {
            black_box(keccak256(black_box(message)));
        }
    };
    let asm = || {
        for _ in 0..CALLS {
            black_box(keccak_asm::Keccak256::digest(black_box(message)));
        }
    };
    let mut rounds: Vec<[f64; 2]> = Vec::new();
    for round in 0..600 {
        // Each comes first in every other round.
        let times = if round % 2 == 0 {
            let ours = nanoseconds(&ours);
            [ours, nanoseconds(&asm)]
        } else {
            let asm = nanoseconds(&asm);
            [nanoseconds(&ours), asm]
        };
        rounds.push(times);
    }
    let median = |value: &dyn Fn(&[f64; 2]) -> f64| {
        let mut values: Vec<f64> = rounds.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!(
        "{:4} bytes: fairlane {:6.1} ns, asm-keccak {:6.1} ns, ratio {:.2}",
        message.len(),
        median(&|times| times[0]),
        median(&|times| times[1]),
        median(&|times| times[1] / times[0]),
    );
}
