//! The Crypto++ that this binary links: one object takes a key and a nonce with every message.

use crate::contest::{Contest, Label, Op};
use crate::contestants::c_cipher::{Aead, Threefish, enter_aead, enter_threefish, nonce, source, split, split_mut};
use crate::contestants::ffi::text;
use crate::contestants::{About, Roster};
use crate::contests::aead::AAD;
use crate::contests::arx::{KEY256, NONCE};
use crate::contests::threefish512::BLOCK;
use fairlane_cryptopp::Api;
use std::ffi::c_void;
use std::ptr::NonNull;

/// The tweak of the contests.
const TWEAK: [u8; 16] = [0; 16];

pub(super) fn enter(contest: &Contest, roster: &mut Roster, api: &'static Api) {
    let (algorithm, nonce) = (contest.algorithm(), nonce(contest));
    let make = move |inverse| {
        // SAFETY: each makes an object of its own.
        let object = unsafe {
            match algorithm {
                "chacha20" => (api.chacha20)(),
                "chacha20-poly1305" => (api.chacha20_poly1305)(inverse),
                "xchacha20-poly1305" => (api.xchacha20_poly1305)(inverse),
                _ => (api.threefish512)(inverse),
            }
        };
        Object::new(api, nonce, object)
    };
    let (version, backend) = (version(api), make(false).provider());
    let about = |how_to_use| About {
        name: "crypto++ (installed)",
        library: "Crypto++",
        version: &version,
        backend: &backend,
        labels: &[Label::ConstantTime, Label::Ffi, Label::Installed],
        how_to_use,
    };
    match algorithm {
        "chacha20" => {
            let about = about("ChaChaTLS::Encryption once; SetKeyWithIV, ProcessData on one object");
            roster.op(contest, &about, move |_| {
                let mut object = make(false);
                Op::fill(move |message, encrypted| object.stream(message, encrypted))
            });
        }
        "threefish512" => {
            let about = about("Threefish512::Encryption: SetKey, ProcessBlock");
            enter_threefish(contest, roster, &about, make);
        }
        _ => {
            let about =
                about("an Encryption or Decryption once; SetKeyWithIV, EncryptAndAuthenticate or DecryptAndVerify");
            enter_aead(contest, roster, &about, make);
        }
    }
}

/// 870 is 8.7.0.
fn version(api: &Api) -> String {
    // SAFETY: it takes nothing.
    let version = unsafe { (api.version)() };
    format!("{}.{}.{}", version / 100, version / 10 % 10, version % 10)
}

/// An object of Crypto++.
struct Object {
    api: &'static Api,
    object: NonNull<c_void>,
    nonce: &'static [u8],
}
// SAFETY: the object is ours alone; Crypto++ does not tie it to a thread.
unsafe impl Send for Object {}

impl Object {
    fn new(api: &'static Api, nonce: &'static [u8], object: *mut c_void) -> Self {
        Self { api, object: NonNull::new(object).expect("Crypto++ has memory for an object"), nonce }
    }

    /// Which code it takes: `AVX2`, `SSE2`, `C++`.
    fn provider(&self) -> String {
        let mut name = [0; 64];
        // SAFETY: the object is alive; it writes a NUL if it says that it could, and no more than the array has.
        unsafe {
            if (self.api.provider)(self.object.as_ptr(), name.as_mut_ptr(), name.len()) {
                text(name.as_ptr())
            } else {
                "unknown".to_string()
            }
        }
    }

    fn stream(&mut self, message: &[u8], encrypted: &mut [u8]) {
        assert_eq!(message.len(), encrypted.len(), "it writes as much as it reads");
        // SAFETY: the object is a stream cipher; pointers and length are those of slices; key and nonce have 32 and 12
        // bytes.
        let done = unsafe {
            let (object, from, to) = (self.object.as_ptr(), message.as_ptr(), encrypted.as_mut_ptr());
            (self.api.stream)(object, KEY256.as_ptr(), NONCE.as_ptr(), from, to, message.len())
        };
        assert!(done, "Crypto++ refused a message");
    }
}

impl Aead for Object {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        let (encrypted, tag) = split_mut(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the ciphertext");
        // SAFETY: the object is an AEAD that seals; pointers and lengths are those of slices; the key has 32 bytes, the
        // tag 16, and the nonce is that of this AEAD.
        let done = unsafe {
            (self.api.seal)(
                self.object.as_ptr(),
                KEY256.as_ptr(),
                self.nonce.as_ptr(),
                AAD.as_ptr(),
                AAD.len(),
                message.as_ptr(),
                encrypted.as_mut_ptr(),
                message.len(),
                tag.as_mut_ptr(),
            )
        };
        assert!(done, "Crypto++ refused to seal");
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) {
        let (encrypted, tag) = split(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the message");
        // SAFETY: as above, for an AEAD that opens.
        let done = unsafe {
            (self.api.open)(
                self.object.as_ptr(),
                KEY256.as_ptr(),
                self.nonce.as_ptr(),
                AAD.as_ptr(),
                AAD.len(),
                encrypted.as_ptr(),
                message.as_mut_ptr(),
                message.len(),
                tag.as_ptr(),
            )
        };
        assert!(done, "Crypto++ refused a tag that is right");
    }
}

impl Threefish for Object {
    fn set_key(&mut self, key: &[u8]) {
        assert_eq!(key.len(), BLOCK, "a key of 64 bytes");
        // SAFETY: the object is a Threefish-512; the key has 64 bytes, the tweak 16.
        let done = unsafe { (self.api.block_key)(self.object.as_ptr(), key.as_ptr(), TWEAK.as_ptr()) };
        assert!(done, "Crypto++ refused a key");
    }

    fn blocks(&mut self, from: Option<&[u8]>, to: &mut [u8]) {
        let (from, blocks) = (source(from, to), to.len() / BLOCK);
        // SAFETY: the object is a Threefish-512; as many blocks as fit can be read at `from` and written at `to`.
        let done = unsafe { (self.api.blocks)(self.object.as_ptr(), from, to.as_mut_ptr(), blocks) };
        assert!(done, "Crypto++ refused blocks");
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: made by this table, destroyed once.
        unsafe { (self.api.destroy)(self.object.as_ptr()) };
    }
}
