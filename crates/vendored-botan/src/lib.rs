//! Links the newest Botan, built from source by the build script when feature `build` is on.
//!
//! A crate that names this one may declare the functions of Botan's C interface; `provider` says what that
//! interface does not.

/// Which code Botan takes on this machine for the hash, cipher or MAC `name`, and of a mode such as `SM4/GCM` for what
/// it adds to its cipher: `avx512`, `bmi2`, `base`; `unknown` if it does not say.
#[cfg(feature = "build")]
pub fn provider(name: &std::ffi::CStr) -> String {
    use std::ffi::{CStr, c_char};

    unsafe extern "C" {
        fn fairlane_botan_provider(name: *const c_char, out: *mut c_char, len: usize) -> bool;
    }
    let mut out = [0_u8; 64];
    // SAFETY: the name ends in NUL; the function writes at most that many bytes.
    let known = unsafe { fairlane_botan_provider(name.as_ptr(), out.as_mut_ptr().cast(), out.len()) };
    match CStr::from_bytes_until_nul(&out) {
        Ok(provider) if known => provider.to_string_lossy().into_owned(),
        _ => "unknown".to_string(),
    }
}
