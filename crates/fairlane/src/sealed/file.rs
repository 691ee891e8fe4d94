//! Files that appear under their name only when they are whole.

use super::{Error, MAX_LENGTH, Opener, Options, Secret, seal};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What becomes of a file that is already there.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Existing {
    /// It stays, and there is an error of the kind [`io::ErrorKind::AlreadyExists`].
    #[default]
    Keep,
    /// It is replaced, in one step, when the new file is whole. The new one gets its permissions.
    Replace,
}

/// A file that is written under another name in the same folder, and gets its own when it is whole.
///
/// Dropped before [`finish`](Self::finish), it leaves nothing behind. A process that is killed leaves the file
/// [`temporary`](Self::temporary), called `.fairlane-….part`.
#[derive(Debug)]
pub struct NewFile {
    temporary: NamedTempFile,
    path: PathBuf,
    existing: Existing,
}

impl NewFile {
    /// Begins the file `path`. Links are followed: what they lead to is replaced.
    ///
    /// # Errors
    ///
    /// If there is such a file already and it is to be kept, if it is not a regular file, or if the folder cannot be
    /// written to.
    pub fn create(path: &Path, existing: Existing) -> io::Result<Self> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fairlane-").suffix(".part");
        let old = match fs::symlink_metadata(&path) {
            Ok(_) if existing == Existing::Keep => return Err(io::ErrorKind::AlreadyExists.into()),
            Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(old) if old.is_symlink() => return Err(io::Error::other("a link to what is not there")),
            Ok(old) if !old.is_file() => return Err(io::Error::other("not a regular file")),
            Ok(old) => Some(old.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        #[cfg(unix)]
        if old.is_none() {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: the umask takes its bits from this.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let temporary = builder.tempfile_in(folder)?;
        #[cfg(unix)]
        if let Some(old) = old {
            temporary.as_file().set_permissions(old)?;
        }
        Ok(Self { temporary, path, existing })
    }

    /// Where it is written until it is whole.
    pub fn temporary(&self) -> &Path {
        self.temporary.path()
    }

    /// Waits until all that was written is on the disk. [`finish`](Self::finish) does so, too.
    ///
    /// # Errors
    ///
    /// If it cannot be.
    pub fn sync(&self) -> io::Result<()> {
        self.temporary.as_file().sync_all()
    }

    /// Gives the file its name, once all of it is on the disk.
    ///
    /// # Errors
    ///
    /// If that fails, or if another file has the name meanwhile and is to be kept. Then nothing of this one is left.
    pub fn finish(self) -> io::Result<()> {
        self.sync()?;
        let named = match self.existing {
            Existing::Keep => self.temporary.persist_noclobber(self.path),
            Existing::Replace => self.temporary.persist(self.path),
        };
        named.map(drop).map_err(|error| error.error)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.as_file_mut().flush()
    }
}

/// Seals the file `from` as the file `to`, which appears when it is whole. They may be the same file, if it is to be
/// replaced. Returns how many bytes of plaintext were sealed.
///
/// # Errors
///
/// See [`Error`]. Nothing is left behind, and a file that was there is as it was.
pub fn seal_file(from: &Path, to: &Path, existing: Existing, secret: Secret, options: &Options) -> Result<u64, Error> {
    let reader = File::open(from).map_err(Error::Read)?;
    if reader.metadata().map_err(Error::Read)?.len() > MAX_LENGTH {
        return Err(Error::TooLong);
    }
    let mut writer = NewFile::create(to, existing).map_err(Error::Write)?;
    let sealed = seal(reader, &mut writer, secret, options)?;
    writer.finish().map_err(Error::Write)?;
    Ok(sealed)
}

/// Opens the sealed file `from` as the file `to`, which appears when all of it is verified. They may be the same file,
/// if it is to be replaced. Returns how many bytes of plaintext were written.
///
/// # Errors
///
/// See [`Error`]. Nothing is left behind, and a file that was there is as it was.
pub fn open_file(from: &Path, to: &Path, existing: Existing, secret: Secret) -> Result<u64, Error> {
    let opener = Opener::new(File::open(from).map_err(Error::Read)?)?;
    let mut writer = NewFile::create(to, existing).map_err(Error::Write)?;
    let opened = opener.open(&mut writer, secret)?;
    writer.finish().map_err(Error::Write)?;
    Ok(opened)
}
