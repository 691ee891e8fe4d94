//! Writes files whole or not at all, and refuses outputs that would overwrite an input.

use crate::failure::{Failure, Outcome, reason};
use crate::names::quote;
use fairlane::sealed::{Access, Existing, NewFile};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Whether the output is standard output.
pub(crate) fn is_stdout(output: &Path) -> bool {
    output.as_os_str() == "-"
}

/// The name of an output, for messages.
pub(crate) fn called(output: &Path) -> String {
    if is_stdout(output) { "standard output".to_owned() } else { quote(output.as_os_str()) }
}

/// Writes a whole file; on failure an existing file stays as it was.
pub(crate) fn write(path: &Path, content: &[u8]) -> Outcome {
    let written = match Target::of(path) {
        Target::Folder => Err(io::ErrorKind::IsADirectory.into()),
        Target::Device => File::options().write(true).open(path).and_then(|mut file| file.write_all(content)),
        Target::File => new_file(path).and_then(|mut file| {
            file.write_all(content)?;
            file.finish()
        }),
    };
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
        _ => Failure::Failed(format!("cannot write {}: {}", quote(path.as_os_str()), reason(&error))),
    })
}

/// Creates a folder and its parents unless they exist.
pub(crate) fn make_folder(path: &Path) -> Outcome {
    fs::create_dir_all(path).map_err(|error| {
        Failure::Failed(format!("cannot create folder {}: {}", quote(path.as_os_str()), reason(&error)))
    })
}

/// Refuses an output that is one of `files`, each with its description. Links are followed. A device such as
/// `/dev/null` may be named twice.
pub(crate) fn keep_apart(output: &Path, files: &[(Option<&Path>, &str)]) -> Outcome {
    let place = real(output);
    let same = |path: &Path| real(path) == place && !matches!(Target::of(path), Target::Device);
    match files.iter().find(|(path, _)| path.is_some_and(same)) {
        Some((_, what)) => Err(Failure::Misuse(format!("{} is {what}: choose another output", called(output)))),
        None => Ok(()),
    }
}

/// The canonical path of a file that exists or is about to be created.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new = || Some(fs::canonicalize(folder).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(new).unwrap_or_else(|| path.to_owned())
}

/// The kind of file at a path that is to be written; links are followed.
pub(crate) enum Target {
    Folder,
    /// A device or pipe such as `/dev/stdout`. It is written to directly, since a rename would replace it.
    Device,
    /// A regular file, or none yet.
    File,
}

impl Target {
    /// The kind of file at `path`.
    pub(crate) fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Self::Folder,
            Ok(found) if !found.is_file() => Self::Device,
            _ => Self::File,
        }
    }
}

/// Begins a file that replaces another one when it is finished.
pub(crate) fn new_file(path: &Path) -> io::Result<NewFile> {
    NewFile::create(path, Existing::Replace, Access::Usual)
}
