//! The border between Java and Rust: arrays become slices, errors and panics exceptions.
//!
//! While the elements of an array are read or written, the virtual machine may hold back its garbage collector, and no
//! other function of it may be called. So long messages are hashed in pieces, and exceptions are thrown afterwards. A
//! message of an AEAD, a batch, and the output of an extendable-output function are done at once, however long.

use core::ffi::CStr;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use fairlane::dynamic;
use jni_sys::{JNI_ABORT, JNIEnv, jarray, jint, jlong, jstring};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why a method failed.
pub(crate) enum Failure {
    /// An error of the library.
    Library(dynamic::Error),
    /// A mistake of the calling Java class, or an array that is null.
    Argument(&'static str),
    /// There is no memory.
    Memory,
    /// The virtual machine has thrown an exception.
    Thrown,
}

impl<E: Into<dynamic::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Library(error.into())
    }
}

/// The functions that the virtual machine offers to one thread, for the time of one call.
#[derive(Clone, Copy)]
pub(crate) struct Env(*mut JNIEnv);

/// Calls a function of the virtual machine.
macro_rules! call {
    ($env:expr, $version:ident, $function:ident $(, $argument:expr)*) => {
        ((**$env.0).$version.$function)($env.0 $(, $argument)*)
    };
}

/// What a native method does: runs `call`, and throws its error. Returns `otherwise` if it has failed.
///
/// # Safety
/// `env` is the pointer that the virtual machine gave to this call.
pub(crate) unsafe fn method<T>(env: *mut JNIEnv, otherwise: T, call: impl FnOnce(Env) -> Result<T, Failure>) -> T {
    let env = Env(env);
    match catch_unwind(AssertUnwindSafe(|| call(env))) {
        Ok(Ok(result)) => return result,
        Ok(Err(Failure::Thrown)) => {}
        Ok(Err(Failure::Memory)) => {
            env.throw(c"java/lang/OutOfMemoryError", "no memory for a copy of an array");
        }
        Ok(Err(Failure::Argument(message))) => env.throw(c"java/lang/IllegalArgumentException", message),
        Ok(Err(Failure::Library(error))) => {
            let class = match error {
                dynamic::Error::AuthenticationFailed => c"io/github/fairlane/InvalidTagException",
                _ => c"java/lang/IllegalArgumentException",
            };
            env.throw(class, &error.to_string());
        }
        Err(panic) => {
            // Dropping it could panic again.
            core::mem::forget(panic);
            env.throw(c"java/lang/InternalError", "an error of fairlane itself");
        }
    }
    otherwise
}

/// An object as the number by which its Java class knows it, until [`freed`].
pub(crate) fn given<T>(object: T) -> jlong {
    Box::into_raw(Box::new(object)).expose_provenance() as jlong
}

/// The object of a number that [`given`] has returned.
pub(crate) fn pointer<T>(number: jlong) -> Result<NonNull<T>, Failure> {
    let pointer = core::ptr::with_exposed_provenance_mut(number as usize);
    NonNull::new(pointer).ok_or(Failure::Argument("the object is closed"))
}

/// Drops an object, unless the number is 0.
///
/// # Safety
/// The number is 0, or [`given`] has returned it for an object of this type, which nothing uses any more.
pub(crate) unsafe fn freed<T>(number: jlong) -> Result<(), Failure> {
    if let Ok(pointer) = pointer::<T>(number) {
        // SAFETY: the caller's promise.
        drop(unsafe { Box::from_raw(pointer.as_ptr()) });
    }
    Ok(())
}

impl Env {
    fn throw(self, class: &CStr, message: &str) {
        // Java's form of UTF-8 is another one; of ASCII it is the same.
        let ascii: String = message
            .chars()
            .flat_map(|c| if matches!(c, ' '..='~') { vec![c] } else { c.escape_unicode().collect() })
            .collect();
        let message = CString::new(ascii).unwrap_or_default();
        // SAFETY: the pointer is that of this call, no array is being read, and both strings end with a zero.
        unsafe {
            let class = call!(self, v1_2, FindClass, class.as_ptr());
            if !class.is_null() {
                call!(self, v1_2, ThrowNew, class, message.as_ptr());
            }
        }
    }

