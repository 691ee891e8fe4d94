//! Parameters as OpenSSL takes them from 3 on.

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::ptr;

/// `OSSL_PARAM` of core.h: one of an array that ends in [`Param::END`].
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *const c_void,
    data_size: usize,
    return_size: usize,
}

impl Param {
    /// The end of an array.
    pub(crate) const END: Self =
        Self { key: ptr::null(), data_type: 0, data: ptr::null(), data_size: 0, return_size: 0 };

    /// A parameter that is bytes. They must outlive the call that reads it.
    pub(crate) const fn octets(key: &'static CStr, bytes: &[u8]) -> Self {
        const OSSL_PARAM_OCTET_STRING: c_uint = 5;
        Self::new(key, OSSL_PARAM_OCTET_STRING, bytes)
    }

    /// A parameter that is text.
    pub(crate) const fn text(key: &'static CStr, text: &'static CStr) -> Self {
        const OSSL_PARAM_UTF8_STRING: c_uint = 4;
        Self::new(key, OSSL_PARAM_UTF8_STRING, text.to_bytes())
    }

    const fn new(key: &'static CStr, data_type: c_uint, data: &[u8]) -> Self {
        Self { key: key.as_ptr(), data_type, data: data.as_ptr().cast(), data_size: data.len(), return_size: 0 }
    }
}
