//! What is read and what is written: files, devices, standard input and output.

use super::interrupt;
use super::progress::Watched;
use crate::failure::{Failure, Outcome, reason};
use crate::files::Target;
use crate::names::quote;
use fairlane::sealed::{Access, Existing, NewFile};
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// What is read.
pub(crate) struct Input {
    /// What to call it.
    pub name: String,
    /// What the system says of it, unless it is standard input.
    metadata: Option<Metadata>,
    reader: Box<dyn Read>,
}

impl Input {
    /// Opens a file, or standard input if there is none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self { name: "standard input".to_owned(), metadata: None, reader: Box::new(io::stdin()) });
        };
        let name = quote(path.as_os_str());
        let cannot = |error: &io::Error| Failure::Failed(format!("cannot read {name}: {}", reason(error)));
        let file = File::open(path).map_err(|error| cannot(&error))?;
        let found = file.metadata().map_err(|error| cannot(&error))?;
        if found.is_dir() {
            return Err(cannot(&io::Error::other("it is a directory; an archive of it can be piped in")));
        }
        Ok(Self { name, metadata: Some(found), reader: Box::new(file) })
    }

    /// How many bytes it has, if that can be known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.metadata.as_ref().filter(|found| found.is_file()).map(Metadata::len)
    }

    /// Who may do what with what comes of it.
    pub(crate) fn access(&self) -> Access<'_> {
        self.metadata.as_ref().map_or(Access::Usual, Access::Like)
    }

    /// Its name, and a reader that shows how far it is, unless that is not to be `shown`.
    pub(crate) fn watched(self, shown: bool) -> (String, Watched<Box<dyn Read>>) {
        let length = self.length();
        (self.name, Watched::new(self.reader, length, shown))
    }
}

/// What is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Content {
    /// Bytes that no terminal understands.
    Binary,
    /// What may be text.
    Plain,
}

/// What becomes of a file that is there already.
pub(crate) fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

/// Where it is written.
pub(crate) struct Destination {
    /// What to call it.
    name: String,
    place: Place,
    /// Whether anything was.
    written: bool,
}

enum Place {
    /// Standard output, a device or a named pipe.
    Stream { writer: Box<dyn Write>, terminal: bool },
    /// A file that gets its name at the end.
    File(NewFile),
}

impl Destination {
    /// Begins what is written; `-` is standard output. `access` is that of a new file.
    pub(crate) fn begin(path: &Path, existing: Existing, access: Access, content: Content) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            let terminal = io::stdout().is_terminal();
            return Self::stream("standard output".to_owned(), io::stdout(), terminal, content);
        }
        let name = quote(path.as_os_str());
        let refuse = |why: &str| Failure::Misuse(format!("cannot write {name}: {why}"));
        match Target::of(path) {
            Target::Folder => Err(refuse("it is a directory; name a file in it")),
            Target::Device => {
                let device = File::options().write(true).open(path).map_err(|error| refuse(&why(&error)))?;
                let terminal = device.is_terminal();
                Self::stream(name, device, terminal, content)
            }
            Target::File => {
                let file = interrupt::begin(path, existing, access).map_err(|error| refuse(&why(&error)))?;
                Ok(Self { name, place: Place::File(file), written: false })
            }
        }
    }

    fn stream(name: String, writer: impl Write + 'static, terminal: bool, content: Content) -> Result<Self, Failure> {
        let writer: Box<dyn Write> = match (terminal, content) {
            (false, _) => Box::new(writer),
            (true, Content::Plain) => Box::new(TextOnly { terminal: writer, cut: Zeroizing::default() }),
            (true, Content::Binary) => {
                let why = "what is not text is not for a terminal: say with -o FILE where to write it";
                return Err(Failure::misuse(why));
            }
        };
        Ok(Self { name, place: Place::Stream { writer, terminal }, written: false })
    }

    /// Whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self.place, Place::Stream { terminal: true, .. })
    }

    /// Whether somebody may have got a part of it. Nothing is seen of a file before the end.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.written && matches!(self.place, Place::Stream { .. })
    }

    /// What a failed write to it means.
    pub(crate) fn cannot_write(&self, error: &io::Error) -> String {
        format!("cannot write {}: {}", self.name, why(error))
    }

    /// Ends it: a file gets its name.
    pub(crate) fn finish(self) -> Outcome {
        let Self { name, place, .. } = self;
        let finished = match place {
            Place::Stream { mut writer, .. } => writer.flush(),
            Place::File(file) => interrupt::finish(file),
        };
        finished.map_err(|error| Failure::Failed(format!("cannot write {name}: {}", why(&error))))
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.place {
            Place::Stream { writer, .. } => writer,
            Place::File(file) => file,
        }
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer().write(bytes)?;
        self.written |= written > 0;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// Why something cannot be written, and what to do.
fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AlreadyExists => "it is there already; --force replaces it".to_owned(),
        _ => reason(error),
    }
}

/// A terminal that gets what it only shows: text without control characters other than those of lines.
struct TextOnly<W> {
    terminal: W,
    /// The beginning of a character that the next write ends.
    cut: Zeroizing<Vec<u8>>,
}

impl<W: Write> Write for TextOnly<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.cut.extend_from_slice(bytes);
        let text = text(&self.cut).ok_or_else(not_text)?;
        self.terminal.write_all(text.as_bytes())?;
        let shown = text.len();
        self.cut.drain(..shown);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.cut.is_empty() { self.terminal.flush() } else { Err(not_text()) }
    }
}

fn not_text() -> io::Error {
    io::Error::other("what was encrypted is not text, and not for a terminal; say with -o FILE where to write it")
}

/// These bytes as text, if a terminal only shows them; without the character that is cut at the end, if there is one.
fn text(bytes: &[u8]) -> Option<&str> {
    let whole = match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    };
    let is_shown = |character: char| !character.is_control() || "\t\n\r".contains(character);
    str::from_utf8(whole).ok().filter(|text| text.chars().all(is_shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_what_it_only_shows() {
        let whole = "größe\r\n\tx".as_bytes();
        for cut in 0..whole.len() {
            let mut shown = TextOnly { terminal: Vec::new(), cut: Zeroizing::default() };
            shown.write_all(&whole[..cut]).unwrap();
            shown.write_all(&whole[cut..]).unwrap();
            shown.flush().unwrap();
            assert_eq!(shown.terminal, whole);
        }
        // The last two are the one-character form of ESC [, and what is not UTF-8.
        for other in [&b"\0"[..], b"a\x1b[31m", b"\x7f", b"\x07", b"\xc2\x9b31m", b"\x9b31m"] {
            for cut in 0..other.len() {
                let mut shown = TextOnly { terminal: Vec::new(), cut: Zeroizing::default() };
                let written = shown.write_all(&other[..cut]).and_then(|()| shown.write_all(&other[cut..]));
                assert!(written.is_err(), "{other:x?} cut at {cut}");
            }
        }
        let mut shown = TextOnly { terminal: Vec::new(), cut: Zeroizing::default() };
        shown.write_all(b"\xc3").unwrap();
        assert!(shown.flush().is_err());
    }
}
