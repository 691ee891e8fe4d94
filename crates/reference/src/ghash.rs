//! GHASH: the hash under GCM, NIST SP 800-38D (November 2007), sections 6.3 and 6.4.
//!
//! A block is a polynomial over GF(2); its leftmost bit is the coefficient of x^0. A `u128` read as big-endian holds
//! the block's bits from left to right, as the document writes them.

/// R of section 6.3, 11100001 || 0^120: x^128 modulo x^128 + x^7 + x^2 + x + 1.
const R: u128 = 0b1110_0001 << 120;

/// GHASH<sub>H</sub>(X), section 6.4, for X of whole blocks. The result for the empty string is 16 zeros.
///
/// # Panics
///
/// If the length of the data is not a multiple of 16 bytes.
pub fn ghash(h: &[u8; 16], data: &[u8]) -> [u8; 16] {
    let (blocks, rest) = data.as_chunks();
    assert!(rest.is_empty(), "GHASH takes whole blocks of 16 bytes, not {} bytes", data.len());
    let h = u128::from_be_bytes(*h);
    let mut y = 0;
    for x in blocks {
        y = multiply(y ^ u128::from_be_bytes(*x), h);
    }
    y.to_be_bytes()
}

/// X • Y, algorithm 1 of section 6.3.
fn multiply(x: u128, y: u128) -> u128 {
    let mut z = 0;
    let mut v = y;
    for i in 0..128 {
        if x << i >> 127 == 1 {
            z ^= v;
        }
        v = double(v);
    }
    z
}

/// Multiplies a block by x: shifts it right by one bit and reduces it modulo the polynomial.
pub(crate) fn double(v: u128) -> u128 {
    let lsb = v & 1;
    (v >> 1) ^ if lsb == 1 { R } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "whole blocks")]
    fn part_of_a_block() {
        ghash(&[1; 16], &[0; 17]);
    }
}
