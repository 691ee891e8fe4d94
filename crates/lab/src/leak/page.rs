//! A Markdown page of a search: a template in which `{{…}}` stands for what was found, as `docs/results/leak.md` is
//! made.
//!
//! | expression | filled in |
//! | --- | --- |
//! | `date`, `machine`, `build`, `command` | when, where and how the search was made |
//! | `disturbed` | the share of probes that were disturbed before it |
//! | `contests` | how many contests were searched, and which |
//! | `samples` | how many pairs of classes and samples there are, in a sentence or two |
//! | `chance` | how often chance calls a pair told apart |
//! | `verdicts` | for each label how many pairs were told apart, as a list |
//! | `controls` | what was found of the controls, as a list |
//! | `libraries` | a table: each library by label, with the range of what would have been found |
//! | `apart` | a table of all that were told apart |

use super::found::{ContestLeaks, Control, Leaks, Searched, State, Verdict, found_from, samples, telling};
use super::wording::{difference, must, ns, words};
use crate::contest::Label;
use crate::report::escape::{escape, plain, table};
use crate::report::{numbers, provenance, template, wording};

/// Fills in a template.
///
/// # Errors
/// The first expression that is none, with its line.
pub fn fill(text: &str, leaks: &Leaks) -> Result<String, String> {
    template::fill_with(text, |expression| evaluate(expression.trim(), leaks))
}

fn evaluate(expression: &str, leaks: &Leaks) -> Result<String, String> {
    Ok(match expression {
        "date" => template::date(&leaks.started),
        "machine" => escape(&provenance::machine(&leaks.machine)),
        "build" => escape(&provenance::build(&leaks.fairlane, &leaks.build)),
        "command" => plain(&leaks.settings.command),
        "disturbed" => template::disturbed(&leaks.machine)?,
        "contests" => contests(leaks),
        "samples" => counts(leaks),
        "chance" => chance(leaks),
        "verdicts" => verdicts(leaks),
        "controls" => controls(leaks),
        "libraries" => libraries(leaks),
        "apart" => apart(leaks),
        _ => return Err("no such expression".to_owned()),
    })
}

/// All pairs of classes, each with its contest.
fn pairs(leaks: &Leaks) -> impl Iterator<Item = (&ContestLeaks, &Searched)> {
    leaks.contests.iter().flat_map(|contest| contest.contestants.iter().map(move |one| (contest, one)))
}

/// What a contestant says of itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    ConstantTime,
    NotConstantTime,
    Nothing,
}

impl Claim {
    const ALL: [Self; 3] = [Self::ConstantTime, Self::NotConstantTime, Self::Nothing];

    fn of(one: &Searched) -> Self {
        if one.labels.contains(&Label::ConstantTime) {
            Self::ConstantTime
        } else if one.labels.contains(&Label::NotConstantTime) {
            Self::NotConstantTime
        } else {
            Self::Nothing
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::ConstantTime => "constant time",
            Self::NotConstantTime => "not constant time",
            Self::Nothing => "none: written to be read",
        }
    }
}

fn contests(leaks: &Leaks) -> String {
    let mut ids: Vec<String> = leaks.contests.iter().map(|contest| format!("`{}`", contest.id)).collect();
    ids.dedup();
    format!("{} contests were searched: {}", ids.len(), wording::list(&ids))
}

fn counts(leaks: &Leaks) -> String {
    let each: Vec<usize> = pairs(leaks).map(|(_, one)| samples(&one.states)).collect();
    let dropped: usize = pairs(leaks).map(|(_, one)| one.dropped).sum();
    let settings = &leaks.settings;
    format!(
        "{} pairs of classes have {} clean samples in all: {} a pair, or as many as {} seconds gave (at least {}). {} \
         samples were dropped because a neighbour disturbed them.",
        each.len(),
        rounded(each.iter().sum()),
        numbers::number(settings.samples as f64),
        settings.seconds,
        numbers::number(each.iter().copied().min().unwrap_or(0) as f64),
        rounded(dropped),
    )
}

/// A large count in millions.
fn rounded(count: usize) -> String {
    match count {
        1_000_000.. => format!("{:.1} million", count as f64 / 1e6),
        _ => numbers::number(count as f64),
    }
}

