//! Runs that somebody made to be costly: several megabytes of JSON, read in bounded memory and time.

#![cfg(feature = "race")]

mod common;

use common::{code, folder, stderr, stdout};
use fairlane_lab::report::json;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Bytes of each hostile file, about.
const SIZE: usize = 3 << 20;

/// The address space in KiB that the command may take for one, where there is such a limit.
const MEMORY: u32 = 640 << 10;

/// The time that the command may take for one, on a busy machine and in a debug build.
const TIME: Duration = Duration::from_secs(30);

/// A run of docs/results, small enough to be changed often.
fn a_run() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs/sm-debug.json.gz");
    serde_json::from_str(&json::text(&json::read(&path).unwrap())).unwrap()
}

/// Runs the command on `hostile.json` with a limit of memory; a command that needs more is killed by its allocator.
fn limited(folder: &Path, args: &str) -> Output {
    let begun = Instant::now();
    let shell = if cfg!(target_os = "linux") { format!("ulimit -v {MEMORY}; ") } else { String::new() };
    let line = format!("{shell}exec \"$FAIRLANE\" {args}");
    let mut command = Command::new("sh");
    command.args(["-c", &line]).env("FAIRLANE", env!("CARGO_BIN_EXE_fairlane")).current_dir(folder);
    let output = command.output().unwrap();
    let (took, printed) = (begun.elapsed(), output.stdout.len() + output.stderr.len());
    assert!(took < TIME, "{args} took {took:?}");
    // A name is printed whole.
    assert!(printed < 2 * SIZE, "{args} printed {printed} bytes");
    output
}

/// A run with `change` applied, and with a seal that is not its own.
fn with(change: impl FnOnce(&mut Value)) -> String {
    let mut run = a_run();
    run["seal"] = json!({ "digest": "0".repeat(64) });
    change(&mut run);
    run.to_string()
}

#[cfg(unix)]
#[test]
fn costly_files_are_cheap() {
    let head = r#"{"schema": "fairlane-race-1", "fairlane": "#;
    let contest = a_run()["contests"][0].clone();
    let many = |count: usize, change: fn(&mut Value, usize)| {
        with(|run| {
            let contests = (0..count).map(|i| {
                let mut contest = contest.clone();
                change(&mut contest, i);
                contest
            });
            run["contests"] = contests.collect();
        })
    };
    let cases: Vec<(&str, String)> = vec![
        ("brackets", "[".repeat(SIZE)),
        ("braces", "{\"a\":".repeat(SIZE / 5)),
        ("closed brackets", "[".repeat(SIZE / 2) + &"]".repeat(SIZE / 2)),
        ("brackets in a field", format!("{head}{}", "[".repeat(SIZE))),
        (
            "numbers in an unknown field",
            format!("{{\"schema\": \"fairlane-race-1\", \"x\": [{}0]}}", "0,".repeat(SIZE / 2)),
        ),
        (
            "objects in an unknown field",
            format!("{{\"x\": [{}0], \"schema\": \"fairlane-race-1\"}}", "{},".repeat(SIZE / 3)),
        ),
        ("a long schema", format!("{{\"schema\": \"{}\"}}", "x".repeat(SIZE))),
        ("a long key", format!("{{\"schema\": \"fairlane-race-1\", \"{}\": 1}}", "k".repeat(SIZE))),
        ("a long name", with(|run| run["contests"][0]["contestants"][0]["name"] = "n".repeat(SIZE).into())),
        ("a long CPU", with(|run| run["machine"]["cpu"] = "\u{1b}".repeat(SIZE / 6).into())),
        ("many samples", with(|run| run["contests"][0]["contestants"][0]["samples"] = vec![1; SIZE / 2].into())),
        ("many nulls", with(|run| run["contests"][0]["control"]["samples"] = vec![Value::Null; SIZE / 5].into())),
        ("many warnings", with(|run| run["warnings"] = vec!["w"; SIZE / 4].into())),
        ("2000 warnings", with(|run| run["warnings"] = vec!["w".repeat(1500); 2000].into())),
        ("many clocks", with(|run| run["contests"][0]["mhz"] = vec![1; SIZE / 2].into())),
        ("many features", with(|run| run["machine"]["features"] = vec!["f"; SIZE / 4].into())),
        ("many empty contests", with(|run| run["contests"] = vec![json!({}); SIZE / 3].into())),
        ("contests without end", many(2500, |contest, _| contest["contestants"] = json!([]))),
        (
            "one contest at 2000 sizes, nobody there",
            many(2000, |contest, i| {
                contest["size"] = (i + 1).to_string().into();
                contest["contestants"] = json!([]);
            }),
        ),
        (
            "a contest with other contestants each time",
            many(125, |contest, i| {
                contest["size"] = (i + 1).to_string().into();
                for (at, contestant) in contest["contestants"].as_array_mut().unwrap().iter_mut().enumerate() {
                    contestant["name"] = format!("{i} {at} {}", "x".repeat(500)).into();
                }
            }),
        ),
        (
            "200 contestants",
            with(|run| {
                let own = run["contests"][0]["contestants"][0].clone();
                run["contests"][0]["contestants"] = vec![own; 200].into();
            }),
        ),
    ];
    for (name, text) in cases {
        let folder = folder();
        std::fs::write(folder.path().join("hostile.json"), &text).unwrap();
        for args in
            ["validate hostile.json", "report hostile.json --html page.html", "compare hostile.json hostile.json"]
        {
            let begun = Instant::now();
            let output = limited(folder.path(), args);
            println!("{name}, {} KB, {args}: {:?}", text.len() >> 10, begun.elapsed());
            let said = stderr(&output);
            // Refused, found out, or harmless; whatever is left of it is rendered.
            let right = [0, 1].contains(&code(&output));
            assert!(
                right && !said.contains("panicked") && !said.contains("memory allocation"),
                "{name}: {args}: {said}"
            );
            assert!(stdout(&output).lines().count() <= 1001 || !args.starts_with("validate"), "{name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn longer_files_have_to_be_asked_for() {
    use std::io::Write;
    let folder = folder();
    let text = with(|run| run["fairlane"] = "v".repeat(2 << 20).into());
    std::fs::write(folder.path().join("hostile.json"), &text).unwrap();
    let output = limited(folder.path(), "validate --max-size 1 hostile.json");
    assert!(code(&output) == 1 && stderr(&output).contains("more than 1 MiB"), "{}", stderr(&output));
    let output = limited(folder.path(), "validate --max-size 3 hostile.json");
    assert!(!stderr(&output).contains("MiB"), "{}", stderr(&output));
    let output = limited(folder.path(), "validate --max-size 1 - < hostile.json");
    assert!(stderr(&output).contains("more than 1 MiB"), "{}", stderr(&output));
    let output = limited(folder.path(), "validate --max-size 0 hostile.json");
    assert_eq!(code(&output), 2);
    // A small file that unpacks to a large one.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..200 {
        packed.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    std::fs::write(folder.path().join("hostile.json"), packed.finish().unwrap()).unwrap();
    for args in ["validate hostile.json", "report hostile.json", "compare hostile.json hostile.json"] {
        let output = limited(folder.path(), args);
        assert!(code(&output) == 1 && stderr(&output).contains("more than 32 MiB"), "{}", stderr(&output));
    }
}
