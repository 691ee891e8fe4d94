//! Formats and parses checksum lines as sha256sum does.
//!
//! `HEX  NAME`, `HEX *NAME` (binary), `TAG (NAME) = HEX` (BSD). A name that holds a backslash, a newline or a
//! carriage return is escaped, and its line starts with a backslash.

use super::algorithm::Algorithm;
use std::borrow::Cow;

/// The options of formatting.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// `TAG (NAME) = HEX`.
    pub tag: bool,
    /// Lines end with NUL, and names are not escaped.
    pub zero: bool,
    /// `HEX *NAME`.
    pub binary: bool,
}

/// Formats one line with its end. The name comes with the mark that the line begins with, as of [`escape`].
pub(crate) fn line(style: Style, algorithm: Algorithm, digest: &[u8], (mark, name): (&[u8], Cow<'_, [u8]>)) -> Vec<u8> {
    let mut line = mark.to_vec();
    if style.tag {
        line.extend_from_slice(algorithm.tag().as_bytes());
        line.extend_from_slice(b" (");
        line.extend_from_slice(&name);
        line.extend_from_slice(b") = ");
        push_hex(&mut line, digest);
    } else {
        push_hex(&mut line, digest);
        line.extend_from_slice(if style.binary { b" *" } else { b"  " });
        line.extend_from_slice(&name);
    }
    line.push(if style.zero { 0 } else { b'\n' });
    line
}

fn push_hex(line: &mut Vec<u8>, digest: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for byte in digest {
        line.push(DIGITS[usize::from(byte >> 4)]);
        line.push(DIGITS[usize::from(byte & 15)]);
    }
}

/// The backslash that starts the line of an escaped name (or nothing), and the name, escaped if necessary.
pub(crate) fn escape(name: &[u8]) -> (&'static [u8], Cow<'_, [u8]>) {
    if !name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r')) {
        return (b"", Cow::Borrowed(name));
    }
    let mut escaped = Vec::with_capacity(name.len() + 8);
    for &byte in name {
        match byte {
            b'\\' => escaped.extend_from_slice(br"\\"),
            b'\n' => escaped.extend_from_slice(br"\n"),
            b'\r' => escaped.extend_from_slice(br"\r"),
            byte => escaped.push(byte),
        }
    }
    (b"\\", Cow::Owned(escaped))
}

fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(plain)
}

/// The content of a checksum line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The expected digest of the file.
    pub digest: Vec<u8>,
    /// The file's name, unescaped.
    pub name: Vec<u8>,
}

/// A parser for the lines of one checksum file.
pub(crate) struct Parser {
    /// The algorithm of the lines; without one, only tagged lines are accepted.
    algorithm: Option<Algorithm>,
    /// The digest length that every line must have, in bytes.
    length: Option<usize>,
    /// Whether untagged lines have one character between digest and name (old BSD) or two. The first such line decides,
    /// and a file may not mix both: a name that starts with a space could be taken for another name.
    one_space: Option<bool>,
}

impl Parser {
    /// A parser for lines of one algorithm and digest length, or of any.
    pub(crate) fn new(algorithm: Option<Algorithm>, length: Option<usize>) -> Self {
        Self { algorithm, length, one_space: None }
    }

    /// Parses a line without its end; `None` if it is malformed, or of another algorithm or length than required.
    pub(crate) fn parse(&mut self, line: &[u8]) -> Option<Claim> {
        let line = trim_blanks(line);
        let (escaped, line) = match line.strip_prefix(b"\\") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (algorithm, digest, name) = match tagged(line) {
            Some(parts) => parts,
            None => self.untagged(line)?,
        };
        let name = if escaped { unescape(name)? } else { name.to_vec() };
        let digest = unhex(digest)?;
        (self.wants(algorithm, digest.len()) && !name.contains(&0)).then_some(Claim { algorithm, digest, name })
    }

