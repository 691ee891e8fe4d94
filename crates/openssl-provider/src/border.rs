//! The border between OpenSSL and Rust: its tables, and pointers that become slices and results that become numbers.

use core::ffi::{CStr, c_char, c_int, c_void};
use core::marker::PhantomData;
use core::ops::Deref;
use fairlane::dynamic::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use zeroize::Zeroizing;

/// `OSSL_DISPATCH`: a function and its number.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Dispatch {
    number: c_int,
    function: *const (),
}

// SAFETY: the functions are constants.
unsafe impl Sync for Dispatch {}

/// The last entry of a table.
pub(crate) const END: Dispatch = entry(0, core::ptr::null());

pub(crate) const fn entry(number: c_int, function: *const ()) -> Dispatch {
    Dispatch { number, function }
}

/// `OSSL_ALGORITHM`: names between colons, properties, and the functions.
#[repr(C)]
pub(crate) struct Algorithm {
    names: *const c_char,
    properties: *const c_char,
    functions: *const Dispatch,
    description: *const c_char,
}

// SAFETY: the tables and strings are constants.
unsafe impl Sync for Algorithm {}

impl Algorithm {
    /// The last one of a list.
    pub(crate) const LAST: Self = Self {
        names: core::ptr::null(),
        properties: core::ptr::null(),
        functions: core::ptr::null(),
        description: core::ptr::null(),
    };

    pub(crate) const fn new(names: &'static CStr, functions: &'static [Dispatch]) -> Self {
        Self {
            names: names.as_ptr(),
            properties: c"provider=fairlane".as_ptr(),
            functions: functions.as_ptr(),
            description: core::ptr::null(),
        }
    }
}

/// Why a call failed: the number of the reason in OpenSSL's queue of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Failure {
    Null = 1,
    Length,
    OutputTooSmall,
    KeyLength,
    IvLength,
    TagLength,
    NoKey,
    NoIv,
    InvalidKey,
    WrongTag,
    TooLong,
    NotWholeBlocks,
    WrongPadding,
    WrongParameter,
    Unsupported,
    Order,
    Internal,
}

impl Failure {
    pub(crate) const ALL: [Self; 17] = [
        Self::Null,
        Self::Length,
        Self::OutputTooSmall,
        Self::KeyLength,
        Self::IvLength,
        Self::TagLength,
        Self::NoKey,
        Self::NoIv,
        Self::InvalidKey,
        Self::WrongTag,
        Self::TooLong,
        Self::NotWholeBlocks,
        Self::WrongPadding,
        Self::WrongParameter,
        Self::Unsupported,
        Self::Order,
        Self::Internal,
    ];

    pub(crate) const fn text(self) -> &'static CStr {
        match self {
            Self::Null => c"a pointer is null",
            Self::Length => c"a length is out of range",
            Self::OutputTooSmall => c"the output buffer is too small",
            Self::KeyLength => c"the key has the wrong length",
            Self::IvLength => c"the IV has the wrong length",
            Self::TagLength => c"the tag has the wrong length",
            Self::NoKey => c"no key is set",
            Self::NoIv => c"no IV is set, or it has been used",
            Self::InvalidKey => c"the key is not one of this algorithm",
            Self::WrongTag => c"the tag is not that of the message",
            Self::TooLong => c"the message is longer than the algorithm is defined for",
            Self::NotWholeBlocks => c"the message is not whole blocks",
            Self::WrongPadding => c"the padding is wrong",
            Self::WrongParameter => c"a parameter has the wrong type or value",
            Self::Unsupported => c"the algorithm does not have this",
            Self::Order => c"the calls came in the wrong order",
            Self::Internal => c"an internal error",
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::WrongLength { what: "key", .. } => Self::KeyLength,
            Error::WrongLength { what: "IV" | "nonce", .. } => Self::IvLength,
            Error::WrongLength { what: "tag", .. } => Self::TagLength,
            Error::WrongLength { .. } | Error::TooShort { .. } | Error::WrongCount { .. } | Error::Empty => {
                Self::Length
            }
            Error::InvalidKey => Self::InvalidKey,
            Error::AuthenticationFailed => Self::WrongTag,
            Error::TooLong => Self::TooLong,
            Error::NotWholeBlocks { .. } => Self::NotWholeBlocks,
            _ => Self::Internal,
        }
    }
}

