//! GF(2<sup>l</sup>), where l is the number of bits of a block, for GCM, GMAC and XTS of DSTU 7624:2014.
//!
//! The lowest bit of the first byte is the coefficient of x^0, as the standard's numbers are little-endian.

use super::xor;

/// A times x.
pub(super) fn times_x(a: &mut [u8]) {
    let mut carry = 0;
    for byte in &mut *a {
        let next = *byte >> 7;
        *byte = (*byte << 1) | carry;
        carry = next;
    }
    if carry == 1 {
        let polynomial: u16 = match a.len() {
            16 => 1 << 7 | 1 << 2 | 1 << 1 | 1,
            32 => 1 << 10 | 1 << 5 | 1 << 2 | 1,
            64 => 1 << 8 | 1 << 5 | 1 << 2 | 1,
            _ => unreachable!("blocks have 16, 32 or 64 bytes"),
        };
        xor(a, &polynomial.to_le_bytes());
    }
}

/// A times B.
pub(super) fn multiply(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut product = vec![0; a.len()];
    for byte in b.iter().rev() {
        for bit in (0..8).rev() {
            times_x(&mut product);
            if byte >> bit & 1 == 1 {
                xor(&mut product, a);
            }
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x^l is the polynomial without its highest term; and x^(2^l) = x, as in every field of 2^l elements.
    #[test]
    fn powers_of_x() {
        for (l, rest) in [(16, [0x87, 0x00]), (32, [0x25, 0x04]), (64, [0x25, 0x01])] {
            let mut power = vec![0; l];
            power[0] = 1;
            for _ in 0..8 * l {
                times_x(&mut power);
            }
            assert_eq!(power[..2], rest);
            assert_eq!(power[2..], vec![0; l - 2]);

            let mut x = vec![0; l];
            x[0] = 2;
            let mut power = x.clone();
            for _ in 0..8 * l {
                power = multiply(&power, &power);
            }
            assert_eq!(power, x);
        }
    }
}
