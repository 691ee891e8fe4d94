//! Misuse of the commands of every build, with the race or without it.

mod common;

use common::{code, fairlane, folder, refused, run, stderr, stdout};

/// Whether the command was built with the race.
const RACE: bool = cfg!(feature = "race");

#[test]
fn unavailable_backends() {
    let folder = folder();
    let foreign = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    if RACE {
        refused(&run(folder.path(), ["race", "--backend", foreign]), 2, &[foreign, "not available"]);
    }
    for (value, words) in [("sse9", &["FAIRLANE_BACKEND", "sse9"][..]), (foreign, &[foreign, "not available"])] {
        for command in [&["cpu"][..], &["hash", "-a", "keccak256"], &["completions", "bash"]] {
            let output = fairlane(folder.path()).args(command).env("FAIRLANE_BACKEND", value).output().unwrap();
            refused(&output, 2, words);
        }
    }
}

#[test]
fn commands_that_are_none() {
    let folder = folder();
    if RACE {
        refused(&run(folder.path(), ["rase"]), 2, &["rase", "race"]);
        refused(&run(folder.path(), ["validate"]), 2, &["RUN.json"]);
        refused(&run(folder.path(), ["compare", "a.json"]), 2, &["SECOND"]);
    } else {
        for command in ["race", "leak", "report", "validate", "compare"] {
            refused(&run(folder.path(), [command, "keccak"]), 2, &["no", command, "`race`"]);
        }
    }
    refused(&run(folder.path(), ["hsah"]), 2, &["hsah", "hash"]);
    refused(&run(folder.path(), ["completions", "dos"]), 2, &["dos", "bash"]);
    let bare = run(folder.path(), [] as [&str; 0]);
    assert_eq!(code(&bare), 2);
    assert!(stderr(&bare).contains("Usage"), "{}", stderr(&bare));
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_fails_the_hash_and_no_other() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    std::fs::write(folder.path().join("a"), "abc").unwrap();
    std::fs::write(folder.path().join("secret"), "abc").unwrap();
    std::fs::set_permissions(folder.path().join("secret"), std::fs::Permissions::from_mode(0o000)).unwrap();
    let output = run(folder.path(), ["hash", "-a", "sha3-256", "missing", "a", "secret", "."]);
    assert_eq!(code(&output), 1);
    let said = stderr(&output);
    assert!(said.contains("fairlane: missing: No such file or directory\n"), "{said}");
    assert!(said.contains("fairlane: .: Is a directory\n"), "{said}");
    assert!(stdout(&output).contains("  a\n"));
    // Root can read every file.
    if std::fs::read(folder.path().join("secret")).is_err() {
        assert!(said.contains("fairlane: secret: Permission denied\n"), "{said}");
    }
}