/// What a check gives.
pub(crate) type Checked<T> = Result<T, Failure>;

type NewError = unsafe extern "C" fn(*const c_void);
type SetErrorDebug = unsafe extern "C" fn(*const c_void, *const c_char, c_int, *const c_char);
type GetParams = unsafe extern "C" fn(*const c_void, *mut c_void) -> c_int;
type SetError = unsafe extern "C" fn(*const c_void, u32, *const c_char, *mut c_void);

/// The provider as OpenSSL knows it, and OpenSSL's functions.
#[derive(Clone, Copy)]
pub(crate) struct Core {
    handle: *const c_void,
    new_error: Option<NewError>,
    set_error_debug: Option<SetErrorDebug>,
    set_error: Option<SetError>,
    get_params: Option<GetParams>,
    /// Whether the configuration asks for ciphers with IVs that are longer than programs expect.
    pub(crate) long_ivs: bool,
}

// SAFETY: OpenSSL's handle and functions may be used from any thread.
unsafe impl Send for Core {}
// SAFETY: the same.
unsafe impl Sync for Core {}

impl Core {
    /// # Safety
    /// The functions are null, or a table of OpenSSL's that ends with the number 0.
    pub(crate) unsafe fn new(handle: *const c_void, mut functions: *const Dispatch) -> Self {
        let mut core =
            Self { handle, new_error: None, set_error_debug: None, set_error: None, get_params: None, long_ivs: false };
        while !functions.is_null() {
            // SAFETY: the caller's promise; no entry after the last one is read.
            let Dispatch { number, function } = unsafe { functions.read() };
            if number == 0 {
                break;
            }
            // SAFETY: the type belongs to the number, as `core_dispatch.h` says. Null is `None`.
            unsafe {
                match number {
                    2 => core.get_params = core::mem::transmute::<*const (), Option<GetParams>>(function),
                    5 => core.new_error = core::mem::transmute::<*const (), Option<NewError>>(function),
                    6 => core.set_error_debug = core::mem::transmute::<*const (), Option<SetErrorDebug>>(function),
                    7 => core.set_error = core::mem::transmute::<*const (), Option<SetError>>(function),
                    _ => {}
                }
                functions = functions.add(1);
            }
        }
        core
    }

    /// The core that a provider's context holds.
    ///
    /// # Safety
    /// The pointer is null or came from `OSSL_provider_init`.
    pub(crate) unsafe fn of(context: *mut c_void) -> Option<Self> {
        // SAFETY: the caller's promise.
        unsafe { context.cast::<Self>().as_ref() }.copied()
    }

    /// Fills a list of `OSSL_PARAM` with what the provider's section of the configuration says; whether that worked.
    ///
    /// # Safety
    /// The list ends with one without a name, and its data are writable for their sizes.
    pub(crate) unsafe fn configuration(self, params: *mut c_void) -> bool {
        // SAFETY: OpenSSL's function with OpenSSL's handle; the caller's promise.
        self.get_params.is_some_and(|get| unsafe { get(self.handle, params) } == 1)
    }

    /// Puts a reason into OpenSSL's queue of errors.
    fn report(self, failure: Failure) {
        let (Some(new), Some(debug), Some(set)) = (self.new_error, self.set_error_debug, self.set_error) else {
            return;
        };
        // The list of arguments, which is not read without a format. A `va_list` is passed as a pointer on every
        // machine; on AArch64 what it points to is copied, which is 32 bytes.
        let mut arguments = [0_u64; 8];
        // SAFETY: OpenSSL's functions with OpenSSL's handle, and a list that is longer than those of all ABIs.
        unsafe {
            new(self.handle);
            debug(self.handle, c"fairlane".as_ptr(), 0, c"fairlane".as_ptr());
            set(self.handle, failure as u32, core::ptr::null(), arguments.as_mut_ptr().cast());
        }
    }
}

/// The result of a call, or `otherwise` if it panics.
pub(crate) fn answer<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        // Dropping it could panic again.
        core::mem::forget(panic);
        otherwise
    })
}

/// 1, or 0 and the reason in OpenSSL's queue.
pub(crate) fn guarded(core: Option<Core>, call: impl FnOnce() -> Checked<()>) -> c_int {
    match answer(Err(Failure::Internal), call) {
        Ok(()) => 1,
        Err(failure) => {
            if let Some(core) = core {
                core.report(failure);
            }
            0
        }
    }
}

