//! Digests of files, by the hash of the algorithm's name.

use super::algorithm::Algorithm;
use fairlane::dynamic;
use sha2::digest::Digest;
use sha2::{Sha256, Sha512};

/// Why no call of the library fails here.
const GOOD: &str = "the length is one that the algorithm allows";

/// A hash of one message that comes in pieces.
pub(crate) enum Hasher {
    Fairlane(Box<dynamic::Hasher>),
    Sha256(Sha256),
    Sha512(Sha512),
    Blake3(Box<blake3::Hasher>),
}

impl Hasher {
    /// Takes the next piece.
    pub(crate) fn update(&mut self, piece: &[u8]) {
        match self {
            Self::Fairlane(hash) => hash.update(piece),
            Self::Sha256(hash) => hash.update(piece),
            Self::Sha512(hash) => hash.update(piece),
            Self::Blake3(hash) => drop(hash.update(piece)),
        }
    }

    /// Ends the message; `length` is the digest's length in bytes, for hashes that leave a choice.
    pub(crate) fn finish(self, length: usize) -> Vec<u8> {
        let mut digest = vec![0; length];
        match self {
            Self::Fairlane(mut hash) => hash.finalize_into(&mut digest).expect(GOOD),
            Self::Sha256(hash) => digest.copy_from_slice(&hash.finalize()),
            Self::Sha512(hash) => digest.copy_from_slice(&hash.finalize()),
            Self::Blake3(hash) => hash.finalize_xof().fill(&mut digest),
        }
        digest
    }
}

/// A hasher for one message.
pub(crate) fn hasher(algorithm: Algorithm) -> Hasher {
    match algorithm {
        Algorithm::Fairlane(algorithm) => {
            Hasher::Fairlane(Box::new(algorithm.hasher(None).expect("there is a best backend")))
        }
        Algorithm::Sha256 => Hasher::Sha256(Sha256::new()),
        Algorithm::Sha512 => Hasher::Sha512(Sha512::new()),
        Algorithm::Blake3 => Hasher::Blake3(Box::default()),
    }
}

/// The digests of many messages, `length` bytes each; the library's hashes take them together.
pub(crate) fn hash_many(algorithm: Algorithm, length: usize, messages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let Algorithm::Fairlane(own) = algorithm else {
        let digest = |message: &Vec<u8>| {
            let mut hasher = hasher(algorithm);
            hasher.update(message);
            hasher.finish(length)
        };
        return messages.iter().map(digest).collect();
    };
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut digests = vec![0; length * messages.len()];
    own.hash_many(&messages, &mut digests, None).expect(GOOD);
    digests.chunks_exact(length).map(<[u8]>::to_vec).collect()
}
