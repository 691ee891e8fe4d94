//! C libraries: one table of functions, filled from a library found at run time or from one built into this binary.

use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};
use std::slice;

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

/// An object that a C library made, destroyed when this is dropped. `R` is what its destructor returns.
pub(crate) struct Owned<R = ()> {
    object: NonNull<c_void>,
    destroy: unsafe extern "C" fn(*mut c_void) -> R,
}
// SAFETY: `new` asks for an object that may move to another thread.
unsafe impl<R> Send for Owned<R> {}

impl<R> Owned<R> {
    /// None for null.
    ///
    /// # Safety
    /// `object` is null or an object that `destroy` destroys, that nobody else does, and that is not tied to a thread.
    pub(super) unsafe fn new(object: *mut c_void, destroy: unsafe extern "C" fn(*mut c_void) -> R) -> Option<Self> {
        NonNull::new(object).map(|object| Self { object, destroy })
    }

    /// The object that `make` writes to the place that it is given; none if it does not return 0.
    ///
    /// # Safety
    /// As of [`new`](Self::new) for what `make` writes.
    pub(super) unsafe fn made<E: Default + PartialEq>(
        destroy: unsafe extern "C" fn(*mut c_void) -> R,
        make: impl FnOnce(*mut *mut c_void) -> E,
    ) -> Option<Self> {
        let mut object = ptr::null_mut();
        let error = make(&mut object);
        // SAFETY: by the caller's promise.
        unsafe { Self::new(object, destroy) }.filter(|_| error == E::default())
    }

    /// For calls of the library.
    pub(super) fn as_ptr(&self) -> *mut c_void {
        self.object.as_ptr()
    }
}

impl<R> Drop for Owned<R> {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and this is its end.
        unsafe { (self.destroy)(self.as_ptr()) };
    }
}

/// A callback for C: copies bytes to the `&mut [u8]` that `to` points to. Returns 0, or -1 if that is not as long.
///
/// # Safety
/// `to` points to a living slice that nobody else uses, and `bytes` to so many bytes.
pub(super) unsafe extern "C" fn copy_to_slice(to: *mut c_void, bytes: *const u8, len: usize) -> c_int {
    // SAFETY: by the caller's promise.
    let (to, bytes) = unsafe { (&mut *to.cast::<&mut [u8]>(), slice::from_raw_parts(bytes, len)) };
    if to.len() != len {
        return -1;
    }
    to.copy_from_slice(bytes);
    0
}

/// Opens the first of `names` that the system's loader finds, for the life of the process.
///
/// The library's symbols stay its own (`RTLD_LOCAL`): two versions of one library can race side by side.
pub(super) fn open<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Option<&'static Library> {
    names.into_iter().find_map(|name| Some(&*Box::leak(Box::new(find(name.as_ref())?))))
}

/// Finds a library in the folder of this program, the system's, and those that the process has named to the system.
/// Without the flag, Windows would also look in the current folder, where somebody else may have put one.
#[cfg(windows)]
fn find(name: &str) -> Option<Library> {
    use libloading::os::windows;
    // SAFETY: the names are those of well-known libraries, whose initialisers need nothing of us.
    let library = unsafe { windows::Library::load_with_flags(name, windows::LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) };
    library.ok().map(Library::from)
}

/// Finds a library where Homebrew, MacPorts, `make install` and the system put theirs. Given a bare name, the loader of
/// macOS would also look in the current folder, where somebody else may have put one.
#[cfg(target_os = "macos")]
fn find(name: &str) -> Option<Library> {
    const FOLDERS: [&str; 4] = ["/opt/homebrew/lib", "/opt/local/lib", "/usr/local/lib", "/usr/lib"];
    // SAFETY: the names are those of well-known libraries, whose initialisers need nothing of us.
    FOLDERS.iter().find_map(|folder| unsafe { Library::new(std::path::Path::new(folder).join(name)) }.ok())
}

/// Finds a library as the system's loader does, which looks in the folders of its configuration and of
/// `LD_LIBRARY_PATH`, and in no other.
#[cfg(not(any(windows, target_os = "macos")))]
fn find(name: &str) -> Option<Library> {
    // SAFETY: the names are those of well-known libraries, whose initialisers need nothing of us.
    unsafe { Library::new(name) }.ok()
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
