//! Markup without what HTML lets one leave out: ends of table cells, rows and bodies, quotes around plain words, and
//! the ends of empty elements in pictures. A page has tens of thousands of them, a third of its size.

/// Ends that the next beginning, or the end of the table, implies.
const IMPLIED: [&str; 5] = ["/td", "/th", "/tr", "/thead", "/tbody"];
/// Elements of pictures that may be empty.
const EMPTY: [&str; 4] = ["/circle", "/path", "/rect", "/use"];

/// The same document in fewer bytes. In the markup no `<` or `>` stands outside of tags, as `maud` makes it.
pub(super) fn minify(markup: &str) -> String {
    let mut minified = String::with_capacity(markup.len());
    for piece in markup.split_inclusive('>') {
        let Some((text, tag)) = piece.split_once('<') else {
            minified += piece;
            continue;
        };
        minified += text;
        let name = tag.trim_end_matches('>');
        if IMPLIED.contains(&name) {
            continue;
        }
        if EMPTY.contains(&name) && text.is_empty() {
            minified.truncate(minified.len() - 1);
            // A slash that follows a word would be of it.
            minified += if minified.ends_with('"') { "/>" } else { " />" };
            continue;
        }
        minified.push('<');
        unquote(tag, &mut minified);
    }
    minified
}

/// A tag with quotes only around what needs them.
fn unquote(tag: &str, minified: &mut String) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-#".contains(c);
    let mut rest = tag;
    while let Some((before, quoted)) = rest.split_once("=\"") {
        let Some((value, after)) = quoted.split_once('"') else { break };
        let quote = if !value.is_empty() && value.chars().all(is_plain) { "" } else { "\"" };
        minified.extend([before, "=", quote, value, quote]);
        rest = after;
    }
    minified.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_implied_is_left_out() {
        let table = r##"<table class="map"><tbody><tr><td class="n x">1 &lt; 2</td><td></td></tr></tbody></table> b"##;
        assert_eq!(minify(table), r#"<table class=map><tbody><tr><td class="n x">1 &lt; 2<td></table> b"#);
        let picture = r##"<svg id="a"><use href="#b"></use><path d="M1 2"></path><rect></rect></svg>"##;
        assert_eq!(minify(picture), r##"<svg id=a><use href=#b /><path d="M1 2"/><rect /></svg>"##);
        assert_eq!(minify(r#"<a href="">=&quot;x&quot;</a>"#), r#"<a href="">=&quot;x&quot;</a>"#);
    }
}
