//! The arrays and streams of Python's objects, and the digests of their values.

use super::export::Digests;
use super::interface::{ARRAY, Array, SCHEMA, STREAM, Schema, Stream};
use super::values::Values;
use crate::error::value;
use crate::hash_many::failed;
use crate::rows::{Job, Rows, lengthen};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, CString, c_int};

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
            digests.append(py, job, &unsafe { Values::of(schema, array) }.map_err(failed)?)?;
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
                digests.append(py, job, &unsafe { Values::of(&schema, &array) }.map_err(failed)?)?;
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
        let first = self.count;
        let total = first.saturating_add(values.count());
        lengthen(&mut self.digests, total, job.size).map_err(failed)?;
        let digests = &mut self.digests[first * job.size..];
        py.detach(|| job.run(values, digests)).map_err(failed)?;
        if values.has_nulls() && self.validity.is_none() {
            let mut valid = Vec::new();
            lengthen(&mut valid, first.div_ceil(8), 1).map_err(failed)?;
            valid.fill(0xff);
            if let (Some(last), bits @ 1..) = (valid.last_mut(), first % 8) {
                *last = (1 << bits) - 1;
            }
            self.validity = Some(valid);
        }
        if let Some(validity) = &mut self.validity {
            lengthen(validity, total.div_ceil(8), 1).map_err(failed)?;
            values.append_validity(first, validity);
        }
        self.count = total;
        Ok(())
    }
}
