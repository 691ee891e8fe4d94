//! `fairlane compare` as a gate: limits, exit codes, and files for programs.

#![cfg(feature = "race")]

mod common;

use common::{code, folder, refused, run, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::Output;

/// A run of docs/results.
fn committed(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs");
    folder.join(name).to_str().expect("a path that is text").to_owned()
}

fn compare(folder: &Path, names: [&str; 2], more: &[&str]) -> Output {
    let [first, second] = names.map(committed);
    run(folder, ["compare", &first, &second].iter().chain(more))
}

const RELEASE: &str = "sm-release.json.gz";
const DEBUG: &str = "sm-debug.json.gz";

#[test]
fn a_regression_has_an_exit_code_of_its_own() {
    let folder = folder();
    let same = compare(folder.path(), [RELEASE, RELEASE], &["--fail-above", "0%"]);
    assert_eq!((code(&same), stderr(&same).as_str()), (0, ""));
    let slower = compare(folder.path(), [RELEASE, DEBUG], &["--fail-above", "2%"]);
    refused(&slower, 3, &["regression", "the limit is 2.00 %"]);
    assert!(stdout(&slower).contains("lost"), "{}", stdout(&slower));
    let bisect = compare(folder.path(), [RELEASE, DEBUG], &["--fail-above", "2%", "--bisect"]);
    assert_eq!(code(&bisect), 3, "{}", stderr(&bisect));
    assert_eq!(code(&compare(folder.path(), [RELEASE, DEBUG], &[])), 0, "without a limit nothing fails");
    assert_eq!(code(&compare(folder.path(), [DEBUG, RELEASE], &["--fail-above", "0.02,sm4/*=1%"])), 0);
}

#[test]
fn what_cannot_be_compared_is_skipped_by_a_bisection() {
    let folder = folder();
    let limit = ["--fail-above", "2%"];
    for (names, words) in [
        (["sm-release.json.gz", "kem-default.json.gz"], "no contest in common"),
        (["sm-release.json.gz", "none.json.gz"], "none.json.gz"),
    ] {
        refused(&compare(folder.path(), names, &limit), 1, &[words]);
        refused(&compare(folder.path(), names, &["--fail-above", "2%", "--bisect"]), 125, &[words]);
    }
    for (more, words) in [
        (&["--fail-above", "2"][..], "2%"),
        (&["--fail-above", "sm4/ecb-encrpyt=2%"], "did you mean 'sm4/ecb-encrypt'?"),
        (&["--bisect"], "--fail-above"),
        (&["--junit", "out.xml"], "--fail-above"),
        (&["--json", "out", "--junit", "out"], "--fail-above"),
    ] {
        refused(&compare(folder.path(), [RELEASE, RELEASE], more), 2, &[words]);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was left behind");
}

#[test]
fn programs_get_files_and_annotations() {
    let folder = folder();
    let more = ["--fail-above", "2%", "--json", "out.json", "--junit", "out.xml", "--github"];
    let slower = compare(folder.path(), [RELEASE, DEBUG], &more);
    assert_eq!(code(&slower), 3, "{}", stderr(&slower));
    assert!(stdout(&slower).contains("\n::error title=sm"), "{}", stdout(&slower));
    let read = |name: &str| std::fs::read_to_string(PathBuf::from(folder.path()).join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("out.json")).unwrap();
    assert!(json["regressions"].as_u64().unwrap() > 0, "{json}");
    assert!(read("out.xml").contains("<failure message="));

    // They may be replaced; files of others may not.
    let more = ["--fail-above", "2%", "--json", "out.json", "--junit", "out.xml"];
    assert_eq!(code(&compare(folder.path(), [RELEASE, DEBUG], &more)), 3);
    for _ in 0..2 {
        assert_eq!(code(&compare(folder.path(), [RELEASE, DEBUG], &["--markdown", "out.md"])), 0);
    }
    for (option, file) in [("--json", "out.json"), ("--junit", "out.xml"), ("--markdown", "out.md")] {
        std::fs::write(folder.path().join(file), "{\n  \"theirs\": 1\n}\n").unwrap();
        let more = ["--fail-above", "2%", option, file, "--force"];
        refused(&compare(folder.path(), [RELEASE, DEBUG], &more[..4]), 2, &[file, "--force"]);
        assert_eq!(read(file), "{\n  \"theirs\": 1\n}\n");
        assert_eq!(code(&compare(folder.path(), [RELEASE, DEBUG], &more)), 3);
        assert_ne!(read(file), "{\n  \"theirs\": 1\n}\n");
    }

    let printed = compare(folder.path(), [RELEASE, DEBUG], &["--json", "-"]);
    assert_eq!(code(&printed), 0, "{}", stderr(&printed));
    let json: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(json["schema"], "fairlane-compare-1");
}
