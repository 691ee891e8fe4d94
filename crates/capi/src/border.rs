//! The border between C and Rust: pointers become slices, names algorithms, and results status codes.
//!
//! Slices are made only after all pointers, lengths and overlaps of a call were checked.

use crate::panics::answer;
use crate::status::Status;
use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;
use core::ptr;
use core::str::FromStr;
use fairlane::Backend;
use fairlane::dynamic::Placed;
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
    // SAFETY: no byte after the zero is read.
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

/// A kind of objects.
pub trait Kind: 'static {
    /// Four letters that are no other kind's, so that no object is taken for one of another kind.
    const LETTERS: [u8; 4];
}

/// What C has a pointer to: the beginning of a room, of which the object fills the rest.
#[derive(Debug)]
// The mark comes first in every kind.
#[repr(C)]
pub struct Object<T: ?Sized + 'static> {
    /// [`mark`](Self::mark) of its address, from its making to its end.
    mark: usize,
    /// Bytes of the room that are in use.
    length: usize,
    on_heap: bool,
    object: Placed<'static, T>,
}

/// What rooms on the heap consist of, with the alignment that is enough for all rooms.
type Word = u64;

/// The alignment of rooms that the header states.
pub const ALIGNMENT: usize = 8;

const _: () = assert!(align_of::<Object<()>>() <= align_of::<Word>() && align_of::<Word>() <= ALIGNMENT);

impl<T: ?Sized> Object<T> {
    /// Bytes of room in all, for an object that needs so many.
    pub(crate) const fn room(size: usize) -> usize {
        (size_of::<Self>() + size).next_multiple_of(size_of::<Word>())
    }
}

impl<T: ?Sized + Kind> Object<T> {
    /// Unlikely in a room where no object was made, none where one ended, and another where one was copied to or is of
    /// another kind.
    fn mark(object: *const Self) -> usize {
        object.addr() ^ u32::from_be_bytes(T::LETTERS) as usize
    }
}

/// Checks the pointer to an object, and that one is there.
///
/// # Safety
/// The pointer is null or that of a room.
unsafe fn check_made<T: ?Sized + Kind>(object: *const Object<T>) -> Checked<()> {
    check_object(object)?;
    // SAFETY: the caller's promise. If no object is there, the bytes are whatever the caller has left.
    if unsafe { (&raw const (*object).mark).read() } == Object::mark(object) { Ok(()) } else { Err(Status::NotMade) }
}

/// An object, and its room, which outputs must be apart from.
///
/// # Safety
/// The pointer is null or that of a room, whose object nothing changes for as long as `'a`.
pub(crate) unsafe fn shared<'a, T: ?Sized + Kind>(object: *const Object<T>) -> Checked<(&'a T, Input)> {
    // SAFETY: the caller's promise.
    unsafe {
        check_made(object)?;
        Ok((&(*object).object, Input { pointer: object.cast(), length: (*object).length }))
    }
}

/// An object that is changed, and its room, which all else must be apart from.
///
/// # Safety
/// The pointer is null or that of a room, whose object nothing else uses for as long as `'a`.
pub(crate) unsafe fn exclusive<'a, T: ?Sized + Kind>(object: *mut Object<T>) -> Checked<(&'a mut T, Output)> {
    // SAFETY: the caller's promise.
    unsafe {
        check_made(object)?;
        let room = Output { pointer: object.cast(), length: (*object).length };
        Ok((&mut (*object).object, room))
    }
}

/// The room of an object that is to be made.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    Heap,
    /// Memory of the caller's, and its length.
    Given(*mut c_void, usize),
}

/// Bytes of a room, after the [`Object`] at its beginning.
pub(crate) type Rest = &'static mut [MaybeUninit<u8>];

/// How an object is made.
pub(crate) struct Plan<M, const INPUTS: usize> {
    /// Bytes that it needs.
    pub(crate) size: usize,
    /// What it is made of, which must be apart from its room and its place.
    pub(crate) inputs: [Input; INPUTS],
    /// Puts it into so many bytes.
    pub(crate) make: M,
}

