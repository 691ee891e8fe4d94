//! Line charts: time relative to the fastest, on a linear axis from 1, by size, on a logarithmic one; a line a
//! contestant.
//!
//! What lies beyond the end of the axis is clipped: an arrow where the line leaves, and the numbers in a list below.
//! Each line is named at its end, and has a mark and a dash of its own, so that colour is not needed to tell it apart.

use super::scale::{Ratios, Scale, drawable, pixel, tick};
use super::svg::Picture;
use fairlane_common::terminal::{shorten, wrap};
use maud::{Markup, html};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 62.0;
/// Room for names beside the ends of the lines.
const NAMES: f64 = 258.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 44.0;
/// The least height from the top of the axis to its bottom.
const PLOT: f64 = 280.0;
/// From one line of text to the next.
const LINE: f64 = 15.0;
/// Letters of a line of text over the whole width.
const LETTERS: usize = 112;
/// Colours and marks, which the style has as `c0`, `c1`, …; together they repeat late.
const COLOURS: usize = 7;
const DASHES: [&str; 3] = ["", "7 3", "2 3"];

/// A value of x and a ratio; then, their pixels.
pub(super) type Point = (f64, f64);

/// What a chart shows.
pub(super) struct Chart {
    /// Its subject, in a few words.
    pub(super) name: String,
    /// Its subject, in a sentence.
    pub(super) title: String,
    /// A description for readers who do not see it.
    pub(super) description: String,
    /// What the axis of x counts.
    pub(super) axis: &'static str,
    /// What the axis of ratios shows.
    pub(super) up: &'static str,
    /// The values to name on the axis of x, with their names.
    pub(super) ticks: Vec<(f64, String)>,
    /// Names and points, ascending in x. The place of a line decides its style, whether the others can be drawn or not.
    pub(super) lines: Vec<(String, Vec<Point>)>,
}

/// A line whose points can be drawn.
struct Line<'a> {
    /// Its place, which decides its style.
    n: usize,
    name: &'a str,
    points: Vec<Point>,
}

impl Chart {
    /// The picture; `None` if no line has two points.
    pub(super) fn draw<'a>(&'a self) -> Option<Picture> {
        let fits = |point: &&Point| drawable(point.0) && drawable(point.1);
        let of = |(n, (name, points)): (usize, &'a (String, Vec<Point>))| {
            let points: Vec<Point> = points.iter().filter(fits).copied().collect();
            (!points.is_empty()).then_some(Line { n, name, points })
        };
        let all: Vec<Line> = self.lines.iter().enumerate().filter_map(of).collect();
        if all.iter().all(|line| line.points.len() < 2) {
            return None;
        }
        let points = || all.iter().flat_map(|line| &line.points);
        let end = Ratios::over(points().map(|(_, ratio)| *ratio), 0.0, 1.0).end();
        let within = |line: &&Line| line.points.iter().any(|(_, ratio)| *ratio <= end);
        let drawn: Vec<&Line> = all.iter().filter(within).collect();
        let bottom = TOP + (drawn.len() as f64 * LINE).max(PLOT);
        let across = Scale::over(points().map(|(x, _)| *x), LEFT, WIDTH - NAMES);
        let up = Ratios::over(points().map(|(_, ratio)| *ratio), bottom, TOP);
        let paths: Vec<Path> = drawn.iter().map(|line| Path::of(&line.points, &across, &up)).collect();
        let ends: Vec<f64> = paths.iter().map(|path| path.end.1).collect();
        let labels = spread(&ends, TOP, bottom);
        let beyond = beyond(&all, end);
        let content = html! {
            (self.grid(&across, &up, bottom))
            @for ((line, path), label) in drawn.iter().zip(&paths).zip(&labels) {
                (draw(line, path, *label))
            }
            @for (n, text) in beyond.iter().enumerate() {
                text x="16" y=(pixel(bottom + BOTTOM + 10.0 + n as f64 * LINE)) { (text) }
            }
        };
        let (title, description) = (self.title.clone(), self.description.clone());
        let height = bottom + BOTTOM + if beyond.is_empty() { 0.0 } else { 10.0 + beyond.len() as f64 * LINE };
        Some(Picture { title, description, width: WIDTH, height, content })
    }

    fn grid(&self, across: &Scale, up: &Ratios, bottom: f64) -> Markup {
        let right = WIDTH - NAMES;
        let mut named: Vec<(f64, &str)> = Vec::new();
        for (at, name) in self.ticks.iter().filter_map(|(x, name)| Some((across.at(*x)?, name))) {
            if named.last().is_none_or(|(before, _)| at - before > 46.0) {
                named.push((at, name));
            }
        }
        html! {
            @for (ratio, at) in up.ticks(26.0).into_iter().filter_map(|ratio| Some((ratio, up.at(ratio)?))) {
                path.grid d={ "M" (LEFT) " " (pixel(at)) "H" (right) } {}
                text x=(LEFT - 8.0) y=(pixel(at + 4.0)) text-anchor="end" { (tick(ratio)) "×" }
            }
            @for (at, name) in named {
                path.grid d={ "M" (pixel(at)) " " (TOP) "V" (pixel(bottom)) } {}
                text x=(pixel(at)) y=(pixel(bottom + 17.0)) text-anchor="middle" { (name) }
            }
            text.axis-name x=(pixel((LEFT + right) / 2.0)) y=(pixel(bottom + 36.0)) text-anchor="middle" { (self.axis) }
            text.axis-name x="14" y=(pixel((TOP + bottom) / 2.0)) text-anchor="middle"
                transform={ "rotate(-90 14 " (pixel((TOP + bottom) / 2.0)) ")" } { (self.up) }
        }
    }
}

