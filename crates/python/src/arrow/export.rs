//! Digests as an Arrow array of FixedSizeBinary, as a stream of one such array, and as a buffer of two dimensions.

use super::interface::{ARRAY, Array, NULLABLE, SCHEMA, STREAM, Schema, Stream};
use crate::buffer::copied;
use pyo3::exceptions::{PyBufferError, PyIndexError, PyOverflowError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

/// The digests of many messages, in their order; `None` where a message was null.
///
/// It is an Arrow array of FixedSizeBinary for every package that takes objects with `__arrow_c_array__` or
/// `__arrow_c_stream__`, such as `pyarrow.array` and `polars.Series`, and a buffer of shape (n, size) for
/// `numpy.asarray`, in which a null is zeros. Neither copies.
#[pyclass(frozen, module = "fairlane", sequence)]
pub(crate) struct Digests {
    content: Arc<Content>,
    /// The buffer's dimensions, to which its users get pointers.
    shape: [isize; 2],
    strides: [isize; 2],
}

struct Content {
    digests: Vec<u8>,
    /// A bit for each that is not null; `None` if there are no nulls.
    validity: Option<Vec<u8>>,
    count: usize,
    nulls: usize,
    size: usize,
}

impl Digests {
    pub(crate) fn new(digests: Vec<u8>, validity: Option<Vec<u8>>, count: usize, size: usize) -> Self {
        assert_eq!(Some(digests.len()), count.checked_mul(size), "as many digests as are counted");
        let valid = validity.as_ref().map_or(count, |bits| bits.iter().map(|byte| byte.count_ones() as usize).sum());
        let (shape, strides) = ([count as isize, size as isize], [size as isize, 1]);
        let validity = validity.filter(|_| valid < count);
        Self { content: Arc::new(Content { digests, validity, count, nulls: count - valid, size }), shape, strides }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.content.digests
    }
}

#[pymethods]
impl Digests {
    /// Bytes of a digest.
    #[getter]
    fn digest_size(&self) -> usize {
        self.content.size
    }

    /// How many are null.
    #[getter]
    pub(crate) fn null_count(&self) -> usize {
        self.content.nulls
    }

    fn __len__(&self) -> usize {
        self.content.count
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let Content { digests, validity, count, size, .. } = &*self.content;
        let fewer = || PyIndexError::new_err("there are fewer digests");
        let index: isize = index
            .extract()
            .map_err(|error: PyErr| if error.is_instance_of::<PyOverflowError>(py) { fewer() } else { error })?;
        // Negative ones count from the end.
        let index = if index < 0 { count.checked_sub(index.unsigned_abs()) } else { Some(index.unsigned_abs()) };
        let index = index.filter(|index| index < count).ok_or_else(fewer)?;
        let valid = validity.as_ref().is_none_or(|bits| bits[index / 8] >> (index % 8) & 1 == 1);
        valid.then(|| copied(py, &digests[index * size..][..*size])).transpose()
    }

    fn __repr__(&self) -> String {
        let Content { count, size, nulls, .. } = *self.content;
        format!("<{count} digests of {size} bytes, {nulls} of them null>")
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("cannot pickle 'fairlane.Digests' object: make an Arrow or a NumPy array of it"))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        PyCapsule::new_with_value(py, schema(self.content.size), SCHEMA)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface lets a producer ignore the request.
        let _ = requested_schema;
        let array = PyCapsule::new_with_value(py, array(Arc::clone(&self.content)), ARRAY)?;
        Ok((self.__arrow_c_schema__(py)?, array))
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        PyCapsule::new_with_value(py, stream(Arc::clone(&self.content)), STREAM)
    }

    /// Fills a buffer of bytes, in two dimensions for those that ask for dimensions.
    ///
    /// # Safety
    /// The interpreter calls it, with a structure to be filled.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() || flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("the digests are read-only"));
        }
        let this = slf.get();
        let asked = |flag: c_int| flags & flag == flag;
        if asked(ffi::PyBUF_F_CONTIGUOUS) && this.shape.iter().all(|length| *length > 1) {
            return Err(PyBufferError::new_err("the digests lie row by row"));
        }
        let when = |asked: bool, value: &[isize; 2]| if asked { value.as_ptr().cast_mut() } else { ptr::null_mut() };
        // SAFETY: the structure may be written. What it points to lives as long as the object, which it holds.
        unsafe {
            (*view).buf = this.content.digests.as_ptr().cast_mut().cast();
            (*view).len = this.content.digests.len() as isize;
            (*view).readonly = 1;
            (*view).itemsize = 1;
            (*view).format = if asked(ffi::PyBUF_FORMAT) { c"B".as_ptr().cast_mut() } else { ptr::null_mut() };
            (*view).ndim = if asked(ffi::PyBUF_ND) { 2 } else { 1 };
            (*view).shape = when(asked(ffi::PyBUF_ND), &this.shape);
            (*view).strides = when(asked(ffi::PyBUF_STRIDES), &this.strides);
            (*view).suboffsets = ptr::null_mut();
            (*view).internal = ptr::null_mut();
            (*view).obj = slf.into_ptr();
        }
        Ok(())
    }
}

