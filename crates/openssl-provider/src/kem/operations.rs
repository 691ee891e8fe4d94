//! Encapsulation and decapsulation: OpenSSL's operation KEM.

use super::{Key, LINES, Line, Private, Public, algorithms};
use crate::border::{self, Algorithm, Checked, Core, Dispatch, END, Failure, HasCore, bytes, bytes_mut, entry, with};
use crate::params::{self, Param, known};
use core::ffi::{c_int, c_void};
use std::sync::Arc;
use zeroize::Zeroizing;

algorithms!(Functions);

/// The functions of a line, of which some are told nothing that says which line is meant.
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
        entry(11, settable_context_params as *const ()),
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
    m: Option<Zeroizing<[u8; 32]>>,
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
                self.m = Some(Zeroizing::new(given.try_into().map_err(|_| Failure::WrongParameter)?));
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

/// Writes how long an output is, and returns whether there is a place for it.
///
/// # Safety
/// The pointer is null or that of a number: the room at `output`, unless that is null.
unsafe fn announce(output: *mut u8, length: *mut usize, size: usize) -> Checked<bool> {
    // SAFETY: the caller's promise.
    let length = unsafe { length.as_mut() };
    if output.is_null() {
        if let Some(length) = length {
            *length = size;
        }
        return Ok(false);
    }
    let length = length.ok_or(Failure::Null)?;
    if *length < size {
        return Err(Failure::OutputTooSmall);
    }
    *length = size;
    Ok(true)
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
            let whole = announce(output, output_length, size)?;
            if announce(secret, secret_length, secret_size)? != whole {
                return Err(Failure::Null);
            }
            if !whole {
                return Ok(());
            }
            let m = context.m.take();
            let secret = bytes_mut(secret, secret_size)?;
            key.encapsulate(m.as_deref(), bytes_mut(output, size)?, secret).inspect_err(|_| secret.fill(0))
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
            if !announce(output, output_length, size)? {
                return Ok(());
            }
            let output = bytes_mut(output, size)?;
            key.decapsulate(bytes(input, input_length)?, output).inspect_err(|_| output.fill(0))
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

known!(settable_context_params(*mut c_void, *mut c_void): Param::octets(c"ikme"));
