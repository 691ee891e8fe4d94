//! Files with secrets: key files, passphrase files and identities. They are readable by their owner only.

use crate::failure::{Failure, Outcome, reason};
use crate::interrupt;
use crate::names::quote;
use fairlane::sealed::{Access, Existing, NewFile};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// The maximum size in bytes of a file with a secret.
pub(crate) const MAX_SIZE: usize = 4096;

/// What an encapsulation key begins with, as text and as an image.
const PUBLIC: [&[u8]; 2] = [b"fairlane recipient ", b"\x89PNG\r\n"];

/// Reads a short file with a secret. A file to which group or others have rights is refused.
pub(crate) fn read_private(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let cannot =
        |error: &io::Error| Failure::Failed(format!("cannot read {}: {}", quote(path.as_os_str()), reason(error)));
    let file = File::open(path).map_err(|error| cannot(&error))?;
    let others = refuse_others(path, &file);
    // The capacity exceeds what is read, so that the vector never grows and leaves no copy behind.
    let mut text = Zeroizing::new(Vec::with_capacity(MAX_SIZE + 2));
    file.take(MAX_SIZE as u64 + 1).read_to_end(&mut text).map_err(|error| cannot(&error))?;
    // Before its permissions, which are right for a public key.
    if PUBLIC.iter().any(|begin| text.starts_with(begin)) {
        let name = quote(path.as_os_str());
        return Err(Failure::Misuse(format!("{name} is a public key: name the identity that it was made with")));
    }
    others?;
    if text.len() > MAX_SIZE {
        return Err(about(path, format_args!("longer than {MAX_SIZE} bytes: not a key file or a passphrase")));
    }
    Ok(text)
}

/// Refuses a file of this user to which others have rights, as ssh does. Files of other owners, such as a container's
/// secrets, and pipes are accepted.
#[cfg(unix)]
fn refuse_others(path: &Path, file: &File) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let found = file.metadata().map_err(|error| about(path, reason(&error)))?;
    let mode = found.mode() & 0o777;
    if found.is_file() && found.uid() == rustix::process::geteuid().as_raw() && mode & 0o077 != 0 {
        let name = quote(path.as_os_str());
        return Err(Failure::Failed(format!("others have rights to {name} (mode {mode:04o}): chmod 600 {name}")));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_others(_: &Path, _: &File) -> Result<(), Failure> {
    Ok(())
}

/// A failure that names the file and says what is wrong with it.
pub(crate) fn about(path: &Path, what: impl Display) -> Failure {
    Failure::Failed(format!("{}: {what}", quote(path.as_os_str())))
}

/// A new file for a secret. Only its owner may read it, it never replaces another file, and it is never standard
/// output.
pub(crate) struct SecretFile {
    file: NewFile,
    name: String,
}

impl SecretFile {
    /// Begins the file at `path`.
    pub(crate) fn begin(path: &Path) -> Result<Self, Failure> {
        if path.as_os_str() == "-" {
            return Err(Failure::misuse(
                "a key is never written to standard output: name a file (./- if it is to be called -)",
            ));
        }
        let name = quote(path.as_os_str());
        match interrupt::begin(path, Existing::Keep, Access::Private) {
            Ok(file) => Ok(Self { file, name }),
            Err(error) => Err(cannot_write(&name, &error)),
        }
    }

    /// Writes the whole content and gives the file its name.
    pub(crate) fn write(self, text: &str) -> Outcome {
        let Self { mut file, name } = self;
        let written = file.write_all(text.as_bytes()).and_then(|()| interrupt::finish(file));
        written.map_err(|error| cannot_write(&name, &error))
    }
}

fn cannot_write(name: &str, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Misuse(format!("{name} already exists, and a key is never overwritten: choose another name"))
        }
        _ => Failure::Failed(format!("cannot write {name}: {}", reason(error))),
    }
}
