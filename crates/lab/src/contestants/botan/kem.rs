//! ML-KEM: a key is an object, and an operation on it another. A generator of ours gives encapsulation its randomness.

use super::Libbotan;
use crate::contest::{Contest, Label};
use crate::contestants::Roster;
use crate::contestants::ffi::c_api;
use crate::contests::kem::{FixedPair, KeptKeys, MESSAGE, SECRET, SEEDS, TypedKeys, params};
use std::cell::OnceCell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{self, NonNull};

/// Fills so many bytes.
type Fill = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int;
/// Takes so many bytes in.
type View = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;
/// Ends an object.
type Destroy = unsafe extern "C" fn(*mut c_void) -> c_int;

c_api! {
    /// The part of Botan's C interface that ML-KEM needs; there from 3.6 on.
    pub(super) struct FfiKem linked by "botan" {
        fn botan_privkey_load_ml_kem(key: *mut *mut c_void, bytes: *const u8, len: usize, set: *const c_char) -> c_int;
        fn botan_pubkey_load_ml_kem(key: *mut *mut c_void, bytes: *const u8, len: usize, set: *const c_char) -> c_int;
        fn botan_privkey_destroy(key: *mut c_void) -> c_int;
        fn botan_pubkey_destroy(key: *mut c_void) -> c_int;
        fn botan_privkey_export_pubkey(public: *mut *mut c_void, key: *mut c_void) -> c_int;
        fn botan_pubkey_view_raw(key: *mut c_void, context: *mut c_void, view: View) -> c_int;
        fn botan_rng_init_custom(
            rng: *mut *mut c_void,
            name: *const c_char,
            context: *mut c_void,
            fill: Fill,
            feed: Option<View>,
            destroy: Option<unsafe extern "C" fn(*mut c_void)>,
        ) -> c_int;
        fn botan_rng_destroy(rng: *mut c_void) -> c_int;
        fn botan_pk_op_kem_encrypt_create(op: *mut *mut c_void, key: *mut c_void, kdf: *const c_char) -> c_int;
        fn botan_pk_op_kem_encrypt_destroy(op: *mut c_void) -> c_int;
        fn botan_pk_op_kem_encrypt_create_shared_key(
            op: *mut c_void,
            rng: *mut c_void,
            salt: *const u8,
            salt_len: usize,
            wanted_len: usize,
            secret: *mut u8,
            secret_len: *mut usize,
            sent: *mut u8,
            sent_len: *mut usize,
        ) -> c_int;
        fn botan_pk_op_kem_decrypt_create(op: *mut *mut c_void, key: *mut c_void, kdf: *const c_char) -> c_int;
        fn botan_pk_op_kem_decrypt_destroy(op: *mut c_void) -> c_int;
        fn botan_pk_op_kem_decrypt_shared_key(
            op: *mut c_void,
            salt: *const u8,
            salt_len: usize,
            sent: *const u8,
            sent_len: usize,
            wanted_len: usize,
            secret: *mut u8,
            secret_len: *mut usize,
        ) -> c_int;
    }
}

/// The secret as it is, without a derivation.
const RAW: &CStr = c"Raw";

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libbotan) {
    let name = params(contest).map(|params| CString::new(params.name()).expect("a name without NUL"));
    let Some(name) = name.filter(|name| name.to_bytes().starts_with(b"ML-KEM")) else { return };
    let has = |ffi: &&'static FfiKem| OfSet::new(ffi, &name).load(&[0; SEEDS]).is_some();
    let Some(ffi) = library.kem.as_ref().filter(has) else { return library.absent(roster, &name) };
    if contest.job().ends_with("keygen") {
        return roster.absent(library.name, "Botan gives no decapsulation key in FIPS 203's own form");
    }
    let how_to_use = "botan_pubkey_load_ml_kem, botan_pk_op_kem_encrypt_create_shared_key; botan_privkey_load_ml_kem, \
                      botan_pk_op_kem_decrypt_shared_key";
    let labels = library.labels(Label::ConstantTime);
    let about = library.about("C++", &labels, how_to_use);
    roster.kem(contest, &about, move |_| OfSet::new(ffi, &name));
}

