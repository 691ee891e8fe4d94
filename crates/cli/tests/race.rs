//! `fairlane race` and the commands that read its JSON, with a short but complete race.

#![cfg(feature = "race")]

mod common;

use common::{code, fairlane, folder, refused, run, stderr, stdout};
use std::path::Path;
use std::process::Output;

/// Races two contestants briefly at one small size, even on a busy machine.
fn race(folder: &Path, more: &[&str]) -> Output {
    let short = ["race", "keccak256/message", "--quick", "--time", "0.05", "--size", "32", "--keep-disturbed"];
    let few = ["--contestant", "fairlane/scalar,tiny-keccak"];
    run(folder, short.into_iter().chain(few).chain(more.iter().copied()))
}

#[test]
fn a_race_makes_a_run_that_validates_compares_and_reports() {
    let folder = folder();
    let raced = race(folder.path(), &["--json", "run.json", "--markdown", "run.md", "--html", "run.html"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let said = stdout(&raced);
    assert!(said.contains("keccak256/message") && said.contains("fairlane/scalar"), "{said}");
    assert!(said.contains("tiny-keccak"), "{said}");
    assert!(said.contains("No verdict: disturbed samples are kept here"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    assert!(!said.contains('\x1b'), "colour in a pipe");

    let valid = run(folder.path(), ["validate", "run.json"]);
    assert_eq!(code(&valid), 0, "{}{}", stdout(&valid), stderr(&valid));
    assert_eq!(stdout(&valid), "run.json: valid, 1 contest, not signed\n");

    let report = run(folder.path(), ["report", "run.json"]);
    assert_eq!(code(&report), 0, "{}", stderr(&report));
    assert_eq!(stdout(&report), std::fs::read_to_string(folder.path().join("run.md")).unwrap());
    let both = run(folder.path(), ["report", "run.json", "run.json", "--markdown", "both.md"]);
    assert_eq!((code(&both), stdout(&both).as_str()), (0, ""));
    assert!(std::fs::read_to_string(folder.path().join("both.md")).unwrap().contains("keccak256/message"));

    let page = run(folder.path(), ["report", "run.json", "--html", "again.html"]);
    assert_eq!((code(&page), stdout(&page).as_str()), (0, ""), "{}", stderr(&page));
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("run.html"), text("again.html"));
    assert!(text("run.html").starts_with("<!DOCTYPE html>") && text("run.html").contains("tiny-keccak"));
    let printed = run(folder.path(), ["report", "run.json", "run.json", "--html", "-"]);
    assert!(stdout(&printed).contains("Races side by side") && !stdout(&printed).contains("# Races"));

    let drawn = run(folder.path(), ["report", "run.json", "--svg", "new/folder"]);
    assert_eq!((code(&drawn), stdout(&drawn).as_str()), (0, ""), "{}", stderr(&drawn));
    let picture = text("new/folder/keccak256-message-32-b.svg");
    assert!(picture.starts_with("<svg") && picture.contains("tiny-keccak"), "{picture}");
    let none = run(folder.path(), ["report", "run.json", "--svg", "none", "--figures", "*-32-b,sm4*"]);
    refused(&none, 2, &["sm4*", "keccak256-message-32-b"]);
    refused(&run(folder.path(), ["report", "run.json", "run.json", "--svg", "none"]), 2, &["--svg", "one run"]);
    refused(&run(folder.path(), ["report", "run.json", "--figures", "*"]), 2, &["--svg"]);
    assert!(!folder.path().join("none").exists());

    let compared = run(folder.path(), ["compare", "run.json", "run.json"]);
    assert_eq!(code(&compared), 0, "{}", stderr(&compared));
    assert!(stdout(&compared).contains("tiny-keccak"), "{}", stdout(&compared));

    let text = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let command = json["settings"]["command"].as_str().unwrap();
    assert!(command.starts_with("fairlane race keccak256/message --quick"), "{command}");
    assert_eq!(json["settings"]["keep_disturbed"], true);
    assert_eq!(json["settings"]["backends"], serde_json::json!(["scalar"]));

    // Makes the run look like that of another build.
    let level = json["build"]["opt_level"].as_str().unwrap();
    let other = text.replacen(&format!("\"opt_level\": \"{level}\""), "\"opt_level\": \"s\"", 1);
    assert_ne!(other, text);
    std::fs::write(folder.path().join("other.json"), other).unwrap();
    let builds = run(folder.path(), ["compare", "run.json", "other.json"]);
    assert_eq!(code(&builds), 0);
    assert!(stderr(&builds).starts_with("fairlane: warning: other.json is not what a race"), "{}", stderr(&builds));
    for part in [&format!("opt-level: {level} and s\n"), "not the same code in both builds", "times as fast"] {
        assert!(stdout(&builds).contains(part), "no '{part}' in {}", stdout(&builds));
    }

    // A number that was edited by hand is found.
    let rank = text.replacen("\"rank\": 1", "\"rank\": 7", 1);
    assert_ne!(rank, text);
    std::fs::write(folder.path().join("edited.json"), rank).unwrap();
    let edited = run(folder.path(), ["validate", "run.json", "edited.json"]);
    assert_eq!(code(&edited), 1);
    assert!(stdout(&edited).contains("edited.json: contests[0].contestants"), "{}", stdout(&edited));
    assert!(stderr(&edited).starts_with("fairlane: edited.json: "), "{}", stderr(&edited));
    let warned = run(folder.path(), ["compare", "run.json", "edited.json"]);
    assert!(stderr(&warned).contains("fairlane validate edited.json"), "{}", stderr(&warned));

    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 8, "{left:?}");
}

#[test]
fn several_processes_make_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let raced = race(folder.path(), &["--processes", "3", "--json", "run.json"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let text = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["settings"]["processes"], 3);
    assert_eq!(json["contests"][0]["processes"].as_array().unwrap().len(), 3);
    let command = json["settings"]["command"].as_str().unwrap();
    assert!(command.contains("--processes 3") && !command.contains("--part"), "{command}");
    let valid = run(folder.path(), ["validate", "run.json"]);
    assert_eq!(code(&valid), 0, "{}{}", stdout(&valid), stderr(&valid));
}

#[test]
fn a_list_replaces_no_file_of_others() {
    let folder = folder();
    let list = |more: &[&str]| run(folder.path(), ["race", "--list", "sm3", "--json", "list"].iter().chain(more));
    for _ in 0..2 {
        assert_eq!(code(&list(&[])), 0, "what was written may be replaced");
    }
    std::fs::write(folder.path().join("list"), "{\"theirs\": 1}").unwrap();
    refused(&list(&[]), 2, &["list", "--force"]);
    assert_eq!(code(&list(&["-f"])), 0);
    // What no file can be called is told before a race.
    refused(&race(folder.path(), &["--json", "results/"]), 2, &["results/", "folder"]);
}

#[test]
fn a_race_is_signed() {
    let folder = tempfile::tempdir().unwrap();
    // Keys of RFC 8032, tests 1 and 2, as openssl writes them.
    let write = |name: &str, kind: &str, base64: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("-----BEGIN {kind} KEY-----\n{base64}\n-----END {kind} KEY-----\n")).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    };
    write("key.pem", "PRIVATE", "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g");
    write("public.pem", "PUBLIC", "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
    write("other.pem", "PUBLIC", "MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=");

    let short = ["race", "--time", "0.02", "--keep-disturbed", "--size", "32", "--contestant", "tiny-keccak,sha3"];
    let race = |more: &[&str]| run(folder.path(), short.iter().chain(more).chain(&["keccak256/message"]));
    let signed = race(&["--sign", "key.pem", "--json", "run.json"]);
    assert_eq!(code(&signed), 0, "{}", stderr(&signed));
    let valid = run(folder.path(), ["validate", "--signed-by", "public.pem", "run.json"]);
    assert_eq!(code(&valid), 0, "{}{}", stdout(&valid), stderr(&valid));
    assert!(stdout(&valid).contains("signed by d75a980182b10ab7"), "{}", stdout(&valid));
    let other = run(folder.path(), ["validate", "--signed-by", "other.pem", "run.json"]);
    assert_eq!(code(&other), 1, "{}", stdout(&other));
    assert!(stderr(&other).contains("not signed with the key of other.pem"), "{}", stderr(&other));

    let no_key = race(&["--sign", "public.pem"]);
    assert_eq!(code(&no_key), 1);
    assert!(stderr(&no_key).contains("public.pem: is no Ed25519 key in PEM"), "{}", stderr(&no_key));
    let no_key = run(folder.path(), ["validate", "--signed-by", "key.pem", "run.json"]);
    assert!(stderr(&no_key).contains("key.pem: is no public Ed25519 key"), "{}", stderr(&no_key));

    let key = std::fs::read(folder.path().join("key.pem")).unwrap();
    for output in ["--json", "--html", "--markdown"] {
        refused(&race(&["--sign", "key.pem", "-f", output, "./key.pem"]), 2, &["the key of --sign"]);
        refused(&race(&["--leaks", "run.json", "-f", output, "run.json"]), 2, &["the file of --leaks"]);
    }
    assert!(std::fs::read(folder.path().join("key.pem")).unwrap() == key);
}

/// Races all suites briefly, with few contestants and a cache of its own.
fn main_race(folder: &Path, more: &[&str]) -> Output {
    let short = ["race", "--time", "0.02", "--keep-disturbed", "--contestant", "fairlane/scalar,tiny-keccak"];
    let args = short.iter().chain(more);
    fairlane(folder).args(args).env("XDG_CACHE_HOME", folder.join("cache")).output().unwrap()
}

#[test]
fn without_a_contest_it_is_a_pass_of_every_suite_on_one_screen() {
    let folder = folder();
    let raced = main_race(folder.path(), &[]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let said = stdout(&raced);
    for part in ["\nkeccak256/batch, 1024 × 32 B ", "noise floor: ", "report: fairlane-race.html, fairlane-race.json\n"]
    {
        assert!(said.contains(part), "no '{part}' in {said}");
    }
    assert!(said.lines().count() <= 40 && said.lines().all(|line| line.chars().count() <= 80), "{said}");
    assert!(!said.contains('\x1b'), "colour in a pipe");

    let valid = run(folder.path(), ["validate", "fairlane-race.json"]);
    assert_eq!(code(&valid), 0, "{}{}", stdout(&valid), stderr(&valid));
    let text = std::fs::read_to_string(folder.path().join("fairlane-race.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut suites: Vec<_> = json["contests"].as_array().unwrap().iter().map(|contest| &contest["suite"]).collect();
    suites.dedup();
    assert_eq!(suites, ["keccak", "arx", "sm", "kalyna", "ml-kem", "clwe"]);
    assert_eq!(json["settings"]["quick"], true);
    assert!(std::fs::read_to_string(folder.path().join("fairlane-race.html")).unwrap().contains("clwe-768"));
    assert!(!folder.path().join("cache").exists());
}

#[test]
fn a_file_asked_for_is_the_only_one() {
    let folder = folder();
    let raced = main_race(folder.path(), &["--size", "32", "--json", "mine.json"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    assert!(stdout(&raced).ends_with("report: mine.json\n"), "{}", stdout(&raced));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn where_the_folder_takes_no_report_it_lies_in_the_cache() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("fairlane-race.json")).unwrap();
    let raced = main_race(folder.path(), &["--size", "32"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let cache = folder.path().join("cache/fairlane");
    assert!(stdout(&raced).replace('\n', "").contains("cache/fairlane/fairlane-race.html"), "{}", stdout(&raced));
    assert!(cache.join("fairlane-race.json").is_file() && cache.join("fairlane-race.html").is_file());

    // A cache that is a file cannot hold the report either.
    std::fs::remove_dir_all(folder.path().join("cache")).unwrap();
    std::fs::write(folder.path().join("cache"), "").unwrap();
    let raced = main_race(folder.path(), &["--size", "32"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    assert!(stdout(&raced).contains("report: none, because neither"), "{}", stdout(&raced));
}

#[test]
fn what_keeps_disturbed_samples_is_never_fit() {
    let raced = race(folder().path(), &["--strict"]);
    refused(&raced, 1, &["--strict: 1 of 1 contests unfit", "--keep-disturbed"]);
    assert!(stdout(&raced).contains("warning: disturbed samples are kept"), "{}", stdout(&raced));
}

#[test]
fn backends_are_told_against_each_other() {
    let folder = folder();
    let sm4 = fairlane::primitives().iter().find(|primitive| primitive.name == "sm4").unwrap();
    let Some(best) = sm4.backends.iter().find(|backend| backend.is_available() && backend.name() != "scalar") else {
        return println!("skipped: only scalar here");
    };
    let two = format!("scalar,{best}");
    let short = ["race", "sm4/ecb-encrypt", "--size", "1KiB", "--time", "0.1", "--quick", "--keep-disturbed"];
    let raced = run(folder.path(), short.into_iter().chain(["--backend", &two, "--contestant", "fairlane"]));
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let said = stdout(&raced);
    assert!(said.contains(&format!("  {best} is ")) && said.contains("as fast as scalar\n"), "{said}");
}

#[test]
fn json_on_standard_output_stands_alone() {
    let raced = race(folder().path(), &["--json", "-"]);
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let json: serde_json::Value = serde_json::from_slice(&raced.stdout).unwrap();
    assert_eq!(json["contests"][0]["id"], "keccak256/message");
    assert!(stderr(&raced).contains("tiny-keccak"));
}

#[test]
fn the_list_names_contests_sizes_and_contestants() {
    let folder = folder();
    let list = |more: &[&str]| {
        let list = run(folder.path(), ["race", "--list"].iter().chain(more));
        assert_eq!(code(&list), 0, "{}", stderr(&list));
        stdout(&list)
    };
    let short = list(&[]);
    let line = short.lines().find(|line| line.starts_with("keccak256/batch ")).expect("a line");
    assert!(line.contains(" to 1024 × 32 B") || line.contains(" × 32 B to "), "{line}");
    let (contests, _) = short.split_once("\n\n").unwrap();
    let contests = contests.lines().filter(|line| line.split(' ').next().is_some_and(|id| id.contains('/'))).count();
    assert_eq!(contests, fairlane_lab::contests::all().len(), "a line each: {short}");
    assert_eq!(
        list(&["ml-kem-768"]).matches("\nml-kem-768/").count(),
        list(&["ml-kem-768/*"]).matches("\nml-kem").count()
    );

    let json: serde_json::Value = serde_json::from_str(&list(&["--json"])).unwrap();
    let all = json["contests"].as_array().unwrap();
    assert_eq!((all.len(), &all[0]["id"]), (contests, &"keccak256/message".into()));
    assert!(all[0]["contestants"][0]["name"].is_string() && all[0]["sizes"][0] == "8", "{}", all[0]);

    let list = list(&["--verbose"]);
    for word in ["keccak256/message", "keccak256/batch", "sha3-256/message", "fairlane/scalar", "1048576", "1024x32"] {
        assert!(list.contains(word), "{word}: {list}");
    }
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
}

#[test]
fn an_allow_list_keeps_backends_out() {
    let folder = folder();
    let list = fairlane(folder.path())
        .args(["race", "--list", "--verbose"])
        .env("FAIRLANE_BACKEND", "scalar")
        .output()
        .unwrap();
    let contestants = stdout(&list).split("Unavailable").next().unwrap().to_owned();
    assert!(contestants.contains("fairlane/scalar"));
    assert!(!contestants.contains("fairlane/avx") && !contestants.contains("fairlane/neon"), "{contestants}");
}

#[test]
fn cpu_names_what_is_chosen() {
    let folder = folder();
    let cpu = stdout(&run(folder.path(), ["cpu"]));
    assert!(cpu.contains("keccak") && cpu.contains("scalar"), "{cpu}");
    assert!(cpu.lines().all(|line| line.chars().count() <= 80), "{cpu}");
    let limited = fairlane(folder.path()).arg("cpu").env("FAIRLANE_BACKEND", "scalar").output().unwrap();
    let limited = stdout(&limited);
    let keccak = limited.lines().find(|line| line.starts_with("keccak")).unwrap();
    assert_eq!(keccak.split_whitespace().nth(1), Some("scalar"), "{limited}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_what_was_measured() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};
    const MOMENT: Duration = Duration::from_millis(50);
    if common::interrupts_are_ignored() {
        return;
    }
    let folder = folder();
    let long = ["race", "keccak256/message", "--size", "4MiB,8MiB", "--contestant", "fairlane/scalar,tiny-keccak"];
    let mut child = fairlane(folder.path())
        .args(long)
        .args(["--time", "3600", "--keep-disturbed", "--json", "run.json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    // Waits for the handler: without it, the signal would kill the process.
    while !common::has_signal("SigCgt", &child.id().to_string(), &[2]) {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        sleep(MOMENT);
    }
    // By then the rounds have most likely begun; nothing below depends on it.
    sleep(Duration::from_secs(3));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    while child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(1800), "still racing");
        sleep(MOMENT);
    }
    let output = child.wait_with_output().unwrap();
    refused(&output, 130, &["interrupted"]);
    let text = std::fs::read_to_string(folder.path().join("run.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["interrupted"], true);
    let valid = run(folder.path(), ["validate", "run.json"]);
    assert_eq!(code(&valid), 0, "{}{}", stdout(&valid), stderr(&valid));
}

/// Files for other programs lie where these look for them, and nothing else is printed.
#[test]
fn a_run_is_written_for_other_programs() {
    let folder = folder();
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs");
    let committed = runs.join("sm-debug.json.gz");
    let committed = committed.to_str().expect("a path that is text");
    let more = ["--csv", "run.csv", "--hyperfine", "run.json", "--criterion", "target/criterion"];
    let report = run(folder.path(), ["report", committed].iter().chain(&more));
    assert_eq!((code(&report), stdout(&report).as_str()), (0, ""), "{}", stderr(&report));
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(text("run.csv").starts_with("run,started,cpu,contest,") && text("run.json").contains("\"results\""));
    let benchmark = text("target/criterion/sm3_message/fairlane_scalar/1024/new/benchmark.json");
    assert!(benchmark.contains("\"directory_name\":\"sm3_message/fairlane_scalar/1024\""), "{benchmark}");

    // Files of others stay, those beside such a file, too.
    let at = |name: &str| folder.path().join("target/criterion/sm3_message/fairlane_scalar/1024/new").join(name);
    let again = || run(folder.path(), ["report", committed, "--criterion", "target/criterion"]);
    assert_eq!(code(&again()), 0);
    std::fs::remove_file(at("benchmark.json")).unwrap();
    refused(&again(), 2, &["sample.json", "--force"]);
    std::fs::write(at("benchmark.json"), "{}").unwrap();
    refused(&again(), 2, &["benchmark.json", "--force"]);
    assert_eq!(code(&run(folder.path(), ["report", committed, "-f", "--criterion", "target/criterion"])), 0);

    for option in ["--hyperfine", "--criterion"] {
        let two = run(folder.path(), ["report", committed, committed, option, "two"]);
        refused(&two, 2, &[option, "one run"]);
    }
    let same = run(folder.path(), ["report", committed, "--csv", "one", "--hyperfine", "one"]);
    refused(&same, 2, &["one", "--hyperfine"]);
}

#[test]
fn cold_calls_are_kept_and_shown() {
    let folder = folder();
    let (shown, json) = race_with(folder.path(), "--cold");
    assert!(shown.contains("one call, caches cold"), "{shown}");
    assert_eq!(json["contests"][0]["contestants"][0]["cold"].as_array().unwrap().len(), 200);
    let csv = stdout(&run(folder.path(), ["report", "run.json", "--csv", "-"]));
    assert!(csv.lines().next().unwrap().contains("cold_median_ns,cold_p99_ns,cycles_per_byte_by_clock"), "{csv}");
    let markdown = stdout(&run(folder.path(), ["report", "run.json"]));
    assert!(markdown.contains("cold, median") && markdown.contains("p99 of samples"), "{markdown}");
}

/// Runs a short race of one contestant with one more option; its run must validate.
fn race_with(folder: &Path, option: &str) -> (String, serde_json::Value) {
    let one = ["race", "sha3-256/message", "--size", "32", "--contestant", "tiny-keccak", "--json", "run.json"];
    let raced = run(folder, one.iter().chain(&[option, "--time", "0.05", "--keep-disturbed"]));
    assert_eq!(code(&raced), 0, "{}", stderr(&raced));
    let text = std::fs::read_to_string(folder.join("run.json")).unwrap();
    assert_eq!(code(&run(folder, ["validate", "run.json"])), 0);
    (stdout(&raced), serde_json::from_str(&text).unwrap())
}

#[test]
fn instructions_and_code_are_counted_under_valgrind() {
    let folder = folder();
    let (shown, json) = race_with(folder.path(), "--callgrind");
    if shown.contains("valgrind was not found") {
        eprintln!("skipped: valgrind is not here");
        return;
    }
    assert!(shown.contains("instructions  code bytes"), "{shown}");
    let own = &json["contests"][0]["contestants"][0];
    // One permutation and little else: more than a line, and far less than the program.
    let bytes = own["code_bytes"].as_u64().unwrap();
    assert!((256..65_536).contains(&bytes) && bytes.is_multiple_of(64), "{bytes}");
    assert!(own["instructions_per_op"].as_f64().unwrap() > 1000.0, "{own}");
    let (_, again) = race_with(folder.path(), "--callgrind");
    assert_eq!(again["contests"][0]["contestants"][0]["code_bytes"], own["code_bytes"], "it is the same in every run");
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
fn heap_and_stack_are_told_on_request() {
    let folder = folder();
    let (shown, json) = race_with(folder.path(), "--memory");
    assert!(shown.contains("heap bytes  stack bytes"), "{shown}");
    let own = &json["contests"][0]["contestants"][0];
    assert_eq!(own["peak_heap_bytes"], 0);
    // The state alone has 200 bytes, and there is no need for much more.
    let stack = own["peak_stack_bytes"].as_u64().unwrap();
    assert!((200..16_384).contains(&stack), "{stack}");
}

#[test]
fn energy_is_counted_or_a_warning_says_why_not() {
    let folder = folder();
    let (shown, json) = race_with(folder.path(), "--energy");
    let warnings = json["warnings"].to_string();
    match json["contests"][0]["contestants"][0]["microjoules_per_op"].as_f64() {
        Some(energy) => assert!(energy > 0.0 && shown.contains("µJ"), "{shown}"),
        None => assert_eq!(warnings.matches("no energy is counted").count(), 1, "{warnings}"),
    }
}
