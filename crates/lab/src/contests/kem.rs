//! Key encapsulation: ML-KEM (FIPS 203) and CLWE-KEM, at three levels each.
//!
//! Keys, ciphertexts and secrets are bytes, and a decapsulation key is what FIPS 203 calls one: ŝ ‖ ek ‖ H(ek) ‖ z.
//! The randomness is in the input, so that all give the same answer. A size says how many secrets of 32 bytes are
//! shared. In inputs of decapsulation some ciphertexts are damaged, so that agreement asks for implicit rejection, too.

mod jobs;

pub(crate) use jobs::{Kem, KemObjects, on_bytes, with_objects};

use super::PLAIN;
use crate::contest::{
    Algorithm, Conditions, Contest, ContestId, Function, Job, Kind, Label, Lengths, Operation, Size, Unit,
};
use crate::inputs::kem::{KeyPair, MESSAGE, SECRET, SEEDS, make_decaps, make_decaps_prepared, make_encaps};
use cipher::{Array, Key};
use fairlane::clwe::{Clwe512, Clwe768, Clwe1024};
use fairlane::ml_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, SharedSecret,
};
use fairlane_reference::kem::{self, Params};

/// The bytes of a parameter set's keys and ciphertexts, as fairlane's types have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// An encapsulation key.
    pub encapsulation_key: usize,
    /// A decapsulation key as the seeds d and z.
    pub seeds: usize,
    /// A decapsulation key in FIPS 203's own form.
    pub decapsulation_key: usize,
    /// A ciphertext.
    pub ciphertext: usize,
    /// A shared secret.
    pub secret: usize,
}

impl Sizes {
    /// Those of a parameter set; none of an algorithm that is no KEM.
    pub fn of(algorithm: Algorithm) -> Option<Self> {
        Some(match algorithm.params()? {
            Params::ML_KEM_512 => Self::of_type::<MlKem512>(),
            Params::ML_KEM_768 => Self::of_type::<MlKem768>(),
            Params::ML_KEM_1024 => Self::of_type::<MlKem1024>(),
            Params::CLWE_512 => Self::of_type::<Clwe512>(),
            Params::CLWE_768 => Self::of_type::<Clwe768>(),
            _ => Self::of_type::<Clwe1024>(),
        })
    }

    const fn of_type<P: ParameterSet>() -> Self {
        Self {
            encapsulation_key: size_of::<Key<EncapsulationKey<P>>>(),
            seeds: size_of::<Key<DecapsulationKey<P>>>(),
            decapsulation_key: size_of::<Array<u8, P::ExpandedSize>>(),
            ciphertext: size_of::<Ciphertext<P>>(),
            secret: size_of::<SharedSecret>(),
        }
    }
}

/// One secret.
const ONE: &[Size] = &[Size::one(SECRET)];
/// As many as a vector has states of Keccak, and more.
const MANY: &[Size] = &[Size::batch(8, SECRET), Size::batch(64, SECRET)];
const QUICK_MANY: &[Size] = &[Size::batch(64, SECRET)];

