//! Energy of an operation, of whole processor packages, from the counters (RAPL) that Linux shows as files.
//!
//! A package counts all that is in it: idle cores, neighbours, caches and the memory controller. So only differences
//! between contestants of one heat mean something, and none of these figures has an interval or changes a verdict.
//!
//! No machine with such counters was at hand: all of this has run with files made by tests only.

use fairlane_common::terminal::reason;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where Linux shows the counters.
pub(super) const FOLDER: &str = "/sys/class/powercap";

/// Runs of each contestant, of which the middle one is told.
pub(super) const RUNS: usize = 3;

/// The least time of a run. Counters move about every millisecond.
pub(super) const TIME: Duration = Duration::from_millis(500);

/// Nanoseconds between two looks at the clock.
const BETWEEN: f64 = 1e7;

/// The packages of this machine.
#[derive(Debug)]
pub(super) struct Packages(Vec<Package>);

#[derive(Debug)]
struct Package {
    /// The file with the microjoules so far.
    energy: PathBuf,
    /// The microjoules after which these begin at 0 again, if the system tells.
    range: Option<u64>,
}

impl Packages {
    /// Finds the packages in a folder like [`FOLDER`].
    ///
    /// # Errors
    ///
    /// One line, if there are none, or if one of them cannot be read.
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let mut packages = Vec::new();
        // The other kinds there, such as `intel-rapl-mmio`, count the same packages again.
        let zones = fs::read_dir(folder).into_iter().flatten().flatten();
        for zone in zones.filter(|zone| zone.file_name().to_string_lossy().starts_with("intel-rapl:")) {
            let zone = zone.path();
            // Cores, graphics and memory are parts of a package; `psys` has more in it than packages.
            if read(&zone.join("name"))?.starts_with("package") {
                let range = number(&zone.join("max_energy_range_uj")).ok();
                packages.push(Package { energy: zone.join("energy_uj"), range });
            }
        }
        if packages.is_empty() {
            return Err(format!("{} has no package of RAPL: no energy is counted", folder.display()));
        }
        let packages = Self(packages);
        packages.now().map(|_| packages)
    }

    /// Microjoules an operation of all packages together, in a run of `time` or a little more; `None` if they cannot be
    /// read any longer, did not move, or began anew at a number that is not known. `run` runs the operation, which
    /// takes `ns`, a number of times.
    pub(super) fn per_op(&self, time: Duration, ns: f64, mut run: impl FnMut(u64)) -> Option<f64> {
        let batch = (BETWEEN / ns).clamp(1.0, BETWEEN) as u64;
        let before = self.now().ok()?;
        let start = Instant::now();
        let mut ops = 0;
        loop {
            run(batch);
            ops += batch;
            if start.elapsed() >= time {
                break;
            }
        }
        let after = self.now().ok()?;
        let all = self.0.iter().zip(before.into_iter().zip(after));
        let energy = all.map(|(package, (before, after))| package.between(before, after)).sum::<Option<u64>>()?;
        (energy > 0).then(|| energy as f64 / ops as f64)
    }

    /// The microjoules so far of each.
    fn now(&self) -> Result<Vec<u64>, String> {
        self.0.iter().map(|package| number(&package.energy)).collect()
    }
}

impl Package {
    /// The microjoules between two readings, of which the second may have begun anew once.
    fn between(&self, before: u64, after: u64) -> Option<u64> {
        match after.checked_sub(before) {
            Some(energy) => Some(energy),
            None => self.range?.checked_sub(before).map(|rest| rest + after),
        }
    }
}

fn number(path: &Path) -> Result<u64, String> {
    read(path)?.parse().map_err(|_| format!("{} is no number: no energy is counted", path.display()))
}

