//! Compares `fairlane hash` with the installed sha256sum: the output, the messages and the success must be the same.
//!
//! SHA3-256 digests are as long as SHA-256's, so every list can be made for both programs. If GNU sha256sum is not
//! installed, the tests print that they are skipped, and pass.

#![cfg(unix)]

mod common;

use common::{code, fairlane, feed, folder, stderr, stdout};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output};

/// Files with awkward names that both programs treat alike.
const NAMES: &[&[u8]] = &[b"a", b"sp ace", b" lead", b"*star", b"new\nline", b"it's", b"bad\xff", b"a) = b", b"-dash"];

struct Both {
    folder: tempfile::TempDir,
}

impl Both {
    /// Creates the files; `None` if there is no program to compare with.
    fn new() -> Option<Self> {
        let version = Command::new("sha256sum").arg("--version").output();
        if !version.is_ok_and(|version| stdout(&version).contains("GNU coreutils")) {
            eprintln!("skipped: GNU sha256sum is not installed");
            return None;
        }
        let folder = folder();
        for name in NAMES {
            std::fs::write(folder.path().join(OsStr::from_bytes(name)), name).unwrap();
        }
        std::fs::create_dir(folder.path().join("dir")).unwrap();
        Some(Self { folder })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn ours(&self) -> Command {
        let mut command = fairlane(self.path());
        command.args(["hash", "--algo", "sha3-256"]);
        command
    }

    fn theirs(&self) -> Command {
        let mut command = Command::new("sha256sum");
        command.current_dir(self.path()).env("LC_ALL", "C");
        command
    }

    /// Runs both programs with the same arguments and input. Their outputs must be equal but for their names and
    /// digests.
    #[track_caller]
    fn same<S: AsRef<OsStr>>(&self, args: &[S], input: &[u8]) {
        let ours = feed(self.ours().args(args), input);
        let theirs = feed(self.theirs().args(args), input);
        self.agree(&ours, &theirs);
    }

    /// As above, but each program checks its own list, which `edit` makes from its own lines of all files.
    #[track_caller]
    fn same_check(&self, args: &[&str], edit: impl Fn(&[u8]) -> Vec<u8>) {
        let names = NAMES.iter().map(|name| OsStr::from_bytes(name));
        let lists = [self.ours(), self.theirs()]
            .map(|mut program| edit(&program.arg("--").args(names.clone()).output().unwrap().stdout));
        let check = |mut program: Command, list: &[u8]| {
            std::fs::write(self.path().join("list"), list).unwrap();
            program.arg("-c").args(args).arg("list").output().unwrap()
        };
        self.agree(&check(self.ours(), &lists[0]), &check(self.theirs(), &lists[1]));
    }

    #[track_caller]
    fn agree(&self, ours: &Output, theirs: &Output) {
        assert_eq!(blank(&ours.stdout), blank(&theirs.stdout));
        let said = stderr(theirs).replace("sha256sum: ", "fairlane: ").replace("SHA256", "SHA3-256");
        assert_eq!(stderr(ours), said);
        assert_eq!(code(ours), code(theirs));
    }
}

/// The text with every digest blanked and the tag renamed. Each byte becomes a character.
fn blank(text: &[u8]) -> String {
    let text = text.iter().copied().map(char::from).collect::<String>().replace("SHA256", "SHA3-256");
    let mut blanked = String::new();
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let hex = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let take = if hex == 0 { c.len_utf8() } else { hex };
        blanked.push_str(if hex == 64 { "DIGEST" } else { &rest[..take] });
        rest = &rest[take..];
    }
    blanked
}

#[test]
fn lines() {
    let Some(both) = Both::new() else { return };
    for options in [&[][..], &["--tag"], &["-z"], &["--tag", "-z"], &["-b"], &["--binary", "--tag"], &["-b", "-t"]] {
        let names = NAMES.iter().map(|name| OsStr::from_bytes(name).to_owned());
        let args: Vec<OsString> = options.iter().map(OsString::from).chain(["--".into()]).chain(names).collect();
        both.same(&args, b"");
    }
}

#[test]
fn standard_input() {
    let Some(both) = Both::new() else { return };
    both.same(&[] as &[&str], b"abc");
    both.same(&["-"], b"abc");
    both.same(&["a", "-", "a", "-"], b"abc");
    both.same(&["-c"], b"junk\n");
    both.same(&["-c", "-"], b"");
}

#[test]
fn unreadable_files() {
    let Some(both) = Both::new() else { return };
    both.same(&["missing", "a", "dir", "no such", "a/b", "it'snot", "x\ny"], b"");
    both.same(&["-c", "missing"], b"");
}

