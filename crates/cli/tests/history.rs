//! `fairlane history`: folders of runs.

#![cfg(feature = "race")]

mod common;

use common::{code, folder, refused, run, stderr, stdout};
use std::fs;
use std::path::Path;

#[test]
fn a_folder_of_runs_is_followed() {
    let folder = folder();
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs/sm-release.json.gz");
    let here = |args: &[&str]| run(folder.path(), ["history"].iter().chain(args));
    fs::create_dir(folder.path().join("runs")).unwrap();
    refused(&here(&["runs"]), 1, &["two runs"]);
    for name in ["a.json.gz", "b.json.gz"] {
        fs::copy(&committed, folder.path().join("runs").join(name)).unwrap();
    }
    let followed = here(&["runs", "--contest", "sm3/*", "--contestant", "fairlane/avx*"]);
    assert_eq!(code(&followed), 0, "{}", stderr(&followed));
    let text = stdout(&followed);
    assert!(text.starts_with("2 runs\n") && text.contains("over libgcrypt (installed)"), "{text}");
    assert!(text.contains("fairlane/avx512") && !text.contains("scalar") && !text.contains("sm4/"), "{text}");
    // As many digits as its interval allows.
    let same = ["1.00× [", "1.000× [", "1.0000× ["].iter().any(|ratio| text.contains(ratio));
    assert!(same, "the same run has not moved: {text}");

    fs::write(folder.path().join("runs/c.json"), "{}").unwrap();
    let page = here(&["runs", "--html", "history.html"]);
    assert_eq!(code(&page), 0, "{}", stderr(&page));
    assert!(stderr(&page).contains("left out") && stderr(&page).contains("c.json"), "{}", stderr(&page));
    assert!(fs::read_to_string(folder.path().join("history.html")).unwrap().contains("<svg"));
    refused(&here(&["runs/a.json.gz", "runs/c.json"]), 1, &["c.json"]);
    assert_eq!(code(&here(&["runs", "--contest", "sm9/*"])), 1);
}