/// What the private data of an exported array holds.
struct ArrayContent {
    /// Keeps alive what the buffers point to.
    _content: Arc<Content>,
    buffers: [*const c_void; 2],
}

/// The schema of digests of a size.
fn schema(size: usize) -> Schema {
    unsafe extern "C" fn release(schema: *mut Schema) {
        // SAFETY: the format is the string that was given away below, and this is called once.
        unsafe {
            drop(CString::from_raw((*schema).format.cast_mut()));
            (*schema).release = None;
        }
    }
    let format = CString::new(format!("w:{size}")).unwrap_or_default();
    let mut schema = Schema::empty();
    schema.format = format.into_raw();
    schema.name = c"".as_ptr();
    schema.flags = NULLABLE;
    schema.release = Some(release);
    schema
}

/// The array of digests.
fn array(content: Arc<Content>) -> Array {
    unsafe extern "C" fn release(array: *mut Array) {
        // SAFETY: the private data is the box that was given away below, and this is called once.
        unsafe {
            drop(Box::from_raw((*array).private_data.cast::<ArrayContent>()));
            (*array).release = None;
        }
    }
    let validity = content.validity.as_ref().map_or(ptr::null(), |bits| bits.as_ptr().cast());
    let buffers = [validity, content.digests.as_ptr().cast()];
    let mut array = Array::empty();
    array.length = content.count as i64;
    array.null_count = content.nulls as i64;
    array.n_buffers = 2;
    let own = Box::into_raw(Box::new(ArrayContent { _content: content, buffers }));
    // SAFETY: the box was just given away, and stays until it is released.
    array.buffers = unsafe { (*own).buffers.as_mut_ptr() };
    array.private_data = own.cast();
    array.release = Some(release);
    array
}

/// The stream of one array of digests.
fn stream(content: Arc<Content>) -> Stream {
    /// What it has yet to give, and the size of digests.
    type Rest = (Option<Arc<Content>>, usize);

    unsafe extern "C" fn get_schema(stream: *mut Stream, filled: *mut Schema) -> c_int {
        // SAFETY: the private data is the box below, and the structure may be written; it holds nothing.
        unsafe { filled.write(schema((*(*stream).private_data.cast::<Rest>()).1)) };
        0
    }

    unsafe extern "C" fn get_next(stream: *mut Stream, filled: *mut Array) -> c_int {
        // SAFETY: as above.
        unsafe {
            let rest = (*(*stream).private_data.cast::<Rest>()).0.take();
            filled.write(rest.map_or_else(Array::empty, array));
        }
        0
    }

    unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
        ptr::null()
    }

    unsafe extern "C" fn release(stream: *mut Stream) {
        // SAFETY: the private data is the box below, and this is called once.
        unsafe {
            drop(Box::from_raw((*stream).private_data.cast::<Rest>()));
            (*stream).release = None;
        }
    }

    let size = content.size;
    let mut stream = Stream::empty();
    stream.get_schema = Some(get_schema);
    stream.get_next = Some(get_next);
    stream.get_last_error = Some(get_last_error);
    stream.private_data = Box::into_raw(Box::<Rest>::new((Some(content), size))).cast();
    stream.release = Some(release);
    stream
}
