//! The input and the output of a command: files, devices, standard input and standard output.

use crate::failure::{Failure, Outcome, reason};
use crate::files::{Target, called, is_stdout, open_device};
use crate::interrupt;
use crate::names::quote;
use crate::progress::ProgressReader;
use crate::standard;
use fairlane::sealed::{Access, Existing, NewFile};
use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// An input.
pub(crate) struct Input {
    /// The input's name, for messages.
    pub name: String,
    /// The file's metadata; none for standard input.
    metadata: Option<Metadata>,
    /// The metadata of the open file, also of standard input.
    #[cfg(unix)]
    found: Metadata,
    reader: Box<dyn Read>,
}

impl Input {
    /// Opens a file, or standard input if no path is given.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let name = path.map_or("standard input".to_owned(), |path| quote(path.as_os_str()));
        let cannot = |error: &io::Error| Failure::Failed(format!("cannot read {name}: {}", reason(error)));
        let Some(path) = path else {
            let stdin = standard::stdin().map_err(|error| cannot(&error))?;
            return Ok(Self {
                #[cfg(unix)]
                found: stdin.metadata().map_err(|error| cannot(&error))?,
                name,
                metadata: None,
                reader: Box::new(stdin),
            });
        };
        let file = File::open(path).map_err(|error| cannot(&error))?;
        let found = file.metadata().map_err(|error| cannot(&error))?;
        if found.is_dir() {
            return Err(cannot(&io::Error::other(
                "it is a directory; pipe an archive of it to standard input instead",
            )));
        }
        Ok(Self {
            #[cfg(unix)]
            found: found.clone(),
            name,
            metadata: Some(found),
            reader: Box::new(file),
        })
    }

    /// Refuses an input that is one of `files`, each with its description, unless it can be read twice: of a pipe or a
    /// terminal, the one would take what is for the other.
    #[cfg(unix)]
    pub(crate) fn keep_apart(&self, files: &[(Option<&Path>, &str)]) -> Outcome {
        use std::os::unix::fs::MetadataExt;
        let number = |found: &Metadata| (found.dev(), found.ino());
        let same = |path: &Path| path.metadata().is_ok_and(|found| number(&found) == number(&self.found));
        match files.iter().find(|(path, _)| !self.found.is_file() && path.is_some_and(same)) {
            Some((_, what)) => Err(Failure::Misuse(format!(
                "{} cannot be {what}, too, since it is read only once: name another file",
                self.name
            ))),
            None => Ok(()),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn keep_apart(&self, _: &[(Option<&Path>, &str)]) -> Outcome {
        Ok(())
    }

    /// The input's length in bytes, if that is known.
    pub(crate) fn length(&self) -> Option<u64> {
        self.metadata.as_ref().filter(|found| found.is_file()).map(Metadata::len)
    }

    /// The permissions for an output made from this input.
    pub(crate) fn access(&self) -> Access<'_> {
        self.metadata.as_ref().map_or(Access::Usual, Access::Like)
    }

    /// The input's name and a reader, which shows a progress bar if `shown` is set.
    pub(crate) fn reader(self, shown: bool) -> (String, ProgressReader<Box<dyn Read>>) {
        let length = self.length();
        (self.name, ProgressReader::new(self.reader, length, shown))
    }
}

/// Whether an output may go to a terminal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Content {
    /// Binary data, which is refused on a terminal.
    Binary,
    /// Data that may be text. A terminal gets it only as far as it is.
    MaybeText,
}

/// What happens to an existing file: with `--force` it is replaced.
pub(crate) fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

/// An output.
pub(crate) struct Destination {
    /// The output's name, for messages.
    name: String,
    place: Place,
    /// Whether anything was written.
    written: bool,
}

enum Place {
    /// Standard output, a device or a named pipe.
    Stream { writer: Box<dyn Write>, terminal: bool },
    /// A file, which gets its name at the end.
    File(NewFile),
}

impl Destination {
    /// Begins an output; `-` is standard output. `access` gives the permissions of a new file.
    pub(crate) fn begin(path: &Path, existing: Existing, access: Access, content: Content) -> Result<Self, Failure> {
        let name = called(path);
        let refuse = |why: &str| Failure::Misuse(format!("cannot write {name}: {why}"));
        if is_stdout(path) {
            let stdout = standard::ready_stdout().map_err(|error| refuse(&why(&error)))?;
            let terminal = stdout.is_terminal();
            return Self::stream(name, stdout, terminal, content);
        }
        match Target::of(path) {
            Target::Folder => Err(refuse("it is a directory; name a file in it")),
            Target::Device => {
                let device = open_device(path).map_err(|error| refuse(&why(&error)))?;
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
            (true, Content::MaybeText) => Box::new(TextOnly { terminal: writer, cut: Zeroizing::default() }),
            (true, Content::Binary) => {
                return Err(Failure::misuse("the output is binary and not for a terminal: name a file with -o FILE"));
            }
        };
        Ok(Self { name, place: Place::Stream { writer, terminal }, written: false })
    }

    /// Whether the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self.place, Place::Stream { terminal: true, .. })
    }

    /// Whether a reader may have received a part of the output. A file does not appear before the end.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.written && matches!(self.place, Place::Stream { .. })
    }

    /// The error line for a failed write.
    pub(crate) fn cannot_write(&self, error: &io::Error) -> String {
        format!("cannot write {}: {}", self.name, why(error))
    }

    /// Completes the output: a file gets its name.
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

/// Why an output cannot be written, and what to do.
fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AlreadyExists => "it already exists; --force replaces it".to_owned(),
        _ => reason(error),
    }
}

/// A terminal that receives printable text only: no control characters but tab, newline and carriage return.
struct TextOnly<W> {
    terminal: W,
    /// The first bytes of a character that the next write completes.
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
    io::Error::other("the decrypted data is not text and not for a terminal: name a file with -o FILE")
}

/// The bytes as printable text, without an incomplete character at the end; `None` if they are not printable text.
fn text(bytes: &[u8]) -> Option<&str> {
    let whole = match str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    };
    let is_printable = |character: char| !character.is_control() || "\t\n\r".contains(character);
    str::from_utf8(whole).ok().filter(|text| text.chars().all(is_printable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_printable_text_only() {
        let whole = "größe\r\n\tx".as_bytes();
        for cut in 0..whole.len() {
            let mut shown = TextOnly { terminal: Vec::new(), cut: Zeroizing::default() };
            shown.write_all(&whole[..cut]).unwrap();
            shown.write_all(&whole[cut..]).unwrap();
            shown.flush().unwrap();
            assert_eq!(shown.terminal, whole);
        }
        // The last two are the one-character form of ESC [, in UTF-8 and as a bare byte.
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
