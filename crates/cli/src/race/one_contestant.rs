//! `fairlane one-contestant`, a hidden command that `fairlane race --callgrind` runs under valgrind.

use crate::failure::{Failure, Outcome};
use fairlane_lab::contest::{ContestId, Size};
use fairlane_lab::contestants::roster;
use fairlane_lab::contests;
use fairlane_lab::engine::callgrind;

/// Run one contestant a number of times, and nothing else
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The contest's id
    contest: ContestId,
    /// The size
    size: Size,
    /// The contestant's name
    contestant: String,
    /// The number of operations
    ops: u64,
}

/// Runs the command.
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
