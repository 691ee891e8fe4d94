//! The expression plugin of Polars: C functions that its engines find in this library and call without Python.
//!
//! The interface is version 0.1 of the crate `polars-ffi`: columns come and go as arrays of Arrow's C data interface.
//! `fairlane/polars.py` makes the expressions.

use crate::algorithm;
use crate::arrow::{Array, NULLABLE, Schema, Values, views};
use crate::hash_many::MAX_THREADS;
use crate::rows::{Failure, Job, Rows, lengthen};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

/// The version of the interface: the major number in the upper half.
const VERSION: u32 = 1;

/// A column.
#[repr(C)]
struct SeriesExport {
    field: *mut Schema,
    /// Boxes, which whoever takes the arrays out of them leaves to `release`.
    arrays: *mut *mut Array,
    len: usize,
    release: Option<unsafe extern "C" fn(*mut SeriesExport)>,
    private_data: *mut c_void,
}

impl Drop for SeriesExport {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: who made it promises that it can be released once.
            unsafe { release(self) }
        }
    }
}

thread_local! {
    /// Why the last call in this thread failed.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_version() -> u32 {
    VERSION
}

/// Why the last call in this thread failed; the text stays until the next one.
#[unsafe(no_mangle)]
extern "C" fn _polars_plugin_get_last_error_message() -> *const c_char {
    LAST_ERROR.with_borrow(|error| error.as_ptr())
}

/// The type of the result of [`_polars_plugin_hash`]: binary data, with the name of the column. On failure nothing is
/// written.
#[unsafe(no_mangle)]
unsafe extern "C" fn _polars_plugin_field_hash(
    fields: *const Schema,
    count: usize,
    result: *mut Schema,
    arguments: *const u8,
    length: usize,
) {
    guarded(|| {
        // SAFETY: the interface has so many bytes.
        Arguments::of(unsafe { bytes(arguments, length) })?;
        if count != 1 {
            return Err("one column is needed".to_string());
        }
        // SAFETY: there is one, which is not released, and the result is empty and may be written.
        unsafe {
            (*fields).check().map_err(|failure| failure.to_string())?;
            result.write(binary((*fields).name));
        }
        Ok(())
    });
}

/// The hashes of a column's values. On failure nothing is written.
#[unsafe(no_mangle)]
unsafe extern "C" fn _polars_plugin_hash(
    inputs: *const SeriesExport,
    count: usize,
    arguments: *const u8,
    length: usize,
    result: *mut SeriesExport,
    _context: *const c_void,
) {
    guarded(|| {
        // SAFETY: there are so many, which the caller gives away.
        let inputs: Vec<SeriesExport> = (0..count).map(|i| unsafe { inputs.add(i).read() }).collect();
        // SAFETY: a column has so many arrays, which are taken once; its own release does not release them.
        let take = |column: &SeriesExport| (0..column.len).map(|i| unsafe { (*column.arrays.add(i)).read() }).collect();
        let arrays: Vec<Vec<Array>> = inputs.iter().map(take).collect();
        // SAFETY: the interface has so many bytes.
        let Arguments(job) = Arguments::of(unsafe { bytes(arguments, length) })?;
        let ([column], [arrays]) = (&*inputs, &*arrays) else { return Err("one column is needed".to_string()) };
        // SAFETY: the column and its arrays are not released before the end of this function.
        let hashed = unsafe {
            let hashed = arrays.iter().map(|array| hash(&job, &*column.field, array)).collect::<Result<Vec<_>, _>>();
            hashed.map(|arrays| series(binary((*column.field).name), arrays))
        };
        let hashed = hashed.map_err(|failure| failure.to_string())?;
        // SAFETY: the result is empty, and may be written.
        unsafe { result.write(hashed) };
        Ok(())
    });
}

/// Calls `call`, and keeps its error or panic as the last error.
fn guarded(call: impl FnOnce() -> Result<(), String>) {
    let panicked = |_: Box<dyn Any + Send>| Err("a defect of fairlane: it panicked".to_string());
    if let Err(error) = catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(panicked) {
        LAST_ERROR.set(CString::new(error.replace('\0', " ")).unwrap_or_default());
    }
}

/// # Safety
/// There are so many, which stay for 'a.
unsafe fn bytes<'a>(start: *const u8, length: usize) -> &'a [u8] {
    // SAFETY: as the caller promises.
    if length == 0 { &[] } else { unsafe { slice::from_raw_parts(start, length) } }
}

