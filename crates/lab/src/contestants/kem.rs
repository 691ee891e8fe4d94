//! How a KEM enters: a library implements [`Kem`] if its keys are bytes (`liboqs.rs`), or [`KemObjects`] if they are
//! objects (`ml_kem.rs`, `aws_lc/kem.rs`). The jobs follow from that.

pub(super) use crate::contests::kem::{Kem, KemObjects};
pub(super) use crate::inputs::kem::{MESSAGE, SECRET, SEEDS};

use super::{About, Roster};
use crate::contest::{Contest, Contestant, Label};
use crate::contests::kem::{on_bytes, with_objects};
use fairlane_reference::kem::Params;
use std::cell::OnceCell;
use std::ffi::{CStr, c_int};

impl Roster {
    /// Enters a KEM whose keys are objects. In a batch it does one after the other.
    pub(super) fn kem<K: KemObjects>(
        &mut self,
        contest: &Contest,
        about: &About,
        make: impl Fn(Params) -> K + Send + Sync + 'static,
    ) -> &mut Contestant {
        let (params, job) = (params(contest), contest.job());
        let contestant = self.operation(contest, about, move |size| with_objects(params, job, size, make(params)));
        if contest.batch {
            contestant.label(Label::OneByOne);
        }
        contestant
    }

    /// Enters a KEM whose keys are bytes. In a batch it does one after the other.
    pub(super) fn kem_on_bytes<K: Kem>(
        &mut self,
        contest: &Contest,
        about: &About,
        make: impl Fn(Params) -> K + Send + Sync + 'static,
    ) -> &mut Contestant {
        let (params, job) = (params(contest), contest.job());
        let contestant = self.operation(contest, about, move |size| on_bytes(params, job, size, make(params)));
        if contest.batch {
            contestant.label(Label::OneByOne);
        }
        if job.is_prepared() {
            contestant.label(Label::KeyNotPrepared);
        }
        contestant
    }
}

fn params(contest: &Contest) -> Params {
    contest.algorithm().params().expect("a contest of a KEM")
}

/// A private key of a C library, and the object that decapsulates with it, which is made when it is first asked for.
pub(crate) struct PrivateKey<T> {
    // Dropped before the key.
    decapsulator: OnceCell<T>,
    pub(super) key: T,
}

impl<T> PrivateKey<T> {
    pub(super) fn new(key: T) -> Self {
        Self { decapsulator: OnceCell::new(), key }
    }

    pub(super) fn decapsulator(&self, make: impl FnOnce(&T) -> T) -> &T {
        self.decapsulator.get_or_init(|| make(&self.key))
    }
}

/// Has a C library write a key as bytes: `write` is given the room and the place of its length, where it leaves how
/// much it wrote, and returns 1.
pub(super) fn write_key(bytes: &mut [u8], write: impl FnOnce(*mut u8, *mut usize) -> c_int) {
    let mut len = bytes.len();
    let done = write(bytes.as_mut_ptr(), &mut len);
    assert!(done == 1 && len == bytes.len(), "the library refused to write a key");
}

/// What C libraries call the parameter set of a contest, if it is of ML-KEM.
pub(super) fn ml_kem_name(contest: &Contest) -> Option<&'static CStr> {
    Some(match contest.algorithm().ml_kem()? {
        Params::ML_KEM_512 => c"ML-KEM-512",
        Params::ML_KEM_768 => c"ML-KEM-768",
        _ => c"ML-KEM-1024",
    })
}
