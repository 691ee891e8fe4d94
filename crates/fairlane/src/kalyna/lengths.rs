//! Lengths that the authenticating modes do not take.

use core::fmt;

/// A message that the standard has no tag for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LengthError {
    /// There is nothing: the modes take one byte of data or more. (GCM takes associated data alone as well, CCM does
    /// not.)
    Empty,
    /// The data, or the associated data, is longer than the mode can write the length of.
    TooLong,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "no data: this mode of DSTU 7624 takes one byte or more; send something, or no tag",
            Self::TooLong => "the data is too long for this mode of DSTU 7624; split it into several messages",
        })
    }
}

impl core::error::Error for LengthError {}
