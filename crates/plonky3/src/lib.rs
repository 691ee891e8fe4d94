//! Keccak for [Plonky3](https://github.com/Plonky3/Plonky3): the traits of `p3-symmetric` 0.8 that `p3-keccak` has.
//!
//! | here | in `p3-keccak` | traits |
//! | --- | --- | --- |
//! | [`Keccak256Hash`] | the same | [`CryptographicHasher`], and [`PseudoCompressionFunction`] of two digests |
//! | [`KeccakF`] | the same | [`CryptographicPermutation`] of one state, and of [`VECTOR_LEN`] at once |
//!
//! Results are the same. `p3-keccak` takes the vectors that the build enables (`-C target-cpu`), and this crate those
//! that the CPU has at run time.
//!
//! ```
//! use fairlane_plonky3::Keccak256Hash;
//! use p3_symmetric::CryptographicHasher;
//!
//! let mut digests = [[0; 32]; 3];
//! Keccak256Hash.hash_many(b"row 1row 2row 3", &mut digests);
//! assert_eq!(digests[1], Keccak256Hash.hash_slice(b"row 2"));
//! ```

#![no_std]

use fairlane::HashMany;
use fairlane::digest::{FixedOutput, Update};
use fairlane::keccak::{Keccak256, keccak_f1600, keccak_f1600_eight, keccak256};
use p3_symmetric::{
    CompressionFunction, CryptographicHasher, CryptographicPermutation, Permutation, PseudoCompressionFunction,
};

/// States that [`KeccakF`] permutes at once, on every machine.
pub const VECTOR_LEN: usize = 8;

/// Keccak-f\[1600\], of FIPS 202.
#[derive(Clone, Copy, Debug)]
pub struct KeccakF;

impl Permutation<[u64; 25]> for KeccakF {
    fn permute_mut(&self, state: &mut [u64; 25]) {
        keccak_f1600(state);
    }
}

impl CryptographicPermutation<[u64; 25]> for KeccakF {}

impl Permutation<[u8; 200]> for KeccakF {
    fn permute_mut(&self, state: &mut [u8; 200]) {
        let (bytes, _) = state.as_chunks_mut::<8>();
        let mut lanes = [0; 25];
        for (lane, bytes) in lanes.iter_mut().zip(bytes.iter()) {
            *lane = u64::from_le_bytes(*bytes);
        }
        keccak_f1600(&mut lanes);
        for (lane, bytes) in lanes.iter().zip(bytes) {
            *bytes = lane.to_le_bytes();
        }
    }
}

impl CryptographicPermutation<[u8; 200]> for KeccakF {}

/// Lane i of state j at \[i\]\[j\].
impl Permutation<[[u64; VECTOR_LEN]; 25]> for KeccakF {
    fn permute_mut(&self, states: &mut [[u64; VECTOR_LEN]; 25]) {
        keccak_f1600_eight(states);
    }
}

impl CryptographicPermutation<[[u64; VECTOR_LEN]; 25]> for KeccakF {}

/// Keccak-256 with the original padding, as Ethereum uses it.
#[derive(Clone, Copy, Debug)]
pub struct Keccak256Hash;

impl CryptographicHasher<u8, [u8; 32]> for Keccak256Hash {
    const LANES: usize = VECTOR_LEN;

    fn hash_iter<I: IntoIterator<Item = u8>>(&self, input: I) -> [u8; 32] {
        let mut hasher = Keccak256::default();
        let mut buffer = [0; 544]; // four blocks
        let mut input = input.into_iter();
        loop {
            let mut length = 0;
            for (place, byte) in buffer.iter_mut().zip(&mut input) {
                *place = byte;
                length += 1;
            }
            hasher.update(&buffer[..length]);
            if length < buffer.len() {
                return hasher.finalize_fixed().into();
            }
        }
    }

    fn hash_iter_slices<'a, I: IntoIterator<Item = &'a [u8]>>(&self, input: I) -> [u8; 32] {
        let mut hasher = Keccak256::default();
        for piece in input {
            hasher.update(piece);
        }
        hasher.finalize_fixed().into()
    }

    fn hash_slice(&self, input: &[u8]) -> [u8; 32] {
        keccak256(input)
    }

    /// # Panics
    /// The input does not divide into as many messages of one length as there are digests.
    fn hash_many(&self, input: &[u8], digests: &mut [[u8; 32]]) {
        // As the trait has it, no input is read for no digests.
        if digests.is_empty() {
            return;
        }
        let hashed = Keccak256::hash_fixed(input, digests.len(), digests.as_flattened_mut());
        hashed.expect("the input is whole messages, as many as there are digests");
    }
}

/// The hash of two digests, as in a Merkle tree: equal to `CompressionFunctionFromHasher<_, 2, 32>`.
impl PseudoCompressionFunction<[u8; 32], 2> for Keccak256Hash {
    const LANES: usize = VECTOR_LEN;

    fn compress(&self, input: [[u8; 32]; 2]) -> [u8; 32] {
        keccak256(input.as_flattened())
    }

    /// # Panics
    /// There are not as many inputs as outputs.
    fn compress_many(&self, inputs: &[[[u8; 32]; 2]], outputs: &mut [[u8; 32]]) {
        assert_eq!(inputs.len(), outputs.len(), "as many inputs as outputs");
        let hashed =
            Keccak256::hash_fixed(inputs.as_flattened().as_flattened(), inputs.len(), outputs.as_flattened_mut());
        hashed.expect("the lengths are right");
    }
}

impl CompressionFunction<[u8; 32], 2> for Keccak256Hash {}
