//! Runs targets on inputs from a seed: fairlane-fuzz SECONDS [SEED [TARGET...]]
//!
//! `100x` instead of seconds is 100 executions. It prints the number of executions of each target. Where one panics, it
//! has printed the seed of the input before.

use fairlane_fuzz::{TARGETS, fill, next};
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let limit = arguments.first().map_or("10", String::as_str);
    let (seconds, most) = match limit.strip_suffix('x') {
        Some(executions) => (u64::MAX, number(executions)),
        None => (number(limit), u64::MAX),
    };
    let seed = arguments.get(1).map_or(1, |text| number(text));
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
    let unknown = |wanted: &&String| TARGETS.iter().all(|(name, _)| name != wanted);
    if let Some(unknown) = arguments.iter().skip(2).find(unknown) {
        let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
        eprintln!("there is no target `{unknown}`; there are {}", names.join(", "));
        std::process::exit(2);
    }
    for (name, target) in TARGETS {
        if arguments.len() > 2 && !arguments[2..].iter().any(|wanted| wanted == name) {
            continue;
        }
        let (begin, mut executions, mut buffer) = (Instant::now(), 0_u64, [0; 200]);
        // The clock is looked at now and then: some executions are as short as it takes.
        while executions < most && (executions % 16 != 0 || begin.elapsed() < Duration::from_secs(seconds)) {
            let mut state = seed.wrapping_mul(1 << 40).wrapping_add(executions);
            let input = &mut buffer[..(next(&mut state) % 200) as usize];
            fill(&mut state, input);
            if std::panic::catch_unwind(|| target(input)).is_err() {
                println!("{name}: FAILED with seed {seed} at execution {executions}: {input:02x?}");
                std::process::exit(1);
            }
            executions += 1;
        }
        println!("{name}: {executions} executions in {:.1} s from seed {seed}", begin.elapsed().as_secs_f64());
    }
}
