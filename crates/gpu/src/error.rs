use std::fmt;

/// Why a call failed. Outputs in host memory are unchanged or zeros then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// No GPU, or no driver for it, was found.
    NoGpu,
    /// Bytes are not as many as they must be.
    WrongLength {
        /// What the bytes are.
        what: &'static str,
        /// How many they must be; `usize::MAX` if that is more than fits a `usize`.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// A key fails the check of FIPS 203, section 7.2: a coefficient is not below q.
    InvalidKey {
        /// The key's index.
        index: usize,
    },
    /// A batch is too large for the device's buffers, or has 2³² keys. Batches in host memory have no other limit.
    TooLarge,
    /// The device or its driver failed. If the device is lost while a call waits, wgpu panics, which the call catches;
    /// with `panic = "abort"` the process ends.
    Device(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGpu => f.write_str("no GPU was found"),
            Self::WrongLength { what, expected, given } => write!(f, "{given} bytes of {what} in place of {expected}"),
            Self::InvalidKey { index } => write!(f, "encapsulation key {index} is not valid"),
            Self::TooLarge => f.write_str("the batch is too large for the device's buffers"),
            Self::Device(error) => write!(f, "the GPU failed: {error}"),
        }
    }
}

impl std::error::Error for Error {}
