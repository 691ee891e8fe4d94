//! libgcrypt, if it is installed; found at run time. One handle is reset and used again for every message.

use super::ffi::{c_api, open, symbol, text};
use super::{About, Roster};
use crate::contest::{Contest, Label};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

c_api! {
    /// The part of libgcrypt that a hash needs.
    struct Gcrypt {
        fn gcry_check_version(wanted: *const c_char) -> *const c_char;
        fn gcry_get_config(mode: c_int, what: *const c_char) -> *mut c_char;
        fn gcry_free(memory: *mut c_void);
        fn gcry_md_open(handle: *mut *mut c_void, algorithm: c_int, flags: c_uint) -> c_uint;
        fn gcry_md_close(handle: *mut c_void);
        fn gcry_md_reset(handle: *mut c_void);
        fn gcry_md_write(handle: *mut c_void, data: *const c_void, len: usize);
        fn gcry_md_read(handle: *mut c_void, algorithm: c_int) -> *const u8;
        fn gcry_md_extract(handle: *mut c_void, algorithm: c_int, output: *mut c_void, len: usize) -> c_uint;
    }
}

/// `gcry_md_algos` of gcrypt.h.
const GCRY_MD_SHA3_256: c_int = 313;
const GCRY_MD_SHAKE128: c_int = 316;

/// The library, and what it says of itself.
struct Libgcrypt {
    api: Gcrypt,
    version: String,
    backend: String,
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let algorithm = match contest.algorithm() {
        "keccak256" => None,
        "sha3-256" => Some(GCRY_MD_SHA3_256),
        "shake128" => Some(GCRY_MD_SHAKE128),
        _ => return,
    };
    let library = match installed() {
        Ok(library) => library,
        Err(why) => return roster.absent("libgcrypt (installed)", why.clone()),
    };
    let Some(algorithm) = algorithm else {
        let why = format!("libgcrypt {} has no Keccak with the original padding", library.version);
        return roster.absent("libgcrypt (installed)", why);
    };
    let about = About {
        name: "libgcrypt (installed)",
        library: "libgcrypt",
        version: &library.version,
        backend: &library.backend,
        labels: &[Label::ConstantTime, Label::Ffi, Label::Installed],
        how_to_use: "gcry_md_open once; gcry_md_reset, write, read on one handle",
    };
    roster.hash_with(contest, &about, move || {
        let mut handle = Handle::new(&library.api, algorithm);
        move |message: &[u8], output: &mut [u8]| handle.hash(message, output)
    });
}

/// The machine's own, looked for and initialised once.
fn installed() -> &'static Result<Libgcrypt, String> {
    static FOUND: OnceLock<Result<Libgcrypt, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let library =
            open(["libgcrypt.so.20", "libgcrypt.20.dylib"]).ok_or("no libgcrypt.so.20 that the loader finds")?;
        // SAFETY: libgcrypt's ABI 20 has these functions, with the types of gcrypt.h; gcry_control is variadic there.
        let (api, control) = unsafe {
            let control: unsafe extern "C" fn(c_uint, ...) -> c_uint = symbol(library, "gcry_control")?;
            (Gcrypt::load(library)?, control)
        };
        const GCRYCTL_DISABLE_SECMEM: c_uint = 37;
        const GCRYCTL_INITIALIZATION_FINISHED: c_uint = 38;
        // SAFETY: the manual's order of initialisation: version check, settings, finished; null asks for any version.
        let version = unsafe {
            let version = text((api.gcry_check_version)(ptr::null()));
            control(GCRYCTL_DISABLE_SECMEM, 0 as c_int);
            control(GCRYCTL_INITIALIZATION_FINISHED, 0 as c_int);
            version
        };
        let backend = backend(&api);
        Ok(Libgcrypt { api, version, backend })
    })
}

/// libgcrypt does not say which code it takes, but which CPU features it saw: those that its Keccak asks for.
fn backend(api: &Gcrypt) -> String {
    // SAFETY: null asks for the whole configuration, as text that is ours to free.
    let config = unsafe {
        let config = (api.gcry_get_config)(0, ptr::null());
        let copy = text(config);
        (api.gcry_free)(config.cast());
        copy
    };
    const ASKED_FOR: &[&str] = &["intel-avx512", "intel-bmi2", "intel-fast-shld", "arm-neon", "s390x-msa"];
    // "hwflist:intel-cpu:intel-bmi2:…:"
    let line = config.lines().find_map(|line| line.strip_prefix("hwflist:"));
    let seen: Vec<&str> = line.unwrap_or("").split(':').filter(|flag| ASKED_FOR.contains(flag)).collect();
    match seen.as_slice() {
        [] => "unknown".to_string(),
        seen => format!("its own choice, having seen {}", seen.join(", ")),
    }
}

/// A `gcry_md_hd_t`.
struct Handle {
    api: &'static Gcrypt,
    algorithm: c_int,
    handle: NonNull<c_void>,
}
// SAFETY: the handle is ours alone; libgcrypt does not tie it to a thread.
unsafe impl Send for Handle {}

impl Handle {
    fn new(api: &'static Gcrypt, algorithm: c_int) -> Self {
        let mut handle = ptr::null_mut();
        // SAFETY: `handle` is a place for the handle.
        let error = unsafe { (api.gcry_md_open)(&mut handle, algorithm, 0) };
        let handle = NonNull::new(handle).filter(|_| error == 0).expect("libgcrypt has SHA-3 and memory for it");
        Self { api, algorithm, handle }
    }

    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        let (api, handle) = (self.api, self.handle.as_ptr());
        // SAFETY: the handle is alive; pointers and lengths are those of slices.
        unsafe {
            (api.gcry_md_reset)(handle);
            (api.gcry_md_write)(handle, message.as_ptr().cast(), message.len());
        }
        if self.algorithm == GCRY_MD_SHAKE128 {
            // SAFETY: as above.
            let error =
                unsafe { (api.gcry_md_extract)(handle, self.algorithm, output.as_mut_ptr().cast(), output.len()) };
            assert_eq!(error, 0, "libgcrypt refused to squeeze");
        } else {
            assert_eq!(output.len(), 32, "SHA3-256 has 32 bytes");
            // SAFETY: it gives the 32 bytes of SHA3-256, alive until the next reset.
            let digest = unsafe { std::slice::from_raw_parts((api.gcry_md_read)(handle, self.algorithm), 32) };
            output.copy_from_slice(digest);
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: made by gcry_md_open, closed once.
        unsafe { (self.api.gcry_md_close)(self.handle.as_ptr()) }
    }
}
