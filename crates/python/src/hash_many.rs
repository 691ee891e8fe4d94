//! `hash_many`: lists, arrays and columns of messages.

use crate::algorithm::{self, output_length};
use crate::arrow::{Column, Digests, digests_of};
use crate::buffer::{Input, View, copied};
use crate::detached;
use crate::error::{raise, value};
use crate::rows::{Failure, Job, Matrix, lengthen};
use pyo3::exceptions::{PyBufferError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString, PyTuple};

/// More threads than any machine has CPUs gain nothing.
pub(crate) const MAX_THREADS: usize = 1024;

/// Hash many messages side by side in the lanes of vector registers, and in up to `threads` threads.
///
/// What `messages` may be, and what is returned:
///
/// - a list, or whatever else can be iterated, of bytes-like objects: a list of `bytes`;
/// - an array of shape (n, k) of unsigned bytes, such as NumPy's: an array of shape (n, size) of NumPy, or for another
///   exporter of buffers `Digests`;
/// - a column with Arrow's C interface (`__arrow_c_array__` or `__arrow_c_stream__`), of binary data or text:
///   `Digests`, an Arrow array of FixedSizeBinary, whose nulls are those of the column.
///
/// With `out`, a writable contiguous buffer of n * size bytes, digests are written there and `out` is returned. After
/// an exception `out` is unchanged. An extendable-output function needs a `length` in bytes.
#[pyfunction]
#[pyo3(
    signature = (name, messages, *, length = None, backend = None, threads = 1, out = None),
    text_signature = "(name, messages, *, length=None, backend=None, threads=1, out=None)"
)]
pub(crate) fn hash_many<'py>(
    name: &str,
    messages: &Bound<'py, PyAny>,
    length: Option<isize>,
    backend: Option<&str>,
    threads: isize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = algorithm::hash(name)?;
    let backend = algorithm::backend(backend)?;
    if backend.is_some() {
        algorithm.hasher(backend).map_err(raise)?;
    }
    let Ok(threads @ 1..) = usize::try_from(threads).map(|threads| threads.min(MAX_THREADS)) else {
        return Err(value(&format_args!("threads must be at least 1, not {threads}")));
    };
    let job = Job { algorithm, backend, size: output_length(algorithm, length)?, threads };

    if messages.is_instance_of::<PyList>() || messages.is_instance_of::<PyTuple>() {
        return list(&job, messages, out);
    }
    let one = messages.is_instance_of::<PyBytes>() || messages.is_instance_of::<PyByteArray>();
    if one || messages.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("several messages are needed: give a list, an array or an Arrow column"));
    }
    // Polars hands over the addresses of objects as if they were values of eight bytes.
    if is_of(messages, "polars", "Series")? && messages.getattr("dtype")?.str()? == "Object" {
        return Err(PyTypeError::new_err("a column of objects has no bytes to hash"));
    }
    if let Some(column) = Column::get(messages)? {
        return self::column(messages.py(), &job, column, out);
    }
    if View::offered_by(messages) { array(&job, messages, out) } else { list(&job, messages, out) }
}

