//! Text made safe for where it is written (Markdown, a shell), and Markdown tables.

pub use fairlane_common::terminal::{plain, reason, steers};

/// The beginning of a text of others that a message quotes: at most 500 bytes.
pub fn short(text: &str) -> String {
    const MOST: usize = 500;
    match (0..=MOST).rev().find(|&at| text.is_char_boundary(at)) {
        Some(end) if text.len() > MOST => format!("{}…", &text[..end]),
        _ => text.to_owned(),
    }
}

/// Text that may stand anywhere in Markdown, table cells too: markup is escaped, line ends become spaces.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '<' | '>' | '|' | '~' => escaped.extend(['\\', c]),
            // Only so does a bracket make a link; elsewhere intervals stay readable.
            '(' if escaped.ends_with(']') => escaped.push_str("\\("),
            c if steers(c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A word as a shell takes it: as it is, or quoted. Control characters become spaces.
pub fn shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-+,@%:=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", plain(word).replace('\'', r"'\''"))
}

/// A Markdown table; the columns named in `right` are numbers. Cells come escaped.
pub fn table(head: &[&str], right: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(head.to_vec());
    text += &line(head.iter().map(|name| if right.contains(name) { "---:" } else { "---" }).collect());
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_sees_one_word() {
        assert_eq!(shell("keccak256/message"), "keccak256/message");
        assert_eq!(shell("a; b 'c'\n"), r"'a; b '\''c'\'' '");
        assert_eq!(shell(""), "''");
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escape("a|b\nc`d"), "a\\|b c\\`d");
        assert_eq!(escape("[1, 2] [x](y)"), "[1, 2] [x]\\(y)");
        assert_eq!(escape("gnp.\u{202e}exe"), "gnp. exe");
    }
}