/// The hash, its length if it has any, and the threads.
struct Arguments(Job);

impl Arguments {
    /// Polars hands over keyword arguments as a pickled dictionary. Here it has one item of text, which a pickle holds
    /// plainly: `{"job": "sha3_256 - 1"}`.
    fn of(pickle: &[u8]) -> Result<Self, String> {
        /// A protocol from 4 on, a dictionary, a short text and its place in the memo, a short text.
        fn text(pickle: &[u8]) -> Option<&str> {
            let [0x80, 4..=u8::MAX, rest @ ..] = pickle else { return None };
            let rest = match rest {
                [0x95, rest @ ..] => rest.get(8..)?,
                rest => rest,
            };
            let [length, rest @ ..] = rest.strip_prefix(b"}\x94\x8c\x03job\x94\x8c")? else { return None };
            str::from_utf8(rest.get(..usize::from(*length))?).ok()
        }
        let parse = |text: &str| -> Option<Job> {
            let mut words = text.split(' ');
            let algorithm = algorithm::by_name(words.next()?).ok()?;
            let length: Option<usize> = words.next()?.parse().ok();
            let size = algorithm.output_size().or(length)?;
            let threads = words.next()?.parse().ok().filter(|threads: &usize| *threads > 0)?.min(MAX_THREADS);
            Some(Job { algorithm, backend: None, size, threads })
        };
        let malformed = || "this Polars hands over arguments in a form that fairlane does not know".to_string();
        text(pickle).and_then(parse).map(Self).ok_or_else(malformed)
    }
}

/// # Safety
/// The structures are not released, and describe the memory rightly.
unsafe fn hash(job: &Job, schema: &Schema, array: &Array) -> Result<Array, Failure> {
    // SAFETY: the caller's promise; a format that is no string is an error before it is read again.
    let (values, format) = unsafe { (Values::of(schema, array)?, CStr::from_ptr(schema.format)) };
    // Polars has no values of one length: these are the addresses of objects.
    if format.to_bytes().starts_with(b"w:") {
        return Err(Failure::Type("Object".into()));
    }
    let count = values.count();
    let mut digests = Vec::new();
    lengthen(&mut digests, count, job.size)?;
    job.run(&values, &mut digests)?;
    let validity = values.has_nulls().then(|| {
        let mut bits = Vec::new();
        values.append_validity(0, &mut bits);
        bits
    });
    Ok(views(digests, validity, count, job.size))
}

/// The type of binary data, with the name that a string has.
///
/// # Safety
/// It is null or a string that ends with a zero.
unsafe fn binary(name: *const c_char) -> Schema {
    unsafe extern "C" fn release(schema: *mut Schema) {
        // SAFETY: the name is the string that was given away below, and this is called once.
        unsafe {
            drop(CString::from_raw((*schema).private_data.cast()));
            (*schema).release = None;
        }
    }
    // SAFETY: the caller's promise.
    let name = if name.is_null() { CString::default() } else { unsafe { CStr::from_ptr(name) }.to_owned() };
    let mut schema = Schema::empty();
    schema.format = c"vz".as_ptr();
    schema.flags = NULLABLE;
    schema.name = name.into_raw();
    // Without private data Polars would think it empty.
    schema.private_data = schema.name.cast_mut().cast();
    schema.release = Some(release);
    schema
}

/// A column of arrays.
fn series(schema: Schema, arrays: Vec<Array>) -> SeriesExport {
    /// What the private data holds.
    struct Content {
        schema: Schema,
        arrays: Vec<*mut Array>,
    }

    unsafe extern "C" fn release(series: *mut SeriesExport) {
        // SAFETY: the private data is the box below, whose arrays are boxes, and this is called once. The arrays
        // themselves were taken.
        unsafe {
            let content = Box::from_raw((*series).private_data.cast::<Content>());
            for array in &content.arrays {
                drop(Box::from_raw(array.cast::<ManuallyDrop<Array>>()));
            }
            (*series).release = None;
        }
    }

    let arrays: Vec<_> = arrays.into_iter().map(|array| Box::into_raw(Box::new(array))).collect();
    let len = arrays.len();
    let content = Box::into_raw(Box::new(Content { schema, arrays }));
    // SAFETY: the box was just given away, and stays until it is released.
    let (field, arrays) = unsafe { (&raw mut (*content).schema, (*content).arrays.as_mut_ptr()) };
    SeriesExport { field, arrays, len, release: Some(release), private_data: content.cast() }
}
