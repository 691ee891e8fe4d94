//! Shows the image of an encapsulation key on a terminal with true colour.

use super::image::Image;
use crate::output::width;
use fairlane::sealed::Recipient;
use std::env;
use std::fmt::Write;
use std::io::{self, IsTerminal};

/// The key's image as text; empty unless standard output is a terminal with true colour that is wide enough.
pub(super) fn preview(recipient: &Recipient) -> String {
    let image = Image::of(recipient.as_bytes());
    let wanted = io::stdout().is_terminal() && has_true_colour(|name| env::var(name).ok()) && image.width <= width();
    if wanted { text(&image) } else { String::new() }
}

/// Whether the terminal has true colour by its `COLORTERM`, and the user has not set `NO_COLOR` (no-color.org).
fn has_true_colour(variable: impl Fn(&str) -> Option<String>) -> bool {
    let unwanted = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !unwanted && variable("COLORTERM").is_some_and(|value| ["truecolor", "24bit"].contains(&value.as_str()))
}

/// Renders two rows of pixels in each line: the upper one as the foreground of a half block, the lower one as its
/// background.
fn text(image: &Image) -> String {
    let rows: Vec<&[[u8; 3]]> = image.pixels.as_chunks().0.chunks_exact(image.width).collect();
    let mut text = String::new();
    for pair in rows.chunks(2) {
        for x in 0..image.width {
            let [r, g, b] = pair[0][x];
            let _ = write!(text, "\x1b[38;2;{r};{g};{b}");
            if let Some([r, g, b]) = pair.get(1).map(|row| row[x]) {
                let _ = write!(text, ";48;2;{r};{g};{b}");
            }
            text.push_str("m\u{2580}");
        }
        text.push_str("\x1b[0m\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_if_available_and_wanted() {
        let says = |colorterm: &'static str, no_color: &'static str| {
            has_true_colour(move |name| match name {
                "COLORTERM" => Some(colorterm.to_owned()),
                _ => Some(no_color.to_owned()),
            })
        };
        assert!(says("truecolor", "") && says("24bit", ""));
        assert!(!says("truecolor", "1") && !says("yes", "") && !says("", ""));
        assert!(!has_true_colour(|_| None));
    }

    #[test]
    fn two_rows_are_a_line() {
        let image = Image { width: 1, pixels: vec![1, 2, 3, 4, 5, 6, 7, 8, 9] };
        let expected = "\x1b[38;2;1;2;3;48;2;4;5;6m▀\x1b[0m\n\x1b[38;2;7;8;9m▀\x1b[0m\n";
        assert_eq!(text(&image), expected);
    }
}
