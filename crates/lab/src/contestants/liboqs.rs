//! liboqs, if it is installed; found at run time. Its ML-KEM is that of mlkem-native.

use super::ffi::{c_api, open, symbol, text};
use super::kem::{Kem, MESSAGE, SECRET, SEEDS};
use super::{About, Roster};
use crate::contest::{Contest, Label};
use fairlane_reference::kem::Params;
use std::ffi::{c_char, c_int};
use std::sync::OnceLock;

c_api! {
    /// What liboqs says of itself.
    struct Oqs {
        fn OQS_init();
        fn OQS_version() -> *const c_char;
        fn OQS_CPU_has_extension(extension: c_int) -> c_int;
    }
}

const NAME: &str = "liboqs (installed)";

/// One parameter set's functions, which return 0.
#[derive(Clone, Copy)]
struct Functions {
    keypair: unsafe extern "C" fn(ek: *mut u8, dk: *mut u8, seeds: *const u8) -> c_int,
    encaps: unsafe extern "C" fn(ciphertext: *mut u8, secret: *mut u8, ek: *const u8, m: *const u8) -> c_int,
    decaps: unsafe extern "C" fn(secret: *mut u8, ciphertext: *const u8, dk: *const u8) -> c_int,
}

/// The library, and what it says of itself.
struct Liboqs {
    version: String,
    backend: String,
    /// ML-KEM-512, -768, -1024.
    sets: [Functions; 3],
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let Some(params) = contest.algorithm().ml_kem() else { return };
    let Some(library) = roster.found(NAME, installed()) else { return };
    let about = About {
        name: NAME,
        library: "liboqs",
        version: &library.version,
        backend: &library.backend,
        labels: &[Label::ConstantTime, Label::Ffi, Label::Installed],
        how_to_use: "OQS_KEM_ml_kem_{512,768,1024}_{keypair_derand,encaps_derand,decaps}",
    };
    let functions = library.sets[params.k() - 2];
    roster.kem_on_bytes(contest, &about, move |params| MlKem { params, functions });
}

/// The machine's own, looked for and initialised once.
fn installed() -> &'static Result<Liboqs, String> {
    static FOUND: OnceLock<Result<Liboqs, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let library = open(["liboqs.so.9", "liboqs.so", "liboqs.dylib"]).ok_or("no liboqs.so that the loader finds")?;
        let functions = |set: &str| {
            let named = |name: &str| format!("OQS_KEM_ml_kem_{set}_{name}");
            // SAFETY: a liboqs that has functions of these names has them with the types of kem_ml_kem.h.
            unsafe {
                Ok::<_, String>(Functions {
                    keypair: symbol(library, &named("keypair_derand"))?,
                    encaps: symbol(library, &named("encaps_derand"))?,
                    decaps: symbol(library, &named("decaps"))?,
                })
            }
        };
        let sets = [functions("512")?, functions("768")?, functions("1024")?];
        // SAFETY: every liboqs has these functions, with the types of common.h.
        let api = unsafe { Oqs::load(library)? };
        // SAFETY: the first comes before any other call; the second returns a static string.
        let (_, version) = unsafe { ((api.OQS_init)(), text((api.OQS_version)())) };
        Ok(Liboqs { backend: backend(&api, &version), version, sets })
    })
}

/// liboqs does not say which code it takes, but which CPU features it saw. The numbers are those of version 0.16.
fn backend(api: &Oqs, version: &str) -> String {
    const OWN_CHOICE: &str = "mlkem-native, its own choice";
    const ASKED_FOR: &[(c_int, &str)] = &[(4, "avx2"), (5, "avx512"), (17, "neon")];
    if !version.starts_with("0.16.") {
        return OWN_CHOICE.to_string();
    }
    // SAFETY: it takes any of these numbers, after OQS_init.
    let seen = ASKED_FOR.iter().filter(|(number, _)| unsafe { (api.OQS_CPU_has_extension)(*number) } == 1);
    let seen: Vec<&str> = seen.map(|(_, name)| *name).collect();
    if seen.is_empty() { OWN_CHOICE.to_string() } else { format!("{OWN_CHOICE}, having seen {}", seen.join(", ")) }
}

/// A parameter set.
struct MlKem {
    params: Params,
    functions: Functions,
}

impl Kem for MlKem {
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]) {
        assert_eq!((ek.len(), dk.len()), (self.params.encapsulation_key_len(), self.params.decapsulation_key_len()));
        // SAFETY: keys and seeds are as long as the set says.
        let error = unsafe { (self.functions.keypair)(ek.as_mut_ptr(), dk.as_mut_ptr(), seeds.as_ptr()) };
        assert_eq!(error, 0, "liboqs refused to make a key pair");
    }

    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]) {
        assert_eq!((ek.len(), ciphertext.len()), (self.params.encapsulation_key_len(), self.params.ciphertext_len()));
        let (c, k) = (ciphertext.as_mut_ptr(), secret.as_mut_ptr());
        // SAFETY: key, message, ciphertext and secret are as long as the set says.
        let error = unsafe { (self.functions.encaps)(c, k, ek.as_ptr(), m.as_ptr()) };
        assert_eq!(error, 0, "liboqs refused to encapsulate");
    }

    fn decaps(&mut self, dk: &[u8], ciphertext: &[u8], secret: &mut [u8; SECRET]) {
        assert_eq!((dk.len(), ciphertext.len()), (self.params.decapsulation_key_len(), self.params.ciphertext_len()));
        // SAFETY: key, ciphertext and secret are as long as the set says.
        let error = unsafe { (self.functions.decaps)(secret.as_mut_ptr(), ciphertext.as_ptr(), dk.as_ptr()) };
        assert_eq!(error, 0, "liboqs refused to decapsulate");
    }
}
