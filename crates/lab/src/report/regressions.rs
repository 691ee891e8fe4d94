//! A comparison and its regressions for programs: JSON, JUnit's XML, and annotations of a GitHub workflow.

use super::escape::plain;
use crate::compare::{Comparison, Key, Refused};
use crate::regression::{Judged, Outcome};
use serde_json::{Value, json};

/// The schema of the JSON.
pub const SCHEMA: &str = "fairlane-compare-1";

/// The comparison as JSON.
pub fn json(comparison: &Comparison, judged: &[Judged]) -> Value {
    let of = |key: &Key| json!({ "id": *key.id, "size": *key.size, "threads": key.threads });
    let row = |judged: &&Judged| {
        let row = judged.row;
        json!({
            "name": row.name, "position": row.position, "rank": row.rank, "change": row.change, "changed": row.changed,
            "time": row.time, "limit": judged.limit, "regression": judged.outcome == Outcome::Regression,
        })
    };
    let contests = comparison.contests.iter().map(|contest| {
        let rows: Vec<_> = judged.iter().filter(|judged| std::ptr::eq(judged.contest, contest)).collect();
        let mut value = of(&contest.contest);
        value["base"] = json!(contest.base);
        value["floor"] = json!(contest.floor);
        value["rows"] = rows.iter().map(row).collect();
        value["notes"] = json!(contest.notes);
        value
    });
    let refused = comparison.refused.iter().map(|Refused { contest, why }| {
        let mut value = of(contest);
        value["why"] = json!(why);
        value
    });
    json!({
        "schema": SCHEMA, "same_machine": comparison.same_machine, "same_code": comparison.same_code,
        "confidence": comparison.confidence, "notes": comparison.notes, "contests": contests.collect::<Vec<_>>(),
        "refused": refused.collect::<Vec<_>>(), "regressions": count(judged, Outcome::Regression),
    })
}

/// The comparison as a file of JUnit: a suite a contest, a case a contestant; what could not be judged was skipped.
pub fn junit(comparison: &Comparison, judged: &[Judged]) -> String {
    let mut suites = String::new();
    for contest in &comparison.contests {
        let of: Vec<Judged> = judged.iter().filter(|judged| std::ptr::eq(judged.contest, contest)).copied().collect();
        let key = &contest.contest;
        let case = |judged: &Judged| {
            let result = match judged.outcome {
                Outcome::Within => String::new(),
                Outcome::Regression => format!("<failure message=\"{}\"/>", xml(&judged.line())),
                Outcome::Undecided => "<skipped message=\"a run gives no verdict\"/>".to_owned(),
                Outcome::NotJudged => "<skipped message=\"the base, or without a limit\"/>".to_owned(),
            };
            let (class, name) = (xml(&key.id), xml(&judged.row.name));
            format!("    <testcase classname=\"{class}\" name=\"{name}\">{result}</testcase>\n")
        };
        let cases: String = of.iter().map(case).collect();
        suites += &format!(
            "  <testsuite name=\"{}\" {}>\n{cases}  </testsuite>\n",
            xml(&key.to_string()),
            counts(&of, of.len(), 0)
        );
    }
    let refused = comparison.refused.iter().map(|Refused { contest, why }| {
        let (class, name, why) = (xml(&contest.id), xml(&contest.to_string()), xml(why));
        format!("    <testcase classname=\"{class}\" name=\"{name}\"><skipped message=\"{why}\"/></testcase>\n")
    });
    let refused: String = refused.collect();
    let left_out = comparison.refused.len();
    if left_out > 0 {
        suites += &format!(
            "  <testsuite name=\"not compared\" {}>\n{refused}  </testsuite>\n",
            counts(&[], left_out, left_out)
        );
    }
    let all = counts(judged, judged.len() + left_out, left_out);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fairlane compare\" {all}>\n{suites}</testsuites>\n"
    )
}

/// Annotations of a GitHub workflow: an error for each regression, a warning for each contest that was not judged.
pub fn github(comparison: &Comparison, judged: &[Judged]) -> String {
    let mut lines = String::new();
    let mut annotate = |kind: &str, key: &Key, text: &str| {
        let title = annotation(&key.to_string()).replace(':', "%3A").replace(',', "%2C");
        lines += &format!("::{kind} title={title}::{}\n", annotation(text));
    };
    for judged in judged.iter().filter(|judged| judged.outcome == Outcome::Regression) {
        annotate("error", &judged.contest.contest, &judged.line());
    }
    for contest in comparison.contests.iter().filter(|contest| contest.floor.is_none()) {
        annotate("warning", &contest.contest, "a run gives no verdict, so nothing is judged");
    }
    for Refused { contest, why } in &comparison.refused {
        annotate("warning", contest, &format!("not compared: {why}"));
    }
    lines
}

fn count(judged: &[Judged], outcome: Outcome) -> usize {
    judged.iter().filter(|judged| judged.outcome == outcome).count()
}

fn counts(judged: &[Judged], tests: usize, more_skipped: usize) -> String {
    let skipped = count(judged, Outcome::Undecided) + count(judged, Outcome::NotJudged) + more_skipped;
    format!("tests=\"{tests}\" failures=\"{}\" skipped=\"{skipped}\"", count(judged, Outcome::Regression))
}

/// Text within an attribute of XML.
fn xml(text: &str) -> String {
    let text = plain(text).replace(['\u{fffe}', '\u{ffff}'], " ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text within an annotation.
fn annotation(text: &str) -> String {
    plain(text).replace('%', "%25")
}
