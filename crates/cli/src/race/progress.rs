//! How far a race has come, on standard error when it is a terminal.

use crate::output::width;
use fairlane_lab::engine::{Heat, Watch};
use fairlane_lab::report::words;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};

/// Steps of the bar a heat.
const STEPS: u64 = 1000;

/// On fewer columns a contest's name would leave no room for the bar.
const NAMED: usize = 72;

/// A bar over all heats. It is drawn between samples only: a thread that draws would be a neighbour.
pub(crate) struct Progress {
    bar: ProgressBar,
    heat: u64,
}

impl Progress {
    /// A bar, hidden unless standard error is a terminal.
    pub(crate) fn new() -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(4))
        } else {
            ProgressBar::hidden()
        };
        let style =
            ProgressStyle::with_template("{prefix} {wide_bar} {eta:>4} left").expect("the template is well formed");
        Self { bar: bar.with_style(style), heat: 0 }
    }
}

impl Watch for Progress {
    fn begun(&mut self, heat: &Heat) {
        self.heat = heat.index as u64;
        self.bar.set_length(heat.total as u64 * STEPS);
        self.bar.set_position(self.heat * STEPS);
        let place = format!("{}/{}", heat.index + 1, heat.total);
        self.bar.set_prefix(if width() < NAMED {
            place
        } else {
            format!("{place} {}", words::heading(heat.id, &heat.size.to_string(), heat.unit, heat.threads))
        });
        self.bar.tick();
    }

    fn round(&mut self, done: u32, of: u32) {
        let part = u64::from(done.min(of)) * STEPS / u64::from(of.max(1));
        self.bar.set_position(self.heat * STEPS + part);
    }

    fn note(&mut self, line: &str) {
        self.bar.println(line);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
