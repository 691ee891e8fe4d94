//! Files that are written whole or not at all.

use crate::failure::{Failure, Outcome, reason};
use crate::names::quote;
use crate::output::print;
use fairlane::sealed::{Access, Existing, NewFile};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file to be written at the end of long work: that it can be is known before. Nothing lies on the disk in between.
pub(crate) struct Pending(PathBuf);

impl Pending {
    /// Makes sure that `path` can be written; `-` is standard output.
    pub(crate) fn check(path: &Path) -> Result<Self, Failure> {
        let refuse = |why: &str| Failure::Misuse(format!("cannot write {}: {why}", quote(path.as_os_str())));
        let pending = Self(path.to_owned());
        if pending.is_stdout() {
            return Ok(pending);
        }
        let tried = match Target::of(path) {
            Target::Folder => return Err(refuse("it is a directory; name a file in it")),
            Target::Device => File::options().write(true).open(path).map(drop),
            Target::File => new_file(path).map(drop),
        };
        tried.map(|()| pending).map_err(|error| refuse(&reason(&error)))
    }

    /// Whether the text goes to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.0.as_os_str() == "-"
    }

    /// The path, as a line can have it.
    pub(crate) fn name(&self) -> String {
        if self.is_stdout() { "standard output".to_owned() } else { quote(self.0.as_os_str()) }
    }

    /// Writes the whole text, or leaves what was there.
    pub(crate) fn write(&self, text: &str) -> Outcome {
        if self.is_stdout() { print(text) } else { write(&self.0, text) }
    }
}

/// Writes a whole file, or leaves what was there.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    let written = match Target::of(path) {
        Target::Folder => Err(io::ErrorKind::IsADirectory.into()),
        Target::Device => File::options().write(true).open(path).and_then(|mut file| file.write_all(text.as_bytes())),
        Target::File => new_file(path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.finish()
        }),
    };
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::Failed(format!("cannot write {}: {}", quote(path.as_os_str()), reason(&error))),
    })
}

/// Makes a folder, and those above it, where it is not there.
pub(crate) fn make_folder(path: &Path) -> Outcome {
    fs::create_dir_all(path)
        .map_err(|error| Failure::Failed(format!("cannot make folder {}: {}", quote(path.as_os_str()), reason(&error))))
}

/// What stands, or would stand, at a path; links are followed.
pub(crate) enum Target {
    Folder,
    /// A device or pipe such as `/dev/stdout` is written to: a rename would replace it.
    Device,
    File,
}

impl Target {
    pub(crate) fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Self::Folder,
            Ok(found) if !found.is_file() => Self::Device,
            _ => Self::File,
        }
    }
}

fn new_file(path: &Path) -> io::Result<NewFile> {
    NewFile::create(path, Existing::Replace, Access::Usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let pending = Pending::check(&path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        pending.write("first").unwrap();
        write(&path, "second").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn bad_paths_are_misuse() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Pending::check(folder.path()), Err(Failure::Misuse(_))));
        assert!(matches!(Pending::check(&folder.path().join("no/such/run.json")), Err(Failure::Misuse(_))));
    }
}
