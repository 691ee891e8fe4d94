//! Block ciphers by themselves: SM4, and Threefish-512 with the tweak of zero that a new key sets; the C interface has
//! no other.

use super::{Libbotan, Owned, SM4};
use crate::contest::{Algorithm, Contest, Label};
use crate::contestants::Roster;
use crate::contestants::c_cipher::{BlockCipher, enter_block_cipher, pointers};
use crate::contestants::ffi::c_api;
use crate::contests::threefish512;
use crate::inputs::sm4;
use std::ffi::{CStr, c_char, c_int, c_void};

/// Processes blocks, in either direction.
type Process = unsafe extern "C" fn(*mut c_void, *const u8, *mut u8, usize) -> c_int;

c_api! {
    /// The part of Botan's C interface that a block cipher needs; the same in 2 and 3.
    pub(super) struct FfiBlock linked by "botan" {
        fn botan_block_cipher_init(cipher: *mut *mut c_void, name: *const c_char) -> c_int;
        fn botan_block_cipher_destroy(cipher: *mut c_void) -> c_int;
        fn botan_block_cipher_set_key(cipher: *mut c_void, key: *const u8, len: usize) -> c_int;
        fn botan_block_cipher_encrypt_blocks(cipher: *mut c_void, from: *const u8, to: *mut u8, blocks: usize) -> c_int;
        fn botan_block_cipher_decrypt_blocks(cipher: *mut c_void, from: *const u8, to: *mut u8, blocks: usize) -> c_int;
    }
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libbotan) {
    let (algorithm, block) = match contest.algorithm() {
        Algorithm::Sm4 => (SM4, sm4::BLOCK),
        _ => (c"Threefish-512", threefish512::BLOCK),
    };
    let make = move |decrypt| Cipher::new(&library.block, algorithm, block, decrypt);
    if make(false).is_none() {
        return library.absent(roster, algorithm);
    }
    let (backend, time) =
        if algorithm == SM4 { library.sm4() } else { ((library.provider)(algorithm), Label::ConstantTime) };
    let labels = library.labels(time);
    let how_to_use = "botan_block_cipher_init, botan_block_cipher_set_key; botan_block_cipher_encrypt_blocks";
    let about = library.about(&backend, &labels, how_to_use);
    enter_block_cipher(contest, roster, &about, move |decrypt| make(decrypt).expect("it could be made before"));
}

/// A `botan_block_cipher_t`.
struct Cipher {
    ffi: &'static FfiBlock,
    object: Owned,
    /// Bytes of a block.
    block: usize,
    process: Process,
}

impl Cipher {
    /// None if this Botan does not have the algorithm.
    fn new(ffi: &'static FfiBlock, algorithm: &CStr, block: usize, decrypt: bool) -> Option<Self> {
        // SAFETY: the name ends in NUL; it makes an object that is not tied to a thread.
        let object = unsafe {
            let init = |place| (ffi.botan_block_cipher_init)(place, algorithm.as_ptr());
            Owned::made(ffi.botan_block_cipher_destroy, init)
        }?;
        let process =
            if decrypt { ffi.botan_block_cipher_decrypt_blocks } else { ffi.botan_block_cipher_encrypt_blocks };
        Some(Self { ffi, object, block, process })
    }
}

impl BlockCipher for Cipher {
    fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the object is alive; pointer and length are those of a slice.
        let error = unsafe { (self.ffi.botan_block_cipher_set_key)(self.object.as_ptr(), key.as_ptr(), key.len()) };
        assert_eq!(error, 0, "Botan refused a key");
    }

    fn process(&mut self, _: Option<&[u8; sm4::BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        let blocks = to.len() / self.block;
        let (from, to) = pointers(from, to);
        // SAFETY: the object is alive; as many blocks as fit can be read and written.
        let error = unsafe { (self.process)(self.object.as_ptr(), from, to, blocks) };
        assert_eq!(error, 0, "Botan refused blocks");
    }
}
