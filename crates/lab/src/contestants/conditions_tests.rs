//! Every entry does inside and outside of what is timed what its contest declares.
//!
//! Keys and IVs are replaced while an operation exists. One that answers as before read them once, outside; one that
//! answers by the new ones reads them every time, inside. The reference, which is there to be read, is not asked.
//!
//! This cannot see an entry that keeps a copy of the key and expands that every time: it would pass for one that has
//! its key outside. Nor does it see dispatch and look-ups inside a library. A key or an IV that is part of the input
//! (`key-schedule`, most jobs of KEMs) needs no test: what is in the input is inside. Contexts show as allocations,
//! which the test `allocations` counts.

use super::{Roster, roster};
use crate::contest::{Algorithm, Contest, Contestant, Job, Label, Operation, Pace, Place, Size};
use crate::contests;
use crate::inputs::fixed::{Use, replaced};
use crate::inputs::sm4::KEY;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn every_contest_declares_its_conditions() {
    for contest in contests::all() {
        let conditions = contest.conditions;
        let known = conditions.places().iter().all(|(_, place)| *place != Place::Unknown);
        assert!(known && conditions.pace != Pace::Unknown, "{}: {conditions:?}", contest.id);
        let message = (conditions.key, conditions.iv) == (Place::None, Place::None);
        assert_eq!(message, matches!(contest.job(), Job::Message | Job::Batch), "{}", contest.id);
    }
}

/// A size at which every backend takes its kernels for few blocks.
fn size(contest: &Contest) -> Size {
    *contest.sizes.iter().min_by_key(|size| size.total()).expect("a contest has a size")
}

/// The answer to an input; none if the operation panics, as it does where it cannot open a message.
fn answer(op: &mut Operation, input: &[u8], len: usize) -> Option<Vec<u8>> {
    catch_unwind(AssertUnwindSafe(|| op.answer(input, vec![0xa5; len]))).ok()
}

/// Where an operation reads a key or an IV: what it answers when that is replaced tells.
fn found(op: &mut Operation, reference: impl Fn() -> Operation, of: Use, input: &[u8], len: usize) -> Place {
    let before = answer(op, input, len);
    let (after, by_the_new) = replaced::with(of, || (answer(op, input, len), answer(&mut reference(), input, len)));
    assert!(before.is_some() && before != by_the_new, "the answer does not depend on it");
    match after {
        after if after == before => Place::Outside,
        after if after == by_the_new => Place::Inside,
        _ => Place::Unknown,
    }
}

/// What the check sees, and what it does not see.
#[test]
fn a_place_is_found() {
    let with = |key: &[u8; 16], to: &mut [u8]| to.copy_from_slice(key);
    let inside = || Operation::to_output(move |_, to| with(&KEY, to));
    assert_eq!(found(&mut inside(), inside, Use::Key, &[0; 16], 16), Place::Inside);
    let key = *KEY;
    let mut outside = Operation::to_output(move |_, to| with(&key, to));
    assert_eq!(found(&mut outside, inside, Use::Key, &[0; 16], 16), Place::Outside);
    // Some of it once, some of it every time.
    let mut mixed = Operation::to_output(move |_, to| {
        with(&key, to);
        to[0] ^= KEY[0];
    });
    assert_eq!(found(&mut mixed, inside, Use::Key, &[0; 16], 16), Place::Unknown);
    // The schedule is made every time, of a copy: this is not seen.
    let mut hidden = Operation::to_output(move |_, to| with(&std::hint::black_box(key), to));
    assert_eq!(found(&mut hidden, inside, Use::Key, &[0; 16], 16), Place::Outside);
}

/// Where the contestant's own code does something that the contest declares for all others.
fn place_of(declared: Place, of: Use, contestant: &Contestant) -> Place {
    let inside = of == Use::Key
        && [Label::KeyScheduleInside, Label::KeyNotPrepared].iter().any(|label| contestant.labels.contains(label));
    if inside { Place::Inside } else { declared }
}

/// Whether the bytes stand in the input.
fn is_in_the_input(contest: &Contest, of: Use) -> bool {
    let job = contest.job();
    let kept = job.is_prepared() || job == Job::BatchDecaps;
    of == Use::Key && (job == Job::KeySchedule || matches!(contest.algorithm(), Algorithm::Kem(_)) && !kept)
}

#[test]
fn keys_and_ivs_are_read_where_the_contest_says() {
    let mut seen = 0;
    for contest in contests::all() {
        let size = size(&contest);
        let (input, len) = (contest.input(size, 1), contest.output_bytes(size));
        for (of, declared) in [(Use::Key, contest.conditions.key), (Use::Iv, contest.conditions.iv)] {
            // Its IVs lie in a list of all messages, made outside; they are set inside.
            let list = contest.job() == Job::CbcEncryptMany && of == Use::Iv;
            if declared == Place::None || is_in_the_input(&contest, of) || list {
                continue;
            }
            let Roster { contestants, .. } = roster(&contest);
            for contestant in contestants.iter().filter(|one| !one.labels.contains(&Label::Reference)) {
                let function = contest.function(contestant.function).expect("one of the contest's");
                let mut op = (contestant.make)(size);
                let found = found(&mut op, || (function.reference)(size), of, &input, len);
                // It may read a copy of the key's bytes.
                if !contestant.labels.contains(&Label::KeyNotPrepared) {
                    let declared = place_of(declared, of, contestant);
                    assert_eq!(found, declared, "{of:?} of {} in {}", contestant.name, contest.id);
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "only {seen} entries were looked at");
}

/// The shape of an entry's operation is that of its contest: who writes where, and who goes on from the last answer.
#[test]
fn shapes_are_those_of_the_contest() {
    for contest in contests::all() {
        let Roster { contestants, .. } = roster(&contest);
        for contestant in contestants {
            let op = (contestant.make)(size(&contest));
            let allocates = matches!(op, Operation::ToNewBuffer(_));
            let goes_on = matches!(op, Operation::InPlace(_));
            let name = format!("{} in {}", contestant.name, contest.id);
            assert_eq!(allocates, contest.conditions.allocation == Place::Inside, "{name}");
            assert_eq!(goes_on, contest.conditions.pace == Pace::Latency, "{name}");
        }
    }
}

/// A context that an entry could keep, and does not, is a label.
#[test]
fn contexts_are_outside_or_labelled() {
    let inside = |contest: &Contest| {
        let contestants = roster(contest).contestants.into_iter();
        contestants.filter(|one| one.labels.contains(&Label::ContextInside)).map(|one| one.library).collect::<Vec<_>>()
    };
    for contest in contests::all() {
        let known = inside(&contest).iter().all(|library| ["tiny-keccak", "xkcp-rs"].contains(&library.as_str()));
        assert!(known, "{}", contest.id);
    }
}
