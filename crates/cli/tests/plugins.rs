//! `fairlane race --plugin` and `--contest`: plug-ins that are right, wrong, dead and dishonest.

#![cfg(feature = "race")]
#![cfg(unix)]

mod common;

use common::{code, folder, refused, run, stderr};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A plug-in in the shell's language, which offers `name` for `four/bytes` and answers with `output`. Three texts are
/// put in: what it does when it is set up, the output, and how it comes by its time.
fn script(folder: &Path, name: &str, set_up: &str, output: &str, ns: &str) -> String {
    let hello = format!(r#"{{"version": 1, "contestants": [{{"contest": "four/bytes", "name": "{name}"}}]}}"#);
    let text = format!(
        "while read -r line; do\n\
         case $line in\n\
         *'\"hello\"'*) echo '{hello}' ;;\n\
         *'\"set-up\"'*) {set_up}; echo '{{}}' ;;\n\
         *'\"answer\"'*) echo '{{\"output\": \"{output}\"}}' ;;\n\
         *'\"run\"'*) {ns} ;;\n\
         esac\n\
         done\n"
    );
    fs::write(folder.join(name), text).unwrap();
    format!("cmd: sh {name}")
}

/// Times a short sleep.
const SLEEP: &str = r#"start=$(date +%s%N); sleep 0.003; echo "{\"ns\": $(($(date +%s%N) - start))}""#;

const FOUR_BYTES: &str = "contest = 'four/bytes'\nfunction = 'Four'\nabout = 'always the same four bytes'\n\
                          sizes = ['8']\noutput = 4\n";

fn race(folder: &Path, plugins: &[String], more: &[&str]) -> (Output, Value) {
    let short = ["race", "--time", "0.05", "--keep-disturbed", "--json", "run.json"];
    let plugins = plugins.iter().flat_map(|plugin| ["--plugin", plugin.as_str()]);
    let output = run(folder, short.into_iter().chain(plugins).chain(more.iter().copied()));
    let json = fs::read_to_string(folder.join("run.json")).unwrap_or_default();
    (output, serde_json::from_str(&json).unwrap_or_default())
}

fn names<'a>(contest: &'a Value, of: &str) -> Vec<&'a str> {
    let mut names: Vec<&str> = contest[of].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    names
}

fn why<'a>(contest: &'a Value, name: &str) -> &'a str {
    let all = contest["disqualified"].as_array().unwrap();
    all.iter().find(|c| c["name"] == name).unwrap_or_else(|| panic!("{name} in {all:?}"))["why"].as_str().unwrap()
}

