//! Machine, build and settings of a run, and the libraries that were unavailable.

use super::parts::command;
use crate::report::{escape, provenance, wording};
use crate::run::Run;
use maud::{Markup, html};

/// Everything that a reader should know before believing the numbers; nothing when there is nothing.
pub(super) fn warnings(run: &Run) -> Markup {
    let lines = provenance::warnings(run);
    // A few are read; of many, the first view would be nothing else.
    let open = lines.len() <= 3;
    html! {
        @if !lines.is_empty() {
            details.warnings open[open] {
                summary { (if lines.len() == 1 { "1 warning".to_owned() } else { format!("{} warnings", lines.len()) }) }
                ul { @for line in &lines { li { (line) } } }
            }
        }
    }
}

/// Machine, build and settings of a run.
pub(super) fn section(run: &Run) -> Markup {
    html! {
        section #environment aria-labelledby="environment-title" {
            h2 #environment-title { "Machine and build" }
            dl {
                dt { "Machine" } dd { (provenance::machine(&run.machine)) }
                @if !run.machine.features.is_empty() {
                    dt { "CPU features" } dd { (run.machine.features.join(" ")) }
                }
                dt { "Build" } dd { (provenance::build(&run.fairlane, &run.build)) }
                @if !run.build.target_features.is_empty() {
                    dt { "Allowed everywhere" } dd { (run.build.target_features.join(" ")) }
                }
                dt { "Measured" } dd { (provenance::measured(run)) }
                @if let Some(how) = &run.leaks { dt { "Secrets by time" } dd { (how) } }
                @if let Some(why) = provenance::cycles(run) { dt { "Cycles" } dd { (why) } }
                @for (name, what) in provenance::on_request(run) { dt { (name) } dd { (what) } }
                @if !run.settings.backends.is_empty() {
                    dt { "Backends of fairlane" } dd { (wording::list(&run.settings.backends)) }
                }
            }
            h3 { "Run it again" }
            (command(&escape::plain(&run.settings.command)))
            p.note {
                "The command below a contest races all contestants that are here by themselves; options that choose some or \
                 add others are in this one only."
            }
        }
    }
}

/// Libraries that could have entered.
pub(super) fn absent(run: &Run) -> Markup {
    html! {
        @if !run.absent.is_empty() {
            section #absent aria-labelledby="absent-title" {
                h2 #absent-title { "Unavailable libraries" }
                dl { @for absent in &run.absent { dt { (absent.library) } dd { (absent.why) } } }
            }
        }
    }
}
