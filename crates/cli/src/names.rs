//! File names as bytes, and quoted for messages.

use fairlane_common::terminal::steers;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;

/// The bytes of a file name.
pub(crate) fn to_bytes(name: &OsStr) -> &[u8] {
    name.as_encoded_bytes()
}

/// The file name with these bytes, if the system allows such a name.
#[cfg(unix)]
pub(crate) fn from_bytes(name: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(name))
}

/// The file name with these bytes, if the system allows such a name.
#[cfg(not(unix))]
pub(crate) fn from_bytes(name: Vec<u8>) -> Option<OsString> {
    String::from_utf8(name).ok().map(OsString::from)
}

/// Formats a name on one line: unchanged if it is plain, otherwise quoted for a shell.
pub(crate) fn quote(name: &OsStr) -> String {
    if let Some(text) = name.to_str() {
        if !text.is_empty() && text.chars().all(is_plain) {
            return text.to_owned();
        }
        if text.contains('\'') && text.chars().all(|c| is_plain(c) || c == '\'' || c == ' ') {
            return format!("\"{text}\"");
        }
    }
    let mut quoted = String::from("'");
    for chunk in to_bytes(name).utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' => quoted.push_str(r"'\''"),
                '\n' => quoted.push_str(r"'$'\n''"),
                '\r' => quoted.push_str(r"'$'\r''"),
                '\t' => quoted.push_str(r"'$'\t''"),
                c if steers(c) => push_octal(&mut quoted, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => quoted.push(c),
            }
        }
        push_octal(&mut quoted, chunk.invalid());
    }
    // An escape at the end has opened an empty quotation.
    if quoted.ends_with("''") {
        quoted.pop();
    } else {
        quoted.push('\'');
    }
    quoted
}

/// The bytes of a name as a terminal may have them: quoted if they could steer it.
pub(crate) fn for_terminal(name: &OsStr) -> Cow<'_, [u8]> {
    let steering = |chunk: std::str::Utf8Chunk<'_>| !chunk.invalid().is_empty() || chunk.valid().chars().any(steers);
    if to_bytes(name).utf8_chunks().any(steering) { quote(name).into_bytes().into() } else { to_bytes(name).into() }
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "_./-+,@%".contains(c)
}

fn push_octal(quoted: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(quoted, r"'$'\{byte:03o}''");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_one_line() {
        for (name, quoted) in [
            ("src/main.rs", "src/main.rs"),
            ("größe.txt", "größe.txt"),
            ("", "''"),
            ("no file", "'no file'"),
            ("it's", "\"it's\""),
            ("it's $x", r"'it'\''s $x'"),
            ("a\nb", r"'a'$'\n''b'"),
            ("a\u{1b}[31m", r"'a'$'\033''[31m'"),
            ("gnp.\u{202e}exe", r"'gnp.'$'\342'''$'\200'''$'\256''exe'"),
        ] {
            assert_eq!(quote(OsStr::new(name)), quoted);
        }
    }

    #[test]
    fn a_terminal_is_not_steered() {
        for (name, shown) in [
            ("no file", "no file"),
            ("it's", "it's"),
            ("a\u{1b}[2Jb", r"'a'$'\033''[2Jb'"),
            ("\u{202e}a", r"''$'\342'''$'\200'''$'\256''a'"),
        ] {
            assert_eq!(for_terminal(OsStr::new(name)), shown.as_bytes());
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_utf8_are_kept() {
        let name = from_bytes(b"bad\xff".to_vec()).unwrap();
        assert_eq!(to_bytes(&name), b"bad\xff");
        assert_eq!(quote(&name), r"'bad'$'\377'");
    }
}
