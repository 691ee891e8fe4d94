//! The library's errors as Python's exceptions.

use fairlane::dynamic;
use pyo3::PyErr;
use pyo3::exceptions::{PyException, PyValueError};

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
