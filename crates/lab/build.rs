//! Hands to `machine.rs` what only a build script knows: how this build is made. Builds the contestants in `c/`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The chacha20 crate's own switches, which its contestant's file looks at.
    println!("cargo::rustc-check-cfg=cfg(chacha20_avx512)");
    println!("cargo::rustc-check-cfg=cfg(chacha20_backend, values(any()))");

    let rustc = Command::new(var("RUSTC")).arg("--version").output().ok();
    let version = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    tell("RUSTC", &version);
    let profile = profile();
    tell("PROFILE", &profile);
    tell("OPT_LEVEL", &var("OPT_LEVEL"));
    let settings: Vec<String> = settings(&profile).iter().map(|(key, value)| format!("{key} = {value}")).collect();
    tell("PROFILE_SETTINGS", &settings.join(";"));
    tell("TARGET", &var("TARGET"));
    // Flags are separated by an ASCII unit separator.
    tell("RUSTFLAGS", &var("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "));
    tell("TARGET_FEATURES", &var("CARGO_CFG_TARGET_FEATURE").replace(',', " "));

    let mut features: Vec<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase().replace('_', "-")))
        .collect();
    features.sort();
    tell("FEATURES", &features.join(" "));
    tell("COMMIT", &commit(&profile));

    c_contestants();
}

/// The commit that is checked out, if git knows. A release build follows it; others would be made anew after every
/// commit, and are not what a race should time.
fn commit(profile: &str) -> String {
    let git = |what: &[&str]| {
        let output = Command::new("git").args(what).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    if profile == "release"
        && let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).exists()
    {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "HEAD"]).unwrap_or_default()
}

/// Each file with each set of flags. The library, and the table that it exports, are named after both:
/// `kalyna_reference_o2`. With cfg `c_native`, those for this CPU are there.
fn c_contestants() {
    println!("cargo::rerun-if-changed=c");
    println!("cargo::rustc-check-cfg=cfg(c_native)");
    let compiler = cc::Build::new().get_compiler();
    let version = Command::new(compiler.path()).arg("--version").output().ok();
    let version =
        version.map(|output| String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned());
    tell("CC", &version.unwrap_or_default());
    // Code for the machine that builds is none for another target.
    let native = var("HOST") == var("TARGET") && cc::Build::new().is_flag_supported("-march=native").unwrap_or(false);
    if native {
        println!("cargo::rustc-cfg=c_native");
    }
    // Their flags are theirs, whatever the profile.
    let compile = |file: &str, name: &str, level: u32, flags: &[&str]| {
        let name = format!("{file}_{name}");
        let mut build = cc::Build::new();
        build.opt_level(level).debug(false).flags(flags).std("c11").extra_warnings(true);
        build.define("KALYNA_API", name.as_str()).file(format!("c/{file}.c")).compile(&name);
    };
    for file in ["kalyna_reference", "kalyna_optimised"] {
        compile(file, "o2", 2, &[]);
        if native {
            compile(file, "native", 3, &["-march=native"]);
        }
    }
    compile("kalyna_reference", "arena", 2, &["-DARENA"]);
}

fn var(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env=FAIRLANE_{name}={value}");
}

/// The profile by the name of its folder under `target`, since `PROFILE` is only `debug` or `release`.
fn profile() -> String {
    let out = var("OUT_DIR").replace('\\', "/");
    let folder = out.rsplit_once("/build/").and_then(|(before, _)| before.rsplit('/').next());
    folder.map_or_else(|| var("PROFILE"), str::to_owned)
}

/// What changes how fast a build is.
const SETTINGS: &[&str] = &["opt-level", "debug-assertions", "overflow-checks", "lto", "codegen-units", "panic"];

/// Those settings of the profile that the workspace's Cargo.toml or the environment makes, for all packages or for
/// some. `--config` and cargo's own configuration files are out of sight here.
fn settings(profile: &str) -> BTreeMap<String, String> {
    let name = if profile == "debug" { "dev" } else { profile };
    let manifest = Path::new("../../Cargo.toml");
    let text = fs::read_to_string(manifest).unwrap_or_default();
    if !text.is_empty() {
        println!("cargo::rerun-if-changed={}", manifest.display());
    }
    let mut settings = BTreeMap::new();
    from_manifest(&text, name, &mut settings);
    for &key in SETTINGS {
        let variable = format!("CARGO_PROFILE_{name}_{key}").to_uppercase().replace('-', "_");
        println!("cargo::rerun-if-env-changed={variable}");
        if let Ok(value) = env::var(variable) {
            settings.insert(key.to_owned(), value);
        }
    }
    // These two are known for certain.
    settings.retain(|key, _| !["opt-level", "debug-assertions"].contains(&key.as_str()));
    settings
}

/// The settings under `[profile.NAME]` and `[profile.NAME.package.PACKAGE]`, over those of the profile that it
/// inherits.
fn from_manifest(text: &str, name: &str, settings: &mut BTreeMap<String, String>) {
    let header = format!("[profile.{name}");
    let mut of = None;
    let mut own = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            of = line.strip_prefix(&header).and_then(|rest| rest.strip_suffix(']'));
        } else if let Some((of, (key, value))) = of.zip(line.split_once('=')) {
            let (key, value) = (key.trim(), value.trim());
            match of.strip_prefix('.') {
                None if of.is_empty() && key == "inherits" => from_manifest(text, value.trim_matches('"'), settings),
                None if of.is_empty() => own.push((key.to_owned(), key, value)),
                Some(package) => own.push((format!("{package}.{key}"), key, value)),
                // Another profile, whose name begins with this one's.
                None => {}
            }
        }
    }
    let own = own.into_iter().filter(|(_, key, _)| SETTINGS.contains(key));
    settings.extend(own.map(|(path, _, value)| (path, value.to_owned())));
}
