//! Curves on two logarithmic axes, one a contestant. Each is named at its end, and has a mark and a dash of its own, so
//! that nobody needs its colour.

use super::picture::Picture;
use super::scale::{Scale, drawable, pixel};
use crate::report::columns::shorten;
use maud::{Markup, html};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 62.0;
/// Room for names beside the curves' ends.
const NAMES: f64 = 258.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;
/// From one name to the next.
const LINE: f64 = 15.0;
/// Colours and marks, which the style has as `c0`, `c1`, …; together they repeat late.
const COLOURS: usize = 7;
const DASHES: [&str; 3] = ["", "7 3", "2 3"];

/// A value of x and one of y; then, their pixels.
pub(super) type Point = (f64, f64);

/// What a chart shows.
pub(super) struct Chart {
    /// What it shows, in a few words.
    pub(super) name: String,
    /// What it shows, in a sentence.
    pub(super) title: String,
    /// What it tells a reader who does not see it.
    pub(super) description: String,
    /// What the axes count.
    pub(super) axes: [&'static str; 2],
    /// The values to name on the axis of x, with their names.
    pub(super) ticks: Vec<(f64, String)>,
    /// How a value of y is spelled.
    pub(super) spell: fn(f64) -> String,
    /// Names and points, ascending in x. The place of a curve is its style, whether the others can be drawn or not.
    pub(super) curves: Vec<(String, Vec<Point>)>,
}

impl Chart {
    /// The picture; none if no curve has two points.
    pub(super) fn draw(&self) -> Option<Picture> {
        let fits = |point: &&Point| drawable(point.0) && drawable(point.1);
        let drawn: Vec<_> = self
            .curves
            .iter()
            .enumerate()
            .map(|(n, (name, points))| (n, name.as_str(), points.iter().filter(fits).copied().collect::<Vec<_>>()))
            .filter(|(.., points)| !points.is_empty())
            .collect();
        if drawn.iter().all(|(.., points)| points.len() < 2) {
            return None;
        }
        let height = (drawn.len() as f64 * LINE + TOP + BOTTOM).max(300.0);
        let points = || drawn.iter().flat_map(|(.., points)| points);
        let across = Scale::over(points().map(|(x, _)| *x), LEFT, WIDTH - NAMES);
        let up = Scale::over(points().map(|(_, y)| *y), height - BOTTOM, TOP);
        // Whole pixels: a page has thousands of points.
        let place = |(x, y): Point| Some((across.at(x)?.round(), up.at(y)?.round()));
        let placed = |points: &[Point]| points.iter().copied().filter_map(place).collect::<Vec<_>>();
        let curves: Vec<_> = drawn.iter().map(|(n, name, points)| (*n, *name, placed(points))).collect();
        let ends: Vec<f64> = curves.iter().map(|(.., points)| points[points.len() - 1].1).collect();
        let labels = spread(&ends, TOP + LINE / 2.0, height - BOTTOM);
        let content = html! {
            (self.grid(&across, &up, height))
            @for ((n, name, points), label) in curves.iter().zip(&labels) {
                (curve(*n, name, points, *label))
            }
        };
        let (title, description) = (self.title.clone(), self.description.clone());
        Some(Picture { title, description, width: WIDTH, height, content })
    }

