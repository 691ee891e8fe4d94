//! The driver runs every target.

use fairlane_fuzz::TARGETS;
use std::process::Command;

#[test]
fn every_target_runs() {
    let driver = Command::new(env!("CARGO_BIN_EXE_fairlane-fuzz")).args(["4x", "7"]).output().expect("the driver");
    let printed = String::from_utf8_lossy(&driver.stdout);
    assert!(driver.status.success(), "{printed}{}", String::from_utf8_lossy(&driver.stderr));
    let names: Vec<&str> = printed.lines().filter_map(|line| Some(line.split_once(": 4 executions")?.0)).collect();
    assert!(TARGETS.iter().map(|(name, _)| *name).eq(names), "{printed}");
}
