//! ML-KEM of Botan: a key is an object, and an operation on it another.

use super::fixed_rng::FixedRng;
use super::{Libbotan, Object, Owned, Place};
use crate::contest::{Contest, Job, Label};
use crate::contestants::Roster;
use crate::contestants::ffi::{c_api, copy_to_slice};
use crate::contestants::kem::{KemObjects, MESSAGE, PrivateKey, SECRET, SEEDS, ml_kem_name};
use std::ffi::{CStr, c_char, c_int};
use std::ptr::null;

type Name = *const c_char;
type View = unsafe extern "C" fn(Object, *const u8, usize) -> c_int;
type Destroy = unsafe extern "C" fn(Object) -> c_int;
type Create = unsafe extern "C" fn(Place, Object, Name) -> c_int;

c_api! {
    /// The part of Botan's C interface that ML-KEM needs; there from 3.6 on.
    pub(super) struct FfiKem linked by "botan" {
        fn botan_privkey_load_ml_kem(key: Place, bytes: *const u8, len: usize, set: Name) -> c_int;
        fn botan_pubkey_load_ml_kem(key: Place, bytes: *const u8, len: usize, set: Name) -> c_int;
        fn botan_privkey_destroy(key: Object) -> c_int;
        fn botan_pubkey_destroy(key: Object) -> c_int;
        fn botan_privkey_export_pubkey(public: Place, key: Object) -> c_int;
        fn botan_pubkey_view_raw(key: Object, context: Object, view: View) -> c_int;
        fn botan_pk_op_kem_encrypt_create(op: Place, key: Object, kdf: Name) -> c_int;
        fn botan_pk_op_kem_encrypt_destroy(op: Object) -> c_int;
        fn botan_pk_op_kem_encrypt_create_shared_key(op: Object, rng: Object, salt: *const u8, salt_len: usize,
            wanted: usize, k: *mut u8, k_len: *mut usize, c: *mut u8, c_len: *mut usize) -> c_int;
        fn botan_pk_op_kem_decrypt_create(op: Place, key: Object, kdf: Name) -> c_int;
        fn botan_pk_op_kem_decrypt_destroy(op: Object) -> c_int;
        fn botan_pk_op_kem_decrypt_shared_key(op: Object, salt: *const u8, salt_len: usize, c: *const u8,
            c_len: usize, wanted: usize, k: *mut u8, k_len: *mut usize) -> c_int;
    }
}

pub(super) fn enter(contest: &Contest, roster: &mut Roster, library: &'static Libbotan) {
    let Some(name) = ml_kem_name(contest) else { return };
    let make = library.kem.as_ref().map(|(ffi, rng)| move || MlKem { ffi, rng: FixedRng::new(rng), name });
    let make = make.filter(|make| make().read(&[0; SEEDS]).is_some());
    let Some(make) = make else { return library.absent(roster, name) };
    if let Job::Keygen | Job::BatchKeygen = contest.job() {
        return roster.absent(library.name, "Botan gives no decapsulation key in FIPS 203's own form");
    }
    let how_to_use = "botan_pubkey_load_ml_kem, botan_pk_op_kem_encrypt_create_shared_key; botan_privkey_load_ml_kem, \
                      botan_pk_op_kem_decrypt_shared_key";
    roster.kem(contest, &library.about("C++", &library.labels(Label::ConstantTime), how_to_use), move |_| make());
}

/// A parameter set.
struct MlKem {
    ffi: &'static FfiKem,
    rng: FixedRng<MESSAGE>,
    name: &'static CStr,
}

impl MlKem {
    /// A private key of seeds or of FIPS 203's own form; none if this Botan has no ML-KEM.
    fn read(&self, key: &[u8]) -> Option<Owned> {
        let (load, name) = (self.ffi.botan_privkey_load_ml_kem, self.name.as_ptr());
        // SAFETY: pointer and length are those of a slice; the name ends in NUL; Botan ties no object to a thread.
        unsafe { Owned::made(self.ffi.botan_privkey_destroy, |place| load(place, key.as_ptr(), key.len(), name)) }
    }

