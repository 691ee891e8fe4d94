//! One run, or several side by side, as an HTML page that is one file and needs nothing else: no network, no framework.
//! Everything is readable with scripts off; the script adds sorting, filters, buttons that copy, and the run as a file.
//!
//! Every number comes from the run, written by [`numbers`](super::numbers) and [`wording`](super::wording) as in the
//! other reports. Two things are computed here: where a mark stands in a picture, and the table that compares batches
//! with single calls, which says how it is made.
//!
//! | file | content |
//! | --- | --- |
//! | `single_run` | the page of one run: verdicts first, then the contests |
//! | `side_by_side` | the page of several runs: ratios only |
//! | `history` | the page of a history: curves over many runs |
//! | `verdicts` | the first table of the page: a row for each contest and size |
//! | `contest` | the section of a contest, over all of its sizes |
//! | `results` | the table of one heat, with its intervals drawn |
//! | `ratio_curves` | the line charts of a contest: by size, by number in a call, by threads |
//! | `batches` | from how many messages on a batch is faster than single calls |
//! | `sections` | sections made of several contests |
//! | `environment` | machine, build, unavailable libraries |
//! | `embedded_runs` | the runs as JSON inside the page |
//! | `minify` | the same page in fewer bytes |
//! | `interval`, `line_chart`, `dot_plot`, `scale` | drawing: intervals on an axis, lines, ratios of a heat, scales |
//! | `parts` | small parts that several sections need |
//! | `svg`, `figures` | a picture within a page or as a file; all pictures of a run |

mod batches;
mod contest;
mod dot_plot;
mod embedded_runs;
mod environment;
mod figures;
mod group;
mod history;
mod interval;
mod line_chart;
mod minify;
mod parts;
mod ratio_curves;
mod results;
mod scale;
mod sections;
mod side_by_side;
mod single_run;
mod svg;
mod verdicts;

pub use figures::{figure, figure_names};

use crate::history::History;
use crate::run::Run;
use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use parts::clean;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What a page may have in bytes, its content and its runs together: the rest of two million is for style and script.
const MOST: usize = 1_960_000;

/// What a browser lets the page do: apply this style and run this script, by their hashes, and nothing else. What a
/// name in a run might smuggle in is not run, and nothing is loaded from anywhere.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text)));
    format!(
        "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(script)
    )
}

/// The page; of no runs, one that says so.
pub fn render(runs: &[Run]) -> String {
    let (title, body) = match runs {
        [run] => (format!("Race on {}", run.machine.cpu), single_run::body(run)),
        runs => ("Races side by side".to_owned(), side_by_side::body(runs)),
    };
    let body = minify::minify(&body.into_string());
    let data = embedded_runs::embed(runs, MOST.saturating_sub(body.len()));
    clean(&shell(&title, &PreEscaped(body), &data).into_string())
}

/// The page of a history. The runs themselves are not inside.
pub fn render_history(history: &History) -> String {
    let body = minify::minify(&history::body(history).into_string());
    clean(&shell("History of races", &PreEscaped(body), &html! {}).into_string())
}

/// The document around a page's content.
fn shell(title: &str, body: &PreEscaped<String>, data: &Markup) -> Markup {
    // A browser hashes line ends as one character, whatever a checkout on Windows made of them.
    let [style, script] = [&[svg::STYLE, STYLE].concat(), SCRIPT].map(|text| text.replace('\r', ""));
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(&style, &script));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "fairlane " (env!("CARGO_PKG_VERSION")) };
                // Or a browser asks the server for one.
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(&style)) }
            }
            body {
                a.skip href="#main" { "Skip to the verdicts" }
                (body)
                (data)
                script { (PreEscaped(&script)) }
            }
        }
    }
}
