//! GCM and GMAC, DSTU 7624:2014, clause 12.
//!
//! Unlike NIST's GCM, the tag is T of the hash, which does not depend on the IV, so a changed IV is not detected. Also,
//! the hash is not multiplied once more after the lengths.
//!
//! Data that is not whole blocks is padded as in annex Б.2, and the lengths are those before padding. Only an example
//! with a length in bits shows this (В.8.1.3); some implementations pad with zeros, or use the padded length.

use super::field::multiply;
use super::modes::{check_iv, count};
use super::{Kalyna, padded, xor};

/// Encrypts `data` and returns the first `tag_len` bytes of the tag.
///
/// # Panics
///
/// If the IV is not one block, the tag is shorter than 8 bytes or longer than a block, or data and associated data are
/// both empty.
pub fn gcm_seal(cipher: &Kalyna, iv: &[u8], aad: &[u8], data: &mut [u8], tag_len: usize) -> Vec<u8> {
    gctr(cipher, iv, data);
    tag(cipher, aad, data, tag_len)
}

/// Decrypts `data` if the tag, which may be truncated, is the one of [`gcm_seal`], and returns whether it is.
///
/// # Panics
///
/// As [`gcm_seal`].
#[must_use]
pub fn gcm_open(cipher: &Kalyna, iv: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> bool {
    check_iv(cipher, iv);
    let right = self::tag(cipher, aad, data, tag.len()) == tag;
    if right {
        gctr(cipher, iv, data);
    }
    right
}

/// GMAC: computes the first `tag_len` bytes of GCM's tag for associated data only.
///
/// # Panics
///
/// If the tag is shorter than 8 bytes or longer than a block, or the data is empty.
pub fn gmac(cipher: &Kalyna, data: &[u8], tag_len: usize) -> Vec<u8> {
    tag(cipher, data, &[], tag_len)
}

/// CTR with a counter in the lower half of the block; the upper half of the encrypted IV stays as it is.
///
/// Other implementations report that the text says so. Some count in the whole block or in 64 bits. The results differ
/// only if the number carries: for a message of n blocks and 64 bits, with n of 2<sup>64</sup> IVs.
pub(super) fn gctr(cipher: &Kalyna, iv: &[u8], data: &mut [u8]) {
    count(cipher, iv, cipher.block_len() / 2, data);
}

/// The tag: T of the hash of associated data, ciphertext and their lengths in bits, half a block each.
fn tag(cipher: &Kalyna, aad: &[u8], c: &[u8], tag_len: usize) -> Vec<u8> {
    let l = cipher.block_len();
    assert!((8..=l).contains(&tag_len), "this Kalyna's GCM has tags of 8 to {l} bytes, not {tag_len}");
    assert!(!(aad.is_empty() && c.is_empty()), "GCM takes one byte or more of data or associated data");
    let h = cipher.t(&vec![0; l]);
    let mut b = vec![0; l];
    for part in [aad, c] {
        for block in padded(part, l).chunks(l) {
            xor(&mut b, block);
            b = multiply(&b, &h);
        }
    }
    for (part, half) in [aad, c].into_iter().zip(b.chunks_mut(l / 2)) {
        xor(half, &(8 * part.len() as u64).to_le_bytes());
    }
    cipher.encrypt(&mut b);
    b.truncate(tag_len);
    b
}
