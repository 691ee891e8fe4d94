//! Prints what a search finds as it goes, and on a terminal where it is.

use super::{section, tell};
use crate::failure::Outcome;
use crate::output::width;
use fairlane_common::terminal::{shorten, wrap};
use fairlane_lab::leak::Observer;
use fairlane_lab::leak::found::{ContestLeaks, Leaks};
use fairlane_lab::leak::wording::{self, COLUMNS, CONTROL_COLUMNS};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::mem;

/// The tables so far are printed; a bar on standard error says what is being measured. It is drawn only between two
/// contestants.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Whether standard output is taken.
    aside: bool,
    outcome: Outcome,
}

impl Progress {
    pub(super) fn new(aside: bool) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4))
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        Self { bar: bar.with_style(style), aside, outcome: Ok(()) }
    }

    fn print(&mut self, text: &str) {
        if self.outcome.is_ok() {
            self.outcome = self.bar.suspend(|| tell(text, self.aside));
        }
    }

    /// Prints what the tables mean.
    pub(super) fn end(&mut self, leaks: &Leaks) {
        self.bar.finish_and_clear();
        if !leaks.contests.is_empty() {
            self.print(&(wrap(wording::LEGEND, width(), 0) + &wrap(&wording::how(leaks), width(), 0)));
        }
    }

    /// Whether all could be printed.
    pub(super) fn outcome(&mut self) -> Outcome {
        mem::replace(&mut self.outcome, Ok(()))
    }
}

impl Observer for Progress {
    fn begun(&mut self, at: usize, of: usize, name: &str) {
        self.bar.set_message(shorten(&format!("{at}/{of} {name}"), width()));
        self.bar.tick();
    }

    fn controlled(&mut self, leaks: &Leaks) {
        let machine = &leaks.machine.cpu;
        self.print(&section(
            &format!("controls on {machine}"),
            &CONTROL_COLUMNS,
            leaks.controls.iter().map(wording::control_row),
        ));
    }

    fn finished(&mut self, contest: &ContestLeaks) {
        if !contest.contestants.is_empty() {
            self.print(&section(&wording::heading(contest), &COLUMNS, contest.contestants.iter().map(wording::row)));
        }
    }
}
