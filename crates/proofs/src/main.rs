//! Runs all proofs, or those whose names are given, and prints a line for each claim.

use fairlane_proofs::{PROOFS, run};
use std::time::Instant;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let Some(unknown) = wanted.iter().find(|name| PROOFS.iter().all(|(known, _)| known != name)) {
        let names: Vec<_> = PROOFS.iter().map(|(name, _)| *name).collect();
        eprintln!("there is no proof `{unknown}`; there are {}", names.join(", "));
        std::process::exit(2);
    }
    let start = Instant::now();
    println!("| claim | method | figures | seconds |\n| --- | --- | --- | --- |");
    let mut count = 0;
    for (name, proof) in PROOFS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            for claim in run(*proof) {
                println!("| {} | {} | {} | {:.2} |", claim.what, claim.method, claim.figures, claim.seconds);
                count += 1;
            }
        }
    }
    println!("\n{count} claims in {:.1} s", start.elapsed().as_secs_f64());
}
