//! The encodings of numbers, and the prefix of a customized function, in NIST SP 800-185.

use super::sponge::Sponge;

/// `left_encode` (section 2.3.1): the number of bytes of `x`, and those bytes in big-endian order; with it, how many
/// bytes that is.
pub(super) fn left_encode(x: u128) -> ([u8; 17], usize) {
    let (bytes, length) = big_endian(x);
    let mut code = [0; 17];
    code[0] = length as u8;
    code[1..=length].copy_from_slice(&bytes[16 - length..]);
    (code, length + 1)
}

/// `right_encode` (section 2.3.1): as [`left_encode`], with the number of bytes last.
pub(super) fn right_encode(x: u128) -> ([u8; 17], usize) {
    let (bytes, length) = big_endian(x);
    let mut code = [0; 17];
    code[..length].copy_from_slice(&bytes[16 - length..]);
    code[length] = length as u8;
    (code, length + 1)
}

/// The bytes of `x`, and how many of them it has, at least one.
fn big_endian(x: u128) -> ([u8; 16], usize) {
    (x.to_be_bytes(), (16 - x.leading_zeros() as usize / 8).max(1))
}

/// Absorbs what a cSHAKE with a function name or a customization begins with (section 3.3).
pub(super) fn absorb_prefix<const RATE: usize>(sponge: &mut Sponge<RATE, 24>, name: &[u8], customization: &[u8]) {
    let (rate, length) = left_encode(RATE as u128);
    sponge.absorb(&rate[..length]);
    for string in [name, customization] {
        let (bits, length) = left_encode(8 * string.len() as u128);
        sponge.absorb(&bits[..length]);
        sponge.absorb(string);
    }
    sponge.pad_block();
}
