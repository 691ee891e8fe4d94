//! The status codes.

use crate::panics::answer;
use core::ffi::c_char;
use fairlane::dynamic::Error;

/// Defines the codes, each with the text that a C program reads.
macro_rules! statuses {
    ($($name:ident = $code:literal, $message:literal;)*) => {
        /// What a function returns: 0, or why it did nothing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub enum Status {
            $(#[doc = $message] $name = $code,)*
        }

        impl Status {
            /// Every code with its name and its message.
            pub const ALL: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$name, stringify!($name), $message)),*];
        }

        /// The message of a code, one line of English; that of no code for another number.
        #[unsafe(no_mangle)]
        pub extern "C" fn fairlane_status_message(status: i32) -> *const c_char {
            answer(c"".as_ptr(), || {
                match status {
                    $($code => concat!($message, "\0"),)*
                    _ => "this number is no status of fairlane\0",
                }
                .as_ptr()
                .cast()
            })
        }
    };
}

statuses! {
    Ok = 0, "no error";
    Null = 1, "a pointer is null";
    Length = 2, "a length is wrong";
    Overlap = 3, "an output overlaps an input or another output";
    Alignment = 4, "a pointer is not aligned";
    UnknownAlgorithm = 5, "no algorithm of this kind has this name";
    UnknownBackend = 6, "no backend has this name";
    UnsupportedBackend = 7, "this CPU, or the algorithm, does not have this backend";
    InvalidKey = 8, "the bytes are no key of this algorithm";
    Authentication = 9, "the tag is not that of the message";
    TooLong = 10, "longer than the algorithm is defined for";
    Empty = 11, "the algorithm is not defined for empty messages";
    NotExtendable = 12, "the hash has one output size and cannot be squeezed";
    Squeezed = 13, "the message was ended by a squeeze: reset the hasher first";
    OtherAlgorithm = 14, "a key is of another algorithm";
    Random = 15, "the system has no random numbers";
    Internal = 16, "an error of fairlane itself";
    NotMade = 17, "no object of this kind is there: it was never made, or freed, or moved";
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::UnknownAlgorithm(_) => Self::UnknownAlgorithm,
            Error::WrongLength { .. }
            | Error::TooShort { .. }
            | Error::NotWholeBlocks { .. }
            | Error::WrongCount { .. } => Self::Length,
            Error::Unsupported(_) => Self::UnsupportedBackend,
            Error::InvalidKey => Self::InvalidKey,
            Error::AuthenticationFailed => Self::Authentication,
            Error::TooLong => Self::TooLong,
            Error::Empty => Self::Empty,
            Error::OtherAlgorithm => Self::OtherAlgorithm,
            _ => Self::Internal,
        }
    }
}
