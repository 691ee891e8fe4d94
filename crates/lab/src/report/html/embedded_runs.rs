//! The runs themselves inside the page, from which the script makes files again.
//!
//! A small run stands there as its JSON. Samples are digits without end, so a larger run is packed (gzip, as base64),
//! and of one that is too large even then there are only the results, to six digits. Where the page has no room for
//! that, there is nothing. The page says so, and where all of it is.

use crate::report::side_by_side::names;
use crate::run::Run;
use data_encoding::BASE64;
use flate2::{Compression, write::GzEncoder};
use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use std::io::Write;

/// What the runs of a page may take of it in bytes with their samples: half of what a page is to have at most.
const MOST: usize = 1_000_000;

/// How the runs stand in the page.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Plain,
    Packed,
    PackedWithoutSamples,
    Nothing,
}

/// The runs in at most `room` bytes, invisible, and a section that the script fills with a link to each.
pub(super) fn embed(runs: &[Run], room: usize) -> Markup {
    let (form, texts) = form(runs, room);
    let kind = if form == Form::Plain { "application/json" } else { "application/gzip" };
    html! {
        @if !runs.is_empty() {
            section #data aria-labelledby="data-title" {
                h2 #data-title { "The samples behind this page" }
                (said(form, runs.len()))
                p #downloads {}
            }
        }
        @for ((n, text), name) in texts.iter().enumerate().zip(names(runs)) {
            script #{ "run-" (n) } type=(kind) data-name=(file(form, runs.len(), &name)) { (PreEscaped(text)) }
        }
    }
}

/// What a run is called as a file.
fn file(form: Form, runs: usize, name: &str) -> String {
    let which = if runs == 1 { String::new() } else { format!("-{}", name.to_lowercase()) };
    let what = if form == Form::PackedWithoutSamples { "-without-samples" } else { "" };
    format!("run{which}{what}.json")
}

/// Where the samples are from which every verdict can be made again.
fn said(form: Form, runs: usize) -> Markup {
    let (here, commands) = match runs {
        1 => ("The run is in this page with all of its samples", "#environment"),
        _ => ("The runs are in this page with all of their samples", "#runs"),
    };
    let validate = html! { code { "fairlane validate" } " computes every verdict again" };
    let missing = match form {
        Form::Plain | Form::Packed => return html! { p { (here) ", from which " (validate) "." } },
        Form::PackedWithoutSamples => {
            "The samples would make this page too large: what can be saved here has every result to six digits, but \
             none of them."
        }
        Form::Nothing => "The samples would make this page too large, and so would all digits of the results.",
    };
    html! {
        p {
            (missing) " They are in the JSON file that the race wrote, from which " (validate) ": "
            a href=(commands) { "its command" } " names the file after " code { "--json" }
            "; a race of no named contest wrote " code { "fairlane-race.json" } " beside its page. A race that wrote \
             neither has kept no samples: run its command again with " code { "--json FILE" } "."
        }
    }
}

/// The fullest form that is not too large, and the runs in it.
fn form(runs: &[Run], room: usize) -> (Form, Vec<String>) {
    let within = |texts: &[String], most: usize| texts.iter().map(String::len).sum::<usize>() <= most;
    let fits = |texts: &[String]| within(texts, MOST.min(room));
    let whole: Vec<String> = runs.iter().map(json).collect();
    let plain: Vec<String> = whole.iter().map(|text| escape(text)).collect();
    if fits(&plain) {
        return (Form::Plain, plain);
    }
    let packed: Vec<String> = whole.iter().map(|text| pack(text)).collect();
    if fits(&packed) {
        return (Form::Packed, packed);
    }
    let results = |run: &Run| serde_json::to_value(without_samples(run)).expect("plain data with string keys");
    let rest: Vec<String> = runs.iter().map(|run| pack(&rounded(results(run)).to_string())).collect();
    if within(&rest, room) { (Form::PackedWithoutSamples, rest) } else { (Form::Nothing, Vec::new()) }
}

fn json(run: &Run) -> String {
    serde_json::to_string(run).expect("plain data with string keys, into memory")
}

/// JSON that may stand in a script element: nothing in it can end the element or begin a comment.
fn escape(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn pack(json: &str) -> String {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(json.as_bytes()).expect("into memory");
    BASE64.encode(&packer.finish().expect("into memory"))
}

fn without_samples(run: &Run) -> Run {
    let mut run = run.clone();
    for contest in &mut run.contests {
        contest.contestants.iter_mut().for_each(|contestant| contestant.samples.clear());
        contest.control.iter_mut().for_each(|control| control.samples.clear());
    }
    run
}

/// A value with its numbers to six digits, which is finer than any interval.
fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let digits = number.as_f64().and_then(|x| format!("{x:.5e}").parse::<f64>().ok());
            digits.map_or(Value::Null, Value::from)
        }
        Value::Array(values) => values.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, rounded(value))).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_element() {
        let json = r#"{"name":"</script><!-- <b>"}"#;
        let escaped = escape(json);
        assert!(!escaped.contains('<'));
        assert_eq!(serde_json::from_str::<Value>(&escaped).unwrap(), serde_json::from_str::<Value>(json).unwrap());
    }
}
