//! One run, or several side by side, as an HTML page that is one file and needs nothing else: no network, no framework.
//! Everything is readable with scripts off; the script adds sorting, filters, buttons that copy, and the run as a file.
//!
//! Every number comes from the run through the words of the other reports ([`words`](super::words) and `facts`): nothing
//! is computed here but where a mark stands in a picture. The one exception, the map of batches, says how it is made.
//!
//! | file | what it gives |
//! | --- | --- |
//! | `one` | the page of one run: verdicts first, then the contests |
//! | `several` | the page of several runs: ratios only |
//! | `verdicts` | the first view: a line a contest |
//! | `contest` | the section of a contest, over all of its sizes |
//! | `results` | the table of one heat, with a picture of its intervals |
//! | `curves` | what a contest's curves show: by size, by messages, by threads |
//! | `batches` | from how many messages on the batch path is faster |
//! | `chapters` | what is made of several contests |
//! | `environment` | machine, build, who was not here |
//! | `lean` | fewer bytes for the same page |
//! | `data` | the runs as JSON inside the page |
//! | `interval`, `chart`, `scale` | pictures: an interval on an axis, curves, logarithmic scales |
//! | `picture` | a picture within a page or as a file |
//! | `ratios`, `figures` | pictures as files: the ratios of a heat; all that a run has |

mod batches;
mod chapters;
mod chart;
mod contest;
mod curves;
mod data;
mod environment;
mod figures;
mod interval;
mod lean;
mod one;
mod picture;
mod ratios;
mod results;
mod scale;
mod several;
mod verdicts;

pub use figures::{Figure, figures};

use crate::run::Run;
use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What a page may have in bytes, its content and its runs together: the rest of two million is for style and script.
const MOST: usize = 1_960_000;

/// What a browser lets the page do: apply this style and run this script, by their hashes, and nothing else. What a name in
/// a run might smuggle in is not run, and nothing is loaded from anywhere.
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
        [run] => (format!("Race on {}", run.machine.cpu), one::body(run)),
        runs => ("Races side by side".to_owned(), several::body(runs)),
    };
    let body = lean::lean(&body.into_string());
    let data = data::embed(runs, MOST.saturating_sub(body.len()));
    clean(&shell(&title, &PreEscaped(body), &data).into_string())
}

/// Without what neither HTML nor XML allows: names from a file may hold anything, control characters too.
fn clean(text: &str) -> String {
    let is_odd = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(is_odd, " ")
}

/// The document around a page's content.
fn shell(title: &str, body: &PreEscaped<String>, data: &Markup) -> Markup {
    // A browser hashes line ends as one character, whatever a checkout on Windows made of them.
    let [style, script] = [&[picture::STYLE, STYLE].concat(), SCRIPT].map(|text| text.replace('\r', ""));
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

/// The items in their order, without repetitions.
fn each_once<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

/// A line of shell, which the script gives a button to copy it.
fn command(line: &str) -> Markup {
    html! { p.command { code { (line) } } }
}

/// A table or picture that is wider than a narrow screen scrolls in itself, by keyboard too.
fn scrolling(label: &str, content: &Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(label) tabindex="0" { (content) } }
}
