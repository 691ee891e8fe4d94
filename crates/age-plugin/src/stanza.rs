//! The lines that age and a plugin exchange: stanzas, in the form of a file's header.
//!
//! ```text
//! -> command argument…
//! base64 in lines of 64 characters, of which the last one is shorter, and may be empty
//! ```
//!
//! They hold file keys and identities, so that every buffer is erased.

use base64ct::{Base64Unpadded, Encoding};
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// Characters of a full line of base64.
const COLUMNS: usize = 64;

/// A stanza that was read.
pub(crate) struct Stanza {
    words: Zeroizing<String>,
    body: Zeroizing<Vec<u8>>,
}

impl Stanza {
    /// The command and its arguments.
    pub(crate) fn words(&self) -> Vec<&str> {
        self.words.split(' ').collect()
    }

    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }
}

/// Reads stanzas.
pub(crate) struct Reader<R> {
    source: R,
    /// As long as the buffer of [`io::Stdin`], which is then passed by, and keeps nothing of what is read.
    buffer: Zeroizing<Vec<u8>>,
    /// What of the buffer is still to be read.
    unread: std::ops::Range<usize>,
}

impl<R: Read> Reader<R> {
    pub(crate) fn new(source: R) -> Self {
        Self { source, buffer: Zeroizing::new(vec![0; 8192]), unread: 0..0 }
    }

    /// The next stanza.
    ///
    /// # Errors
    /// Reading fails, the input ends, or it is no stanza.
    pub(crate) fn read(&mut self) -> io::Result<Stanza> {
        let line = self.line()?;
        let words = line.strip_prefix(b"-> ").ok_or_else(|| malformed("a line that begins no stanza"))?;
        if words.split(|&c| c == b' ').any(|word| word.is_empty() || !word.iter().all(u8::is_ascii_graphic)) {
            return Err(malformed("a stanza with an empty argument or a character that is not printable"));
        }
        let words = str::from_utf8(words).expect("printable characters of ASCII");
        let words = Zeroizing::new(words.to_owned());

        let mut text = Zeroizing::new(Vec::with_capacity(COLUMNS));
        loop {
            let line = self.line()?;
            if line.len() > COLUMNS {
                return Err(malformed("a line of base64 with more than 64 characters"));
            }
            append(&mut text, &line);
            if line.len() < COLUMNS {
                break;
            }
        }
        let mut body = Zeroizing::new(vec![0; text.len() * 3 / 4]);
        let decoded = Base64Unpadded::decode(&*text, &mut body).map(<[u8]>::len);
        if decoded != Ok(body.len()) {
            return Err(malformed("a body that is not canonical base64"));
        }
        Ok(Stanza { words, body })
    }

    /// The next line, without its end.
    fn line(&mut self) -> io::Result<Zeroizing<Vec<u8>>> {
        let mut line = Zeroizing::new(Vec::with_capacity(2048));
        loop {
            let unread = &self.buffer[self.unread.clone()];
            if let Some(end) = unread.iter().position(|&c| c == b'\n') {
                append(&mut line, &unread[..end]);
                self.unread.start += end + 1;
                return Ok(line);
            }
            append(&mut line, unread);
            let read = loop {
                match self.source.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read?,
                }
            };
            if read == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the input ends before its last command"));
            }
            self.unread = 0..read;
        }
    }
}

/// Appends, and erases the old memory when there is not enough of it.
fn append(to: &mut Zeroizing<Vec<u8>>, bytes: &[u8]) {
    if to.capacity() - to.len() < bytes.len() {
        let mut larger = Zeroizing::new(Vec::with_capacity(2 * (to.len() + bytes.len())));
        larger.extend_from_slice(to);
        *to = larger;
    }
    to.extend_from_slice(bytes);
}

fn malformed(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the input has {what}"))
}

/// Writes a stanza at once.
///
/// # Errors
/// Writing fails.
pub(crate) fn write(to: &mut impl Write, words: &[&str], body: &[u8]) -> io::Result<()> {
    let mut encoded = Zeroizing::new(vec![0; Base64Unpadded::encoded_len(body)]);
    Base64Unpadded::encode(body, &mut encoded).expect("there is room for it");
    let mut text = Zeroizing::new(Vec::new());
    append(&mut text, b"->");
    for word in words {
        append(&mut text, b" ");
        append(&mut text, word.as_bytes());
    }
    let full = encoded.chunks_exact(COLUMNS);
    let last = full.remainder();
    for line in full.chain([last]) {
        append(&mut text, b"\n");
        append(&mut text, line);
    }
    append(&mut text, b"\n");
    to.write_all(&text)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Result<(Vec<String>, Vec<u8>), String> {
        let stanza = Reader::new(input).read().map_err(|error| error.to_string())?;
        Ok((stanza.words().into_iter().map(str::to_owned).collect(), stanza.body().to_vec()))
    }

    /// Gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.0.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let long = "x".repeat(20_000);
        let mut text = Vec::new();
        for length in 0..200 {
            let body = vec![length as u8; length];
            write(&mut text, &["command", "1", &long[..length * 100 + 1]], &body).unwrap();
        }
        let check = |mut reader: Reader<&mut dyn Read>| {
            for length in 0..200 {
                let stanza = reader.read().unwrap();
                assert_eq!(stanza.words(), ["command", "1", &long[..length * 100 + 1]]);
                assert_eq!(stanza.body(), vec![length as u8; length]);
            }
            assert_eq!(reader.read().err().unwrap().kind(), io::ErrorKind::UnexpectedEof);
        };
        check(Reader::new(&mut &text[..]));
        check(Reader::new(&mut Slow(&text)));
    }

    #[test]
    fn lines_are_those_of_the_format() {
        let written = |body: &[u8]| {
            let mut text = Vec::new();
            write(&mut text, &["a", "b"], body).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(written(b""), "-> a b\n\n");
        assert_eq!(written(&[0; 16]), "-> a b\nAAAAAAAAAAAAAAAAAAAAAA\n");
        assert_eq!(written(&[0; 48]), format!("-> a b\n{}\n\n", "A".repeat(64)));
        assert_eq!(written(&[0; 49]), format!("-> a b\n{}\nAA\n", "A".repeat(64)));
    }

    #[test]
    fn malformed_input_is_refused() {
        let full = "A".repeat(64);
        for input in [
            "\n\n",
            "->\n\n",
            "-> \n\n",
            "->a\n\n",
            "-- a\n\n",
            "-> a  b\n\n",
            "-> a \n\n",
            "-> a\tb\n\n",
            "-> a\r\n\n",
            "-> é\n\n",
            "-> a\nA\n",
            "-> a\nAB\n",
            "-> a\nAA==\n",
            "-> a\nAA-_\n",
            "-> a\nAA A\n",
            "-> a\n\r\n",
            &format!("-> a\n{full}A\n"),
            &format!("-> a\n{full}\nA\n"),
        ] {
            assert!(read(input.as_bytes()).is_err_and(|error| error.starts_with("the input has ")), "{input:?}");
        }
        for input in ["", "-> a", "-> a\n", "-> a\nAA", &format!("-> a\n{full}\n")] {
            assert_eq!(read(input.as_bytes()).err().unwrap(), "the input ends before its last command", "{input:?}");
        }
        assert_eq!(read(b"-> a b\n\n").unwrap(), (vec!["a".into(), "b".into()], vec![]));
        assert_eq!(read(b"-> a\nAAA\n").unwrap().1, [0, 0]);
    }
}
