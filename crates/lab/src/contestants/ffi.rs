//! C libraries: one table of functions, filled from a library found at run time or from one built into this binary.

use libloading::Library;
use std::ffi::{CStr, c_char};

/// Declares a struct whose fields are C functions. `load` looks them up in an open library; `linked`, there only with
/// the cargo feature named after `linked by`, takes them from this binary.
macro_rules! c_api {
    (
        $(#[$doc:meta])*
        $vis:vis struct $Api:ident {
            $(fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;)*
        }
    ) => {
        $(#[$doc])*
        #[allow(non_snake_case)]
        $vis struct $Api {
            $($vis $name: unsafe extern "C" fn($($ty),*) $(-> $ret)?,)*
        }

        impl $Api {
            /// Looks up every function.
            ///
            /// # Safety
            /// The library's functions must be of these types.
            $vis unsafe fn load(library: &'static libloading::Library) -> Result<Self, String> {
                Ok(Self {
                    // SAFETY: the type is right by the caller's promise.
                    $($name: unsafe { $crate::contestants::ffi::symbol(library, stringify!($name))? },)*
                })
            }
        }
    };
    (
        $(#[$doc:meta])*
        $vis:vis struct $Api:ident linked by $feature:literal {
            $(fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?;)*
        }
    ) => {
        $crate::contestants::ffi::c_api! {
            $(#[$doc])*
            $vis struct $Api {
                $(fn $name($($arg: $ty),*) $(-> $ret)?;)*
            }
        }

        #[cfg(feature = $feature)]
        impl $Api {
            /// The functions that are built into this binary.
            $vis fn linked() -> Self {
                unsafe extern "C" {
                    $(fn $name($($arg: $ty),*) $(-> $ret)?;)*
                }
                Self { $($name,)* }
            }
        }
    };
}
pub(super) use c_api;

/// Opens the first of `names` that the system's loader finds, for the life of the process.
///
/// The library's symbols stay its own (`RTLD_LOCAL`): two versions of one library can race side by side.
pub(super) fn open<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Option<&'static Library> {
    names.into_iter().find_map(|name| {
        // SAFETY: the names are those of well-known libraries, whose initialisers need nothing of us.
        let library = unsafe { Library::new(name.as_ref()) }.ok()?;
        Some(&*Box::leak(Box::new(library)))
    })
}

/// One function of a library.
///
/// # Safety
/// `F` must be the function's type.
pub(super) unsafe fn symbol<F: Copy>(library: &'static Library, name: &str) -> Result<F, String> {
    // SAFETY: by the caller's promise.
    let symbol = unsafe { library.get::<F>(name) };
    symbol.map(|symbol| *symbol).map_err(|_| format!("the library found has no function {name}"))
}

/// What a C library says, as text; empty if it says nothing.
///
/// # Safety
/// `text` is null or a string that ends in NUL and lives during the call.
pub(super) unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