/// The ratios beyond the end of the axis, as lines of text: `Beyond 3×: reference 4.10 to 12.3×; sha3 3.21×`.
fn beyond(lines: &[Line], end: f64) -> Vec<String> {
    let of = |line: &Line| {
        let ratios = || line.points.iter().map(|(_, ratio)| *ratio).filter(|ratio| *ratio > end);
        let (least, most) = (ratios().reduce(f64::min)?, ratios().reduce(f64::max)?);
        let spell = |ratio: f64| match ratio {
            ratio if ratio < 10.0 => format!("{ratio:.2}"),
            ratio if ratio < 100.0 => format!("{ratio:.1}"),
            ratio => format!("{ratio:.0}"),
        };
        let [least, most] = [least, most].map(spell);
        let range = if least == most { least } else { format!("{least} to {most}") };
        Some((ratios().fold(f64::INFINITY, f64::min), format!("{} {range}×", line.name)))
    };
    let mut all: Vec<(f64, String)> = lines.iter().filter_map(of).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    if all.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = all.into_iter().map(|(_, text)| text).collect();
    let text = format!("Beyond {}×: {}", tick(end), names.join("; "));
    wrap(&text, LETTERS, 0).lines().map(str::to_owned).collect()
}

/// A line in pixels.
struct Path {
    /// The line, as SVG has it; it ends where it leaves the axis.
    line: String,
    /// Its points within the axis.
    points: Vec<Point>,
    /// Where it leaves the axis, or comes back.
    arrows: Vec<Point>,
    /// Where its name should stand, and the point from which it is led there: the last within the axis, or the end of
    /// the axis if the last point is beyond it.
    end: Point,
    /// Whether the last point is beyond the axis.
    leaves: bool,
}

