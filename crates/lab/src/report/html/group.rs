//! The heats of a run, grouped by contest, and what links to them name.

use crate::run::{ContestResult, Run};

/// The heats of one contest.
pub(super) struct Group<'a> {
    /// Its place among the contests of the page.
    pub(super) n: usize,
    pub(super) id: &'a str,
    pub(super) suite: &'a str,
    pub(super) heats: Vec<&'a ContestResult>,
}

/// The contests of a run, in its order.
pub(super) fn groups(run: &Run) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for heat in &run.contests {
        match groups.iter_mut().find(|group| group.id == heat.id && group.suite == heat.suite) {
            Some(group) => group.heats.push(heat),
            None => groups.push(Group { n: groups.len(), id: &heat.id, suite: &heat.suite, heats: vec![heat] }),
        }
    }
    groups
}

/// What a link to a contest names.
pub(super) fn anchor(n: usize) -> String {
    format!("c{n}")
}

/// What a link to one heat of a contest names.
pub(super) fn heat_anchor(n: usize, k: usize) -> String {
    format!("c{n}-{k}")
}
