//! Key exchange by its parts: key generation, encapsulation and decapsulation of a parameter set, their sum, what each has
//! of it, and how the levels compare.
//!
//! These numbers come from several contests, which share no rounds: their intervals are those of single rows, and what is
//! made of them takes in all that the rows allow.

use super::words::{self, escape, table};
use crate::contests::kem::Sizes;
use crate::engine::statistics::Enclosed;
use crate::run::{ContestResult, Run};

/// What an exchange is made of, and how a table calls it.
const PARTS: [(&str, &str); 3] =
    [("keygen", "key generation"), ("encaps", "encapsulation"), ("decaps", "decapsulation")];

/// One contestant's times of one parameter set.
struct Row<'a> {
    name: &'a str,
    parts: [Enclosed; 3],
    total: Enclosed,
    /// All in one contest, where that was run.
    exchange: Option<Enclosed>,
}

/// A parameter set at a number of threads, and who was timed in all its parts, the fastest first.
struct Set<'a> {
    algorithm: &'a str,
    threads: u32,
    sizes: Sizes,
    rows: Vec<Row<'a>>,
}

impl Set<'_> {
    /// `ML-KEM-768`.
    fn name(&self) -> String {
        self.algorithm.to_uppercase()
    }

    /// `ml-kem` and `768`.
    fn family_and_level(&self) -> (&str, &str) {
        self.algorithm.rsplit_once('-').unwrap_or_default()
    }
}

/// The tables; nothing where no parameter set has all its parts.
pub(super) fn render(run: &Run) -> String {
    let sets = sets(run);
    if sets.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "## Key exchange by its parts\n\nThe parts are the contests above, from bytes to bytes; the total is their sum. All \
         intervals of one contestant hold together with {} confidence. The contests ran one after the other and share no \
         rounds, so these intervals are wider than those of ratios, and a clock that moved is in them.\n\n",
        words::confidence(run.settings.confidence)
    );
    sets.iter().for_each(|set| text += &section(set));
    text + &levels(&sets)
}

fn sets(run: &Run) -> Vec<Set<'_>> {
    let mut sets: Vec<Set<'_>> = Vec::new();
    for contest in &run.contests {
        let Some((algorithm, _)) = contest.id.split_once('/') else { continue };
        let Some(sizes) = Sizes::of(algorithm) else { continue };
        if sets.iter().any(|set| (set.algorithm, set.threads) == (algorithm, contest.threads)) {
            continue;
        }
        sets.push(Set { algorithm, threads: contest.threads, sizes, rows: Vec::new() });
    }
    // Each median gets its share of the error.
    let medians = sets.len() * (PARTS.len() + 1);
    let error = (1.0 - run.settings.confidence) / medians.max(1) as f64;
    for set in &mut sets {
        let job = |job: &str| {
            let id = format!("{}/{job}", set.algorithm);
            run.contests.iter().find(|contest| contest.id == id && contest.threads == set.threads)
        };
        set.rows = rows(PARTS.map(|(part, _)| job(part)), job("exchange"), error);
    }
    sets.retain(|set| !set.rows.is_empty());
    sets
}

/// Who was timed in all parts.
fn rows<'a>(parts: [Option<&'a ContestResult>; 3], exchange: Option<&ContestResult>, error: f64) -> Vec<Row<'a>> {
    let [Some(keygen), Some(encaps), Some(decaps)] = parts else { return Vec::new() };
    let time = |contest: &ContestResult, name: &str| {
        let contestant = contest.contestants.iter().find(|contestant| contestant.name == name)?;
        Enclosed::of(&contestant.samples, error)
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

fn section(set: &Set) -> String {
    let Sizes { encapsulation_key, seeds, decapsulation_key, ciphertext, secret } = set.sizes;
    let threads = if set.threads == 1 { String::new() } else { format!(", {} threads", set.threads) };
    let mut text = format!(
        "### {}{threads}\n\nEncapsulation key {encapsulation_key} bytes, decapsulation key {seeds} (seeds) or \
         {decapsulation_key} (FIPS 203's own form), ciphertext {ciphertext}, secret {secret}.\n\n",
        set.name()
    );
    let together = set.rows.iter().any(|row| row.exchange.is_some());
    let mut head = vec!["contestant"];
    head.extend(PARTS.map(|(_, name)| name));
    head.extend(["total", "totals/s", "shares"]);
    if together {
        head.push("as one contest");
    }
    let cells = |row: &Row| {
        let mut cells = vec![escape(row.name)];
        cells.extend(row.parts.into_iter().chain([row.total]).map(words::enclosed_time));
        let a_second = row.total.inverse().times(1e9 * f64::from(set.threads));
        cells.push(words::enclosed(a_second));
        cells.push(shares(row));
        if together {
            cells.push(row.exchange.map(words::enclosed_time).unwrap_or_default());
        }
        cells
    };
    let rows: Vec<Vec<String>> = set.rows.iter().map(cells).collect();
    text += &table(&head, &head[1..], &rows);
    text + "\n"
}

/// What each part has of the total, in per cent: `31.2, 33.1, 35.7 %`.
fn shares(row: &Row) -> String {
    let each = row.parts.map(|part| format!("{:.1}", 100.0 * part.median / row.total.median));
    format!("{} %", each.join(", "))
}

/// A level's total over that of the family's first, and over that of the other family's same level.
fn levels(sets: &[Set]) -> String {
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
            let ratio = |name: &&str| Some(words::ratio(&total(set, name)?.over(total(base, name)?)));
            let threads = if set.threads == 1 { String::new() } else { format!(", {} threads", set.threads) };
            columns.push((format!("{} over {}{threads}", set.name(), base.name()), names.iter().map(ratio).collect()));
        }
    }
    columns.retain(|(_, cells)| cells.iter().any(Option::is_some));
    if columns.is_empty() {
        return String::new();
    }
    let mut head = vec!["contestant"];
    head.extend(columns.iter().map(|(name, _)| name.as_str()));
    let row = |(at, name): (usize, &&str)| {
        let cells = columns.iter().map(|(_, cells)| cells[at].clone().unwrap_or_default());
        std::iter::once(escape(name)).chain(cells).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = names.iter().enumerate().map(row).collect();
    let rows: Vec<Vec<String>> = rows.into_iter().filter(|row| row[1..].iter().any(|cell| !cell.is_empty())).collect();
    format!("### Totals of one level over another\n\n{}\n", table(&head, &head[1..], &rows))
}
