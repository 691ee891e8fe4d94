//! Everything is equal to `p3-keccak`, and to what `p3-symmetric` makes of it.

use fairlane_plonky3::{Keccak256Hash, KeccakF, VECTOR_LEN};
use p3_symmetric::{CompressionFunctionFromHasher, CryptographicHasher, Permutation, PseudoCompressionFunction};

fn bytes(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 31 + i / 256 * 7 + 1) as u8).collect()
}

#[test]
fn hashes() {
    for length in 0..=1100 {
        let message = bytes(length);
        let expected = p3_keccak::Keccak256Hash.hash_slice(&message);
        assert_eq!(Keccak256Hash.hash_slice(&message), expected, "{length}");
        assert_eq!(Keccak256Hash.hash_iter(message.iter().copied()), expected, "{length}");
        for piece in [1, 100, 136] {
            assert_eq!(Keccak256Hash.hash_iter_slices(message.chunks(piece)), expected, "{length} by {piece}");
        }
    }
    assert_eq!(Keccak256Hash.hash_item(7), p3_keccak::Keccak256Hash.hash_item(7));
}

#[test]
fn batches() {
    for length in [0, 1, 8, 135, 136, 137, 300, 1000] {
        for count in 0..=2 * VECTOR_LEN + 1 {
            let messages = bytes(length * count);
            let (mut ours, mut theirs) = (vec![[0; 32]; count], vec![[0; 32]; count]);
            Keccak256Hash.hash_many(&messages, &mut ours);
            p3_keccak::Keccak256Hash.hash_many(&messages, &mut theirs);
            assert_eq!(ours, theirs, "{count} of {length}");
        }
    }
    Keccak256Hash.hash_many(&[1, 2, 3], &mut []);
}

#[test]
#[should_panic(expected = "whole messages")]
fn uneven_batches_panic() {
    Keccak256Hash.hash_many(&[1, 2, 3, 4, 5], &mut [[0; 32]; 2]);
}

#[test]
fn compression() {
    let theirs = CompressionFunctionFromHasher::<_, 2, 32>::new(p3_keccak::Keccak256Hash);
    for count in 0..=2 * VECTOR_LEN + 1 {
        let digests = bytes(64 * count);
        let pairs: Vec<[[u8; 32]; 2]> = digests
            .as_chunks::<64>()
            .0
            .iter()
            .map(|pair| [pair[..32].try_into().unwrap(), pair[32..].try_into().unwrap()])
            .collect();
        let mut ours = vec![[0; 32]; count];
        Keccak256Hash.compress_many(&pairs, &mut ours);
        for (pair, ours) in pairs.iter().zip(ours) {
            assert_eq!(ours, theirs.compress(*pair));
            assert_eq!(ours, Keccak256Hash.compress(*pair));
        }
    }
}

#[test]
fn permutations() {
    let state: [u64; 25] = core::array::from_fn(|i| (i as u64 + 3).pow(9));
    let expected: [u64; 25] = p3_keccak::KeccakF.permute(state);
    assert_eq!(KeccakF.permute(state), expected);

    let mut bytes = [0; 200];
    for (lane, bytes) in state.iter().zip(bytes.as_chunks_mut::<8>().0) {
        *bytes = lane.to_le_bytes();
    }
    let permuted: [u8; 200] = p3_keccak::KeccakF.permute(bytes);
    assert_eq!(KeccakF.permute(bytes), permuted);

    let states: [[u64; VECTOR_LEN]; 25] =
        core::array::from_fn(|i| core::array::from_fn(|j| state[i].rotate_left(j as u32)));
    let permuted: [[u64; VECTOR_LEN]; 25] = KeccakF.permute(states);
    for j in 0..VECTOR_LEN {
        let alone: [u64; 25] = p3_keccak::KeccakF.permute(core::array::from_fn(|i| states[i][j]));
        assert_eq!(permuted.map(|lanes| lanes[j]), alone);
    }
}
