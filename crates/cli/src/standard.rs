//! Standard input and output as the system has them.
//!
//! To the standard library, input that cannot be read is empty, and output that cannot be written takes everything: a
//! checksum of nothing, or a file that is lost, would be no error. On Unix both are files here, whose errors are told.

#[cfg(not(unix))]
pub(crate) use other::{Stdout, ready_stdout, stdin, stdout};
#[cfg(unix)]
pub(crate) use unix::{Stdout, is_null, ready_stdout, stdin, stdout};

#[cfg(unix)]
mod unix {
    use rustix::fs::{OFlags, fcntl_getfl};
    use rustix::io::Errno;
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::{FileTypeExt, MetadataExt};

    pub(crate) type Stdout = File;

    /// Standard input. It is refused if nobody gave any: where it was closed, the standard library has opened
    /// `/dev/null` for reading and writing. A shell opens it for reading only, and then it is empty as asked.
    pub(crate) fn stdin() -> io::Result<File> {
        let stdin = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        if fcntl_getfl(&stdin)?.contains(OFlags::RDWR) && is_null(&stdin.metadata()?) {
            return Err(io::Error::other("none was given; redirect it, from /dev/null if it is to be empty"));
        }
        Ok(stdin)
    }

    /// Standard output. It is not refused like standard input: many programs open `/dev/null` so to discard it.
    pub(crate) fn stdout() -> io::Result<Stdout> {
        Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
    }

    /// Standard output, if it is open for writing: for what is told before the work.
    pub(crate) fn ready_stdout() -> io::Result<Stdout> {
        let stdout = stdout()?;
        if fcntl_getfl(&stdout)? & OFlags::ACCMODE == OFlags::RDONLY {
            return Err(Errno::BADF.into());
        }
        Ok(stdout)
    }

    /// Whether the file is `/dev/null`.
    pub(crate) fn is_null(found: &Metadata) -> bool {
        fs::metadata("/dev/null").is_ok_and(|null| found.file_type().is_char_device() && found.rdev() == null.rdev())
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    pub(crate) type Stdout = io::Stdout;

    pub(crate) fn stdin() -> io::Result<io::Stdin> {
        Ok(io::stdin())
    }

    pub(crate) fn stdout() -> io::Result<Stdout> {
        Ok(io::stdout())
    }

    pub(crate) fn ready_stdout() -> io::Result<Stdout> {
        stdout()
    }
}
