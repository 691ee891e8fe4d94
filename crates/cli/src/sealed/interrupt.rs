//! Ctrl-C, SIGTERM and SIGHUP: at any moment they leave no unfinished file, and the terminal as it was.
//!
//! They are handled by a thread of their own, which ends the process; so it does not matter what the command waits for.

use crate::failure::{Failure, complain};
use fairlane::sealed::{Access, Existing, NewFile};
use indicatif::ProgressBar;
#[cfg(unix)]
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
#[cfg(unix)]
use std::{fs::File, io::Write};

/// What is to be put in order before the process ends.
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
            // The end of the line was not shown either.
            let _ = terminal.write_all(b"\n");
        }
    }
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From here on an interrupt puts things in order.
///
/// Where whoever started the command has one of the signals ignored (`nohup`), all three stay as they are: `ctrlc` takes
/// all or none.
pub(crate) fn install() -> Result<(), Failure> {
    match ctrlc::try_set_handler(stop) {
        Ok(()) | Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        Err(error) => Err(Failure::failed(error)),
    }
}

fn stop() {
    // Held to the end: no file is begun or gets its name any more.
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

/// Begins a file that an interrupt removes.
pub(crate) fn begin(path: &Path, existing: Existing, access: Access) -> io::Result<NewFile> {
    let mut state = state();
    let file = NewFile::create(path, existing, access)?;
    state.unfinished.push(file.temporary().to_owned());
    Ok(file)
}

/// Gives the file its name; an interrupt comes before or after that.
pub(crate) fn finish(file: NewFile) -> io::Result<()> {
    file.sync()?;
    let mut state = state();
    let temporary = file.temporary().to_owned();
    file.finish()?;
    state.unfinished.retain(|path| *path != temporary);
    Ok(())
}

/// Has the bar cleared by an interrupt.
pub(crate) fn clear(bar: &ProgressBar) {
    state().bar = Some(bar.clone());
}

/// A terminal that gives whole lines and does not echo them, till it is dropped; an interrupt, too, turns the echo on again.
#[cfg(unix)]
pub(crate) struct Silence;

#[cfg(unix)]
impl Silence {
    pub(crate) fn of(terminal: &File) -> io::Result<Self> {
        let mut state = state();
        let modes = tcgetattr(terminal)?;
        let mut silent = modes.clone();
        silent.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL);
        silent.local_modes.insert(LocalModes::ICANON);
        let kept = terminal.try_clone()?;
        // What was typed before was shown: it is no passphrase.
        tcsetattr(terminal, OptionalActions::Flush, &silent)?;
        state.terminal = Some((kept, modes));
        Ok(Self)
    }
}

#[cfg(unix)]
impl Drop for Silence {
    fn drop(&mut self) {
        state().restore_terminal();
    }
}
