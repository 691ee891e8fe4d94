//! The values of an Arrow array, read where they are.
//!
//! The C interface does not tell how long buffers are, so that an array of a faulty producer cannot be told from a
//! right one in every case. What can be checked is: offsets, indices, and the lengths that views come with.

use super::interface::{Array, Schema};
use crate::rows::{Failure, Malformed, Rows};
use std::ffi::{CStr, c_char};
use std::ops::Range;
use std::slice;

/// The values of an array.
pub(crate) struct Values<'a> {
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

impl Schema {
    /// Whether values of this type can be hashed: bytes, text, lists of bytes, dictionaries of those, or nothing.
    ///
    /// # Safety
    /// It is not released.
    pub(crate) unsafe fn check(&self) -> Result<(), Failure> {
        // SAFETY: as the caller promises; children and dictionaries are not released before it.
        let (format, list) = unsafe { (text(self.format)?, self.only_child().map(|child| text(child.format))) };
        let readable = if let Some(child) = list {
            list_of_bytes(&format) && child? == "C"
        } else if self.dictionary.is_null() {
            matches!(&*format, "n" | "z" | "u" | "Z" | "U" | "vz" | "vu") || format.starts_with("w:")
        } else {
            // SAFETY: as above.
            index(&format).is_some() && unsafe { (*self.dictionary).check() }.is_ok()
        };
        if readable { Ok(()) } else { Err(Failure::Type(format)) }
    }

    /// # Safety
    /// It is not released.
    unsafe fn only_child(&self) -> Option<&Self> {
        // SAFETY: there are so many, as the caller promises.
        (self.n_children == 1 && !self.children.is_null()).then(|| unsafe { &**self.children })
    }
}

impl<'a> Values<'a> {
    /// # Safety
    /// The structures are not released, describe the memory rightly, and stay for 'a.
    pub(crate) unsafe fn of(schema: &Schema, array: &Array) -> Result<Self, Failure> {
        // SAFETY: the caller's promise.
        unsafe {
            schema.check()?;
            Self::of_type(schema, array)
        }
    }

