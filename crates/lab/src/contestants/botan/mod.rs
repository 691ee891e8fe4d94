//! Botan through its C interface: the one that is installed, found at run time, and, with cargo feature `botan`, the
//! newest built from source.

mod block;
mod cipher;
mod fixed_rng;
mod hash;
mod kem;

use self::block::FfiBlock;
use self::cipher::FfiCipher;
use self::fixed_rng::FfiRng;
use self::hash::FfiHash;
use self::kem::FfiKem;
use super::ffi::{self, c_api, open, text};
use super::{About, Roster};
use crate::contest::{Algorithm, Contest, Label};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

c_api! {
    /// What Botan says of itself.
    struct Ffi linked by "botan" {
        fn botan_version_string() -> *const c_char;
    }
}

/// Any object of Botan.
type Object = *mut c_void;
/// Where Botan writes an object that it makes.
type Place = *mut Object;
/// An object of ours; its destructor returns an error.
type Owned = ffi::Owned<c_int>;

const SM4: &CStr = c"SM4";

/// What is said of code that a libbotan does not name.
const OWN_CHOICE: &str = "its own choice";

/// One libbotan.
struct Libbotan {
    hash: FfiHash,
    cipher: FfiCipher,
    block: FfiBlock,
    /// None before 3.6.
    kem: Option<(FfiKem, FfiRng)>,
    version: String,
    /// Its name in the race, with where it comes from.
    name: &'static str,
    origin: Label,
    /// What says which code it takes for an algorithm: the C interface does not.
    provider: fn(&CStr) -> String,
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let enter = match contest.algorithm() {
        Algorithm::Keccak256 | Algorithm::Sha3_256 | Algorithm::Shake128 | Algorithm::Sm3 => hash::enter,
        Algorithm::ChaCha20 | Algorithm::ChaCha20Poly1305 | Algorithm::XChaCha20Poly1305 => cipher::enter,
        Algorithm::Threefish512 => block::enter,
        Algorithm::Sm4 => cipher::enter_sm4,
        Algorithm::Kem(_) => kem::enter,
        _ => return,
    };
    if let Some(libbotan) = roster.found("Botan (installed)", installed()) {
        enter(contest, roster, libbotan);
    }
    #[cfg(feature = "botan")]
    enter(contest, roster, vendored());
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
        unsafe {
            Ok(Libbotan {
                hash: FfiHash::load(library)?,
                cipher: FfiCipher::load(library)?,
                block: FfiBlock::load(library)?,
                kem: FfiKem::load(library).ok().zip(FfiRng::load(library).ok()),
                version: version(&Ffi::load(library)?),
                name: "botan (installed)",
                origin: Label::Installed,
                provider: |_| OWN_CHOICE.to_string(),
            })
        }
    })
}

/// The one built into this binary.
#[cfg(feature = "botan")]
fn vendored() -> &'static Libbotan {
    static LINKED: OnceLock<Libbotan> = OnceLock::new();
    LINKED.get_or_init(|| Libbotan {
        hash: FfiHash::linked(),
        cipher: FfiCipher::linked(),
        block: FfiBlock::linked(),
        kem: Some((FfiKem::linked(), FfiRng::linked())),
        version: version(&Ffi::linked()),
        name: "botan (vendored)",
        origin: Label::Vendored,
        provider: fairlane_vendored_botan::provider,
    })
}

fn version(ffi: &Ffi) -> String {
    // SAFETY: it returns a static string: "Botan 3.13.0 (release, dated …)".
    let version = unsafe { text((ffi.botan_version_string)()) };
    version.split_whitespace().nth(1).unwrap_or("unknown").to_string()
}

impl Libbotan {
    /// Which code it takes for SM4, and whether that is constant-time: where it names no instructions there are tables.
    fn sm4(&self) -> (String, Label) {
        let backend = (self.provider)(SM4);
        let tables = ["base", OWN_CHOICE].contains(&backend.as_str());
        (backend, if tables { Label::NotConstantTime } else { Label::ConstantTime })
    }

    fn labels(&self, time: Label) -> [Label; 3] {
        [time, Label::Ffi, self.origin]
    }

    fn about<'a>(&'a self, backend: &'a str, labels: &'a [Label; 3], how_to_use: &'a str) -> About<'a> {
        About { name: self.name, library: "Botan", version: &self.version, backend, labels, how_to_use }
    }

    /// Says that this Botan lacks an algorithm.
    fn absent(&self, roster: &mut Roster, algorithm: &CStr) {
        let why = format!("this Botan {} was built without {}", self.version, algorithm.to_string_lossy());
        roster.absent(self.name, why);
    }
}
