//! The arrays and streams of Python's objects, and the digests of their values.

use super::export::Digests;
use super::interface::{ARRAY, Array, SCHEMA, STREAM, Schema, Stream};
use super::values::Values;
use crate::error::value;
use crate::hash_many::failed;
use crate::rows::{Failure, Job, Rows, lengthen};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::critical_section::with_critical_section;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::{CStr, CString, c_int};

/// What an object with Arrow's C interface gave, moved out of its capsules: nobody else can use or release it.
pub(crate) enum Column {
    Array(Schema, Array),
    Stream(Stream),
}

impl Column {
    /// Asks an object for its array or stream; `None` if it has no such interface.
    pub(crate) fn get(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Some(array) = object.getattr_opt("__arrow_c_array__")? {
            let both = array.call0()?.cast_into::<PyTuple>()?;
            let capsule = |i| PyResult::Ok(both.get_item(i)?.cast_into::<PyCapsule>()?);
            let (schema, array) = (capsule(0)?, capsule(1)?);
            return Ok(Some(Self::Array(
                take(&schema, SCHEMA, Schema::empty())?,
                take(&array, ARRAY, Array::empty())?,
            )));
        }
        let Some(stream) = object.getattr_opt("__arrow_c_stream__")? else { return Ok(None) };
        Ok(Some(Self::Stream(take(&stream.call0()?.cast_into()?, STREAM, Stream::empty())?)))
    }
}

/// Moves the structure out of a capsule, as its consumer must, and leaves an empty one, which counts as released.
fn take<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr, empty: T) -> PyResult<T> {
    let place = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: a capsule of this name holds such a structure, and no other thread of ours takes it meanwhile.
    Ok(with_critical_section(capsule, || unsafe { place.replace(empty) }))
}

/// Hashes the values of a column.
pub(crate) fn digests_of(py: Python<'_>, job: &Job, column: Column) -> PyResult<Digests> {
    let mut digests = Builder { digests: Vec::new(), validity: None, count: 0 };
    let mut append = |values: Result<Values<'_>, Failure>| {
        let values = values.map_err(failed)?;
        py.detach(|| digests.append(job, &values)).map_err(failed)
    };
    match column {
        Column::Array(schema, array) => {
            if schema.release.is_none() || array.release.is_none() {
                return Err(value(&"the Arrow array was already released"));
            }
            // SAFETY: both structures are released after this.
            append(unsafe { Values::of(&schema, &array) })?;
        }
        Column::Stream(mut stream) => {
            let mut schema = Schema::empty();
            call(py, &mut stream, |stream| stream.get_schema, &mut schema)?;
            loop {
                let mut array = Array::empty();
                call(py, &mut stream, |stream| stream.get_next, &mut array)?;
                if array.release.is_none() {
                    break;
                }
                // SAFETY: as above.
                append(unsafe { Values::of(&schema, &array) })?;
            }
        }
    }
    Ok(Digests::new(digests.digests, digests.validity, digests.count, job.size))
}

/// A function of a stream that fills a structure.
type Fill<T> = Option<unsafe extern "C" fn(*mut Stream, *mut T) -> c_int>;

/// Calls a function of a stream, with the interpreter detached: the stream may wait for other threads.
fn call<T: Send>(
    py: Python<'_>,
    stream: &mut Stream,
    function: fn(&Stream) -> Fill<T>,
    filled: &mut T,
) -> PyResult<()> {
    let Some(function) = function(stream).filter(|_| stream.release.is_some()) else {
        return Err(value(&"the Arrow stream was already released"));
    };
    let failure = py.detach(|| {
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
    fn append(&mut self, job: &Job, values: &Values<'_>) -> Result<(), Failure> {
        let first = self.count;
        let total = first.saturating_add(values.count());
        lengthen(&mut self.digests, total, job.size)?;
        job.run(values, &mut self.digests[first * job.size..])?;
        if values.has_nulls() && self.validity.is_none() {
            let mut valid = Vec::new();
            lengthen(&mut valid, first.div_ceil(8), 1)?;
            valid.fill(0xff);
            if let (Some(last), bits @ 1..) = (valid.last_mut(), first % 8) {
                *last = (1 << bits) - 1;
            }
            self.validity = Some(valid);
        }
        if let Some(validity) = &mut self.validity {
            lengthen(validity, total.div_ceil(8), 1)?;
            values.append_validity(first, validity);
        }
        self.count = total;
        Ok(())
    }
}