    /// A string of ASCII.
    pub(crate) fn string(self, text: &str) -> Result<jstring, Failure> {
        let text = CString::new(text).map_err(|_| Failure::Argument("a zero in a text"))?;
        // SAFETY: the pointer is that of this call, and the string ends with a zero.
        let string = unsafe { call!(self, v1_2, NewStringUTF, text.as_ptr()) };
        if string.is_null() { Err(Failure::Thrown) } else { Ok(string) }
    }

    /// An array and its length.
    ///
    /// # Safety
    /// It is null or an array.
    pub(crate) unsafe fn array(self, array: jarray) -> Result<Array, Failure> {
        if array.is_null() {
            return Err(Failure::Argument("an array is null"));
        }
        // SAFETY: the pointer is that of this call, and the caller's promise.
        let length = unsafe { call!(self, v1_2, GetArrayLength, array) };
        Ok(Array { env: self, array, length: usize::try_from(length).unwrap_or(0) })
    }
}

/// An array of Java. Its length never changes.
#[derive(Clone, Copy)]
pub(crate) struct Array {
    env: Env,
    array: jarray,
    pub(crate) length: usize,
}

impl Array {
    /// Its elements, to read. Between this and the drop no function of the virtual machine may be called but this.
    ///
    /// # Safety
    /// The elements have the type `T`, and nothing writes them meanwhile.
    pub(crate) unsafe fn read<T>(self) -> Result<Elements<T>, Failure> {
        // SAFETY: the caller's promise.
        unsafe { self.elements(JNI_ABORT) }
    }

    /// Its bytes, to write, as of [`read`](Self::read).
    ///
    /// # Safety
    /// It is an array of bytes, and nothing else reads or writes them meanwhile.
    pub(crate) unsafe fn write(self) -> Result<Bytes, Failure> {
        // SAFETY: the caller's promise.
        unsafe { self.elements(0).map(Bytes) }
    }

    /// A copy of its first numbers.
    ///
    /// # Safety
    /// It is an array of at least so many numbers, and no array is being read or written.
    pub(crate) unsafe fn numbers(self, count: usize) -> Result<Vec<jint>, Failure> {
        let Self { env, array, .. } = self;
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count).map_err(|_| Failure::Memory)?;
        numbers.resize(count, 0);
        // SAFETY: the pointer is that of this call, and the caller's promise; an array's length is a `jint`.
        unsafe { call!(env, v1_2, GetIntArrayRegion, array, 0, count as jint, numbers.as_mut_ptr()) };
        Ok(numbers)
    }

    unsafe fn elements<T>(self, mode: jint) -> Result<Elements<T>, Failure> {
        let Self { env, array, .. } = self;
        // SAFETY: the pointer is that of this call, and the array is one, as was checked.
        let first = unsafe { call!(env, v1_2, GetPrimitiveArrayCritical, array, core::ptr::null_mut()) };
        // If it is null, the virtual machine has thrown an OutOfMemoryError.
        let first = NonNull::new(first).ok_or(Failure::Thrown)?.cast();
        Ok(Elements { array: self, first, mode })
    }
}

/// The elements of an array of Java, which stay where they are until it is dropped.
pub(crate) struct Elements<T> {
    array: Array,
    first: NonNull<T>,
    /// What happens to changes, if these are a copy.
    mode: jint,
}

impl<T> Deref for Elements<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.array.length == 0 {
            return &[];
        }
        // SAFETY: so many elements are there until they are released, and nothing writes them: `read`'s promise.
        unsafe { core::slice::from_raw_parts(self.first.as_ptr(), self.array.length) }
    }
}

impl<T> Drop for Elements<T> {
    fn drop(&mut self) {
        let Array { env, array, .. } = self.array;
        // SAFETY: this array and pointer, once.
        unsafe { call!(env, v1_2, ReleasePrimitiveArrayCritical, array, self.first.as_ptr().cast(), self.mode) };
    }
}

/// The bytes of an array of Java, to write.
pub(crate) struct Bytes(Elements<u8>);

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        if self.0.array.length == 0 {
            return &mut [];
        }
        // SAFETY: so many bytes are there until they are released, and nothing else accesses them: `write`'s promise.
        unsafe { core::slice::from_raw_parts_mut(self.0.first.as_ptr(), self.0.array.length) }
    }
}
