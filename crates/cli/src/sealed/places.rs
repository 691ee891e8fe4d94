//! What is read and what is written: files, devices, standard input and output.

use super::interrupt;
use super::progress::Watched;
use crate::failure::{Failure, Outcome, reason};
use crate::names::quote;
use fairlane::sealed::{Existing, NewFile};
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

/// What is read.
pub(crate) struct Input {
    /// What to call it.
    pub name: String,
    /// Its bytes, if that can be known.
    pub length: Option<u64>,
    reader: Box<dyn Read>,
}

impl Input {
    /// Opens a file, or standard input if there is none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self { name: "standard input".to_owned(), length: None, reader: Box::new(io::stdin()) });
        };
        let name = quote(path.as_os_str());
        let cannot = |error: &io::Error| Failure::Failed(format!("cannot read {name}: {}", reason(error)));
        let file = File::open(path).map_err(|error| cannot(&error))?;
        let found = file.metadata().map_err(|error| cannot(&error))?;
        if found.is_dir() {
            return Err(cannot(&io::Error::other("it is a directory; an archive of it can be piped in")));
        }
        Ok(Self { name, length: found.is_file().then_some(found.len()), reader: Box::new(file) })
    }

    /// Its name, and a reader that shows how far it is, unless that is not to be `shown`.
    pub(crate) fn watched(self, shown: bool) -> (String, Watched<Box<dyn Read>>) {
        (self.name, Watched::new(self.reader, self.length, shown))
    }
}

/// What is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Content {
    /// Bytes that no terminal understands.
    Sealed,
    /// Whatever was sealed.
    Plain,
}

/// Where it is written.
pub(crate) struct Output {
    /// What to call it.
    name: String,
    place: Place,
}

enum Place {
    /// Standard output, a device or a named pipe; text only if it is a terminal.
    Stream { writer: Box<dyn Write>, terminal: bool },
    /// A file that gets its name at the end.
    File(NewFile),
}

impl Output {
    /// Begins what is written; `-` is standard output.
    pub(crate) fn begin(path: &Path, existing: Existing, content: Content) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            let terminal = io::stdout().is_terminal();
            return Self::stream("standard output".to_owned(), Box::new(io::stdout()), terminal, content);
        }
        let name = quote(path.as_os_str());
        let refuse = |why: &str| Failure::Misuse(format!("cannot write {name}: {why}"));
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(refuse("it is a directory; name a file in it")),
            Ok(found) if found.is_file() && existing == Existing::Keep => {
                return Err(refuse("it is there already; --force replaces it"));
            }
            // Written to directly: a rename would replace the device.
            Ok(found) if !found.is_file() => {
                let device = File::options().write(true).open(path).map_err(|error| refuse(&reason(&error)))?;
                let terminal = device.is_terminal();
                return Self::stream(name, Box::new(device), terminal, content);
            }
            _ => {}
        }
        let place = interrupt::begin(path, existing).map(Place::File).map_err(|error| refuse(&reason(&error)))?;
        Ok(Self { name, place })
    }

    fn stream(name: String, writer: Box<dyn Write>, terminal: bool, content: Content) -> Result<Self, Failure> {
        if terminal && content == Content::Sealed {
            let why = "encrypted data is not for a terminal: say with -o FILE where to write it";
            return Err(Failure::misuse(why));
        }
        Ok(Self { name, place: Place::Stream { writer, terminal } })
    }

    /// Whether it is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(self.place, Place::Stream { terminal: true, .. })
    }

    /// Whether it is a file, so that nothing is seen of it before the end.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.place, Place::File(_))
    }

    /// What a failed write to it means.
    pub(crate) fn cannot_write(&self, error: &io::Error) -> Failure {
        Failure::Failed(format!("cannot write {}: {}", self.name, reason(error)))
    }

    /// Ends it: a file gets its name.
    pub(crate) fn finish(self) -> Outcome {
        let Self { name, place } = self;
        let finished = match place {
            Place::Stream { mut writer, .. } => writer.flush(),
            Place::File(file) => interrupt::finish(file),
        };
        finished.map_err(|error| Failure::Failed(format!("cannot write {name}: {}", reason(&error))))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.place {
            Place::Stream { terminal: true, .. } if !is_text(bytes) => Err(io::Error::other(
                "what was encrypted is not text, and not for a terminal; say with -o FILE where to write it",
            )),
            Place::Stream { writer, .. } => writer.write(bytes),
            Place::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.place {
            Place::Stream { writer, .. } => writer.flush(),
            Place::File(file) => file.flush(),
        }
    }
}

/// Whether a terminal shows these bytes, and does nothing else with them. A character may be cut at the end.
fn is_text(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| !byte.is_ascii_control() || b"\t\n\r".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_what_a_terminal_only_shows() {
        assert!(is_text("größe\r\n\tx".as_bytes()));
        for other in [&b"\0"[..], b"a\x1b[31m", b"\x7f", b"\x07"] {
            assert!(!is_text(other));
        }
    }
}
