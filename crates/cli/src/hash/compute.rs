//! Digests of files, by the library's hash of the algorithm's name.

use super::algorithm::Algorithm;
use fairlane::dynamic::Hash;

/// Why no call of the library fails here.
const GOOD: &str = "the length is one that the algorithm allows";

/// A hash of one message that comes in pieces.
pub(crate) struct Hasher(Box<dyn Hash>);

impl Hasher {
    /// Takes the next piece.
    pub(crate) fn update(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// Ends the message; `length` is the digest's length in bytes, for hashes that leave a choice.
    pub(crate) fn finish(mut self, length: usize) -> Vec<u8> {
        let mut digest = vec![0; length];
        self.0.finalize_into(&mut digest).expect(GOOD);
        digest
    }
}

/// A hasher for one message.
pub(crate) fn hasher(algorithm: Algorithm) -> Hasher {
    Hasher(algorithm.hasher(None).expect("there is a best backend"))
}

/// The digests of many messages, `length` bytes each.
pub(crate) fn hash_many(algorithm: Algorithm, length: usize, messages: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let mut digests = vec![0; length * messages.len()];
    algorithm.hash_many(&messages, &mut digests, None).expect(GOOD);
    digests.chunks_exact(length).map(<[u8]>::to_vec).collect()
}
