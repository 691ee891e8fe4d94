//! The border between C and Rust: pointers become slices, names algorithms, and results status codes.
//!
//! Slices are made only after all pointers, lengths and overlaps of a call were checked.

use crate::panics::answer;
use crate::status::Status;
use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;
use core::str::FromStr;
use fairlane::Backend;
use zeroize::Zeroize;

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

/// What knows whether it lies on the heap, or in room of the caller's.
pub(crate) trait Placed: Sized {
    /// Whether [`place_in`] has put it into room of the caller's.
    fn in_room(&mut self) -> &mut bool;
}

/// Makes an object in room of the caller's, and puts its pointer into its place; null if there is none.
///
/// # Safety
/// The place is null or writable, the room null or writable for as many bytes as said, and both are apart.
pub(crate) unsafe fn place_in<T: Placed>(
    place: *mut *mut T,
    room: *mut c_void,
    room_length: usize,
    make: impl FnOnce() -> Checked<T>,
) -> Status {
    guarded(|| {
        check_object(place)?;
        // SAFETY: the caller's promise; neither null nor misaligned.
        unsafe { place.write(core::ptr::null_mut()) };
        let object: *mut T = room.cast();
        check_object(object)?;
        if room_length < size_of::<T>() {
            return Err(Status::Length);
        }
        let (start, length) = (place.cast(), size_of_val(&place));
        Output::new(room.cast(), room_length)?.apart_from(&[Input::new(start, length)?])?;
        let mut made = make()?;
        *made.in_room() = true;
        // SAFETY: the caller's promise; the room is aligned, long enough, and apart from the place.
        unsafe {
            object.write(made);
            place.write(object);
        }
        Ok(())
    })
}

/// Frees an object of [`place`], or ends one of [`place_in`] and erases its room.
///
/// # Safety
/// The pointer is null or one that [`place`] or [`place_in`] has put, and is not used again.
pub(crate) unsafe fn free_or_erase<T: Placed>(object: *mut T) {
    answer((), || {
        // SAFETY: the caller's promise.
        let Ok(placed) = (unsafe { exclusive(object) }) else { return };
        if !*placed.in_room() {
            // SAFETY: `place` has put it.
            return unsafe { free(object) };
        }
        // SAFETY: `place_in` has put it, and it is dropped once; then its bytes are plain memory of the caller's.
        unsafe {
            object.drop_in_place();
            core::slice::from_raw_parts_mut(object.cast::<MaybeUninit<u8>>(), size_of::<T>()).zeroize();
        }
    });
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
