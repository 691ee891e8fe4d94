//! A random number generator of Botan that gives out the bytes that it was last told.

use super::{Object, Owned, Place};
use crate::contestants::ffi::c_api;
use std::ffi::{c_char, c_int};
use std::ptr::copy_nonoverlapping;

type Get = unsafe extern "C" fn(Object, *mut u8, usize) -> c_int;
type AddEntropy = Option<unsafe extern "C" fn(Object, *const u8, usize) -> c_int>;
type Free = Option<unsafe extern "C" fn(Object)>;

c_api! {
    /// The part of Botan's C interface that such a generator needs; there from 2.18 on.
    pub(super) struct FfiRng linked by "botan" {
        fn botan_rng_init_custom(
            rng: Place, name: *const c_char, context: Object, get: Get, add_entropy: AddEntropy, free: Free,
        ) -> c_int;
        fn botan_rng_destroy(rng: Object) -> c_int;
    }
}

/// The generator. Its bytes are its context, which it frees when it is destroyed; Rust keeps only a raw pointer to
/// them, so that this may be moved.
pub(super) struct FixedRng<const N: usize> {
    rng: Owned,
    bytes: *mut [u8; N],
}
// SAFETY: generator and bytes are used through this value alone, and Botan ties neither to a thread.
unsafe impl<const N: usize> Send for FixedRng<N> {}

impl<const N: usize> FixedRng<N> {
    pub(super) fn new(ffi: &'static FfiRng) -> Self {
        let bytes: *mut [u8; N] = Box::into_raw(Box::new([0; N]));
        // SAFETY: the name ends in NUL; the bytes are those that `get` and `free` ask for, and the generator's from now
        // on.
        let rng = unsafe {
            Owned::made(ffi.botan_rng_destroy, |rng| {
                (ffi.botan_rng_init_custom)(rng, c"fixed".as_ptr(), bytes.cast(), get::<N>, None, Some(free::<N>))
            })
        };
        Self { rng: rng.expect("Botan takes any generator"), bytes }
    }

    /// Sets the bytes, and returns the generator for a call of Botan.
    pub(super) fn giving(&mut self, bytes: &[u8; N]) -> Object {
        // SAFETY: the bytes live as long as the generator, and nobody reads them now.
        unsafe { self.bytes.write(*bytes) };
        self.rng.as_ptr()
    }
}

/// Gives out all the bytes, or fails.
unsafe extern "C" fn get<const N: usize>(bytes: Object, output: *mut u8, len: usize) -> c_int {
    if len != N {
        return -1;
    }
    // SAFETY: Botan calls this with the context of a living generator and with room for so many bytes.
    unsafe { copy_nonoverlapping(bytes.cast_const().cast(), output, N) };
    0
}

unsafe extern "C" fn free<const N: usize>(bytes: Object) {
    // SAFETY: Botan calls this once, with the context of a generator that ends: the box of `new`.
    drop(unsafe { Box::from_raw(bytes.cast::<[u8; N]>()) });
}
