//! The target that the variable `FAIRLANE_TARGET` names, under libFuzzer: bash .ci/outside/fuzz-guided
#![no_main]

use fairlane_fuzz::{TARGETS, Target};
use std::sync::LazyLock;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FAIRLANE_TARGET").expect("FAIRLANE_TARGET names a target");
    TARGETS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no target is called {name}")).1
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| TARGET(input));