/// An object of Botan's, with what ends it.
struct Object(NonNull<c_void>, Destroy);
// SAFETY: the object is ours alone; Botan does not tie it to a thread.
unsafe impl Send for Object {}

impl Object {
    /// None if `make` answers that it could not.
    fn new(destroy: Destroy, make: impl FnOnce(&mut *mut c_void) -> c_int) -> Option<Self> {
        let mut object = ptr::null_mut();
        let error = make(&mut object);
        Some(Self(NonNull::new(object).filter(|_| error == 0)?, destroy))
    }

    fn as_ptr(&self) -> *mut c_void {
        self.0.as_ptr()
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: its own end, once.
        unsafe { (self.1)(self.as_ptr()) };
    }
}

/// A parameter set.
struct OfSet {
    ffi: &'static FfiKem,
    name: CString,
    /// What gives `message` out. It points there, and ends first.
    rng: Object,
    message: Box<[u8; MESSAGE]>,
}

/// Gives out the message of a [`OfSet`].
unsafe extern "C" fn give(message: *mut c_void, output: *mut u8, len: usize) -> c_int {
    if len != MESSAGE {
        return -1;
    }
    // SAFETY: `message` is that of a living `OfSet`, and `output` has room for as much.
    unsafe { ptr::copy_nonoverlapping(message.cast::<u8>().cast_const(), output, len) };
    0
}

/// Copies what is to be seen into a `Vec<u8>`.
unsafe extern "C" fn copy(copy: *mut c_void, bytes: *const u8, len: usize) -> c_int {
    // SAFETY: `copy` is a living vector that nobody else uses; `bytes` are so many.
    unsafe { (*copy.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(bytes, len)) };
    0
}

impl OfSet {
    fn new(ffi: &'static FfiKem, name: &CStr) -> Self {
        let mut message = Box::new([0; MESSAGE]);
        let context = message.as_mut_ptr().cast();
        let rng = Object::new(ffi.botan_rng_destroy, |rng| {
            // SAFETY: `rng` is a place for the object; the message outlives it; none takes entropy or is told of the end.
            unsafe { (ffi.botan_rng_init_custom)(rng, c"message".as_ptr(), context, give, None, None) }
        });
        Self { ffi, name: name.to_owned(), rng: rng.expect("Botan takes any generator"), message }
    }

    /// A private key of seeds or of FIPS 203's own form; None if this Botan has no ML-KEM.
    fn load(&self, bytes: &[u8]) -> Option<Object> {
        Object::new(self.ffi.botan_privkey_destroy, |key| {
            // SAFETY: `key` is a place for the object; pointer and length are those of a slice; the name ends in NUL.
            unsafe { (self.ffi.botan_privkey_load_ml_kem)(key, bytes.as_ptr(), bytes.len(), self.name.as_ptr()) }
        })
    }
}

/// A private key, and what decapsulates with it once it has been asked to.
struct Pair {
    /// It ends before the key.
    opener: OnceCell<Object>,
    key: Object,
}

impl Pair {
    fn new(key: Option<Object>) -> Self {
        Self { opener: OnceCell::new(), key: key.expect("Botan takes a good key") }
    }
}

/// An encapsulation key, as what encapsulates to it. It ends before the key.
struct Key {
    sender: Object,
    _key: Object,
}

impl KeptKeys for OfSet {
    type Pair = Pair;
    type Key = Key;

    fn pair(&mut self, pair: &FixedPair) -> Pair {
        self.generate(&pair.seeds)
    }

