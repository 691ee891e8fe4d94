//! The groups for TLS 1.3, which libssl asks the provider for.

use super::{LINES, Line};
use crate::border;
use crate::params::{Callback, Param};
use core::ffi::{CStr, c_char, c_int, c_void};

/// The oldest version is TLS 1.3; no version of DTLS has the groups.
const TLS_1_3: i32 = 0x304;
const NO_DTLS: i32 = -1;

pub(crate) unsafe extern "C" fn get_capabilities(
    _: *mut c_void,
    capability: *const c_char,
    callback: Option<Callback>,
    argument: *mut c_void,
) -> c_int {
    border::answer(0, || {
        // SAFETY: OpenSSL's text, which ends with a zero.
        let asked = (!capability.is_null()).then(|| unsafe { CStr::from_ptr(capability) });
        let is_groups = asked.is_some_and(|asked| asked.to_bytes().eq_ignore_ascii_case(b"TLS-GROUP"));
        let Some(callback) = callback.filter(|_| is_groups) else { return 0 };
        LINES
            .iter()
            .all(|line| {
                let group = Group::of(line);
                // SAFETY: OpenSSL's function with a list and OpenSSL's argument.
                unsafe { callback(group.params().as_ptr(), argument) != 0 }
            })
            .into()
    })
}

/// What libssl wants to know of a group.
struct Group {
    line: &'static Line,
    id: u32,
    security: u32,
    is_kem: u32,
    tls: i32,
    dtls: i32,
}

impl Group {
    fn of(line: &'static Line) -> Self {
        Self { line, id: line.group.1, security: line.security.0 as u32, is_kem: 1, tls: TLS_1_3, dtls: NO_DTLS }
    }

    fn params(&self) -> [Param; 11] {
        [
            Param::text_of(c"tls-group-name", self.line.group.0),
            Param::text_of(c"tls-group-name-internal", self.line.name),
            Param::text_of(c"tls-group-alg", self.line.name),
            Param::number_of(c"tls-group-id", &self.id),
            Param::number_of(c"tls-group-sec-bits", &self.security),
            Param::number_of(c"tls-group-is-kem", &self.is_kem),
            Param::integer_of(c"tls-min-tls", &self.tls),
            // Every newer one.
            Param::integer_of(c"tls-max-tls", &0),
            Param::integer_of(c"tls-min-dtls", &self.dtls),
            Param::integer_of(c"tls-max-dtls", &self.dtls),
            Param::LAST,
        ]
    }
}
