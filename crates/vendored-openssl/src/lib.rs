//! Links the newest OpenSSL's libcrypto, built from source by the build script when feature `build` is on.
//!
//! There is nothing here to call: a crate that names this one may declare libcrypto's functions.

#![forbid(unsafe_code)]
