//! Encapsulation and decapsulation: OpenSSL's operation KEM.

use super::{Kept, Key, LINES, Line, Private, Public, algorithms, kept};
use crate::border::{self, Algorithm, Checked, Core, Dispatch, END, Failure, HasCore, bytes, bytes_mut, entry, with};
use crate::params::{self, Param, known};
use core::ffi::{c_int, c_void};
use std::sync::Arc;
use zeroize::Zeroizing;

algorithms!(Functions);

/// The functions of a line: OpenSSL calls some of them without saying which line it means.
struct Functions<const LINE: usize>;

impl<const LINE: usize> Functions<LINE> {
    const TABLE: [Dispatch; 10] = [
        entry(1, Self::new_context as *const ()),
        entry(2, encapsulate_init as *const ()),
        entry(3, encapsulate as *const ()),
        entry(4, decapsulate_init as *const ()),
        entry(5, decapsulate as *const ()),
        entry(6, free_context as *const ()),
        entry(7, duplicate as *const ()),
        entry(10, set_context_params as *const ()),
        entry(11, if LINES[LINE].hybrid { no_context_params as _ } else { settable_context_params as _ }),
        END,
    ];

    unsafe extern "C" fn new_context(provider: *mut c_void) -> *mut c_void {
        border::boxed(|| {
            // SAFETY: the provider's context.
            let core = unsafe { Core::of(provider) };
            Some(Context { core, line: &LINES[LINE], role: Role::None, m: None })
        })
    }
}

/// An operation with a key, which OpenSSL may free meanwhile.
#[derive(Clone)]
struct Context {
    core: Option<Core>,
    line: &'static Line,
    role: Role,
    /// The randomness of the next encapsulation, if it was set, as for tests.
    m: Option<Kept<32>>,
}

#[derive(Clone)]
enum Role {
    None,
    Encapsulating(Arc<Public>),
    Decapsulating(Arc<Private>),
}

impl HasCore for Context {
    fn core(&self) -> Option<Core> {
        self.core
    }
}

impl Context {
    /// Begins with the part of a key that `take` takes.
    ///
    /// # Safety
    /// The pointers are those of a key of this provider, and of a list.
    unsafe fn begin(
        &mut self,
        key: *mut c_void,
        params: *const Param,
        take: impl FnOnce(&Key) -> Checked<Role>,
    ) -> Checked<()> {
        // SAFETY: the caller's promise.
        let key = unsafe { key.cast::<Key>().as_ref() }.ok_or(Failure::NoKey)?;
        if !core::ptr::eq(key.line, self.line) {
            return Err(Failure::InvalidKey);
        }
        self.role = take(key)?;
        self.m = None;
        self.set(params)
    }

    fn set(&mut self, params: *const Param) -> Checked<()> {
        // SAFETY: OpenSSL's list of parameters.
        for param in unsafe { params::list(params) } {
            if param.name() == b"ikme" {
                let (_, given) = param.get_octets()?;
                let given = given.ok_or(Failure::Null)?;
                if self.line.hybrid {
                    return Err(Failure::Unsupported);
                }
                self.m = Some(kept(given)?);
            }
        }
        Ok(())
    }
}

unsafe extern "C" fn encapsulate_init(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context from `new_context`, a key of OpenSSL's from this provider, and its list.
    unsafe {
        with(context, |context: &mut Context| context.begin(key, params, |key| key.public().map(Role::Encapsulating)))
    }
}

unsafe extern "C" fn decapsulate_init(context: *mut c_void, key: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context from `new_context`, a key of OpenSSL's from this provider, and its list.
    unsafe {
        with(context, |context: &mut Context| {
            context.begin(key, params, |key| {
                key.private.as_ref().map(|key| Role::Decapsulating(Arc::clone(key))).ok_or(Failure::NoKey)
            })
        })
    }
}

/// What a secret is computed in: OpenSSL's buffers may overlap.
type Secret = Zeroizing<[u8; 64]>;

/// Whether there is room for an output: a length that is null says nothing.
///
/// # Safety
/// The pointer is null or that of a number.
unsafe fn room(length: *const usize, size: usize) -> Checked<()> {
    // SAFETY: the caller's promise.
    if unsafe { length.as_ref() }.is_some_and(|room| *room < size) { Err(Failure::OutputTooSmall) } else { Ok(()) }
}

/// Writes a length, if there is a place for it, and returns whether there is.
///
/// # Safety
/// The pointer is null or that of a number.
unsafe fn tell(length: *mut usize, size: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { length.as_mut() }.is_some_and(|length| {
        *length = size;
        true
    })
}

unsafe extern "C" fn encapsulate(
    context: *mut c_void,
    output: *mut u8,
    output_length: *mut usize,
    secret: *mut u8,
    secret_length: *mut usize,
) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's buffers with their lengths.
    unsafe {
        with(context, |context: &mut Context| {
            let Role::Encapsulating(key) = &context.role else { return Err(Failure::Order) };
            let (size, secret_size) = (context.line.ciphertext_size(), context.line.secret_size());
            if output.is_null() {
                // The question is how long they are.
                let told = [tell(output_length, size), tell(secret_length, secret_size)];
                return if told.contains(&true) { Ok(()) } else { Err(Failure::Null) };
            }
            room(output_length, size)?;
            room(secret_length, secret_size)?;
            let mut made = Secret::new([0; 64]);
            let made = &mut made[..secret_size];
            key.encapsulate(context.m.as_deref().map(|m| &**m), bytes_mut(output, size)?, made)?;
            // It is for one encapsulation.
            context.m = None;
            bytes_mut(secret, secret_size)?.copy_from_slice(made);
            tell(output_length, size);
            tell(secret_length, secret_size);
            Ok(())
        })
    }
}

unsafe extern "C" fn decapsulate(
    context: *mut c_void,
    output: *mut u8,
    output_length: *mut usize,
    input: *const u8,
    input_length: usize,
) -> c_int {
    // SAFETY: a context from `new_context`, and OpenSSL's buffers with their lengths.
    unsafe {
        with(context, |context: &mut Context| {
            let Role::Decapsulating(key) = &context.role else { return Err(Failure::Order) };
            let size = context.line.secret_size();
            if output.is_null() {
                return if tell(output_length, size) { Ok(()) } else { Err(Failure::Null) };
            }
            room(output_length, size)?;
            let mut made = Secret::new([0; 64]);
            let made = &mut made[..size];
            key.decapsulate(bytes(input, input_length)?, made)?;
            bytes_mut(output, size)?.copy_from_slice(made);
            tell(output_length, size);
            Ok(())
        })
    }
}

unsafe extern "C" fn free_context(context: *mut c_void) {
    // SAFETY: a context from `new_context`, which OpenSSL does not use again.
    unsafe { border::free::<Context>(context) };
}

unsafe extern "C" fn duplicate(context: *mut c_void) -> *mut c_void {
    // SAFETY: a context from `new_context`.
    let context = unsafe { context.cast::<Context>().as_ref() };
    border::boxed(|| context.cloned())
}

unsafe extern "C" fn set_context_params(context: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: a context from `new_context`.
    unsafe { with(context, |context: &mut Context| context.set(params)) }
}

known!(no_context_params(*mut c_void, *mut c_void):);
known!(settable_context_params(*mut c_void, *mut c_void): Param::octets(c"ikme"));
