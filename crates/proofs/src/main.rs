//! Runs all proofs but the long ones, or those whose names are given, and prints a line for each claim. Where faults,
//! by which proofs are tried, take long, it tries a third of them. `all` runs all proofs, with all faults.

use fairlane_proofs::{LONG_PROOFS, PROOFS, Proof, mutation, run};
use std::time::Instant;

fn main() {
    let all = || PROOFS.iter().chain(LONG_PROOFS);
    let mut wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted == ["all"] {
        mutation::take_all();
        wanted = all().map(|(name, _)| (*name).to_owned()).collect();
    }
    if let Some(unknown) = wanted.iter().find(|name| all().all(|(known, _)| known != name)) {
        let names: Vec<_> = all().map(|(name, _)| *name).collect();
        eprintln!("there is no proof `{unknown}`; there are {}, and `all`", names.join(", "));
        std::process::exit(2);
    }
    let start = Instant::now();
    println!("| claim | method | figures | seconds |\n| --- | --- | --- | --- |");
    let mut count = 0;
    let chosen = |(i, (name, _)): &(usize, &(&str, Proof))| {
        (wanted.is_empty() && *i < PROOFS.len()) || wanted.iter().any(|wanted| wanted == name)
    };
    let proofs: Vec<_> = all().enumerate().filter(chosen).map(|(_, proof)| *proof).collect();
    run(&proofs, |_, claims| {
        for claim in claims {
            println!("| {} | {} | {} | {:.2} |", claim.what, claim.method, claim.figures, claim.seconds);
            count += 1;
        }
    });
    println!("\n{count} claims in {:.1} s", start.elapsed().as_secs_f64());
}
