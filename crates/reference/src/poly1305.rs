//! Poly1305: a one-time MAC, RFC 8439 (June 2018), section 2.5.
//!
//! The blocks of the message are the coefficients of a polynomial, which is evaluated at r modulo p = 2^130 - 5; s is
//! added to the result. Numbers are added and doubled word by word, as on paper.

/// A number below 2^192 in words of 64 bits, the least significant first.
type Number = [u64; 3];

/// The prime 2^130 - 5.
const P: Number = [0xffff_ffff_ffff_fffb, 0xffff_ffff_ffff_ffff, 3];

/// 2^192 - p. Adding it modulo 2^192 subtracts p.
const MINUS_P: Number = [5, 0, 0xffff_ffff_ffff_fffc];

/// Computes the 16-byte tag of a message. The key is r, then s, and must never be used for another message.
pub fn poly1305(key: &[u8; 32], message: &[u8]) -> [u8; 16] {
    let halves = key.as_chunks().0;
    let r = clamp(u128::from_le_bytes(halves[0]));
    let s = u128::from_le_bytes(halves[1]);

    let mut accumulator = [0; 3];
    for block in message.chunks(16) {
        accumulator = multiply(add(accumulator, number(block)), r);
    }
    // The sum modulo 2^128: higher bits are dropped.
    let [low, high, _] = accumulator;
    (u128::from(high) << 64 | u128::from(low)).wrapping_add(s).to_le_bytes()
}

/// `clamp`, section 2.5: clears the top four bits of bytes 3, 7, 11 and 15 of r and the low two bits of bytes 4, 8 and
/// 12.
fn clamp(r: u128) -> u128 {
    r & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff
}

/// Reads a block of up to 16 bytes as a little-endian number, with one more bit set above the block.
fn number(block: &[u8]) -> Number {
    let mut bytes = [0; 24];
    bytes[..block.len()].copy_from_slice(block);
    bytes[block.len()] = 1;
    let mut number = [0; 3];
    for (word, bytes) in number.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    number
}

/// a + b modulo p, for a and b below p.
fn add(a: Number, b: Number) -> Number {
    let sum = add_words(a, b);
    let too_big = sum.iter().rev().ge(P.iter().rev());
    if too_big { add_words(sum, MINUS_P) } else { sum }
}

/// a + b modulo 2^192.
fn add_words(a: Number, b: Number) -> Number {
    let mut sum = [0; 3];
    let mut carry = 0;
    for i in 0..3 {
        let word = u128::from(a[i]) + u128::from(b[i]) + carry;
        sum[i] = word as u64;
        carry = word >> 64;
    }
    sum
}

/// a r modulo p: for each bit of r, the highest first, doubles the product and adds a if the bit is set.
fn multiply(a: Number, r: u128) -> Number {
    let mut product = [0; 3];
    for bit in (0..128).rev() {
        product = add(product, product);
        if r >> bit & 1 == 1 {
            product = add(product, a);
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    const P_MINUS_1: Number = [P[0] - 1, P[1], P[2]];

    #[test]
    fn sums_stay_below_p() {
        assert_eq!(add_words(P, MINUS_P), [0; 3]);
        assert_eq!(add(P_MINUS_1, [0; 3]), P_MINUS_1);
        assert_eq!(add(P_MINUS_1, [1, 0, 0]), [0; 3]);
        assert_eq!(add(P_MINUS_1, P_MINUS_1), [P[0] - 2, P[1], P[2]]);
    }

    #[test]
    fn products_are_those_of_small_numbers() {
        assert_eq!(multiply([7, 0, 0], 6), [42, 0, 0]);
        // -1 times 5 is -5; 2^127 times 2^3 is 2^130, which is 5.
        assert_eq!(multiply(P_MINUS_1, 5), [P[0] - 5, P[1], P[2]]);
        assert_eq!(multiply([8, 0, 0], 1 << 127), [5, 0, 0]);
    }

    /// RFC 8439 section 2.5.2: the clamped r, and the first block with its bit.
    #[test]
    fn the_parts_are_those_of_rfc_8439() {
        assert_eq!(clamp(0xa806_d542_fe52_447f_336d_5557_78be_d685), 0x0806_d540_0e52_447c_036d_5554_08be_d685);
        assert_eq!(number(b"Cryptographic Fo"), [0x7267_6f74_7079_7243, 0x6f46_2063_6968_7061, 1]);
        assert_eq!(number(b"up"), [0x01_7075, 0, 0]);
    }
}
