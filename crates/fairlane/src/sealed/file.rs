//! Files that appear under their names only when they are complete.

use super::{Error, MAX_LENGTH, Opener, Options, Secret, seal};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf, is_separator};
use tempfile::{NamedTempFile, PersistError};

/// What happens to a file that already exists.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Existing {
    /// It is kept, and there is an error of the kind [`io::ErrorKind::AlreadyExists`].
    #[default]
    Keep,
    /// It is replaced atomically when the new file is complete.
    Replace,
}

/// The permissions of a new file. They apply on Unix only.
#[derive(Clone, Copy, Debug)]
pub enum Access<'a> {
    /// Those of the file that it replaces; if it replaces none, those that the umask leaves.
    Usual,
    /// Those of the file that it replaces; if it replaces none, those of the regular file with this metadata that the
    /// umask leaves, so that what is made from a private file is private.
    Like(&'a Metadata),
    /// Only the owner may use it.
    Private,
}

/// A file that is written under a temporary name in the same folder, and is renamed when it is complete.
///
/// If it is dropped before [`finish`](Self::finish), the temporary file is deleted. A process that is killed leaves the
/// file [`temporary`](Self::temporary), called `.fairlane-….part`.
#[derive(Debug)]
pub struct NewFile {
    temporary: NamedTempFile,
    path: PathBuf,
    existing: Existing,
}

