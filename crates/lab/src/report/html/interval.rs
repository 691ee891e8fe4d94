//! Ratios as dots with their intervals, one in each row, on a linear axis that all rows of a table share; a ratio
//! beyond the end of the axis is an arrow there. The picture repeats the numbers beside it, so it is hidden from screen
//! readers.

use super::scale::{Ratios, drawable, pixel, tick};
use crate::run::{ContestResult, ContestantResult, Ratio, Verdict};
use maud::{Markup, html};

/// Of a picture.
pub(super) const WIDE: f64 = 240.0;
/// Of one in a table that has much else to show.
pub(super) const NARROW: f64 = 150.0;
/// Of a row: the pictures of a table touch, so that its grid is whole.
const HEIGHT: f64 = 32.0;
const MIDDLE: f64 = HEIGHT / 2.0;
/// Pixels that two ticks need between them for their words.
const TICKS_APART: f64 = 46.0;
/// Of a dot.
const RADIUS: f64 = 4.5;
/// Half the height of an interval's ends.
const CAP: f64 = 3.5;

/// What the rows of one table share.
pub(super) struct Axis {
    scale: Ratios,
    /// The name of the grid in the page.
    id: String,
    width: f64,
    floor: Option<f64>,
}

impl Axis {
    /// The axis of these ratios, on which 1 always stands, with a band of the noise floor.
    pub(super) fn new<'a>(
        id: String,
        width: f64,
        ratios: impl IntoIterator<Item = &'a Ratio>,
        floor: Option<f64>,
    ) -> Self {
        let floor = floor.filter(|floor| (0.0..0.5).contains(floor));
        let band = floor.map_or([1.0, 1.0], |floor| [1.0 - floor, 1.0 + floor]);
        let ends = ratios.into_iter().flat_map(|ratio| [ratio.low, ratio.estimate, ratio.high]);
        Self { scale: Ratios::over(ends.chain(band), 6.0, width - 12.0), id, width, floor }
    }

    /// The axis of one heat.
    pub(super) fn of(id: String, contest: &ContestResult) -> Self {
        Self::new(
            id,
            WIDE,
            contest.contestants.iter().map(|c| &c.ratio),
            contest.control.as_ref().map(|control| control.floor),
        )
    }

    /// The axis itself, to stand above the rows; it holds the grid that they use, so it stands in the page once.
    pub(super) fn head(&self) -> Markup {
        let line = |x: f64| self.scale.at(x).map(|at| format!("M{} 0v{HEIGHT}", pixel(at))).unwrap_or_default();
        let grid: String = self.scale.ticks(TICKS_APART).iter().filter(|x| **x != 1.0).map(|x| line(*x)).collect();
        html! {
            svg.axis aria-hidden="true" {
                defs {
                    g id=(self.id) {
                        @if let Some((x, width)) = self.band() {
                            rect.band x=(pixel(x)) y="0" width=(pixel(width)) height=(HEIGHT) {}
                        }
                        path.grid d=(grid) {}
                        path.one d=(line(1.0)) {}
                    }
                }
                (self.ticks())
            }
        }
    }

    /// The same above further columns.
    pub(super) fn again(&self) -> Markup {
        html! { svg.axis aria-hidden="true" { (self.ticks()) } }
    }

    fn ticks(&self) -> Markup {
        html! {
            @for (x, at) in self.scale.ticks(TICKS_APART).into_iter().filter_map(|x| Some((x, self.scale.at(x)?))) {
                // A word in the middle of its tick would leave the picture at the ends.
                text x=(pixel(at.clamp(8.0, self.width - 14.0))) y="14" { (tick(x)) "×" }
            }
        }
    }

    fn band(&self) -> Option<(f64, f64)> {
        let floor = self.floor?;
        let (from, to) = (self.scale.at(1.0 - floor)?, self.scale.at(1.0 + floor)?);
        Some((from, to - from))
    }

    /// One contestant's row.
    pub(super) fn row(&self, contestant: &ContestantResult) -> Markup {
        let shape = match contestant.verdict {
            Verdict::Fastest => "first",
            Verdict::Tie => "tie",
            Verdict::Slower => "slower",
            Verdict::Undecided => "undecided",
        };
        self.mark(&contestant.ratio, shape)
    }

    /// One ratio, as a dot of a kind of its own. The style knows its height and size: a page has thousands.
    pub(super) fn mark(&self, ratio: &Ratio, shape: &str) -> Markup {
        let Ratio { estimate, low, high } = *ratio;
        let ends = self.scale.clipped(low).zip(self.scale.clipped(high));
        // A shorter interval lies behind its dot.
        let ends = ends.filter(|(from, to)| to - from > 2.0 * RADIUS && estimate <= self.scale.end());
        html! {
            svg.(shape) role="none" {
                use href={ "#" (self.id) } {}
                @if let Some((from, to)) = ends.map(|(from, to)| (pixel(from), pixel(to))) {
                    @let (top, cap) = (MIDDLE - CAP, 2.0 * CAP);
                    path d=(format!("M{from} {top}v{cap}M{from} {MIDDLE}H{to}M{to} {top}v{cap}")) {}
                }
                @if drawable(estimate) && estimate > self.scale.end() {
                    path.beyond d={ "M" (pixel(self.width - 12.0)) " " (MIDDLE - 5.0) "l9 5l-9 5z" } {}
                } @else if let Some(at) = self.scale.at(estimate).map(pixel) {
                    @if shape == "undecided" {
                        path d={ "M" (at) " " (MIDDLE - 5.0) "l5 5l-5 5l-5-5z" } {}
                    } @else {
                        circle cx=(at) {}
                    }
                }
            }
        }
    }
}
