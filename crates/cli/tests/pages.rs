//! `fairlane completions` and `fairlane man`.

mod common;

use common::{code, folder, refused, run, stdout};

/// Whether the command was built with the race.
const RACE: bool = cfg!(feature = "race");

#[test]
fn every_shell_is_completed() {
    let folder = folder();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(folder.path(), ["completions", shell]);
        assert_eq!(code(&script), 0);
        // clap_complete completes no values for the two others.
        let values = ["keccak256/message", "ml-kem", "kalyna-256-512", "avx512-gfni"];
        let values = if !RACE || ["elvish", "powershell"].contains(&shell) { &[][..] } else { &values };
        let of_the_race = if RACE { &["race", "compare"][..] } else { &[] };
        for word in ["hash", "ignore-missing", "kem", "decaps"].iter().chain(of_the_race).chain(values) {
            assert!(stdout(&script).contains(word), "{shell} does not know {word}");
        }
        assert!(!stdout(&script).contains("one-contestant"), "{shell} completes what is hidden");
    }
}

#[test]
fn every_command_has_a_page() {
    let folder = folder();
    let main = run(folder.path(), ["man"]);
    assert!(stdout(&main).contains(".TH fairlane 1"), "{}", stdout(&main));
    assert_eq!(code(&run(folder.path(), ["man", "pages/man1"])), 0);
    let pages = folder.path().join("pages/man1");
    let mut names: Vec<_> =
        std::fs::read_dir(&pages).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    let commands = ["completions", "cpu", "decrypt", "encrypt", "hash", "kem", "keygen", "man"];
    let of_the_race = if RACE { &["compare", "history", "leak", "race", "report", "validate"][..] } else { &[] };
    let commands = commands.iter().chain(of_the_race).map(ToString::to_string);
    let below = ["decaps", "demo", "encaps", "export", "keygen", "show"].map(|command| format!("kem-{command}"));
    let expected: Vec<String> = std::iter::once("fairlane.1".to_owned())
        .chain(commands.chain(below).map(|command| format!("fairlane-{command}.1")))
        .collect();
    let mut expected = expected;
    expected.sort_unstable();
    assert_eq!(names, expected);
    for name in &names {
        let page = std::fs::read_to_string(pages.join(name)).unwrap();
        for section in [".SH EXAMPLES\n", ".SH \"EXIT STATUS\"\n", ".SH ENVIRONMENT\n"] {
            assert_eq!(page.matches(section).count(), 1, "{name}: {section}{page}");
        }
        let (_, examples) = page.split_once(".SH EXAMPLES\n").unwrap();
        let examples = examples.split(".SH").next().unwrap();
        assert!(examples.contains(".TP\n") && examples.contains("fairlane"), "{name} has no example");
        assert!(!page.contains(".SH EXTRA"), "{name}");
    }
    if RACE {
        let compare = std::fs::read_to_string(pages.join("fairlane-compare.1")).unwrap();
        assert!(compare.contains("\\fB125\\fR") && compare.contains("\\fB3\\fR"), "{compare}");
    }
    let hash = std::fs::read_to_string(pages.join("fairlane-hash.1")).unwrap();
    assert!(hash.contains("NOT SHA3\\-256"), "{hash}");
    assert_eq!(std::fs::read_to_string(pages.join("fairlane.1")).unwrap(), stdout(&main));
    std::fs::write(folder.path().join("file"), "").unwrap();
    refused(&run(folder.path(), ["man", "file"]), 1, &["file"]);
}
