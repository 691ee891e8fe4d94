//! Input and output buffers that are processed from the front.

use cipher::InOutBuf;

/// Takes the first `count` elements off a buffer.
#[inline(always)]
pub(crate) fn take<'i, 'o, T: 'static>(buffer: &mut InOutBuf<'i, 'o, T>, count: usize) -> InOutBuf<'i, 'o, T> {
    let (first, rest) = core::mem::replace(buffer, (&mut [][..]).into()).split_at(count);
    *buffer = rest;
    first
}