#[test]
fn those_who_agree_are_raced_and_the_others_are_disqualified_by_name() {
    let folder = folder();
    fs::write(folder.path().join("four.toml"), FOUR_BYTES).unwrap();
    let plugin = |name, set_up, output, ns| script(folder.path(), name, set_up, output, ns);
    let plugins = [
        plugin("one", ":", "01020304", SLEEP),
        plugin("other", ":", "01020304", SLEEP),
        plugin("wrong", ":", "01020305", SLEEP),
        plugin("short", ":", "01", SLEEP),
        plugin("dead", "kill -SEGV $$", "01020304", SLEEP),
        plugin("clockless", ":", "01020304", r#"echo "{\"ns\": 1}""#),
        plugin("talking", "echo loading", "01020304", SLEEP),
        "cmd: echo no hello".to_owned(),
    ];
    let (raced, run) = race(folder.path(), &plugins, &["--contest", "four.toml"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let contest = &run["contests"][0];
    assert_eq!((contest["id"].as_str(), contest["size"].as_str()), (Some("four/bytes"), Some("8")));
    assert_eq!(names(contest, "contestants"), ["one (plug-in)", "other (plug-in)"]);
    let out = ["clockless", "dead", "short", "talking", "wrong"].map(|name| format!("{name} (plug-in)"));
    assert_eq!(names(contest, "disqualified"), out);
    for (name, said) in [
        ("wrong", "size 8: answered 05 where 04 is right (from byte 3 of 4)"),
        ("short", "size 8: answered 1 bytes where 4 are right"),
        ("dead", "size 8: its process was ended by signal 11 (SIGSEGV)"),
        ("clockless", "it cannot have done each of them"),
        ("talking", "size 8: replied 'loading'"),
    ] {
        let why = why(contest, &format!("{name} (plug-in)"));
        assert!(why.contains(said), "{name}: {why}");
    }
    for one in contest["contestants"].as_array().unwrap() {
        assert_eq!(one["labels"], serde_json::json!(["plug-in", "timed-by-itself"]));
        assert!(one["ns_per_op"].as_f64().unwrap() > 2e6, "{one}");
        assert_eq!(one["allocations"], Value::Null);
    }
    assert!(run["absent"].to_string().contains("echo no hello"), "{}", run["absent"]);
    let valid = common::run(folder.path(), ["validate", "run.json"]);
    assert_eq!(code(&valid), 0, "{}{}", common::stdout(&valid), stderr(&valid));
}

#[test]
fn one_alone_is_told_so() {
    let folder = folder();
    fs::write(folder.path().join("four.toml"), FOUR_BYTES).unwrap();
    let alone = script(folder.path(), "alone", ":", "01020304", SLEEP);
    let (raced, run) = race(folder.path(), &[alone], &["--contest", "four.toml"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    assert_eq!(names(&run["contests"][0], "contestants"), ["alone (plug-in)"]);
    assert!(run["warnings"].to_string().contains("alone (plug-in) has nobody to agree with"), "{}", run["warnings"]);
}

/// Builds a library of C source; none without a compiler.
fn library(folder: &Path, name: &str, source: &Path) -> Option<String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/include");
    let library = folder.join(name);
    let mut cc = Command::new("cc");
    cc.args(["-O2", "-shared", "-fPIC", "-I"]).arg(include).arg("-o").arg(&library).arg(source);
    let Ok(status) = cc.status() else {
        eprintln!("skipped: no C compiler");
        return None;
    };
    assert!(status.success());
    Some(library.to_str().unwrap().to_owned())
}

fn example() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plugins/c/sha3.c")
}

#[test]
fn a_library_races_beside_those_that_crash() {
    let folder = folder();
    let Some(good) = library(folder.path(), "good.so", &example()) else { return };
    let text = fs::read_to_string(example()).unwrap();
    let variant = |name: &str, from: &str, to: &str| {
        let changed = text.replace("\"plain C\"", &format!("\"{name}\"")).replace(from, to);
        let source = folder.path().join(format!("{name}.c"));
        fs::write(&source, changed).unwrap();
        library(folder.path(), &format!("{name}.so"), &source).unwrap()
    };
    let plugins = [
        good,
        variant(
            "crashing",
            "absorb(a, last);",
            "absorb(a, (const uint8_t *)(len == 40 ? (uintptr_t)16 : (uintptr_t)last));",
        ),
        variant("refusing", "    if (s) *s = ", "    if (job->bytes == 40) return NULL;\n    *s = "),
        variant("hoisting", "for (; times; times--)", ""),
    ];
    let sized = ["sha3-256/message", "--size", "40,200", "--contestant", "*(plug-in),tiny-keccak"];
    let (raced, run) = race(folder.path(), &plugins, &sized);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let [short, long] = run["contests"].as_array().unwrap().as_slice() else { panic!("{run}") };
    assert_eq!(names(short, "contestants"), ["plain C (plug-in)", "tiny-keccak"]);
    assert!(why(short, "crashing (plug-in)").contains("(SIGSEGV)"), "{short}");
    assert!(why(short, "refusing (plug-in)").ends_with("its set-up failed"), "{short}");
    assert!(why(short, "hoisting (plug-in)").ends_with("it cannot have done each of them"), "{short}");
    let all = ["crashing (plug-in)", "plain C (plug-in)", "refusing (plug-in)", "tiny-keccak"];
    assert_eq!(names(long, "contestants"), all);
    assert_eq!(long["contestants"].as_array().unwrap().iter().filter(|c| c["labels"][1] == "plug-in").count(), 3);
}

#[test]
fn two_builds_race_each_in_processes_of_their_own() {
    let folder = folder();
    let against =
        ["sha3-256/message", "--size", "40", "--backend", "scalar", "--against", env!("CARGO_BIN_EXE_fairlane")];
    let (raced, run) = race(folder.path(), &[], &against);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let contest = &run["contests"][0];
    assert_eq!(names(contest, "contestants"), ["fairlane/scalar (other build)", "fairlane/scalar (this build)"]);
    assert_eq!(names(contest, "disqualified"), [""; 0]);
    for one in contest["contestants"].as_array().unwrap() {
        let kind = one["name"].as_str().unwrap().split(" (").last().unwrap().to_owned();
        assert_eq!(one["library"], format!("fairlane ({kind}"), "{one}");
        assert!(one["labels"].to_string().contains("timed-by-itself"), "{one}");
        assert!(one["version"].as_str().unwrap().starts_with(env!("CARGO_PKG_VERSION")), "{one}");
    }
    let valid = common::run(folder.path(), ["validate", "run.json"]);
    assert_eq!(code(&valid), 0, "{}{}", common::stdout(&valid), stderr(&valid));
    let here = |other: &str| common::run(folder.path(), ["race", "--against", other, "sha3-256/message"]);
    refused(&here("./none"), 2, &["--against", "./none"]);
    refused(&here("/bin/cat"), 2, &["--against", "does not serve its contestants"]);
}

#[test]
fn what_is_no_plug_in_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("four.toml"), FOUR_BYTES.replace("output", "outptu")).unwrap();
    let here = |args: &[&str]| run(folder.path(), ["race"].iter().chain(args));
    refused(&here(&["--plugin", "./none.so"]), 2, &["./none.so"]);
    refused(&here(&["--plugin", "cmd:"]), 2, &["needs a command"]);
    refused(&here(&["--contest", "four.toml"]), 2, &["--plugin"]);
    refused(&here(&["--contest", "four.toml", "--plugin", "x"]), 2, &["four.toml: line 5", "outptu"]);
    refused(&here(&["--contest", "none.toml", "--plugin", "x"]), 2, &["none.toml"]);
    let labelled = script(folder.path(), "x", ":", "", SLEEP);
    let text = fs::read_to_string(folder.path().join("x")).unwrap();
    refused(&here(&["--plugin", &labelled]), 2, &["four/bytes", "--contest"]);
    fs::write(folder.path().join("x"), text.replace("\"name\": \"x\"", "\"name\": \"x\", \"labels\": [\"fast\"]"))
        .unwrap();
    refused(&here(&["--plugin", &labelled]), 2, &["'fast'", "constant-time"]);
    let no_library = here(&["--plugin", "four.toml"]);
    assert_eq!(code(&no_library), 2);
    assert!(stderr(&no_library).contains("no shared library"), "{}", stderr(&no_library));
}
