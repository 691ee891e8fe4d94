//! The result of [`compare`](crate::compare::compare), for a terminal and as Markdown.

use super::escape::{self, escape, plain};
use super::numbers;
use crate::compare::{Comparison, Matched, Row};
use crate::run::Ratio;
use fairlane_common::terminal::{Edge, fill, lines, wrap};

/// The comparison in lines of at most `width` characters where the numbers allow it.
pub fn text(comparison: &Comparison, width: usize) -> String {
    let mut blocks = Vec::new();
    if !comparison.notes.is_empty() {
        blocks.push(comparison.notes.iter().map(|note| wrap(note, width, 0)).collect());
    }
    for matched in &comparison.contests {
        let mut block = wrap(&matched.contest.to_string(), width, 0);
        block += &table(&columns(comparison, matched), width);
        block += &matched.notes.iter().map(|note| wrap(note, width, 2)).collect::<String>();
        blocks.push(block);
    }
    if !comparison.refused.is_empty() {
        let line = |(key, why)| wrap(&format!("not compared: {key}: {why}"), width, 0);
        blocks.push(comparison.refused.iter().map(|refused| (&refused.contest, &refused.why)).map(line).collect());
    }
    if !comparison.contests.is_empty() {
        blocks.push(wrap(&legend(comparison), width, 0));
    }
    blocks.join("\n")
}

/// The columns side by side or, where the width does not allow it, a contestant's cells behind its name.
pub(super) fn table(columns: &[(Edge, Vec<String>)], width: usize) -> String {
    let whole = lines(columns);
    if whole.lines().all(|line| line.chars().count() <= width) {
        return whole;
    }
    let [(_, names), others @ ..] = columns else { return whole };
    let block = |row: usize| {
        let cells = others.iter().filter(|(_, cells)| !cells[row].is_empty());
        let cells: Vec<String> = cells.map(|(_, cells)| format!("{}: {}", cells[0], cells[row])).collect();
        wrap(&names[row], width, 2) + &fill(cells.iter().map(String::as_str), "; ", width, 4)
    };
    (1..names.len()).map(block).collect()
}

/// The comparison as a Markdown document.
pub fn markdown(comparison: &Comparison) -> String {
    let mut text = "# Two runs compared\n\n".to_owned();
    for note in &comparison.notes {
        text += &format!("- {}\n", escape(note));
    }
    text += &format!("\n{}\n\n", escape(&legend(comparison)));
    for matched in &comparison.contests {
        text += &format!("## {}\n\n", escape(&matched.contest.to_string()));
        let columns = columns(comparison, matched);
        let head: Vec<&str> = columns.iter().map(|(_, cells)| cells[0].as_str()).collect();
        let rows: Vec<Vec<String>> = (1..=matched.rows.len())
            .map(|row| columns.iter().map(|(_, cells)| escape(&cells[row])).collect())
            .collect();
        let numbers: Vec<&str> =
            columns.iter().filter(|(edge, _)| *edge == Edge::Right).map(|(_, cells)| cells[0].as_str()).collect();
        text += &escape::table(&head, &numbers, &rows);
        text += &matched.notes.iter().map(|note| format!("\n{}\n", escape(note))).collect::<String>();
        text.push('\n');
    }
    if !comparison.refused.is_empty() {
        text += "## Not compared\n\n";
        for refused in &comparison.refused {
            text += &format!("- {}: {}\n", escape(&refused.contest.to_string()), escape(&refused.why));
        }
    }
    text
}

/// The table of a contest by columns, the head in each column's first cell.
pub(super) fn columns(comparison: &Comparison, matched: &Matched) -> Vec<(Edge, Vec<String>)> {
    let column = |edge, head: &str, cell: &dyn Fn(&Row) -> String| {
        let cells = std::iter::once(head.to_owned()).chain(matched.rows.iter().map(cell)).collect();
        (edge, cells)
    };
    let position = |row: &Row, run: usize| {
        let ratio = if row.name == matched.base { "base".to_owned() } else { numbers::ratio(&row.position[run]) };
        format!("{ratio} ({})", row.rank[run])
    };
    let change = |row: &Row| if row.name == matched.base { String::new() } else { numbers::ratio(&row.change) };
    let mut columns = vec![
        column(Edge::Left, "contestant", &|row| plain(&row.name)),
        column(Edge::Right, "first", &|row| position(row, 0)),
        column(Edge::Right, "second", &|row| position(row, 1)),
        column(Edge::Right, "second/first", &change),
        column(Edge::Left, "position", &|row| said(matched, row).to_owned()),
    ];
    if comparison.same_machine {
        let time = |row: &Row| row.time.as_ref().map(numbers::ratio).unwrap_or_default();
        let speed = |row: &Row| row.time.map(|time| numbers::ratio(&inverse(time))).unwrap_or_default();
        columns.push(match comparison.same_code {
            true => column(Edge::Right, "time", &time),
            false => column(Edge::Right, "times as fast", &speed),
        });
    }
    columns
}

fn inverse(Ratio { estimate, low, high }: Ratio) -> Ratio {
    Ratio { estimate: 1.0 / estimate, low: 1.0 / high, high: 1.0 / low }
}

/// What may be said of a contestant's change.
fn said(matched: &Matched, row: &Row) -> &'static str {
    match () {
        () if row.name == matched.base => "",
        () if matched.floor.is_none() => "undecided",
        () if !row.changed => "no change seen",
        () if row.change.estimate < 1.0 => "gained",
        () => "lost",
    }
}

pub(super) fn legend(comparison: &Comparison) -> String {
    let mut legend = format!(
        "first, second: time over the base's time in each run, rank in parentheses. second/first: below 1 the \
         contestant \
         has gained on the base; a change too small to be seen may still be there. The intervals of one contest hold \
         together with {} confidence, for the noise inside the runs: what differs between any two runs (memory layout, \
         neighbours) can move a ratio too, so run again before believing a small change.",
        numbers::confidence(comparison.confidence)
    );
    if !comparison.same_code {
        legend += " The builds differ: only what is installed on the machine ran the same code in both.";
    }
    if comparison.same_machine {
        legend += match comparison.same_code {
            true => " time: second run's over first's",
            false => " times as fast: first run's time over second's",
        };
        legend += "; the base's comes from unpaired samples, so that clock and load move all of them as well.";
    }
    legend
}