    fn grid(&self, across: &Scale, up: &Scale, height: f64) -> Markup {
        let (right, bottom) = (WIDTH - NAMES, height - BOTTOM);
        let mut named: Vec<(f64, &str)> = Vec::new();
        for (at, name) in self.ticks.iter().filter_map(|(x, name)| Some((across.at(*x)?, name))) {
            if named.last().is_none_or(|(before, _)| at - before > 46.0) {
                named.push((at, name));
            }
        }
        html! {
            @for (y, at) in up.ticks(26.0).into_iter().filter_map(|y| Some((y, up.at(y)?))) {
                path.grid d={ "M" (LEFT) " " (pixel(at)) "H" (right) } {}
                text x=(LEFT - 8.0) y=(pixel(at + 4.0)) text-anchor="end" { ((self.spell)(y)) }
            }
            @for (at, name) in named {
                path.grid d={ "M" (pixel(at)) " " (TOP) "V" (bottom) } {}
                text x=(pixel(at)) y=(pixel(bottom + 17.0)) text-anchor="middle" { (name) }
            }
            text.axis-name x=(pixel((LEFT + right) / 2.0)) y=(pixel(height - 8.0)) text-anchor="middle" { (self.axes[0]) }
            text.axis-name x="14" y=(pixel((TOP + bottom) / 2.0)) text-anchor="middle"
                transform={ "rotate(-90 14 " (pixel((TOP + bottom) / 2.0)) ")" } { (self.axes[1]) }
        }
    }
}

/// One curve: what leads to its name, its line, its marks, its name.
fn curve(n: usize, name: &str, points: &[Point], label: f64) -> Markup {
    let line: String = points
        .iter()
        .enumerate()
        .map(|(at, (x, y))| format!("{}{} {}", if at == 0 { "M" } else { "L" }, pixel(*x), pixel(*y)))
        .collect();
    let marks: String = points.iter().map(|point| mark(n, *point)).collect();
    let (x, y) = points[points.len() - 1];
    let from = WIDTH - NAMES + 14.0;
    let dash = DASHES[n / COLOURS % DASHES.len()];
    let short = shorten(name, 33);
    html! {
        g class={ "curve c" (n % COLOURS) } {
            path d={ "M" (pixel(x + 6.0)) " " (pixel(y)) "L" (from) " " (pixel(label)) "h8" } {}
            path stroke-dasharray=[(!dash.is_empty()).then_some(dash)] d=(line) {}
            path d={ (marks) (mark(n, (from + 15.0, label))) } {}
            text x=(from + 24.0) y=(pixel(label + 4.0)) {
                (short)
                @if short != name { title { (name) } }
            }
        }
    }
}

/// The mark of a curve: a square, a diamond, a triangle, …
fn mark(n: usize, (x, y): Point) -> String {
    let shapes = [
        (-3.5, -3.5, "h7v7h-7z"),
        (0.0, -5.0, "l5 5-5 5-5-5z"),
        (0.0, -4.5, "l4.5 8h-9z"),
        (0.0, 4.5, "l4.5-8h-9z"),
        (-4.0, -1.3, "h8v2.6h-8z"),
    ];
    let (right, down, shape) = shapes[n % shapes.len()];
    format!("M{} {}{shape}", pixel(x + right), pixel(y + down))
}

/// Heights as near to the wished ones as lines of text allow, in the same order: neighbours that are too close become a
/// block around the middle of their wishes.
fn spread(wished: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wished.len()).collect();
    order.sort_by(|a, b| wished[*a].total_cmp(&wished[*b]));
    let within = |(first, lines): (f64, usize)| (first.min(bottom - (lines - 1) as f64 * LINE).max(top), lines);
    // Of each block where its first line is wished to be, and how many lines it has.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &at in &order {
        let mut block = within((wished[at], 1));
        while let Some((first, lines)) = blocks.pop_if(|(first, lines)| *first + *lines as f64 * LINE > block.0) {
            let total = lines + block.1;
            // The lines of the later block wish to stand below those of the earlier.
            let shifted = block.0 - lines as f64 * LINE;
            block = within(((first * lines as f64 + shifted * block.1 as f64) / total as f64, total));
        }
        blocks.push(block);
    }
    let lines = blocks.iter().flat_map(|(first, lines)| (0..*lines).map(move |line| first + line as f64 * LINE));
    let mut heights = vec![0.0; wished.len()];
    for (at, height) in order.into_iter().zip(lines) {
        heights[at] = height;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_order_and_their_distance() {
        let heights = spread(&[100.0, 101.0, 20.0, 299.0, 300.0], 0.0, 300.0);
        assert_eq!((heights[0], heights[1]), (100.5 - LINE / 2.0, 100.5 + LINE / 2.0));
        assert!((heights[4] - heights[3] - LINE).abs() < 1e-9);
        assert_eq!((heights[2], heights[4]), (20.0, 300.0));
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let chart = |curves| Chart {
            name: String::new(),
            title: String::new(),
            description: String::new(),
            axes: ["", ""],
            ticks: Vec::new(),
            spell: |y| y.to_string(),
            curves,
        };
        assert!(chart(Vec::new()).draw().is_none());
        assert!(chart(vec![("a".to_owned(), vec![(1.0, f64::NAN), (2.0, 1.0)])]).draw().is_none());
        let drawn = chart(vec![("a".to_owned(), vec![(1.0, f64::NAN), (2.0, 1.0), (4.0, 8.0)])]).draw();
        let text = drawn.expect("a picture").in_page("x").into_string();
        assert!(text.contains("<path") && !text.contains("NaN"), "{text}");
    }
}