/// The contests of one parameter set. Names are literals, so that descriptions can be put together here.
macro_rules! contests {
    ($suite:literal, $name:literal, $params:ident, $label:ident) => {{
        const P: Params = Params::$params;
        const ALGORITHM: Algorithm = Algorithm::Kem(P);
        const EK: usize = P.encapsulation_key_len();
        const DK: usize = P.decapsulation_key_len();
        const SENT: usize = P.ciphertext_len();
        const fn function(reference: fn(Size) -> Operation) -> Kind {
            Kind::OneFunction(Function { name: $name, primitive: "ml-kem", labels: &[Label::$label], reference })
        }
        const JOB: Contest = Contest {
            suite: $suite,
            conditions: Conditions::NEW_KEY,
            unit: Unit::Operations,
            lengths: Lengths::Only(SECRET),
            sizes: ONE,
            quick_sizes: ONE,
            ..PLAIN
        };
        const KEYGEN: Contest = Contest {
            kind: function(|size| reference(P, Job::Keygen, size)),
            input_len: |size| size.count * SEEDS,
            output_len: |size| size.count * (EK + DK),
            accepts: |_, _, keys| keys.chunks_exact(EK + DK).all(|keys| is_pair(P, keys)),
            ..JOB
        };
        const ENCAPS: Contest = Contest {
            kind: function(|size| reference(P, Job::Encaps, size)),
            input_len: |size| size.count * (EK + MESSAGE),
            output_len: |size| size.count * (SENT + SECRET),
            prepare: |_, input| input.chunks_exact_mut(EK + MESSAGE).for_each(|input| make_encaps(P, input)),
            accepts: |_, input, output| {
                let pairs = input.chunks_exact(EK + MESSAGE).map(|input| KeyPair::of_input(P, &input[EK..]));
                pairs.zip(output.chunks_exact(SENT + SECRET)).all(|(pair, output)| opens(P, &pair, output))
            },
            ..JOB
        };
        const KEPT: Contest = Contest {
            conditions: Conditions::READY_KEY,
            kind: function(|size| reference(P, Job::DecapsPrepared, size)),
            input_len: |size| size.count * SENT,
            output_len: |size| size.count * SECRET,
            prepare: |_, input| make_decaps_prepared(P, input),
            ..JOB
        };
        [
            Contest {
                id: ContestId::new(ALGORITHM, Job::Keygen),
                about: concat!(
                    $name,
                    " key generation, from the seeds d and z to encapsulation key and decapsulation key (FIPS 203's \
                     own form) in a given output"
                ),
                ..KEYGEN
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::Encaps),
                about: concat!(
                    $name,
                    " encapsulation, from the bytes of a key and the randomness m to ciphertext and secret in a given \
                     output; all that the bytes ask for (checks, hash, matrix) is inside"
                ),
                ..ENCAPS
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::Decaps),
                about: concat!(
                    $name,
                    " decapsulation, from the bytes of a key (FIPS 203's own form) and a ciphertext to the secret in a \
                     given output; all that the bytes ask for (checks, hash, matrix) is inside"
                ),
                kind: function(|size| reference(P, Job::Decaps, size)),
                input_len: |_| DK + SENT,
                output_len: |_| SECRET,
                prepare: |_, input| make_decaps(P, input),
                ..JOB
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::EncapsPrepared),
                about: concat!(
                    $name,
                    " encapsulation to a key that is kept for many, from the randomness m to ciphertext and secret in \
                     a given output; what can be made of the key once is made outside"
                ),
                conditions: Conditions::READY_KEY,
                kind: function(|size| reference(P, Job::EncapsPrepared, size)),
                input_len: |_| MESSAGE,
                output_len: |_| SENT + SECRET,
                accepts: |_, _, output| opens(P, &KeyPair::new(P, 0), output),
                ..JOB
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::DecapsPrepared),
                about: concat!(
                    $name,
                    " decapsulation with a key that is kept for many, from a ciphertext to the secret in a given \
                     output; what can be made of the key once is made outside"
                ),
                ..KEPT
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::Exchange),
                about: concat!(
                    $name,
                    " of one exchange: key generation from d and z, encapsulation with m to the bytes of that key, \
                     decapsulation; encapsulation key, ciphertext and both sides' secrets in a given output, the \
                     decapsulation key as the library keeps it"
                ),
                kind: function(|size| reference(P, Job::Exchange, size)),
                input_len: |_| SEEDS + MESSAGE,
                output_len: |_| EK + SENT + 2 * SECRET,
                accepts: |_, _, output| is_exchange(P, output),
                ..JOB
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::BatchKeygen),
                about: concat!(
                    $name,
                    " generation of independent key pairs, from their seeds d and z to encapsulation keys and \
                     decapsulation keys (FIPS 203's own form) in a given output"
                ),
                batch: true,
                sizes: MANY,
                quick_sizes: QUICK_MANY,
                ..KEYGEN
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::BatchEncaps),
                about: concat!(
                    $name,
                    " encapsulation to independent keys, from their bytes and the randomness m of each to ciphertexts \
                     and secrets in a given output; all that the bytes ask for (checks, hash, matrix) is inside"
                ),
                batch: true,
                sizes: MANY,
                quick_sizes: QUICK_MANY,
                ..ENCAPS
            },
            Contest {
                id: ContestId::new(ALGORITHM, Job::BatchDecaps),
                about: concat!(
                    $name,
                    " decapsulation of independent ciphertexts, each with a key of its own, which the library keeps as \
                     suits it; from ciphertexts to secrets in a given output"
                ),
                batch: true,
                sizes: MANY,
                quick_sizes: QUICK_MANY,
                ..KEPT
            },
        ]
    }};
}

/// The contests of this family.
pub const CONTESTS: &[Contest] = [
    contests!("ml-kem", "ML-KEM-512", ML_KEM_512, Standard),
    contests!("ml-kem", "ML-KEM-768", ML_KEM_768, Standard),
    contests!("ml-kem", "ML-KEM-1024", ML_KEM_1024, Standard),
    contests!("clwe", "CLWE-512", CLWE_512, NoOutsideAnalysis),
    contests!("clwe", "CLWE-768", CLWE_768, NoOutsideAnalysis),
    contests!("clwe", "CLWE-1024", CLWE_1024, NoOutsideAnalysis),
]
.as_flattened();

fn reference(params: Params, job: Job, size: Size) -> Operation {
    on_bytes(params, job, size, Reference(params))
}

/// The reference.
struct Reference(Params);

/// Why no key is refused.
const GOOD: &str = "a key of the reference";

