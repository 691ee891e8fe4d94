//! How a KEM enters, by what its keys are.

use super::{About, Roster};
use crate::contest::{Contest, Contestant, Label};
use crate::contests::kem::{BytesKeys, Kem, OnBytes, op, params};
use fairlane_reference::kem::Params;

impl Roster {
    /// Enters a KEM with types for its keys, in a batch one by one.
    pub(super) fn kem<K: Kem>(
        &mut self,
        contest: &Contest,
        about: &About,
        make: impl Fn(Params) -> K + Send + Sync + 'static,
    ) -> &mut Contestant {
        let params = params(contest).expect("a contest of a KEM");
        let (job, batch) = (contest.job(), contest.batch);
        let contestant = self.op(contest, about, move |size| op(params, job, size, make(params)));
        if batch {
            contestant.label(Label::OneByOne);
        }
        contestant
    }

    /// Enters a KEM whose keys are bytes.
    pub(super) fn kem_on_bytes<K: BytesKeys>(
        &mut self,
        contest: &Contest,
        about: &About,
        make: impl Fn(Params) -> K + Send + Sync + 'static,
    ) -> &mut Contestant {
        let contestant = self.kem(contest, about, move |params| OnBytes::new(params, make(params)));
        if contest.job().ends_with("-prepared") {
            contestant.label(Label::KeyNotPrepared);
        }
        contestant
    }
}
