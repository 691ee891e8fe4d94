//! CMAC, DSTU 7624:2014, clause 9.

use super::{Kalyna, padded, xor};

/// Computes the first `tag_len` bytes of CBC-MAC with a masked last block.
///
/// The mask is T(0), or T(1) if the data is padded. NIST's CMAC doubles in a field instead. If the first of two blocks
/// is zero, the tag is T of the second block, so a key for this function must be used for nothing else.
///
/// # Panics
///
/// If the data is empty, which the standard does not define, or the tag is empty or longer than a block.
pub fn cmac(cipher: &Kalyna, data: &[u8], tag_len: usize) -> Vec<u8> {
    let l = cipher.block_len();
    assert!(!data.is_empty(), "CMAC takes one byte or more");
    assert!((1..=l).contains(&tag_len), "this Kalyna's CMAC has tags of 1 to {l} bytes, not {tag_len}");
    let mut mask = vec![0; l];
    mask[0] = u8::from(!data.len().is_multiple_of(l));
    let mut blocks = padded(data, l);
    let last = blocks.len() - l;
    xor(&mut blocks[last..], &cipher.t(&mask));
    let mut tag = cbc_mac(cipher, &blocks);
    tag.truncate(tag_len);
    tag
}

/// The last block of CBC with an IV of zeros.
pub(super) fn cbc_mac(cipher: &Kalyna, blocks: &[u8]) -> Vec<u8> {
    let l = cipher.block_len();
    let mut b = vec![0; l];
    for block in blocks.chunks(l) {
        xor(&mut b, block);
        cipher.encrypt(&mut b);
    }
    b
}
