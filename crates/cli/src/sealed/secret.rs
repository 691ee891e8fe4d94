//! The key, the passphrase, the recipient or the identity: from a file, or a passphrase from the terminal without echo.

#[cfg(unix)]
use super::interrupt;
use crate::failure::{Failure, reason};
use crate::kem::{read_identity, read_recipient};
use crate::names::quote;
use fairlane::sealed::{Error, Identity, Key, Opener, Recipient, Secret};
use std::fs::File;
#[cfg(unix)]
use std::io::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The most bytes that a key file or the file of a passphrase may have.
const MOST: usize = 4096;

#[derive(clap::Args, Debug)]
struct SecretArgs {
    /// Key file, from fairlane keygen; nobody else may have rights to it
    #[arg(short, long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Take the passphrase from the first line of this file instead of asking for it
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    passphrase_file: Option<PathBuf>,
}

/// A secret that is erased on drop.
pub(crate) enum Owned {
    Key(Key),
    /// Its bytes as they came, in whatever encoding.
    Passphrase(Zeroizing<Vec<u8>>),
    Recipient(Recipient),
    Identity(Identity),
}

impl Owned {
    /// As the library takes it.
    pub(crate) fn get(&self) -> Secret<'_> {
        match self {
            Self::Key(key) => Secret::Key(key),
            Self::Passphrase(passphrase) => Secret::Passphrase(passphrase),
            Self::Recipient(recipient) => Secret::Recipient(recipient),
            Self::Identity(identity) => Secret::Identity(identity),
        }
    }
}

/// What a new file is sealed with.
#[derive(clap::Args, Debug)]
pub(crate) struct SealArgs {
    #[command(flatten)]
    secret: SecretArgs,
    /// To whom: an encapsulation key from fairlane kem keygen, also as an image
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["key", "passphrase_file"])]
    recipient: Option<PathBuf>,
}

impl SealArgs {
    /// The secret; a passphrase is asked for twice.
    pub(crate) fn get(&self) -> Result<Owned, Failure> {
        if let Some(path) = &self.recipient {
            return read_recipient(path, None).map(Owned::Recipient);
        }
        if let Some(given) = self.secret.given()? {
            return Ok(given);
        }
        let passphrase = ask("Passphrase: ")?;
        if *passphrase != *ask("The same again: ")? {
            return Err(Failure::failed("these are two different passphrases; nothing was encrypted"));
        }
        Ok(Owned::Passphrase(passphrase))
    }

    /// Its files, and what to call them.
    pub(crate) fn files(&self) -> [(Option<&Path>, &'static str); 3] {
        let [key, passphrase] = self.secret.files();
        [key, passphrase, (self.recipient.as_deref(), "the recipient's key")]
    }
}

/// What a file is opened with.
#[derive(clap::Args, Debug)]
pub(crate) struct OpenArgs {
    #[command(flatten)]
    secret: SecretArgs,
    /// The recipient's secret key, from fairlane kem keygen; nobody else may have rights to it
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["key", "passphrase_file"])]
    identity: Option<PathBuf>,
}

impl OpenArgs {
    /// The secret of the kind that the file `name` needs.
    pub(crate) fn get<R: Read>(&self, name: &str, opener: &Opener<R>) -> Result<Owned, Failure> {
        let misuse = |what: &str| Err(Failure::Misuse(format!("{name} was encrypted {what}")));
        match (&self.identity, opener.kem()) {
            (Some(path), Some(_)) => return read_identity(path, None).map(Owned::Identity),
            (None, Some(_)) => return misuse("to a recipient: give the identity with --identity FILE"),
            _ => (),
        }
        match (self.secret.given()?, opener.cost()) {
            (Some(Owned::Key(_)), Some(_)) => misuse("with a passphrase: leave out --key"),
            (_, Some(_)) if self.identity.is_some() => misuse("with a passphrase: leave out --identity"),
            (None | Some(Owned::Passphrase(_)), None) => misuse("with a key: give it with --key FILE"),
            (Some(given), _) => Ok(given),
            (None, Some(_)) => ask("Passphrase: ").map(Owned::Passphrase),
        }
    }

