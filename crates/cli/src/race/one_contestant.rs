//! `fairlane one-contestant`: what a race with `--callgrind` runs under valgrind. It is hidden from the help.

use crate::failure::{Failure, Outcome};
use fairlane_lab::contest::{ContestId, Size};
use fairlane_lab::contestants::roster;
use fairlane_lab::contests;
use fairlane_lab::engine::callgrind;

/// Run one contestant so many times, and nothing else
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The contest's id
    contest: ContestId,
    /// The size
    size: Size,
    /// The contestant's name
    contestant: String,
    /// How many times
    ops: u64,
}

/// Runs it.
pub(crate) fn run(args: &Args) -> Outcome {
    let contest = contests::all().into_iter().find(|contest| contest.id == args.contest);
    let contest = contest.ok_or_else(|| Failure::Misuse(format!("no contest is called '{}'", args.contest)))?;
    let contestants = roster(&contest).contestants;
    let contestant = contestants.iter().find(|contestant| contestant.name == args.contestant);
    let contestant =
        contestant.ok_or_else(|| Failure::Misuse(format!("no contestant is called '{}'", args.contestant)))?;
    if !contest.takes(args.size) {
        let takes = contest.takes_what();
        return Err(Failure::Misuse(format!("{} takes {takes}, not {}", contest.id, args.size)));
    }
    callgrind::replay(&contest, contestant, args.size, args.ops);
    Ok(())
}
