//! Files of runs, as the commands `validate`, `report` and `compare` read them.

// A small run that the race could have written.
#[path = "../../crates/lab/tests/synthetic/mod.rs"]
mod synthetic;

use crate::input::Input;
use fairlane_lab::report::{Format, comparison, criterion, html, json, regressions};
use fairlane_lab::run::Run;
use fairlane_lab::{compare, regression, validate};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What a file must not bring into a page or a picture as it is.
const PLANTED: &str = "<planted onload=x>";

/// The longest time that the commands together may take for a file of this size, on a busy machine with checks on.
const LONGEST: Duration = Duration::from_secs(20);

/// A run with some of its values replaced, or any text: an error, or all reports of it.
pub(crate) fn runs(bytes: &[u8]) {
    let mut input = Input(bytes);
    let begin = Instant::now();
    let text = match input.byte() % 8 {
        0 => input.0.to_vec(),
        _ => changed(&mut input).to_string().into_bytes(),
    };
    if let Ok(run) = json::decode(&text) {
        all_reports(&run, text.len());
    }
    assert!(begin.elapsed() < LONGEST, "{:?} for a file of {} bytes", begin.elapsed(), text.len());
}

fn template() -> &'static (Run, Value) {
    static TEMPLATE: OnceLock<(Run, Value)> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let run = synthetic::run();
        let value = serde_json::from_str(&json::text(&run)).expect("a run is JSON");
        (run, value)
    })
}

fn changed(input: &mut Input) -> Value {
    let mut run = template().1.clone();
    for _ in 0..=input.byte() % 6 {
        change(&mut run, input);
    }
    run
}

/// Goes down to some value, and changes it there.
fn change(value: &mut Value, input: &mut Input) {
    let here = input.byte();
    match value {
        Value::Object(fields) if here >= 8 && !fields.is_empty() => {
            let at = usize::from(input.byte()) % fields.len();
            return change(fields.values_mut().nth(at).expect("a field"), input);
        }
        Value::Array(items) if here >= 8 && !items.is_empty() => {
            let at = input.below(items.len());
            return change(&mut items[at], input);
        }
        Value::Object(fields) if here < 4 => return change_fields(fields, input),
        Value::Array(items) if here < 4 => return change_items(items, input),
        _ => {}
    }
    *value = hostile(value, input);
}

fn change_fields(fields: &mut Map<String, Value>, input: &mut Input) {
    let Some(key) = fields.keys().nth(usize::from(input.byte()) % fields.len().max(1)).cloned() else { return };
    if let Some(value) = fields.remove(&key)
        && input.byte().is_multiple_of(8)
    {
        fields.insert(key + "x", value);
    }
}

fn change_items(items: &mut Vec<Value>, input: &mut Input) {
    let count = input.below(300);
    match input.byte() % 4 {
        0 => items.truncate(count),
        1 => items.reverse(),
        2 => items.extend(items.first().cloned().into_iter().flat_map(|first| std::iter::repeat_n(first, count))),
        _ => items.extend(items.first().map(|first| hostile(first, input))),
    }
}

/// A value that is hard to divide by, to print, or to believe: mostly of the same kind, so that it is still a run.
fn hostile(like: &Value, input: &mut Input) -> Value {
    match (input.byte() % 8, like) {
        (0, _) => [Value::Null, json!([]), json!({}), json!(true), json!(7), json!("7")][usize::from(input.byte() % 6)]
            .clone(),
        (_, Value::Null) => json!(input.byte()),
        (_, Value::Bool(value)) => json!(!value),
        (_, Value::Number(_)) => hostile_number(input),
        (_, Value::String(text)) => hostile_text(text, input),
        (_, Value::Array(items)) => {
            let item = items.first().unwrap_or(&Value::Null);
            (0..input.below(400))
                .map(|_| if input.byte().is_multiple_of(4) { hostile(item, input) } else { item.clone() })
                .collect()
        }
        (_, Value::Object(fields)) => {
            let keep = input.byte();
            fields
                .clone()
                .into_iter()
                .filter(|(name, _)| !name.len().is_multiple_of(usize::from(keep % 8) + 2))
                .collect()
        }
    }
}

fn hostile_number(input: &mut Input) -> Value {
    let number = f64::from_bits(u64::from_le_bytes(std::array::from_fn(|_| input.byte())));
    match input.byte() % 12 {
        0 => json!(0),
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(i64::MIN),
        4 => json!(f64::MAX),
        5 => json!(f64::MIN_POSITIVE / 1e10),
        6 => json!(-0.0),
        7 => json!(1e-300),
        8 => json!(number),
        9 => json!(number.abs() % 1e9),
        10 => json!(u32::from(input.byte()) * 0x0101_0101),
        _ => json!(input.byte()),
    }
}

fn hostile_text(text: &str, input: &mut Input) -> Value {
    match input.byte() % 5 {
        0 => json!(PLANTED),
        1 => json!(format!("\"'&|`\u{202e}\u{1b}]0;\r\n{PLANTED}\u{0}")),
        2 => json!("é\u{301}".repeat(input.below(4000))),
        3 => json!(String::from_utf8_lossy(input.0)),
        _ => json!(text.to_owned() + PLANTED),
    }
}

fn all_reports(run: &Run, length: usize) {
    let findings = validate::validate(run);
    assert!(findings.len() <= validate::MOST_FINDINGS + 1, "{} findings", findings.len());
    assert!(findings.iter().all(|finding| !finding.to_string().contains(['\n', '\r', '\u{1b}', '\u{202e}'])));

    let one = std::slice::from_ref(run);
    let two = [run.clone(), template().0.clone()];
    let reports = [Format::Json { gzip: true }, Format::Json { gzip: false }, Format::Hyperfine];
    let of_any = [Format::Markdown, Format::Csv, Format::Verdicts(80), Format::Overview(1)];
    for format in reports.iter().chain(&of_any) {
        let report = format.to_bytes(one).expect("a report");
        assert!(report.len() < 100 * length + (1 << 20), "{format:?}: {} bytes", report.len());
    }
    let mut pages = vec![Format::Html.to_text(one).expect("a page"), Format::Html.to_text(&two).expect("a page")];
    Format::Markdown.to_bytes(&two).expect("a report of two");
    for name in html::figure_names(run).iter().take(40) {
        pages.push(Format::Svg(name).to_text(one).expect("a picture"));
    }
    for page in pages {
        assert!(!page.contains("<planted"), "the text of a file is markup");
        assert!(page.len() < 100 * length + (4 << 20), "a page of {} bytes", page.len());
    }
    for file in criterion::files(run).iter().take(10) {
        Format::Criterion(file).to_bytes(one).expect("a file");
    }
    for [a, b] in [[&two[0], &two[1]], [&two[1], &two[0]], [&two[0], &two[0]]] {
        let compared = compare::compare(a, b);
        let limits = ["2%".parse::<regression::Limit>().expect("a limit")];
        let judged = regression::judge(&compared, &limits);
        let _ = (comparison::text(&compared, 80), comparison::markdown(&compared));
        let _ = (regressions::json(&compared, &judged), regressions::github(&compared, &judged));
        assert!(!regressions::junit(&compared, &judged).contains("<planted"), "the text of a file is markup");
    }
}