    /// Its files, and what to call them.
    pub(crate) fn files(&self) -> [(Option<&Path>, &'static str); 3] {
        let [key, passphrase] = self.secret.files();
        [key, passphrase, (self.identity.as_deref(), "the identity")]
    }
}

impl SecretArgs {
    /// The secret that a file was named for.
    fn given(&self) -> Result<Option<Owned>, Failure> {
        if let Some(path) = &self.key {
            let text = read_private(path)?;
            // What is not UTF-8 is no key, as nothing is none.
            let key = str::from_utf8(&text).unwrap_or_default().parse::<Key>();
            return key.map(|key| Some(Owned::Key(key))).map_err(|error| about(path, error));
        }
        let Some(path) = &self.passphrase_file else { return Ok(None) };
        let mut text = read_private(path)?;
        cut_to_first_line(&mut text);
        if text.is_empty() {
            return Err(about(path, "its first line, the passphrase, is empty"));
        }
        Ok(Some(Owned::Passphrase(text)))
    }

    /// The files, and what to call them.
    fn files(&self) -> [(Option<&Path>, &'static str); 2] {
        [(self.key.as_deref(), "the key file"), (self.passphrase_file.as_deref(), "the passphrase file")]
    }
}

/// What is wrong with a file.
pub(crate) fn about(path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!("{}: {what}", quote(path.as_os_str())))
}

/// The first line, without its end.
fn cut_to_first_line(text: &mut Vec<u8>) {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line).len();
    text.truncate(line);
}

/// Asks on the terminal, whatever standard input and output are.
fn ask(prompt: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let passphrase = ask_silently(prompt).map_err(|error| {
        let why = reason(&error);
        Failure::Misuse(format!("cannot ask for a passphrase ({why}): give --key FILE or --passphrase-file FILE"))
    })?;
    if passphrase.is_empty() {
        return Err(Failure::failed(Error::BadPassphrase));
    }
    Ok(passphrase)
}

#[cfg(unix)]
fn ask_silently(prompt: &str) -> io::Result<Zeroizing<Vec<u8>>> {
    let mut terminal = File::options().read(true).write(true).open("/dev/tty")?;
    let _silence = interrupt::Silence::of(&terminal)?;
    terminal.write_all(prompt.as_bytes())?;
    let mut line = Zeroizing::new(Vec::with_capacity(MOST));
    // Byte by byte: a buffered reader would keep a copy.
    while (&terminal).take(1).read_to_end(&mut line)? == 1 && !line.ends_with(b"\n") {
        if line.len() == MOST {
            return Err(io::Error::other(format!("it has {MOST} bytes or more")));
        }
    }
    cut_to_first_line(&mut line);
    Ok(line)
}

#[cfg(not(unix))]
fn ask_silently(prompt: &str) -> io::Result<Zeroizing<Vec<u8>>> {
    rpassword::prompt_password(prompt).map(|typed| Zeroizing::new(typed.into_bytes()))
}

/// Reads a short file that is nobody else's business.
pub(crate) fn read_private(path: &Path) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let cannot =
        |error: &io::Error| Failure::Failed(format!("cannot read {}: {}", quote(path.as_os_str()), reason(error)));
    let file = File::open(path).map_err(|error| cannot(&error))?;
    refuse_others(path, &file)?;
    // With room for all of it and one more, so that neither growing nor looking for the end leaves copies.
    let mut text = Zeroizing::new(Vec::with_capacity(MOST + 2));
    file.take(MOST as u64 + 1).read_to_end(&mut text).map_err(|error| cannot(&error))?;
    if text.len() > MOST {
        return Err(about(path, format_args!("longer than {MOST} bytes: not a key file or a passphrase")));
    }
    Ok(text)
}

/// As ssh does: a file of ours to which others have rights is refused. Files of other owners (a container's secrets) and
/// pipes are not ours to judge.
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
