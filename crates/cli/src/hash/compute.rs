//! The bridge from names to the library's types.

use super::algorithm::Algorithm;
use fairlane::digest::{ExtendableOutput, FixedOutput, Update, XofReader};
use fairlane::keccak::{
    Keccak224, Keccak256, Keccak384, Keccak512, Kt128, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256,
    TurboShake128, TurboShake256, kt128,
};
use fairlane::sm3::Sm3;
use fairlane::{HashMany, HashManyError};

/// A hash of one message that comes in pieces.
pub(crate) trait Hasher {
    /// Takes the next piece.
    fn update(&mut self, piece: &[u8]);

    /// Ends the message; `length` is the digest's length in bytes, for hashes that leave a choice.
    fn finish(self: Box<Self>, length: usize) -> Vec<u8>;
}

struct Fixed<H>(H);

impl<H: Update + FixedOutput> Hasher for Fixed<H> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(self: Box<Self>, _length: usize) -> Vec<u8> {
        self.0.finalize_fixed().to_vec()
    }
}

struct Extendable<H>(H);

impl<H: Update + ExtendableOutput> Hasher for Extendable<H> {
    fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    fn finish(self: Box<Self>, length: usize) -> Vec<u8> {
        let mut digest = vec![0; length];
        self.0.finalize_xof().read(&mut digest);
        digest
    }
}

fn fixed<H: Update + FixedOutput + Default + 'static>() -> Box<dyn Hasher> {
    Box::new(Fixed(H::default()))
}

fn extendable<H: Update + ExtendableOutput + Default + 'static>() -> Box<dyn Hasher> {
    Box::new(Extendable(H::default()))
}

/// A hasher for one message.
pub(crate) fn hasher(algorithm: Algorithm) -> Box<dyn Hasher> {
    match algorithm {
        Algorithm::Keccak224 => fixed::<Keccak224>(),
        Algorithm::Keccak256 => fixed::<Keccak256>(),
        Algorithm::Keccak384 => fixed::<Keccak384>(),
        Algorithm::Keccak512 => fixed::<Keccak512>(),
        Algorithm::Sha3_224 => fixed::<Sha3_224>(),
        Algorithm::Sha3_256 => fixed::<Sha3_256>(),
        Algorithm::Sha3_384 => fixed::<Sha3_384>(),
        Algorithm::Sha3_512 => fixed::<Sha3_512>(),
        Algorithm::Shake128 => extendable::<Shake128>(),
        Algorithm::Shake256 => extendable::<Shake256>(),
        Algorithm::TurboShake128 => extendable::<TurboShake128>(),
        Algorithm::TurboShake256 => extendable::<TurboShake256>(),
        Algorithm::Kt128 => extendable::<Kt128<'static>>(),
        Algorithm::Sm3 => fixed::<Sm3>(),
    }
}

type Many = fn(&[Vec<u8>], &mut [Vec<u8>]) -> Result<(), HashManyError>;

/// The digests of many messages, `length` bytes each.
pub(crate) fn hash_many(algorithm: Algorithm, length: usize, messages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let hash: Many = match algorithm {
        Algorithm::Keccak224 => many::<Keccak224>,
        Algorithm::Keccak256 => many::<Keccak256>,
        Algorithm::Keccak384 => many::<Keccak384>,
        Algorithm::Keccak512 => many::<Keccak512>,
        Algorithm::Sha3_224 => many::<Sha3_224>,
        Algorithm::Sha3_256 => many::<Sha3_256>,
        Algorithm::Sha3_384 => many::<Sha3_384>,
        Algorithm::Sha3_512 => many::<Sha3_512>,
        Algorithm::Shake128 => many::<Shake128>,
        Algorithm::Shake256 => many::<Shake256>,
        Algorithm::TurboShake128 => many::<TurboShake128>,
        Algorithm::TurboShake256 => many::<TurboShake256>,
        Algorithm::Kt128 => kt128_one_by_one,
        Algorithm::Sm3 => many::<Sm3>,
    };
    let mut digests = vec![vec![0; length]; messages.len()];
    hash(messages, &mut digests).expect("there are as many digests as messages, of a length that the algorithm allows");
    digests
}

fn many<H: HashMany>(messages: &[Vec<u8>], digests: &mut [Vec<u8>]) -> Result<(), HashManyError> {
    H::hash_many(messages, digests)
}

/// KT128 fills the lanes from within one message.
fn kt128_one_by_one(messages: &[Vec<u8>], digests: &mut [Vec<u8>]) -> Result<(), HashManyError> {
    for (message, digest) in messages.iter().zip(digests) {
        kt128(message, b"", digest);
    }
    Ok(())
}