/// A context's core, if there is a context.
pub(crate) trait HasCore {
    fn core(&self) -> Option<Core>;
}

/// Calls a function with an object of this library: 1, or 0 and the reason in OpenSSL's queue.
///
/// # Safety
/// The pointer is null or that of an object which nothing else uses during the call.
pub(crate) unsafe fn with<T: HasCore>(object: *mut c_void, call: impl FnOnce(&mut T) -> Checked<()>) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { object.cast::<T>().as_mut() } {
        Some(object) => guarded(object.core(), || call(object)),
        None => 0,
    }
}

/// As [`with`], for an object that other threads may read meanwhile.
///
/// # Safety
/// The pointer is null or that of an object which nothing writes during the call.
pub(crate) unsafe fn with_shared<T: HasCore>(object: *const c_void, call: impl FnOnce(&T) -> Checked<()>) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { object.cast::<T>().as_ref() } {
        Some(object) => guarded(object.core(), || call(object)),
        None => 0,
    }
}

/// A new object, or null.
pub(crate) fn boxed<T>(make: impl FnOnce() -> Option<T>) -> *mut c_void {
    answer(core::ptr::null_mut(), || make().map_or(core::ptr::null_mut(), |made| Box::into_raw(Box::new(made)).cast()))
}

/// Frees an object.
///
/// # Safety
/// The pointer is null or one that [`boxed`] has returned for this type, and is not used again.
pub(crate) unsafe fn free<T>(object: *mut c_void) {
    answer((), || {
        if !object.is_null() {
            // SAFETY: the caller's promise.
            drop(unsafe { Box::from_raw(object.cast::<T>()) });
        }
    });
}

/// Bytes to read.
///
/// # Safety
/// They are readable, and not written for as long as `'a`.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize) -> Checked<&'a [u8]> {
    check(pointer, length)?;
    // SAFETY: the caller's promise; neither null nor too long.
    Ok(if length == 0 { &[] } else { unsafe { core::slice::from_raw_parts(pointer, length) } })
}

/// Bytes to write.
///
/// # Safety
/// They are writable, and accessed by nothing else for as long as `'a`.
pub(crate) unsafe fn bytes_mut<'a>(pointer: *mut u8, length: usize) -> Checked<&'a mut [u8]> {
    check(pointer, length)?;
    // SAFETY: the caller's promise; neither null nor too long.
    Ok(if length == 0 { &mut [] } else { unsafe { core::slice::from_raw_parts_mut(pointer, length) } })
}

/// Whether bytes are equal, in constant time.
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && core::hint::black_box(a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b))) == 0
}

/// What every slice needs: not null unless empty, and no longer than the address space.
fn check(pointer: *const u8, length: usize) -> Checked<()> {
    if length == 0 {
        Ok(())
    } else if pointer.is_null() {
        Err(Failure::Null)
    } else if length > isize::MAX as usize || pointer.addr().checked_add(length).is_none() {
        Err(Failure::Length)
    } else {
        Ok(())
    }
}

/// Where the output of a call begins, and the room that OpenSSL tells. Of block ciphers it can be a block more than the
/// program has, so slices are made only of what is written.
pub(crate) struct Output<'a> {
    pointer: *mut u8,
    room: usize,
    bytes: PhantomData<&'a mut [u8]>,
}

impl<'a> Output<'a> {
    /// # Safety
    /// What a call writes is writable, and nothing else uses it for as long as `'a`.
    pub(crate) unsafe fn new(pointer: *mut u8, room: usize) -> Self {
        Self { pointer, room, bytes: PhantomData }
    }

    /// The first `length` bytes, to be written.
    pub(crate) fn first(self, length: usize) -> Checked<&'a mut [u8]> {
        if self.room < length {
            return Err(Failure::OutputTooSmall);
        }
        // SAFETY: the promise of `new`.
        unsafe { bytes_mut(self.pointer, length) }
    }
}

impl<'a> From<&'a mut [u8]> for Output<'a> {
    fn from(output: &'a mut [u8]) -> Self {
        Self { pointer: output.as_mut_ptr(), room: output.len(), bytes: PhantomData }
    }
}

