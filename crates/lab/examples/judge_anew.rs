//! Judges the runs of files anew, by today's rules, where they were judged by older ones, and writes them back:
//! `cargo run -p fairlane-lab --example judge_anew -- docs/results/runs/*.json.gz`
//!
//! Samples, machine, build and command stay as they are. Ratios, intervals, floors, verdicts, ranks and the warnings
//! about them follow from the samples again, and the file gets a new seal; a signature is lost.

use fairlane_lab::report::json;
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    for file in env::args().skip(1) {
        let old = json::read(Path::new(&file))?;
        let mut run = old.clone();
        run.judge_anew();
        let fit = |run: &fairlane_lab::run::Run| run.contests.iter().filter(|contest| contest.fit).count();
        println!("{file}: {} heats, {} fit before, {} now", run.contests.len(), fit(&old), fit(&run));
        if run != old {
            let bytes = if file.ends_with(".gz") { json::compressed(&run) } else { json::text(&run).into_bytes() };
            fs::write(&file, bytes)?;
        }
    }
    Ok(())
}