#[test]
fn lists() {
    let Some(both) = Both::new() else { return };
    let as_is = <[u8]>::to_vec;
    let options: &[&[&str]] = &[
        &[],
        &["--quiet"],
        &["--status"],
        &["--strict"],
        &["--warn"],
        &["-w", "--strict"],
        &["--ignore-missing"],
        &["--ignore-missing", "--quiet"],
        &["--status", "-w"],
        &["-w", "--status"],
        &["--quiet", "-w"],
        &["-w", "--quiet"],
    ];
    for options in options {
        both.same_check(options, as_is);
        // Malformed lines, comments, empty lines, missing and changed files, a directory.
        both.same_check(options, |list| {
            let zeros = "0".repeat(64);
            let mut list = [b"# comment\njunk\n\n".as_slice(), list].concat();
            list.extend_from_slice(
                format!(
                    "{zeros}  missing\n{zeros}  a\n0000  a\n{zeros}  dir\n{zeros} a\n\\{zeros}  a\\q\n\
                     SHA999 (a) = {zeros}\n{zeros}\n{zeros}  gone too"
                )
                .as_bytes(),
            );
            list
        });
        both.same_check(options, |_| format!("{}  missing\n", "0".repeat(64)).into_bytes());
        both.same_check(options, |_| b"junk\n".to_vec());
        both.same_check(options, |_| Vec::new());
        both.same_check(options, |list| list.iter().copied().chain(*b"junk").collect());
    }
}

#[test]
fn lists_in_other_dress() {
    let Some(both) = Both::new() else { return };
    let text = |list: &[u8]| list.escape_ascii().to_string();
    // Uses only the first line, which has a plain name.
    let first = |list: &[u8]| list.split(|&byte| byte == b'\n').next().unwrap().to_vec();
    both.same_check(&["-w"], |list| list.to_ascii_uppercase().iter().copied().chain(*b"\r\n").collect());
    both.same_check(&["-w"], |list| [b"  \t", first(list).as_slice()].concat());
    both.same_check(&["-w"], |list| text(&first(list)).replace("  ", "\t").into_bytes());
    both.same_check(&["-w"], |list| text(&first(list)).replace("  ", " ").into_bytes());
    both.same_check(&["-w"], |list| text(&first(list)).replace("  ", " *").into_bytes());
    both.same_check(&["-w"], |list| {
        let (two, one) = (text(&first(list)), text(&first(list)).replace("  ", " "));
        format!("{one}\n{two}\n").into_bytes()
    });
    both.same_check(&["-w"], |list| {
        let (two, one) = (text(&first(list)), text(&first(list)).replace("  ", " "));
        format!("{two}\n{one}\n").into_bytes()
    });
    both.same_check(&["-w"], |list| format!("\u{feff}{}\n", text(&first(list))).into_bytes());
}

#[test]
fn tagged_lists() {
    let Some(both) = Both::new() else { return };
    let names = NAMES.iter().map(|name| OsStr::from_bytes(name));
    let check = |mut program: Command, mut again: Command, dress: fn(&str) -> String| {
        let lines = program.args(["--tag", "--"]).args(names.clone()).output().unwrap();
        // Treats the bytes as Latin-1, so that those which are not UTF-8 survive.
        let text: String = lines.stdout.iter().copied().map(char::from).collect();
        let list: Vec<u8> = dress(&text).chars().map(|c| c as u8).collect();
        std::fs::write(both.path().join("list"), list).unwrap();
        again.args(["-c", "-w", "list"]).output().unwrap()
    };
    for dress in [
        |list: &str| list.to_owned(),
        |list: &str| list.replace(" (", "(").replace(") = ", ")= "),
        |list: &str| list.replace(") = ", ") =\t"),
        |list: &str| list.replace(" = ", " "),
        |list: &str| list.replace('\n', " \n"),
        |list: &str| list.replace("SHA", "sha"),
    ] {
        let ours = check(both.ours(), both.ours(), dress);
        both.agree(&ours, &check(both.theirs(), both.theirs(), dress));
    }
}

#[test]
fn options_that_make_no_sense_are_refused_by_both() {
    let Some(both) = Both::new() else { return };
    for args in [
        &["--tag", "-c", "a"][..],
        &["-z", "-c", "a"],
        &["-b", "-c", "a"],
        &["--status", "a"],
        &["--quiet", "a"],
        &["--warn", "a"],
        &["--strict", "a"],
        &["--ignore-missing", "a"],
        &["--no-such-option"],
    ] {
        assert_ne!(code(&both.theirs().args(args).output().unwrap()), 0, "{args:?}");
        common::refused(&both.ours().args(args).output().unwrap(), 2, &["--"]);
    }
}

/// Newer versions of coreutils changed this, so it is compared with their documentation, not with the installed
/// version.
#[test]
fn every_awkward_name_in_a_check_stays_on_its_line() {
    let folder = folder();
    for name in ["back\\slash", "new\nline", "return\r"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let mut list = fairlane(folder.path());
    let list = list.args(["hash", "-a", "keccak256", "back\\slash", "new\nline", "return\r"]).output().unwrap();
    let check = feed(fairlane(folder.path()).args(["hash", "-a", "keccak256", "-c"]), &list.stdout);
    assert_eq!(stdout(&check), "\\back\\\\slash: OK\n\\new\\nline: OK\n\\return\\r: OK\n");
}
