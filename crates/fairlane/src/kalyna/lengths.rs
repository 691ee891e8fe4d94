//! The error of lengths that the authenticated modes do not accept.

use core::fmt;

/// The error of a message for which the standard defines no tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LengthError {
    /// There is no data, of which the modes take one byte or more. (GCM also takes associated data alone, CCM does
    /// not.)
    Empty,
    /// The data, or the associated data, is longer than the mode can encode.
    TooLong,
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "DSTU 7624 does not define this mode for an empty message: send a byte or more, or no tag",
            Self::TooLong => "the data is too long for this mode of DSTU 7624; split it into several messages",
        })
    }
}

impl core::error::Error for LengthError {}
