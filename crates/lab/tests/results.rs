//! `docs/results`: what is committed there is what the laboratory makes of runs that validate.

use fairlane_lab::report::{self, comparison, html, json};
use fairlane_lab::run::Run;
use fairlane_lab::{compare, validate};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results")
}

/// The files of an extension in a folder, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|is| is == extension)).collect();
    files.sort();
    files
}

/// A text with line ends of one character, whatever a checkout made of them.
fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace('\r', "")
}

/// What a file is called.
fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name")
}

/// The page that a run belongs to: `sm` of `sm-default.json`.
fn page_of(run: &Path) -> &str {
    name(run).split('-').next().expect("a word")
}

fn run(path: &Path) -> Run {
    json::read(path).unwrap_or_else(|error| panic!("{error}"))
}

/// As the pages' scripts put a document under a title of theirs.
fn one_level_down(markdown: &str) -> String {
    let lines = markdown.split_inclusive('\n');
    lines.map(|line| if line.starts_with('#') { format!("#{line}") } else { line.to_owned() }).collect()
}

#[test]
fn every_run_validates_and_is_linked() {
    let runs = files(&folder(), "json");
    assert!(runs.len() >= 7, "{runs:?}");
    let index = text(&folder().join("README.md"));
    for path in &runs {
        let findings: Vec<String> = validate::validate(&run(path)).iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{}: {findings:?}", path.display());
        assert!(index.contains(&format!("]({})", name(path))), "README.md does not link {}", name(path));
    }
}

#[test]
fn every_page_is_its_prose_and_its_runs() {
    for path in files(&folder(), "json") {
        let file = folder().join(page_of(&path)).with_extension("md");
        let page = text(&file);
        assert!(page.starts_with(&text(&file.with_extension("intro.md"))), "{} has another prose", file.display());
        let again = format!("run {} write", file.with_extension("sh").display());
        let is_reported = || page.contains(&one_level_down(&report::markdown(&[run(&path)])));
        // Of two runs a page may hold the comparison in place of the second's report.
        let is_compared = || {
            let siblings = files(&folder(), "json").into_iter().filter(|other| page_of(other) == page_of(&path));
            let mut found = siblings.map(|other| comparison::markdown(&compare::compare(&run(&other), &run(&path))));
            found.any(|comparison| page.contains(&one_level_down(&comparison)))
        };
        assert!(is_reported() || is_compared(), "{} is not of {}: {again}", file.display(), name(&path));
    }
}

#[test]
fn every_picture_is_of_a_run_and_stands_in_its_page() {
    let drawn = |page: &str| {
        let runs = files(&folder(), "json").into_iter().filter(|path| page_of(path) == page).collect::<Vec<_>>();
        runs.iter().flat_map(|path| html::figures(&run(path))).collect::<Vec<_>>()
    };
    let pages = fs::read_dir(folder().join("pictures")).expect("pictures");
    let mut bytes = 0;
    for pictures in pages.map(|entry| entry.expect("an entry").path()) {
        let page = name(&pictures);
        let figures = drawn(page);
        let prose = text(&folder().join(page).with_extension("md"));
        for path in files(&pictures, "svg") {
            let svg = text(&path);
            bytes += svg.len();
            assert!(figures.iter().any(|figure| figure.svg == svg), "{} is of none of the runs", path.display());
            let link = format!("](pictures/{page}/{})", name(&path));
            assert!(prose.contains(&link), "{page}.md does not show {}", name(&path));
        }
        for link in prose.split("](pictures/").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(folder().join("pictures").join(link).is_file(), "{page}.md shows {link}, which is not there");
        }
    }
    assert!(bytes < 300_000, "{bytes} bytes");
}
