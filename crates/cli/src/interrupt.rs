//! Ctrl-C, SIGTERM and SIGHUP: whenever they arrive, no unfinished file is left and the terminal is restored.
//!
//! A thread of its own handles the signals and ends the process, so it does not matter what the command is waiting for.

use crate::failure::{Failure, Outcome, complain};
use fairlane::sealed::{Access, Existing, NewFile};
use indicatif::ProgressBar;
#[cfg(unix)]
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
#[cfg(target_os = "linux")]
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};
use std::io;
use std::path::{Path, PathBuf};
#[cfg(feature = "race")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::{fs::File, io::Write};

/// What must be cleaned up before the process ends.
struct State {
    unfinished: Vec<PathBuf>,
    bar: Option<ProgressBar>,
    #[cfg(unix)]
    terminal: Option<(File, Termios)>,
}

static STATE: Mutex<State> = Mutex::new(State {
    unfinished: Vec::new(),
    bar: None,
    #[cfg(unix)]
    terminal: None,
});

#[cfg(unix)]
impl State {
    fn restore_terminal(&mut self) {
        if let Some((mut terminal, modes)) = self.terminal.take() {
            let _ = tcsetattr(&terminal, OptionalActions::Now, &modes);
            // The newline that the user typed was not echoed.
            let _ = terminal.write_all(b"\n");
        }
    }
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the handler. From here on an interrupt cleans up.
///
/// A signal that the parent process had ignored, as `nohup` does with SIGHUP, stays ignored.
pub(crate) fn install() -> Outcome {
    handle(stop)
}

/// The same, but the first interrupt only sets `first`.
#[cfg(feature = "race")]
pub(crate) fn install_after(first: &'static AtomicBool) -> Outcome {
    handle(move || {
        if first.swap(true, Ordering::Relaxed) {
            stop();
        }
    })
}

#[cfg(target_os = "linux")]
fn handle(mut handler: impl FnMut() + Send + 'static) -> Outcome {
    static INSTALLED: Mutex<bool> = Mutex::new(false);
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*installed {
        let ignored = ignored_signals();
        let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let mut signals = Signals::new(handled).map_err(Failure::failed)?;
        std::thread::spawn(move || signals.forever().for_each(|_| handler()));
        *installed = true;
    }
    Ok(())
}

/// The signals that are ignored, the first in the lowest bit.
#[cfg(target_os = "linux")]
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0)
}

/// Elsewhere, if one of the signals was ignored, none of the three is handled, since `ctrlc` handles all or none.
#[cfg(not(target_os = "linux"))]
fn handle(handler: impl FnMut() + Send + 'static) -> Outcome {
    match ctrlc::try_set_handler(handler) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::failed(error)),
    }
}

fn stop() {
    // The lock is held to the end, so that no file is begun or renamed any more.
    let mut state = state();
    for path in state.unfinished.drain(..) {
        let _ = std::fs::remove_file(path);
    }
    #[cfg(unix)]
    state.restore_terminal();
    if let Some(bar) = state.bar.take() {
        bar.finish_and_clear();
    }
    complain("interrupted");
    std::process::exit(130);
}

/// Begins a file that is removed on an interrupt.
pub(crate) fn begin(path: &Path, existing: Existing, access: Access) -> io::Result<NewFile> {
    let mut state = state();
    let file = NewFile::create(path, existing, access)?;
    state.unfinished.push(file.temporary().to_owned());
    Ok(file)
}

/// Gives the file its name. An interrupt takes effect before or after that, never in between.
pub(crate) fn finish(file: NewFile) -> io::Result<()> {
    file.sync()?;
    let mut state = state();
    // If it stays without its name, it is complete and no longer to be removed.
    state.unfinished.retain(|path| path != file.temporary());
    file.finish()
}

/// Has `bar` cleared on an interrupt.
pub(crate) fn clear_on_interrupt(bar: &ProgressBar) {
    state().bar = Some(bar.clone());
}

/// Keeps a terminal from echoing what is typed. The echo is turned on again on drop or on an interrupt.
#[cfg(unix)]
pub(crate) struct EchoOff;

#[cfg(unix)]
impl EchoOff {
    /// Turns the echo off and has the terminal return whole lines.
    pub(crate) fn new(terminal: &File) -> io::Result<Self> {
        let mut state = state();
        let modes = tcgetattr(terminal)?;
        let mut silent = modes.clone();
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL);
        silent.local_modes.insert(LocalModes::ICANON);
        let kept = terminal.try_clone()?;
        // Discards what was typed before, since that was echoed.
        tcsetattr(terminal, OptionalActions::Flush, &silent)?;
        state.terminal = Some((kept, modes));
        Ok(Self)
    }
}

#[cfg(unix)]
impl Drop for EchoOff {
    fn drop(&mut self) {
        state().restore_terminal();
    }
}
