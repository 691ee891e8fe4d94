//! `GmSSL` 3, if it is installed; found at run time.
//!
//! Its functions differ from release to release, so only releases whose headers are known race. 3.0 and 3.1 take single
//! blocks only.

use super::c_cipher::{Aead, BlockCipher, Mode, enter_aead, enter_block_cipher, pointers, split, split_mut};
use super::ffi::{c_api, open, symbol, text};
use super::{About, Roster};
use crate::contest::{Algorithm, Contest, Label};
use crate::inputs::aead::{AAD, TAG};
use crate::inputs::arx::NONCE;
use crate::inputs::sm4::BLOCK;
use libloading::Library;
use std::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;

c_api! {
    /// What `GmSSL` says of itself.
    struct Says {
        fn gmssl_version_num() -> c_int;
        fn gmssl_version_str() -> *const c_char;
    }
}

c_api! {
    /// What is the same in all releases from 3.0 to 3.2. The counter of CTR is changed; GCM answers 1.
    struct Common {
        fn sm3_init(ctx: *mut c_void);
        fn sm3_update(ctx: *mut c_void, data: *const u8, len: usize);
        fn sm3_finish(ctx: *mut c_void, digest: *mut u8);
        fn sm4_set_encrypt_key(round_keys: *mut RoundKeys, key: *const u8);
        fn sm4_set_decrypt_key(round_keys: *mut RoundKeys, key: *const u8);
        fn sm4_encrypt(round_keys: *const RoundKeys, from: *const u8, to: *mut u8);
        fn sm4_ctr_encrypt(round_keys: *const RoundKeys, counter: *mut u8, from: *const u8, len: usize, to: *mut u8);
        fn sm4_gcm_encrypt(
            round_keys: *const RoundKeys,
            iv: *const u8,
            iv_len: usize,
            aad: *const u8,
            aad_len: usize,
            from: *const u8,
            len: usize,
            to: *mut u8,
            tag_len: usize,
            tag: *mut u8,
        ) -> c_int;
        fn sm4_gcm_decrypt(
            round_keys: *const RoundKeys,
            iv: *const u8,
            iv_len: usize,
            aad: *const u8,
            aad_len: usize,
            from: *const u8,
            len: usize,
            tag: *const u8,
            tag_len: usize,
            to: *mut u8,
        ) -> c_int;
    }
}

/// `SM4_KEY`: the round keys in the order in which they are used.
type RoundKeys = [u32; 32];
/// CBC of so many blocks. The IV may be changed.
type Cbc = unsafe extern "C" fn(*const RoundKeys, *mut u8, *const u8, usize, *mut u8);
/// `sm4_encrypt_blocks`.
type Blocks = unsafe extern "C" fn(*const RoundKeys, *const u8, usize, *mut u8);

const NAME: &str = "GmSSL (installed)";

/// What it takes unless its builder asked for something else; it does not say.
const C: &str = "C, unless built otherwise";
const TABLES: &str = "C, table look-ups, unless built otherwise";

/// The library, and what it says of itself.
struct Gmssl {
    version: String,
    common: Common,
    cbc_encrypt: Cbc,
    cbc_decrypt: Cbc,
    /// There from 3.2 on.
    blocks: Option<Blocks>,
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    if !matches!(contest.algorithm(), Algorithm::Sm3 | Algorithm::Sm4) {
        return;
    }
    let Some(gmssl) = roster.found(NAME, installed()) else { return };
    let about = |backend, labels, how_to_use| About {
        name: "gmssl (installed)",
        library: "GmSSL",
        version: &gmssl.version,
        backend,
        labels,
        how_to_use,
    };
    let constant_time = &[Label::ConstantTime, Label::Ffi, Label::Installed];
    let not_constant_time = &[Label::NotConstantTime, Label::Ffi, Label::Installed];
    match (contest.algorithm(), Mode::of(contest)) {
        (Algorithm::Sm3, _) => {
            let about = about(C, constant_time, "sm3_init, sm3_update, sm3_finish");
            roster.hash_with(contest, &about, move || {
                // `SM3_CTX` is eight u32, a u64, 64 bytes and a size.
                let mut ctx = [0_u64; 16];
                move |message: &[u8], digest: &mut [u8]| hash(&gmssl.common, &mut ctx, message, digest)
            });
        }
        (_, Mode::Xts) => roster.absent(NAME, "its SM4-XTS, from 3.2 on, has the tweak order of GB/T 17964"),
        (_, Mode::Gcm) => {
            let about =
                about(TABLES, not_constant_time, "sm4_set_encrypt_key once; sm4_gcm_encrypt or sm4_gcm_decrypt");
            enter_aead(contest, roster, &about, move |_| Sm4::new(gmssl, Mode::Gcm, false));
        }
        (_, mode) => {
            let about = about(
                TABLES,
                not_constant_time,
                "sm4_set_encrypt_key or sm4_set_decrypt_key once; one function a mode",
            );
            enter_block_cipher(contest, roster, &about, move |decrypt| Sm4::new(gmssl, mode, decrypt));
        }
    }
}

