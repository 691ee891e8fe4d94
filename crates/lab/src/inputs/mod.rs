//! The inputs of the contests: random messages, and the keys, nonces and IVs that are set outside of what is timed. All
//! are the same in every run, so that every contestant answers the same questions.
//!
//! | file | whose |
//! | --- | --- |
//! | `arx` | Kusumi-512, Threefish-512, ChaCha20: keys, nonces, the buffer of a stream |
//! | `aead` | the AEADs: additional data, sealed messages to be opened |
//! | `sm4`, `kalyna` | keys, IVs, tweaks |
//! | `fixed` | what a key, an IV or a nonce is here |
//! | `kem` | key pairs, ciphertexts to be decapsulated |

pub mod aead;
pub mod arx;
pub(crate) mod fixed;
pub mod kalyna;
pub mod kem;
pub mod sm4;

pub use fixed::{Fixed, Given};

/// The bytes of the longest key.
pub(crate) const LONGEST_KEY: usize = 64;

/// Writes the key of all ciphers, each its first bytes. The prepared keys of KEMs stay.
///
/// # Safety
///
/// No operation runs meanwhile on another thread, and none that was made before is used again unless it reads its key
/// every time.
pub(crate) unsafe fn write_keys(key: &[u8; LONGEST_KEY]) {
    fn first<const N: usize>(key: &[u8; LONGEST_KEY]) -> &[u8; N] {
        key.first_chunk().expect("no key is longer than the longest")
    }
    // SAFETY: operations are all that read keys; they do so only while they are made or run.
    unsafe {
        arx::KEY512.write(key);
        arx::KEY256.write(first(key));
        sm4::KEY.write(first(key));
        sm4::XTS_KEY.write(first(key));
        kalyna::write_key(key);
    }
}

/// The key of all ciphers that the contests have.
pub(crate) const THE_KEY: [u8; LONGEST_KEY] = counting(0);

/// Fills a buffer with the output of splitmix64: random enough for every cipher and hash.
pub(crate) fn fill_random(buffer: &mut [u8], seed: u64) {
    let mut state = seed.wrapping_mul(0xd129_0d3b_2f4c_1a85);
    for chunk in buffer.chunks_mut(8) {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
    }
}

/// `N` bytes that count up from `first`: a key, a nonce.
const fn counting<const N: usize>(first: u8) -> [u8; N] {
    let mut bytes = [0; N];
    let mut i = 0;
    while i < N {
        bytes[i] = first.wrapping_add(i as u8);
        i += 1;
    }
    bytes
}

/// The same of a length that is not known beforehand.
pub(crate) fn counted(first: u8, len: usize) -> Vec<u8> {
    (0..len).map(|i| first.wrapping_add(i as u8)).collect()
}

/// `bytes` with a number as their first eight.
fn numbered<const N: usize>(mut bytes: [u8; N], number: usize) -> [u8; N] {
    bytes[..8].copy_from_slice(&(number as u64).to_be_bytes());
    bytes
}
