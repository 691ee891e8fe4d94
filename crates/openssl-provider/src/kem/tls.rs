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
            // SAFETY: OpenSSL's function with a list and OpenSSL's argument.
            .all(|line| unsafe { callback(group(line).as_ptr(), argument) != 0 })
            .into()
    })
}

/// What libssl wants to know of a group.
fn group(line: &'static Line) -> [Param; 11] {
    [
        Param::text_of(c"tls-group-name", line.group.0),
        Param::text_of(c"tls-group-name-internal", line.name),
        Param::text_of(c"tls-group-alg", line.name),
        Param::number_of(c"tls-group-id", &line.group.1),
        Param::number_of(c"tls-group-sec-bits", &line.security.0),
        Param::number_of(c"tls-group-is-kem", &1),
        Param::integer_of(c"tls-min-tls", &TLS_1_3),
        // Every newer one.
        Param::integer_of(c"tls-max-tls", &0),
        Param::integer_of(c"tls-min-dtls", &NO_DTLS),
        Param::integer_of(c"tls-max-dtls", &NO_DTLS),
        Param::LAST,
    ]
}