impl Path {
    /// The path of points of which one is within the axis, ascending in x.
    fn of(points: &[Point], across: &Scale, up: &Ratios) -> Self {
        let mut path =
            Self { line: String::new(), points: Vec::new(), arrows: Vec::new(), end: (0.0, 0.0), leaves: false };
        let x = |point: &Point| across.at(point.0).unwrap_or(LEFT);
        // Where the line between two points crosses the end of the axis: sizes are neighbours, so a straight line will
        // do.
        let crossing = |a: &Point, b: &Point| {
            let share = (up.end() - a.1) / (b.1 - a.1);
            (x(a) + share * (x(b) - x(a)), up.at(up.end()).unwrap_or(TOP))
        };
        let mut before: Option<&Point> = None;
        let mut drawing = false;
        for point in points {
            match (up.at(point.1), before.filter(|before| up.at(before.1).is_none())) {
                (Some(y), outside) => {
                    let at = (x(point).round(), y.round());
                    if let Some(outside) = outside {
                        let from = crossing(point, outside);
                        path.arrows.push(from);
                        path.line += &format!("M{} {}", pixel(from.0), pixel(from.1));
                        drawing = true;
                    }
                    path.line += &format!("{}{} {}", if drawing { "L" } else { "M" }, pixel(at.0), pixel(at.1));
                    drawing = true;
                    path.points.push(at);
                    path.end = at;
                }
                (None, None) if let Some(inside) = before => {
                    let to = crossing(inside, point);
                    path.arrows.push(to);
                    path.line += &format!("L{} {}", pixel(to.0), pixel(to.1));
                    drawing = false;
                }
                (None, _) => {}
            }
            before = Some(point);
        }
        if before.is_some_and(|last| up.at(last.1).is_none()) {
            path.leaves = true;
            path.end = (0.0, up.at(up.end()).unwrap_or(TOP));
        }
        path
    }
}

/// One line: the leader to its name, the line, its marks, its arrows, its name.
fn draw(line: &Line, path: &Path, label: f64) -> Markup {
    let n = line.n;
    let marks: String = path.points.iter().map(|point| mark(n, *point)).collect();
    let arrow = |(x, y): &Point| format!("M{} {}l-4.5 7h9z", pixel(*x), pixel(y - 6.0));
    let arrows: String = path.arrows.iter().map(arrow).collect();
    let (x, y) = path.end;
    let from = WIDTH - NAMES + 14.0;
    let dash = DASHES[n / COLOURS % DASHES.len()];
    let short = shorten(line.name, 31);
    // A line that leaves the axis is far from its name: an arrow beside the name says so.
    let leader = match path.leaves {
        true => format!("M{from} {}h8", pixel(label)),
        false => format!("M{} {}L{from} {}h8", pixel(x + 6.0), pixel(y), pixel(label)),
    };
    html! {
        g class={ "curve c" (n % COLOURS) } {
            path d=(leader) {}
            path stroke-dasharray=[(!dash.is_empty()).then_some(dash)] d=(path.line) {}
            path d={ (marks) (mark(n, (from + 15.0, label))) } {}
            @if !arrows.is_empty() { path.arrow d=(arrows) {} }
            text x=(from + 24.0) y=(pixel(label + 4.0)) {
                (short) @if path.leaves { " ↑" }
                @if short != line.name { title { (line.name) } }
            }
        }
    }
}

/// The mark of a line: a square, a diamond, a triangle, …
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
        let chart = |lines| Chart {
            name: String::new(),
            title: String::new(),
            description: String::new(),
            axis: "",
            up: "",
            ticks: Vec::new(),
            lines,
        };
        assert!(chart(Vec::new()).draw().is_none());
        assert!(chart(vec![("a".to_owned(), vec![(1.0, f64::NAN), (2.0, 1.0)])]).draw().is_none());
        let drawn = chart(vec![("a".to_owned(), vec![(1.0, f64::NAN), (2.0, 1.0), (4.0, 8.0)])]).draw();
        let text = drawn.expect("a picture").in_page("x").into_string();
        assert!(text.contains("<path") && !text.contains("NaN"), "{text}");
        assert!(text.contains("arrow") && text.contains("Beyond 1.1×: a 8.00×"), "{text}");
    }

    #[test]
    fn a_line_ends_where_it_leaves_the_axis_and_comes_back() {
        let (across, up) = (Scale::over([1.0, 16.0], 0.0, 400.0), Ratios::over([1.0, 2.0], 300.0, 0.0));
        let path = Path::of(&[(1.0, 1.5), (2.0, 2.5), (4.0, 9.0), (8.0, 1.0), (16.0, 1.0)], &across, &up);
        assert_eq!((path.points.len(), path.arrows.len()), (3, 2));
        assert_eq!(path.line.matches('M').count(), 2, "{}", path.line);
        assert!(path.arrows.iter().all(|(_, y)| *y == 0.0), "{:?}", path.arrows);
        let outside = Path::of(&[(1.0, 5.0), (2.0, 1.0)], &across, &up);
        assert_eq!((outside.points.len(), outside.arrows.len()), (1, 1));
    }
}
