//! A [`History`] for a terminal; `html` has its page.

use super::comparison::table;
use super::escape::plain;
use super::numbers;
use crate::compare::over;
use crate::history::{History, Line, Track};
use fairlane_common::terminal::{Edge, wrap};

/// The history in lines of at most `width` characters where the numbers allow it.
pub fn text(history: &History, width: usize) -> String {
    let mut text = wrap(&about(history), width, 0);
    for track in &history.tracks {
        text += "\n";
        text += &wrap(&heading(track), width, 0);
        for line in &track.lines {
            text += &wrap(&line.name, width, 2);
            text += &table(&columns(history, line), width);
        }
    }
    text + "\n" + &wrap(LEGEND, width, 0)
}

pub(super) const LEGEND: &str = "over the base: the contestant's time over that of the base in the same run, paired by \
                                 round. since the first: that, over what it was in the first line; below 1 it has \
                                 gained. The intervals are for the noise inside the runs: what differs between any two \
                                 (memory layout, neighbours) can move a ratio too.";

/// How many runs there are.
pub(super) fn about(history: &History) -> String {
    let runs = history.runs.len();
    match history.elsewhere {
        0 => format!("{runs} runs"),
        1 => format!("{runs} runs; 1 other is of another CPU, and left out"),
        others => format!("{runs} runs; {others} others are of other CPUs, and left out"),
    }
}

/// `keccak256/message, 1 KiB, over tiny-keccak`.
pub(super) fn heading(track: &Track) -> String {
    format!("{}, over {}", track.contest, plain(&track.base))
}

/// The points of a line by columns, the head in each column's first cell.
pub(super) fn columns(history: &History, line: &Line) -> Vec<(Edge, Vec<String>)> {
    let first = line.points[0];
    let mut columns = [
        (Edge::Left, "day"),
        (Edge::Left, "commit"),
        (Edge::Right, "time"),
        (Edge::Right, "over the base"),
        (Edge::Right, "since the first"),
    ]
    .map(|(edge, head)| (edge, vec![head.to_owned()]));
    for point in &line.points {
        let stamp = &history.runs[point.run];
        let since = over(point.position, first.position);
        let cells = [
            plain(&stamp.day),
            plain(&stamp.commit),
            numbers::time(point.time),
            numbers::ratio(&point.position),
            if point.run == first.run { String::new() } else { numbers::ratio(&since) },
        ];
        for ((_, column), cell) in columns.iter_mut().zip(cells) {
            column.push(cell);
        }
    }
    columns.to_vec()
}
