//! File names as bytes, and quoted for messages.

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
                c if c.is_control() => push_octal(&mut quoted, c.encode_utf8(&mut [0; 4]).as_bytes()),
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
        ] {
            assert_eq!(quote(OsStr::new(name)), quoted);
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
