//! The Crypto++ that this binary links: one object for all messages.

use crate::contest::{Algorithm, Contest, Label, Operation};
use crate::contestants::c_cipher::{
    Aead, BlockCipher, Mode, enter_aead, enter_block_cipher, nonce, pointers, split, split_mut,
};
use crate::contestants::ffi::text;
use crate::contestants::{About, Roster};
use crate::inputs::Given;
use crate::inputs::aead::AAD;
use crate::inputs::arx::{KEY256, NONCE};
use crate::inputs::sm4::BLOCK;
use fairlane_cryptopp::Api;
use fairlane_reference::kalyna::Variant;
use std::ffi::c_void;
use std::ptr::{self, NonNull};

pub(super) fn enter(contest: &Contest, roster: &mut Roster, api: &'static Api) {
    let (algorithm, mode) = (contest.algorithm(), Mode::of(contest));
    let make = move |inverse| {
        // SAFETY: each makes an object of its own.
        let object = unsafe {
            match (algorithm, mode) {
                (Algorithm::ChaCha20, _) => (api.chacha20)(),
                (Algorithm::ChaCha20Poly1305, _) => (api.chacha20_poly1305)(inverse),
                (Algorithm::XChaCha20Poly1305, _) => (api.xchacha20_poly1305)(inverse),
                (Algorithm::Sm3, _) => (api.sm3)(),
                (Algorithm::Kalyna(Variant::K128_128 | Variant::K128_256), _) => (api.kalyna128)(inverse),
                (Algorithm::Kalyna(Variant::K256_256 | Variant::K256_512), _) => (api.kalyna256)(inverse),
                (Algorithm::Kalyna(Variant::K512_512), _) => (api.kalyna512)(inverse),
                (Algorithm::Sm4, Mode::Ecb) => (api.sm4)(inverse),
                (Algorithm::Sm4, Mode::Cbc) => (api.sm4_cbc)(inverse),
                (Algorithm::Sm4, Mode::Ctr) => (api.sm4_ctr)(),
                (Algorithm::Sm4, Mode::Xts) => (api.sm4_xts)(),
                (Algorithm::Sm4, Mode::Gcm) => (api.sm4_gcm)(inverse),
                _ => (api.threefish512)(inverse),
            }
        };
        Object::new(api, object)
    };
    let version = version(api);
    let (backend, time) = match (algorithm, make(false).provider().as_str()) {
        (Algorithm::Sm4, "C++") => ("C++, table look-ups".to_string(), Label::NotConstantTime),
        // Its sources take these instructions for four blocks or more, and to encrypt only.
        (Algorithm::Sm4, provider) => {
            (format!("{provider} for many blocks, else C++, table look-ups"), Label::NotConstantTime)
        }
        (Algorithm::Kalyna(_), provider) => (format!("{provider}, table look-ups"), Label::NotConstantTime),
        (_, provider) => (provider.to_string(), Label::ConstantTime),
    };
    let labels = [time, Label::Ffi, Label::Installed];
    let about = |how_to_use| About {
        name: "crypto++ (installed)",
        library: "Crypto++",
        version: &version,
        backend: &backend,
        labels: &labels,
        how_to_use,
    };
    match (algorithm, mode) {
        (Algorithm::ChaCha20, _) => {
            let about = about("ChaChaTLS::Encryption once; SetKeyWithIV, ProcessData on one object");
            roster.operation(contest, &about, move |_| {
                let mut object = make(false);
                Operation::to_output(move |message, encrypted| {
                    object.stream(Some(&*KEY256), &*NONCE, Some(message), encrypted)
                })
            });
        }
        (Algorithm::Sm3, _) => {
            roster.hash_with(contest, &about("SM3 once; CalculateDigest on one object"), move || {
                let mut object = make(false);
                move |message: &[u8], digest: &mut [u8]| object.hash(message, digest)
            });
        }
        (Algorithm::Sm4, Mode::Gcm) => {
            let about = about("GCM<SM4>, SetKeyWithIV once; EncryptAndAuthenticate or DecryptAndVerify");
            enter_aead(contest, roster, &about, move |open| {
                let mut object = make(open);
                object.set_key(&mode.sm4_key());
                object
            });
        }
        (Algorithm::Sm4, Mode::Cbc | Mode::Ctr | Mode::Xts) => {
            let about = about("CBC_Mode, CTR_Mode or XTS of SM4, SetKeyWithIV once; Resynchronize, ProcessData");
            enter_block_cipher(contest, roster, &about, make);
        }
        (Algorithm::Sm4, Mode::Ecb) => {
            let about = about("SM4::Encryption, SetKey; AdvancedProcessBlocks, of one block ProcessBlock");
            enter_block_cipher(contest, roster, &about, make);
        }
        (Algorithm::Threefish512, _) => {
            let about = about("Threefish512::Encryption, SetKey; AdvancedProcessBlocks, of one block ProcessBlock");
            enter_block_cipher(contest, roster, &about, make);
        }
        (Algorithm::Kalyna(_), _) => {
            let about =
                about("Kalyna128::Encryption and so on, SetKey; AdvancedProcessBlocks, of one block ProcessBlock");
            enter_block_cipher(contest, roster, &about, make);
        }
        _ => {
            let about =
                about("an Encryption or Decryption once; SetKeyWithIV, EncryptAndAuthenticate or DecryptAndVerify");
            let nonce = nonce(contest);
            enter_aead(contest, roster, &about, move |open| {
                let mut object = make(open);
                object.key = Some(KEY256.given());
                object.nonce = nonce;
                object
            });
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
    /// The key that a message of an AEAD begins with, unless one was set before, and its nonce.
    key: Option<Given>,
    nonce: Given,
}
// SAFETY: the object is ours alone; Crypto++ does not tie it to a thread.
unsafe impl Send for Object {}

impl Object {
    fn new(api: &'static Api, object: *mut c_void) -> Self {
        let object = NonNull::new(object).expect("Crypto++ has memory for an object");
        Self { api, object, key: None, nonce: NONCE.given() }
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

    /// Processes a message of a stream cipher or of a mode.
    fn stream(&mut self, key: Option<&[u8]>, nonce: &[u8], from: Option<&[u8]>, to: &mut [u8]) {
        let len = to.len();
        let (from, to) = pointers(from, to);
        // SAFETY: the object is a stream cipher, whose key and nonce have these lengths; as many bytes can be read and
        // written.
        let done = unsafe { (self.api.stream)(self.object.as_ptr(), pointer(key), nonce.as_ptr(), from, to, len) };
        assert!(done, "Crypto++ refused a message");
    }

    fn hash(&mut self, message: &[u8], digest: &mut [u8]) {
        assert_eq!(digest.len(), 32, "SM3 has 32 bytes");
        // SAFETY: the object is a hash of 32 bytes; pointer and length are those of a slice.
        let done =
            unsafe { (self.api.hash)(self.object.as_ptr(), message.as_ptr(), message.len(), digest.as_mut_ptr()) };
        assert!(done, "Crypto++ refused to hash");
    }
}

/// Null for none.
fn pointer(bytes: Option<&[u8]>) -> *const u8 {
    bytes.map_or(ptr::null(), <[u8]>::as_ptr)
}

impl Aead for Object {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        let (encrypted, tag) = split_mut(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the ciphertext");
        // SAFETY: the object is an AEAD that seals; pointers and lengths are those of slices; key and nonce are as long
        // as this AEAD has them, the tag 16 bytes.
        let done = unsafe {
            (self.api.seal)(
                self.object.as_ptr(),
                pointer(self.key.map(Given::get)),
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

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) -> bool {
        let (encrypted, tag) = split(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the message");
        // SAFETY: as above, for an AEAD that opens.
        unsafe {
            (self.api.open)(
                self.object.as_ptr(),
                pointer(self.key.map(Given::get)),
                self.nonce.as_ptr(),
                AAD.as_ptr(),
                AAD.len(),
                encrypted.as_ptr(),
                message.as_mut_ptr(),
                message.len(),
                tag.as_ptr(),
            )
        }
    }
}

impl BlockCipher for Object {
    fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the object is a cipher; pointer and length are those of a slice.
        let done = unsafe { (self.api.key)(self.object.as_ptr(), key.as_ptr(), key.len()) };
        assert!(done, "Crypto++ refused a key");
    }

    fn process(&mut self, iv: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        if let Some(iv) = iv {
            return self.stream(None, iv, from, to);
        }
        let len = to.len();
        let (from, to) = pointers(from, to);
        // SAFETY: without an IV the object is a block cipher; as many bytes can be read and written.
        let done = unsafe { (self.api.blocks)(self.object.as_ptr(), from, to, len) };
        assert!(done, "Crypto++ refused blocks");
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: made by this table, destroyed once.
        unsafe { (self.api.destroy)(self.object.as_ptr()) };
    }
}
