//! Bad input to a race, and to the commands that read runs, gives one clear line and the right exit code, and leaves no
//! file behind.

#![cfg(feature = "race")]

mod common;

use common::{code, fairlane, feed, folder, refused, run, stderr, stdout};
use fairlane_lab::report::json;
use serde_json::Value;

#[test]
fn arguments_of_a_race() {
    let folder = folder();
    for (args, words) in [
        (&["keccak999/message"][..], &["keccak999/message", "kalyna", "--list"][..]),
        (&["kecak256"], &["kecak256", "did you mean 'keccak256'?"]),
        (&["kyber768"], &["kyber768", "did you mean 'ml-kem-768'?"]),
        (&["--verbose"], &["--list"]),
        (&["--contestant", "nobody"], &["nobody", "tiny-keccak"]),
        (&["--contestant", "tiny-kecak"], &["tiny-kecak", "did you mean 'tiny-keccak'?"]),
        (&["--backend", "sse9"], &["sse9", "scalar"]),
        (&["--backend", "avx521"], &["avx521", "similar", "avx512"]),
        (&["--size", "0"], &["zero"]),
        (&["--size", "0x32"], &["zero"]),
        (&["--size", "many"], &["many"]),
        (&["--size", "99999999999999999999"], &["99999999999999999999"]),
        (&["keccak256/message", "--size", "1024x32"], &["1024x32", "one message at a time"]),
        (&["threefish512/encrypt", "--size", "100"], &["100", "whole blocks of 64 bytes"]),
        (&["threefish512/key-schedule", "--size", "128"], &["128", "64 bytes only"]),
        (&["arx/encrypt", "--contestant", "Kusumi-512: nobody"], &["Kusumi-512: nobody", "ChaCha20: reference"]),
        (&["--keep-disturbed=yes"], &["--keep-disturbed"]),
        (&["--threads", "0"], &["0"]),
        (&["--threads", "100000"], &["100000", "CPUs"]),
        (&["--cold", "--threads", "2"], &["--threads"]),
        (&["--list", "--strict"], &["--list", "--strict"]),
        (&["--list", "--html", "list.html"], &["--list", "--html"]),
        (&["--time", "0"], &["0.01"]),
        (&["--time", "-1"], &["-1"]),
        (&["--time", "nan"], &["nan"]),
        (&["--json", "no/such/folder/run.json"], &["no/such/folder/run.json"]),
        (&["--json", "."], &["directory"]),
        (&["--markdown", "no/such/folder/run.md"], &["no/such/folder/run.md"]),
        (&["--json", "-", "--html", "-"], &["standard output", "--json"]),
        (&["--json", "run", "--markdown", "./run"], &["run", "--json"]),
        (&["--contestant", "\x1b[31mnobody"], &["[31mnobody"]),
        (&["--no-such-option"], &["--no-such-option"]),
    ] {
        refused(&run(folder.path(), ["race"].iter().chain(args)), 2, words);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was left behind");
}

#[test]
fn files_that_are_no_runs() {
    let folder = folder();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
    write("other.json", br#"{"schema": "somebody-elses-7", "contests": []}"#);
    write("cut.json", br#"{"schema": "fairlane-race-1", "fairlane": "0.1"#);
    write("list.json", b"[1, 2, 3]");
    write("empty.json", b"");
    write("text.json", b"fastest: me\n");
    write("bytes.json", b"\xff\xfe\0");
    write("thin.json", br#"{"schema": "fairlane-race-1"}"#);
    std::fs::create_dir(folder.path().join("dir.json")).unwrap();
    for (name, word) in [
        ("other.json", "somebody-elses-7"),
        ("cut.json", "cut short"),
        ("list.json", "not a race"),
        ("empty.json", "is empty"),
        ("text.json", "not JSON"),
        ("bytes.json", "not JSON"),
        ("thin.json", "missing field"),
        ("dir.json", "dir.json"),
        ("missing.json", "missing.json"),
    ] {
        refused(&run(folder.path(), ["validate", name]), 1, &[name, word]);
        refused(&run(folder.path(), ["compare", name, name]), 1, &[name, word]);
        refused(&run(folder.path(), ["report", name, "--markdown", "out.md"]), 1, &[name, word]);
        refused(&run(folder.path(), ["report", name, "--html", "out.html"]), 1, &[name, word]);
    }
    assert!(!folder.path().join("out.md").exists() && !folder.path().join("out.html").exists());
}

/// A run of docs/results that is small enough to be read many times.
fn a_run() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs/sm-debug.json.gz");
    json::text(&json::read(&path).unwrap())
}

#[test]
fn runs_from_standard_input_and_outputs_that_would_replace_them() {
    let folder = folder();
    let text = a_run();
    std::fs::write(folder.path().join("run.json"), &text).unwrap();
    let piped = |args: &[&str]| feed(fairlane(folder.path()).args(args), text.as_bytes());
    assert!(stdout(&piped(&["validate", "-"])).starts_with("standard input: valid, "));
    for args in [&["report", "-", "--markdown", "-"][..], &["compare", "-", "run.json"], &["compare", "run.json", "-"]]
    {
        let output = piped(args);
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
        assert!(stdout(&output).contains("sm4/"), "{args:?}");
    }
    refused(&run(folder.path(), ["validate", "-"]), 1, &["standard input", "is empty"]);
    for args in [&["validate", "-", "-"][..], &["report", "-", "run.json", "-"], &["compare", "-", "-"]] {
        refused(&piped(args), 2, &["twice", "standard input"]);
    }
    for args in [
        &["report", "run.json", "--html", "run.json"][..],
        &["report", "run.json", "--markdown", "./run.json"],
        &["compare", "-", "run.json", "--markdown", "run.json"],
    ] {
        refused(&piped(args), 2, &["run.json is a file that is read"]);
    }
    refused(&run(folder.path(), ["report", "run.json", "--html", "-", "--markdown", "-"]), 2, &["--html"]);
    assert!(std::fs::read_to_string(folder.path().join("run.json")).unwrap() == text);
}

#[test]
fn all_members_of_a_compressed_run_are_read() {
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;
    let folder = folder();
    let packed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    let text = a_run();
    let (begin, end) = text.split_at(1000);
    let validate = |bytes: &[u8]| {
        std::fs::write(folder.path().join("run.json.gz"), bytes).unwrap();
        run(folder.path(), ["validate", "run.json.gz"])
    };
    let whole = validate(&[packed(begin), packed(end)].concat());
    assert_eq!((code(&whole), stderr(&whole).as_str()), (0, ""));
    refused(&validate(&[&packed(&text), &b"garbage"[..]].concat()), 1, &["run.json.gz", "damaged"]);
    refused(&validate(&[packed(&text), packed(&text)].concat()), 1, &["run.json.gz", "not JSON"]);
}

/// Appends control characters and markup to every string of a run whose content is free.
fn spoil(value: &mut Value) {
    match value {
        Value::String(text) => text.push_str("\x1b[31m\u{9b}1m\x07\r\n<b>&"),
        Value::Array(values) => values.iter_mut().for_each(spoil),
        Value::Object(fields) => {
            let is_one_of_few = |key: &str| ["schema", "kind", "unit", "labels", "verdict"].contains(&key);
            fields.iter_mut().filter(|(key, _)| !is_one_of_few(key)).for_each(|(_, value)| spoil(value));
        }
        _ => {}
    }
}

#[test]
fn no_run_steers_the_terminal() {
    let folder = folder();
    let text = a_run();
    let mut spoilt: Value = serde_json::from_str(&text).unwrap();
    spoil(&mut spoilt);
    let odd = "odd\x1b[31m.json";
    std::fs::write(folder.path().join("run.json"), &text).unwrap();
    std::fs::write(folder.path().join(odd), spoilt.to_string()).unwrap();
    std::fs::write(folder.path().join("\x1bnone"), "{\"schema\": \"\\u001b[31m\"}").unwrap();
    std::fs::write(folder.path().join("\x1bcut"), "{\"schema\": \"fairlane-race-1\", \"\\u001b[31m\": 1}").unwrap();
    for args in [
        &["validate", odd, "\x1bnone", "\x1bcut", "\x1bmissing"][..],
        &["report", odd],
        &["report", odd, "run.json"],
        &["report", odd, "--html", "-"],
        &["report", odd, "run.json", "--html", "-"],
        &["report", odd, "--svg", "pictures", "--figures", "none"],
        &["compare", odd, odd],
        &["compare", "run.json", odd],
        &["compare", odd, "run.json", "--markdown", "-"],
    ] {
        let output = run(folder.path(), args);
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains("[31m") && !said.contains("panicked"), "{args:?}: {said}");
        let obeyed = said.lines().find(|line| line.chars().any(|c| c.is_control() && c != '\t'));
        assert_eq!(obeyed, None, "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_and_a_closed_pipe() {
    use std::process::Stdio;
    let folder = folder();
    let short = ["race", "keccak256/message", "--quick", "--time", "0.05", "--size", "32", "--keep-disturbed"];
    let short = [&short[..], &["--contestant", "fairlane/scalar"]].concat();
    for option in ["--json", "--markdown"] {
        let output = run(folder.path(), short.iter().chain(&[option, "/dev/full"]));
        refused(&output, 1, &["/dev/full", "No space left on device"]);
    }
    // If the reader has closed the pipe, the file is written all the same.
    let mut child = fairlane(folder.path())
        .args(&short)
        .args(["--json", "run.json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
    assert_eq!(code(&run(folder.path(), ["validate", "run.json"])), 0);
}
