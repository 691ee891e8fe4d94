//! The cipher's generic bodies, for the proofs alone.

use super::rounds::{self, Key, Tweak};
use fairlane_lanes::U64xN;

/// Encrypts or decrypts a block in each lane.
#[inline(always)]
pub fn crypt<W: U64xN<N>, const N: usize, const WORDS: usize, const DECRYPT: bool>(
    token: W::Token,
    key: &[u8],
    tweak: &[u8; 16],
    block: &mut [W; WORDS],
) {
    let (key, tweak) = (Key::new(key), Tweak::new(tweak));
    if DECRYPT {
        rounds::decrypt::<W, N, WORDS>(token, &key, &tweak, block);
    } else {
        rounds::encrypt::<W, N, WORDS>(token, &key, &tweak, block);
    }
}
