//! Keys: OpenSSL's operation KEYMGMT.

use super::{Kept, Key, LINES, Line, Private, Public, SEEDS, algorithms, kept};
use crate::border::{
    self, Algorithm, Checked, Core, Dispatch, END, Failure, HasCore, entry, equal, guarded, with, with_shared,
};
use crate::params::{self, Callback, Param, known};
use core::ffi::{c_int, c_void};
use std::sync::Arc;

algorithms!(Functions);

/// Bits of a selection.
const PRIVATE: c_int = 1;
const PUBLIC: c_int = 2;

/// The functions of a line: OpenSSL calls some of them without saying which line it means.
struct Functions<const LINE: usize>;

impl<const LINE: usize> Functions<LINE> {
    const TABLE: [Dispatch; 20] = [
        entry(1, Self::new_key as *const ()),
        entry(2, Self::generate_init as *const ()),
        entry(4, set_generate_params as *const ()),
        entry(5, if LINES[LINE].hybrid { settable_group as _ } else { settable_generate_params as _ }),
        entry(6, generate as *const ()),
        entry(7, generate_cleanup as *const ()),
        entry(10, free as *const ()),
        entry(11, get_params as *const ()),
        entry(12, if LINES[LINE].hybrid { gettable_params_of_both as _ } else { gettable_params as _ }),
        entry(13, set_params as *const ()),
        entry(14, settable_params as *const ()),
        entry(21, has as *const ()),
        entry(22, validate as *const ()),
        entry(23, matches as *const ()),
        entry(40, import as *const ()),
        entry(41, if LINES[LINE].hybrid { types_of_both as _ } else { types as _ }),
        entry(42, export as *const ()),
        entry(43, if LINES[LINE].hybrid { types_of_both as _ } else { types as _ }),
        entry(44, duplicate as *const ()),
        END,
    ];

    unsafe extern "C" fn new_key(provider: *mut c_void) -> *mut c_void {
        border::boxed(|| {
            // SAFETY: the provider's context.
            let core = unsafe { Core::of(provider) };
            Some(Key { core, line: &LINES[LINE], public: None, private: None })
        })
    }

    unsafe extern "C" fn generate_init(provider: *mut c_void, selection: c_int, params: *const Param) -> *mut c_void {
        // SAFETY: the provider's context.
        let core = unsafe { Core::of(provider) };
        let mut made = core::ptr::null_mut();
        guarded(core, || {
            let mut generation = Generation { core, line: &LINES[LINE], selection, seeds: None };
            generation.set(params)?;
            made = Box::into_raw(Box::new(generation)).cast();
            Ok(())
        });
        made
    }
}

/// A key that will be generated.
struct Generation {
    core: Option<Core>,
    line: &'static Line,
    selection: c_int,
    /// They are for one key.
    seeds: Option<Kept<SEEDS>>,
}

impl HasCore for Generation {
    fn core(&self) -> Option<Core> {
        self.core
    }
}

impl Generation {
    fn set(&mut self, params: *const Param) -> Checked<()> {
        // SAFETY: OpenSSL's list of parameters.
        for param in unsafe { params::list(params) } {
            match param.name() {
                b"seed" if self.line.hybrid => return Err(Failure::Unsupported),
                b"seed" => self.seeds = Some(seeds(param)?),
                // libssl names the group, which the algorithm has said already, or gives an empty name.
                _ => {}
            }
        }
        Ok(())
    }
}

fn seeds(param: &Param) -> Checked<Kept<SEEDS>> {
    kept(param.get_octets()?.1.ok_or(Failure::Null)?)
}

unsafe extern "C" fn set_generate_params(generation: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: what `generate_init` has returned.
    unsafe { with(generation, |generation: &mut Generation| generation.set(params)) }
}

known!(settable_generate_params(*mut c_void, *mut c_void): Param::octets(c"seed"), Param::text(c"group"));
known!(settable_group(*mut c_void, *mut c_void): Param::text(c"group"));

unsafe extern "C" fn generate(generation: *mut c_void, _: Option<Callback>, _: *mut c_void) -> *mut c_void {
    let mut made = core::ptr::null_mut();
    // SAFETY: what `generate_init` has returned.
    unsafe {
        with(generation, |generation: &mut Generation| {
            let line = generation.line;
            // Parameters alone are an empty key, which takes that of a peer.
            let private = match (generation.selection & (PRIVATE | PUBLIC), generation.seeds.take()) {
                (0, _) => None,
                (_, Some(seeds)) => Some(Arc::new(Private::with(line, seeds, None)?)),
                (_, None) => Some(Arc::new(Private::generate(line)?)),
            };
            made = Box::into_raw(Box::new(Key { core: generation.core, line, public: None, private })).cast();
            Ok(())
        })
    };
    made
}

