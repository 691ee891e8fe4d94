//! Key exchange by its parts: key generation, encapsulation and decapsulation of a parameter set, their sum, the share
//! of each, and the ratios between levels.
//!
//! These numbers come from several contests, which share no rounds: their intervals are those of single rows, and what
//! is made of them (sums, shares, quotients) takes in all that the rows allow.

use super::numbers;
use super::section::{Cell, Section, Table};
use crate::contest::{Algorithm, ContestId, Job};
use crate::contests::kem::Sizes;
use crate::engine::statistics::Enclosed;
use crate::run::{ContestResult, Run};
use fairlane_reference::kem::Params;

/// The parts of an exchange, with their names in the table.
const PARTS: [(Job, &str); 3] =
    [(Job::Keygen, "key generation"), (Job::Encaps, "encapsulation"), (Job::Decaps, "decapsulation")];

/// One contestant's times of one parameter set.
struct Row<'a> {
    name: &'a str,
    parts: [Enclosed; 3],
    total: Enclosed,
    /// All in one contest, where that was run.
    exchange: Option<Enclosed>,
}

/// A parameter set at a number of threads, and the contestants that were timed in all its parts, the fastest first.
struct Set<'a> {
    params: Params,
    threads: u32,
    sizes: Sizes,
    rows: Vec<Row<'a>>,
}

impl Set<'_> {
    /// `ML-KEM-768`.
    fn name(&self) -> &'static str {
        self.params.name()
    }

    /// Whether it is ML-KEM, and the rank of its module.
    fn family_and_level(&self) -> (bool, usize) {
        (Algorithm::Kem(self.params).ml_kem().is_some(), self.params.k())
    }
}

/// The section; `None` if no parameter set has all its parts.
pub(super) fn section(run: &Run) -> Option<Section> {
    let sets = sets(run);
    if sets.is_empty() {
        return None;
    }
    let about = format!(
        "The parts are the contests of these names, from bytes to bytes; the total is their sum, and beside a part \
         stands \
         its share of it. All intervals of one contestant hold together with {} confidence. The contests ran one after \
         the other and share no rounds, so sums and shares take in all that the intervals of the parts allow: they are \
         wider than those of ratios, and a clock that moved is in them.",
        numbers::confidence(run.settings.confidence)
    );
    let tables = sets.iter().map(parts).chain(levels(&sets)).collect();
    Some(Section { title: "Key exchange by its parts", about, tables })
}

fn sets(run: &Run) -> Vec<Set<'_>> {
    let mut sets: Vec<Set<'_>> = Vec::new();
    for contest in &run.contests {
        let Some(algorithm) = contest.id.value().map(|id| id.algorithm) else { continue };
        let Some((params, sizes)) = algorithm.params().zip(Sizes::of(algorithm)) else { continue };
        if sets.iter().any(|set| (set.params, set.threads) == (params, contest.threads)) {
            continue;
        }
        sets.push(Set { params, threads: contest.threads, sizes, rows: Vec::new() });
    }
    // Each median gets its share of the error.
    let medians = sets.len() * (PARTS.len() + 1);
    let error = (1.0 - run.settings.confidence) / medians.max(1) as f64;
    for set in &mut sets {
        let job = |job: Job| {
            let id = ContestId::new(Algorithm::Kem(set.params), job);
            run.contests.iter().find(|contest| contest.id.value() == Some(&id) && contest.threads == set.threads)
        };
        set.rows = rows(PARTS.map(|(part, _)| job(part)), job(Job::Exchange), error);
    }
    sets.retain(|set| !set.rows.is_empty());
    sets
}

/// The contestants that were timed in all parts.
fn rows<'a>(parts: [Option<&'a ContestResult>; 3], exchange: Option<&ContestResult>, error: f64) -> Vec<Row<'a>> {
    let [Some(keygen), Some(encaps), Some(decaps)] = parts else { return Vec::new() };
    let time = |contest: &ContestResult, name: &str| {
        let contestant = contest.contestants.iter().find(|contestant| contestant.name == name)?;
        contest.enclosed_time_of(contestant, error)
    };
    let row = |name: &'a str| {
        let parts = [time(keygen, name)?, time(encaps, name)?, time(decaps, name)?];
        let [first, second, third] = parts;
        let total = first.plus(second).plus(third);
        Some(Row { name, parts, total, exchange: exchange.and_then(|contest| time(contest, name)) })
    };
    let mut rows: Vec<Row<'a>> = keygen.contestants.iter().filter_map(|contestant| row(&contestant.name)).collect();
    rows.sort_by(|a, b| a.total.median.total_cmp(&b.total.median));
    rows
}

