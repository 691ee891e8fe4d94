//! The outputs of a race and of its reports, which are checked before the work and written after it.

use crate::failure::{Failure, Outcome, reason};
use crate::files::{Target, called, is_stdout, new_file, open_device, write};
use crate::names::quote;
use crate::output::print_bytes;
use crate::runs::read_leaks;
use crate::standard::ready_stdout;
use fairlane_lab::report::origin::{BEGINNING, is_ours};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// An output of long work. Whether it can be written is checked before the work; the file is created at the end.
pub(crate) struct Pending(PathBuf);

impl Pending {
    /// Checks that `path` can be written; `-` is standard output.
    pub(crate) fn check(path: &Path) -> Result<Self, Failure> {
        let refuse = |why: &str| Failure::Misuse(format!("cannot write {}: {why}", quote(path.as_os_str())));
        let pending = Self(path.to_owned());
        if pending.is_stdout() {
            return ready_stdout().map(|_| pending).map_err(|error| Failure::stdout(&error));
        }
        let tried = match Target::of(path) {
            Target::Folder => return Err(refuse("it is a directory; name a file in it")),
            Target::Device => open_device(path).map(drop),
            Target::File => new_file(path).map(drop),
        };
        tried.map(|()| pending).map_err(|error| refuse(&reason(&error)))
    }

    /// [`check`](Self::check), and unless `force` is given that no file is replaced that fairlane did not write.
    pub(crate) fn check_own(path: &Path, force: bool) -> Result<Self, Failure> {
        if !force && !is_stdout(path) {
            may_replace(path)?;
        }
        Self::check(path)
    }

    /// Whether the output is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        is_stdout(&self.0)
    }

    /// Whether the name ends with `.gz`, so that the file is compressed by gzip.
    pub(crate) fn is_gzip(&self) -> bool {
        self.0.extension().is_some_and(|extension| extension == "gz")
    }

    /// The path, quoted for a message.
    pub(crate) fn name(&self) -> String {
        called(&self.0)
    }

    /// Writes the whole content; on failure an existing file stays as it was.
    pub(crate) fn write(&self, content: &[u8]) -> Outcome {
        if self.is_stdout() { print_bytes(content) } else { write(&self.0, content) }
    }
}

/// Refuses to replace a file that fairlane did not write, as its beginning tells. An empty file may be replaced.
pub(crate) fn may_replace(path: &Path) -> Outcome {
    if !matches!(Target::of(path), Target::File) || fs::metadata(path).map_or(0, |found| found.len()) == 0 {
        return Ok(());
    }
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING as u64).read_to_end(&mut beginning));
    // What a search for leaks has found does not show it at its beginning.
    if read.is_ok() && is_ours(&beginning) || read_leaks(path).is_ok() {
        return Ok(());
    }
    Err(Failure::Misuse(format!(
        "{} exists, and is not a result that fairlane wrote: --force replaces it",
        quote(path.as_os_str())
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let pending = Pending::check(&path).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        pending.write(b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn files_of_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for theirs in ["a letter", "{}", "{\"schema\": \"other-1\"}", "# Race", "<!DOCTYPE html><p>mine", "\x1f\u{8b}"]
        {
            fs::write(&path, theirs).unwrap();
            assert!(matches!(Pending::check_own(&path, false), Err(Failure::Misuse(_))), "{theirs}");
            assert!(Pending::check_own(&path, true).is_ok());
            assert_eq!(fs::read_to_string(&path).unwrap(), theirs);
        }
        for ours in [
            "",
            "{\n  \"schema\": \"fairlane-race-1\",",
            "{\"schema\":\"fairlane-race-1\"",
            "# Race on a CPU\n",
            "# Two runs compared\n",
        ] {
            fs::write(&path, ours).unwrap();
            assert!(Pending::check_own(&path, false).is_ok(), "{ours}");
        }
        assert!(Pending::check_own(Path::new("-"), false).is_ok());
    }

    #[test]
    fn bad_paths_are_misuse() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Pending::check(folder.path()), Err(Failure::Misuse(_))));
        assert!(matches!(Pending::check(&folder.path().join("no/such/run.json")), Err(Failure::Misuse(_))));
    }
}