    /// # Safety
    /// As of [`of`](Self::of), which has checked the type.
    unsafe fn of_type(schema: &Schema, array: &Array) -> Result<Self, Failure> {
        let integer = |number: i64| usize::try_from(number).map_err(|_| Malformed);
        let (count, offset) = (integer(array.length)?, integer(array.offset)?);
        let end = count.checked_add(offset).filter(|end| *end < usize::MAX).ok_or(Malformed)?;
        // SAFETY: a format is a string.
        let format = unsafe { text(schema.format) }?;
        if count == 0 || format == "n" {
            return Ok(Self { count, offset, validity: None, layout: Layout::Nothing });
        }
        // SAFETY: an array has a list of so many buffers.
        let buffers: Vec<*const u8> =
            unsafe { slice_of(array.buffers, integer(array.n_buffers)?) }?.iter().map(|buffer| buffer.cast()).collect();
        let buffer = |i: usize| buffers.get(i).copied().ok_or(Malformed);
        let mut nulls_inside = None;
        // The bytes that offsets refer to: a buffer of its own, or the one of the child.
        let mut bytes = |length: usize| -> Result<&'a [u8], Failure> {
            if !list_of_bytes(&format) {
                // SAFETY: there are as many as the last offset says.
                return Ok(unsafe { memory(buffer(2)?, length) }?);
            }
            if array.n_children != 1 || array.children.is_null() {
                return Err(Malformed.into());
            }
            // SAFETY: the child is not released before the array, and is one of unsigned bytes.
            let (bytes, validity) = unsafe { (**array.children).unsigned_bytes() }?;
            nulls_inside = validity;
            bytes.get(..length).ok_or_else(|| Malformed.into())
        };
        // SAFETY: the specification says how long each buffer is.
        let layout = unsafe {
            if !schema.dictionary.is_null() {
                if array.dictionary.is_null() {
                    return Err(Malformed.into());
                }
                let (size, signed) = index(&format).ok_or(Malformed)?;
                let indices = memory(buffer(1)?, end.checked_mul(size).ok_or(Malformed)?)?;
                let values = Box::new(Self::of_type(&*schema.dictionary, &*array.dictionary)?);
                Layout::Dictionary { size, signed, indices, values }
            } else if let Some((_, width)) = format.split_once("w:") {
                let width: usize = width.parse().map_err(|_| Malformed)?;
                let length = end.checked_mul(width).ok_or(Malformed)?;
                let bytes = if list_of_bytes(&format) { bytes(length)? } else { memory(buffer(1)?, length)? };
                Layout::Fixed(width, bytes)
            } else if format.starts_with('v') {
                // Where no value is long there may be no other buffers.
                let (lengths, data) = buffers.get(2..).and_then(<[_]>::split_last).unwrap_or((&std::ptr::null(), &[]));
                let lengths: &[[u8; 8]] = memory(lengths.cast(), data.len())?;
                let data = data.iter().zip(lengths);
                let data = data.map(|(start, length)| memory(*start, integer(i64::from_ne_bytes(*length))?));
                Layout::Views(memory(buffer(1)?.cast(), end)?, data.collect::<Result<_, Malformed>>()?)
            } else if matches!(&*format, "z" | "u" | "+l") {
                let offsets: &[[u8; 4]] = memory(buffer(1)?.cast(), end + 1)?;
                Layout::Offsets32(offsets, bytes(integer(i32::from_ne_bytes(offsets[end]).into())?)?)
            } else {
                let offsets: &[[u8; 8]] = memory(buffer(1)?.cast(), end + 1)?;
                Layout::Offsets64(offsets, bytes(integer(i64::from_ne_bytes(offsets[end]))?)?)
            }
        };
        let validity = if array.null_count == 0 || buffer(0)?.is_null() {
            None
        } else {
            // SAFETY: it has a bit for each value.
            Some(unsafe { memory(buffer(0)?, end.div_ceil(8)) }?)
        };
        let values = Self { count, offset, validity, layout };
        match nulls_inside {
            Some(nulls) if values.has_value_with(&nulls)? => Err(Failure::NullInside),
            _ => Ok(values),
        }
    }

    pub(crate) fn has_nulls(&self) -> bool {
        match &self.layout {
            Layout::Nothing => self.count > 0,
            Layout::Dictionary { values, .. } => self.validity.is_some() || values.has_nulls(),
            _ => self.validity.is_some(),
        }
    }

    /// Adds a bit for each value to those of `first` values before it.
    pub(crate) fn append_validity(&self, first: usize, bits: &mut Vec<u8>) {
        bits.resize((first + self.count).div_ceil(8), 0);
        for row in 0..self.count {
            let (byte, bit) = ((first + row) / 8, (first + row) % 8);
            let valid = u8::from(matches!(self.row(row), Ok(Some(_))));
            bits[byte] = bits[byte] & !(1 << bit) | valid << bit;
        }
    }

    /// Where a value's bytes are among all bytes, unless the layout has other places.
    fn range(&self, place: usize) -> Option<Range<usize>> {
        match &self.layout {
            Layout::Offsets32(offsets, _) => {
                let offset = |i: usize| Some(i32::from_ne_bytes(*offsets.get(i)?) as usize);
                Some(offset(place)?..offset(place + 1)?)
            }
            Layout::Offsets64(offsets, _) => {
                let offset = |i: usize| Some(i64::from_ne_bytes(*offsets.get(i)?) as usize);
                Some(offset(place)?..offset(place + 1)?)
            }
            Layout::Fixed(width, _) => Some(place * width..(place + 1) * width),
            Layout::Nothing | Layout::Views(..) | Layout::Dictionary { .. } => None,
        }
    }

    /// Whether one of these nulls is among the bytes of a value.
    fn has_value_with(&self, nulls: &Bits<'_>) -> Result<bool, Malformed> {
        for place in (self.offset..self.offset + self.count).filter(|place| is_set(self.validity, *place)) {
            // There are as many bits as bytes.
            self.get(place).ok_or(Malformed)?;
            if self.range(place).is_some_and(|mut range| range.any(|byte| !nulls.is_set(byte))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn get(&self, place: usize) -> Option<&[u8]> {
        match &self.layout {
            Layout::Offsets32(_, data) | Layout::Offsets64(_, data) | Layout::Fixed(_, data) => {
                data.get(self.range(place)?)
            }
            Layout::Views(views, data) => {
                let view = views.get(place)?;
                let [length, _, buffer, start] = *view.as_chunks::<4>().0 else { return None };
                let length = u32::from_ne_bytes(length) as usize;
                if length <= 12 {
                    return view.get(4..4 + length);
                }
                data.get(u32::from_ne_bytes(buffer) as usize)?.get(u32::from_ne_bytes(start) as usize..)?.get(..length)
            }
            Layout::Nothing | Layout::Dictionary { .. } => None,
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
        if !is_set(self.validity, place) {
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
            _ => self.get(place).map(Some).ok_or(Malformed),
        }
    }
}

/// Bits, of which the first is at an offset.
struct Bits<'a> {
    bits: &'a [u8],
    offset: usize,
}

impl Bits<'_> {
    fn is_set(&self, index: usize) -> bool {
        is_set(Some(self.bits), self.offset + index)
    }
}

impl Array {
    /// The elements of an array of unsigned bytes, and their validity unless none is null.
    ///
    /// # Safety
    /// It is such an array, describes the memory rightly, and stays for 'a.
    unsafe fn unsigned_bytes<'a>(&self) -> Result<(&'a [u8], Option<Bits<'a>>), Malformed> {
        let integer = |number: i64| usize::try_from(number).map_err(|_| Malformed);
        let (count, offset) = (integer(self.length)?, integer(self.offset)?);
        let end = count.checked_add(offset).ok_or(Malformed)?;
        // SAFETY: an array has a list of so many buffers, and these have so many bytes and bits.
        unsafe {
            let &[validity, bytes] = slice_of(self.buffers, integer(self.n_buffers)?)? else { return Err(Malformed) };
            let bytes = memory(bytes.cast::<u8>(), end)?.get(offset..).ok_or(Malformed)?;
            if self.null_count == 0 || validity.is_null() {
                return Ok((bytes, None));
            }
            Ok((bytes, Some(Bits { bits: memory(validity.cast(), end.div_ceil(8))?, offset })))
        }
    }
}

