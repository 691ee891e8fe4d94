//! The page of one run: verdicts first, then every contest, then where it was made.

use super::contest;
use super::group::{Group, anchor, groups};
use super::parts::each_once;
use super::{environment, sections, verdicts};
use crate::report::section::Section;
use crate::run::Run;
use maud::{Markup, html};

/// What stands in the page.
pub(super) fn body(run: &Run) -> Markup {
    let groups = groups(run);
    let sections = sections::sections(run);
    html! {
        header {
            h1 { (verdicts::sentence(&run.contests)) }
            p.lead { (run.machine.cpu) ", " (lead(run, groups.len())) }
        }
        (bar(&groups, &sections))
        main #main {
            (environment::warnings(run))
            (verdicts::section(&groups, &run.contests))
            (contents(&groups, &sections))
            @for (anchor, section) in &sections { (sections::section(anchor, section)) }
            @for group in &groups { (contest::section(run, group, &groups)) }
            (environment::absent(run))
            (environment::section(run))
        }
    }
}

fn lead(run: &Run, contests: usize) -> String {
    let heats = run.contests.len();
    let build = if run.build.is_debug() { ", a debug build" } else { "" };
    let kinds = if contests == 1 { "1 contest".to_owned() } else { format!("{contests} contests") };
    let all = if heats == 1 { "1 heat".to_owned() } else { format!("{heats} heats") };
    format!("{}, fairlane {}{build}: {all} of {kinds}", run.started, run.fairlane)
}

/// The places of a long page, which stay in sight.
fn bar(groups: &[Group], sections: &[(&str, Section)]) -> Markup {
    let suites = each_once(groups.iter().map(|group| group.suite));
    html! {
        @if groups.len() > 1 {
            nav.bar aria-label="Places" {
                a href="#verdicts" { "Verdicts" }
                @for (n, suite) in suites.iter().enumerate() { a href={ "#suite-" (n) } { (suite) } }
                @for (anchor, section) in sections { a href={ "#" (anchor) } { (section.title) } }
                a href="#contents" { "Contests" }
                a href="#environment" { "Machine" }
            }
        }
    }
}

fn contents(groups: &[Group], sections: &[(&str, Section)]) -> Markup {
    html! {
        @if groups.len() > 1 {
            nav #contents aria-labelledby="contents-title" {
                h2 #contents-title { "Contests" }
                @if !sections.is_empty() {
                    ul { @for (anchor, section) in sections { li { a href={ "#" (anchor) } { (section.title) } } } }
                }
                ul { @for group in groups { li { a href={ "#" (anchor(group.n)) } { (group.id) } } } }
            }
        }
    }
}
