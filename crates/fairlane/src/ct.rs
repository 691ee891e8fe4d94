//! Comparison of tags, keys and other secrets in constant time.

#[cfg(feature = "chacha")]
use core::hint::black_box;
use ctutils::CtEq;

/// Reports whether two byte strings are equal. The running time depends on their lengths only.
///
/// Within kernels, `equal_in_kernel` compares tags; `lattice` compares the KEMs' ciphertexts and hashes. There are no
/// other comparisons of tags and keys in the library. `ctutils` compares by instructions that the compiler cannot turn
/// into branches, at any optimisation level and for any caller.
#[inline(always)]
pub(crate) fn equal(a: &[u8], b: &[u8]) -> bool {
    // Nearly all tags have 16 bytes, and are compared in the registers in which they have been computed: the branch on
    // the result ends the chain of dependent instructions that a short message is.
    if let (Ok(a), Ok(b)) = (a.try_into(), b.try_into()) {
        let differences = u128::from_ne_bytes(a) ^ u128::from_ne_bytes(b);
        return ((differences >> 64) as u64 | differences as u64).ct_eq(&0).to_bool();
    }
    equal_slices(a, b)
}

/// The same for tags in a kernel, where a call would store all vectors: that of `ctutils` is not always inlined.
#[inline(always)]
#[cfg(feature = "chacha")]
pub(crate) fn equal_in_kernel(a: [u8; 16], b: [u8; 16]) -> bool {
    let differences = u128::from_ne_bytes(a) ^ u128::from_ne_bytes(b);
    // The compiler does not know what this is, and so must compute all of it before it can branch.
    black_box((differences >> 64) as u64 | differences as u64) == 0
}

#[inline(never)]
fn equal_slices(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).to_bool()
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
