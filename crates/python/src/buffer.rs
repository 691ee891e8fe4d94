//! The bytes of Python's objects, without copies; new `bytes`.
//!
//! Python's buffer protocol promises that the memory of a buffer stays where it is until the buffer is released. It
//! does not promise that no other thread writes to it meanwhile: a program that changes a message while it is hashed
//! gets the hash of neither, as with `hashlib`.

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{Borrowed, ffi};
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::{mem, slice};

/// A buffer of an object, which is released on drop.
///
/// It is boxed because exporters may keep pointers into the structure, and not `Send` because it is released with the
/// interpreter attached.
pub(crate) struct View<'py> {
    buffer: Box<ffi::Py_buffer>,
    attached: PhantomData<Python<'py>>,
}

impl<'py> View<'py> {
    /// Asks for a buffer with the properties that `flags` name.
    fn get(object: &Bound<'py, PyAny>, flags: c_int) -> PyResult<Self> {
        // SAFETY: all zeros are a value of this structure of integers and pointers.
        let mut buffer = Box::new(unsafe { mem::zeroed() });
        // SAFETY: `object` is an object, the interpreter is attached, and the structure may be written.
        let code = unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &mut *buffer, flags) };
        if code == 0 { Ok(Self { buffer, attached: PhantomData }) } else { Err(PyErr::fetch(object.py())) }
    }

    /// Whether an object has buffers.
    pub(crate) fn offered_by(object: &Bound<'py, PyAny>) -> bool {
        // SAFETY: the argument is an object.
        unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) != 0 }
    }

    /// A contiguous buffer of an object, with shape and format.
    pub(crate) fn contiguous(object: &Bound<'py, PyAny>, writable: bool) -> PyResult<Self> {
        if !Self::offered_by(object) {
            let found = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a bytes-like object is required, not '{found}'")));
        }
        let view = Self::get(object, ffi::PyBUF_FULL_RO)?.checked()?;
        if !writable {
            return Ok(view);
        }
        if view.buffer.readonly != 0 {
            return Err(PyBufferError::new_err("the output is read-only"));
        }
        drop(view);
        // An object may give another buffer each time.
        Self::get(object, ffi::PyBUF_FULL)?.checked()
    }

    /// The same, if its bytes lie one after the other and are not addresses of Python's objects.
    fn checked(self) -> PyResult<Self> {
        // SAFETY: the buffer is filled.
        if unsafe { ffi::PyBuffer_IsContiguous(&*self.buffer, b'C' as _) } == 0 {
            return Err(PyBufferError::new_err("the buffer is not contiguous: make a copy that is"));
        }
        // The names of a structure's fields stand between colons.
        let objects =
            |format: &CStr| format.to_bytes().split(|byte| *byte == b':').step_by(2).any(|part| part.contains(&b'O'));
        if self.format().is_some_and(objects) {
            return Err(PyTypeError::new_err("an array of objects has no bytes to read or to write"));
        }
        Ok(self)
    }

    fn format(&self) -> Option<&CStr> {
        // SAFETY: a format is a string that ends with a zero, or null for bytes.
        (!self.buffer.format.is_null()).then(|| unsafe { CStr::from_ptr(self.buffer.format) })
    }

    /// Its bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        let (start, length) = self.range();
        if length == 0 {
            return &[];
        }
        // SAFETY: the buffer is contiguous, and stays until it is released.
        unsafe { slice::from_raw_parts(start, length) }
    }

    /// Its bytes, to be written, which must not be among those of the inputs.
    ///
    /// # Errors
    /// `BufferError` if they are, or if the buffer was not asked for as writable.
    pub(crate) fn bytes_mut(&mut self, inputs: &[&[u8]]) -> PyResult<&mut [u8]> {
        let (start, length) = self.range();
        if length == 0 {
            return Ok(&mut []);
        }
        if self.buffer.readonly != 0 {
            return Err(PyBufferError::new_err("the output is read-only"));
        }
        let output = start.addr()..start.addr() + length;
        let shares_a_byte = |input: &&[u8]| {
            let from = input.as_ptr().addr();
            !input.is_empty() && output.start < from + input.len() && from < output.end
        };
        if inputs.iter().any(shares_a_byte) {
            return Err(PyBufferError::new_err("the output overlaps the input"));
        }
        // SAFETY: the buffer is contiguous and writable, stays until it is released, and the inputs are elsewhere.
        Ok(unsafe { slice::from_raw_parts_mut(start, length) })
    }

    /// Where its bytes begin, and how many they are.
    fn range(&self) -> (*mut u8, usize) {
        (self.buffer.buf.cast(), self.buffer.len.try_into().unwrap_or(0))
    }

    /// Its shape if it is one of single unsigned bytes, in whatever order of bytes.
    pub(crate) fn shape_of_bytes(&self) -> Option<&[isize]> {
        let unsigned = |format: &CStr| matches!(format.to_bytes(), b"B" | [b'@' | b'=' | b'<' | b'>' | b'!', b'B']);
        let bytes = self.format().is_none_or(unsigned) && self.buffer.itemsize == 1;
        let dimensions = usize::try_from(self.buffer.ndim).ok()?;
        if !bytes || self.buffer.shape.is_null() {
            return None;
        }
        // SAFETY: the shape has as many entries as there are dimensions.
        Some(unsafe { slice::from_raw_parts(self.buffer.shape, dimensions) })
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        // SAFETY: the buffer was filled, and the interpreter is attached for 'py.
        unsafe { ffi::PyBuffer_Release(&mut *self.buffer) };
    }
}

/// The bytes of an argument: `bytes`, or whatever else has a contiguous buffer.
pub(crate) enum Input<'a, 'py> {
    /// The bytes of a `bytes` object, which nothing changes.
    Bytes(&'a [u8]),
    /// The bytes of another object.
    View(View<'py>),
}

impl Input<'_, '_> {
    /// No bytes.
    pub(crate) const EMPTY: Self = Self::Bytes(&[]);

    /// The bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::View(view) => view.bytes(),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input<'a, 'py> {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBytes>() {
            return Ok(Self::Bytes(object.extract()?));
        }
        View::contiguous(&object, false).map(Self::View)
    }
}

/// A new `bytes` object, or `MemoryError`.
pub(crate) fn copied<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, bytes.len(), |new| {
        new.copy_from_slice(bytes);
        Ok(())
    })
}
