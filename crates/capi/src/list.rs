//! What there is: the names and sizes of algorithms, the backends, and the version.

use crate::aead::Aead;
use crate::block_mode::BlockMode;
use crate::border::{algorithm, backend};
use crate::cipher::Cipher;
use crate::panics::answer;
use core::ffi::c_char;
use core::ptr;
use fairlane::Backend;
use fairlane::dynamic::{AeadAlgorithm, BlockModeAlgorithm, CipherAlgorithm, HashAlgorithm, KemAlgorithm};
use std::ffi::CString;
use std::sync::OnceLock;

/// The version, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn fairlane_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Names that end with a zero, as C needs them.
struct Names(OnceLock<Vec<CString>>);

impl Names {
    const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The name of this number; null after the last one.
    fn get(&self, index: usize, names: impl Iterator<Item = &'static str>) -> *const c_char {
        let names = self.0.get_or_init(|| names.map(|name| CString::new(name).unwrap_or_default()).collect());
        names.get(index).map_or(ptr::null(), |name| name.as_ptr())
    }
}

/// Defines functions that give the name of each number, and null after the last one.
macro_rules! names {
    ($($function:ident, $what:literal, $names:expr;)*) => {$(
        #[doc = concat!("The name of ", $what, " by its number from 0 on, or null after the last one.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $function(index: usize) -> *const c_char {
            static NAMES: Names = Names::new();
            answer(ptr::null(), || NAMES.get(index, $names))
        }
    )*};
}

names! {
    fairlane_hash_name, "a hash", HashAlgorithm::ALL.iter().map(|hash| hash.name());
    fairlane_aead_name, "an AEAD", AeadAlgorithm::ALL.iter().map(|aead| aead.name());
    fairlane_cipher_name, "a stream cipher", CipherAlgorithm::ALL.iter().map(|cipher| cipher.name());
    fairlane_block_mode_name, "a block mode", BlockModeAlgorithm::ALL.iter().map(|mode| mode.name());
    fairlane_kem_name, "a KEM", KemAlgorithm::ALL.iter().map(|kem| kem.name());
    fairlane_backend_name, "a backend", backend_names();
    fairlane_primitive_name, "a family of algorithms that share kernels",
        fairlane::primitives().iter().map(|primitive| primitive.name);
}

fn backend_names() -> impl Iterator<Item = &'static str> {
    Backend::ALL.iter().map(|backend| backend.name())
}

/// Whether this CPU has the backend's features.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_backend_available(name: *const c_char) -> bool {
    // SAFETY: the header's conditions.
    answer(false, || unsafe { backend(name) }.ok().flatten().is_some_and(Backend::is_available))
}

/// The backend that a family of algorithms takes by default on this machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_primitive_backend(name: *const c_char) -> *const c_char {
    /// A family, by its name.
    struct Family(&'static fairlane::Primitive);
    impl core::str::FromStr for Family {
        type Err = ();
        fn from_str(name: &str) -> Result<Self, ()> {
            fairlane::primitives().iter().find(|family| family.name == name).map(Self).ok_or(())
        }
    }
    answer(ptr::null(), || {
        // SAFETY: the header's conditions.
        let Ok(Family(family)) = (unsafe { algorithm(name) }) else { return ptr::null() };
        let number = Backend::ALL.iter().position(|backend| *backend == family.chosen());
        number.map_or(ptr::null(), |number| fairlane_backend_name(number))
    })
}

/// Whether a hash is an extendable-output function; false if there is no such hash.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fairlane_hash_is_extendable(name: *const c_char) -> bool {
    // SAFETY: the header's conditions.
    answer(false, || unsafe { algorithm::<HashAlgorithm>(name) }.is_ok_and(|hash| hash.output_size().is_none()))
}

/// Defines functions that give a size by the algorithm's name, and 0 if there is none of this name.
macro_rules! sizes {
    ($($function:ident, $kind:ty, $what:literal, $size:expr;)*) => {$(
        #[doc = concat!("Bytes of ", $what, "; 0 if no algorithm has this name.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(name: *const c_char) -> usize {
            // SAFETY: the header's conditions.
            answer(0, || unsafe { algorithm::<$kind>(name) }.map_or(0, $size))
        }
    )*};
}

sizes! {
    fairlane_hash_size, HashAlgorithm, "an output, or of a usual one", HashAlgorithm::default_output_size;
    fairlane_hash_block_size, HashAlgorithm, "a block of messages", HashAlgorithm::block_size;
    fairlane_aead_size, AeadAlgorithm, "room for an AEAD", |aead| Aead::room(aead.memory_size());
    fairlane_aead_key_size, AeadAlgorithm, "a key", AeadAlgorithm::key_size;
    fairlane_aead_nonce_size, AeadAlgorithm, "a nonce", AeadAlgorithm::nonce_size;
    fairlane_aead_tag_size, AeadAlgorithm, "a tag", AeadAlgorithm::tag_size;
    fairlane_cipher_size, CipherAlgorithm, "room for a stream cipher", |cipher| Cipher::room(cipher.memory_size());
    fairlane_cipher_key_size, CipherAlgorithm, "a key", CipherAlgorithm::key_size;
    fairlane_cipher_nonce_size, CipherAlgorithm, "a nonce", CipherAlgorithm::iv_size;
    fairlane_block_mode_size, BlockModeAlgorithm, "room for a block mode",
        |mode| BlockMode::room(mode.memory_size());
    fairlane_block_mode_key_size, BlockModeAlgorithm, "a key", BlockModeAlgorithm::key_size;
    fairlane_block_mode_iv_size, BlockModeAlgorithm, "an IV", BlockModeAlgorithm::iv_size;
    fairlane_block_mode_block_size, BlockModeAlgorithm, "a block", BlockModeAlgorithm::block_size;
    fairlane_kem_encapsulation_key_size, KemAlgorithm, "an encapsulation key", KemAlgorithm::encapsulation_key_size;
    fairlane_kem_decapsulation_key_size, KemAlgorithm, "a decapsulation key", KemAlgorithm::expanded_size;
    fairlane_kem_ciphertext_size, KemAlgorithm, "a ciphertext", KemAlgorithm::ciphertext_size;
    fairlane_kem_seeds_size, KemAlgorithm, "the seeds of a key pair", KemAlgorithm::seeds_size;
    fairlane_kem_randomness_size, KemAlgorithm, "an encapsulation's randomness", KemAlgorithm::randomness_size;
}
