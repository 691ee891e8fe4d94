//! XTS, DSTU 7624:2014, clause 14: encrypts a sector of a block or more to the same length.
//!
//! Unlike IEEE 1619's XTS, it has one key, and the tweak of the first block is T(IV) times x, not T(IV).

use super::field::times_x;
use super::modes::check_iv;
use super::{Kalyna, xor};

/// Encrypts a sector. The IV is the number of the sector, or another value that is unique to it.
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

/// The differences between encryption and decryption.
#[derive(Clone, Copy)]
struct Direction {
    transform: fn(&Kalyna, &mut [u8]),
    /// Which of the last two tweaks is used first if the last block is partial.
    first: usize,
}

const ENCRYPT: Direction = Direction { transform: Kalyna::encrypt, first: 0 };
const DECRYPT: Direction = Direction { transform: Kalyna::decrypt, first: 1 };

/// A partial block at the end is completed from the block before it (ciphertext stealing).
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