/// Makes an object in a room, and puts its pointer into its place; null if there is none.
///
/// # Safety
/// The place is null or writable, and so is the caller's room for its length.
pub(crate) unsafe fn place<T: ?Sized + Kind, M, const INPUTS: usize>(
    place: *mut *mut Object<T>,
    room: Room,
    plan: impl FnOnce() -> Checked<Plan<M, INPUTS>>,
) -> Status
where
    M: FnOnce(Rest) -> Checked<Placed<'static, T>>,
{
    guarded(|| {
        check_object(place)?;
        let here = Output::new(place.cast(), size_of_val(&place))?;
        let plan = plan();
        // Nothing was written yet.
        if let Ok(Plan { inputs, .. }) = &plan {
            here.apart_from(inputs)?;
        }
        if let Room::Given(room, room_length) = room
            && let Ok(room) = Input::new(room.cast(), room_length)
        {
            here.apart_from(&[room])?;
        }
        // SAFETY: the caller's promise; neither null nor misaligned.
        unsafe { place.write(ptr::null_mut()) };
        let Plan { size, inputs, make } = plan?;
        let length = Object::<T>::room(size);
        let object: *mut Object<T> = match room {
            Room::Heap => Box::into_raw(Box::<[Word]>::new_uninit_slice(length / size_of::<Word>())).cast(),
            Room::Given(room, room_length) => {
                check_object::<Word>(room.cast())?;
                if room_length < length {
                    return Err(Status::Length);
                }
                Output::new(room.cast(), room_length)?.apart_from(&inputs)?;
                room.cast()
            }
        };
        let on_heap = matches!(room, Room::Heap);
        let free = size_of::<Object<T>>();
        // SAFETY: the room is aligned, long enough, and apart from all else.
        let rest =
            unsafe { core::slice::from_raw_parts_mut(object.cast::<MaybeUninit<u8>>().add(free), length - free) };
        let made = make(rest).inspect_err(|_| {
            if on_heap {
                // SAFETY: it came from a box, as above.
                unsafe { free_words(object.cast(), length) };
            }
        })?;
        // SAFETY: as above.
        unsafe {
            object.write(Object { mark: Object::mark(object), length, on_heap, object: made });
            place.write(object);
        }
        Ok(())
    })
}

/// Makes an object of a type that has a size, in a room on the heap: of inputs, and by a function.
///
/// # Safety
/// The place is null or writable.
pub(crate) unsafe fn place_on_heap<T: Kind, M: FnOnce() -> Checked<T>, const INPUTS: usize>(
    place: *mut *mut Object<T>,
    plan: impl FnOnce() -> Checked<([Input; INPUTS], M)>,
) -> Status {
    let plan = || {
        let (inputs, make) = plan()?;
        Ok(Plan { size: Placed::<T>::SIZE, inputs, make: |rest: Rest| put(rest, make()?) })
    };
    // SAFETY: the caller's promise.
    unsafe { self::place(place, Room::Heap, plan) }
}

/// Puts an object into its room.
pub(crate) fn put<T>(rest: Rest, object: T) -> Checked<Placed<'static, T>> {
    Placed::new(rest, object).ok_or(Status::Length)
}

/// Frees so many bytes of words.
///
/// # Safety
/// They came from a box.
unsafe fn free_words(words: *mut MaybeUninit<Word>, length: usize) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(words, length / size_of::<Word>())) });
}

/// Ends an object, erases its room, and frees it if it is on the heap. Where no object is, nothing is done.
///
/// # Safety
/// The pointer is null or that of a room, whose object is not used again.
pub(crate) unsafe fn end<T: ?Sized + Kind>(object: *mut Object<T>) {
    // SAFETY: the caller's promise; the object is dropped once, and then its bytes are plain memory.
    answer((), || unsafe {
        if check_made(object).is_err() {
            return;
        }
        let Object { length, on_heap, .. } = *object;
        object.drop_in_place();
        core::slice::from_raw_parts_mut(object.cast::<MaybeUninit<u8>>(), length).zeroize();
        if on_heap {
            free_words(object.cast(), length);
        }
    });
}

/// Defines the room that is enough for every algorithm of a kind: the header's constant, which never grows.
macro_rules! room {
    ($(#[$doc:meta])* $constant:ident = $bytes:literal, $object:ty, $algorithms:ty;) => {
        $(#[$doc])*
        pub const $constant: usize = $bytes;

        const _: () = {
            let mut i = 0;
            while i < <$algorithms>::ALL.len() {
                assert!(<$object>::room(<$algorithms>::ALL[i].memory_size()) <= $constant);
                i += 1;
            }
        };
    };
}
pub(crate) use room;

/// Defines `make`, which makes what [`room`] is for: in a room, by the algorithm's name, of inputs and on a backend.
macro_rules! make {
    ($object:ty, $algorithms:ty, $make:ident($($input:ident: $view:ty),+);) => {
        /// Makes an object by the name of its algorithm.
        ///
        /// # Safety
        /// The header's conditions.
        unsafe fn make(
            object: *mut *mut $object,
            room: $crate::border::Room,
            name: *const core::ffi::c_char,
            $($input: $view,)+
            on: *const core::ffi::c_char,
        ) -> $crate::status::Status {
            use $crate::border::{Plan, Rest, algorithm, backend, place};
            // SAFETY: the header's conditions.
            unsafe {
                place(object, room, || {
                    let (algorithm, on): ($algorithms, _) = (algorithm(name)?, backend(on)?);
                    $(let $input = $input.input()?;)+
                    let make = move |room: Rest| Ok(algorithm.$make($($input.slice(),)+ on, room)?);
                    Ok(Plan { size: algorithm.memory_size(), inputs: [$($input),+], make })
                })
            }
        }
    };
}
pub(crate) use make;
