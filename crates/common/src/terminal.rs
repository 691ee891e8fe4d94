//! Text for a terminal: without what could steer it, aligned columns, wrapped lines, shortened names.

use std::{io, mem};

/// Text in which every character that [`steers`] is a space.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if steers(c) { ' ' } else { c }).collect()
}

/// Whether a character in a name from a file could steer a terminal, or make the text around it seem to be in another
/// order: control characters, and the marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm
/// (UAX #9, section 2).
pub fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What the system says of an error, without Rust's ` (os error 2)`.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}

/// Which edge the cells of a column share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Words begin together.
    Left,
    /// Numbers end together.
    Right,
}

/// The widest cell of a column, in characters.
pub fn width(column: &[String]) -> usize {
    column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0)
}

/// The width up to which cells are aligned; only names that somebody made up are longer, and stand as they are.
const ALIGNED: usize = 200;

/// Columns as lines, two spaces before each column; a column of empty cells takes no room.
pub fn lines(columns: &[(Edge, Vec<String>)]) -> String {
    let rows = columns.iter().map(|(_, cells)| cells.len()).max().unwrap_or(0);
    let columns: Vec<_> = columns.iter().map(|(edge, cells)| (edge, cells, width(cells).min(ALIGNED))).collect();
    let mut text = String::new();
    for row in 0..rows {
        let mut line = String::new();
        for &(edge, cells, width) in columns.iter().filter(|(_, _, width)| *width > 0) {
            let cell = &cells[row];
            line += &match edge {
                Edge::Left => format!("  {cell:<width$}"),
                Edge::Right => format!("  {cell:>width$}"),
            };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Breaks a sentence between words into lines of at most `width`, each behind `indent` spaces; a longer word stands
/// alone. Control characters become spaces, so that a name from a file cannot steer a terminal.
pub fn wrap(sentence: &str, width: usize, indent: usize) -> String {
    fill(plain(sentence).split_whitespace(), " ", width, indent)
}

/// Puts items with a separator between them into lines of at most `width` characters, each behind `indent` spaces; no
/// item is broken.
pub fn fill<'a>(items: impl IntoIterator<Item = &'a str>, between: &str, width: usize, indent: usize) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for item in items {
        let [before, own] = [&line, item].map(|text| text.chars().count());
        if !line.is_empty() && indent + before + between.len() + own > width {
            text += &format!("{:indent$}{line}\n", "");
            line.clear();
        }
        if !line.is_empty() {
            line += between;
        }
        line += item;
    }
    text + &format!("{:indent$}{line}\n", "")
}

/// Breaks a name into parts of at most `width` characters, behind spaces, commas and slashes where it can be.
pub fn fold(name: &str, width: usize) -> Vec<String> {
    let count = |text: &str| text.chars().count();
    let (mut parts, mut part) = (Vec::new(), String::new());
    for word in name.split_inclusive([' ', '/', ',']) {
        if !part.is_empty() && count(&part) + count(word.trim_end()) > width {
            parts.push(mem::take(&mut part));
        }
        for char in word.chars() {
            if count(&part) >= width && char != ' ' {
                parts.push(mem::take(&mut part));
            }
            part.push(char);
        }
    }
    parts.push(part);
    parts.into_iter().map(|part| part.trim_end().to_owned()).collect()
}

/// A text without its ANSI colours.
pub fn uncoloured(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

/// A name in at most `width` characters, its end replaced by `…` where it is longer.
pub fn shorten(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    name.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_a_terminal() {
        assert_eq!(plain("\u{2066}a\u{1b}[2Jb\u{200f}"), " a [2Jb ");
    }

    #[test]
    fn reasons_are_the_systems_words() {
        let missing = std::fs::File::open("/no/such/file").unwrap_err();
        assert!(missing.to_string().contains("os error"));
        assert!(!reason(&missing).contains("os error"));
        assert_eq!(reason(&io::Error::other("plain words")), "plain words");
    }

    #[test]
    fn columns_share_an_edge() {
        let column = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let columns =
            [(Edge::Left, column(["a", "bcd"])), (Edge::Left, column(["", ""])), (Edge::Right, column(["1", "200"]))];
        assert_eq!(lines(&columns), "  a      1\n  bcd  200\n");
    }

    #[test]
    fn sentences_break_between_words() {
        assert_eq!(wrap("one two three\nfour", 9, 2), "  one two\n  three\n  four\n");
        assert_eq!(shorten("keccak-asm", 6), "kecca…");
    }

    #[test]
    fn names_are_folded_and_lose_nothing() {
        assert_eq!(fold("libgcrypt (installed)", 12), ["libgcrypt", "(installed)"]);
        assert_eq!(fold("fairlane/avx512-vbmi", 16), ["fairlane/", "avx512-vbmi"]);
        assert_eq!(fold("keccak256", 4), ["kecc", "ak25", "6"]);
        assert_eq!(fold("sm3", 4), ["sm3"]);
        assert_eq!(fold("", 4), [""]);
    }
}
