//! `fairlane cpu`: shows the CPU, its features, and which backend each primitive uses.

use crate::failure::Outcome;
use crate::output::{print, table, width};
use fairlane_common::machine;
use fairlane_lanes::Backend;

/// Show the CPU, its features, and which backend each primitive uses
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Runs the command.
pub(crate) fn run(_args: &Args) -> Outcome {
    print(&format!("{}\n\n{}\n\n{}\n", machine_table(), backends(), primitives()))
}

fn machine_table() -> String {
    let limit = std::env::var("FAIRLANE_BACKEND").unwrap_or_default();
    let mut rows = vec![
        ("CPU", machine::cpu()),
        ("CPU id", machine::cpu_id()),
        ("System", format!("{}, {}", machine::os(), std::env::consts::ARCH)),
        ("Logical CPUs", machine::cpus().to_string()),
        ("Hypervisor", machine::hypervisor().unwrap_or_else(|| "none detected".to_owned())),
        ("Governor", machine::governor().unwrap_or_else(|| "unknown".to_owned())),
    ];
    #[cfg(feature = "race")]
    rows.extend(measured());
    rows.push(("Features", machine::features().join(" ")));
    rows.push((
        "FAIRLANE_BACKEND",
        if limit.is_empty() { "not set: all backends are allowed".to_owned() } else { limit },
    ));
    rows.retain(|(_, value)| !value.is_empty());
    table(&[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]), width())
}

/// What a race wants to know besides.
#[cfg(feature = "race")]
fn measured() -> [(&'static str, String); 2] {
    let machine = fairlane_lab::engine::this_machine();
    let counters = if machine.pmu { "cycles and instructions" } else { "none: the kernel offers no PMU" };
    [("Clock", format!("{:.0} MHz measured", machine.measured_mhz)), ("Counters", counters.to_owned())]
}

/// The names of backends, separated by commas.
fn list<'a>(backends: impl Iterator<Item = &'a Backend>) -> String {
    backends.map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The table of all backends, and whether they are available.
fn backends() -> String {
    let rows = Backend::ALL.iter().map(|backend| {
        let (available, needs) = match (backend.is_available(), backend.features()) {
            (true, []) => ("yes", "nothing".to_owned()),
            (true, features) => ("yes", features.join(" ")),
            (false, []) => ("no", "another architecture".to_owned()),
            (false, features) => ("no", features.join(" ")),
        };
        vec![backend.to_string(), available.to_owned(), needs]
    });
    table(&["BACKEND", "AVAILABLE", "NEEDS"], rows, width())
}

fn primitives() -> String {
    let rows = fairlane::primitives().iter().map(|primitive| {
        let others =
            primitive.backends.iter().filter(|backend| backend.is_available() && **backend != primitive.chosen());
        vec![
            primitive.name.to_owned(),
            primitive.chosen().to_string(),
            list(others),
            match primitive.variable_time {
                [] => "yes".to_owned(),
                backends => format!("not on {}", list(backends.iter())),
            },
        ]
    });
    table(&["PRIMITIVE", "USES", "ALSO AVAILABLE", "CONSTANT TIME"], rows, width())
}
