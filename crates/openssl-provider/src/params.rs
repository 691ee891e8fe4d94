//! `OSSL_PARAM`, by which OpenSSL asks for values and sets them.

use crate::border::{Checked, Failure};
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};

const INTEGER: c_uint = 1;
const UNSIGNED: c_uint = 2;
const TEXT: c_uint = 4;
const BYTES: c_uint = 5;
const TEXT_POINTER: c_uint = 6;
const BYTES_POINTER: c_uint = 7;

/// A value with a name, in a list that ends with one without.
#[repr(C)]
pub(crate) struct Param {
    key: *const c_char,
    kind: c_uint,
    data: *mut c_void,
    size: usize,
    return_size: usize,
}

// SAFETY: the lists that are shared are constants, which name parameters and have no values.
unsafe impl Sync for Param {}

/// `OSSL_CALLBACK`: takes a list that is given for the length of the call, and an argument.
pub(crate) type Callback = unsafe extern "C" fn(*const Param, *mut c_void) -> c_int;

/// The parameters of a list.
///
/// # Safety
/// The pointer is null or that of a list that ends with a parameter without a name, which nothing else uses for as long
/// as `'a`; data of parameters are readable and writable for their sizes.
pub(crate) unsafe fn list_mut<'a>(mut first: *mut Param) -> impl Iterator<Item = &'a mut Param> {
    core::iter::from_fn(move || {
        // SAFETY: the caller's promise; none after the last one is read.
        let param = unsafe { first.as_mut() }.filter(|param| !param.key.is_null())?;
        first = first.wrapping_add(1);
        Some(param)
    })
}

/// The parameters of a list that is only read.
///
/// # Safety
/// As of [`list_mut`], but for writing.
pub(crate) unsafe fn list<'a>(mut first: *const Param) -> impl Iterator<Item = &'a Param> {
    core::iter::from_fn(move || {
        // SAFETY: the caller's promise; none after the last one is read.
        let param = unsafe { first.as_ref() }.filter(|param| !param.key.is_null())?;
        first = first.wrapping_add(1);
        Some(param)
    })
}

impl Param {
    /// The end of a list.
    pub(crate) const LAST: Self = Self::named(core::ptr::null(), 0);

    pub(crate) const fn number(name: &'static CStr) -> Self {
        Self::named(name.as_ptr(), UNSIGNED)
    }

    pub(crate) const fn text(name: &'static CStr) -> Self {
        Self::named(name.as_ptr(), TEXT)
    }

    /// A text that OpenSSL has, of which it writes the address to `place`.
    pub(crate) fn text_at(name: &'static CStr, place: &mut *const c_char) -> Self {
        let size = size_of_val(place);
        Self { data: core::ptr::from_mut(place).cast(), size, ..Self::named(name.as_ptr(), TEXT_POINTER) }
    }

    pub(crate) const fn octets(name: &'static CStr) -> Self {
        Self::named(name.as_ptr(), BYTES)
    }

    /// A text, for a list that is only read.
    pub(crate) const fn text_of(name: &'static CStr, text: &'static CStr) -> Self {
        Self { data: text.as_ptr().cast_mut().cast(), size: text.count_bytes(), ..Self::named(name.as_ptr(), TEXT) }
    }

    /// Bytes, for a list that is only read while they stay where they are.
    pub(crate) fn octets_of(name: &'static CStr, bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr().cast_mut().cast(), size: bytes.len(), ..Self::named(name.as_ptr(), BYTES) }
    }

    /// A number, for a list that is only read while it stays where it is.
    pub(crate) fn number_of(name: &'static CStr, number: &u32) -> Self {
        let data = core::ptr::from_ref(number).cast_mut().cast();
        Self { data, size: size_of_val(number), ..Self::named(name.as_ptr(), UNSIGNED) }
    }

    /// The same, of a number that may be negative.
    pub(crate) fn integer_of(name: &'static CStr, number: &i32) -> Self {
        let data = core::ptr::from_ref(number).cast_mut().cast();
        Self { data, size: size_of_val(number), ..Self::named(name.as_ptr(), INTEGER) }
    }

    /// OpenSSL's mark for what was not set.
    const UNSET: usize = usize::MAX;

    const fn named(key: *const c_char, kind: c_uint) -> Self {
        Self { key, kind, data: core::ptr::null_mut(), size: 0, return_size: Self::UNSET }
    }

    pub(crate) fn name(&self) -> &[u8] {
        // SAFETY: a string that ends with a zero, by the promise for the list.
        unsafe { CStr::from_ptr(self.key) }.to_bytes()
    }

