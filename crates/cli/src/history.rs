//! `fairlane history`: the same contests over many runs, in the order of time.

use crate::failure::{Failure, Outcome, complain, reason};
use crate::names::quote;
use crate::output::{print, width};
use crate::pending::Pending;
use crate::race::matches_result;
use crate::runs::{LimitArgs, keep_all_apart, read_trusting};
use fairlane_lab::contests::glob;
use fairlane_lab::history::follow;
use fairlane_lab::report;
use std::fs;
use std::path::{Path, PathBuf};

/// Follow contestants over many runs, from commit to commit: their times, and their times over that of an outside
/// library in the same runs
///
/// Only runs of the latest run's CPU are followed.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Files that fairlane race --json wrote, plain or compressed by gzip, or folders of such files (.json, .json.gz)
    #[arg(value_name = "DIR|RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Follow only these contests: sm3/message or a pattern such as 'sm4/*'
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    contest: Vec<String>,
    /// Follow only these contestants: a name, a library or a pattern
    #[arg(long, value_name = "GLOB", value_delimiter = ',', default_value = "fairlane/*")]
    contestant: Vec<String>,
    /// Write curves and tables to this file as a self-contained HTML page; - is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Replace a file that fairlane did not write
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    limit: LimitArgs,
}

/// Follows the runs.
pub(crate) fn run(args: &Args) -> Outcome {
    let mut paths = Vec::new();
    for path in &args.runs {
        if path.is_dir() { paths.extend(files(path)?) } else { paths.push(path.clone()) }
    }
    let read: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    keep_all_apart(&read, &[(args.html.as_deref(), "the output of --html")])?;
    let html = args.html.as_deref().map(|path| Pending::check_own(path, args.force)).transpose()?;
    let mut runs = Vec::new();
    for path in paths {
        match read_trusting(&path, args.limit) {
            Ok(run) => runs.push(run),
            // A folder may hold other files, too.
            Err(Failure::Failed(line)) if !args.runs.contains(&path) => complain(format_args!("left out: {line}")),
            Err(failure) => return Err(failure),
        }
    }
    if runs.len() < 2 {
        return Err(Failure::failed("a history needs two runs at least"));
    }
    let contests = |id: &str| args.contest.is_empty() || args.contest.iter().any(|pattern| glob(pattern, id));
    let history = follow(runs, contests, |c| args.contestant.iter().any(|pattern| matches_result(pattern, c)));
    match &html {
        Some(html) => html.write(report::html::render_history(&history).as_bytes())?,
        None => print(&report::history::text(&history, width()))?,
    }
    if history.tracks.is_empty() {
        return Err(Failure::failed(
            "no two runs of one CPU have a contest, a base and a contestant in common; see --contest and --contestant",
        ));
    }
    Ok(())
}

/// The files of a folder that may be runs, by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |error| Failure::Failed(format!("cannot read {}: {}", quote(folder.as_os_str()), reason(&error)));
    let entries = fs::read_dir(folder).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let is_run = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path.is_file() && (name.ends_with(".json") || name.ends_with(".json.gz"))
    };
    let mut paths: Vec<PathBuf> = paths.into_iter().filter(is_run).collect();
    paths.sort();
    Ok(paths)
}
