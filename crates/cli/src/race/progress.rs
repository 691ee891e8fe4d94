//! The progress bar of a race, on standard error if that is a terminal.

use crate::output::width;
use fairlane_lab::engine::{Heat, Observer, Process};
use fairlane_lab::report::wording;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// The steps of the bar for each heat.
const STEPS: u64 = 1000;

/// The time before an estimate is shown, since an earlier one would be poor.
const FIRST_ESTIMATE: Duration = Duration::from_secs(2);

/// The minimum width of a terminal on which the contest's name is shown beside the bar.
const WIDTH_WITH_NAME: usize = 72;

/// The share of disturbed probes from which a race takes noticeably longer.
const WORTH_TELLING: f64 = 0.1;

/// A bar over all heats. It is drawn only between samples, since a drawing thread would disturb them.
pub(crate) struct Progress {
    bar: ProgressBar,
    heat: u64,
    process: Process,
}

impl Progress {
    /// Creates the bar, which is hidden unless standard error is a terminal.
    pub(crate) fn new(process: Process) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr_with_hz(4))
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {left:>9}").expect("the template is well formed");
        let style = style.with_key("left", |state: &ProgressState, text: &mut dyn Write| {
            if let Some(left) = left(state.elapsed(), state.fraction()) {
                let _ = write!(text, "{:#} left", HumanDuration(left));
            }
        });
        Self { bar: bar.with_style(style), heat: 0, process }
    }
}

/// Estimates the time left in proportion to the time elapsed, since all heats take the same time. `None` at first.
fn left(elapsed: Duration, done: f32) -> Option<Duration> {
    (elapsed >= FIRST_ESTIMATE && done > 0.0).then(|| elapsed.mul_f32((1.0 - done).max(0.0) / done))
}

impl Observer for Progress {
    fn begins(&mut self, cpu: Option<u32>, disturbed: f64) {
        if let Some(cpu) = cpu.filter(|_| disturbed >= WORTH_TELLING && self.process.index == 0) {
            let share = 100.0 * disturbed;
            self.bar.println(format!(
                "CPU {cpu}: somebody else disturbs {share:.0} % of the time; the race waits for pauses"
            ));
        }
    }

    fn begun(&mut self, heat: &Heat) {
        self.heat = heat.index as u64;
        self.bar.set_length(heat.total as u64 * STEPS);
        self.bar.set_position(self.heat * STEPS);
        let Process { index, of } = self.process;
        let process = if of > 1 { format!("process {}/{of}, ", index + 1) } else { String::new() };
        let place = format!("{process}{}/{}", heat.index + 1, heat.total);
        self.bar.set_prefix(if width() < WIDTH_WITH_NAME {
            place
        } else {
            format!(
                "{place} {}",
                wording::heading(&heat.id.to_string(), &heat.size.to_string(), heat.unit, heat.threads)
            )
        });
        self.bar.tick();
    }

    fn round(&mut self, done: u32, of: u32) {
        let part = u64::from(done.min(of)) * STEPS / u64::from(of.max(1));
        self.bar.set_position(self.heat * STEPS + part);
    }

    fn note(&mut self, line: &str) {
        // What several processes note is told of all of them together, at the end.
        if self.process.of == 1 {
            self.bar.println(line);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_in_proportion_to_the_time_elapsed() {
        let seconds = Duration::from_secs;
        assert_eq!(left(seconds(1), 0.5), None);
        assert_eq!(left(seconds(30), 0.0), None);
        assert_eq!(left(seconds(30), 0.25), Some(seconds(90)));
        assert_eq!(left(seconds(30), 1.0), Some(seconds(0)));
    }
}
