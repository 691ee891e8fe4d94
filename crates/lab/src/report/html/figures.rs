//! The pictures of a run as files of their own: every curve of its contests, and the ratios of every heat.

use super::picture::Picture;
use super::{contest, curves, ratios};
use crate::report::words;
use crate::run::Run;

/// A picture as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What to call it, without an ending: lower-case letters, digits and `-`, unique in its run.
    pub name: String,
    /// The file: SVG that needs nothing beside it, light or dark as its reader wishes.
    pub svg: String,
}

/// Every picture of a run: of each contest first its curves, then a picture a heat.
pub fn figures(run: &Run) -> Vec<Figure> {
    let day = run.started.split('T').next().unwrap_or_default();
    let source = format!("{}, {day}, fairlane {}", run.machine.cpu, run.fairlane);
    let mut figures: Vec<Figure> = Vec::new();
    let mut add = |words: &str, picture: Picture| {
        let plain = file_name(words);
        let (mut name, mut n) = (plain.clone(), 1);
        while figures.iter().any(|figure| figure.name == name) {
            n += 1;
            name = format!("{plain}-{n}");
        }
        figures.push(Figure { name, svg: picture.alone(&source) });
    };
    for group in contest::groups(run) {
        for chart in curves::charts(&group) {
            let Some(mut picture) = chart.draw() else { continue };
            picture.title = format!("{}. {}", group.id, picture.title);
            add(&format!("{} {}", group.id, chart.name), picture);
        }
        for heat in group.heats {
            let Some(picture) = ratios::ratios(heat, &run.settings) else { continue };
            add(&words::contest(heat), picture);
        }
    }
    figures
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
