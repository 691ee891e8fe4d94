//! CMAC, clause 9.

use super::{Kalyna, padded, xor};

/// The first `tag_len` bytes of CBC-MAC with a masked last block.
///
/// The mask is T(0), or T(1) where the data had to be padded. Nothing is doubled in a field, as NIST's CMAC does, and
/// with a first block of zeros this is plain T of the second: a key for this must serve nothing else.
///
/// # Panics
///
/// If the data is empty, which the standard leaves out, or the tag has not 1 byte to a block.
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
