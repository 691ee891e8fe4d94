//! Botan through its C interface: the one that is installed, found at run time, and, with cargo feature `botan`, the
//! newest built from source. One hash object is used again for every message.

use super::ffi::{c_api, open, text};
use super::{About, Roster};
use crate::contest::{Contest, Label};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;

c_api! {
    /// The part of Botan's C interface that a hash needs; the same in 2 and 3.
    struct Ffi linked by "botan" {
        fn botan_version_string() -> *const c_char;
        fn botan_hash_init(hash: *mut *mut c_void, name: *const c_char, flags: u32) -> c_int;
        fn botan_hash_destroy(hash: *mut c_void) -> c_int;
        fn botan_hash_update(hash: *mut c_void, data: *const u8, len: usize) -> c_int;
        fn botan_hash_final(hash: *mut c_void, output: *mut u8) -> c_int;
        fn botan_hash_output_length(hash: *mut c_void, len: *mut usize) -> c_int;
    }
}

/// One libbotan.
struct Libbotan {
    ffi: Ffi,
    origin: Label,
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let algorithm = match contest.algorithm() {
        "keccak256" => c"Keccak-1600(256)",
        "sha3-256" => c"SHA-3(256)",
        "shake128" => c"SHAKE-128(256)",
        _ => return,
    };
    match installed() {
        // The C interface does not say which code it takes.
        Ok(libbotan) => libbotan.enter(contest, roster, algorithm, "its own choice"),
        Err(why) => roster.absent("Botan (installed)", why.as_str()),
    }
    #[cfg(feature = "botan")]
    vendored().enter(contest, roster, algorithm, &fairlane_vendored_botan::hash_provider(algorithm));
    #[cfg(not(feature = "botan"))]
    roster.absent("Botan (vendored)", "cargo feature botan builds it; that needs a C++20 compiler, python3 and make");
}

/// The machine's own, looked for once: Botan 3, else 2, with or without its development files.
fn installed() -> &'static Result<Libbotan, String> {
    static FOUND: OnceLock<Result<Libbotan, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        // The number after `.so` is that of the minor release.
        let numbered = (0..64).rev().map(|minor| format!("libbotan-3.so.{minor}"));
        let names = ["libbotan-3.so", "libbotan-3.dylib", "botan-3.dll"].map(String::from).into_iter();
        let older = ["libbotan-2.so", "libbotan-2.so.19", "libbotan-2.dylib"].map(String::from);
        let library =
            open(names.chain(numbered).chain(older)).ok_or("the loader finds no libbotan-3.so or libbotan-2.so")?;
        // SAFETY: a libbotan of these names has these functions, with the types of ffi.h.
        let ffi = unsafe { Ffi::load(library)? };
        Ok(Libbotan { ffi, origin: Label::Installed })
    })
}

/// The one built into this binary.
#[cfg(feature = "botan")]
fn vendored() -> &'static Libbotan {
    static LINKED: OnceLock<Libbotan> = OnceLock::new();
    LINKED.get_or_init(|| Libbotan { ffi: Ffi::linked(), origin: Label::Vendored })
}

impl Libbotan {
    fn enter(&'static self, contest: &Contest, roster: &mut Roster, algorithm: &'static CStr, backend: &str) {
        let Self { ffi, origin } = self;
        let origin_name = if *origin == Label::Installed { "installed" } else { "vendored" };
        // SAFETY: it returns a static string.
        let version = unsafe { text((ffi.botan_version_string)()) };
        // "Botan 3.13.0 (release, dated …)"
        let version = version.split_whitespace().nth(1).unwrap_or("unknown");
        if Hash::new(ffi, algorithm).is_none() {
            let why = format!("this Botan {version} was built without {}", algorithm.to_string_lossy());
            return roster.absent(format!("Botan ({origin_name})"), why);
        }
        let about = About {
            name: &format!("botan ({origin_name})"),
            library: "Botan",
            version,
            backend,
            labels: &[Label::ConstantTime, Label::Ffi, *origin],
            how_to_use: "botan_hash_init once; botan_hash_update, botan_hash_final on one object",
        };
        roster.hash_with(contest, &about, move || {
            let mut hash = Hash::new(ffi, algorithm).expect("it could be made before");
            move |message: &[u8], output: &mut [u8]| hash.hash(message, output)
        });
    }
}

/// A `botan_hash_t`.
struct Hash {
    ffi: &'static Ffi,
    object: NonNull<c_void>,
    output_len: usize,
}
// SAFETY: the object is ours alone; Botan does not tie it to a thread.
unsafe impl Send for Hash {}

impl Hash {
    /// None if this Botan does not have the algorithm.
    fn new(ffi: &'static Ffi, algorithm: &CStr) -> Option<Self> {
        let mut object = ptr::null_mut();
        // SAFETY: `object` is a place for the object; the name ends in NUL.
        let error = unsafe { (ffi.botan_hash_init)(&mut object, algorithm.as_ptr(), 0) };
        let mut hash = Self { ffi, object: NonNull::new(object).filter(|_| error == 0)?, output_len: 0 };
        // SAFETY: the object is alive; `output_len` is a place for a length.
        let error = unsafe { (ffi.botan_hash_output_length)(hash.object.as_ptr(), &mut hash.output_len) };
        (error == 0).then_some(hash)
    }

    fn hash(&mut self, message: &[u8], output: &mut [u8]) {
        assert_eq!(output.len(), self.output_len, "Botan writes a whole digest");
        let (ffi, object) = (self.ffi, self.object.as_ptr());
        // SAFETY: the object is alive; pointers and lengths are those of slices; `output` is as long as the digest.
        // The object starts afresh after `final`.
        let done = unsafe {
            (ffi.botan_hash_update)(object, message.as_ptr(), message.len()) == 0
                && (ffi.botan_hash_final)(object, output.as_mut_ptr()) == 0
        };
        assert!(done, "Botan refused to hash");
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: made by botan_hash_init, destroyed once.
        unsafe { (self.ffi.botan_hash_destroy)(self.object.as_ptr()) };
    }
}