/// The machine's own, looked for once.
fn installed() -> &'static Result<Gmssl, String> {
    static FOUND: OnceLock<Result<Gmssl, String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let library = open(["libgmssl.so.3", "libgmssl.3.dylib", "gmssl.dll"])
            .ok_or("no libgmssl.so.3 that the loader finds; github.com/guanzhi/GmSSL builds it with cmake")?;
        // SAFETY: GmSSL 3 has these functions, with the types of version.h; the second returns a static string.
        let (number, version) = unsafe {
            let says = Says::load(library)?;
            ((says.gmssl_version_num)(), text((says.gmssl_version_str)()))
        };
        let version = version.trim_start_matches("GmSSL ").to_string();
        // SAFETY: these are the functions of the release, with the types of its sm3.h and sm4.h.
        unsafe {
            match number {
                30000..=30199 => Gmssl::load(library, version, "sm4_cbc_encrypt", "sm4_cbc_decrypt"),
                30200..=30299 => Gmssl::load(library, version, "sm4_cbc_encrypt_blocks", "sm4_cbc_decrypt_blocks"),
                _ => Err(format!("GmSSL {version} was found, but only 3.0 to 3.2 are known here")),
            }
        }
    })
}

impl Gmssl {
    /// # Safety
    /// The library's functions are of these types.
    unsafe fn load(library: &'static Library, version: String, encrypt: &str, decrypt: &str) -> Result<Self, String> {
        // SAFETY: by the caller's promise.
        unsafe {
            Ok(Self {
                version,
                common: Common::load(library)?,
                cbc_encrypt: symbol(library, encrypt)?,
                cbc_decrypt: symbol(library, decrypt)?,
                blocks: symbol(library, "sm4_encrypt_blocks").ok(),
            })
        }
    }
}

fn hash(api: &Common, ctx: &mut [u64; 16], message: &[u8], digest: &mut [u8]) {
    assert_eq!(digest.len(), 32, "SM3 has 32 bytes");
    let ctx = ctx.as_mut_ptr().cast();
    // SAFETY: there is room for the context; pointers and lengths are those of slices.
    unsafe {
        (api.sm3_init)(ctx);
        (api.sm3_update)(ctx, message.as_ptr(), message.len());
        (api.sm3_finish)(ctx, digest.as_mut_ptr());
    }
}

/// SM4 with its key, in a mode and a direction.
struct Sm4 {
    gmssl: &'static Gmssl,
    mode: Mode,
    decrypt: bool,
    round_keys: RoundKeys,
}

impl Sm4 {
    fn new(gmssl: &'static Gmssl, mode: Mode, decrypt: bool) -> Self {
        let mut cipher = Self { gmssl, mode, decrypt, round_keys: [0; 32] };
        cipher.set_key(&mode.sm4_key());
        cipher
    }
}

impl BlockCipher for Sm4 {
    fn set_key(&mut self, key: &[u8]) {
        let api = &self.gmssl.common;
        assert_eq!(key.len(), BLOCK, "a key of 16 bytes");
        let set_key = if self.decrypt { api.sm4_set_decrypt_key } else { api.sm4_set_encrypt_key };
        // SAFETY: the key has 16 bytes, and there is room for its round keys.
        unsafe { set_key(&mut self.round_keys, key.as_ptr()) };
    }

    fn process(&mut self, iv: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        let (api, len, keys) = (&self.gmssl.common, to.len(), &self.round_keys);
        let (from, to) = pointers(from, to);
        let mut iv = iv.copied().unwrap_or_default();
        // SAFETY: as many bytes can be read and written, whole blocks unless in CTR; keys and IV are alive.
        unsafe {
            match self.mode {
                Mode::Cbc if self.decrypt => (self.gmssl.cbc_decrypt)(keys, iv.as_mut_ptr(), from, len / BLOCK, to),
                Mode::Cbc => (self.gmssl.cbc_encrypt)(keys, iv.as_mut_ptr(), from, len / BLOCK, to),
                Mode::Ctr => (api.sm4_ctr_encrypt)(keys, iv.as_mut_ptr(), from, len, to),
                _ => match self.gmssl.blocks {
                    Some(blocks) => blocks(keys, from, len / BLOCK, to),
                    None => (0..len).step_by(BLOCK).for_each(|at| (api.sm4_encrypt)(keys, from.add(at), to.add(at))),
                },
            }
        }
    }
}

impl Aead for Sm4 {
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]) {
        let (encrypted, tag) = split_mut(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the ciphertext");
        // SAFETY: pointers and lengths are those of slices; the round keys are set.
        let done = unsafe {
            (self.gmssl.common.sm4_gcm_encrypt)(
                &self.round_keys,
                NONCE.as_ptr(),
                NONCE.len(),
                AAD.as_ptr(),
                AAD.len(),
                message.as_ptr(),
                message.len(),
                encrypted.as_mut_ptr(),
                TAG,
                tag.as_mut_ptr(),
            )
        };
        assert_eq!(done, 1, "GmSSL refused to seal");
    }

    fn open(&mut self, sealed: &[u8], message: &mut [u8]) -> bool {
        let (encrypted, tag) = split(sealed);
        assert_eq!(message.len(), encrypted.len(), "room for the message");
        // SAFETY: as above.
        let done = unsafe {
            (self.gmssl.common.sm4_gcm_decrypt)(
                &self.round_keys,
                NONCE.as_ptr(),
                NONCE.len(),
                AAD.as_ptr(),
                AAD.len(),
                encrypted.as_ptr(),
                encrypted.len(),
                tag.as_ptr(),
                TAG,
                message.as_mut_ptr(),
            )
        };
        done == 1
    }
}
