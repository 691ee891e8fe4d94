//! The files of keys: what is read and in which forms one is written (`docs/kem-files.md`).

use super::image;
use crate::failure::{Failure, reason};
use crate::names::quote;
use crate::sealed::places::Content;
use crate::sealed::secret::{about, read_private};
use fairlane::sealed::{Identity, Kem, Recipient};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes that the file of a key or a ciphertext may have: an image that other programs added to, for example.
const MOST: usize = 1 << 20;

/// How the texts of keys begin.
const TEXT: &[u8] = b"fairlane ";

/// How an encapsulation key is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Text,
    Raw,
    Png,
}

impl Form {
    /// The bytes of a file.
    pub(super) fn bytes(self, recipient: &Recipient) -> Vec<u8> {
        match self {
            Self::Text => recipient.to_text().into_bytes(),
            Self::Raw => recipient.as_bytes().to_vec(),
            Self::Png => image::write(recipient),
        }
    }

    /// Whether a terminal understands them.
    pub(super) fn content(self) -> Content {
        match self {
            Self::Text => Content::Plain,
            Self::Raw | Self::Png => Content::Binary,
        }
    }

    /// What is appended to the name of the identity.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Text => ".pub",
            Self::Raw => ".raw",
            Self::Png => ".png",
        }
    }
}

/// Reads an encapsulation key in any form. One that does not say so itself is of `kem`, or of the ML-KEM that has keys of
/// its length.
pub(crate) fn read_recipient(path: &Path, kem: Option<Kem>) -> Result<Recipient, Failure> {
    let name = quote(path.as_os_str());
    let file = File::open(path).map_err(|error| cannot_read(&name, &error))?;
    let file = read_short(&name, file)?;
    let (said, key) = if file.starts_with(TEXT) {
        let text = str::from_utf8(&file).map_err(|_| about(path, "not the text of a key: it is not UTF-8"))?;
        let recipient: Recipient = text.parse().map_err(|error| about(path, error))?;
        (Some(recipient.kem()), recipient.as_bytes().to_vec())
    } else if file.starts_with(image::SIGNATURE) {
        image::read(&file).map_err(|error| about(path, error))?
    } else {
        (None, file)
    };
    is_of(path, said, kem)?;
    let by_length = |kem: &&Kem| kem.reviewed() && kem.encapsulation_key_size() == key.len();
    let Some(kem) = said.or(kem).or_else(|| Kem::ALL.iter().find(by_length).copied()) else {
        return Err(about(
            path,
            format_args!("not an encapsulation key, nor one's text or image: {} bytes", key.len()),
        ));
    };
    Recipient::from_bytes(kem, &key).map_err(|error| about(path, error))
}

/// Reads an identity, which is of `kem` if that is given.
pub(crate) fn read_identity(path: &Path, kem: Option<Kem>) -> Result<Identity, Failure> {
    let text = read_private(path)?;
    // What is not UTF-8 is no identity, as nothing is none.
    let identity: Identity = str::from_utf8(&text).unwrap_or_default().parse().map_err(|error| about(path, error))?;
    is_of(path, Some(identity.kem()), kem)?;
    Ok(identity)
}

/// Refuses a key that says to be of another KEM than was asked for.
fn is_of(path: &Path, said: Option<Kem>, asked: Option<Kem>) -> Result<(), Failure> {
    match (said, asked) {
        (Some(said), Some(asked)) if said != asked => {
            Err(Failure::Misuse(format!("{} is a key of {said}, not of {asked}", quote(path.as_os_str()))))
        }
        _ => Ok(()),
    }
}

/// All that comes of a reader called `name`.
pub(super) fn read_short(name: &str, reader: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    reader.take(MOST as u64 + 1).read_to_end(&mut bytes).map_err(|error| cannot_read(name, &error))?;
    if bytes.len() > MOST {
        return Err(Failure::Failed(format!("{name}: longer than {MOST} bytes: not a key or a ciphertext")));
    }
    Ok(bytes)
}

fn cannot_read(name: &str, error: &io::Error) -> Failure {
    Failure::Failed(format!("cannot read {name}: {}", reason(error)))
}
