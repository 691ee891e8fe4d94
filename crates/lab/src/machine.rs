//! What a run says of the machine and of the build.

use crate::engine::probe;
use crate::run::{Build, Machine};
use data_encoding::HEXLOWER;
use fairlane_common::machine as told;
use std::time::{SystemTime, UNIX_EPOCH};

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
    Build {
        rustc: env!("FAIRLANE_RUSTC").to_owned(),
        profile: env!("FAIRLANE_PROFILE").to_owned(),
        opt_level: env!("FAIRLANE_OPT_LEVEL").to_owned(),
        debug_assertions: cfg!(debug_assertions),
        profile_settings: env!("FAIRLANE_PROFILE_SETTINGS").split_terminator(';').map(str::to_owned).collect(),
        target: env!("FAIRLANE_TARGET").to_owned(),
        rustflags: env!("FAIRLANE_RUSTFLAGS").to_owned(),
        target_features: list(env!("FAIRLANE_TARGET_FEATURES")),
        features: list(env!("FAIRLANE_FEATURES")),
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

/// Now, RFC 3339, UTC: `2026-03-14T15:09:26Z`.
pub fn now() -> String {
    from_now(0)
}

/// So many seconds from now.
pub fn from_now(later: u64) -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    rfc3339(seconds + later)
}

/// A time since 1970 as RFC 3339. Years are counted from March, so that the leap day comes last.
fn rfc3339(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400); // days since 0000-03-01
    let (era, day_of_era) = (days / 146_097, days % 146_097); // 400 years have 146,097 days
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153; // months of 31, 30, 31, 30, 31 days: 153 in five
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(rfc3339(1_000_000_000), "2001-09-09T01:46:40Z");
        assert_eq!(rfc3339(4_107_542_400), "2100-03-01T00:00:00Z");
    }

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
        assert!(build.profile_settings.iter().all(|line| line.contains(" = ")), "{build:?}");
    }
}
