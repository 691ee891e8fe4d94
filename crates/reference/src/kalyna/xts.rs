//! XTS, clause 14: encryption of a sector of any length from a block on, to the same length.
//!
//! Unlike IEEE 1619's, there is one key, and the first block's tweak is T(IV) times x, not T(IV).

use super::field::times_x;
use super::modes::check_iv;
use super::{Kalyna, xor};

/// Encrypts a sector; the IV is its number, or what else tells it from others.
///
/// # Panics
///
/// If the IV is not one block, or the data is shorter than that.
pub fn xts_encrypt(cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    xts(ENCRYPT, cipher, iv, data);
}

/// The inverse of [`xts_encrypt`].
///
/// # Panics
///
/// As [`xts_encrypt`].
pub fn xts_decrypt(cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    xts(DECRYPT, cipher, iv, data);
}

/// What tells encryption from decryption.
#[derive(Clone, Copy)]
struct Direction {
    transform: fn(&Kalyna, &mut [u8]),
    /// Which of the last two tweaks is used first, where the data ends in part of a block.
    first: usize,
}

const ENCRYPT: Direction = Direction { transform: Kalyna::encrypt, first: 0 };
const DECRYPT: Direction = Direction { transform: Kalyna::decrypt, first: 1 };

/// Part of a block at the end takes what it lacks from the whole block before it.
fn xts(direction: Direction, cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    let l = cipher.block_len();
    check_iv(cipher, iv);
    assert!(data.len() >= l, "this Kalyna's XTS takes {l} bytes or more, not {}", data.len());
    let block = |gamma: &[u8], block: &mut [u8]| {
        xor(block, gamma);
        (direction.transform)(cipher, block);
        xor(block, gamma);
    };

    let mut gamma = cipher.t(iv);
    let whole = data.len() / l - usize::from(!data.len().is_multiple_of(l));
    let (blocks, rest) = data.split_at_mut(whole * l);
    for p in blocks.chunks_mut(l) {
        times_x(&mut gamma);
        block(&gamma, p);
    }
    if !rest.is_empty() {
        let tweaks = [(); 2].map(|()| {
            times_x(&mut gamma);
            gamma.clone()
        });
        let (p, part) = rest.split_at_mut(l);
        block(&tweaks[direction.first], p);
        part.swap_with_slice(&mut p[..part.len()]);
        block(&tweaks[1 - direction.first], p);
    }
}
