//! Whether fairlane wrote a file, by its beginning: what may be replaced without asking.

use super::{csv, json};
use crate::run::SCHEMA;
use flate2::read::GzDecoder;
use std::io::Read;

/// Bytes of a file that [`is_ours`] looks at.
pub const BEGINNING: usize = 4096;

/// What Markdown documents, pictures and pages begin with.
const MARKDOWN: [&str; 3] = ["# Race on ", "# Races side by side\n", "# Two runs compared\n"];
const SVG: &str = "<svg class=\"chart\" xmlns=";
const HTML: &str = "<!DOCTYPE html>";
/// What such a page says in its first lines.
const GENERATOR: &str = "<meta name=\"generator\" content=\"fairlane ";
/// What a comparison begins with as JUnit's XML.
const JUNIT: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fairlane compare\" ";

/// Whether a file with this beginning, of at most [`BEGINNING`] bytes, is a run, plain or compressed by gzip; a report
/// of one: a page, a Markdown document that no template made, a picture, comma-separated values or hyperfine's JSON; a
/// comparison, as JSON, Markdown or JUnit's XML; or a list of what can be raced.
pub fn is_ours(beginning: &[u8]) -> bool {
    let mut unpacked = Vec::new();
    if beginning.starts_with(&json::GZIP) {
        // What was cut off is an error after the text that is there.
        let _ = GzDecoder::new(beginning).take(BEGINNING as u64).read_to_end(&mut unpacked);
        return is_run(&String::from_utf8_lossy(&unpacked));
    }
    let text = String::from_utf8_lossy(beginning);
    is_run(&text)
        || MARKDOWN.iter().any(|begin| text.starts_with(begin))
        || text.starts_with(SVG)
        || text.starts_with(HTML) && text.contains(GENERATOR)
        || text.starts_with(&csv::HEAD.join(","))
        || text.starts_with("{\n  \"results\": [") && text.contains("\"contestant\": \"")
        || text.starts_with("{\n  \"confidence\": ") && text.contains(",\n  \"contests\": [")
        || text.starts_with(JUNIT)
        || text.starts_with("{\n  \"absent\": [")
}

/// Whether the text begins as a run does, whose schema comes first.
fn is_run(text: &str) -> bool {
    let mut rest = text.trim_start();
    let parts = ["{", "\"schema\"", ":", "\"", SCHEMA, "\""];
    parts.iter().all(|part| {
        let found = rest.strip_prefix(part);
        rest = found.unwrap_or_default().trim_start();
        found.is_some()
    })
}
