//! CCM, DSTU 7624:2014, clause 13.

use super::gcm::gctr;
use super::mac::cbc_mac;
use super::modes::check_iv;
use super::{Kalyna, padded};

/// Encrypts `data` and returns the encrypted tag. `nb` is N<sub>B</sub>, the number of bytes of a length: the annex
/// uses 4 with keys of 16 or 32 bytes, then 6 and 8.
///
/// Only the first l - nb - 1 bytes of the IV affect the tag, so these must be different for every message.
///
/// # Panics
///
/// If the IV is not one block; if `nb` is not 1 to 8; if the tag does not have 8, 16, 32, 48 or 64 bytes, or is longer
/// than a block; if the data is empty, which the standard does not define; or if the length of data or associated data
/// does not fit in `nb` bytes.
pub fn ccm_seal(cipher: &Kalyna, nb: usize, iv: &[u8], aad: &[u8], data: &mut [u8], tag_len: usize) -> Vec<u8> {
    let tag = tag(cipher, nb, iv, aad, data, tag_len);
    let mut sealed = [&*data, &tag].concat();
    // The keystream continues from the data to the tag, also in the middle of a block.
    gctr(cipher, iv, &mut sealed);
    let (c, tag) = sealed.split_at(data.len());
    data.copy_from_slice(c);
    tag.to_vec()
}

/// Decrypts `data` if the tag is the one of [`ccm_seal`], and returns whether it is.
///
/// # Panics
///
/// As [`ccm_seal`].
#[must_use]
pub fn ccm_open(cipher: &Kalyna, nb: usize, iv: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8]) -> bool {
    let mut opened = [&*data, tag].concat();
    gctr(cipher, iv, &mut opened);
    let tag = opened.split_off(data.len());
    let right = self::tag(cipher, nb, iv, aad, &opened, tag.len()) == tag;
    if right {
        data.copy_from_slice(&opened);
    }
    right
}

/// The tag before its encryption: the CBC-MAC of the formatted blocks.
fn tag(cipher: &Kalyna, nb: usize, iv: &[u8], aad: &[u8], data: &[u8], tag_len: usize) -> Vec<u8> {
    let l = cipher.block_len();
    check_iv(cipher, iv);
    assert!((1..=8).contains(&nb), "CCM writes lengths in 1 to 8 bytes, not {nb}");
    assert!(!data.is_empty(), "CCM takes one byte of data or more");
    let code = match tag_len {
        8 => 2,
        16 => 3,
        32 => 4,
        48 => 5,
        64 => 6,
        _ => 0,
    };
    assert!(code != 0 && tag_len <= l, "CCM has tags of 8, 16, 32, 48 or 64 bytes, at most {l}: not {tag_len}");

    // G1: the IV's first bytes, the length of the data, and the flags.
    let mut blocks = iv[..l - nb - 1].to_vec();
    blocks.extend(length(data, nb));
    blocks.push(u8::from(!aad.is_empty()) << 7 | code << 4 | (nb - 1) as u8);
    // G2: the length of the associated data, the fewest zeros that make whole blocks, and the associated data.
    if !aad.is_empty() {
        blocks.extend(length(aad, nb));
        let whole = (blocks.len() + aad.len()).next_multiple_of(l);
        blocks.resize(whole - aad.len(), 0);
        blocks.extend(aad);
    }
    blocks.extend(padded(data, l));
    let mut tag = cbc_mac(cipher, &blocks);
    tag.truncate(tag_len);
    tag
}

/// Writes a length in bytes as `nb` little-endian bytes.
fn length(part: &[u8], nb: usize) -> Vec<u8> {
    let length = (part.len() as u64).to_le_bytes();
    let (low, high) = length.split_at(nb);
    assert!(high.iter().all(|&byte| byte == 0), "CCM with lengths of {nb} bytes takes fewer than 2^{} bytes", 8 * nb);
    low.to_vec()
}