impl Kem for Reference {
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]) {
        let pair = KeyPair::of(self.0, *seeds);
        ek.copy_from_slice(&pair.ek);
        dk.copy_from_slice(&pair.dk);
    }

    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], ciphertext: &mut [u8], secret: &mut [u8; SECRET]) {
        let (shared, sent) = kem::encaps(self.0, ek, m).expect(GOOD);
        ciphertext.copy_from_slice(&sent);
        *secret = shared;
    }

    fn decaps(&mut self, dk: &[u8], ciphertext: &[u8], secret: &mut [u8; SECRET]) {
        *secret = kem::decaps(self.0, dk, ciphertext).expect(GOOD);
    }
}

/// Whether these are an encapsulation key and the decapsulation key to it.
fn is_pair(params: Params, keys: &[u8]) -> bool {
    let (ek, dk) = keys.split_at(params.encapsulation_key_len());
    let sent = kem::encaps(params, ek, &[1; MESSAGE]);
    sent.is_ok_and(|(secret, sent)| kem::decaps(params, dk, &sent) == Ok(secret))
}

/// Whether the pair's owner gets the same secret of the ciphertext before it.
fn opens(params: Params, pair: &KeyPair, output: &[u8]) -> bool {
    let (sent, secret) = output.split_at(params.ciphertext_len());
    kem::decaps(params, &pair.dk, sent).is_ok_and(|shared| shared == secret)
}

/// Whether the key of an exchange is one, and both sides have the same secret. Who gives the wrong ones to both is
/// found in the contests of the exchange's parts.
fn is_exchange(params: Params, output: &[u8]) -> bool {
    let (ek, rest) = output.split_at(params.encapsulation_key_len());
    let (sender, receiver) = rest[params.ciphertext_len()..].split_at(SECRET);
    kem::encaps(params, ek, &[1; MESSAGE]).is_ok() && sender == receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs as agreement and the tests of contestants take them.
    fn answers(contest: &Contest, size: Size) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
        let mut op = (contest.functions()[0].reference)(size);
        let len = (contest.output_len)(size);
        (0..4).map(move |seed| contest.input(size, seed)).map(move |input| {
            let answer = op.answer(&input, vec![0; len]);
            (input, answer)
        })
    }

    #[test]
    fn every_set_has_the_same_jobs() {
        assert_eq!(CONTESTS.len(), 9 * Params::ALL.len());
        for (contests, of) in CONTESTS.chunks(9).zip(Params::ALL) {
            for (contest, like) in contests.iter().zip(CONTESTS) {
                assert_eq!((contest.algorithm().params(), contest.job()), (Some(of), like.job()), "{}", contest.id);
            }
        }
    }

    #[test]
    fn the_types_have_the_sizes_of_the_sets() {
        for contest in CONTESTS {
            let of = contest.algorithm().params().unwrap();
            let sizes = Sizes::of(contest.algorithm()).unwrap();
            assert_eq!(sizes.encapsulation_key, of.encapsulation_key_len());
            assert_eq!((sizes.seeds, sizes.secret), (SEEDS, SECRET));
            assert_eq!(sizes.decapsulation_key, of.decapsulation_key_len());
            assert_eq!(sizes.ciphertext, of.ciphertext_len());
        }
        assert_eq!(Sizes::of(Algorithm::Sm4), None);
    }

    #[test]
    fn what_others_draw_is_tried() {
        for contest in CONTESTS.iter().filter(|contest| !contest.job().is_decapsulation()) {
            let size = Size { count: if contest.batch { 2 } else { 1 }, bytes: SECRET };
            let (input, mut answer) = answers(contest, size).next().unwrap();
            assert!((contest.accepts)(size, &input, &answer), "{}", contest.id);
            *answer.last_mut().unwrap() ^= 1;
            // The end of a decapsulation key is z, which only implicit rejection asks for.
            let z = matches!(contest.job(), Job::Keygen | Job::BatchKeygen);
            assert_eq!((contest.accepts)(size, &input, &answer), z, "{}", contest.id);
            answer[40] ^= 1;
            assert!(!(contest.accepts)(size, &input, &answer), "{}", contest.id);
        }
    }

    /// What is timed is a good ciphertext, and among the other inputs is a damaged one.
    #[test]
    fn some_ciphertexts_are_damaged() {
        for contest in CONTESTS.iter().filter(|contest| contest.job() == Job::Decaps) {
            let of = contest.algorithm().params().unwrap();
            let good: Vec<bool> = answers(contest, Size::one(SECRET))
                .map(|(input, answer)| {
                    let (dk, sent) = input.split_at(of.decapsulation_key_len());
                    // Implicit rejection is SHAKE256 of z and the ciphertext.
                    let mut rejected = [0; SECRET];
                    let z = &dk[dk.len() - SECRET..];
                    fairlane_reference::keccak::shake256(&[z, sent].concat(), &mut rejected);
                    answer != rejected
                })
                .collect();
            assert!(good[0] && good.contains(&false), "{}: {good:?}", contest.id);
        }
    }
}