    fn key(&mut self, ek: &[u8]) -> Key {
        let ffi = self.ffi;
        let key = Object::new(ffi.botan_pubkey_destroy, |key| {
            // SAFETY: `key` is a place for the object; pointer and length are those of a slice; the name ends in NUL.
            unsafe { (ffi.botan_pubkey_load_ml_kem)(key, ek.as_ptr(), ek.len(), self.name.as_ptr()) }
        });
        let key = key.expect("Botan takes a good key");
        let sender = Object::new(ffi.botan_pk_op_kem_encrypt_destroy, |op| {
            // SAFETY: `op` is a place for the object; the key is alive; the name ends in NUL.
            unsafe { (ffi.botan_pk_op_kem_encrypt_create)(op, key.as_ptr(), RAW.as_ptr()) }
        });
        Key { sender: sender.expect("Botan encapsulates to a key"), _key: key }
    }

    fn encapsulate(&mut self, key: &Key, m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        *self.message = *m;
        let (mut sent_len, mut secret_len) = (sent.len(), secret.len());
        // SAFETY: the objects are alive; pointers and lengths are those of slices; there is no salt.
        let error = unsafe {
            (self.ffi.botan_pk_op_kem_encrypt_create_shared_key)(
                key.sender.as_ptr(),
                self.rng.as_ptr(),
                ptr::null(),
                0,
                SECRET,
                secret.as_mut_ptr(),
                &mut secret_len,
                sent.as_mut_ptr(),
                &mut sent_len,
            )
        };
        assert!(error == 0 && (sent_len, secret_len) == (sent.len(), SECRET), "Botan refused to encapsulate");
    }

    fn decapsulate(&mut self, pair: &Pair, sent: &[u8], secret: &mut [u8; SECRET]) {
        let ffi = self.ffi;
        let opener = pair.opener.get_or_init(|| {
            let opener = Object::new(ffi.botan_pk_op_kem_decrypt_destroy, |op| {
                // SAFETY: `op` is a place for the object; the key is alive; the name ends in NUL.
                unsafe { (ffi.botan_pk_op_kem_decrypt_create)(op, pair.key.as_ptr(), RAW.as_ptr()) }
            });
            opener.expect("Botan decapsulates with a key")
        });
        let mut len = secret.len();
        // SAFETY: the object is alive; pointers and lengths are those of slices; there is no salt.
        let error = unsafe {
            (ffi.botan_pk_op_kem_decrypt_shared_key)(
                opener.as_ptr(),
                ptr::null(),
                0,
                sent.as_ptr(),
                sent.len(),
                SECRET,
                secret.as_mut_ptr(),
                &mut len,
            )
        };
        assert!(error == 0 && len == SECRET, "Botan refused to decapsulate");
    }
}

impl TypedKeys for OfSet {
    fn generate(&mut self, seeds: &[u8; SEEDS]) -> Pair {
        Pair::new(self.load(seeds))
    }

    fn write_key(&mut self, pair: &Pair, ek: &mut [u8]) {
        let ffi = self.ffi;
        let public = Object::new(ffi.botan_pubkey_destroy, |key| {
            // SAFETY: `key` is a place for the object; the private key is alive.
            unsafe { (ffi.botan_privkey_export_pubkey)(key, pair.key.as_ptr()) }
        });
        let public = public.expect("a private key has a public one");
        let mut bytes = Vec::with_capacity(ek.len());
        // SAFETY: the key is alive; the vector is what `copy` asks for.
        let error = unsafe { (ffi.botan_pubkey_view_raw)(public.as_ptr(), (&raw mut bytes).cast(), copy) };
        assert_eq!(error, 0, "Botan refused to write a key");
        ek.copy_from_slice(&bytes);
    }

    fn write_pair(&mut self, _: &Pair, _: &mut [u8]) {
        unreachable!("it does not enter where that is asked for")
    }

    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        let pair = Pair::new(self.load(dk));
        self.decapsulate(&pair, sent, secret);
    }
}
