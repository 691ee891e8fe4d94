//! Reads identities and encapsulation keys from files, and encodes encapsulation keys (`docs/kem-files.md`).

use super::image;
use crate::endpoints::Content;
use crate::failure::{Failure, reason};
use crate::names::quote;
use crate::secret_files::{about, read_private};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fairlane::sealed::{Identity, Kem, Recipient};
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The maximum size in bytes of a file with an encapsulation key or a ciphertext. It leaves room for what other
/// programs add to an image.
const MAX_SIZE: usize = 1 << 20;

/// The beginning of a key's text.
const TEXT: &[u8] = b"fairlane ";

/// The beginning of an identity.
const IDENTITY: &[u8] = b"fairlane identity ";

/// The form in which an encapsulation key is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Text,
    Raw,
    Png,
}

impl Form {
    /// The content of the file.
    pub(super) fn bytes(self, recipient: &Recipient) -> Vec<u8> {
        match self {
            Self::Text => recipient.to_text().into_bytes(),
            Self::Raw => recipient.as_bytes().to_vec(),
            Self::Png => image::write(recipient),
        }
    }

    /// Whether the form may go to a terminal.
    pub(super) fn content(self) -> Content {
        match self {
            Self::Text => Content::MaybeText,
            Self::Raw | Self::Png => Content::Binary,
        }
    }

    /// The suffix that is appended to the name of the identity.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Text => ".pub",
            Self::Raw => ".raw",
            Self::Png => ".png",
        }
    }
}

/// Reads an encapsulation key in any form. A form that does not name the KEM is taken as a key of `kem` or, without
/// that, of the ML-KEM, or of X-Wing, whose keys have this length.
pub(crate) fn read_recipient(path: &Path, kem: Option<Kem>) -> Result<Recipient, Failure> {
    let name = quote(path.as_os_str());
    let file = File::open(path).map_err(|error| cannot_read(&name, &error))?;
    let file = read_short(&name, file)?;
    if file.starts_with(IDENTITY) {
        return Err(Failure::Misuse(format!(
            "{name} is an identity, not an encapsulation key: fairlane kem export -i {name} -o FILE writes its key"
        )));
    }
    let (said, key) = if file.starts_with(TEXT) {
        let text = str::from_utf8(&file).map_err(|_| about(path, "not the text of a key: it is not UTF-8"))?;
        let recipient: Recipient = text.parse().map_err(|error| about(path, error))?;
        (Some(recipient.kem()), recipient.as_bytes().to_vec())
    } else if file.starts_with(image::SIGNATURE) {
        image::read(&file).map_err(|error| about(path, error))?
    } else {
        (None, file)
    };
    check_kem(path, said, kem)?;
    let by_length = |kem: &&Kem| kem.reviewed() && kem.encapsulation_key_size() == key.len();
    let Some(kem) = said.or(kem).or_else(|| Kem::ALL.iter().find(by_length).copied()) else {
        return Err(about(
            path,
            format_args!("not an encapsulation key as text, image or bare bytes: {} bytes", key.len()),
        ));
    };
    Recipient::from_bytes(kem, &key).map_err(|error| about(path, error))
}

/// Reads an identity, which must be one of `kem` if that is given.
pub(crate) fn read_identity(path: &Path, kem: Option<Kem>) -> Result<Identity, Failure> {
    let text = read_private(path)?;
    // A file that is not UTF-8 is refused like an empty one: neither is an identity.
    let identity: Identity = str::from_utf8(&text).unwrap_or_default().parse().map_err(|error| about(path, error))?;
    check_kem(path, Some(identity.kem()), kem)?;
    Ok(identity)
}

/// Refuses a key that names another KEM than the one asked for.
fn check_kem(path: &Path, said: Option<Kem>, asked: Option<Kem>) -> Result<(), Failure> {
    match (said, asked) {
        (Some(said), Some(asked)) if said != asked => {
            Err(Failure::Misuse(format!("{} is a key of {said}, not of {asked}", quote(path.as_os_str()))))
        }
        _ => Ok(()),
    }
}

/// Reads a whole input of at most [`MAX_SIZE`] bytes; `name` is for messages.
pub(super) fn read_short(name: &str, reader: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    reader.take(MAX_SIZE as u64 + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(name, &error))?;
    if bytes.len() > MAX_SIZE {
        return Err(Failure::Failed(format!("{name}: longer than {MAX_SIZE} bytes: not a key or a ciphertext")));
    }
    Ok(bytes)
}

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot read {name}: {}", reason(error)))
}

/// The argument parser for the name of a KEM.
pub(super) fn kem_parser() -> impl TypedValueParser<Value = Kem> {
    PossibleValuesParser::new(Kem::ALL.iter().map(|kem| kem.name())).try_map(|name| name.parse::<Kem>())
}

/// The bytes in hexadecimal digits.
pub(super) fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