/// The input of a call, and the place of its output, which may be the same.
pub(crate) struct Data<'a> {
    input: Source<'a>,
    output: Output<'a>,
}

enum Source<'a> {
    Apart(Input<'a>),
    /// So many bytes from the beginning of the output on, which has room for them.
    InPlace(usize),
}

/// Bytes beside the output.
pub(crate) enum Input<'a> {
    Borrowed(&'a [u8]),
    /// They may be plaintext.
    Copied(Zeroizing<Vec<u8>>),
}

impl Input<'_> {
    fn copied(bytes: &[u8]) -> Self {
        Self::Copied(Zeroizing::new(bytes.to_vec()))
    }

    /// A copy, to be written.
    pub(crate) fn into_copy(self) -> Zeroizing<Vec<u8>> {
        match self {
            Self::Borrowed(bytes) => Zeroizing::new(bytes.to_vec()),
            Self::Copied(bytes) => bytes,
        }
    }
}

impl Deref for Input<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Copied(bytes) => bytes,
        }
    }
}

impl<'a> Data<'a> {
    /// An input that overlaps the output without beginning where this does is copied first.
    ///
    /// # Safety
    /// The input is readable, what a call writes is writable, and nothing else uses them for as long as `'a`.
    pub(crate) unsafe fn new(input: *const u8, length: usize, output: *mut u8, room: usize) -> Checked<Self> {
        // No cipher here writes more than a block more than it reads.
        let room = room.min(length.saturating_add(64));
        check(input, length)?;
        let (from, to) = (input.addr(), output.addr());
        let input = if from == to && (1..=room).contains(&length) {
            Source::InPlace(length)
        } else {
            // SAFETY: the caller's promise.
            let input = unsafe { bytes(input, length) }?;
            let apart = from >= to.saturating_add(room) || to >= from + length;
            // What may overlap is copied before a slice of the output is made.
            Source::Apart(if apart { Input::Borrowed(input) } else { Input::copied(input) })
        };
        // SAFETY: the caller's promise; the input is apart, or read from here.
        Ok(Self { input, output: unsafe { Output::new(output, room) } })
    }

    /// An input beside its output.
    pub(crate) fn between(input: &'a [u8], output: &'a mut [u8]) -> Self {
        Self { input: Source::Apart(Input::Borrowed(input)), output: output.into() }
    }

    /// Whether there is room for so much output.
    pub(crate) fn check_room(&self, length: usize) -> Checked<()> {
        if self.output.room < length { Err(Failure::OutputTooSmall) } else { Ok(()) }
    }

    /// Bytes of the input.
    pub(crate) fn len(&self) -> usize {
        match &self.input {
            Source::Apart(input) => input.len(),
            Source::InPlace(length) => *length,
        }
    }

    /// The input as it is.
    pub(crate) fn input(&self) -> &[u8] {
        match &self.input {
            Source::Apart(input) => input,
            // SAFETY: the promise of `new`; `check` has seen it.
            Source::InPlace(length) => unsafe { core::slice::from_raw_parts(self.output.pointer, *length) },
        }
    }

    /// The input beside the first `length` bytes of the output: a copy if it was in place.
    pub(crate) fn apart(self, length: usize) -> Checked<(Input<'a>, &'a mut [u8])> {
        let input = match self.input {
            Source::Apart(input) => input,
            Source::InPlace(_) => Input::copied(self.input()),
        };
        Ok((input, self.output.first(length)?))
    }

    /// Transforms the first `length` bytes of the input into as many of the output, and returns these.
    pub(crate) fn transform(
        self,
        length: usize,
        in_place: impl FnOnce(&mut [u8]) -> Result<(), Error>,
        apart: impl FnOnce(&[u8], &mut [u8]) -> Result<(), Error>,
    ) -> Checked<&'a mut [u8]> {
        if length > self.len() {
            return Err(Failure::Length);
        }
        let output = self.output.first(length)?;
        match &self.input {
            Source::Apart(input) => apart(&input[..length], output)?,
            Source::InPlace(_) => in_place(output)?,
        }
        Ok(output)
    }

    /// The output, with a copy of the input.
    pub(crate) fn copied(self) -> Checked<&'a mut [u8]> {
        let length = self.len();
        self.transform(
            length,
            |_| Ok(()),
            |input, output| {
                output.copy_from_slice(input);
                Ok(())
            },
        )
    }
}
