//! The values of an Arrow array or stream, read where they are.
//!
//! The C interface does not tell how long buffers are, so that an array of a faulty producer cannot be told from a
//! right one in every case. What can be checked is: offsets, indices, and the lengths that views come with.

use super::export::Digests;
use super::interface::{ARRAY, Array, SCHEMA, STREAM, Schema, Stream};
use crate::error::value;
use crate::hash_many::{failed, room};
use crate::rows::{Job, Malformed, Rows};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, CString, c_char, c_int};
use std::slice;

/// What an object with Arrow's C interface gave.
pub(crate) enum Column<'py> {
    /// The schema and the array.
    Array(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>),
    /// The stream of arrays.
    Stream(Bound<'py, PyCapsule>),
}

impl<'py> Column<'py> {
    /// Asks an object for its array or stream; `None` if it has no such interface.
    pub(crate) fn get(object: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        if let Some(array) = object.getattr_opt("__arrow_c_array__")? {
            let both = array.call0()?.cast_into::<PyTuple>()?;
            let capsule = |i| PyResult::Ok(both.get_item(i)?.cast_into::<PyCapsule>()?);
            return Ok(Some(Self::Array(capsule(0)?, capsule(1)?)));
        }
        let Some(stream) = object.getattr_opt("__arrow_c_stream__")? else { return Ok(None) };
        Ok(Some(Self::Stream(stream.call0()?.cast_into()?)))
    }

    pub(crate) fn py(&self) -> Python<'py> {
        match self {
            Self::Array(capsule, _) | Self::Stream(capsule) => capsule.py(),
        }
    }
}

/// Hashes the values of a column.
pub(crate) fn digests_of(job: &Job, column: &Column<'_>) -> PyResult<Digests> {
    let py = column.py();
    let mut digests = Builder { digests: Vec::new(), validity: None, count: 0 };
    match column {
        Column::Array(schema, array) => {
            let (schema, array) = (pointer::<Schema>(schema, SCHEMA)?, pointer::<Array>(array, ARRAY)?);
            // SAFETY: the capsules hold these structures, and live as long as the column.
            let (schema, array) = unsafe { (&*schema, &*array) };
            if schema.release.is_none() || array.release.is_none() {
                return Err(value(&"the Arrow array was already released"));
            }
            // SAFETY: the structure is not released before the end of this function.
            digests.append(py, job, &unsafe { Values::of(schema, array) }?)?;
        }
        Column::Stream(stream) => {
            let stream = pointer::<Stream>(stream, STREAM)?;
            let mut schema = Schema::empty();
            call(py, stream, |stream| stream.get_schema, &mut schema)?;
            loop {
                let mut array = Array::empty();
                call(py, stream, |stream| stream.get_next, &mut array)?;
                if array.release.is_none() {
                    break;
                }
                // SAFETY: both structures are released after this.
                digests.append(py, job, &unsafe { Values::of(&schema, &array) }?)?;
            }
        }
    }
    Ok(Digests::new(digests.digests, digests.validity, digests.count, job.size))
}

/// The structure in a capsule.
fn pointer<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr) -> PyResult<*mut T> {
    Ok(capsule.pointer_checked(Some(name))?.as_ptr().cast())
}

/// A stream, which only the thread that has this value uses.
struct Exclusive<T>(*mut T);
// SAFETY: the specification lets any thread use a stream, one at a time.
unsafe impl<T> Send for Exclusive<T> {}

/// A function of a stream that fills a structure.
type Fill<T> = Option<unsafe extern "C" fn(*mut Stream, *mut T) -> c_int>;

