//! Cryptographic primitives at the speed the machine allows, for one message or for many at once.
//!
//! Every primitive has several *backends* ([`Backend`]): implementations for different CPU features. The best one that
//! the CPU supports is chosen at run time. Each primitive's type also has a constructor `with_backend` that takes a
//! given one, and the environment variable `FAIRLANE_BACKEND` (such as `scalar,avx2`) limits the choice for a whole
//! process to the backends that it lists. It is a choice for a primitive as a whole: parts of an AEAD or a KEM may run
//! on a backend that is not listed, if it needs no CPU feature that the chosen one does not need. With `avx512-ifma`
//! alone, `ChaCha20Poly1305` runs Poly1305 on that and its cipher on `avx512`. No backend branches on a secret or uses
//! one as an address, unless the primitive's own page says so.
//!
//! | module | primitives |
//! | --- | --- |
//! | [`chacha`] | `ChaCha20` with 8, 12 and 20 rounds, `XChaCha20`, and their AEADs with Poly1305 |
//! | [`clwe`] | CLWE-KEM, for comparison with ML-KEM |
//! | [`ghash`] | GHASH, the universal hash of GCM |
//! | [`kalyna`] | Kalyna (DSTU 7624:2014) with blocks of 128, 256 and 512 bits, and that standard's modes |
//! | [`keccak`] | Keccak, SHA-3, SHAKE, cSHAKE, `ParallelHash`, TurboSHAKE, KangarooTwelve |
//! | [`kusumi`] | Kusumi-512, and its AEAD with Poly1305 |
//! | [`ml_kem`] | ML-KEM (FIPS 203) |
//! | [`poly1305`] | Poly1305 |
//! | [`sm3`] | SM3; the crate `hmac` makes HMAC-SM3 of it |
//! | [`sm4`] | SM4 as a block cipher and in CTR, CBC, XTS, GCM and CCM |
//! | [`threefish`] | Threefish-256, -512 and -1024; Threefish-512 in counter mode |
//! | [`x_wing`] | X-Wing, the hybrid of ML-KEM-768 and X25519 |
//!
//! [`dynamic`] makes hashes, AEADs, stream ciphers, block modes and KEMs from their names, for programs that choose an
//! algorithm at run time. [`keystream`] holds what the stream ciphers share. The module `sealed` encrypts and
//! authenticates streams and files under a key, a passphrase, or the public key of a KEM. The module `parallel` hashes
//! batches on several cores, and `update_rayon` of KangarooTwelve and `ParallelHash` one long message.
//!
//! The types implement the traits of the crates [`digest`], [`cipher`], [`aead`], [`universal_hash`] and [`kem`],
//! which are re-exported.
//!
//! # Cargo features
//!
//! Each module of the table has a feature of its name (`ml-kem` for `ml_kem`). A program that needs one primitive
//! compiles nothing else with
//!
//! ```toml
//! fairlane = { version = "0.1", default-features = false, features = ["std", "sm3"] }
//! ```
//!
//! | feature | default | what it adds |
//! | --- | --- | --- |
//! | `all-primitives` | yes | every primitive |
//! | `chacha` | yes | [`chacha`]; turns on `poly1305` |
//! | `clwe` | yes | [`clwe`]; turns on `ml-kem` |
//! | `ghash` | yes | [`ghash`] |
//! | `kalyna` | yes | [`kalyna`]; turns on `ghash` |
//! | `keccak` | yes | [`keccak`] |
//! | `kusumi` | yes | [`kusumi`]; turns on `chacha` |
//! | `ml-kem` | yes | [`ml_kem`]; turns on `keccak` |
//! | `poly1305` | yes | [`poly1305`] |
//! | `sm3` | yes | [`sm3`] |
//! | `sm4` | yes | [`sm4`]; turns on `ghash` |
//! | `threefish` | yes | [`threefish`] |
//! | `x-wing` | yes | [`x_wing`]; turns on `ml-kem` |
//! | `dynamic` | yes | [`dynamic`]: algorithms by name; turns on `alloc` |
//! | `std` | yes | detection of the CPU's features at run time; turns on `alloc` |
//! | `alloc` | with `std` | the methods of the traits that return a `Vec`, such as `Aead::encrypt` |
//! | `sealed` | no | the module `sealed`, with the primitives that it needs |
//! | `getrandom` | no | the KEMs' methods that take random numbers from the system |
//! | `rayon` | no | the module `parallel` and the methods `update_rayon`: hashing on several cores; turns on `std` |
//! | `zeroize` | no | erases the state of a hasher or reader on drop, as keys always are |
//! | `table-lookups` | no | Kalyna's `scalar` by tables: several times as fast, and **not constant-time** |
//!
//! Without `std` the crate is `no_std`, and a backend is available only if the build enables its CPU features
//! (`-C target-cpu`). `SECURITY.md` lists what `zeroize` does not erase.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]
// A build of some primitives leaves parts of the shared modules unused. A build of all of them has these lints.
#![cfg_attr(not(feature = "all-primitives"), allow(dead_code, unreachable_pub, unused_imports, unused_macros))]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
#[cfg(any(feature = "chacha", feature = "keccak", feature = "sm3", feature = "threefish"))]
mod tiles;

