//! The library's errors as Python's exceptions.

use fairlane::dynamic;
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(fairlane, InvalidTag, PyException, "The message is not authentic: nothing was decrypted.");

/// What is wrong with an argument is a `ValueError`, a message that is not authentic is `InvalidTag`.
pub(crate) fn raise(error: impl Into<dynamic::Error>) -> PyErr {
    match error.into() {
        error @ dynamic::Error::AuthenticationFailed => InvalidTag::new_err(error.to_string()),
        error => value(&error),
    }
}

/// A `ValueError` with this message.
pub(crate) fn value(message: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// Pickling a secret would copy it to where nobody expects it.
pub(crate) fn no_pickle<T>(object: &Bound<'_, T>) -> PyErr {
    match object.as_any().get_type().name() {
        Ok(class) => PyTypeError::new_err(format!("cannot pickle '{class}' object: it holds a secret")),
        Err(error) => error,
    }
}
