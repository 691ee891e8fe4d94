//! Digests as an Arrow array of BinaryView, which is the layout of Polars.

use super::interface::Array;
use std::ffi::c_void;
use std::ptr;

/// A view holds so many bytes itself.
const INLINE: usize = 12;

/// Bytes of one buffer at most: the specification counts them by a signed integer of 32 bits.
const BUFFER: usize = i32::MAX as usize;

/// What the private data of an array holds: all that its buffers point to.
struct Content {
    _validity: Option<Vec<u8>>,
    /// Numbers of 16 bytes, so that they are aligned.
    _views: Vec<u128>,
    _digests: Vec<u8>,
    _lengths: Vec<i64>,
    buffers: Vec<*const c_void>,
}

/// The array of `count` digests of `size` bytes each. Of those that are null, `validity` lacks the bit.
pub(crate) fn views(digests: Vec<u8>, validity: Option<Vec<u8>>, count: usize, size: usize) -> Array {
    let valid = |row: usize| validity.as_ref().is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1);
    let nulls = if validity.is_some() { (0..count).filter(|row| !valid(*row)).count() } else { 0 };
    let per_buffer = BUFFER / size.max(1);
    let view = |row: usize| {
        let digest = &digests[row * size..][..size];
        let mut view = [0; 16];
        if valid(row) {
            view[..4].copy_from_slice(&(size as u32).to_ne_bytes());
            if size <= INLINE {
                view[4..4 + size].copy_from_slice(digest);
            } else {
                view[4..8].copy_from_slice(&digest[..4]);
                view[8..12].copy_from_slice(&((row / per_buffer) as u32).to_ne_bytes());
                view[12..].copy_from_slice(&((row % per_buffer * size) as u32).to_ne_bytes());
            }
        }
        u128::from_ne_bytes(view)
    };
    let views: Vec<u128> = (0..count).map(view).collect();
    let digests = if size <= INLINE { Vec::new() } else { digests };
    let data = || digests.chunks(per_buffer * size.max(1));
    let lengths: Vec<i64> = data().map(|part| part.len() as i64).collect();
    let mut buffers = vec![validity.as_ref().map_or(ptr::null(), |bits| bits.as_ptr().cast()), views.as_ptr().cast()];
    buffers.extend(data().map(|part| part.as_ptr().cast::<c_void>()));
    buffers.push(lengths.as_ptr().cast());

    let mut array = Array::empty();
    array.length = count as i64;
    array.null_count = nulls as i64;
    array.n_buffers = buffers.len() as i64;
    // Moving the lists does not move what they own.
    let content = Content { _validity: validity, _views: views, _digests: digests, _lengths: lengths, buffers };
    let own = Box::into_raw(Box::new(content));
    // SAFETY: the box was just given away, and stays until it is released.
    array.buffers = unsafe { (*own).buffers.as_mut_ptr() };
    array.private_data = own.cast();
    array.release = Some(release);
    array
}

unsafe extern "C" fn release(array: *mut Array) {
    // SAFETY: the private data is the box that was given away above, and this is called once.
    unsafe {
        drop(Box::from_raw((*array).private_data.cast::<Content>()));
        (*array).release = None;
    }
}
