//! What of a contest's inputs is secret, and two classes of it that must take the same time.
//!
//! Both classes of a contest are made before anything is timed, by the reference where it takes that. All that is not
//! the secret is the same in both, or comes from the same distribution.

use crate::contest::{Algorithm, Contest, ContestId, Job, Size};
use crate::inputs::aead::TAG;
use crate::inputs::kem::{KeyPair, MESSAGE, make_encapsulated};
use crate::inputs::{LONGEST_KEY, THE_KEY, fill_random, write_keys};
use fairlane_reference::kem::{self, Params};
use std::fmt;

/// So many different inputs has a class whose inputs are drawn.
const DRAWN: u64 = 256;
/// The same of a KEM, whose reference is slow.
const DRAWN_OF_KEM: u64 = 64;

/// A secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Secret {
    /// A key of a cipher: one, or drawn anew each time.
    Key,
    /// A message that is hashed, encrypted or decrypted: one, or drawn anew each time.
    Message,
    /// How far a wrong tag is right: its first byte is wrong, or its last. That it is wrong is told to everybody.
    Tag,
    /// Whether a KEM's ciphertext is valid: it is, or one of its bits was changed. Who decapsulates must not show it.
    Validity,
    /// What a KEM's ciphertext holds, the message m: one, or drawn anew each time. The key is the same in both classes.
    Encapsulated,
    /// A KEM's decapsulation key: one, or drawn anew each time. All have the same ρ, which is public, and on which the
    /// time may depend.
    DecapsulationKey,
}

impl Secret {
    /// The secrets of a contest that are searched; none of one's own contests, whose inputs this laboratory does not
    /// know, and of key generation, whose time may depend on ρ: that is public, and changes with the secret seed.
    pub fn of(id: ContestId) -> &'static [Self] {
        use Job::{
            Batch, BatchDecaps, BatchEncaps, BatchKeygen, Custom, Decaps, DecapsPrepared, Encaps, EncapsPrepared,
            Exchange, GcmOpen, KeySchedule, Keygen, Message, Open,
        };
        match id.job {
            Custom(_) | Keygen | BatchKeygen => &[],
            _ if matches!(id.algorithm, Algorithm::Custom(_)) => &[],
            Message | Batch => &[Self::Message],
            KeySchedule => &[Self::Key],
            Open | GcmOpen => &[Self::Key, Self::Message, Self::Tag],
            Encaps | EncapsPrepared | BatchEncaps | Exchange => &[Self::Encapsulated],
            Decaps => &[Self::DecapsulationKey, Self::Encapsulated, Self::Validity],
            DecapsPrepared | BatchDecaps => &[Self::Encapsulated, Self::Validity],
            _ => &[Self::Key, Self::Message],
        }
    }

    /// The two classes, in words.
    pub fn classes(self) -> [&'static str; 2] {
        match self {
            Self::Key | Self::Message | Self::Encapsulated | Self::DecapsulationKey => ["fixed", "random"],
            Self::Tag => ["first byte wrong", "last byte wrong"],
            Self::Validity => ["valid", "damaged"],
        }
    }
}

/// Its name: `key`, `message`.
impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Key => "key",
            Self::Message => "message",
            Self::Tag => "wrong tag",
            Self::Validity => "validity of the ciphertext",
            Self::Encapsulated => "encapsulated message",
            Self::DecapsulationKey => "decapsulation key",
        })
    }
}

/// One input of an operation: a key that is written before, if the contest has it outside of its input, and the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) key: Option<[u8; LONGEST_KEY]>,
    pub(crate) input: Vec<u8>,
}

/// The inputs of both classes; of one class all are of the same length, and all have a key or none has.
#[derive(Clone, Debug)]
pub(crate) struct Classes(pub(crate) [Vec<Given>; 2]);

impl Classes {
    /// Those of inputs without keys.
    pub(crate) fn of_inputs(first: Vec<Vec<u8>>, second: Vec<Vec<u8>>) -> Self {
        Self([first, second].map(|class| class.into_iter().map(|input| Given { key: None, input }).collect()))
    }

    /// Those of a contest at a size.
    pub(crate) fn new(contest: &Contest, secret: Secret, size: Size) -> Self {
        let inputs = |seeds: std::ops::Range<u64>| seeds.map(|seed| contest.input(size, seed)).collect();
        if let Some(params) = contest.algorithm().params() {
            return of_kem(params, contest.job(), secret, size);
        }
        match secret {
            Secret::Key if contest.job() != Job::KeySchedule => Self([0..1, 1..1 + DRAWN].map(|seeds| {
                let key = |seed| if seed == 0 { THE_KEY } else { drawn(seed, b"key") };
                seeds.map(|seed| with_key(key(seed), || contest.input(size, 0))).collect()
            })),
            Secret::Tag => {
                let wrong = |mut sealed: Vec<u8>, at: usize| {
                    let tag = sealed.len() - TAG;
                    sealed[tag + at] ^= 1;
                    sealed
                };
                let [first, last] =
                    [0, TAG - 1].map(|at| (0..DRAWN).map(|seed| wrong(contest.input(size, seed), at)).collect());
                Self::of_inputs(first, last)
            }
            _ => Self::of_inputs(inputs(0..1), inputs(1..1 + DRAWN)),
        }
    }

    /// Bytes of an input.
    pub(crate) fn input_len(&self) -> usize {
        self.0[0][0].input.len()
    }
}

/// An input that is made while all ciphers have this key.
fn with_key(key: [u8; LONGEST_KEY], make: impl FnOnce() -> Vec<u8>) -> Given {
    let input = while_keys_are(&key, make);
    Given { key: Some(key), input }
}