/// Hashes the items of what can be iterated.
fn list<'py>(job: &Job, messages: &Bound<'py, PyAny>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    // The items stay alive, whatever another thread does to the list meanwhile.
    let items = messages.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let mut inputs = Vec::with_capacity(items.len());
    for (number, item) in items.iter().enumerate() {
        let input = item.extract::<Input<'_, '_>>();
        inputs.push(input.map_err(|error| at(py, error, number))?);
    }
    let rows: Vec<&[u8]> = inputs.iter().map(Input::bytes).collect();
    let mut digests = room(rows.len(), job.size)?;
    let bytes = rows.iter().map(|row| row.len()).sum::<usize>().max(digests.len());
    detached(py, bytes, || job.run(&rows, &mut digests)).map_err(failed)?;
    if let Some(out) = out {
        // The messages may lie in `out`: they were read before.
        drop(inputs);
        return write(&digests, job.size, out);
    }
    let bytes = |row: usize| copied(py, &digests[row * job.size..][..job.size]);
    Ok(PyList::new(py, (0..items.len()).map(bytes).collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// An error about one of many messages, with its number.
fn at(py: Python<'_>, error: PyErr, number: usize) -> PyErr {
    let ours = [py.get_type::<PyTypeError>(), py.get_type::<PyBufferError>(), py.get_type::<PyValueError>()];
    if ours.iter().any(|kind| error.get_type(py).is(kind)) {
        return PyErr::from_type(error.get_type(py), format!("message {number}: {}", error.value(py)));
    }
    // One of the object's own, which may be made of other arguments.
    let _ = error.value(py).call_method1("add_note", (format!("message {number}"),));
    error
}

/// Hashes the rows of an array of bytes.
fn array<'py>(job: &Job, messages: &Bound<'py, PyAny>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
    let py = messages.py();
    let view = View::contiguous(messages, false)?;
    let shape = view.shape_of_bytes().unwrap_or_default();
    let &[count, width] = shape else {
        return Err(value(&"an array of messages has the shape (n, k), and unsigned bytes as elements"));
    };
    let (count, width) = (count.unsigned_abs(), width.unsigned_abs());
    let rows = Matrix { bytes: view.bytes(), width, count };
    let made = match out {
        Some(out) => out.clone(),
        None if is_of(messages, "numpy", "ndarray")? => {
            py.import("numpy")?.call_method1("empty", ((count, job.size), "u1"))?
        }
        None => {
            let mut digests = room(count, job.size)?;
            detached(py, rows.bytes.len().max(digests.len()), || job.run(&rows, &mut digests)).map_err(failed)?;
            return Ok(Bound::new(py, Digests::new(digests, None, count, job.size))?.into_any());
        }
    };
    let mut output = output(&made, count, job.size)?;
    let digests = output.bytes_mut(&[rows.bytes])?;
    detached(py, rows.bytes.len().max(digests.len()), || job.run(&rows, digests)).map_err(failed)?;
    Ok(made)
}

/// Whether an object is of a class of a package, or of a class made of it. If the package is not loaded, it is not.
fn is_of(object: &Bound<'_, PyAny>, package: &str, class: &str) -> PyResult<bool> {
    let loaded = object.py().import("sys")?.getattr("modules")?;
    let Ok(package) = loaded.get_item(package) else { return Ok(false) };
    package.getattr_opt(class)?.map_or(Ok(false), |class| object.is_instance(&class))
}

/// Hashes the values of an Arrow column.
fn column<'py>(
    py: Python<'py>,
    job: &Job,
    column: Column,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let digests = digests_of(py, job, column)?;
    match out {
        None => Ok(Bound::new(py, digests)?.into_any()),
        Some(_) if digests.null_count() > 0 => Err(value(&"the column has nulls, which the output cannot hold")),
        Some(out) => write(digests.bytes(), job.size, out),
    }
}

/// Room for digests.
fn room(count: usize, size: usize) -> PyResult<Vec<u8>> {
    let mut digests = Vec::new();
    lengthen(&mut digests, count, size).map_err(failed)?;
    Ok(digests)
}

/// The buffer of an output, whose length is checked.
fn output<'py>(out: &Bound<'py, PyAny>, count: usize, size: usize) -> PyResult<View<'py>> {
    let view = View::contiguous(out, true)?;
    let (given, expected) = (view.bytes().len(), count.saturating_mul(size));
    if given == expected {
        Ok(view)
    } else {
        let digests = format_args!("{count} digests of {size} bytes need {expected}");
        Err(value(&format_args!("the output has {given} bytes, but {digests}")))
    }
}

/// Copies digests of `size` bytes to an output.
fn write<'py>(digests: &[u8], size: usize, out: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut view = output(out, digests.len().checked_div(size).unwrap_or(0), size)?;
    view.bytes_mut(&[digests])?.copy_from_slice(digests);
    Ok(out.clone())
}

/// The exception for messages that were not hashed.
pub(crate) fn failed(failure: Failure) -> PyErr {
    match failure {
        Failure::Library(error) => raise(error),
        Failure::Type(_) => PyTypeError::new_err(failure.to_string()),
        Failure::Memory => PyMemoryError::new_err(failure.to_string()),
        Failure::Malformed | Failure::NullInside => value(&failure),
    }
}
