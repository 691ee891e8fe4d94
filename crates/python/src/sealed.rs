//! Encrypted and authenticated files.

use crate::buffer::Input;
use crate::error::{InvalidTag, value};
use crate::kem::{DecapsulationKey, EncapsulationKey};
use fairlane::sealed::{self, Error, Existing, Identity, Key, Options, Recipient, Secret};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::io;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// What a file is sealed under, with the bytes that it needs.
enum Own {
    Key(Key),
    Passphrase(Zeroizing<Vec<u8>>),
    Recipient(Recipient),
    Recipients(Vec<Recipient>),
    Identity(Identity),
}

/// An argument's name, its value if it is given, and what reads it.
type Argument<'a, 'py> = (&'static str, Option<&'a Bound<'py, PyAny>>, fn(&Bound<'py, PyAny>) -> PyResult<Own>);

impl Own {
    fn secret(&self) -> Secret<'_> {
        match self {
            Self::Key(key) => Secret::Key(key),
            Self::Passphrase(passphrase) => Secret::Passphrase(passphrase),
            Self::Recipient(recipient) => Secret::Recipient(recipient),
            Self::Recipients(recipients) => Secret::Recipients(recipients),
            Self::Identity(identity) => Secret::Identity(identity),
        }
    }

    /// 64 bytes, or the text of a key file.
    fn key(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Key(text.to_str()?.parse().map_err(|error: sealed::KeyError| value(&error))?));
        }
        let input = object.extract::<Input<'_, '_>>()?;
        let bytes = <&[u8; 64]>::try_from(input.bytes());
        let wrong = |_| value(&format_args!("the length of the key is {} bytes instead of 64", input.bytes().len()));
        Ok(Self::Key(Key::from_bytes(bytes.map_err(wrong)?)))
    }

    /// Text, which stands for its UTF-8, or bytes.
    fn passphrase(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = match object.cast::<PyString>() {
            Ok(text) => text.to_str()?.as_bytes().to_vec(),
            Err(_) => object.extract::<Input<'_, '_>>()?.bytes().to_vec(),
        };
        Ok(Self::Passphrase(Zeroizing::new(bytes)))
    }

    /// An encapsulation key, or the text of its file.
    fn recipient(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self::Recipient(recipient(object)?))
    }

    /// Encapsulation keys, or the texts of their files.
    fn recipients(objects: &Bound<'_, PyAny>) -> PyResult<Self> {
        let recipients = objects.try_iter()?.map(|object| recipient(&object?)).collect::<PyResult<_>>()?;
        Ok(Self::Recipients(recipients))
    }

    /// A decapsulation key, or the text of its file.
    fn identity(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(key) = object.cast::<DecapsulationKey>() else {
            let identity = object.extract::<&str>()?.parse();
            return Ok(Self::Identity(identity.map_err(|error: sealed::KemKeyError| value(&error))?));
        };
        Ok(Self::Identity(key.get().identity()?))
    }

    /// Reads the one argument that is given.
    fn one<const N: usize>(arguments: [Argument<'_, '_>; N]) -> PyResult<Self> {
        let names = arguments.map(|(name, ..)| name).join(", ");
        let mut given = arguments.into_iter().filter_map(|(_, object, read)| object.map(|object| (object, read)));
        match (given.next(), given.next()) {
            (Some((object, read)), None) => read(object),
            _ => Err(PyTypeError::new_err(format!("give one of these arguments: {names}"))),
        }
    }
}

/// An encapsulation key, or the text of its file.
fn recipient(object: &Bound<'_, PyAny>) -> PyResult<Recipient> {
    let recipient = match object.cast::<EncapsulationKey>() {
        Ok(key) => Recipient::from_bytes(key.get().key.algorithm(), key.get().key.as_bytes()),
        Err(_) => object.extract::<&str>()?.parse(),
    };
    recipient.map_err(|error| value(&error))
}

