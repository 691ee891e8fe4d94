//! Overview for a terminal: a line for each contest with the winner, its margin and the noise floor, then remarks.
//!
//! Text with ANSI colours, which the caller removes where they are not wanted. Nothing is cut: cells that do not fit
//! the width are folded, and below that a contest is a few lines of text.

use super::standings::Standings;
use super::{escape, numbers, wording};
use crate::contest::Absent;
use crate::run::{ContestResult, Run, RunUnit, Settings};
use anstyle::{AnsiColor, Style};
use fairlane_common::terminal::{fold, width as widest, wrap};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const WON: Style = AnsiColor::Green.on_default();
const TIED: Style = AnsiColor::Yellow.on_default();
const NOBODY: Style = AnsiColor::Red.on_default();

/// How many warnings are shown; the report has all.
const WARNINGS: usize = 2;
/// No column is folded to less.
const NARROWEST: usize = 12;

/// How a tie begins.
const TIE: &str = "tie of ";

/// The columns, as they stand.
const HEAD: [&str; 6] = ["contest", "fastest", "speed", "margin", "over", "noise"];
const CONTEST: usize = 0;
const FASTEST: usize = 1;
const SPEED: usize = 2;
const MARGIN: usize = 3;
const OVER: usize = 4;
const NOISE: usize = 5;

/// A run in lines of at most `width` characters.
pub fn run(run: &Run, width: usize) -> String {
    if run.contests.is_empty() {
        return legend(run, width) + &remarks(run, width);
    }
    table_and_legend(run, width) + &remarks(run, width)
}

/// The line of each contest, and how margins and the noise floor are read.
pub(super) fn table_and_legend(run: &Run, width: usize) -> String {
    let lines: Vec<Line> = run.contests.iter().map(|contest| Line::of(contest, &run.settings)).collect();
    let table = table(&lines, width).unwrap_or_else(|| lines.iter().map(|line| line.stacked(width)).collect());
    format!("{table}\n{}", legend(run, width))
}

/// One contest: its cells, and how the winner's is painted.
struct Line {
    cells: [String; 6],
    paint: Style,
}

impl Line {
    fn of(contest: &ContestResult, settings: &Settings) -> Self {
        let standings = Standings::of(contest);
        let mut cells = [const { String::new() }; 6];
        cells[CONTEST] = heading(contest);
        cells[NOISE] = contest.control.as_ref().map(|control| numbers::percent(control.floor)).unwrap_or_default();
        let paint = match standings.front.as_slice() {
            [] => {
                cells[FASTEST] = "no verdict".to_owned();
                cells[MARGIN] = why_not(contest, settings).to_owned();
                return Self { cells, paint: NOBODY };
            }
            [_] => WON,
            _ => TIED,
        };
        let names: Vec<String> = standings.front.iter().map(|c| escape::plain(&c.name)).collect();
        cells[FASTEST] = if let [one] = names.as_slice() {
            one.clone()
        } else {
            format!("{TIE}{}: {}", names.len(), names.join(", "))
        };
        cells[SPEED] = match contest.speed_of(standings.front[0]) {
            None => numbers::time(contest.time_of(standings.front[0])),
            speed => format!("{} MB/s", numbers::megabytes(speed)),
        };
        match standings.next {
            Some(next) => {
                cells[MARGIN] = numbers::ratio(&next.ratio);
                cells[OVER] = escape::plain(&next.name);
            }
            None if contest.contestants.len() == 1 => cells[MARGIN] = "ran alone".to_owned(),
            None => cells[MARGIN] = format!("no other {}", wording::rivals(contest)),
        }
        Self { cells, paint }
    }

    /// For a terminal that is too narrow for columns.
    fn stacked(&self, width: usize) -> String {
        let [contest, fastest, _, margin, over, _] = &self.cells;
        let margin = if over.is_empty() { margin.clone() } else { format!("{margin} over {over}") };
        let Self { paint, .. } = self;
        let lines = |text: &str, paint: &Style, indent| {
            let painted = |line: &str| format!("{paint}{line}{paint:#}\n");
            wrap(text, width, indent).lines().map(painted).collect::<String>()
        };
        let mut text = lines(contest, &BOLD, 0) + &lines(fastest, paint, 2);
        if !margin.is_empty() {
            text += &lines(&margin, &Style::new(), 2);
        }
        text
    }
}

/// The contest with its size, where it says anything: keys and secrets have but one.
fn heading(contest: &ContestResult) -> String {
    let of_one = contest.unit == RunUnit::Operations
        && contest.size.value().is_none_or(|size| size.count == 1)
        && contest.threads == 1;
    if of_one { contest.id.to_string() } else { wording::contest(contest) }
}

/// Why there is no verdict, in a few words.
fn why_not(contest: &ContestResult, settings: &Settings) -> &'static str {
    match &contest.control {
        _ if contest.contestants.is_empty() => "no contestant was timed",
        _ if settings.keep_disturbed => "disturbed ones kept",
        None => "cut short",
        Some(_) if contest.unfit(settings).is_some() => "unfit",
        Some(_) => "too few clean rounds",
    }
}

/// The columns that must fit; their cells are folded if need be. The others are there if nothing has to be folded.
const NEEDED: [usize; 4] = [CONTEST, FASTEST, MARGIN, OVER];