unsafe extern "C" fn generate_cleanup(generation: *mut c_void) {
    // SAFETY: what `generate_init` has returned, which OpenSSL does not use again.
    unsafe { border::free::<Generation>(generation) };
}

unsafe extern "C" fn free(key: *mut c_void) {
    // SAFETY: a key of OpenSSL's, which it does not use again.
    unsafe { border::free::<Key>(key) };
}

unsafe extern "C" fn get_params(key: *mut c_void, params: *mut Param) -> c_int {
    let get = |key: &Key| {
        let private = key.private.as_deref();
        // SAFETY: OpenSSL's list of parameters.
        for param in unsafe { params::list_mut(params) } {
            match param.name() {
                b"bits" => param.put_number(key.line.bits)?,
                b"security-bits" => param.put_number(key.line.security.0 as usize)?,
                b"security-category" => param.put_number(key.line.security.1 as usize)?,
                b"max-size" => param.put_number(key.line.ciphertext_size())?,
                b"pub" | b"encoded-pub-key" => {
                    if let Some(bytes) = key.public_bytes() {
                        param.put_octets(bytes)?;
                    }
                }
                b"priv" => {
                    if let Some(private) = private {
                        param.put_octets(&private.to_bytes()?)?;
                    }
                }
                b"seed" if !key.line.hybrid => {
                    if let Some(seeds) = private.and_then(|private| private.seeds.as_deref()) {
                        param.put_octets(&**seeds)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    };
    // SAFETY: a key of OpenSSL's.
    unsafe { with_shared(key, get) }
}

macro_rules! gettable {
    ($name:ident: $($more:expr),*) => {
        known! {
            $name(*mut c_void):
            Param::number(c"bits"),
            Param::number(c"security-bits"),
            Param::number(c"security-category"),
            Param::number(c"max-size"),
            Param::octets(c"pub"),
            Param::octets(c"encoded-pub-key"),
            Param::octets(c"priv"),
            $($more),*
        }
    };
}
gettable!(gettable_params: Param::octets(c"seed"));
gettable!(gettable_params_of_both:);

/// Fills a key that is empty. One that is not stays as it is: other threads may use it.
///
/// # Safety
/// The pointer is null or that of a key, which nothing else uses meanwhile if it is empty.
unsafe fn fill(key: *mut c_void, call: impl FnOnce(&mut Key) -> Checked<()>) -> c_int {
    let empty = |key: &Key| if key.public_bytes().is_none() { Ok(()) } else { Err(Failure::Order) };
    // SAFETY: the caller's promise.
    unsafe { if with_shared(key, empty) == 1 { with(key, call) } else { 0 } }
}

/// libssl sets a peer's key by this function.
unsafe extern "C" fn set_params(key: *mut c_void, params: *const Param) -> c_int {
    // SAFETY: OpenSSL's list of parameters.
    let Some(param) = unsafe { params::list(params) }.find(|param| param.name() == b"encoded-pub-key") else {
        return 1;
    };
    let set = |key: &mut Key| {
        let given = param.get_octets()?.1.ok_or(Failure::Null)?;
        key.public = Some(Arc::new(Public::new(key.line, given)?));
        Ok(())
    };
    // SAFETY: a key of OpenSSL's, and new if it is empty.
    unsafe { fill(key, set) }
}

known!(settable_params(*mut c_void): Param::octets(c"encoded-pub-key"));

/// Whether a key has all that is selected. There are no parameters that it could lack.
fn has_selected(key: &Key, selection: c_int) -> bool {
    (selection & PRIVATE == 0 || key.private.is_some()) && (selection & PUBLIC == 0 || key.public_bytes().is_some())
}

unsafe extern "C" fn has(key: *const c_void, selection: c_int) -> c_int {
    // SAFETY: a key of OpenSSL's.
    unsafe { key.cast::<Key>().as_ref() }.is_some_and(|key| has_selected(key, selection)).into()
}

/// Keys were checked when they came, also that both parts of a pair belong together.
unsafe extern "C" fn validate(key: *const c_void, selection: c_int, _: c_int) -> c_int {
    // SAFETY: a key of OpenSSL's.
    unsafe { has(key, selection) }
}

/// Whether two keys are the same. Private keys are, where their public keys are.
unsafe extern "C" fn matches(one: *const c_void, other: *const c_void, selection: c_int) -> c_int {
    // SAFETY: keys of OpenSSL's.
    let (Some(one), Some(other)) = (unsafe { (one.cast::<Key>().as_ref(), other.cast::<Key>().as_ref()) }) else {
        return 0;
    };
    let same = selection & (PRIVATE | PUBLIC) == 0 || one.public_bytes() == other.public_bytes();
    (core::ptr::eq(one.line, other.line) && same).into()
}

unsafe extern "C" fn import(key: *mut c_void, selection: c_int, params: *const Param) -> c_int {
    let import = |key: &mut Key| {
        if selection & (PRIVATE | PUBLIC) == 0 {
            return Err(Failure::NoKey);
        }
        let (mut public, mut private, mut of_seeds) = (None, None, None);
        // SAFETY: OpenSSL's list of parameters.
        for param in unsafe { params::list(params) } {
            match param.name() {
                b"pub" => public = param.get_octets()?.1,
                b"priv" if selection & PRIVATE != 0 => private = param.get_octets()?.1,
                b"seed" if selection & PRIVATE != 0 && !key.line.hybrid => of_seeds = Some(seeds(param)?),
                _ => {}
            }
        }
        let made = match (&of_seeds, private) {
            (Some(seeds), _) => Private::with(key.line, kept(&***seeds)?, None)?,
            (None, Some(bytes)) => Private::from_bytes(key.line, bytes)?,
            (None, None) => {
                key.public = Some(Arc::new(Public::new(key.line, public.ok_or(Failure::NoKey)?)?));
                return Ok(());
            }
        };
        // Whatever else was given belongs to the same key.
        let same_private =
            of_seeds.is_none() || private.is_none_or(|bytes| made.to_bytes().is_ok_and(|own| equal(&own, bytes)));
        if !same_private || public.is_some_and(|public| *public != made.public) {
            return Err(Failure::InvalidKey);
        }
        key.private = Some(Arc::new(made));
        Ok(())
    };
    // SAFETY: a key of OpenSSL's, and new if it is empty.
    unsafe { fill(key, import) }
}

known!(types(c_int): Param::octets(c"pub"), Param::octets(c"priv"), Param::octets(c"seed"));
known!(types_of_both(c_int): Param::octets(c"pub"), Param::octets(c"priv"));

/// Gives what the key has of what is selected.
unsafe extern "C" fn export(
    key: *mut c_void,
    selection: c_int,
    callback: Option<Callback>,
    argument: *mut c_void,
) -> c_int {
    let export = |key: &Key| {
        let callback = callback.ok_or(Failure::Null)?;
        let public = key.public_bytes().filter(|_| selection & PUBLIC != 0);
        let private = key.private.as_deref().filter(|_| selection & PRIVATE != 0);
        if public.is_none() && private.is_none() {
            return Err(Failure::NoKey);
        }
        let bytes = private.map(Private::to_bytes).transpose()?;
        let seeds = private.and_then(|private| private.seeds.as_deref()).filter(|_| !key.line.hybrid);
        let mut params = Vec::with_capacity(4);
        params.extend(public.map(|bytes| Param::octets_of(c"pub", bytes)));
        params.extend(bytes.as_ref().map(|bytes| Param::octets_of(c"priv", bytes)));
        params.extend(seeds.map(|seeds| Param::octets_of(c"seed", &**seeds)));
        params.push(Param::LAST);
        // SAFETY: OpenSSL's function with a list and OpenSSL's argument.
        if unsafe { callback(params.as_ptr(), argument) } != 0 { Ok(()) } else { Err(Failure::Internal) }
    };
    // SAFETY: a key of OpenSSL's.
    unsafe { with_shared(key, export) }
}

unsafe extern "C" fn duplicate(key: *const c_void, selection: c_int) -> *mut c_void {
    // SAFETY: a key of OpenSSL's.
    let key = unsafe { key.cast::<Key>().as_ref() };
    border::boxed(|| {
        let key = key?;
        let private = key.private.clone().filter(|_| selection & PRIVATE != 0);
        let public = if private.is_none() && selection & PUBLIC != 0 { key.public().ok() } else { None };
        Some(Key { core: key.core, line: key.line, public, private })
    })
}
