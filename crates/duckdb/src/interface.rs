//! The part of DuckDB's C extension API, `duckdb_extension.h`, that the extension needs.
//!
//! DuckDB gives a table of functions. Those of version 1.2.0 keep their places in all later versions of the table.

use std::ffi::{c_char, c_void};
use std::sync::OnceLock;

/// The oldest version of the table that will do.
pub(crate) const VERSION: &std::ffi::CStr = c"v1.2.0";

/// Types, by their numbers in the header.
pub(crate) const TYPE_BIGINT: u32 = 5;
pub(crate) const TYPE_VARCHAR: u32 = 17;
pub(crate) const TYPE_BLOB: u32 = 18;

/// Defines types of pointers to what only DuckDB knows.
macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(transparent)]
        pub(crate) struct $name(*mut c_void);

        #[allow(dead_code, reason = "not every kind begins as null")]
        impl $name {
            pub(crate) const NULL: Self = Self(std::ptr::null_mut());
        }
    )*};
}

opaque! {
    /// The loading of an extension.
    Info;
    Database;
    Connection;
    LogicalType;
    ScalarFunction;
    /// Functions of one name.
    ScalarFunctionSet;
    /// One call of a function.
    FunctionInfo;
    /// The arguments of a call: a vector each.
    DataChunk;
    Vector;
}

/// What DuckDB gives the entry point.
#[repr(C)]
pub(crate) struct Access {
    pub(crate) set_error: unsafe extern "C" fn(Info, *const c_char),
    /// Null if there is none; DuckDB has told why then.
    pub(crate) get_database: unsafe extern "C" fn(Info) -> *mut Database,
    /// Null if it does not know the version; it has told why then.
    pub(crate) get_api: unsafe extern "C" fn(Info, *const c_char) -> *const c_void,
}

/// A function that computes a vector from others.
pub(crate) type Compute = unsafe extern "C-unwind" fn(FunctionInfo, DataChunk, Vector);

/// A state of 0 is success.
pub(crate) type State = u32;

/// Defines the table from the places of the functions that are called; what lies between them is skipped.
macro_rules! table {
    ($(#[$doc:meta])* $table:ident; $($skipped:ident $from:literal, $place:literal $name:ident: $function:ty;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        #[repr(C)]
        pub(crate) struct $table {
            $(
                $skipped: [usize; $place - $from],
                pub(crate) $name: $function,
            )*
        }

        $(const _: () = assert!(std::mem::offset_of!($table, $name) == $place * size_of::<usize>());)*
    };
}

table! {
    /// `duckdb_ext_api_v1`. What may throw an exception of C++ in a query, for want of memory, is `C-unwind`: it passes
    /// through the function that computes, back to DuckDB.
    Api;
    _0 0, 3 connect: unsafe extern "C" fn(Database, *mut Connection) -> State;
    _1 4, 6 disconnect: unsafe extern "C" fn(*mut Connection);
    _2 7, 156 create_logical_type: unsafe extern "C" fn(u32) -> LogicalType;
    _3 157, 184 destroy_logical_type: unsafe extern "C" fn(*mut LogicalType);
    _4 185, 190 data_chunk_get_vector: unsafe extern "C" fn(DataChunk, u64) -> Vector;
    _5 191, 191 data_chunk_get_size: unsafe extern "C" fn(DataChunk) -> u64;
    _6 192, 194 vector_get_data: unsafe extern "C" fn(Vector) -> *mut c_void;
    _7 195, 195 vector_get_validity: unsafe extern "C" fn(Vector) -> *mut u64;
    _8 196, 196 vector_ensure_validity_writable: unsafe extern "C-unwind" fn(Vector);
    _9 197, 198 vector_assign_string_element_len: unsafe extern "C-unwind" fn(Vector, u64, *const c_char, u64);
    _10 199, 209 create_scalar_function: unsafe extern "C" fn() -> ScalarFunction;
    _11 210, 210 destroy_scalar_function: unsafe extern "C" fn(*mut ScalarFunction);
    _12 211, 211 scalar_function_set_name: unsafe extern "C" fn(ScalarFunction, *const c_char);
    _13 212, 215 scalar_function_add_parameter: unsafe extern "C" fn(ScalarFunction, LogicalType);
    _14 216, 216 scalar_function_set_return_type: unsafe extern "C" fn(ScalarFunction, LogicalType);
    _15 217, 217 scalar_function_set_extra_info: unsafe extern "C" fn(
        ScalarFunction, *mut c_void, Option<unsafe extern "C" fn(*mut c_void)>
    );
    _16 218, 218 scalar_function_set_function: unsafe extern "C" fn(ScalarFunction, Compute);
    _17 219, 220 scalar_function_get_extra_info: unsafe extern "C" fn(FunctionInfo) -> *mut c_void;
    _18 221, 221 scalar_function_set_error: unsafe extern "C-unwind" fn(FunctionInfo, *const c_char);
    _19 222, 222 create_scalar_function_set: unsafe extern "C" fn(*const c_char) -> ScalarFunctionSet;
    _20 223, 223 destroy_scalar_function_set: unsafe extern "C" fn(*mut ScalarFunctionSet);
    _21 224, 224 add_scalar_function_to_set: unsafe extern "C" fn(ScalarFunctionSet, ScalarFunction) -> State;
    _22 225, 225 register_scalar_function_set: unsafe extern "C" fn(Connection, ScalarFunctionSet) -> State;
}

/// The table that DuckDB gave first. The databases of one DuckDB have the same.
static API: OnceLock<Api> = OnceLock::new();

impl Api {
    /// Keeps the table, which DuckDB lends only for the call of the entry point. `None` if another DuckDB of this
    /// process has given its own before: a function that is called cannot tell which of them calls it.
    pub(crate) fn keep(&self) -> Option<&'static Self> {
        let kept = API.get_or_init(|| *self);
        (kept.connect as usize == self.connect as usize).then_some(kept)
    }

    pub(crate) fn get() -> Option<&'static Self> {
        API.get()
    }
}

/// A string as vectors hold it: up to 12 bytes in itself, longer ones by their first 4 bytes and a pointer.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct StringT {
    pub(crate) length: u32,
    pub(crate) prefix: [u8; 4],
    pub(crate) rest: StringRest,
}

/// Bytes 4 to 11 of a short string, or where a long one is.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) union StringRest {
    pub(crate) inlined: [u8; 8],
    pub(crate) pointer: *const u8,
}

const _: () = assert!(size_of::<StringT>() == 16);
