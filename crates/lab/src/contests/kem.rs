//! Key encapsulation: ML-KEM (FIPS 203) and CLWE-KEM, at three levels each.
//!
//! Keys, ciphertexts and secrets are bytes, and a decapsulation key is what FIPS 203 calls one: ŝ ‖ ek ‖ H(ek) ‖ z.
//! The randomness is in the input, so that all give the same answer. A size says how many secrets of 32 bytes are shared.
//! In inputs of decapsulation some ciphertexts are damaged, so that agreement asks for implicit rejection, too.

mod jobs;

pub(crate) use jobs::{BytesKeys, Kem, KeptKeys, OnBytes, TypedKeys, op, op_with_kept_keys};

use super::{PLAIN, counting};
use crate::contest::{Contest, Function, Kind, Label, Lengths, Op, Size, Unit};
use cipher::{Array, Key};
use fairlane::clwe::{Clwe512, Clwe768, Clwe1024};
use fairlane::ml_kem::{
    Ciphertext, DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024, ParameterSet, SharedSecret,
};
use fairlane_reference::kem::{self, Params};

/// Bytes of the seeds d and z.
pub const SEEDS: usize = 64;
/// Bytes of an encapsulation's randomness.
pub const MESSAGE: usize = 32;
/// Bytes of a shared secret.
pub const SECRET: usize = 32;

