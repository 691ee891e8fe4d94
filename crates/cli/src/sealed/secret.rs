//! The secret of `encrypt` and `decrypt`: a key, a passphrase, a recipient or an identity.
//!
//! It is read from a file; a passphrase may also be typed on the terminal, without echo.

use crate::failure::{Failure, Outcome, experimental, reason};
#[cfg(unix)]
use crate::interrupt::EchoOff;
use crate::kem::{read_identity, read_recipient};
use crate::names::quote;
use crate::secret_files::{MAX_SIZE, about, read_private};
use fairlane::sealed::{Error, Identity, Key, MAX_RECIPIENTS, Opener, Recipient, Secret};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

#[derive(clap::Args, Debug)]
struct SecretArgs {
    /// Key file, from fairlane keygen; only its owner may have access to it
    #[arg(short, long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Read the passphrase from the first line of this file instead of asking for it
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    passphrase_file: Option<PathBuf>,
}

/// A secret that is erased on drop.
pub(crate) enum Owned {
    Key(Key),
    /// The bytes of the passphrase, in whatever encoding they came.
    Passphrase(Zeroizing<Vec<u8>>),
    Recipients(Vec<Recipient>),
    Identity(Identity),
}

impl Owned {
    /// Borrows the secret in the library's type.
    pub(crate) fn get(&self) -> Secret<'_> {
        match self {
            Self::Key(key) => Secret::Key(key),
            Self::Passphrase(passphrase) => Secret::Passphrase(passphrase),
            Self::Recipients(recipients) => Secret::Recipients(recipients),
            Self::Identity(identity) => Secret::Identity(identity),
        }
    }
}

/// The options that give the secret for `encrypt`.
#[derive(clap::Args, Debug)]
pub(crate) struct SealArgs {
    #[command(flatten)]
    secret: SecretArgs,
    /// Encrypt to the owner of this encapsulation key, which fairlane kem keygen writes, as text, bare bytes or an
    /// image; may be given up to 64 times, and each of the owners can decrypt
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["key", "passphrase_file"])]
    recipient: Vec<PathBuf>,
}

impl SealArgs {
    /// Refuses too many recipients, before anything is opened.
    pub(crate) fn check(&self) -> Outcome {
        let given = self.recipient.len();
        if given <= MAX_RECIPIENTS {
            return Ok(());
        }
        Err(Failure::Misuse(format!("--recipient is given {given} times: at most {MAX_RECIPIENTS} can be")))
    }

    /// Reads the secret; asks for a passphrase twice. Keys that nobody but their authors has analysed are refused
    /// unless they are allowed.
    pub(crate) fn get(&self, allowed: bool) -> Result<Owned, Failure> {
        if !self.recipient.is_empty() {
            let read = |path: &PathBuf| {
                let key = read_recipient(path, None)?;
                if key.kem().reviewed() || allowed {
                    return Ok(key);
                }
                let name = quote(path.as_os_str());
                Err(Failure::Misuse(format!("{name}: {}", experimental(key.kem().name()))))
            };
            return self.recipient.iter().map(read).collect::<Result<_, _>>().map(Owned::Recipients);
        }
        if let Some(given) = self.secret.given()? {
            return Ok(given);
        }
        let passphrase = ask("Passphrase: ")?;
        if *passphrase != *ask("Passphrase again: ")? {
            return Err(Failure::failed("the two passphrases differ; nothing was encrypted"));
        }
        Ok(Owned::Passphrase(passphrase))
    }

    /// The files of these options, each with its description.
    pub(crate) fn files(&self) -> Vec<(Option<&Path>, &'static str)> {
        let recipients = self.recipient.iter().map(|path| (Some(&**path), "a recipient's key"));
        self.secret.files().into_iter().chain(recipients).collect()
    }
}

/// The options that give the secret for `decrypt`.
#[derive(clap::Args, Debug)]
pub(crate) struct OpenArgs {
    #[command(flatten)]
    secret: SecretArgs,
    /// The recipient's identity, from fairlane kem keygen; only its owner may have access to it
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["key", "passphrase_file"])]
    identity: Option<PathBuf>,
}

impl OpenArgs {
    /// Reads a secret of the kind that the sealed file `name` needs.
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

    /// The files of these options, each with its description.
    pub(crate) fn files(&self) -> [(Option<&Path>, &'static str); 3] {
        let [key, passphrase] = self.secret.files();
        [key, passphrase, (self.identity.as_deref(), "the identity")]
    }
}

impl SecretArgs {
    /// Reads the secret from the file that an option names, if one does.
    fn given(&self) -> Result<Option<Owned>, Failure> {
        if let Some(path) = &self.key {
            let text = read_private(path)?;
            // A file that is not UTF-8 is refused like an empty one: neither is a key.
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

    /// The files of these options, each with its description.
    fn files(&self) -> [(Option<&Path>, &'static str); 2] {
        [(self.key.as_deref(), "the key file"), (self.passphrase_file.as_deref(), "the passphrase file")]
    }
}

/// Removes everything but the first line, without its end.
fn cut_to_first_line(text: &mut Vec<u8>) {
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line).len();
    text.truncate(line);
}

/// Asks for a passphrase on the terminal, even if standard input and output are not terminals.
fn ask(prompt: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
    let passphrase = ask_without_echo(prompt).map_err(|error| {
        let why = reason(&error);
        Failure::Misuse(format!("cannot ask for a passphrase ({why}): give --key FILE or --passphrase-file FILE"))
    })?;
    if passphrase.is_empty() {
        return Err(Failure::failed(Error::BadPassphrase));
    }
    Ok(passphrase)
}

#[cfg(unix)]
fn ask_without_echo(prompt: &str) -> io::Result<Zeroizing<Vec<u8>>> {
    use std::io::Write;
    let mut terminal = std::fs::File::options().read(true).write(true).open("/dev/tty")?;
    let _echo_off = EchoOff::new(&terminal)?;
    terminal.write_all(prompt.as_bytes())?;
    let mut line = Zeroizing::new(Vec::with_capacity(MAX_SIZE));
    // Reads byte by byte, since a buffered reader would keep a copy.
    while (&terminal).take(1).read_to_end(&mut line)? == 1 && !line.ends_with(b"\n") {
        if line.len() == MAX_SIZE {
            return Err(io::Error::other(format!("it has {MAX_SIZE} bytes or more")));
        }
    }
    cut_to_first_line(&mut line);
    Ok(line)
}

#[cfg(not(unix))]
fn ask_without_echo(prompt: &str) -> io::Result<Zeroizing<Vec<u8>>> {
    rpassword::prompt_password(prompt).map(|typed| Zeroizing::new(typed.into_bytes()))
}
