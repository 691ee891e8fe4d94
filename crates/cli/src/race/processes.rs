//! Several processes that run one race, each for its share of the time: this command again, with `--part`.

use super::args::Args;
use super::{STOP, progress::Progress};
use crate::failure::{Failure, Outcome, reason};
use crate::interrupt::install_after;
use crate::output::print;
use fairlane_lab::engine::{self, RaceConfig};
use fairlane_lab::report::json;
use fairlane_lab::run::Run;
use std::env;
use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The processes of a race that does not say how many.
const USUAL: u32 = 5;

/// The least that each has for a contest, in seconds. The default selection has a little more.
const LEAST_SECONDS: f64 = 0.25;

/// The time between two looks whether Ctrl-C was pressed.
const MOMENT: Duration = Duration::from_millis(100);

/// How many processes the race takes.
pub(super) fn count(args: &Args, config: &RaceConfig) -> u32 {
    let enough = config.seconds_per_contest >= f64::from(USUAL) * LEAST_SECONDS && !args.quick;
    args.processes.unwrap_or(if enough { USUAL } else { 1 })
}

/// Runs the race in `count` processes. If `stop` is set, what was measured until then is returned.
pub(super) fn race(config: &RaceConfig, count: u32, stop: &AtomicBool) -> Result<Run, Failure> {
    let mut runs = Vec::new();
    for number in 1..=count {
        if !runs.is_empty() && stop.load(Relaxed) {
            break;
        }
        runs.push(one(number, count, stop)?);
    }
    Ok(engine::merge(&runs, config.command.clone()))
}

/// Runs one of them.
fn one(number: u32, count: u32, stop: &AtomicBool) -> Result<Run, Failure> {
    let failed = |why: &str| Failure::Failed(format!("process {number} of {count}: {why}"));
    let program = env::current_exe().map_err(|error| failed(&reason(&error)))?;
    let mut command = Command::new(program);
    command.args(arguments(&format!("--part={number}/{count}"))).stdin(Stdio::null()).stdout(Stdio::piped());
    // Ctrl-C reaches it through this process, and so once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| failed(&reason(&error)))?;

    let (sender, output) = mpsc::channel();
    let mut pipe = child.stdout.take().expect("standard output is a pipe");
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.read_to_end(&mut bytes);
        sender.send(read.map(|_| bytes))
    });
    let mut told = false;
    let output = loop {
        match output.recv_timeout(MOMENT) {
            Ok(output) => break output.map_err(|error| failed(&reason(&error)))?,
            Err(RecvTimeoutError::Disconnected) => return Err(failed("no answer")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if stop.load(Relaxed) && !told {
            interrupt(&child);
            told = true;
        }
    };
    let status = child.wait().map_err(|error| failed(&reason(&error)))?;
    json::decode(&output).map_err(|_| failed(&format!("it ended with {status} and without a run")))
}

/// This command's own arguments, with one more after the subcommand.
fn arguments(more: &str) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let after = arguments.iter().position(|argument| argument == "race").map_or(0, |at| at + 1);
    arguments.insert(after, more.into());
    arguments
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    // It may just have ended.
    let _ = pid.map(|pid| rustix::process::kill_process(pid, rustix::process::Signal::INT));
}

#[cfg(not(unix))]
fn interrupt(_: &Child) {}

/// Races as one of the processes, and writes the run to standard output.
pub(super) fn part(config: &RaceConfig) -> Outcome {
    // Nobody would read what it finds once the first process is gone.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .map_err(|error| Failure::Failed(error.to_string()))?;
    install_after(&STOP)?;
    let run = engine::race(config, &mut Progress::new(config.process), &STOP);
    print(&json::text(&run))
}
