//! The results as a table, as JSON and as a picture.

use crate::{CONTESTANTS, Cell, DEVICE, HOST, Results};
use std::fmt::Write;
use std::fs;

/// Formats a line.
macro_rules! line {
    ($text:expr, $($line:tt)*) => {
        writeln!($text, $($line)*).expect("a string takes all text")
    };
}

/// The CPU's name, where the system tells it.
pub(crate) fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name"));
    name.map_or("CPU", |name| name.trim_start_matches([' ', '\t', ':'])).into()
}

/// A table's heading.
pub(crate) fn heading(function: &str) -> String {
    format!(
        "{function}: ns each, and how many times as fast as all cores\n{:>9} {:>9} {:>9} {:>9} {:>9}  {:22} {}",
        "batch", "core", "cores", "host", "device", CONTESTANTS[HOST], CONTESTANTS[DEVICE]
    )
}

/// A row of a table.
pub(crate) fn row(cell: &Cell) -> String {
    let mut text = format!("{:>9}", cell.count);
    for seconds in cell.seconds {
        let each = seconds.map_or(String::from("-"), |seconds| format!("{:.2}", seconds / cell.count as f64 * 1e9));
        let _ = write!(text, " {each:>9}");
    }
    let ratio = |contestant: usize| {
        cell.ratios[contestant].map_or(String::new(), |[ratio, low, high]| format!("{ratio:.2} [{low:.2}, {high:.2}]"))
    };
    format!("{text}  {:22} {}", ratio(HOST), ratio(DEVICE))
}

/// All results, with medians in seconds a batch and ratios to all cores with their intervals.
pub(crate) fn json(results: &Results) -> String {
    let Results { gpu, driver, cpu, functions } = results;
    let mut text = String::new();
    line!(text, "{{\n\"gpu\": {gpu:?}, \"driver\": {driver:?}, \"cpu\": {cpu:?},");
    line!(text, "\"contestants\": {CONTESTANTS:?},\n\"functions\": [");
    for (i, (name, cells)) in functions.iter().enumerate() {
        line!(text, "{{\"name\": {name:?}, \"batches\": [");
        for (j, Cell { count, rounds, seconds, ratios }) in cells.iter().enumerate() {
            let list = |values: Vec<String>| format!("[{}]", values.join(", "));
            let or_null = |value: Option<String>| value.unwrap_or(String::from("null"));
            let seconds = list(seconds.map(|seconds| or_null(seconds.map(|x| format!("{x:.4e}")))).to_vec());
            let ratios = list(ratios.map(|ratio| or_null(ratio.map(|x| format!("{x:.3?}")))).to_vec());
            let comma = if j + 1 < cells.len() { "," } else { "" };
            line!(
                text,
                "{{\"rows\": {count}, \"rounds\": {rounds}, \"seconds\": {seconds},\n \"ratios\": {ratios}}}{comma}"
            );
        }
        line!(text, "]}}{}", if i + 1 < functions.len() { "," } else { "" });
    }
    text + "]\n}\n"
}

const COLOURS: [&str; CONTESTANTS.len()] = ["#8a8f98", "#2f6fb0", "#c9711c", "#3b8f4a"];
/// Panels in a row, and the size of each with its labels.
const COLUMNS: usize = 3;
const WIDTH: f64 = 300.;
const HEIGHT: f64 = 230.;
const LEFT: f64 = 52.;
const TOP: f64 = 34.;

/// A panel for each function: nanoseconds a row, by the batch's size, both on logarithmic axes.
pub(crate) fn svg(results: &Results) -> String {
    let rows = results.functions.len().div_ceil(COLUMNS);
    let (width, height) = (COLUMNS as f64 * WIDTH, 46. + rows as f64 * HEIGHT);
    let mut text = String::new();
    line!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"11\">\n\
         <title>Time of a row by the size of the batch</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
    );
    for (i, (name, colour)) in CONTESTANTS.iter().zip(COLOURS).enumerate() {
        let x = 14. + 170. * i as f64;
        line!(text, "<path d=\"M{x} 20h18\" stroke=\"{colour}\" stroke-width=\"2.5\"/>");
        line!(text, "<text x=\"{}\" y=\"24\">{name}</text>", x + 24.);
    }
    for (i, (name, cells)) in results.functions.iter().enumerate() {
        let (x, y) = ((i % COLUMNS) as f64 * WIDTH, 40. + (i / COLUMNS) as f64 * HEIGHT);
        line!(text, "<g transform=\"translate({x} {y})\">");
        panel(&mut text, name, cells);
        line!(text, "</g>");
    }
    text + "</svg>\n"
}

fn panel(text: &mut String, name: &str, cells: &[Cell]) {
    let each = |cell: &Cell, contestant: usize| Some(cell.seconds[contestant]? / cell.count as f64 * 1e9);
    let all = cells.iter().flat_map(|cell| (0..CONTESTANTS.len()).filter_map(move |i| each(cell, i)));
    let (low, high) = all.fold((f64::MAX, 0_f64), |(low, high), time| (low.min(time), high.max(time)));
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    let (right, bottom) = (WIDTH - 16., HEIGHT - 34.);
    let x = |count: usize| LEFT + (right - LEFT) * ((count as f64).log2() - 8.) / 14.;
    let y = |time: f64| TOP + (bottom - TOP) * (high - time.log10()) / (high - low);
    line!(text, "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"600\">{name}</text>", TOP - 10.);
    for power in low as i32..=high as i32 {
        let time = 10_f64.powi(power);
        let label = if power < 0 { format!("{time:.*}", -power as usize) } else { format!("{time:.0}") };
        line!(text, "<path d=\"M{LEFT} {0:.1}H{right}\" stroke=\"#e3e6ea\"/>", y(time));
        line!(
            text,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{label}</text>",
            LEFT - 5.,
            y(time) + 4.
        );
    }
    line!(text, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">ns</text>", LEFT - 5., TOP - 10.);
    for (log, label) in [(8, "256"), (12, "4096"), (16, "65 536"), (20, "1 M"), (22, "4 M")] {
        let anchor = x(1 << log);
        line!(text, "<path d=\"M{anchor:.1} {bottom}v4\" stroke=\"#999\"/>");
        line!(
            text,
            "<text x=\"{anchor:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{label}</text>",
            bottom + 16.
        );
    }
    for (contestant, colour) in COLOURS.iter().enumerate() {
        let points = cells.iter().filter_map(|cell| Some((x(cell.count), y(each(cell, contestant)?))));
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        line!(text, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", points.join(" "));
    }
    // Where a line of the GPU first lies below that of all cores.
    for contestant in [HOST, DEVICE] {
        let first = cells.iter().find(|cell| cell.ratios[contestant].is_some_and(|[_, low, _]| low > 1.));
        if let Some((cell, time)) = first.and_then(|cell| Some((cell, each(cell, contestant)?))) {
            let colour = COLOURS[contestant];
            line!(text, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>", x(cell.count), y(time));
        }
    }
}