/// The table; `None` if its columns would become narrower than is pleasant to read.
fn table(lines: &[Line], width: usize) -> Option<String> {
    let column = |at: usize| -> Vec<String> {
        [HEAD[at].to_owned()].into_iter().chain(lines.iter().map(|line| line.cells[at].clone())).collect()
    };
    let mut widths: [usize; 6] = std::array::from_fn(|at| widest(&column(at)));
    let total = |shown: &[usize], widths: &[usize; 6]| {
        shown.iter().map(|at| widths[*at]).sum::<usize>() + 2 * (shown.len().max(1) - 1)
    };
    let mut shown = NEEDED.to_vec();
    while total(&shown, &widths) > width {
        let by_width = |at: &usize| widths[*at];
        let most = [CONTEST, FASTEST, OVER].into_iter().max_by_key(by_width).filter(|at| widths[*at] > NARROWEST)?;
        widths[most] -= 1;
    }
    for more in [NOISE, SPEED] {
        let with = [shown.as_slice(), &[more]].concat();
        if total(&with, &widths) <= width {
            shown = with;
        }
    }
    shown.sort_unstable();

    let row = |cells: &[String; 6], paint: &dyn Fn(usize) -> Style| {
        let folded: Vec<Vec<String>> = shown.iter().map(|at| fold(&cells[*at], widths[*at])).collect();
        let height = folded.iter().map(Vec::len).max().unwrap_or(0);
        let line = |y: usize| {
            let cell = |(at, parts): (&usize, &Vec<String>)| {
                let text = parts.get(y).map_or("", String::as_str);
                let gap = " ".repeat(widths[*at].saturating_sub(text.chars().count()));
                let paint = paint(*at);
                let text = if text.is_empty() { String::new() } else { format!("{paint}{text}{paint:#}") };
                if [SPEED, NOISE].contains(at) { gap + &text } else { text + &gap }
            };
            format!("{}\n", shown.iter().zip(&folded).map(cell).collect::<Vec<_>>().join("  ").trim_end())
        };
        (0..height).map(line).collect::<String>()
    };
    let head = row(&HEAD.map(str::to_owned), &|_| BOLD);
    let body =
        lines.iter().map(|Line { cells, paint }| row(cells, &|at| if at == FASTEST { *paint } else { Style::new() }));
    Some(head + &body.collect::<String>())
}

/// A line that begins with a painted word.
fn remark(paint: Style, what: &str, rest: &str, width: usize) -> String {
    let wrapped = wrap(&format!("{what}: {rest}"), width, 0);
    wrapped.replacen(what, &format!("{paint}{what}{paint:#}"), 1)
}

/// How to read the margins and the noise floor.
fn legend(run: &Run, width: usize) -> String {
    let confidence = numbers::confidence(run.settings.confidence);
    let margin = format!("{}; all intervals of a contest hold together with {confidence} confidence", wording::MARGIN);
    let mut text = remark(DIM, "margin", &margin, width);
    let floors: Vec<f64> = run.contests.iter().filter_map(|c| c.control.as_ref()).map(|c| c.floor).collect();
    if let (Some(least), Some(most)) =
        (floors.iter().copied().reduce(f64::min), floors.iter().copied().reduce(f64::max))
    {
        let mut ends = vec![numbers::percent(least), numbers::percent(most)];
        ends.dedup();
        let rest = format!("{}; a difference below a contest's own floor is reported as a tie", ends.join(" to "));
        text += &remark(DIM, "noise floor", &rest, width);
    }
    text
}

/// Disqualified contestants, unavailable libraries, and warnings.
fn remarks(run: &Run, width: usize) -> String {
    let mut text = String::new();
    let mut remark = |paint: Style, what: &str, rest: &str| text += &remark(paint, what, rest, width);
    for contest in &run.contests {
        for out in &contest.disqualified {
            remark(
                NOBODY,
                "disqualified",
                &format!("{} {} in {}: {}", out.name, out.version, heading(contest), out.why),
            );
        }
    }
    let undecided = |c: &&ContestResult| {
        let standings = Standings::of(c);
        !standings.front.is_empty() && !standings.undecided.is_empty()
    };
    let partly = run.contests.iter().filter(undecided).count();
    if partly > 0 {
        let rest = format!(
            "some contestants in {partly} of {} contests, because too few rounds were clean",
            run.contests.len()
        );
        remark(TIED, "undecided", &rest);
    }
    let missing = not_here(run);
    // In an interrupted race a library may be in one of the contests that were not raced.
    if !missing.is_empty() && !run.interrupted {
        remark(DIM, "unavailable", &format!("{} (`fairlane race --list` says why)", missing.join(", ")));
    }
    for warning in run.warnings.iter().take(WARNINGS) {
        remark(TIED, "warning", warning);
    }
    if run.warnings.len() > WARNINGS {
        remark(TIED, "warning", &format!("{} more are in the report", run.warnings.len() - WARNINGS));
    }
    if run.interrupted {
        let (done, planned) = (run.contests.len(), run.settings.planned);
        remark(TIED, "interrupted", &format!("{done} of {planned} contests were raced"));
    }
    text
}

/// Libraries that were in no contest at all.
fn not_here(run: &Run) -> Vec<&str> {
    let raced = |library: &str| {
        let mut all = run.contests.iter().flat_map(|contest| &contest.contestants);
        all.any(|c| c.library.eq_ignore_ascii_case(library) || c.name.eq_ignore_ascii_case(library))
    };
    let mut missing: Vec<&str> = Vec::new();
    for Absent { library, .. } in &run.absent {
        if !missing.contains(&library.as_str()) && !raced(library) {
            missing.push(library);
        }
    }
    missing
}
