//! One run as a Markdown document: what a results page in `docs/` is made of.

use super::escape::{self, escape, table};
use super::provenance;
use super::result_columns::Column;
use super::verdicts::outcome;
use super::wording;
use super::{key_exchange, thread_scaling};
use crate::run::{ContestResult, ContestantResult, Run, RunKind, Settings};
use std::collections::BTreeMap;

/// The document.
pub fn render(run: &Run) -> String {
    let mut text = format!("# Race on {}\n\n", escape(&run.machine.cpu));
    text += &warnings(run);
    text += &facts(run);
    text += &again(&run.settings.command);
    let mut id = None;
    for contest in &run.contests {
        if id != Some(&contest.id) {
            text += &format!("## {}\n\n{}\n\n", escape(&contest.id), escape(&contest.about));
            if let Some(line) = wording::conditions(contest) {
                text += &format!("{}\n\n", escape(&line));
            }
            if contest.kind == RunKind::OneJob {
                text += &format!("{}\n\n", wording::kind(contest));
            }
            id = Some(&contest.id);
        }
        text += &contest_section(contest, &run.settings);
    }
    text += &key_exchange::section(run)
        .into_iter()
        .chain(thread_scaling::section(run))
        .map(|section| section.markdown())
        .collect::<String>();
    text += &how_to_use(run);
    text += &absent(run);
    text
}

/// The warnings as quotations; nothing when there is nothing.
pub(super) fn warnings(run: &Run) -> String {
    provenance::warnings(run).iter().map(|line| format!("> **Warning**: {}\n\n", escape(line))).collect()
}

fn facts(run: &Run) -> String {
    let mut text = format!("- Machine: {}\n", escape(&provenance::machine(&run.machine)));
    if !run.machine.features.is_empty() {
        text += &format!("- CPU features: {}\n", escape(&run.machine.features.join(" ")));
    }
    text += &format!("- Build: {}\n", escape(&provenance::build(&run.fairlane, &run.build)));
    text += &format!("- Measured: {}\n", escape(&provenance::measured(run)));
    text += &wording::ties(&run.contests).map(|ties| format!("- {ties}\n")).unwrap_or_default();
    text += &run.leaks.as_ref().map(|how| format!("- Secrets by time: {}\n", escape(how))).unwrap_or_default();
    text += &provenance::cycles(run).map(|why| format!("- Cycles: {why}\n")).unwrap_or_default();
    text.extend(provenance::on_request(run).into_iter().map(|(name, what)| format!("- {name}: {what}\n")));
    text + "\n"
}

/// The command that makes such a run again.
pub(super) fn again(command: &str) -> String {
    // An indented block needs no escapes.
    format!("Run it again:\n\n    {}\n\n", escape::plain(command))
}

fn contest_section(contest: &ContestResult, settings: &Settings) -> String {
    let mut text =
        format!("### {}\n\n", escape(&wording::size_and_threads(&contest.size, contest.unit, contest.threads)));
    text += &format!("{}\n\n", escape(&outcome(contest, settings)));
    if !contest.contestants.is_empty() {
        text += &contestants(contest);
        text.push('\n');
    }
    let notes = wording::notes(contest);
    for line in &notes {
        text += &format!("- {}\n", escape(line));
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    for out in &contest.disqualified {
        let who = escape(&format!("{} ({} {})", out.name, out.library, out.version));
        text += &format!("**Disqualified**: {who}: {}\n\n", escape(&out.why));
    }
    if !contest.contestants.is_empty() {
        text += &format!("{}\n\n", escape(&provenance::how_measured(contest)));
    }
    text
}

fn contestants(contest: &ContestResult) -> String {
    let shown = Column::shown(contest);
    let head: Vec<&str> = shown.iter().map(|column| column.name).collect();
    let right: Vec<&str> = shown.iter().filter(|column| column.number).map(|column| column.name).collect();
    let row = |c: &ContestantResult| shown.iter().map(|column| escape(&(column.cell)(contest, c))).collect();
    let rows: Vec<Vec<String>> = contest.contestants.iter().map(row).collect();
    table(&head, &right, &rows)
}

/// One way to use a contestant, and the contests in which that is it.
type Way<'a> = (&'a str, Vec<&'a str>);

/// How to use each contestant. A library may have a call for each algorithm: only then are the contests named.
fn how_to_use(run: &Run) -> String {
    let mut contestants: BTreeMap<&str, Vec<Way>> = BTreeMap::new();
    for contest in &run.contests {
        for c in contest.contestants.iter().filter(|c| !c.how_to_use.is_empty()) {
            let ways = contestants.entry(&c.name).or_default();
            match ways.iter_mut().find(|(how, _)| *how == c.how_to_use) {
                None => ways.push((&c.how_to_use, vec![&contest.id])),
                Some((_, ids)) if !ids.contains(&contest.id.as_str()) => ids.push(&contest.id),
                Some(_) => {}
            }
        }
    }
    if contestants.is_empty() {
        return String::new();
    }
    let several = contestants.values().any(|ways| ways.len() > 1);
    let mut rows = Vec::new();
    for (name, ways) in &contestants {
        for (how, ids) in ways {
            let contests = if ways.len() > 1 { ids.join(", ") } else { String::new() };
            rows.push(if several {
                vec![escape(name), escape(&contests), escape(how)]
            } else {
                vec![escape(name), escape(how)]
            });
        }
    }
    let head: &[&str] = if several { &["contestant", "contests", "how"] } else { &["contestant", "how"] };
    let note = if several { "A row that names no contest holds for all of them.\n\n" } else { "" };
    format!("## How to use them\n\n{note}{}\n", table(head, &[], &rows))
}

fn absent(run: &Run) -> String {
    if run.absent.is_empty() {
        return String::new();
    }
    let lines: String = run.absent.iter().map(|a| format!("- {}: {}\n", escape(&a.library), escape(&a.why))).collect();
    format!("## Unavailable libraries\n\n{lines}\n")
}