/// Calls a function of a stream, with the interpreter detached: the stream may wait for other threads.
fn call<T: Send>(
    py: Python<'_>,
    stream: *mut Stream,
    function: fn(&Stream) -> Fill<T>,
    filled: &mut T,
) -> PyResult<()> {
    // SAFETY: the capsule holds the stream.
    let (released, function) = unsafe { ((*stream).release.is_none(), function(&*stream)) };
    let Some(function) = function.filter(|_| !released) else {
        return Err(value(&"the Arrow stream was already released"));
    };
    let stream = Exclusive(stream);
    let failure = py.detach(move || {
        let Exclusive(stream) = { stream };
        // SAFETY: the stream is not released, and the structure may be written.
        let code = unsafe { function(stream, filled) };
        // SAFETY: the stream is not released, and its last call failed.
        (code != 0).then(|| unsafe { last_error(stream, code) })
    });
    failure.map_or(Ok(()), |message| Err(PyRuntimeError::new_err(format!("the Arrow stream failed: {message}"))))
}

/// # Safety
/// The last call of the stream failed, and it is not released.
unsafe fn last_error(stream: *mut Stream, code: c_int) -> String {
    // SAFETY: as the caller promises; a message stays until the next call.
    let message: Option<CString> = unsafe {
        let message = (*stream).get_last_error.map_or(std::ptr::null(), |get| get(stream));
        (!message.is_null()).then(|| CStr::from_ptr(message).to_owned())
    };
    message.map_or_else(|| format!("code {code}"), |message| message.to_string_lossy().into_owned())
}

/// Digests of arrays, one after the other.
struct Builder {
    digests: Vec<u8>,
    /// A bit for each that is not null; `None` while there are no nulls.
    validity: Option<Vec<u8>>,
    count: usize,
}

impl Builder {
    fn append(&mut self, py: Python<'_>, job: &Job, values: &Values<'_>) -> PyResult<()> {
        let (first, count) = (self.count, values.count());
        let total = first + count;
        if first == 0 {
            self.digests = room(count, job.size)?;
        } else {
            self.digests.resize(total * job.size, 0);
        }
        let digests = &mut self.digests[first * job.size..];
        py.detach(|| job.run(values, digests)).map_err(failed)?;
        if values.has_nulls() && self.validity.is_none() {
            self.validity = Some(vec![0xff; first.div_ceil(8)]);
        }
        if let Some(validity) = &mut self.validity {
            validity.resize(total.div_ceil(8), 0);
            for row in 0..count {
                let (byte, bit) = ((first + row) / 8, (first + row) % 8);
                let valid = u8::from(values.is_valid(row));
                validity[byte] = validity[byte] & !(1 << bit) | valid << bit;
            }
        }
        self.count = total;
        Ok(())
    }
}

/// The values of an array.
struct Values<'a> {
    count: usize,
    /// The first row's place in the buffers.
    offset: usize,
    /// A bit for each value that is not null.
    validity: Option<&'a [u8]>,
    layout: Layout<'a>,
}

/// Where the bytes of values are. Integers are read as bytes, so that they need no alignment.
enum Layout<'a> {
    /// Every value is null.
    Nothing,
    /// Value `i` goes from the `i`th offset to the next.
    Offsets32(&'a [[u8; 4]], &'a [u8]),
    Offsets64(&'a [[u8; 8]], &'a [u8]),
    /// Values have one length.
    Fixed(usize, &'a [u8]),
    /// A view has the length, and the bytes themselves or where they are.
    Views(&'a [[u8; 16]], Vec<&'a [u8]>),
    /// The index of a value, of so many bytes.
    Dictionary {
        size: usize,
        signed: bool,
        indices: &'a [u8],
        values: Box<Values<'a>>,
    },
}

/// `count` values of memory.
///
/// # Safety
/// There are so many from `start` on, and they stay for 'a.
unsafe fn memory<'a, T>(start: *const T, count: usize) -> PyResult<&'a [T]> {
    const { assert!(align_of::<T>() == 1) };
    if count == 0 {
        return Ok(&[]);
    }
    if start.is_null() || count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(malformed());
    }
    // SAFETY: as the caller promises; it is not null, and not longer than memory can be.
    Ok(unsafe { slice::from_raw_parts(start, count) })
}

