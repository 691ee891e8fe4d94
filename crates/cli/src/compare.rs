//! `fairlane compare`: the same contests of two runs, and whether any contestant has become slower than is allowed.

use crate::failure::{Failure, Outcome, unless_closed};
use crate::output::{print, print_aside, width};
use crate::pending::Pending;
use crate::runs::{LimitArgs, counted, keep_all_apart, read_trusting};
use fairlane_common::suggest::did_you_mean;
use fairlane_lab::compare;
use fairlane_lab::regression::{self, Judged, Limit, judge};
use fairlane_lab::report::{comparison, regressions};
use std::path::PathBuf;

/// Compare the same contests on two machines, builds or dates
///
/// Only ratios are compared. Contests whose work differs are named, but not compared. A file that exists is replaced if
/// it is empty, or if its beginning shows that fairlane wrote it; any other file is only replaced with --force.
///
/// The exit code is 1 if nothing could be compared, or with --fail-above judged, and 3 for a regression. git bisect run
/// takes 3 for bad; with --bisect, what could not be read, compared or judged is 125, and the commit is skipped.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The earlier run; - is standard input
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// The later run, or another machine's
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// Fail, with exit code 3, if a contestant has surely become slower by more than this: 2%, 0.02, or for some
    /// contests keccak256/*=1%
    ///
    /// A contestant's time is measured by that of the base, an outside library that both runs have. A regression is
    /// sure if the whole interval of its change is beyond the limit. Of several limits the last one that names the
    /// contest holds, then the last one without a name.
    #[arg(long, value_name = "LIMIT", value_delimiter = ',')]
    fail_above: Vec<Limit>,
    /// Exit with 125, for git bisect run, where the runs cannot be read, compared or judged, so that the commit is
    /// skipped
    #[arg(long, requires = "fail_above")]
    bisect: bool,
    /// Write a Markdown document to this file instead of text to standard output
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write the comparison to this file as JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the comparison to this file as JUnit's XML, each regression a failure; - is standard output
    #[arg(long, value_name = "FILE", requires = "fail_above")]
    junit: Option<PathBuf>,
    /// Also print annotations of a GitHub workflow: an error for each regression
    #[arg(long, requires = "fail_above")]
    github: bool,
    /// Replace files that fairlane did not write
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Compares two runs.
pub(crate) fn run(args: &Args) -> Outcome {
    match compare_and_judge(args) {
        Err(Failure::Failed(line) | Failure::Misuse(line)) if args.bisect => Err(Failure::Skip(line)),
        outcome => outcome,
    }
}

fn compare_and_judge(args: &Args) -> Outcome {
    let asked = [
        (args.markdown.as_deref(), "the output of --markdown"),
        (args.json.as_deref(), "the output of --json"),
        (args.junit.as_deref(), "the output of --junit"),
    ];
    keep_all_apart(&[&args.first, &args.second], &asked)?;
    let [markdown, json, junit] =
        asked.map(|(path, _)| path.map(|path| Pending::check_own(path, args.force)).transpose());
    let (markdown, json, junit) = (markdown?, json?, junit?);

    let found = compare::compare(&read_trusting(&args.first, args.limit)?, &read_trusting(&args.second, args.limit)?);
    if let Some(pattern) = regression::unused(&found, &args.fail_above) {
        let ids: Vec<String> = found.contests.iter().map(|matched| matched.contest.id.to_string()).collect();
        let meant = did_you_mean(pattern, &ids);
        return Err(Failure::Misuse(format!("--fail-above: no compared contest is called '{pattern}'{meant}")));
    }
    let judged = judge(&found, &args.fail_above);
    let outputs = [
        (&markdown, comparison::markdown(&found)),
        (&json, format!("{:#}\n", regressions::json(&found, &judged))),
        (&junit, regressions::junit(&found, &judged)),
    ];
    for (target, text) in &outputs {
        target.as_ref().map_or(Ok(()), |target| unless_closed(target.write(text.as_bytes())))?;
    }
    let taken = outputs.iter().any(|(target, _)| target.as_ref().is_some_and(Pending::is_stdout));
    if markdown.is_none() && !taken {
        unless_closed(print(&comparison::text(&found, width())))?;
    }
    if args.github {
        let annotations = regressions::github(&found, &judged);
        // A workflow reads both.
        if taken { print_aside(&annotations) } else { unless_closed(print(&annotations))? }
    }
    if found.contests.is_empty() {
        return Err(Failure::failed("the runs have no contest in common that can be compared"));
    }
    if args.fail_above.is_empty() { Ok(()) } else { outcome(&judged) }
}

/// The outcome of the limits, for the exit code.
fn outcome(judged: &[Judged]) -> Outcome {
    let is = |outcome| judged.iter().filter(move |judged| judged.outcome == outcome);
    let mut regressions = is(regression::Outcome::Regression);
    if let Some(first) = regressions.next() {
        let count = counted(1 + regressions.count(), "regression");
        return Err(Failure::Regression(format!("{count}: in {}, {}", first.contest.contest, first.line())));
    }
    if is(regression::Outcome::Within).next().is_none() {
        return Err(Failure::failed(
            "--fail-above: no contest with a limit has a verdict in both runs, so none was judged",
        ));
    }
    Ok(())
}
