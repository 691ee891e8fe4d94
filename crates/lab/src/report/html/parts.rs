//! Small parts of pages that several of their sections need.

use maud::{Markup, html};

/// Without what neither HTML nor XML allows: names from a file may hold anything, control characters too.
pub(super) fn clean(text: &str) -> String {
    let is_odd = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(is_odd, " ")
}

/// The items in their order, without repetitions.
pub(super) fn each_once<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for item in items {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

/// A line of shell, which the script gives a button to copy it.
pub(super) fn command(line: &str) -> Markup {
    html! { p.command { code { (line) } } }
}

/// A table or picture that is wider than a narrow screen scrolls in itself, by keyboard too.
pub(super) fn scrolling(label: &str, content: &Markup) -> Markup {
    html! { div.scroll role="region" aria-label=(label) tabindex="0" { (content) } }
}
