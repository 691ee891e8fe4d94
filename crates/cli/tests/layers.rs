//! The structure of the workspace: dependencies between packages point one way, unsafe code stays in the files listed
//! here, and dependencies have permissive licences.

use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each package, the packages it may depend on, and those that only its tests may depend on. A new package is added
/// here.
const ARROWS: &[(&str, &[&str], &[&str])] = &[
    ("fairlane-lanes", &[], &[]),
    ("fairlane-common", &[], &[]),
    ("fairlane-vectors", &[], &[]),
    ("fairlane-reference", &[], &["fairlane-vectors"]),
    ("fairlane", &["fairlane-lanes"], &["fairlane-reference", "fairlane-vectors"]),
    ("fairlane-age-plugin", &["fairlane", "fairlane-common"], &[]),
    ("fairlane-capi", &["fairlane"], &[]),
    ("fairlane-ethereum", &["fairlane"], &[]),
    ("fairlane-jni", &["fairlane"], &[]),
    ("fairlane-openssl-provider", &["fairlane"], &[]),
    ("fairlane-plonky3", &["fairlane"], &[]),
    ("fairlane-rustls", &["fairlane"], &[]),
    ("fairlane-proofs", &["fairlane", "fairlane-lanes", "fairlane-reference"], &[]),
    ("fairlane-cryptopp", &[], &[]),
    ("fairlane-vendored-botan", &[], &[]),
    ("fairlane-vendored-openssl", &[], &[]),
    (
        "fairlane-lab",
        &[
            "fairlane",
            "fairlane-common",
            "fairlane-cryptopp",
            "fairlane-lanes",
            "fairlane-reference",
            "fairlane-vendored-botan",
            "fairlane-vendored-openssl",
        ],
        &[],
    ),
    ("fairlane-cli", &["fairlane", "fairlane-common", "fairlane-lab", "fairlane-lanes"], &[]),
    ("fairlane-duckdb", &["fairlane"], &[]),
    ("fairlane-fuzz", &["fairlane", "fairlane-lab", "fairlane-reference"], &[]),
    ("fairlane-python", &["fairlane"], &[]),
];

/// The folders and files of `crates/` that may have unsafe code, beside files that are named after instructions.
const UNSAFE: &[&str] = &[
    // The intrinsics, and the tokens that prove that the CPU has them.
    "lanes/src",
    // Calls from C, from OpenSSL, from alloy-primitives and from Java.
    "capi/src",
    "ethereum/src",
    "jni/src",
    "openssl-provider/src",
    // Calls into C libraries.
    "cryptopp/src",
    "lab/src/contestants",
    "vendored-botan/src",
    // Keys that the search for leaks writes.
    "lab/src/inputs",
    "lab/src/leak",
    // The counting allocator, and instructions that read the clock and load the ports.
    "lab/src/engine/allocations.rs",
    "lab/src/engine/clock.rs",
    "lab/src/engine/probe.rs",
    // A thread's own stack, painted.
    "lab/src/engine/peak_stack.rs",
    // The memory of Python's objects and of Arrow's arrays.
    "python/src/arrow",
    "python/src/buffer.rs",
    "python/src/polars.rs",
    // DuckDB's functions and vectors.
    "duckdb/src",
    // Shaders whose loops the driver need not bound, and mapped memory for other threads.
    "gpu/src",
];

/// The beginnings of names of files that are named after instructions, such as `avx512_gfni.rs`.
const INSTRUCTIONS: &[&str] = &["avx2", "avx512", "neon"];

#[test]
fn arrows_point_one_way() {
    let metadata: Value = serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version", "1"])).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let ours: BTreeSet<&str> = packages.iter().map(|package| text(&package["name"])).collect();
    for package in packages {
        let name = text(&package["name"]);
        let (_, always, in_tests) = ARROWS
            .iter()
            .find(|(known, ..)| *known == name)
            .unwrap_or_else(|| panic!("{name} is new: ARROWS must say what it may depend on"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let other = text(&dependency["name"]);
            let test = dependency["kind"] == "dev";
            let allowed = always.contains(&other) || test && in_tests.contains(&other);
            assert!(
                allowed || !ours.contains(other),
                "{name} must not depend on {other}{}",
                if test { ", in tests" } else { "" }
            );
        }
    }
}

#[test]
fn unsafe_code_stays_in_its_rooms() {
    let crates = workspace().join("crates");
    for room in std::fs::read_dir(&crates).unwrap() {
        let files = rust_files(&room.unwrap().path().join("src"));
        assert!(!files.is_empty());
        for file in files {
            let name = file.file_stem().and_then(OsStr::to_str).unwrap();
            let within = file.strip_prefix(&crates).unwrap();
            if UNSAFE.iter().any(|room| within.starts_with(room)) || INSTRUCTIONS.iter().any(|i| name.starts_with(i)) {
                continue;
            }
            for (line, code) in (1..).zip(std::fs::read_to_string(&file).unwrap().lines()) {
                let code = code.split("//").next().unwrap();
                let found = code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "unsafe");
                assert!(!found, "{}:{line}: unsafe code belongs in lanes, or in UNSAFE of this test", within.display());
            }
        }
    }
}

#[test]
fn keys_and_files_need_few_crates() {
    let tree = ["tree", "-p", "fairlane-cli", "--no-default-features", "--locked", "--offline", "--prefix", "none"];
    // What the compiler runs, such as derive macros, is not in the binary.
    let tree = cargo(&[&tree[..], &["--edges", "normal,no-proc-macro"]].concat());
    let crates: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    assert!(crates.len() <= 70, "{} crates: {crates:#?}", crates.len());
    assert!(!crates.iter().any(|name| name.starts_with("fairlane-lab")), "{crates:#?}");
}

#[test]
fn licences_are_permissive() {
    let deny = std::fs::read_to_string(workspace().join("deny.toml")).unwrap();
    let (_, list) = deny.split_once("\nallow = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let allowed: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    assert!(allowed.contains("MIT"), "{allowed:?}");

    // The dependencies of this build on this machine, tests included; cargo-deny checks every feature and target.
    let tree = cargo(&["tree", "--workspace", "--locked", "--offline", "--prefix", "none", "--format", "{l} : {p}"]);
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (licence, package) = line.split_once(" : ").unwrap();
        // Parses `A OR B AND C` as `(A OR B) AND C`, which is never too lenient. A slash is the old form of `OR`.
        let permissive = licence
            .replace('/', " OR ")
            .split(" AND ")
            .all(|part| part.split(" OR ").any(|licence| allowed.contains(licence.trim_matches(['(', ')', ' ']))));
        assert!(permissive, "{package}: deny.toml does not allow its licence, {licence:?}");
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn cargo(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(args).current_dir(workspace()).output().unwrap();
    assert!(output.status.success(), "cargo {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension() == Some(OsStr::new("rs")) {
            files.push(path);
        }
    }
    files
}