impl NewFile {
    /// Creates the temporary file for `path`. If `path` is a symbolic link, the link is replaced and not what it leads
    /// to: somebody else may have put it there.
    ///
    /// The new file takes the nine permission bits of the file that it replaces, or of the one that it is
    /// [like](Access::Like) as far as the umask leaves them, without the group's if it belongs to another group.
    ///
    /// # Errors
    ///
    /// If the file exists and is to be kept, if it is not a regular file, if the name is that of a folder, such as
    /// `new/`, or if the folder cannot be written to.
    pub fn create(path: &Path, existing: Existing, access: Access) -> io::Result<Self> {
        if names_a_folder(path) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "a name that ends so is a folder's"));
        }
        let old = match fs::symlink_metadata(path) {
            Ok(_) if existing == Existing::Keep => {
                let kind = io::ErrorKind::AlreadyExists;
                return Err(io::Error::new(kind, "it is there already, and was not to be replaced"));
            }
            Ok(old) if old.is_symlink() => None,
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
        let temporary = create_temporary(&mut builder, folder(path), old.as_ref(), access)?;
        Ok(Self { temporary, path: path.to_owned(), existing })
    }

    /// The path of the temporary file.
    pub fn temporary(&self) -> &Path {
        self.temporary.path()
    }

    /// Waits until everything that was written is on the disk, as [`finish`](Self::finish) does, too.
    ///
    /// # Errors
    ///
    /// Those of [`File::sync_all`].
    pub fn sync(&self) -> io::Result<()> {
        self.temporary.as_file().sync_all()
    }

    /// Writes the file to the disk, renames it, and on Unix writes the folder to the disk. A file that is mounted by
    /// itself, as in a container, cannot be replaced: it is written over.
    ///
    /// # Errors
    ///
    /// If that fails, or if a file of this name was created meanwhile and is to be kept. The temporary file is then
    /// deleted; but if it is complete and only the renaming failed, it stays, and the error names it. The old content
    /// of a file that had to be written over may be lost then.
    pub fn finish(self) -> io::Result<()> {
        self.sync()?;
        let named = match self.existing {
            Existing::Keep => self.temporary.persist_noclobber(&self.path),
            Existing::Replace => self.temporary.persist(&self.path),
        };
        if let Err(PersistError { error, file }) = named {
            return match error.kind() {
                io::ErrorKind::AlreadyExists => Err(error),
                io::ErrorKind::ResourceBusy => {
                    write_over(&file, &self.path).map_err(|error| keep(file, "written over the old one", &error))
                }
                _ => Err(keep(file, "renamed", &error)),
            };
        }
        // Not every file system can do this, and the file has its name already: an error is ignored.
        #[cfg(unix)]
        let _ = File::open(folder(&self.path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// Whether the name ends with a separator or `.`, so that only a folder can have it.
fn names_a_folder(path: &Path) -> bool {
    let mut parts = path.as_os_str().as_encoded_bytes().rsplit(|&byte| is_separator(char::from(byte)));
    matches!(parts.next(), Some(b"" | b"."))
}

/// Writes the content of a complete file over another one.
fn write_over(complete: &NamedTempFile, path: &Path) -> io::Result<()> {
    let mut over = File::options().write(true).truncate(true).open(path)?;
    io::copy(&mut complete.reopen()?, &mut over)?;
    over.sync_all()
}

/// Keeps a complete file that could not be renamed or written over the old one (`what`), and says where it is.
fn keep(complete: NamedTempFile, what: &str, why: &io::Error) -> io::Error {
    match complete.keep() {
        Ok((_, path)) => {
            let said = format!("it is complete as {}, but cannot be {what}: {why}", path.display());
            io::Error::new(why.kind(), said)
        }
        Err(error) => error.error,
    }
}

/// Creates the temporary file. `tempfile` makes it private, so that it never has more permissions than at the end.
#[cfg(unix)]
fn create_temporary(
    builder: &mut tempfile::Builder,
    folder: &Path,
    old: Option<&Metadata>,
    access: Access,
) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let (like, mode) = match (access, old) {
        (Access::Private, _) => return builder.tempfile_in(folder),
        (_, Some(old)) => (Some(old), 0o600),
        (Access::Like(other), None) if other.is_file() => (Some(other), other.mode() & 0o777),
        _ => (None, 0o666),
    };
    // The system removes the umask's bits, as for any new file.
    let mut create = |mode| builder.permissions(fs::Permissions::from_mode(mode)).tempfile_in(folder);
    let Some(like) = like else { return create(mode) };
    // Only a file tells what group it has here, and another group must never have been permitted anything.
    let mut temporary = create(mode & 0o707)?;
    if mode & 0o070 != 0 && temporary.as_file().metadata()?.gid() == like.gid() {
        temporary = create(mode)?;
    }
    let found = temporary.as_file().metadata()?;
    let mode = if old.is_some() { like.mode() } else { found.mode() };
    let mode = mode & if found.gid() == like.gid() { 0o777 } else { 0o707 };
    temporary.as_file().set_permissions(fs::Permissions::from_mode(mode))?;
    Ok(temporary)
}

#[cfg(not(unix))]
fn create_temporary(
    builder: &mut tempfile::Builder,
    folder: &Path,
    _: Option<&Metadata>,
    _: Access,
) -> io::Result<NamedTempFile> {
    builder.tempfile_in(folder)
}

/// The folder of a file.
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

/// Seals the file `from` as the file `to`, which appears when it is complete. It has the permissions of the file that
/// it replaces, or those of `from` that the umask leaves if it replaces none. Both may be the same file if it is to be
/// replaced. Returns the number of bytes of plaintext.
///
/// # Errors
///
/// See [`Error`]. No temporary file is left and an existing file is unchanged, but for what [`NewFile::finish`] says.
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

/// Opens the sealed file `from` as the file `to`, which appears when all of it was verified. It has the permissions of
/// the file that it replaces, or those of `from` that the umask leaves if it replaces none. Both may be the same file
/// if it is to be replaced. Returns the number of bytes of plaintext.
///
/// # Errors
///
/// See [`Error`]. No temporary file is left and an existing file is unchanged, but for what [`NewFile::finish`] says.
pub fn open_file(from: &Path, to: &Path, existing: Existing, secret: Secret) -> Result<u64, Error> {
    let (opener, found) = opener(from)?;
    open_as(opener, &found, to, existing, secret)
}

/// As [`open_file`], and allows what nobody but its authors has analysed ([`Opener::allow_experimental`]).
///
/// # Errors
///
/// Those of [`open_file`].
pub fn open_experimental_file(from: &Path, to: &Path, existing: Existing, secret: Secret) -> Result<u64, Error> {
    let (opener, found) = opener(from)?;
    open_as(opener.allow_experimental(), &found, to, existing, secret)
}

fn opener(from: &Path) -> Result<(Opener<File>, Metadata), Error> {
    let (reader, found) = open_to_read(from)?;
    Ok((Opener::new(reader)?, found))
}

fn open_as(
    opener: Opener<File>,
    found: &Metadata,
    to: &Path,
    existing: Existing,
    secret: Secret,
) -> Result<u64, Error> {
    let mut writer = NewFile::create(to, existing, Access::Like(found)).map_err(Error::Write)?;
    let opened = opener.open(&mut writer, secret)?;
    writer.finish().map_err(Error::Write)?;
    Ok(opened)
}

fn open_to_read(path: &Path) -> Result<(File, Metadata), Error> {
    let file = File::open(path).map_err(Error::Read)?;
    let found = file.metadata().map_err(Error::Read)?;
    Ok((file, found))
}