fn chance(leaks: &Leaks) -> String {
    let (settings, count) = (&leaks.settings, pairs(leaks).count());
    format!(
        "Chance calls a pair told apart at a rate of {:e}, and any of these {count} at {:.1e} at most",
        settings.false_alarms,
        settings.false_alarms * count as f64
    )
}

fn verdicts(leaks: &Leaks) -> String {
    let line = |claim: Claim| {
        let of_claim: Vec<&Searched> = pairs(leaks).map(|(_, one)| one).filter(|one| Claim::of(one) == claim).collect();
        let count = |verdict| of_claim.iter().filter(|one| one.verdict == verdict).count();
        let ours = of_claim.iter().filter(|one| one.library == "fairlane").count();
        let label = match claim {
            Claim::Nothing => "without a label".to_owned(),
            claim => format!("labelled *{}*", claim.words()),
        };
        let mut line = format!(
            "- Of {} pairs {label}, {} were told apart, {} were not, and {} are undecided",
            of_claim.len(),
            count(Verdict::ToldApart),
            count(Verdict::NotToldApart),
            count(Verdict::Undecided),
        );
        if count(Verdict::Failed) > 0 {
            line += &format!("; {} were not measured", count(Verdict::Failed));
        }
        if ours > 0 {
            line += &format!("; {ours} of the pairs are fairlane's");
        }
        (!of_claim.is_empty()).then_some(line + ".")
    };
    Claim::ALL.into_iter().filter_map(line).collect::<Vec<_>>().join("\n")
}

fn controls(leaks: &Leaks) -> String {
    let line = |control: &Control| {
        let score = telling(control.verdict, &control.states).map_or(0.0, |found| found.finding.score);
        let (name, verdict) = (escape(&control.name), words(control.verdict));
        format!("- {name}: {verdict}, {}; z-score {score:.1}", must(control))
    };
    leaks.controls.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn libraries(leaks: &Leaks) -> String {
    let mut groups: Vec<(String, Claim, Vec<&Searched>)> = Vec::new();
    for (_, one) in pairs(leaks) {
        let (name, claim) = (format!("{} {}", one.library, one.version), Claim::of(one));
        match groups.iter_mut().find(|(of, said, _)| *of == name && *said == claim) {
            Some((_, _, all)) => all.push(one),
            None => groups.push((name, claim, vec![one])),
        }
    }
    groups.sort_by_key(|(name, claim, _)| (!name.starts_with("fairlane "), *claim, name.clone()));
    let rows: Vec<Vec<String>> = groups
        .into_iter()
        .map(|(name, claim, all)| {
            let mut found: Vec<f64> = all.iter().filter_map(|one| found_from(&one.states)).collect();
            found.sort_by(f64::total_cmp);
            let range = match (found.first(), found.last()) {
                (Some(least), Some(most)) => format!("{} to {}", ns(*least), ns(*most)),
                _ => String::new(),
            };
            let count = |verdict| all.iter().filter(|one| one.verdict == verdict).count().to_string();
            vec![
                escape(&name),
                claim.words().to_owned(),
                all.len().to_string(),
                count(Verdict::ToldApart),
                count(Verdict::Undecided),
                range,
            ]
        })
        .collect();
    let head = ["library", "label", "pairs", "told apart", "undecided", "smallest detectable shift, ns"];
    table(&head, &head[2..], &rows).trim_end().to_owned()
}

fn apart(leaks: &Leaks) -> String {
    let rows: Vec<Vec<String>> = pairs(leaks)
        .filter(|(_, one)| one.verdict == Verdict::ToldApart)
        .filter_map(|(contest, one)| {
            let found = telling(one.verdict, &one.states)?;
            Some(vec![
                contest.id.clone(),
                contest.secret.to_string(),
                escape(&one.name),
                Claim::of(one).words().to_owned(),
                difference(found),
                if found.state == State::Emptied { "emptied" } else { "as left" }.to_owned(),
                format!("{:.1}", found.finding.score),
            ])
        })
        .collect();
    let head = ["contest", "secret", "contestant", "label", "difference, ns", "first cache", "z-score"];
    table(&head, &["difference, ns", "z-score"], &rows).trim_end().to_owned()
}