    /// The object that encapsulates to a key, or decapsulates with it.
    fn operation(&self, create: Create, destroy: Destroy, key: &Owned) -> Owned {
        // SAFETY: the key is alive; the name ends in NUL; as above.
        unsafe { Owned::made(destroy, |op| create(op, key.as_ptr(), c"Raw".as_ptr())) }.expect("Botan has KEMs")
    }
}

impl KemObjects for MlKem {
    /// The operation that encapsulates, and the key, which ends after it.
    type PublicKey = (Owned, Owned);
    type PrivateKey = PrivateKey<Owned>;

    fn generate(&mut self, seeds: &[u8; SEEDS], mut ek: &mut [u8]) -> PrivateKey<Owned> {
        let (ffi, key) = (self.ffi, self.private_key(seeds));
        // SAFETY: the keys are alive; `copy_to_slice` gets the slice that it asks for; Botan ties no object to a
        // thread.
        let error = unsafe {
            let export = |place| (ffi.botan_privkey_export_pubkey)(place, key.key.as_ptr());
            let public = Owned::made(ffi.botan_pubkey_destroy, export).expect("a private key has a public one");
            (ffi.botan_pubkey_view_raw)(public.as_ptr(), (&raw mut ek).cast(), copy_to_slice)
        };
        assert_eq!(error, 0, "Botan refused to write a key");
        key
    }

    fn public_key(&mut self, ek: &[u8]) -> (Owned, Owned) {
        let (ffi, load, name) = (self.ffi, self.ffi.botan_pubkey_load_ml_kem, self.name.as_ptr());
        // SAFETY: pointer and length are those of a slice; the name ends in NUL; as above.
        let key = unsafe { Owned::made(ffi.botan_pubkey_destroy, |key| load(key, ek.as_ptr(), ek.len(), name)) };
        let key = key.expect("Botan takes a good key");
        (self.operation(ffi.botan_pk_op_kem_encrypt_create, ffi.botan_pk_op_kem_encrypt_destroy, &key), key)
    }

    fn private_key(&mut self, dk: &[u8]) -> PrivateKey<Owned> {
        PrivateKey::new(self.read(dk).expect("Botan takes a good key"))
    }

    fn encapsulate(&mut self, key: &(Owned, Owned), m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let (op, rng, len) = (key.0.as_ptr(), self.rng.giving(m), sent.len());
        let (mut c_len, mut k_len, c, k) = (len, SECRET, sent.as_mut_ptr(), secret.as_mut_ptr());
        let encapsulate = self.ffi.botan_pk_op_kem_encrypt_create_shared_key;
        // SAFETY: the objects are alive; pointers and lengths are those of slices; there is no salt.
        let error = unsafe { encapsulate(op, rng, null(), 0, SECRET, k, &mut k_len, c, &mut c_len) };
        assert!(error == 0 && (c_len, k_len) == (len, SECRET), "Botan refused to encapsulate");
    }

    fn decapsulate(&mut self, key: &PrivateKey<Owned>, sent: &[u8], secret: &mut [u8; SECRET]) {
        let (ffi, mut len, k, c) = (self.ffi, SECRET, secret.as_mut_ptr(), sent.as_ptr());
        let (create, destroy) = (ffi.botan_pk_op_kem_decrypt_create, ffi.botan_pk_op_kem_decrypt_destroy);
        let op = key.decapsulator(|key| self.operation(create, destroy, key));
        let decapsulate = ffi.botan_pk_op_kem_decrypt_shared_key;
        // SAFETY: the object is alive; pointers and lengths are those of slices; there is no salt.
        let error = unsafe { decapsulate(op.as_ptr(), null(), 0, c, sent.len(), SECRET, k, &mut len) };
        assert!(error == 0 && len == SECRET, "Botan refused to decapsulate");
    }
}