    fn wants(&self, algorithm: Algorithm, length: usize) -> bool {
        self.algorithm.is_none_or(|wanted| wanted == algorithm)
            && self.length.is_none_or(|wanted| wanted == length)
            && algorithm.allows(length)
    }

    /// Splits `HEX  NAME`, `HEX *NAME` or `HEX NAME`.
    fn untagged<'a>(&mut self, line: &'a [u8]) -> Option<(Algorithm, &'a [u8], &'a [u8])> {
        let algorithm = self.algorithm?;
        let end = line.iter().position(|&byte| is_blank(byte))?;
        let (digest, rest) = (&line[..end], &line[end + 1..]);
        if !self.wants(algorithm, digest.len() / 2) || !digest.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        let two = rest.len() > 1 && matches!(rest[0], b' ' | b'*') && self.one_space != Some(true);
        if !two && self.one_space == Some(false) || rest.is_empty() {
            return None;
        }
        self.one_space = Some(!two);
        Some((algorithm, digest, &rest[usize::from(two)..]))
    }
}

/// Splits `TAG (NAME) = HEX`, or `TAG(NAME)= HEX` as OpenSSL writes it.
fn tagged(line: &[u8]) -> Option<(Algorithm, &[u8], &[u8])> {
    let open = line.iter().position(|&byte| byte == b'(')?;
    let close = line.iter().rposition(|&byte| byte == b')').filter(|&close| close > open)?;
    let tag = &line[..open];
    let algorithm = Algorithm::from_tag(tag.strip_suffix(b" ").unwrap_or(tag))?;
    let digest = trim_blanks(trim_blanks(&line[close + 1..]).strip_prefix(b"=")?);
    Some((algorithm, digest, &line[open + 1..close]))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn trim_blanks(text: &[u8]) -> &[u8] {
    &text[text.iter().position(|&byte| !is_blank(byte)).unwrap_or(text.len())..]
}

fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let nibble = |digit: u8| char::from(digit).to_digit(16);
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits.chunks_exact(2).map(|pair| Some((nibble(pair[0])? << 4 | nibble(pair[1])?) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairlane::dynamic::HashAlgorithm;

    const SHA3_256: Algorithm = Algorithm::Fairlane(HashAlgorithm::Sha3_256);

    const DIGEST: [u8; 32] = [0xab; 32];

    fn parser() -> Parser {
        Parser::new(Some(SHA3_256), None)
    }

    fn hex() -> String {
        "ab".repeat(32)
    }

    #[test]
    fn every_line_written_is_read_back() {
        for name in
            [&b"a"[..], b"a b", b" a", b"*a", b"a\\b", b"a\nb", b"a\rb", b"\\", b"a) = b", b"\xff\xfe", b"(", b"-"]
        {
            for tag in [false, true] {
                for binary in [false, true] {
                    let style = Style { tag, binary, zero: false };
                    let mut line = line(style, SHA3_256, &DIGEST, escape(name));
                    assert_eq!(line.pop(), Some(b'\n'));
                    assert!(!line.contains(&b'\n') && !line.contains(&b'\r'));
                    let claim = parser().parse(&line).unwrap();
                    assert_eq!(claim, Claim { algorithm: SHA3_256, digest: DIGEST.to_vec(), name: name.to_vec() });
                }
            }
        }
    }

    #[test]
    fn zero_ends_lines_with_nul_and_escapes_nothing() {
        let style = Style { zero: true, ..Style::default() };
        let mut expected = format!("{}  a\\b\n", hex()).into_bytes();
        expected.push(0);
        assert_eq!(line(style, SHA3_256, &DIGEST, (b"", b"a\\b\n".into())), expected);
    }

    #[test]
    fn lines_of_other_programs_are_read() {
        let upper = hex().to_uppercase();
        for line in [
            format!("  {}  a", hex()),
            format!("{}\ta", hex()),
            format!("{upper} *a"),
            format!("{} a", hex()),
            format!("SHA3-256(a)= {}", hex()),
            format!("SHA3-256 (a) =\t{upper}"),
        ] {
            assert_eq!(parser().parse(line.as_bytes()).unwrap().name, b"a", "{line}");
        }
    }

    #[test]
    fn malformed_lines_are_refused() {
        for line in [
            String::new(),
            "junk".into(),
            hex(),
            format!("{} ", hex()),
            format!("{}  ", &hex()[1..]),
            format!("{}00  a", hex()),
            format!("x{}  a", &hex()[1..]),
            format!("\\{}  a\\q", hex()),
            format!("\\{}  a\\", hex()),
            format!("{}  a\0", hex()),
            format!("SHA3-512 (a) = {}", hex()),
            format!("MD5 (a) = {}", hex()),
            format!("SHA3-256 (a) = {} ", hex()),
            format!("SHA3-256 (a) {}", hex()),
            format!("SHA3-256 )a( = {}", hex()),
            format!("sha3-256 (a) = {}", hex()),
        ] {
            assert_eq!(parser().parse(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn one_and_two_spaces_do_not_mix() {
        let (one, two) = (format!("{} a", hex()), format!("{}  a", hex()));
        let mut parser = parser();
        assert_eq!(parser.parse(one.as_bytes()).unwrap().name, b"a");
        assert_eq!(parser.parse(two.as_bytes()).unwrap().name, b" a");
        let mut parser = self::parser();
        assert_eq!(parser.parse(two.as_bytes()).unwrap().name, b"a");
        assert_eq!(parser.parse(one.as_bytes()), None);
        let mut parser = self::parser();
        assert_eq!(parser.parse(b"be careful"), None);
        assert_eq!(parser.parse(two.as_bytes()).unwrap().name, b"a");
    }

    #[test]
    fn an_extendable_output_function_accepts_any_length_or_the_required_one() {
        let mut any = Parser::new(Some(Algorithm::Fairlane(HashAlgorithm::Shake128)), None);
        assert_eq!(any.parse(b"abcd  a").unwrap().digest, [0xab, 0xcd]);
        assert_eq!(any.parse(b"abc  a"), None);
        let mut sixteen = Parser::new(Some(Algorithm::Fairlane(HashAlgorithm::Shake128)), Some(2));
        assert!(sixteen.parse(b"abcd  a").is_some());
        assert!(sixteen.parse(b"abcdef  a").is_none());
    }

    #[test]
    fn without_an_algorithm_the_tag_decides() {
        let mut parser = Parser::new(None, None);
        assert_eq!(
            parser.parse(b"SHAKE256 (a) = abcd").unwrap().algorithm,
            Algorithm::Fairlane(HashAlgorithm::Shake256)
        );
        assert_eq!(parser.parse(format!("{}  a", hex()).as_bytes()), None);
    }

    #[test]
    fn tags_of_openssl_are_read() {
        let mut parser = Parser::new(None, None);
        let [shake128, shake256] = [HashAlgorithm::Shake128, HashAlgorithm::Shake256].map(Algorithm::Fairlane);
        for (tag, algorithm, length) in [
            ("SHA2-256", Algorithm::Sha256, 32),
            ("SHA256", Algorithm::Sha256, 32),
            ("SHA2-512", Algorithm::Sha512, 64),
            ("SHA3-256", SHA3_256, 32),
            ("SHAKE-128", shake128, 16),
            ("SHAKE-256", shake256, 32),
        ] {
            let claim = parser.parse(format!("{tag}(a)= {}", "ab".repeat(length)).as_bytes()).unwrap();
            assert_eq!((claim.algorithm, claim.digest.len()), (algorithm, length), "{tag}");
        }
        for other in ["SHA2-384", "SHA2-512/256", "SHAKE-512"] {
            assert_eq!(parser.parse(format!("{other}(a)= {}", hex()).as_bytes()), None, "{other}");
        }
    }
}
