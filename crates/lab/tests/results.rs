//! `docs/results`: runs that validate, and pages and pictures that are what the laboratory makes of them.

use fairlane_lab::leak::found::Leaks;
use fairlane_lab::leak::page;
use fairlane_lab::report::{Format, html, json};
use fairlane_lab::run::Run;
use fairlane_lab::validate;
use flate2::read::GzDecoder;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

const PAGES: [&str; 7] = ["arx", "kalyna", "keccak256", "kem", "rivals", "sm", "zen4"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folder() -> PathBuf {
    root().join("docs/results")
}

/// The files of a folder with this ending, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths.filter(|path| name(path).ends_with(ending)).collect();
    files.sort();
    files
}

/// The committed runs in order of their names.
fn runs() -> Vec<PathBuf> {
    files(&folder().join("runs"), ".json.gz")
}

/// The runs of a page, the default build's first, as its script gives them.
fn runs_of(page: &str) -> Vec<PathBuf> {
    let of_page = |path: &PathBuf| name(path).split('-').next() == Some(page);
    let mut runs: Vec<PathBuf> = runs().into_iter().filter(of_page).collect();
    runs.sort_by_key(|path| !name(path).contains("-default."));
    runs
}

fn read_all(paths: &[PathBuf]) -> Vec<Run> {
    paths.iter().map(|path| json::read(path).unwrap_or_else(|error| panic!("{error}"))).collect()
}

/// A text with line ends of one character, whatever a checkout made of them.
fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace('\r', "")
}

/// The name of a file.
fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).expect("a name")
}

#[test]
fn every_run_validates_and_is_linked() {
    let paths = runs();
    assert!(paths.len() >= 16, "{paths:?}");
    for path in &paths {
        let run = json::read(path).unwrap_or_else(|error| panic!("{error}"));
        let findings: Vec<String> = validate::validate(&run).iter().map(ToString::to_string).collect();
        assert!(findings.is_empty(), "{}: {findings:?}", path.display());
        let page = name(path).split('-').next().expect("a word");
        assert!(PAGES.contains(&page), "{} belongs to no page", path.display());
        let link = format!("](runs/{})", name(path));
        assert!(
            text(&folder().join(page).with_extension("md")).contains(&link),
            "{page}.md does not link {}",
            name(path)
        );
    }
}

/// Compression changes nothing.
#[test]
fn a_compressed_run_is_the_run() {
    for path in runs() {
        let mut unpacked = String::new();
        GzDecoder::new(fs::File::open(&path).expect("a run")).read_to_string(&mut unpacked).expect("gzip");
        let run = json::read(&path).expect("a run");
        assert_eq!(json::parse(&unpacked).expect("a run"), run);
        assert_eq!(json::decode(&json::compressed(&run)).expect("a run"), run);
    }
}

fn is_filled(page: &str, runs: &[PathBuf], lines: usize) {
    let file = folder().join(page).with_extension("md");
    let template = text(&folder().join(page).with_extension("template.md"));
    let filled = Format::Template(&template).to_text(&read_all(runs)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let found = text(&file);
    assert!(found == filled, "{page}.md is not its template with its runs: run docs/results/all.sh write");
    assert!(found.lines().count() <= lines, "{page}.md has {} lines", found.lines().count());
}

#[test]
fn every_page_is_its_template_and_its_runs_and_is_short() {
    for page in PAGES {
        is_filled(page, &runs_of(page), 250);
    }
    is_filled("README", &runs(), 60);
    assert_eq!(files(&folder(), ".template.md").len(), PAGES.len() + 2, "a template that belongs to no page");
}

#[test]
fn the_page_of_the_search_for_leaks_is_its_template_and_its_search() {
    let bytes = fs::read(folder().join("leaks/selection.json.gz")).expect("the search");
    let leaks = Leaks::read(&bytes).unwrap_or_else(|error| panic!("{error}"));
    let filled =
        page::fill(&text(&folder().join("leak.template.md")), &leaks).unwrap_or_else(|error| panic!("{error}"));
    assert!(text(&folder().join("leak.md")) == filled, "leak.md is not its template with its search: leak.sh write");
    assert!(page::fill("{{nothing}}", &leaks).is_err_and(|why| why.contains("line 1")));
}

#[test]
fn every_picture_is_of_a_run_and_stands_in_its_page() {
    let mut bytes = 0;
    for page in PAGES {
        let runs = read_all(&runs_of(page));
        let prose = text(&folder().join(page).with_extension("md"));
        let pictures = folder().join("pictures").join(page);
        let pictures = if pictures.is_dir() { files(&pictures, ".svg") } else { Vec::new() };
        for path in pictures {
            let svg = text(&path);
            bytes += svg.len();
            let drawn = path.file_stem().and_then(|stem| html::figure(&runs[0], stem.to_str()?));
            assert!(drawn == Some(svg), "{}: run docs/results/{page}.sh write", path.display());
            let link = format!("](pictures/{page}/{})", name(&path));
            assert!(prose.contains(&link), "{page}.md does not show {}", name(&path));
        }
        for link in prose.split("](pictures/").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(folder().join("pictures").join(link).is_file(), "{page}.md shows {link}, which is not there");
        }
    }
    assert!(bytes < 300_000, "{bytes} bytes");
}

/// Nobody who clones the project is to load large files; runs are compressed.
#[test]
fn no_file_is_larger_than_a_megabyte() {
    let mut folders = vec![root()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let entry = entry.expect("an entry");
            let kind = entry.file_type().expect("a kind");
            let name = entry.file_name();
            // What is built, or loaded, is not the project's; nor is what git keeps.
            let is_made =
                ["target", ".git", "node_modules"].iter().any(|made| name == *made) || is_built(&entry.path());
            if kind.is_dir() && !is_made {
                folders.push(entry.path());
            } else if kind.is_file() {
                let bytes = entry.metadata().expect("metadata").len();
                assert!(bytes <= 1_000_000 || is_a_races_own(&name), "{}: {bytes} bytes", entry.path().display());
                seen += 1;
            }
        }
    }
    assert!(seen > 300, "{seen} files");
}

/// Whether cargo made a folder, whatever it is called.
fn is_built(folder: &Path) -> bool {
    folder.join("CACHEDIR.TAG").is_file()
}

/// What a race without arguments leaves in the folder where it ran.
fn is_a_races_own(name: &std::ffi::OsStr) -> bool {
    name.to_string_lossy().starts_with("fairlane-race.")
}