fn malformed() -> PyErr {
    failed(Malformed.into())
}

impl<'a> Values<'a> {
    /// # Safety
    /// The structures are not released, describe the memory rightly, and stay for 'a.
    unsafe fn of(schema: &Schema, array: &Array) -> PyResult<Self> {
        let integer = |number: i64| usize::try_from(number).map_err(|_| malformed());
        let (count, offset) = (integer(array.length)?, integer(array.offset)?);
        let end = count.checked_add(offset).filter(|end| *end < usize::MAX).ok_or_else(malformed)?;
        // SAFETY: a format is a string.
        let format = unsafe { text(schema.format) }?;
        // SAFETY: an array has a list of so many buffers.
        let buffers: Vec<*const u8> =
            unsafe { slice_of(array.buffers, integer(array.n_buffers)?) }?.iter().map(|buffer| buffer.cast()).collect();
        let buffer = |i: usize| buffers.get(i).copied().ok_or_else(malformed);
        let nothing = count == 0;
        // SAFETY: the specification says how long each buffer is.
        let layout = unsafe {
            if nothing || format == "n" {
                Layout::Nothing
            } else if !schema.dictionary.is_null() {
                if array.dictionary.is_null() {
                    return Err(malformed());
                }
                let (size, signed) = index(&format)?;
                let indices = memory(buffer(1)?, end.checked_mul(size).ok_or_else(malformed)?)?;
                let values = Box::new(Self::of(&*schema.dictionary, &*array.dictionary)?);
                Layout::Dictionary { size, signed, indices, values }
            } else if let Some(width) = format.strip_prefix("w:") {
                let width: usize = width.parse().map_err(|_| malformed())?;
                Layout::Fixed(width, memory(buffer(1)?, end.checked_mul(width).ok_or_else(malformed)?)?)
            } else {
                match &*format {
                    "z" | "u" => {
                        let offsets: &[[u8; 4]] = memory(buffer(1)?.cast(), end + 1)?;
                        let last = i32::from_ne_bytes(offsets[end]).into();
                        Layout::Offsets32(offsets, memory(buffer(2)?, integer(last)?)?)
                    }
                    "Z" | "U" => {
                        let offsets: &[[u8; 8]] = memory(buffer(1)?.cast(), end + 1)?;
                        let last = i64::from_ne_bytes(offsets[end]);
                        Layout::Offsets64(offsets, memory(buffer(2)?, integer(last)?)?)
                    }
                    "vz" | "vu" => {
                        let views = memory(buffer(1)?.cast(), end)?;
                        let (lengths, data) =
                            buffers.get(2..).and_then(|rest| rest.split_last()).ok_or_else(malformed)?;
                        let lengths: &[[u8; 8]] = memory(lengths.cast(), data.len())?;
                        let data = data.iter().zip(lengths);
                        let data = data.map(|(start, length)| memory(*start, integer(i64::from_ne_bytes(*length))?));
                        Layout::Views(views, data.collect::<PyResult<_>>()?)
                    }
                    _ => return Err(other(&format)),
                }
            }
        };
        // Types that are not bytes are refused even where there are no rows.
        if nothing && !binary(&format) && (schema.dictionary.is_null() || index(&format).is_err()) {
            return Err(other(&format));
        }
        let validity = match layout {
            Layout::Nothing => None,
            _ if array.null_count == 0 || buffer(0)?.is_null() => None,
            // SAFETY: it has a bit for each value.
            _ => Some(unsafe { memory(buffer(0)?, end.div_ceil(8)) }?),
        };
        Ok(Self { count, offset, validity, layout })
    }

    fn has_nulls(&self) -> bool {
        match &self.layout {
            Layout::Nothing => self.count > 0,
            Layout::Dictionary { values, .. } => self.validity.is_some() || values.has_nulls(),
            _ => self.validity.is_some(),
        }
    }