fn parts(set: &Set) -> Table {
    let Sizes { encapsulation_key, seeds, decapsulation_key, ciphertext, secret } = set.sizes;
    let together = set.rows.iter().any(|row| row.exchange.is_some());
    let mut head = vec!["contestant"];
    head.extend(PARTS.map(|(_, name)| name));
    head.extend(["total", "totals/s"]);
    if together {
        head.push("as one contest");
    }
    let cells = |row: &Row| {
        let mut cells = vec![Cell::from(row.name.to_owned())];
        cells.extend((0..PARTS.len()).map(|part| Cell {
            number: numbers::enclosed_time(row.parts[part]),
            beside: Some(format!("{} %", numbers::enclosed(share(row.parts, part).times(100.0)))),
        }));
        cells.push(numbers::enclosed_time(row.total).into());
        let a_second = row.total.inverse().times(1e9 * f64::from(set.threads));
        cells.push(numbers::enclosed(a_second).into());
        if together {
            cells.push(row.exchange.map(numbers::enclosed_time).unwrap_or_default().into());
        }
        cells
    };
    Table {
        title: format!("{}{}", set.name(), threads(set)),
        note: format!(
            "Encapsulation key {encapsulation_key} bytes, decapsulation key {seeds} (seeds) or {decapsulation_key} \
             (FIPS 203's own form), ciphertext {ciphertext}, secret {secret}."
        ),
        head: head.into_iter().map(str::to_owned).collect(),
        rows: set.rows.iter().map(cells).collect(),
    }
}

/// A part's share of the total; its lower end is that of the least part among the largest others.
fn share(parts: [Enclosed; 3], part: usize) -> Enclosed {
    let own = parts[part];
    let [low, median, high] = [|x: Enclosed| x.low, |x: Enclosed| x.median, |x: Enclosed| x.high];
    let of = |own: f64, end: fn(Enclosed) -> f64| {
        let others: f64 = (0..parts.len()).filter(|other| *other != part).map(|other| end(parts[other])).sum();
        own / (own + others)
    };
    Enclosed { low: of(own.low, high), median: of(own.median, median), high: of(own.high, low) }
}

/// `, 2 threads`, of which one is not worth a word.
fn threads(set: &Set) -> String {
    if set.threads == 1 { String::new() } else { format!(", {} threads", set.threads) }
}

/// A level's total over that of the family's first, and over that of the other family's same level.
fn levels(sets: &[Set]) -> Option<Table> {
    let mut columns: Vec<(String, Vec<Option<String>>)> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for row in sets.iter().flat_map(|set| &set.rows) {
        if !names.contains(&row.name) {
            names.push(row.name);
        }
    }
    for (at, set) in sets.iter().enumerate() {
        let (family, level) = set.family_and_level();
        let before = sets[..at].iter().filter(|other| other.threads == set.threads);
        let first = before.clone().find(|other| other.family_and_level().0 == family);
        let other = before.clone().find(|other| other.family_and_level().1 == level);
        for base in [first, other].into_iter().flatten() {
            let total = |set: &Set, name: &str| set.rows.iter().find(|row| row.name == name).map(|row| row.total);
            let ratio = |name: &&str| Some(numbers::ratio(&total(set, name)?.over(total(base, name)?)));
            let title = format!("{} over {}{}", set.name(), base.name(), threads(set));
            columns.push((title, names.iter().map(ratio).collect()));
        }
    }
    columns.retain(|(_, cells)| cells.iter().any(Option::is_some));
    if columns.is_empty() {
        return None;
    }
    let held = |at: &usize| columns.iter().any(|(_, cells)| cells[*at].is_some());
    let row = |at: usize| {
        let cells = columns.iter().map(|(_, cells)| cells[at].clone().unwrap_or_default());
        std::iter::once(names[at].to_owned()).chain(cells).map(Cell::from).collect()
    };
    Some(Table {
        title: "Totals of one level over another".to_owned(),
        note: String::new(),
        head: std::iter::once("contestant".to_owned()).chain(columns.iter().map(|(name, _)| name.clone())).collect(),
        rows: (0..names.len()).filter(held).map(row).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_takes_in_what_its_parts_allow() {
        let part = |low, median, high| Enclosed { low, median, high };
        let parts = [part(1.0, 2.0, 3.0), part(2.0, 3.0, 4.0), part(4.0, 5.0, 6.0)];
        assert_eq!(share(parts, 0), Enclosed { low: 1.0 / 11.0, median: 0.2, high: 3.0 / 9.0 });
        assert_eq!(share(parts, 2), Enclosed { low: 4.0 / 11.0, median: 0.5, high: 6.0 / 9.0 });
    }
}
