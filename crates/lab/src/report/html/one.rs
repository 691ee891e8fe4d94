//! The page of one run: verdicts first, then every contest, then where it was made.

use super::contest::{self, Group, anchor};
use super::{chapters, environment, verdicts};
use crate::report::chapter::Chapter;
use crate::run::Run;
use maud::{Markup, html};

/// What stands in the page.
pub(super) fn body(run: &Run) -> Markup {
    let groups = contest::groups(run);
    let chapters = chapters::chapters(run);
    html! {
        header {
            h1 { span.over { "Race on" } " " (run.machine.cpu) }
            p.lead { (lead(run, groups.len())) }
        }
        main #main {
            (environment::warnings(run))
            (verdicts::section(&groups))
            (contents(&groups, &chapters))
            @for (anchor, chapter) in &chapters { (chapters::section(anchor, chapter)) }
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

fn contents(groups: &[Group], chapters: &[(&str, Chapter)]) -> Markup {
    html! {
        @if groups.len() > 1 {
            nav aria-labelledby="contents-title" {
                h2 #contents-title { "Contents" }
                @if !chapters.is_empty() {
                    ul { @for (anchor, chapter) in chapters { li { a href={ "#" (anchor) } { (chapter.title) } } } }
                }
                ul { @for group in groups { li { a href={ "#" (anchor(group.n)) } { (group.id) } } } }
            }
        }
    }
}
