//! Comparison of tags, keys and other secrets in constant time.

use ctutils::{Choice, CtEq};

/// Reports whether two byte strings are equal. The running time depends on their lengths only.
///
/// This is the only such comparison of tags and keys in the library: `ctutils` selects by instructions that the
/// compiler cannot turn into branches, at any optimisation level. The function is neither generic nor inlined, so that
/// callers cannot specialise it.
#[inline(never)]
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // By words of 8 bytes: a load of all 16 of a tag would wait for the two stores that have just written it.
    let ((words, rest), (other_words, other_rest)) = (a.as_chunks(), b.as_chunks());
    let mut equal = Choice::TRUE;
    for (word, other) in words.iter().zip(other_words) {
        equal &= u64::from_ne_bytes(*word).ct_eq(&u64::from_ne_bytes(*other));
    }
    if !rest.is_empty() {
        equal &= rest.ct_eq(other_rest);
    }
    equal.to_bool()
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn every_bit_counts() {
        let bytes: [u8; 67] = core::array::from_fn(|i| 37_u8.wrapping_mul(i as u8));
        for len in 0..=bytes.len() {
            let a = &bytes[..len];
            assert!(equal(a, a));
            for bit in 0..8 * len {
                let mut b = bytes;
                b[bit / 8] ^= 1 << (bit % 8);
                assert!(!equal(a, &b[..len]), "bit {bit} of {len} bytes");
            }
        }
    }

    #[test]
    fn strings_of_different_lengths_differ() {
        assert!(!equal(&[0; 16], &[0; 15]) && !equal(&[0; 15], &[0; 16]) && !equal(&[], &[0]));
    }
}
