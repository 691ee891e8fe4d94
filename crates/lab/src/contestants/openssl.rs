//! OpenSSL's libcrypto: the one that is installed, found at run time, and, with cargo feature `openssl`, the newest,
//! built from source.

use super::evp::{self, Evp, Md};
use super::ffi::{open, symbol, text};
use super::{About, Roster};
use crate::contest::{Contest, Label};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

/// Newest first. Only names with a version: they say whose ABI is inside.
const NAMES: &[&str] = &[
    "libcrypto.so.4",
    "libcrypto.so.3",
    "libcrypto.so.1.1",
    "libcrypto.4.dylib",
    "libcrypto.3.dylib",
    "libcrypto-4-x64.dll",
    "libcrypto-3-x64.dll",
];

/// One libcrypto, and what it says of itself.
struct Libcrypto {
    evp: Evp,
    find: Find,
    version: String,
    backend: String,
}

/// How this libcrypto finds an algorithm.
#[derive(Clone, Copy)]
enum Find {
    /// `EVP_MD_fetch`, there from 3.0 on.
    Fetch(unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void),
    /// `EVP_get_digestbyname`, what there was before.
    ByName(unsafe extern "C" fn(*const c_char) -> *const c_void),
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let algorithm = match contest.algorithm() {
        "keccak256" => c"KECCAK-256",
        "sha3-256" => c"SHA3-256",
        "shake128" => c"SHAKE128",
        _ => return,
    };
    match installed() {
        Ok(libcrypto) => libcrypto.enter(contest, roster, algorithm, Label::Installed),
        Err(why) => roster.absent("OpenSSL (installed)", why.as_str()),
    }
    #[cfg(feature = "openssl")]
    vendored().enter(contest, roster, algorithm, Label::Vendored);
    #[cfg(not(feature = "openssl"))]
    roster.absent("OpenSSL (vendored)", "cargo feature openssl builds it; that needs a C compiler, perl and make");
}

/// The machine's own, looked for once.
fn installed() -> &'static Result<Libcrypto, String> {
    static FOUND: OnceLock<Result<Libcrypto, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let library = open(NAMES).ok_or("the loader finds no libcrypto.so.4, .so.3 or .so.1.1")?;
        // SAFETY: a libcrypto of these names has these functions, with the types of its documentation.
        let (evp, find) = unsafe {
            let find = match symbol(library, "EVP_MD_fetch") {
                Ok(fetch) => Find::Fetch(fetch),
                Err(_) => Find::ByName(symbol(library, "EVP_get_digestbyname")?),
            };
            (Evp::load(library)?, find)
        };
        Ok(Libcrypto::new(evp, find))
    })
}

/// The one built into this binary.
#[cfg(feature = "openssl")]
fn vendored() -> &'static Libcrypto {
    // Nothing of it is named in Rust, but this is what links it.
    use fairlane_vendored_openssl as _;
    unsafe extern "C" {
        fn EVP_MD_fetch(library: *mut c_void, name: *const c_char, properties: *const c_char) -> *mut c_void;
    }
    static LINKED: OnceLock<Libcrypto> = OnceLock::new();
    LINKED.get_or_init(|| Libcrypto::new(Evp::linked(), Find::Fetch(EVP_MD_fetch)))
}

impl Libcrypto {
    fn new(evp: Evp, find: Find) -> Self {
        const OPENSSL_VERSION: c_int = 0;
        const OPENSSL_CPU_INFO: c_int = 9;
        // SAFETY: the function takes any number and returns a static string.
        let say = |what| unsafe { text((evp.OpenSSL_version)(what)) };
        // "OpenSSL 3.0.19 27 Jan 2026"
        let version = say(OPENSSL_VERSION).split_whitespace().nth(1).unwrap_or("unknown").to_string();
        // "CPUINFO: OPENSSL_ia32cap=0x…"; "CPUINFO: N/A" in a build without assembly; "not available" before 3.0.
        let backend = match say(OPENSSL_CPU_INFO).strip_prefix("CPUINFO: ") {
            Some("N/A") => "C".to_string(),
            // There is one assembly of Keccak for x86-64, whatever the capabilities.
            Some(_) if cfg!(target_arch = "x86_64") => "x86-64 assembly".to_string(),
            Some(cpu) => cpu.to_string(),
            None => "unknown".to_string(),
        };
        Self { evp, find, version, backend }
    }

    fn enter(&'static self, contest: &Contest, roster: &mut Roster, algorithm: &CStr, origin: Label) {
        let origin_name = if origin == Label::Installed { "installed" } else { "vendored" };
        let Some(md) = self.find(algorithm) else {
            let algorithm = algorithm.to_string_lossy();
            let why = format!("OpenSSL {} has no {algorithm}; KECCAK-256 is there from 3.2 on", self.version);
            return roster.absent(format!("OpenSSL ({origin_name})"), why);
        };
        let about = About {
            name: &format!("openssl ({origin_name})"),
            library: "OpenSSL",
            version: &self.version,
            backend: &self.backend,
            labels: &[Label::ConstantTime, Label::Ffi, origin],
            how_to_use: "EVP_MD_fetch once; EVP_DigestInit_ex, Update, Final on one context",
        };
        evp::enter(contest, roster, &about, &self.evp, md);
    }

    fn find(&self, algorithm: &CStr) -> Option<Md> {
        let name = algorithm.as_ptr();
        // SAFETY: the name ends in NUL; null stands for the default library context and for no properties. What is
        // fetched is never freed.
        unsafe {
            Md::new(match self.find {
                Find::Fetch(fetch) => fetch(ptr::null_mut(), name, ptr::null()),
                Find::ByName(by_name) => by_name(name).cast_mut(),
            })
        }
    }
}