#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4"))]
mod authenticated;
#[cfg(feature = "sm3")]
mod block_hash;
#[cfg(feature = "ghash")]
mod carryless;
#[cfg(feature = "chacha")]
pub mod chacha;
#[cfg(feature = "clwe")]
pub mod clwe;
mod ct;
#[cfg(feature = "dynamic")]
pub mod dynamic;
#[cfg(feature = "ghash")]
pub mod ghash;
#[cfg(any(feature = "keccak", feature = "sm3"))]
mod hash_many;
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
mod in_out;
#[cfg(any(feature = "kalyna", feature = "sm4"))]
mod integer;
#[cfg(any(feature = "kalyna", feature = "sm4"))]
mod inversion;
#[cfg(feature = "kalyna")]
pub mod kalyna;
#[cfg(feature = "keccak")]
pub mod keccak;
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
pub mod keystream;
#[cfg(feature = "kusumi")]
pub mod kusumi;
#[cfg(feature = "ml-kem")]
mod lattice;
#[cfg(feature = "ml-kem")]
pub mod ml_kem;
#[cfg(any(feature = "kalyna", feature = "sm4", feature = "threefish"))]
mod modes;
#[cfg(all(feature = "rayon", any(feature = "keccak", feature = "sm3")))]
pub mod parallel;
#[cfg(feature = "poly1305")]
pub mod poly1305;
#[cfg(feature = "sealed")]
pub mod sealed;
#[cfg(feature = "sm3")]
pub mod sm3;
#[cfg(feature = "sm4")]
pub mod sm4;
#[cfg(all(
    feature = "dynamic",
    any(feature = "chacha", feature = "kalyna", feature = "ml-kem", feature = "sm4", feature = "threefish")
))]
mod stack;
#[cfg(feature = "threefish")]
pub mod threefish;
#[cfg(feature = "x-wing")]
pub mod x_wing;
#[cfg(any(feature = "keccak", feature = "sm3"))]
mod zeroizing;

use fairlane_lanes::AnyToken;

pub use fairlane_lanes::{Backend, Unsupported};
#[cfg(any(feature = "keccak", feature = "sm3"))]
pub use hash_many::{HashMany, HashManyError};

#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4"))]
pub use aead;
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
pub use cipher;
#[cfg(any(feature = "kalyna", feature = "keccak", feature = "sm3"))]
pub use digest;
#[cfg(feature = "ml-kem")]
pub use kem;
#[cfg(any(feature = "ghash", feature = "poly1305"))]
pub use universal_hash;

/// A family of primitives that share kernels, for programs that list what this machine offers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Primitive {
    /// Its name, such as `keccak`.
    pub name: &'static str,
    /// The backends it has kernels for, best first.
    pub backends: &'static [Backend],
    /// Those of them that are not constant-time.
    pub variable_time: &'static [Backend],
}

impl Primitive {
    /// The backend that its types take by default on this machine.
    pub fn chosen(&self) -> Backend {
        AnyToken::best(self.backends).backend()
    }
}

/// The families of primitives that this build holds: those whose cargo feature is on.
pub const fn primitives() -> &'static [Primitive] {
    &[
        #[cfg(feature = "keccak")]
        Primitive { name: "keccak", backends: keccak::BACKENDS, variable_time: &[] },
        #[cfg(feature = "chacha")]
        Primitive { name: "chacha", backends: chacha::BACKENDS, variable_time: &[] },
        #[cfg(feature = "kusumi")]
        Primitive { name: "kusumi", backends: kusumi::BACKENDS, variable_time: &[] },
        #[cfg(feature = "poly1305")]
        Primitive { name: "poly1305", backends: poly1305::BACKENDS, variable_time: &[] },
        #[cfg(feature = "sm3")]
        Primitive { name: "sm3", backends: sm3::BACKENDS, variable_time: &[] },
        #[cfg(feature = "sm4")]
        Primitive { name: "sm4", backends: sm4::BACKENDS, variable_time: &[] },
        #[cfg(feature = "threefish")]
        Primitive { name: "threefish", backends: threefish::BACKENDS, variable_time: &[] },
        #[cfg(feature = "kalyna")]
        Primitive { name: "kalyna", backends: kalyna::BACKENDS, variable_time: kalyna::VARIABLE_TIME },
        #[cfg(feature = "ghash")]
        Primitive { name: "ghash", backends: ghash::BACKENDS, variable_time: &[] },
        #[cfg(feature = "ml-kem")]
        Primitive { name: "ml-kem", backends: ml_kem::BACKENDS, variable_time: &[] },
    ]
}

/// The examples of this crate's README are tests.
#[cfg(all(doctest, feature = "std", feature = "all-primitives", feature = "getrandom"))]
#[doc = include_str!("../README.md")]
pub struct Readme;
