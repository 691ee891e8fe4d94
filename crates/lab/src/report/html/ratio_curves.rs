//! The line charts of a contest: time relative to the fastest, by the size of a message, by the number in a call and by
//! threads.

use super::group::{Group, anchor};
use super::line_chart::Chart;
use super::parts::{each_once, scrolling};
use super::svg::Picture;
use crate::contest::Size;
use crate::report::{numbers, wording};
use crate::run::{ContestResult, RunUnit};
use maud::{Markup, html};

/// A heat whose size is one.
type Sized<'a> = (Size, &'a ContestResult);

/// One way to put heats on an axis.
struct By {
    /// By what, in words.
    what: &'static str,
    /// What the axis counts.
    axis: &'static str,
    /// Where a heat stands on it.
    x: fn(&Sized) -> usize,
    /// What is the same in all heats of one chart.
    same: fn(&Sized) -> (usize, usize),
    /// How a place on the axis is spelled.
    spell: fn(usize) -> String,
    /// What one chart is of, from one of its heats.
    of: fn(&Sized) -> String,
}

const WAYS: [By; 3] = [
    By {
        what: "message size",
        axis: "bytes of a message",
        x: |(size, _)| size.bytes,
        same: |(size, heat)| (size.count, heat.threads as usize),
        spell: |bytes| numbers::size(&bytes.to_string()),
        of: |(size, heat)| {
            let messages = if size.count == 1 { "One message".to_owned() } else { format!("{} messages", size.count) };
            with_threads(messages, heat)
        },
    },
    By {
        what: "number in a call",
        axis: "in a call",
        x: |(size, _)| size.count,
        same: |(size, heat)| (size.bytes, heat.threads as usize),
        spell: |count| count.to_string(),
        of: |(size, heat)| {
            let what = match heat.unit {
                RunUnit::Bytes => format!("Messages of {}", numbers::size(&size.bytes.to_string())),
                RunUnit::Operations => "Batches".to_owned(),
            };
            with_threads(what, heat)
        },
    },
    By {
        what: "threads",
        axis: "threads at once",
        x: |(_, heat)| heat.threads as usize,
        same: |(size, _)| (size.count, size.bytes),
        spell: |threads| threads.to_string(),
        of: |(_, heat)| wording::work(&heat.size, heat.unit),
    },
];

fn with_threads(what: String, heat: &ContestResult) -> String {
    if heat.threads == 1 { what } else { format!("{what}, {} threads", heat.threads) }
}

/// Every chart that the contest's heats are enough for.
pub(super) fn curves(group: &Group) -> Markup {
    let drawn: Vec<Picture> = charts(group).iter().filter_map(Chart::draw).collect();
    html! {
        @if !drawn.is_empty() {
            div.charts {
                @for (n, picture) in drawn.iter().enumerate() {
                    figure {
                        figcaption { (picture.title) }
                        (scrolling(&picture.title, &picture.in_page(&format!("{}p{n}", anchor(group.n)))))
                    }
                }
            }
        }
    }
}

/// What the contest's heats could be drawn as.
pub(super) fn charts(group: &Group) -> Vec<Chart> {
    let heats: Vec<Sized> = group.heats.iter().filter_map(|heat| Some((*heat.size.value()?, *heat))).collect();
    // One contestant is one style in all charts of the contest.
    let names = each_once(group.heats.iter().flat_map(|heat| &heat.contestants).map(|c| c.name.as_str()));
    let mut charts = Vec::new();
    for by in WAYS {
        let mut kinds = each_once(heats.iter().map(by.same));
        kinds.sort_unstable();
        for kind in kinds {
            let mut of_kind: Vec<Sized> = heats.iter().copied().filter(|heat| (by.same)(heat) == kind).collect();
            of_kind.sort_by_key(by.x);
            if of_kind.len() > 1 {
                charts.push(chart(&by, &of_kind, &names));
            }
        }
    }
    charts
}

fn chart(by: &By, heats: &[Sized], names: &[&str]) -> Chart {
    let point = |sized: &Sized, name: &str| {
        let found = sized.1.contestants.iter().find(|c| c.name == name)?;
        Some(((by.x)(sized) as f64, found.ratio.estimate))
    };
    let line = |name: &&str| ((*name).to_owned(), heats.iter().filter_map(|heat| point(heat, name)).collect());
    let sizes: Vec<String> =
        heats.iter().map(|(_, heat)| wording::size_and_threads(&heat.size, heat.unit, heat.threads)).collect();
    Chart {
        name: format!("{} by {}", (by.of)(&heats[0]), by.what),
        title: format!("{}: time over the fastest's, by {}", (by.of)(&heats[0]), by.what),
        description: format!(
            "A line a contestant: its time over that of the fastest at the same size. The points are the ratios that \
             the tables hold for {}. Ratios beyond the end of the axis are listed below it.",
            wording::list(&sizes)
        ),
        axis: by.axis,
        up: "time over the fastest's",
        ticks: heats.iter().map(by.x).map(|x| (x as f64, (by.spell)(x))).collect(),
        lines: names.iter().map(line).collect(),
    }
}
