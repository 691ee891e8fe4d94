//! The page of a history: for each contest the curves of its contestants over the runs, and the table that they are of.

use super::line_chart::Chart;
use super::parts::scrolling;
use crate::history::{History, Track};
use crate::report::history::{LEGEND, about, columns, heading};
use fairlane_common::terminal::Edge;
use maud::{Markup, html};

/// What stands in the page.
pub(super) fn body(history: &History) -> Markup {
    html! {
        header {
            h1 { "History of races" }
            p.lead { (about(history)) }
        }
        main #main {
            p { (LEGEND) }
            @if history.tracks.is_empty() { p.empty { "No two runs have a contest and a base in common." } }
            @for (n, track) in history.tracks.iter().enumerate() { (section(history, track, n)) }
        }
    }
}

fn section(history: &History, track: &Track, n: usize) -> Markup {
    let title = heading(track);
    html! {
        section #{ "h" (n) } aria-labelledby={ "h" (n) "-title" } {
            h2 #{ "h" (n) "-title" } { (title) }
            @if let Some(picture) = chart(history, track).draw() {
                figure { (scrolling(&picture.title, &picture.in_page(&format!("h{n}p")))) }
            }
            @for line in &track.lines {
                (scrolling(&format!("{title}: {}", line.name), &table(&line.name, &columns(history, line))))
            }
        }
    }
}

fn table(name: &str, columns: &[(Edge, Vec<String>)]) -> Markup {
    html! {
        table {
            caption { (name) }
            thead { tr { @for (_, cells) in columns { th { (cells[0]) } } } }
            tbody {
                @for row in 1..columns[0].1.len() {
                    tr {
                        @for (edge, cells) in columns {
                            td.n[*edge == Edge::Right] { (cells[row]) }
                        }
                    }
                }
            }
        }
    }
}

/// Positions over the best that any of the contestants ever had, so that the axis begins at 1.
fn chart(history: &History, track: &Track) -> Chart {
    let positions = track.lines.iter().flat_map(|line| &line.points).map(|point| point.position.estimate);
    let best = positions.fold(f64::INFINITY, f64::min);
    let line = |line: &crate::history::Line| {
        let points = line.points.iter().map(|point| (place(point.run), point.position.estimate / best));
        (line.name.clone(), points.collect())
    };
    let name = |(run, stamp): (usize, &crate::history::Stamp)| {
        let name = if stamp.commit.is_empty() { &stamp.day } else { &stamp.commit };
        (place(run), name.clone())
    };
    Chart {
        name: heading(track),
        title: format!("{}: over the best of all runs", heading(track)),
        description: "A line a contestant: its time over the base's in each run, over the best that any had in any \
                      run. The points are those of the tables."
            .to_owned(),
        axis: "runs, earliest first",
        up: "over the best of all runs",
        ticks: history.runs.iter().enumerate().map(name).collect(),
        lines: track.lines.iter().map(line).collect(),
    }
}

/// Where a run stands: equal steps on the chart's logarithmic axis.
fn place(run: usize) -> f64 {
    1.1_f64.powi(run.min(600) as i32)
}