    fn is_valid(&self, row: usize) -> bool {
        matches!(self.row(row), Ok(Some(_)))
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        let place = self.offset + row;
        match &self.layout {
            Layout::Nothing => None,
            Layout::Offsets32(offsets, data) => {
                let offset = |i: usize| Some(i32::from_ne_bytes(*offsets.get(i)?) as usize);
                data.get(offset(place)?..offset(place + 1)?)
            }
            Layout::Offsets64(offsets, data) => {
                let offset = |i: usize| Some(i64::from_ne_bytes(*offsets.get(i)?) as usize);
                data.get(offset(place)?..offset(place + 1)?)
            }
            Layout::Fixed(width, data) => data.get(place * width..)?.get(..*width),
            Layout::Views(views, data) => {
                let view = views.get(place)?;
                let [length, _, buffer, start] = *view.as_chunks::<4>().0 else { return None };
                let length = i32::from_ne_bytes(length) as usize;
                if length <= 12 {
                    return view.get(4..4 + length);
                }
                data.get(i32::from_ne_bytes(buffer) as usize)?.get(i32::from_ne_bytes(start) as usize..)?.get(..length)
            }
            Layout::Dictionary { .. } => None,
        }
    }
}

impl Rows for Values<'_> {
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn row(&self, index: usize) -> Result<Option<&[u8]>, Malformed> {
        let place = self.offset + index;
        if self.validity.is_some_and(|validity| validity[place / 8] >> (place % 8) & 1 == 0) {
            return Ok(None);
        }
        match &self.layout {
            Layout::Nothing => Ok(None),
            Layout::Dictionary { size, signed, indices, values } => {
                let bytes = &indices[place * size..][..*size];
                // Little-endian or not, a machine's own order: widened by copying to the right end.
                let mut wide = [0; 8];
                let negative = *signed && bytes[if cfg!(target_endian = "big") { 0 } else { size - 1 }] & 0x80 != 0;
                let at = if cfg!(target_endian = "big") { 8 - size } else { 0 };
                wide[at..at + size].copy_from_slice(bytes);
                let number = usize::try_from(u64::from_ne_bytes(wide)).map_err(|_| Malformed)?;
                if negative || number >= values.count { Err(Malformed) } else { values.row(number) }
            }
            _ => self.get(index).map(Some).ok_or(Malformed),
        }
    }
}

/// Whether a type's values are bytes, text or all null.
fn binary(format: &str) -> bool {
    matches!(format, "n" | "z" | "u" | "Z" | "U" | "vz" | "vu") || format.starts_with("w:")
}

/// Bytes of the indices of a dictionary, and whether they are signed.
fn index(format: &str) -> PyResult<(usize, bool)> {
    match format {
        "c" => Ok((1, true)),
        "C" => Ok((1, false)),
        "s" => Ok((2, true)),
        "S" => Ok((2, false)),
        "i" => Ok((4, true)),
        "I" => Ok((4, false)),
        "l" => Ok((8, true)),
        "L" => Ok((8, false)),
        _ => Err(malformed()),
    }
}

fn other(format: &str) -> PyErr {
    PyTypeError::new_err(format!("a column of Arrow's format '{}' holds neither bytes nor text", format.escape_debug()))
}

/// # Safety
/// It is null or a string that ends with a zero.
unsafe fn text(start: *const c_char) -> PyResult<String> {
    if start.is_null() {
        return Err(malformed());
    }
    // SAFETY: as the caller promises.
    Ok(unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned())
}

/// The pointers of an array's buffers, which are aligned.
///
/// # Safety
/// There are so many, unless the list is null.
unsafe fn slice_of<'a, T>(start: *mut *const T, count: usize) -> PyResult<&'a [*const T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if start.is_null() || count > 1 << 32 {
        return Err(malformed());
    }
    // SAFETY: as the caller promises.
    Ok(unsafe { slice::from_raw_parts(start, count) })
}
