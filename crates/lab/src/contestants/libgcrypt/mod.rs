//! libgcrypt, if it is installed; found at run time.

mod cipher;
mod hash;

use self::cipher::GcryptCipher;
use self::hash::GcryptMd;
use super::ffi::{c_api, open, symbol, text};
use super::{About, Roster};
use crate::contest::{Algorithm, Contest, Label};
use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr;
use std::sync::OnceLock;

c_api! {
    /// What libgcrypt says of itself.
    struct Gcrypt {
        fn gcry_check_version(wanted: *const c_char) -> *const c_char;
        fn gcry_get_config(mode: c_int, what: *const c_char) -> *mut c_char;
        fn gcry_free(memory: *mut c_void);
    }
}

const NAME: &str = "libgcrypt (installed)";

/// The library, and what it says of itself.
struct Libgcrypt {
    md: GcryptMd,
    cipher: GcryptCipher,
    version: String,
    /// The CPU features that it saw, by its own names.
    features: Vec<String>,
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let enter = match contest.algorithm() {
        Algorithm::Keccak256 => return roster.absent(NAME, "libgcrypt has no Keccak with the original padding"),
        Algorithm::XChaCha20Poly1305 => return roster.absent(NAME, "libgcrypt has no XChaCha20"),
        Algorithm::Sha3_256 | Algorithm::Shake128 | Algorithm::Sm3 => hash::enter,
        Algorithm::Arx | Algorithm::ChaCha20 | Algorithm::ChaCha20Poly1305 | Algorithm::Sm4 => cipher::enter,
        _ => return,
    };
    if let Some(library) = roster.found(NAME, installed()) {
        enter(contest, roster, library);
    }
}

/// The machine's own, looked for and initialised once.
fn installed() -> &'static Result<Libgcrypt, String> {
    static FOUND: OnceLock<Result<Libgcrypt, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let library =
            open(["libgcrypt.so.20", "libgcrypt.20.dylib"]).ok_or("no libgcrypt.so.20 that the loader finds")?;
        // SAFETY: libgcrypt's ABI 20 has these functions, with the types of gcrypt.h; gcry_control is variadic there.
        let (api, md, cipher, control) = unsafe {
            let control: unsafe extern "C" fn(c_uint, ...) -> c_uint = symbol(library, "gcry_control")?;
            (Gcrypt::load(library)?, GcryptMd::load(library)?, GcryptCipher::load(library)?, control)
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
        Ok(Libgcrypt { md, cipher, version, features: features(&api) })
    })
}

/// The CPU features that it saw.
fn features(api: &Gcrypt) -> Vec<String> {
    // SAFETY: null asks for the whole configuration, as text that is ours to free.
    let config = unsafe {
        let config = (api.gcry_get_config)(0, ptr::null());
        let copy = text(config);
        (api.gcry_free)(config.cast());
        copy
    };
    // "hwflist:intel-cpu:intel-bmi2:…:"
    let line = config.lines().find_map(|line| line.strip_prefix("hwflist:"));
    line.unwrap_or("").split(':').map(String::from).collect()
}

impl Libgcrypt {
    fn about<'a>(&'a self, backend: &'a str, how_to_use: &'a str) -> About<'a> {
        About {
            name: NAME,
            library: "libgcrypt",
            version: &self.version,
            backend,
            labels: &[Label::ConstantTime, Label::Ffi, Label::Installed],
            how_to_use,
        }
    }

    /// libgcrypt does not say which code it takes, but which CPU features it saw: those that an algorithm asks for.
    fn backend(&self, asked_for: &[&str]) -> String {
        let seen: Vec<&str> =
            self.features.iter().map(String::as_str).filter(|flag| asked_for.contains(flag)).collect();
        match seen.as_slice() {
            [] => "unknown".to_string(),
            seen => format!("its own choice, having seen {}", seen.join(", ")),
        }
    }

    /// Whether it saw one of these CPU features.
    fn saw_any(&self, wanted: &[&str]) -> bool {
        self.features.iter().any(|flag| wanted.contains(&flag.as_str()))
    }

    /// Says that this libgcrypt lacks an algorithm.
    fn absent(&self, roster: &mut Roster, algorithm: &str) {
        roster.absent(NAME, format!("libgcrypt {} has no {algorithm}", self.version));
    }
}