/// The parameter set that a contest is of, if it is of this family.
pub fn params(contest: &Contest) -> Option<Params> {
    Params::ALL.into_iter().find(|params| params.name().to_lowercase() == contest.algorithm())
}

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
    /// Those of the set that a contest's id begins with, such as `ml-kem-768`.
    pub fn of(algorithm: &str) -> Option<Self> {
        Some(match algorithm {
            "ml-kem-512" => Self::of_type::<MlKem512>(),
            "ml-kem-768" => Self::of_type::<MlKem768>(),
            "ml-kem-1024" => Self::of_type::<MlKem1024>(),
            "clwe-512" => Self::of_type::<Clwe512>(),
            "clwe-768" => Self::of_type::<Clwe768>(),
            "clwe-1024" => Self::of_type::<Clwe1024>(),
            _ => return None,
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

/// A key pair that is made outside the timed part: that at a place of a batch, or, at place 0, the only one.
pub struct FixedPair {
    /// d and z.
    pub seeds: [u8; SEEDS],
    /// The encapsulation key.
    pub ek: Vec<u8>,
    /// The decapsulation key.
    pub dk: Vec<u8>,
}

impl FixedPair {
    /// From the reference.
    pub fn new(params: Params, place: usize) -> Self {
        let mut seeds = counting(0);
        seeds[..8].copy_from_slice(&(place as u64).to_be_bytes());
        Self::of(params, seeds)
    }

    /// A pair for an input with this message.
    fn with_message(params: Params, m: &[u8]) -> Self {
        let mut seeds = [0xa5; SEEDS];
        seeds[..MESSAGE].copy_from_slice(m);
        Self::of(params, seeds)
    }

    fn of(params: Params, seeds: [u8; SEEDS]) -> Self {
        let ([d, z], _) = seeds.as_chunks() else { unreachable!("64 bytes are two seeds") };
        let (ek, dk) = kem::keygen(params, d, z);
        Self { seeds, ek, dk }
    }
}

/// One secret.
const ONE: &[Size] = &[Size::one(SECRET)];
/// As many as a vector has states of Keccak, and more.
const MANY: &[Size] = &[Size::batch(8, SECRET), Size::batch(64, SECRET)];
const QUICK_MANY: &[Size] = &[Size::batch(64, SECRET)];

/// The contests of one parameter set. Ids and names are literals, so that they can be put together here.
macro_rules! contests {
    ($suite:literal, $ids:literal, $name:literal, $params:ident, $label:ident) => {{
        const P: Params = Params::$params;
        const EK: usize = P.encapsulation_key_len();
        const DK: usize = P.decapsulation_key_len();
        const SENT: usize = P.ciphertext_len();
        const fn function(reference: fn(Size) -> Op) -> Kind {
            Kind::OneFunction(Function { name: $name, primitive: "ml-kem", labels: &[Label::$label], reference })
        }
        const JOB: Contest = Contest {
            suite: $suite,
            unit: Unit::Operations,
            lengths: Lengths::Only(SECRET),
            sizes: ONE,
            quick_sizes: ONE,
            ..PLAIN
        };
        const KEYGEN: Contest = Contest {
            kind: function(|size| reference(P, "keygen", size)),
            input_len: |size| size.count * SEEDS,
            output_len: |size| size.count * (EK + DK),
            accepts: |_, _, keys| keys.chunks_exact(EK + DK).all(|keys| is_pair(P, keys)),
            ..JOB
        };
        const ENCAPS: Contest = Contest {
            kind: function(|size| reference(P, "encaps", size)),
            input_len: |size| size.count * (EK + MESSAGE),
            output_len: |size| size.count * (SENT + SECRET),
            prepare: |_, input| input.chunks_exact_mut(EK + MESSAGE).for_each(|input| prepare_encaps(P, input)),
            accepts: |_, input, output| {
                let pairs = input.chunks_exact(EK + MESSAGE).map(|input| FixedPair::with_message(P, &input[EK..]));
                pairs.zip(output.chunks_exact(SENT + SECRET)).all(|(pair, output)| opens(P, &pair, output))
            },
            ..JOB
        };
        const KEPT: Contest = Contest {
            kind: function(|size| reference(P, "decaps-prepared", size)),
            input_len: |size| size.count * SENT,
            output_len: |size| size.count * SECRET,
            prepare: |_, input| {
                for (place, sent) in input.chunks_exact_mut(SENT).enumerate() {
                    let m = *sent.first_chunk().expect("a ciphertext is longer than a message");
                    prepare_decaps(P, &FixedPair::new(P, place), &m, sent);
                }
            },
            ..JOB
        };
        [
            Contest {
                id: concat!($ids, "/keygen"),
                about: concat!(
                    $name,
                    " key generation, from the seeds d and z to encapsulation key and decapsulation key (FIPS 203's own \
                     form) in a given output"
                ),
                ..KEYGEN
            },
            Contest {
                id: concat!($ids, "/encaps"),
                about: concat!(
                    $name,
                    " encapsulation, from the bytes of a key and the randomness m to ciphertext and secret in a given \
                     output; all that the bytes ask for (checks, hash, matrix) is inside"
                ),
                ..ENCAPS
            },
            Contest {
                id: concat!($ids, "/decaps"),
                about: concat!(
                    $name,
                    " decapsulation, from the bytes of a key (FIPS 203's own form) and a ciphertext to the secret in a \
                     given output; all that the bytes ask for (checks, hash, matrix) is inside"
                ),
                kind: function(|size| reference(P, "decaps", size)),
                input_len: |_| DK + SENT,
                output_len: |_| SECRET,
                prepare: |_, input| {
                    let (dk, sent) = input.split_at_mut(DK);
                    let m = *dk.first_chunk().expect("a key is longer than a message");
                    let pair = FixedPair::with_message(P, &m);
                    dk.copy_from_slice(&pair.dk);
                    prepare_decaps(P, &pair, &m, sent);
                },
                ..JOB
            },
            Contest {
                id: concat!($ids, "/encaps-prepared"),
                about: concat!(
                    $name,
                    " encapsulation to a key that is kept for many, from the randomness m to ciphertext and secret in a \
                     given output; what can be made of the key once is made outside"
                ),
                kind: function(|size| reference(P, "encaps-prepared", size)),
                input_len: |_| MESSAGE,
                output_len: |_| SENT + SECRET,
                accepts: |_, _, output| opens(P, &FixedPair::new(P, 0), output),
                ..JOB
            },
            Contest {
                id: concat!($ids, "/decaps-prepared"),
                about: concat!(
                    $name,
                    " decapsulation with a key that is kept for many, from a ciphertext to the secret in a given output; \
                     what can be made of the key once is made outside"
                ),
                ..KEPT
            },
            Contest {
                id: concat!($ids, "/exchange"),
                about: concat!(
                    $name,
                    " of one exchange: key generation from d and z, encapsulation with m to the bytes of that key, \
                     decapsulation; encapsulation key, ciphertext and both sides' secrets in a given output, the \
                     decapsulation key as the library keeps it"
                ),
                kind: function(|size| reference(P, "exchange", size)),
                input_len: |_| SEEDS + MESSAGE,
                output_len: |_| EK + SENT + 2 * SECRET,
                accepts: |_, _, output| is_exchange(P, output),
                ..JOB
            },
            Contest {
                id: concat!($ids, "/batch-keygen"),
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
                id: concat!($ids, "/batch-encaps"),
                about: concat!(
                    $name,
                    " encapsulation to independent keys, from their bytes and the randomness m of each to ciphertexts and \
                     secrets in a given output; all that the bytes ask for (checks, hash, matrix) is inside"
                ),
                batch: true,
                sizes: MANY,
                quick_sizes: QUICK_MANY,
                ..ENCAPS
            },
            Contest {
                id: concat!($ids, "/batch-decaps"),
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
    contests!("ml-kem", "ml-kem-512", "ML-KEM-512", ML_KEM_512, Standard),
    contests!("ml-kem", "ml-kem-768", "ML-KEM-768", ML_KEM_768, Standard),
    contests!("ml-kem", "ml-kem-1024", "ML-KEM-1024", ML_KEM_1024, Standard),
    contests!("clwe", "clwe-512", "CLWE-512", CLWE_512, NoOutsideAnalysis),
    contests!("clwe", "clwe-768", "CLWE-768", CLWE_768, NoOutsideAnalysis),
    contests!("clwe", "clwe-1024", "CLWE-1024", CLWE_1024, NoOutsideAnalysis),
]
.as_flattened();

fn reference(params: Params, job: &str, size: Size) -> Op {
    op(params, job, size, OnBytes::new(params, Reference(params)))
}

/// The reference, whose keys are bytes.
struct Reference(Params);

/// The keys of the contests pass the checks.
const GOOD: &str = "a good key";

impl BytesKeys for Reference {
    fn keygen(&mut self, seeds: &[u8; SEEDS], ek: &mut [u8], dk: &mut [u8]) {
        let pair = FixedPair::of(self.0, *seeds);
        ek.copy_from_slice(&pair.ek);
        dk.copy_from_slice(&pair.dk);
    }

    fn encaps(&mut self, ek: &[u8], m: &[u8; MESSAGE], sent: &mut [u8], secret: &mut [u8; SECRET]) {
        let (shared, ciphertext) = kem::encaps(self.0, ek, m).expect(GOOD);
        sent.copy_from_slice(&ciphertext);
        *secret = shared;
    }

    fn decaps(&mut self, dk: &[u8], sent: &[u8], secret: &mut [u8; SECRET]) {
        *secret = kem::decaps(self.0, dk, sent).expect(GOOD);
    }
}

/// Puts a key before the message of an input of random bytes.
fn prepare_encaps(params: Params, input: &mut [u8]) {
    let (ek, m) = input.split_at_mut(params.encapsulation_key_len());
    ek.copy_from_slice(&FixedPair::with_message(params, m).ek);
}

/// Makes a ciphertext of a random message, and damages one in four.
fn prepare_decaps(params: Params, pair: &FixedPair, m: &[u8; MESSAGE], sent: &mut [u8]) {
    let (_, ciphertext) = kem::encaps(params, &pair.ek, m).expect(GOOD);
    sent.copy_from_slice(&ciphertext);
    if m[0] % 4 == 3 {
        sent[usize::from(m[1])] ^= 1 << (m[2] % 8);
    }
}

/// Whether these are an encapsulation key and the decapsulation key to it.
fn is_pair(params: Params, keys: &[u8]) -> bool {
    let (ek, dk) = keys.split_at(params.encapsulation_key_len());
    let sent = kem::encaps(params, ek, &[1; MESSAGE]);
    sent.is_ok_and(|(secret, sent)| kem::decaps(params, dk, &sent) == Ok(secret))
}

/// Whether the pair's owner gets the same secret of the ciphertext before it.
fn opens(params: Params, pair: &FixedPair, output: &[u8]) -> bool {
    let (sent, secret) = output.split_at(params.ciphertext_len());
    kem::decaps(params, &pair.dk, sent).is_ok_and(|shared| shared == secret)
}

/// Whether the key of an exchange is one, and both sides have the same secret. Who gives the wrong ones to both is found
/// in the contests of the exchange's parts.
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
                assert_eq!((params(contest), contest.job()), (Some(of), like.job()), "{}", contest.id);
            }
        }
        assert_eq!(params(&PLAIN), None);
    }

    #[test]
    fn the_types_have_the_sizes_of_the_sets() {
        for contest in CONTESTS {
            let of = params(contest).unwrap();
            let sizes = Sizes::of(contest.algorithm()).unwrap();
            assert_eq!(sizes.encapsulation_key, of.encapsulation_key_len());
            assert_eq!((sizes.seeds, sizes.secret), (SEEDS, SECRET));
            assert_eq!(sizes.decapsulation_key, of.decapsulation_key_len());
            assert_eq!(sizes.ciphertext, of.ciphertext_len());
        }
        assert_eq!(Sizes::of("kalyna-128-128"), None);
    }

    #[test]
    fn what_others_draw_is_tried() {
        for contest in CONTESTS.iter().filter(|contest| !contest.job().contains("decaps")) {
            let size = Size { count: if contest.batch { 2 } else { 1 }, bytes: SECRET };
            let (input, mut answer) = answers(contest, size).next().unwrap();
            assert!((contest.accepts)(size, &input, &answer), "{}", contest.id);
            *answer.last_mut().unwrap() ^= 1;
            // The end of a decapsulation key is z, which only implicit rejection asks for.
            let z = contest.job().ends_with("keygen");
            assert_eq!((contest.accepts)(size, &input, &answer), z, "{}", contest.id);
            answer[40] ^= 1;
            assert!(!(contest.accepts)(size, &input, &answer), "{}", contest.id);
        }
    }

    /// What is timed is a good ciphertext, and among the other inputs is a damaged one.
    #[test]
    fn some_ciphertexts_are_damaged() {
        for contest in CONTESTS.iter().filter(|contest| contest.job() == "decaps") {
            let of = params(contest).unwrap();
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