/// Does some work while all ciphers have the key of an input, if it has one.
pub(super) fn with_key_of<T>(given: &Given, work: impl FnOnce() -> T) -> T {
    match &given.key {
        Some(key) => while_keys_are(key, work),
        None => work(),
    }
}

/// Gives all ciphers back the key that the contests have.
pub(super) fn restore_keys() {
    while_keys_are(&THE_KEY, || ());
}

/// The work makes the operations that it runs.
fn while_keys_are<T>(key: &[u8; LONGEST_KEY], work: impl FnOnce() -> T) -> T {
    // SAFETY: the search for leaks holds its lock, and no operation exists that is used later.
    unsafe { write_keys(key) };
    let done = work();
    // SAFETY: as above.
    unsafe { write_keys(&THE_KEY) };
    done
}

/// Bytes drawn for a purpose, the same in every run.
fn drawn<const N: usize>(seed: u64, purpose: &[u8; 3]) -> [u8; N] {
    let mut bytes = [0; N];
    let purpose = u64::from(u32::from_be_bytes([0, purpose[0], purpose[1], purpose[2]]));
    fill_random(&mut bytes, seed ^ purpose << 32);
    bytes
}

/// A KEM's inputs for one secret after the other of a batch, each of its place and of a message m.
fn of_kem(params: Params, job: Job, secret: Secret, size: Size) -> Classes {
    let m = |seed: u64, place: usize| drawn(seed << 8 | place as u64, b"mes");
    let many = |one: &dyn Fn(u64, usize) -> Vec<u8>, seeds: std::ops::Range<u64>| -> Vec<Vec<u8>> {
        seeds.map(|seed| (0..size.count).flat_map(|place| one(seed, place)).collect()).collect()
    };
    let pairs: Vec<KeyPair> = KeyPair::of_batch(params, size.count).collect();
    // What stands before the part that is secret.
    let before = |place: usize| match job {
        Job::Encaps | Job::BatchEncaps => pairs[place].ek.clone(),
        Job::Decaps => pairs[place].dk.clone(),
        Job::Exchange => pairs[place].seeds.to_vec(),
        _ => Vec::new(),
    };
    let ciphertext = |m: [u8; MESSAGE], ek: &[u8]| {
        let mut sent = vec![0; params.ciphertext_len()];
        make_encapsulated(params, ek, &m, &mut sent);
        sent
    };
    let (fixed, random) = (0..1, 1..1 + DRAWN_OF_KEM);
    match secret {
        Secret::Encapsulated if job.is_decapsulation() => {
            let one = |seed, place: usize| [before(place), ciphertext(m(seed, place), &pairs[place].ek)].concat();
            Classes::of_inputs(many(&one, fixed), many(&one, random))
        }
        Secret::Validity => {
            let valid = |seed, place: usize| [before(place), ciphertext(m(seed, place), &pairs[place].ek)].concat();
            let damaged = |seed, place: usize| {
                let mut input = valid(seed, place);
                let sent = input.len() - params.ciphertext_len();
                let [at @ .., bit]: [u8; 5] = drawn(seed << 8 | place as u64, b"bit");
                let at = u32::from_le_bytes(at) as usize % params.ciphertext_len();
                input[sent + at] ^= 1 << (bit % 8);
                input
            };
            Classes::of_inputs(many(&valid, random.clone()), many(&damaged, random))
        }
        Secret::DecapsulationKey => {
            let key =
                |seed: u64| kem::keygen_from(params, &drawn(0, b"rho"), &drawn(seed, b"sig"), &drawn(seed, b"zed"));
            let input = |(ek, dk): (Vec<u8>, Vec<u8>), seed| [dk, ciphertext(m(seed, 0), &ek)].concat();
            let first = random.clone().map(|seed| input(key(0), seed)).collect();
            Classes::of_inputs(first, random.map(|seed| input(key(seed), seed)).collect())
        }
        _ => {
            let one = |seed, place: usize| [before(place), m(seed, place).to_vec()].concat();
            Classes::of_inputs(many(&one, fixed), many(&one, random))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contests;

    /// A size at which the reference is quick.
    fn smallest(contest: &Contest) -> Size {
        *contest.sizes.iter().min_by_key(|size| size.total()).unwrap()
    }

    #[test]
    fn every_secret_operation_has_classes_of_inputs_that_fit() {
        for contest in contests::all() {
            let kem = contest.algorithm().params();
            // One parameter set of each scheme is enough.
            if kem.is_some_and(|params| params.k() != 2) || contest.batch {
                continue;
            }
            let size = smallest(&contest);
            for &secret in Secret::of(contest.id) {
                // Other tests of this process read keys.
                if secret == Secret::Key && contest.job() != Job::KeySchedule {
                    continue;
                }
                let classes = Classes::new(&contest, secret, size);
                for class in &classes.0 {
                    let len = (contest.input_len)(size);
                    assert!(class.iter().all(|given| given.input.len() == len), "{} {secret}", contest.id);
                }
                assert_ne!(classes.0[0][0], classes.0[1][0], "{} {secret}", contest.id);
            }
        }
    }

    #[test]
    fn all_but_key_generation_is_searched() {
        let unsearched: Vec<_> =
            contests::all().into_iter().filter(|contest| Secret::of(contest.id).is_empty()).map(|one| one.id).collect();
        assert!(unsearched.iter().all(|id| matches!(id.job, Job::Keygen | Job::BatchKeygen)), "{unsearched:?}");
    }
}
