//! Files that appear under their name only when they are whole.

use super::{Error, MAX_LENGTH, Opener, Options, Secret, seal};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What becomes of a file that is already there.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Existing {
    /// It stays, and there is an error of the kind [`io::ErrorKind::AlreadyExists`].
    #[default]
    Keep,
    /// It is replaced, in one step, when the new file is whole.
    Replace,
}

/// Who may use a new file. On Unix only; elsewhere the folder decides.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// Whoever may use the file that it replaces; if it replaces none, whoever the umask lets.
    Usual,
    /// The same; but if it replaces none, whoever may use the regular file that this is the metadata of. What is made
    /// of a private file is private, then.
    Like(&'a Metadata),
    /// Nobody but its owner.
    Private,
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
    /// Of the mode of a file that it replaces or is [like](Access::Like), it takes the nine permissions only; of those
    /// not the group's, if the new file belongs to another group.
    ///
    /// # Errors
    ///
    /// If there is such a file already and it is to be kept, if it is not a regular file, or if the folder cannot be
    /// written to.
    pub fn create(path: &Path, existing: Existing, access: Access) -> io::Result<Self> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = match fs::symlink_metadata(&path) {
            Ok(old) if old.is_symlink() => {
                return Err(io::Error::other("a link to what is not there: remove it first"));
            }
            Ok(_) if existing == Existing::Keep => {
                let kind = io::ErrorKind::AlreadyExists;
                return Err(io::Error::new(kind, "it is there already, and was not to be replaced"));
            }
            Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(old) if !old.is_file() => {
                return Err(io::Error::other("not a regular file: open and write it as it is"));
            }
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fairlane-").suffix(".part");
        let temporary = begin(&mut builder, folder(&path), old.as_ref(), access)?;
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

    /// Gives the file its name, once all of it is on the disk; the name, too, where the system can be asked for that.
    ///
    /// # Errors
    ///
    /// If that fails, or if another file has the name meanwhile and is to be kept. Then nothing of this one is left.
    pub fn finish(self) -> io::Result<()> {
        self.sync()?;
        let named = match self.existing {
            Existing::Keep => self.temporary.persist_noclobber(&self.path),
            Existing::Replace => self.temporary.persist(&self.path),
        };
        named.map_err(|error| error.error)?;
        // The file is there; that not every file system can do this is no failure of it.
        #[cfg(unix)]
        let _ = File::open(folder(&self.path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// The temporary file. `tempfile` makes it private, so that it never has more rights than it gets in the end.
#[cfg(unix)]
fn begin(
    builder: &mut tempfile::Builder,
    folder: &Path,
    old: Option<&Metadata>,
    access: Access,
) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let like = match access {
        Access::Private => return builder.tempfile_in(folder),
        Access::Usual => old,
        Access::Like(other) => old.or(Some(other).filter(|other| other.is_file())),
    };
    let Some(like) = like else {
        // As any new file: the umask takes its bits from this.
        return builder.permissions(fs::Permissions::from_mode(0o666)).tempfile_in(folder);
    };
    let temporary = builder.tempfile_in(folder)?;
    let same_group = temporary.as_file().metadata()?.gid() == like.gid();
    let mode = like.mode() & if same_group { 0o777 } else { 0o707 };
    temporary.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    Ok(temporary)
}

#[cfg(not(unix))]
fn begin(builder: &mut tempfile::Builder, folder: &Path, _: Option<&Metadata>, _: Access) -> io::Result<NamedTempFile> {
    builder.tempfile_in(folder)
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.temporary.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.as_file_mut().flush()
    }
}

/// Seals the file `from` as the file `to`, which appears when it is whole, with the permissions of `from` if it replaces
/// none. They may be the same file, if it is to be replaced. Returns how many bytes of plaintext were sealed.
///
/// # Errors
///
/// See [`Error`]. Nothing is left behind, and a file that was there is as it was.
pub fn seal_file(from: &Path, to: &Path, existing: Existing, secret: Secret, options: &Options) -> Result<u64, Error> {
    let (reader, found) = open_to_read(from)?;
    if found.len() > MAX_LENGTH {
        return Err(Error::TooLong);
    }
    let mut writer = NewFile::create(to, existing, Access::Like(&found)).map_err(Error::Write)?;
    let sealed = seal(reader, &mut writer, secret, options)?;
    writer.finish().map_err(Error::Write)?;
    Ok(sealed)
}

/// Opens the sealed file `from` as the file `to`, which appears when all of it is verified, with the permissions of
/// `from` if it replaces none. They may be the same file, if it is to be replaced. Returns how many bytes of plaintext
/// were written.
///
/// # Errors
///
/// See [`Error`]. Nothing is left behind, and a file that was there is as it was.
pub fn open_file(from: &Path, to: &Path, existing: Existing, secret: Secret) -> Result<u64, Error> {
    let (reader, found) = open_to_read(from)?;
    let opener = Opener::new(reader)?;
    let mut writer = NewFile::create(to, existing, Access::Like(&found)).map_err(Error::Write)?;
    let opened = opener.open(&mut writer, secret)?;
    writer.finish().map_err(Error::Write)?;
    Ok(opened)
}

fn open_to_read(path: &Path) -> Result<(File, Metadata), Error> {
    let file = File::open(path).map_err(Error::Read)?;
    let found = file.metadata().map_err(Error::Read)?;
    Ok((file, found))
}
