//! Vectors of strings: the messages, read where they are, and the digests.

use crate::interface::{Api, DataChunk, StringRest, StringT, Vector};
use std::slice;

/// Strings up to this length lie in the vector itself.
const INLINED: usize = 12;

/// The values of a vector that is flat, as DuckDB gives them to functions of this interface.
pub(crate) struct Values<'a, T> {
    values: &'a [T],
    /// A bit for each value that is not null, unless none is.
    validity: Option<&'a [u64]>,
}

impl<'a, T> Values<'a, T> {
    /// The values of a chunk's vector by its number.
    ///
    /// # Safety
    /// The chunk has such a vector, which is flat and has values of this type, and stays for `'a`.
    pub(crate) unsafe fn of_chunk(api: &Api, chunk: DataChunk, number: u64) -> Self {
        // SAFETY: the caller's promise; a vector has a bit for each value, or no bits.
        unsafe {
            let count = (api.data_chunk_get_size)(chunk) as usize;
            if count == 0 {
                return Self { values: &[], validity: None };
            }
            let vector = (api.data_chunk_get_vector)(chunk, number);
            let validity = (api.vector_get_validity)(vector);
            let words = count.div_ceil(u64::BITS as usize);
            Self {
                values: slice::from_raw_parts((api.vector_get_data)(vector).cast(), count),
                validity: (!validity.is_null()).then(|| slice::from_raw_parts(validity, words)),
            }
        }
    }

    /// The values, `None` for nulls.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<&'a T>> {
        let valid = |row: usize| self.validity.is_none_or(|words| words[row / 64] >> (row % 64) & 1 == 1);
        self.values.iter().enumerate().map(move |(row, value)| valid(row).then_some(value))
    }
}

impl StringT {
    /// # Safety
    /// It is a string of a vector.
    pub(crate) unsafe fn bytes(&self) -> &[u8] {
        let length = self.length as usize;
        // SAFETY: short strings begin after the length and go on in `rest`; longer ones are where the pointer says.
        unsafe {
            let start = if length <= INLINED {
                (&raw const *self).cast::<u8>().add(size_of::<u32>())
            } else {
                self.rest.pointer
            };
            slice::from_raw_parts(start, length)
        }
    }

    /// A string of these bytes, which `long` holds if they are many.
    fn new(bytes: &[u8], long: *const u8) -> Self {
        let mut inlined = [0; INLINED];
        let rest = if let Some(inlined) = inlined.get_mut(..bytes.len()) {
            inlined.copy_from_slice(bytes);
            None
        } else {
            inlined[..4].copy_from_slice(&bytes[..4]);
            Some(StringRest { pointer: long })
        };
        let [a, b, c, d, end @ ..] = inlined;
        let rest = rest.unwrap_or(StringRest { inlined: end });
        Self { length: bytes.len() as u32, prefix: [a, b, c, d], rest }
    }
}

/// Writes the parts of `digests`, which have these sizes, to a vector; where there is no size, a null.
///
/// # Safety
/// The vector is one of strings, and has room for so many.
pub(crate) unsafe fn write(api: &Api, vector: Vector, digests: &[u8], sizes: &[Option<usize>]) {
    // SAFETY: the caller's promise. One string of all digests is put into the vector, so that their memory is the
    // vector's; then each row becomes a string within it. The first row takes the place of the whole.
    unsafe {
        let strings = (api.vector_get_data)(vector).cast::<StringT>();
        let mut memory = digests.as_ptr();
        if digests.len() > INLINED {
            (api.vector_assign_string_element_len)(vector, 0, digests.as_ptr().cast(), digests.len() as u64);
            memory = (*strings).rest.pointer;
        }
        let (mut first, mut validity) = (0, None);
        for (row, size) in sizes.iter().enumerate() {
            let size = size.unwrap_or_else(|| {
                let validity = *validity.get_or_insert_with(|| {
                    (api.vector_ensure_validity_writable)(vector);
                    (api.vector_get_validity)(vector)
                });
                *validity.add(row / 64) &= !(1 << (row % 64));
                0
            });
            strings.add(row).write(StringT::new(&digests[first..first + size], memory.add(first)));
            first += size;
        }
    }
}
