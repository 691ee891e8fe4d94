//! Links of the documents to files of the repository lead somewhere, and the guide's summary has all of its chapters.

use std::path::{Path, PathBuf};

/// What the URL of a file of the repository begins with, in documents that are also read elsewhere.
const HERE: &str = "https://github.com/fairlane/fairlane/blob/main/";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The Markdown files in a folder.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The targets of a document's links, outside of its blocks of code.
fn links(text: &str) -> Vec<String> {
    let mut inside = false;
    let prose = text.lines().filter(|line| {
        inside ^= line.starts_with("```");
        !inside
    });
    let prose = prose.collect::<Vec<_>>().join("\n");
    prose.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0.to_owned())).collect()
}

#[test]
fn links_lead_somewhere() {
    let repository = repository();
    let mut folders = ["", "docs", "docs/guide", "docs/results"].map(|folder| repository.join(folder)).to_vec();
    folders.extend(std::fs::read_dir(repository.join("crates")).unwrap().map(|folder| folder.unwrap().path()));
    let mut checked = 0;
    for document in folders.iter().flat_map(|folder| documents(folder)) {
        for link in links(&std::fs::read_to_string(&document).unwrap()) {
            let target = match link.strip_prefix(HERE) {
                Some(path) => repository.join(path.split('#').next().unwrap()),
                None if link.contains(':') || link.starts_with('#') => continue,
                None => document.parent().unwrap().join(link.split('#').next().unwrap()),
            };
            assert!(target.exists(), "{}: {link}", document.display());
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn the_summary_has_every_chapter() {
    let guide = repository().join("docs/guide");
    let summary = links(&std::fs::read_to_string(guide.join("SUMMARY.md")).unwrap());
    for chapter in documents(&guide) {
        let name = chapter.file_name().unwrap().to_str().unwrap();
        assert!(name == "SUMMARY.md" || summary.iter().any(|link| link == name), "{name} is not in SUMMARY.md");
    }
}
