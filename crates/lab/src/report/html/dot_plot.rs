//! The ratios of one heat as a picture: a row a contestant, on the axis that the page's table has.

use super::interval::{Axis, WIDE};
use super::scale::pixel;
use super::svg::Picture;
use crate::report::verdicts::outcome;
use crate::report::{numbers, wording};
use crate::run::{ContestResult, ContestantResult, Settings, Verdict};
use fairlane_common::terminal::shorten;
use maud::html;

const WIDTH: f64 = 800.0;
/// Where names end and the axis begins, and where it ends and the ratios begin.
const AXIS: f64 = 270.0;
const RATIOS: f64 = AXIS + WIDE + 20.0;
/// Of a row, and of the axis above the rows.
const ROW: f64 = 24.0;
const HEAD: f64 = 20.0;
/// Letters of a name for which there is room.
const NAME: usize = 36;

/// The picture; `None` for a heat in which no contestant was timed.
pub(super) fn dot_plot(heat: &ContestResult, settings: &Settings) -> Option<Picture> {
    if heat.contestants.is_empty() {
        return None;
    }
    let axis = Axis::of("grid".to_owned(), heat);
    let row = |n: usize, contestant: &ContestantResult| {
        let top = HEAD + n as f64 * ROW;
        // The mark of a row stands in its middle, which is 16 pixels below its top.
        let line = pixel(top + 20.0);
        let front = matches!(contestant.verdict, Verdict::Fastest | Verdict::Tie).then_some("front");
        html! {
            text class=[front] x="16" y=(line) { (shorten(&contestant.name, NAME)) }
            g transform={ "translate(" (AXIS) " " (pixel(top)) ")" } { (axis.row(contestant)) }
            text x=(RATIOS) y=(line) { (wording::ratio_cell(contestant)) }
            text x=(WIDTH - 16.0) y=(line) text-anchor="end" { (speed(heat, contestant)) }
        }
    };
    let content = html! {
        g transform={ "translate(" (AXIS) " 0)" } { (axis.head()) }
        @for (n, contestant) in heat.contestants.iter().enumerate() { (row(n, contestant)) }
    };
    let unfit = if heat.fit { "" } else { " (unfit: no verdict)" };
    Some(Picture {
        title: format!("{}: time over the fastest's{unfit}", wording::contest(heat)),
        description: outcome(heat, settings),
        width: WIDTH,
        height: HEAD + heat.contestants.len() as f64 * ROW + 20.0,
        content,
    })
}

/// `741.0 MB/s`, or the time of an operation where bytes make no sense.
fn speed(heat: &ContestResult, contestant: &ContestantResult) -> String {
    match heat.speed_of(contestant) {
        None => numbers::time(heat.time_of(contestant)),
        speed => format!("{} MB/s", numbers::megabytes(speed)),
    }
}
