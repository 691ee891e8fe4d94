//! Standard input and output, and names of them, as a shell may redirect them.

#![cfg(unix)]

mod common;

use common::{code, folder, refused, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a line of a shell, in which `fairlane` is the command.
fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("fairlane() {{ \"$FAIRLANE\" \"$@\"; }}; {line}")]).current_dir(folder);
    command.env("FAIRLANE", env!("CARGO_BIN_EXE_fairlane")).env_remove("FAIRLANE_BACKEND").stdin(Stdio::null());
    command.output().unwrap()
}

/// A folder with the key `k`, `text`, `text.sealed` and the key pair `me`.
fn prepared() -> tempfile::TempDir {
    let folder = folder();
    fs::write(folder.path().join("text"), "the text\n").unwrap();
    let made = shell(folder.path(), "fairlane keygen k && fairlane encrypt -k k text && fairlane kem keygen me");
    assert_eq!(code(&made), 0, "{}", stderr(&made));
    folder
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = prepared();
    for (line, expected) in [
        ("fairlane decrypt -k k -o - text.sealed", 2),
        ("fairlane hash -a sha256 text", 1),
        ("fairlane cpu", 1),
        ("fairlane --help", 1),
        ("fairlane kem export me.pub", 2),
        ("fairlane kem show me.pub", 1),
        ("fairlane completions bash", 1),
    ] {
        refused(&shell(folder.path(), &format!("{line} 1</dev/null")), expected, &["Bad file descriptor"]);
        let discarded = shell(folder.path(), &format!("{line} >/dev/null"));
        assert_eq!((code(&discarded), stderr(&discarded).as_str()), (0, ""), "{line}");
    }
    // As many programs open it.
    let line = "fairlane decrypt -k k -o - text.sealed 1<>/dev/null";
    assert_eq!(code(&shell(folder.path(), line)), 0);
    // What prints nothing needs no output.
    let line = "fairlane hash -a sha256 text > sums; fairlane hash -c -a sha256 --status sums 1<k";
    let sums = shell(folder.path(), line);
    assert_eq!((code(&sums), stderr(&sums).as_str()), (0, ""));
}

#[test]
fn input_that_cannot_be_read_is_not_empty() {
    let folder = prepared();
    for line in ["fairlane hash -a sha256", "fairlane hash -a sha256 -c", "fairlane encrypt -k k -o x"] {
        refused(&shell(folder.path(), &format!("{line} 0>/dev/null")), 1, &["Bad file descriptor"]);
        for closed in ["<&-", "<>/dev/null"] {
            refused(&shell(folder.path(), &format!("{line} {closed}")), 1, &["redirect it"]);
        }
    }
    assert!(!folder.path().join("x").exists());
    let empty = shell(folder.path(), "fairlane encrypt -k k -o x </dev/null && fairlane hash -a sha256 </dev/null");
    assert!(stdout(&empty).starts_with("e3b0c44298fc1c14"), "{}", stderr(&empty));
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_standard_output_are_not_replaced() {
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("/dev/stdout", at("link")).unwrap();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link"] {
        // What others write before and after stays, too.
        let line = format!("{{ echo before; fairlane decrypt -k k -o {name} text.sealed; echo after; }} > out");
        let output = shell(folder.path(), &line);
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{name}");
        let out = fs::read_to_string(at("out")).unwrap();
        assert_eq!(out, "before\nthe text\nafter\n", "{name}");
        let piped = shell(folder.path(), &format!("fairlane decrypt -k k -o {name} text.sealed | cat"));
        assert_eq!(stdout(&piped), "the text\n", "{name}");
    }
    for (line, out) in [
        ("fairlane decrypt -k k -o /dev/stderr text.sealed 2> out", "the text\n"),
        ("fairlane decrypt -k k -o /dev/fd/3 text.sealed 3> out", "the text\n"),
        ("echo before > out; fairlane decrypt -k k -o /dev/fd/3 text.sealed 3>> out", "before\nthe text\n"),
    ] {
        let output = shell(folder.path(), line);
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{line}");
        assert_eq!(fs::read_to_string(at("out")).unwrap(), out, "{line}");
    }
    assert!(fs::symlink_metadata("/dev/stdout").unwrap().is_symlink() && at("link").is_symlink());
    refused(&shell(folder.path(), "fairlane decrypt -k k -o /dev/fd/7 text.sealed"), 2, &["/dev/fd/7"]);
}

#[test]
fn one_pipe_is_not_read_twice() {
    let folder = prepared();
    let line = "printf 'pw\\ntext\\n' | fairlane encrypt --passphrase-file /dev/stdin -o x";
    refused(&shell(folder.path(), line), 2, &["standard input", "the passphrase file"]);
    for (line, what) in [
        ("cat k | fairlane encrypt -k /dev/stdin -o x -", "the key file"),
        ("cat k | fairlane encrypt -k /dev/stdin -o x /dev/stdin", "the key file"),
        ("cat me.pub | fairlane encrypt -r /dev/stdin -o x", "a recipient's key"),
        ("cat k | fairlane decrypt -k /dev/stdin -o x -", "the key file"),
        ("cat me | fairlane kem decaps /dev/stdin - -o x", "the identity"),
    ] {
        refused(&shell(folder.path(), line), 2, &["read only once", what]);
    }
    assert!(!folder.path().join("x").exists());
    // One of them, or a file that is opened twice, can be read.
    for line in [
        "cat k | fairlane encrypt -k /dev/stdin -o 1 text",
        "cat text | fairlane encrypt -k k -o 2",
        "fairlane encrypt -k /dev/stdin -o 3 - < k",
        "fairlane kem encaps me.pub -o sent -s s; cat sent | fairlane kem decaps me - -o got; cmp s got",
    ] {
        let output = shell(folder.path(), line);
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{line}");
    }
}

#[test]
fn two_outputs_are_not_mixed() {
    let folder = prepared();
    for line in [
        "fairlane kem encaps me.pub -o - -s -",
        "fairlane kem encaps me.pub -o /dev/stdout -s -",
        "fairlane kem encaps me.pub -o - -s /dev/stdout | cat",
        "fairlane kem encaps me.pub -o both -s - -f >> both",
        "fairlane kem encaps me.pub -o both -s ./both",
    ] {
        let output = shell(folder.path(), line);
        assert!(stderr(&output).contains("is the secret"), "{line}: {}", stderr(&output));
        assert!(stdout(&output).is_empty(), "{line}");
    }
    let nowhere = shell(folder.path(), "fairlane kem encaps me.pub -o /dev/null -s - > /dev/null");
    assert_eq!((code(&nowhere), stderr(&nowhere).as_str()), (0, ""));
    // A file that is called - is no stream.
    let dash = shell(folder.path(), "mv k ./-; fairlane encrypt -k ./- text -o - | fairlane decrypt -k ./- -o -");
    assert_eq!((stdout(&dash).as_str(), stderr(&dash).as_str()), ("the text\n", ""));
    refused(&shell(folder.path(), "fairlane encrypt -k ./- text -f -o - >> ./-"), 2, &["the key file"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_identity_without_its_key_is_told() {
    let folder = prepared();
    let output = shell(folder.path(), "fairlane kem keygen new -o /dev/full");
    refused(&output, 1, &["/dev/full", "No space left", "kem export -i new"]);
    assert!(folder.path().join("new").exists());
}
