//! `fairlane leak`, and what reports make of its file.

#![cfg(feature = "race")]

mod common;

use common::{code, folder, refused, run, stderr, stdout};
use std::path::Path;

#[test]
fn the_list_names_secrets_and_classes() {
    let folder = folder();
    let all = run(folder.path(), ["leak", "--list"]);
    assert_eq!(code(&all), 0, "{}", stderr(&all));
    let text = stdout(&all);
    for word in ["chacha20-poly1305/open", "wrong tag", "ml-kem-768/decaps", "damaged", "kalyna-128-128/key-schedule"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(!text.contains("keygen"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let one = run(folder.path(), ["leak", "--list", "sm4/gcm-open"]);
    assert!(!stdout(&one).contains("chacha20"), "{}", stdout(&one));
}

#[test]
fn misuse_is_one_line() {
    let folder = folder();
    for (args, words) in [
        (&["md6"][..], "no contest"),
        (&["sm4/ecb-encrpyt"], "did you mean 'sm4/ecb-encrypt'?"),
        (&["ml-kem-768/keygen"], "public"),
        (&["--contestant", "nobody", "sm3"], "no contestant is called 'nobody'"),
        (&["--backend", "avx9", "sm3"], "avx9"),
        (&["--samples", "10", "sm3"], "4000"),
        (&["--time", "0", "sm3"], "seconds"),
        (&["--size", "7", "sm4/ecb-encrypt"], "--size 7"),
        (&["--json", "no/such/folder/x.json", "sm3"], "cannot write"),
    ] {
        refused(&run(folder.path(), [&["leak"], args].concat()), 2, &[words]);
    }
}

/// A search of one backend that is over in a second or two. On a core that is never quiet the controls are undecided,
/// which is exit code 3; nothing else may fail.
fn search(folder: &Path, json: &str) {
    let args = ["leak", "chacha20/encrypt", "--contestant", "fairlane/scalar", "--samples", "20000", "--json", json];
    let output = run(folder, args);
    let said = stderr(&output);
    let misbehaved = code(&output) == 3 && said.contains("the control");
    assert!(code(&output) == 0 || misbehaved, "{said}");
    let text = stdout(&output);
    for word in
        ["controls on", "substitution by a", "fairlane/scalar", "key, fixed or random", "FOUND FROM", "TOLD APART"]
    {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn what_is_found_is_printed_and_goes_into_reports() {
    let folder = folder();
    search(folder.path(), "leaks.json");
    // It is replaced, and a file of somebody else is not.
    search(folder.path(), "leaks.json");
    std::fs::write(folder.path().join("theirs.json"), "{}").unwrap();
    refused(&run(folder.path(), ["leak", "chacha20/encrypt", "--json", "theirs.json"]), 2, &["theirs.json", "--force"]);
    let race = ["race", "chacha20/encrypt", "--size", "64", "--contestant", "fairlane/scalar", "--time", "0.05"];
    let more = ["--quick", "--patience", "0", "--processes", "1", "--leaks", "leaks.json", "--json", "run.json"];
    let raced = run(folder.path(), race.iter().chain(&more));
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    assert_eq!(code(&run(folder.path(), ["validate", "run.json"])), 0);
    let report = run(folder.path(), ["report", "run.json", "--leaks", "leaks.json"]);
    let said = stderr(&report);
    if code(&report) == 0 {
        let text = stdout(&report);
        assert!(text.contains("secrets by time") && text.contains("key, message"), "{text}");
        assert!(stdout(&raced).contains("secrets by time"), "{}", stdout(&raced));
    } else {
        // The controls were undecided on a core that is never quiet.
        refused(&report, 1, &["control"]);
        assert!(stderr(&raced).contains("control"), "{said}");
    }
    assert!(!stdout(&run(folder.path(), ["report", "run.json"])).contains("secrets by time"));
    // Without a run, the page of the search.
    std::fs::write(folder.path().join("page.template.md"), "On {{date}}:\n{{libraries}}\n").unwrap();
    let page = ["report", "--leaks", "leaks.json", "--template", "page.template.md"];
    let filled = run(folder.path(), page);
    assert_eq!(code(&filled), 0, "{}", stderr(&filled));
    assert!(stdout(&filled).contains("| fairlane "), "{}", stdout(&filled));
    refused(&run(folder.path(), ["report", "--leaks", "leaks.json"]), 2, &["--template"]);
    refused(&run(folder.path(), page.iter().chain(&["--csv", "out.csv"])), 2, &["--template"]);
    refused(&run(folder.path(), ["report"]), 2, &["RUN.json"]);
}

#[test]
fn a_file_of_leaks_that_is_none_is_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("none.json"), "{}").unwrap();
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs/sm-release.json.gz");
    let report = |leaks: &str| run(folder.path(), ["report", runs.to_str().unwrap(), "--leaks", leaks]);
    refused(&report("none.json"), 1, &["none.json", "fairlane leak --json"]);
    refused(&report("missing.json"), 1, &["missing.json"]);
    refused(&run(folder.path(), ["race", "sm3/message", "--leaks", "none.json"]), 1, &["none.json"]);
}