/// Encrypts the file `source` as the file `target`, which appears when it is complete; returns its bytes of plaintext.
///
/// One of these is given: `key`, 64 bytes or the text of a key file; `passphrase`; `recipient`, an encapsulation key or
/// the text of its file; `recipients`, several of those, 64 at most, each of whom can open the file. A file that exists
/// is kept, and `FileExistsError` raised, unless `replace` is true. What nobody but its authors has analysed,
/// Kusumi-512 and CLWE-KEM, is a `ValueError` unless `experimental` is true.
#[pyfunction]
#[pyo3(signature = (
    source, target, *, key = None, passphrase = None, recipient = None, recipients = None,
    algorithm = "xchacha20-poly1305", replace = false, experimental = false
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn seal_file(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    key: Option<&Bound<'_, PyAny>>,
    passphrase: Option<&Bound<'_, PyAny>>,
    recipient: Option<&Bound<'_, PyAny>>,
    recipients: Option<&Bound<'_, PyAny>>,
    algorithm: &str,
    replace: bool,
    experimental: bool,
) -> PyResult<u64> {
    let secret = Own::one([
        ("key", key, Own::key),
        ("passphrase", passphrase, Own::passphrase),
        ("recipient", recipient, Own::recipient),
        ("recipients", recipients, Own::recipients),
    ])?;
    let algorithm = algorithm.parse().map_err(|error: fairlane::dynamic::UnknownAlgorithm| value(&error))?;
    let options = Options { algorithm, experimental, ..Options::default() };
    let sealed = py.detach(|| sealed::seal_file(&source, &target, existing(replace), secret.secret(), &options));
    sealed.map_err(|error| failed(error, &source, &target))
}

/// Decrypts the sealed file `source` as the file `target`, which appears when all of it was verified; returns its
/// bytes.
///
/// One of these is given: `key`, `passphrase`, as for `seal_file`; `identity`, a decapsulation key with its seed or the
/// text of its file. `experimental` is that of `seal_file`. `InvalidTag` is raised if the file was changed or the
/// secret is another one.
#[pyfunction]
#[pyo3(signature = (
    source, target, *, key = None, passphrase = None, identity = None, replace = false, experimental = false
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn open_file(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    key: Option<&Bound<'_, PyAny>>,
    passphrase: Option<&Bound<'_, PyAny>>,
    identity: Option<&Bound<'_, PyAny>>,
    replace: bool,
    experimental: bool,
) -> PyResult<u64> {
    let secret = Own::one([
        ("key", key, Own::key),
        ("passphrase", passphrase, Own::passphrase),
        ("identity", identity, Own::identity),
    ])?;
    let open = if experimental { sealed::open_experimental_file } else { sealed::open_file };
    let opened = py.detach(|| open(&source, &target, existing(replace), secret.secret()));
    opened.map_err(|error| failed(error, &source, &target))
}

fn existing(replace: bool) -> Existing {
    if replace { Existing::Replace } else { Existing::Keep }
}

/// The system's errors as such, what is not authentic as `InvalidTag`, all else as `ValueError`.
fn failed(error: Error, source: &Path, target: &Path) -> PyErr {
    match error {
        Error::Read(error) => of_system(error, source),
        Error::Write(error) => of_system(error, target),
        Error::Random(_) => PyOSError::new_err(error.to_string()),
        Error::OutOfMemory(_) => PyMemoryError::new_err(error.to_string()),
        Error::WrongKey | Error::WrongIdentity | Error::Corrupt { .. } | Error::Truncated | Error::TrailingData => {
            InvalidTag::new_err(error.to_string())
        }
        _ => value(&error),
    }
}

/// `OSError`, or the subclass that belongs to the number, with the number, the text and the file as `open` gives them.
fn of_system(error: io::Error, file: &Path) -> PyErr {
    // Numbers of Unix, for errors that were made again on the way here.
    let number = error.raw_os_error().or(match error.kind() {
        io::ErrorKind::NotFound if cfg!(unix) => Some(2),
        io::ErrorKind::PermissionDenied if cfg!(unix) => Some(13),
        io::ErrorKind::AlreadyExists if cfg!(unix) => Some(17),
        io::ErrorKind::IsADirectory if cfg!(unix) => Some(21),
        _ => None,
    });
    let Some(number) = number else { return error.into() };
    let text = io::Error::from_raw_os_error(number).to_string();
    let text = text.strip_suffix(&format!(" (os error {number})")).unwrap_or(&text).to_owned();
    PyOSError::new_err((number, text, file.as_os_str().to_owned()))
}
