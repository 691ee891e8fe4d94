//! The progress of a race, on standard error if that is a terminal: a bar, and the standings of the heat under way.

use crate::output::width;
use fairlane_common::terminal::{Edge, lines, shorten};
use fairlane_lab::engine::{Heat, Observer, Process};
use fairlane_lab::report::{numbers, wording};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// The steps of the bar for each heat.
const STEPS: u64 = 1000;

/// The time before an estimate is shown, since an earlier one would be poor.
const FIRST_ESTIMATE: Duration = Duration::from_secs(2);

/// The minimum width of a terminal on which the contest's name is shown beside the bar.
const WIDTH_WITH_NAME: usize = 72;

/// The share of disturbed probes from which a race takes noticeably longer.
const WORTH_TELLING: f64 = 0.1;

/// The time between two standings: medians of all rounds are sorted anew for each.
const BETWEEN_STANDINGS: Duration = Duration::from_millis(500);

/// The contestants that the standings show; a terminal has few lines.
const SHOWN: usize = 8;

/// A bar over all heats. It is drawn only between samples, since a drawing thread would disturb them.
pub(crate) struct Progress {
    bar: ProgressBar,
    heat: u64,
    process: Process,
    standings: Standings,
    /// When the standings were drawn last.
    drawn: Instant,
}

impl Progress {
    /// Creates the bar, which is hidden unless standard error is a terminal.
    pub(crate) fn new(process: Process) -> Self {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr_with_hz(4))
        } else {
            ProgressBar::hidden()
        };
        let bar = bar.with_style(style("{prefix} {wide_bar} {left:>9}"));
        Self { bar, heat: 0, process, standings: Standings::default(), drawn: Instant::now() }
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    style.with_key("left", |state: &ProgressState, text: &mut dyn Write| {
        if let Some(left) = left(state.elapsed(), state.fraction()) {
            let _ = write!(text, "{:#} left", HumanDuration(left));
        }
    })
}

/// The times of the heat under way, a row a contestant.
#[derive(Default)]
struct Standings(Vec<(String, Vec<f64>)>);

impl Standings {
    fn add(&mut self, name: &str, ns: f64) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, times)) => times.push(ns),
            None => self.0.push((name.to_owned(), vec![ns])),
        }
    }

    /// Lines of at most `width` characters: names, median times so far, and what these are of the fastest's. Samples
    /// that a neighbour disturbed are among them, so that the verdicts may say otherwise.
    fn text(&self, width: usize) -> String {
        let median = |times: &[f64]| {
            let mut times = times.to_vec();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let mut rows: Vec<(&str, f64)> = self.0.iter().map(|(name, times)| (name.as_str(), median(times))).collect();
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        let Some(&(_, fastest)) = rows.first() else { return String::new() };
        let more = rows.len().saturating_sub(SHOWN);
        rows.truncate(SHOWN);
        let room = width.saturating_sub(26).max(8);
        let column = |edge, cell: &dyn Fn(&(&str, f64)) -> String| (edge, rows.iter().map(cell).collect());
        let columns = [
            column(Edge::Left, &|(name, _)| shorten(name, room)),
            column(Edge::Right, &|(_, ns)| numbers::time(*ns)),
            column(Edge::Right, &|(_, ns)| format!("{:.2}×", ns / fastest)),
        ];
        let others = if more > 0 { format!("  and {more} more\n") } else { String::new() };
        lines(&columns) + &others
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
        self.standings = Standings::default();
        self.bar.set_style(style("{prefix} {wide_bar} {left:>9}"));
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

    fn sampled(&mut self, times: &mut dyn Iterator<Item = (&str, f64)>) {
        if self.bar.is_hidden() {
            return;
        }
        for (name, ns) in times {
            self.standings.add(name, ns);
        }
        if self.drawn.elapsed() >= BETWEEN_STANDINGS {
            self.drawn = Instant::now();
            self.bar.set_style(style("{prefix} {wide_bar} {left:>9}\n{msg}"));
            self.bar.set_message(self.standings.text(width()).trim_end().to_owned());
        }
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
    #[test]
    fn standings_fit_a_terminal() {
        let mut standings = Standings::default();
        for round in 0..3 {
            for (name, ns) in [("fairlane/avx512", 100.0), ("a library with a name beyond all bounds (plug-in)", 250.0)]
            {
                standings.add(name, ns + f64::from(round));
            }
        }
        let text = standings.text(40);
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
        assert!(text.starts_with("  fairlane/avx5…  101.0 ns  1.00×\n"), "{text}");
        assert!(text.contains("2.49×"), "{text}");
        (0..9).for_each(|n| standings.add(&n.to_string(), 1.0));
        assert!(standings.text(80).ends_with("  and 3 more\n"));
        assert_eq!(Standings::default().text(80), "");
    }
}
