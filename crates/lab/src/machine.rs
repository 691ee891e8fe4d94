//! What a run says of the machine and of the build.

use crate::engine::probe;
use crate::run::{Build, Machine};
use data_encoding::HEXLOWER;
use fairlane_common::machine as told;

/// Describes the machine. `cpus` are the CPUs that this process may use, 0 if that is not known.
pub fn machine(pmu: bool, cpus: usize, load: Option<f64>) -> Machine {
    Machine {
        arch: std::env::consts::ARCH.to_owned(),
        os: told::os(),
        cpu: told::cpu(),
        cpu_id: told::cpu_id(),
        features: told::features(),
        cpus: if cpus == 0 { told::cpus() } else { cpus } as u32,
        hypervisor: told::hypervisor(),
        governor: told::governor(),
        load,
        measured_mhz: probe::measured_mhz(),
        pmu,
        disturbed: None,
    }
}

/// Describes the build.
pub fn build() -> Build {
    let list = |words: &str| words.split_whitespace().map(str::to_owned).collect();
    let mut features: Vec<String> = list(env!("FAIRLANE_FEATURES"));
    // The build script knows the laboratory's own features only.
    if fairlane::primitives().iter().any(|primitive| !primitive.variable_time.is_empty()) {
        features.push("table-lookups".to_owned());
        features.sort();
    }
    Build {
        rustc: env!("FAIRLANE_RUSTC").to_owned(),
        profile: env!("FAIRLANE_PROFILE").to_owned(),
        opt_level: env!("FAIRLANE_OPT_LEVEL").to_owned(),
        debug_assertions: cfg!(debug_assertions),
        profile_settings: env!("FAIRLANE_PROFILE_SETTINGS").split_terminator(';').map(str::to_owned).collect(),
        target: env!("FAIRLANE_TARGET").to_owned(),
        rustflags: env!("FAIRLANE_RUSTFLAGS").to_owned(),
        target_features: list(env!("FAIRLANE_TARGET_FEATURES")),
        features,
        commit: env!("FAIRLANE_COMMIT").to_owned(),
        program: program(),
    }
}

/// SHA3-256 of this program's file; empty if it cannot be read.
fn program() -> String {
    let file = std::env::current_exe().and_then(std::fs::read);
    file.map_or_else(|_| String::new(), |bytes| HEXLOWER.encode(&fairlane::keccak::sha3_256(&bytes)))
}

/// Ticks of all CPUs since the start of the system: all of them, and those that the host gave to others. `None` if the
/// system does not tell.
pub fn ticks() -> Option<[u64; 2]> {
    let all = std::fs::read_to_string("/proc/stat").ok()?;
    // user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in the first two.
    let ticks: Vec<u64> = all.lines().next()?.split_whitespace().skip(1).map_while(|n| n.parse().ok()).collect();
    Some([ticks.get(..8)?.iter().sum(), ticks[7]])
}

/// One-minute load average, if the system tells.
pub fn load() -> Option<f64> {
    told::read("/proc/loadavg")?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_described() {
        let machine = machine(false, 0, None);
        assert!(machine.cpus >= 1 && machine.measured_mhz > 0.0);
        assert!(!machine.cpu.is_empty() && !machine.os.is_empty() && !machine.cpu_id.is_empty(), "{machine:?}");
    }

    #[test]
    fn the_build_is_described() {
        let build = build();
        assert!(build.rustc.starts_with("rustc "), "{build:?}");
        assert!(build.target.contains('-') && !build.profile.is_empty(), "{build:?}");
        assert!(["0", "1", "2", "3", "s", "z"].contains(&build.opt_level.as_str()), "{build:?}");
        let kalyna = fairlane::primitives().iter().find(|primitive| primitive.name == "kalyna").expect("kalyna");
        let by_tables = build.features.iter().any(|feature| feature == "table-lookups");
        assert_eq!(by_tables, kalyna.variable_time.contains(&fairlane_lanes::Backend::Scalar), "{build:?}");
        assert!(build.profile_settings.iter().all(|line| line.contains(" = ")), "{build:?}");
    }
}
