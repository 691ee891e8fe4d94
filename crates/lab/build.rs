//! Hands to `machine.rs` what only a build script knows: how this build is made.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The chacha20 crate's own switches, which its contestant's file looks at.
    println!("cargo::rustc-check-cfg=cfg(chacha20_avx512)");
    println!("cargo::rustc-check-cfg=cfg(chacha20_backend, values(any()))");
    let var = |name: &str| env::var(name).unwrap_or_default();

    let rustc = Command::new(var("RUSTC")).arg("--version").output().ok();
    let version = rustc.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    tell("RUSTC", &version);
    tell("PROFILE", &var("PROFILE"));
    tell("TARGET", &var("TARGET"));
    // Flags are separated by an ASCII unit separator.
    tell("RUSTFLAGS", &var("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "));
    tell("TARGET_FEATURES", &var("CARGO_CFG_TARGET_FEATURE").replace(',', " "));

    let mut features: Vec<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase().replace('_', "-")))
        .collect();
    features.sort();
    tell("FEATURES", &features.join(" "));
}

fn tell(name: &str, value: &str) {
    println!("cargo::rustc-env=FAIRLANE_{name}={value}");
}
