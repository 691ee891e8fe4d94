//! GHASH: the hash under GCM, NIST SP 800-38D (November 2007), sections 6.3 and 6.4.
//!
//! A block is a polynomial over one bit, its leftmost bit the coefficient of x^0: a `u128` read big-endian holds the
//! block as the document writes it, from left to right.

/// R of section 6.3, 11100001 || 0^120: what x^128 is, modulo x^128 + x^7 + x^2 + x + 1.
const R: u128 = 0b1110_0001 << 120;

/// GHASH<sub>H</sub>(X), section 6.4, of whole blocks: the empty string's is 16 zeros.
///
/// # Panics
///
/// If the data is not whole blocks of 16 bytes.
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

/// A block times x: one bit to the right, modulo the polynomial.
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
