//! The structures of Arrow's C data interface and C stream interface, whose names and order of fields the Arrow
//! specification defines.

use std::ffi::{c_char, c_int, c_void};

/// The names of the capsules that hold the structures.
pub(super) const SCHEMA: &std::ffi::CStr = c"arrow_schema";
pub(super) const ARRAY: &std::ffi::CStr = c"arrow_array";
pub(super) const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// A type.
#[repr(C)]
pub(crate) struct Schema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut Schema,
    pub(crate) dictionary: *mut Schema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Schema)>,
    pub(crate) private_data: *mut c_void,
}

/// Whether values may be null: a flag of a schema.
pub(crate) const NULLABLE: i64 = 2;

/// An array, whose type a schema tells.
#[repr(C)]
pub(crate) struct Array {
    pub(super) length: i64,
    pub(super) null_count: i64,
    pub(super) offset: i64,
    pub(super) n_buffers: i64,
    pub(super) n_children: i64,
    pub(super) buffers: *mut *const c_void,
    pub(super) children: *mut *mut Array,
    pub(super) dictionary: *mut Array,
    pub(super) release: Option<unsafe extern "C" fn(*mut Array)>,
    pub(super) private_data: *mut c_void,
}

/// A stream of arrays of one type.
#[repr(C)]
pub(crate) struct Stream {
    pub(super) get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    pub(super) get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    pub(super) get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    pub(super) release: Option<unsafe extern "C" fn(*mut Stream)>,
    pub(super) private_data: *mut c_void,
}

/// A structure that is released on drop, unless somebody has moved it elsewhere. All zeros are one without content.
macro_rules! released {
    ($($structure:ident)*) => {$(
        impl $structure {
            /// One without content.
            pub(crate) fn empty() -> Self {
                // SAFETY: all zeros are null pointers, absent functions and zeros.
                unsafe { std::mem::zeroed() }
            }
        }

        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: who made the structure promises that it can be released once, in any thread.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: the specification lets any thread use a structure, one at a time.
        unsafe impl Send for $structure {}
    )*};
}

released!(Schema Array Stream);
