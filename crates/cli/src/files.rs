//! Writes files whole or not at all, and refuses outputs that would overwrite an input.

use crate::failure::{Failure, Outcome, reason};
use crate::interrupt;
use crate::names::quote;
#[cfg(unix)]
use crate::standard;
use fairlane::sealed::{Access, Existing, NewFile};
use std::ffi::OsString;
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
    interrupt::install()?;
    let written = match Target::of(path) {
        Target::Folder => Err(io::ErrorKind::IsADirectory.into()),
        Target::Device => open_device(path).and_then(|mut file| file.write_all(content)),
        Target::File => interrupt::begin(path, Existing::Replace, Access::Usual).and_then(|mut file| {
            file.write_all(content)?;
            interrupt::finish(file)
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

/// Refuses an output that is one of the files `read`, each with its description. Links are followed.
pub(crate) fn keep_apart(output: &Path, read: &[(Option<&Path>, &str)]) -> Outcome {
    // What is written to a terminal or a socket is not what is read from it.
    let is_stream = |path: &Path| fs::metadata(path).is_ok_and(|found| !found.is_file());
    let place = Place::of_output(output);
    let same = |path: &Path| !is_stream(path) && place.is_some() && Place::of(path) == place;
    refuse(output, read.iter().find(|(path, _)| path.is_some_and(same)))
}

/// Refuses outputs, each with its description, of which two are the same file: one would replace or follow the other.
/// `/dev/null` may be named twice.
pub(crate) fn each_its_own(outputs: &[(Option<&Path>, &str)]) -> Outcome {
    let with_rest = outputs.iter().enumerate().filter_map(|(at, (path, _))| Some(((*path)?, &outputs[at + 1..])));
    with_rest.into_iter().try_for_each(|(output, rest)| {
        let place = Place::of_output(output);
        let same = |path: &Path| place.is_some() && Place::of_output(path) == place;
        refuse(output, rest.iter().find(|(path, _)| path.is_some_and(same)))
    })
}

fn refuse(output: &Path, same: Option<&(Option<&Path>, &str)>) -> Outcome {
    same.map_or(Ok(()), |(_, what)| {
        Err(Failure::Misuse(format!("{} is {what}: choose another output", called(output))))
    })
}

/// Where the bytes of a file are, whatever names it has.
#[derive(PartialEq)]
enum Place {
    /// The device and the number of a file that is there.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The canonical path of a file, on Unix of one that is about to be created.
    Path(PathBuf),
    /// Standard output of a system without such numbers.
    #[cfg(not(unix))]
    Stdout,
}

impl Place {
    /// The place of an output, if it is not `/dev/null`; `-` is standard output.
    fn of_output(output: &Path) -> Option<Self> {
        if is_stdout(output) { Self::of_stdout() } else { Self::of(output) }
    }

    /// The place of a file that exists or is about to be created, if it is not `/dev/null`.
    fn of(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        if let Ok(found) = fs::metadata(path) {
            return Self::of_found(&found);
        }
        let new = || Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?));
        Some(Self::Path(fs::canonicalize(path).ok().or_else(new).unwrap_or_else(|| path.to_owned())))
    }

    #[cfg(unix)]
    fn of_stdout() -> Option<Self> {
        Self::of_found(&standard::stdout().ok()?.metadata().ok()?)
    }

    #[cfg(unix)]
    fn of_found(found: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        (!standard::is_null(found)).then(|| Self::Inode(found.dev(), found.ino()))
    }

    #[cfg(not(unix))]
    fn of_stdout() -> Option<Self> {
        Some(Self::Stdout)
    }
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The kind of file at a path that is to be written; links are followed.
pub(crate) enum Target {
    Folder,
    /// A device or pipe, or an open file such as `/dev/stdout`. It is written to directly, since a rename would replace
    /// it, or the link to it.
    Device,
    /// A regular file, or none yet.
    File,
}

impl Target {
    /// The kind of file at `path`.
    pub(crate) fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Self::Folder,
            Ok(found) if !found.is_file() || descriptor(path).is_some() => Self::Device,
            _ => Self::File,
        }
    }
}

/// Opens a device, or a file that is open already, whose content stays.
pub(crate) fn open_device(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if let Some(number) = descriptor(path) {
        use std::os::fd::AsFd;
        // Opened anew, a file would be written from its beginning, and by others over what is written here.
        return match number.to_str() {
            Some("1") => standard::ready_stdout(),
            Some("2") => Ok(File::from(io::stderr().as_fd().try_clone_to_owned()?)),
            _ => File::options().append(true).open(path),
        };
    }
    File::options().write(true).open(path)
}

/// The number of the open file of this process to which the path leads, by links such as `/dev/stdout` or by itself.
#[cfg(unix)]
fn descriptor(path: &Path) -> Option<OsString> {
    let ours = fs::canonicalize("/dev/fd").ok()?;
    // Linux has them for each thread, too.
    let ours = ours.parent()?;
    let mut path = path.to_owned();
    // The system follows no more links than that.
    for _ in 0..40 {
        let found = fs::canonicalize(folder(&path)).ok()?;
        if found.ends_with("fd") && found.starts_with(ours) {
            return path.file_name().map(ToOwned::to_owned);
        }
        path = found.join(fs::read_link(&path).ok()?);
    }
    None
}

#[cfg(not(unix))]
fn descriptor(_: &Path) -> Option<OsString> {
    None
}

/// Begins a file that replaces another one when it is finished.
pub(crate) fn new_file(path: &Path) -> io::Result<NewFile> {
    NewFile::create(path, Existing::Replace, Access::Usual)
}