/// What a file says, without the end of its line.
fn read(path: &Path) -> Result<String, String> {
    let text = fs::read_to_string(path).map_err(|error| {
        let help = match error.kind() {
            ErrorKind::PermissionDenied => "; since 2020 Linux shows it to root only: chmod a+r lets others read it",
            _ => "",
        };
        format!("{}: {}: no energy is counted{help}", path.display(), reason(&error))
    })?;
    Ok(text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A folder as Linux has it on a machine with two packages, the first of which has parts.
    fn machine() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let zones = [
            ("intel-rapl", ""),
            ("intel-rapl:0", "package-0"),
            ("intel-rapl:0:0", "core"),
            ("intel-rapl:0:1", "dram"),
            ("intel-rapl:1", "package-1"),
            ("intel-rapl:2", "psys"),
            ("intel-rapl-mmio:0", "package-0"),
        ];
        for (zone, name) in zones {
            fs::create_dir(folder.path().join(zone)).unwrap();
            if !name.is_empty() {
                write(&folder, &format!("{zone}/name"), name);
                write(&folder, &format!("{zone}/max_energy_range_uj"), "262143328850");
                write(&folder, &format!("{zone}/energy_uj"), "1000");
            }
        }
        folder
    }

    fn write(folder: &TempDir, file: &str, text: &str) {
        fs::write(folder.path().join(file), format!("{text}\n")).unwrap();
    }

    /// What one operation of a millisecond takes, which moves the counters to these.
    fn moved_to(folder: &TempDir, counters: &[(&str, &str)]) -> Option<f64> {
        let packages = Packages::open(folder.path()).unwrap();
        packages.per_op(Duration::ZERO, 1e6, |times| {
            assert_eq!(times, 10);
            counters.iter().for_each(|(zone, text)| write(folder, &format!("{zone}/energy_uj"), text));
        })
    }

    #[test]
    fn packages_are_counted_and_their_parts_are_not() {
        let counters = [
            ("intel-rapl:0", "1500"),
            ("intel-rapl:1", "1250"),
            ("intel-rapl:0:0", "9000"),
            ("intel-rapl:2", "9000"),
            ("intel-rapl-mmio:0", "9000"),
        ];
        assert_eq!(moved_to(&machine(), &counters), Some(75.0));
    }

    #[test]
    fn a_counter_may_begin_anew() {
        let folder = machine();
        write(&folder, "intel-rapl:1/energy_uj", "262143328800");
        assert_eq!(moved_to(&folder, &[("intel-rapl:1", "50")]), Some(10.0));
        // Where the system does not tell at which number, nothing is told.
        write(&folder, "intel-rapl:1/energy_uj", "262143328800");
        fs::remove_file(folder.path().join("intel-rapl:1/max_energy_range_uj")).unwrap();
        assert_eq!(moved_to(&folder, &[("intel-rapl:1", "50")]), None);
        assert_eq!(moved_to(&folder, &[("intel-rapl:1", "90")]), Some(4.0));
    }

    #[test]
    fn what_does_not_count_tells_nothing() {
        assert_eq!(moved_to(&machine(), &[]), None);
        assert_eq!(moved_to(&machine(), &[("intel-rapl:0", "no number")]), None);
    }

    #[test]
    fn a_run_takes_its_time() {
        let folder = machine();
        let packages = Packages::open(folder.path()).unwrap();
        let mut ops = 0;
        let found = packages.per_op(Duration::from_millis(20), 1e6, |times| {
            std::thread::sleep(Duration::from_millis(1));
            ops += times;
            write(&folder, "intel-rapl:0/energy_uj", &(1000 + 7 * ops).to_string());
        });
        assert!(ops >= 10, "{ops}");
        assert_eq!(found, Some(7.0));
    }

    #[test]
    fn what_cannot_be_read_is_said_in_a_line() {
        let folder = machine();
        // Even root reads no folder.
        fs::remove_file(folder.path().join("intel-rapl:1/energy_uj")).unwrap();
        fs::create_dir(folder.path().join("intel-rapl:1/energy_uj")).unwrap();
        let why = Packages::open(folder.path()).unwrap_err();
        assert!(why.contains("intel-rapl:1/energy_uj: ") && why.ends_with(": no energy is counted"), "{why}");

        let why = Packages::open(&folder.path().join("nothing")).unwrap_err();
        assert!(why.ends_with("has no package of RAPL: no energy is counted"), "{why}");
    }
}
