//! The border between C and Rust: pointers become slices, names algorithms, and results status codes.
//!
//! Slices are made only after all pointers, lengths and overlaps of a call were checked.

use crate::panics::answer;
use crate::status::Status;
use core::ffi::c_char;
use core::str::FromStr;
use fairlane::Backend;

/// What a check gives.
pub(crate) type Checked<T> = Result<T, Status>;

/// Defines structs of a pointer and a length, which C cannot take for each other.
macro_rules! views {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        pub struct $name {
            /// The first byte; may be null if there is none.
            pub bytes: *const u8,
            /// How many bytes.
            pub length: usize,
        }

        impl $name {
            pub(crate) fn input(self) -> Checked<Input> {
                Input::new(self.bytes, self.length)
            }
        }
    )*};
}

views! {
    /// A message of a list.
    Bytes;
    /// A key.
    Key;
    /// A nonce or IV.
    Nonce;
    /// Seeds of keys, or randomness of encapsulations.
    Seed;
}

/// The result of a call as a status, also if it panics.
pub(crate) fn guarded(call: impl FnOnce() -> Checked<()>) -> Status {
    answer(Status::Internal, || call().err().unwrap_or(Status::Ok))
}

/// Bytes to read, whose pointer and length were checked.
#[derive(Clone, Copy)]
pub(crate) struct Input {
    pointer: *const u8,
    length: usize,
}

/// Bytes to write, whose pointer and length were checked.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pointer: *mut u8,
    length: usize,
}

/// What every slice needs: not null unless empty, and no longer than the address space.
fn check(pointer: *const u8, length: usize) -> Checked<()> {
    if length == 0 {
        Ok(())
    } else if pointer.is_null() {
        Err(Status::Null)
    } else if length > isize::MAX as usize || pointer.addr().checked_add(length).is_none() {
        Err(Status::Length)
    } else {
        Ok(())
    }
}

impl Input {
    pub(crate) fn new(pointer: *const u8, length: usize) -> Checked<Self> {
        check(pointer, length).map(|()| Self { pointer, length })
    }

    pub(crate) fn len(self) -> usize {
        self.length
    }

    /// The bytes.
    ///
    /// # Safety
    /// They must be readable, and not written for as long as `'a`.
    pub(crate) unsafe fn slice<'a>(self) -> &'a [u8] {
        match self.length {
            0 => &[],
            // SAFETY: the caller's promise; neither null nor too long, as was checked.
            length => unsafe { core::slice::from_raw_parts(self.pointer, length) },
        }
    }

    /// The first `length` bytes, of which there must be so many, and the others.
    pub(crate) fn split_at(self, length: usize) -> (Self, Self) {
        let rest = Self { pointer: self.pointer.wrapping_add(length), length: self.length - length };
        (Self { length, ..self }, rest)
    }

    /// The elements of an array of `count`, as bytes.
    pub(crate) fn array<T>(pointer: *const T, count: usize) -> Checked<Self> {
        let length = count.checked_mul(size_of::<T>()).ok_or(Status::Length)?;
        if count > 0 && !pointer.is_null() && !pointer.is_aligned() {
            return Err(Status::Alignment);
        }
        Self::new(pointer.cast(), length)
    }

    /// The elements of an array that [`array`](Self::array) has checked.
    ///
    /// # Safety
    /// As of [`slice`](Self::slice); and the bytes must be values of `T`.
    pub(crate) unsafe fn elements<'a, T>(self) -> &'a [T] {
        match self.length / size_of::<T>() {
            0 => &[],
            // SAFETY: the caller's promise; aligned, neither null nor too long, as was checked.
            count => unsafe { core::slice::from_raw_parts(self.pointer.cast(), count) },
        }
    }
}

impl Output {
    pub(crate) fn new(pointer: *mut u8, length: usize) -> Checked<Self> {
        check(pointer, length).map(|()| Self { pointer, length })
    }

    /// Room for `count` elements of `size` bytes each.
    pub(crate) fn many(pointer: *mut u8, count: usize, size: usize) -> Checked<Self> {
        Self::new(pointer, count.checked_mul(size).ok_or(Status::Length)?)
    }

    pub(crate) fn len(self) -> usize {
        self.length
    }

    fn as_input(self) -> Input {
        Input { pointer: self.pointer, length: self.length }
    }

    /// Checks that no input shares a byte with it.
    pub(crate) fn apart_from(self, inputs: &[Input]) -> Checked<()> {
        let overlaps = |input: &Input| {
            // Neither end wraps, as was checked.
            let (start, other) = (self.pointer.addr(), input.pointer.addr());
            let shared = start < other + input.length && other < start + self.length;
            shared && self.length > 0 && input.length > 0
        };
        if inputs.iter().any(overlaps) { Err(Status::Overlap) } else { Ok(()) }
    }

