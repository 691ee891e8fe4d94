//! The pictures of a run as files of their own: the line charts of its contests, and the ratios of every heat.

use super::group::groups;
use super::svg::Picture;
use super::{dot_plot, ratio_curves};
use crate::report::wording;
use crate::run::{ContestResult, Run};

/// The names of all pictures of a run, without an ending: lower-case letters, digits and `-`, each unique in the run.
/// Of each contest first its line charts, then the ratios of each heat.
pub fn figure_names(run: &Run) -> Vec<String> {
    drawings(run).into_iter().map(|(name, _)| name).collect()
}

/// One picture of a run as an SVG file that needs nothing beside it, light or dark as its reader wishes; `None` if none
/// has that name.
pub fn figure(run: &Run, name: &str) -> Option<String> {
    let day = run.started.split('T').next().unwrap_or_default();
    let source = format!("{}, {day}, fairlane {}", run.machine.cpu, run.fairlane);
    let (_, drawing) = drawings(run).into_iter().find(|(known, _)| known == name)?;
    let picture = match drawing {
        Drawing::Lines(picture) => picture,
        Drawing::Dots(heat) => dot_plot::dot_plot(heat, &run.settings)?,
    };
    Some(picture.alone(&source))
}

/// A picture, or the heat that it is to be drawn of.
enum Drawing<'a> {
    Lines(Picture),
    Dots(&'a ContestResult),
}

/// All pictures of a run, by name.
fn drawings(run: &Run) -> Vec<(String, Drawing<'_>)> {
    let mut drawings: Vec<(String, Drawing)> = Vec::new();
    let mut add = |words: &str, drawing| {
        let plain = file_name(words);
        let (mut name, mut n) = (plain.clone(), 1);
        while drawings.iter().any(|(known, _)| *known == name) {
            n += 1;
            name = format!("{plain}-{n}");
        }
        drawings.push((name, drawing));
    };
    for group in groups(run) {
        for chart in ratio_curves::charts(&group) {
            let Some(mut picture) = chart.draw() else { continue };
            picture.title = format!("{}. {}", group.id, picture.title);
            add(&format!("{} {}", group.id, chart.name), Drawing::Lines(picture));
        }
        for heat in group.heats.iter().filter(|heat| !heat.contestants.is_empty()) {
            add(&wording::contest(heat), Drawing::Dots(heat));
        }
    }
    drawings
}

/// Words as a file name: what is no letter or digit becomes `-`.
fn file_name(words: &str) -> String {
    let lower = words.to_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let name = parts.collect::<Vec<_>>().join("-");
    if name.is_empty() { "figure".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_good_for_files() {
        assert_eq!(file_name("sm4/ecb-encrypt, 16 KiB"), "sm4-ecb-encrypt-16-kib");
        assert_eq!(file_name("../../etc/\u{fc}\n"), "etc");
        assert_eq!(file_name("…"), "figure");
    }
}