/// Whether a value is not null.
#[inline]
fn is_set(validity: Option<&[u8]>, place: usize) -> bool {
    validity.is_none_or(|bits| bits[place / 8] >> (place % 8) & 1 == 1)
}

/// Whether values of this type are lists, or lists of one length; their elements are another type.
fn list_of_bytes(format: &str) -> bool {
    matches!(format, "+l" | "+L") || format.starts_with("+w:")
}

/// Bytes of the indices of a dictionary, and whether they are signed.
fn index(format: &str) -> Option<(usize, bool)> {
    Some(match format {
        "c" => (1, true),
        "C" => (1, false),
        "s" => (2, true),
        "S" => (2, false),
        "i" => (4, true),
        "I" => (4, false),
        "l" => (8, true),
        "L" => (8, false),
        _ => return None,
    })
}

/// `count` values of memory.
///
/// # Safety
/// There are so many from `start` on, and they stay for 'a.
unsafe fn memory<'a, T>(start: *const T, count: usize) -> Result<&'a [T], Malformed> {
    const { assert!(align_of::<T>() == 1) };
    if count == 0 {
        return Ok(&[]);
    }
    if start.is_null() || count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Malformed);
    }
    // SAFETY: as the caller promises; it is not null, and not longer than memory can be.
    Ok(unsafe { slice::from_raw_parts(start, count) })
}

/// # Safety
/// It is null or a string that ends with a zero.
unsafe fn text(start: *const c_char) -> Result<String, Malformed> {
    if start.is_null() {
        return Err(Malformed);
    }
    // SAFETY: as the caller promises.
    Ok(unsafe { CStr::from_ptr(start) }.to_string_lossy().into_owned())
}

/// The pointers of an array's buffers, which are aligned.
///
/// # Safety
/// There are so many, unless the list is null.
unsafe fn slice_of<'a, T>(start: *mut *const T, count: usize) -> Result<&'a [*const T], Malformed> {
    if count == 0 {
        return Ok(&[]);
    }
    if start.is_null() || count > 1 << 32 {
        return Err(Malformed);
    }
    // SAFETY: as the caller promises.
    Ok(unsafe { slice::from_raw_parts(start, count) })
}