    /// Checks that both outputs share no byte.
    pub(crate) fn apart_from_output(self, other: Self) -> Checked<()> {
        self.apart_from(&[other.as_input()])
    }

    /// Whether it begins where the input does: processing in place. Otherwise it must share no byte with it.
    pub(crate) fn in_place_of(self, input: Input) -> Checked<bool> {
        let same = self.length > 0 && input.length > 0 && self.pointer.addr() == input.pointer.addr();
        if !same {
            self.apart_from(&[input])?;
        }
        Ok(same)
    }

    /// The bytes.
    ///
    /// # Safety
    /// They must be writable, and accessed by nothing else for as long as `'a`.
    pub(crate) unsafe fn slice<'a>(self) -> &'a mut [u8] {
        match self.length {
            0 => &mut [],
            // SAFETY: the caller's promise; neither null nor too long, as was checked.
            length => unsafe { core::slice::from_raw_parts_mut(self.pointer, length) },
        }
    }
}

/// Bytes of the longest name that is looked at.
const LONGEST_NAME: usize = 64;

/// A name, without its ending zero; `None` if it is too long or not UTF-8, so that nothing has this name.
///
/// # Safety
/// The pointer is null or that of a string that ends with a zero.
unsafe fn name<'a>(pointer: *const c_char) -> Checked<Option<&'a str>> {
    if pointer.is_null() {
        return Err(Status::Null);
    }
    // SAFETY: no byte behind the zero is read.
    let length = (0..=LONGEST_NAME).find(|&i| unsafe { *pointer.add(i) } == 0);
    Ok(length.and_then(|length| {
        // SAFETY: these bytes were just read.
        let bytes = unsafe { core::slice::from_raw_parts(pointer.cast(), length) };
        core::str::from_utf8(bytes).ok()
    }))
}

/// The algorithm of a name.
///
/// # Safety
/// The pointer is null or that of a string that ends with a zero.
pub(crate) unsafe fn algorithm<A: FromStr>(pointer: *const c_char) -> Checked<A> {
    // SAFETY: the caller's promise.
    let name = unsafe { name(pointer) }?;
    name.and_then(|name| name.parse().ok()).ok_or(Status::UnknownAlgorithm)
}

/// The backend of a name; `None`, the best one, of a null pointer.
///
/// # Safety
/// The pointer is null or that of a string that ends with a zero.
pub(crate) unsafe fn backend(pointer: *const c_char) -> Checked<Option<Backend>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    let name = unsafe { name(pointer) }?;
    name.and_then(|name| name.parse().ok()).map(Some).ok_or(Status::UnknownBackend)
}

/// Checks the pointer to an object or to a place.
pub(crate) fn check_object<T>(pointer: *const T) -> Checked<()> {
    if pointer.is_null() {
        Err(Status::Null)
    } else if !pointer.is_aligned() {
        Err(Status::Alignment)
    } else {
        Ok(())
    }
}

/// An object.
///
/// # Safety
/// The pointer is null or that of an object which nothing changes for as long as `'a`.
pub(crate) unsafe fn shared<'a, T>(object: *const T) -> Checked<&'a T> {
    check_object(object)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { &*object })
}

/// An object that is changed.
///
/// # Safety
/// The pointer is null or that of an object which nothing else uses for as long as `'a`.
pub(crate) unsafe fn exclusive<'a, T>(object: *mut T) -> Checked<&'a mut T> {
    check_object(object)?;
    // SAFETY: the caller's promise.
    Ok(unsafe { &mut *object })
}

/// Puts a new object's pointer into its place; null if there is none.
///
/// # Safety
/// The place is null or writable.
pub(crate) unsafe fn place<T>(place: *mut *mut T, make: impl FnOnce() -> Checked<T>) -> Status {
    guarded(|| {
        check_object(place)?;
        // SAFETY: the caller's promise; neither null nor misaligned.
        unsafe { place.write(core::ptr::null_mut()) };
        let object = Box::into_raw(Box::new(make()?));
        // SAFETY: as above.
        unsafe { place.write(object) };
        Ok(())
    })
}

/// Frees an object.
///
/// # Safety
/// The pointer is null or one that [`place`] has put, and is not used again.
pub(crate) unsafe fn free<T>(object: *mut T) {
    answer((), || {
        if check_object(object).is_ok() {
            // SAFETY: it came from a box, by the caller's promise.
            drop(unsafe { Box::from_raw(object) });
        }
    });
}
