//! Comparison of tags, keys and other secrets in constant time.

use ctutils::CtEq;

/// Reports whether two byte strings are equal. The running time depends on their lengths only.
///
/// This is the only such comparison of tags and keys in the library: `ctutils` selects by instructions that the compiler
/// cannot turn into branches, at any optimisation level. The function is neither generic nor inlined, so that callers
/// cannot specialise it.
#[inline(never)]
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).to_bool()
}

#[cfg(test)]
mod tests {
    use super::equal;

    #[test]
    fn every_bit_counts() {
        let bytes: [u8; 67] = core::array::from_fn(|i| 37 * i as u8);
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