    /// The bytes of the value; `None` if only their number is given.
    fn data(&self) -> Checked<Option<&[u8]>> {
        if self.data.is_null() {
            return Ok(None);
        }
        // SAFETY: readable, by the promise for the list.
        unsafe { crate::border::bytes(self.data.cast(), self.size) }.map(Some)
    }

    /// A number from 0 on.
    pub(crate) fn get_number(&self) -> Checked<usize> {
        let data = self.data()?.ok_or(Failure::Null)?;
        let number = match (self.kind, data.len()) {
            (INTEGER | UNSIGNED, 4) => data.first_chunk().map(|bytes| u32::from_ne_bytes(*bytes).into()),
            (INTEGER | UNSIGNED, 8) => data.first_chunk().map(|bytes| u64::from_ne_bytes(*bytes)),
            _ => None,
        };
        let negative = self.kind == INTEGER && number.is_some_and(|number| number >> (8 * data.len() - 1) != 0);
        number.filter(|_| !negative).and_then(|number| number.try_into().ok()).ok_or(Failure::WrongParameter)
    }

    /// The number of bytes, and these unless only the number is given.
    pub(crate) fn get_octets(&self) -> Checked<(usize, Option<&[u8]>)> {
        if self.kind == BYTES { Ok((self.size, self.data()?)) } else { Err(Failure::WrongParameter) }
    }

    /// A text, as bytes without an ending zero.
    pub(crate) fn get_text(&self) -> Checked<&[u8]> {
        let data = self.data()?.filter(|_| self.kind == TEXT).ok_or(Failure::WrongParameter)?;
        Ok(data.split(|byte| *byte == 0).next().unwrap_or(data))
    }

    pub(crate) fn put_number(&mut self, number: usize) -> Checked<()> {
        let number = number as u64;
        match (self.kind, self.size) {
            (INTEGER | UNSIGNED, 4) => {
                let number = u32::try_from(number).map_err(|_| Failure::WrongParameter)?;
                self.put(&number.to_ne_bytes())
            }
            (INTEGER | UNSIGNED, 8) => self.put(&number.to_ne_bytes()),
            // The question is how much room it needs.
            (INTEGER | UNSIGNED, _) if self.data.is_null() => self.put(&number.to_ne_bytes()),
            _ => Err(Failure::WrongParameter),
        }
    }

    pub(crate) fn put_octets(&mut self, bytes: &[u8]) -> Checked<()> {
        if self.kind == BYTES { self.put(bytes) } else { Err(Failure::WrongParameter) }
    }

    /// Writes bytes, or a pointer to them, which must stay where they are until OpenSSL asks again.
    pub(crate) fn put_octets_or_pointer(&mut self, bytes: &[u8]) -> Checked<()> {
        if self.kind != BYTES_POINTER {
            return self.put_octets(bytes);
        }
        if self.data.is_null() {
            return Err(Failure::Null);
        }
        self.return_size = bytes.len();
        // SAFETY: a place for a pointer, by the promise for the list.
        unsafe { self.data.cast::<*const u8>().write_unaligned(bytes.as_ptr()) };
        Ok(())
    }

    pub(crate) fn put_text(&mut self, text: &'static CStr) -> Checked<()> {
        match self.kind {
            TEXT_POINTER if self.data.is_null() => Err(Failure::Null),
            TEXT_POINTER => {
                self.return_size = text.count_bytes();
                // SAFETY: a place for a pointer, by the promise for the list.
                unsafe { self.data.cast::<*const c_char>().write_unaligned(text.as_ptr()) };
                Ok(())
            }
            TEXT => {
                self.put(text.to_bytes())?;
                if !self.data.is_null() && self.size > text.count_bytes() {
                    // SAFETY: within the buffer.
                    unsafe { self.data.cast::<u8>().add(text.count_bytes()).write(0) };
                }
                Ok(())
            }
            _ => Err(Failure::WrongParameter),
        }
    }

    /// Writes a value, or only its size if there is no buffer.
    fn put(&mut self, value: &[u8]) -> Checked<()> {
        self.return_size = value.len();
        if self.data.is_null() {
            return Ok(());
        }
        if self.size < value.len() {
            return Err(Failure::OutputTooSmall);
        }
        // SAFETY: writable, by the promise for the list, and as long.
        unsafe { self.data.cast::<u8>().copy_from(value.as_ptr(), value.len()) };
        Ok(())
    }
}

/// A function that lists the parameters that can be asked for, or set.
macro_rules! known {
    ($name:ident($($argument:ty),*): $($param:expr),* $(,)?) => {
        unsafe extern "C" fn $name($(_: $argument),*) -> *const Param {
            static KNOWN: &[Param] = &[$($param,)* Param::LAST];
            KNOWN.as_ptr()
        }
    };
}
pub(crate) use known;
