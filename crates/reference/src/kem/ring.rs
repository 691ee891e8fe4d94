//! The ring R<sub>q</sub> = ℤ<sub>q</sub>\[X\]/(X<sup>256</sup> + 1), q = 3329, and T<sub>q</sub>, into which the NTT
//! maps it (FIPS 203, section 4).
//!
//! | functions | algorithm or section |
//! | --- | --- |
//! | [`compress`], [`decompress`] | section 4.2.1 |
//! | [`byte_encode`], [`byte_decode`] | 5, 6 |
//! | [`sample_ntt`] | 7 |
//! | [`sample_cbd`] | 8 |
//! | [`ntt`], [`inverse_ntt`] | 9, 10 |
//! | [`multiply_ntts`] | 11, 12 |
//! | [`add`], [`subtract`] | section 2.4.5 |
//!
//! Coefficients are from 0 to q − 1 in every argument and result, unless a function says otherwise.

use crate::keccak::shake128;

/// The number of coefficients.
pub const N: usize = 256;

/// The modulus, a prime.
pub const Q: u16 = 3329;

/// An element of R<sub>q</sub>, constant coefficient first, or of T<sub>q</sub>.
pub type Polynomial = [u16; N];

/// ζ<sup>i</sup> mod q for i from 0 to 255, where ζ = 17 is a primitive 256th root of unity modulo q.
const POWERS_OF_ZETA: [u16; N] = powers_of_zeta();

const fn powers_of_zeta() -> [u16; N] {
    let mut powers = [1; N];
    let mut i = 1;
    while i < N {
        powers[i] = mul(powers[i - 1], 17);
        i += 1;
    }
    powers
}

/// `BitRev7`: the seven low bits of `i` in reverse order.
fn bit_rev_7(i: usize) -> usize {
    (i as u8).reverse_bits() as usize >> 1
}

const fn mul(a: u16, b: u16) -> u16 {
    (a as u32 * b as u32 % Q as u32) as u16
}

/// The sum of two elements, coefficient by coefficient.
#[must_use]
pub fn add(a: &Polynomial, b: &Polynomial) -> Polynomial {
    std::array::from_fn(|i| (a[i] + b[i]) % Q)
}

/// The difference of two elements, coefficient by coefficient.
#[must_use]
pub fn subtract(a: &Polynomial, b: &Polynomial) -> Polynomial {
    std::array::from_fn(|i| (a[i] + Q - b[i]) % Q)
}

// ---- Compression and bytes, section 4.2.1 ----

/// `Compress_d`: the integer nearest to 2<sup>d</sup> / q · x, modulo 2<sup>d</sup>. With `d` = 12, which only CLWE-KEM
/// uses, `x` as it is.
#[must_use]
pub fn compress(d: usize, x: u16) -> u16 {
    if d == 12 {
        return x;
    }
    let (x, q) = (u32::from(x), u32::from(Q));
    // Adding half a q before the division rounds to the nearest. There are no ties, since q is odd.
    let nearest = ((x << (d + 1)) + q) / (2 * q);
    (nearest % (1 << d)) as u16
}

/// `Decompress_d`: the integer nearest to q / 2<sup>d</sup> · y, ties rounded up, for `y` of `d` bits. With `d` = 12,
/// `y` as it is.
#[must_use]
pub fn decompress(d: usize, y: u16) -> u16 {
    if d == 12 {
        return y;
    }
    ((u32::from(y) * u32::from(Q) + (1 << (d - 1))) >> d) as u16
}

/// `ByteEncode_d` (Algorithm 5): the `d` low bits of each integer, least significant first, in 32 `d` bytes.
#[must_use]
pub fn byte_encode(d: usize, f: &[u16; N]) -> Vec<u8> {
    let mut b = vec![0; 32 * d];
    for (i, a) in f.iter().enumerate() {
        for j in 0..d {
            let bit = i * d + j;
            b[bit / 8] |= ((a >> j & 1) as u8) << (bit % 8);
        }
    }
    b
}

/// `ByteDecode_d` (Algorithm 6): the inverse of [`byte_encode`]. With `d` = 12 the integers are taken modulo q.
///
/// # Panics
///
/// If there are not 32 `d` bytes.
#[must_use]
pub fn byte_decode(d: usize, b: &[u8]) -> [u16; N] {
    assert!(b.len() == 32 * d, "integers of {d} bits come in {} bytes, not {}", 32 * d, b.len());
    let m = if d == 12 { Q } else { 1 << d };
    std::array::from_fn(|i| {
        let bit = |j| u16::from(b[(i * d + j) / 8] >> ((i * d + j) % 8) & 1);
        (0..d).map(|j| bit(j) << j).sum::<u16>() % m
    })
}

// ---- Sampling, section 4.2.2 ----

/// `SampleNTT` (Algorithm 7): an element of T<sub>q</sub> from a seed of 32 bytes and two indices of a byte each.
///
/// # Panics
///
/// If 280 iterations do not yield 256 coefficients. Appendix B allows such a bound: one seed in 2<sup>261</sup> meets
/// it.
#[must_use]
pub fn sample_ntt(b: &[u8; 34]) -> Polynomial {
    let mut c = [0; 3 * 280];
    shake128(b, &mut c);
    let candidates = c.as_chunks().0.iter().flat_map(|&[c0, c1, c2]: &[u8; 3]| {
        let [c0, c1, c2] = [c0, c1, c2].map(u16::from);
        [c0 + 256 * (c1 % 16), c1 / 16 + 16 * c2]
    });
    let a_hat: Vec<u16> = candidates.filter(|&d| d < Q).take(N).collect();
    a_hat.try_into().expect("280 iterations yield 256 coefficients")
}

/// `SamplePolyCBD_η` (Algorithm 8): each coefficient is the difference of two sums of η bits.
///
/// # Panics
///
/// If there are not 64 `eta` bytes.
#[must_use]
pub fn sample_cbd(eta: usize, b: &[u8]) -> Polynomial {
    assert!(b.len() == 64 * eta, "a sample for η = {eta} takes {} bytes, not {}", 64 * eta, b.len());
    let bit = |i: usize| u16::from(b[i / 8] >> (i % 8) & 1);
    std::array::from_fn(|i| {
        let x: u16 = (0..eta).map(|j| bit(2 * i * eta + j)).sum();
        let y: u16 = (0..eta).map(|j| bit(2 * i * eta + eta + j)).sum();
        (x + Q - y) % Q
    })
}

// ---- The number-theoretic transform, section 4.3 ----

/// NTT (Algorithm 9): f modulo each of the 128 polynomials X<sup>2</sup> − ζ<sup>2 BitRev7(i) + 1</sup>.
#[must_use]
pub fn ntt(f: &Polynomial) -> Polynomial {
    let mut f_hat = *f;
    let mut i = 1;
    for len in [128, 64, 32, 16, 8, 4, 2] {
        for start in (0..N).step_by(2 * len) {
            let zeta = POWERS_OF_ZETA[bit_rev_7(i)];
            i += 1;
            for j in start..start + len {
                let t = mul(zeta, f_hat[j + len]);
                f_hat[j + len] = (f_hat[j] + Q - t) % Q;
                f_hat[j] = (f_hat[j] + t) % Q;
            }
        }
    }
    f_hat
}

/// NTT<sup>−1</sup> (Algorithm 10): the inverse of [`ntt`].
#[must_use]
pub fn inverse_ntt(f_hat: &Polynomial) -> Polynomial {
    let mut f = *f_hat;
    let mut i = 127;
    for len in [2, 4, 8, 16, 32, 64, 128] {
        for start in (0..N).step_by(2 * len) {
            let zeta = POWERS_OF_ZETA[bit_rev_7(i)];
            i -= 1;
            for j in start..start + len {
                let t = f[j];
                f[j] = (t + f[j + len]) % Q;
                f[j + len] = mul(zeta, f[j + len] + Q - t);
            }
        }
    }
    // 3303 is the inverse of 128.
    f.map(|a| mul(a, 3303))
}

/// `MultiplyNTTs` (Algorithm 11): the product in T<sub>q</sub>, which is the NTT of the product in R<sub>q</sub>.
#[must_use]
pub fn multiply_ntts(f_hat: &Polynomial, g_hat: &Polynomial) -> Polynomial {
    let mut h_hat = [0; N];
    for i in 0..N / 2 {
        let gamma = POWERS_OF_ZETA[2 * bit_rev_7(i) + 1];
        let (a0, a1) = (f_hat[2 * i], f_hat[2 * i + 1]);
        let (b0, b1) = (g_hat[2 * i], g_hat[2 * i + 1]);
        (h_hat[2 * i], h_hat[2 * i + 1]) = base_case_multiply(a0, a1, b0, b1, gamma);
    }
    h_hat
}

/// `BaseCaseMultiply` (Algorithm 12): (a0 + a1 X)(b0 + b1 X) modulo X<sup>2</sup> − γ.
fn base_case_multiply(a0: u16, a1: u16, b0: u16, b1: u16, gamma: u16) -> (u16, u16) {
    let c0 = (mul(a0, b0) + mul(mul(a1, b1), gamma)) % Q;
    let c1 = (mul(a0, b1) + mul(a1, b0)) % Q;
    (c0, c1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pseudorandom element.
    fn some(seed: u8) -> Polynomial {
        sample_ntt(&[seed; 34])
    }

    /// The product in R<sub>q</sub> by its definition: X<sup>256</sup> = −1.
    fn schoolbook(f: &Polynomial, g: &Polynomial) -> Polynomial {
        let mut h = [0; N];
        for i in 0..N {
            for j in 0..N {
                let product = mul(f[i], g[j]);
                let term = if i + j < N { product } else { Q - product };
                h[(i + j) % N] = (h[(i + j) % N] + term) % Q;
            }
        }
        h
    }

    #[test]
    fn the_ntt_multiplies() {
        let mut extremes = vec![[0; N], [1; N], [Q - 1; N], some(0), some(1)];
        // Each power of X alone, so that every coefficient meets every other one with both signs.
        extremes.extend((0..N).map(|i| std::array::from_fn(|j| u16::from(i == j))));
        for f in &extremes {
            assert_eq!(inverse_ntt(&ntt(f)), *f);
            for g in &extremes[..5] {
                assert_eq!(inverse_ntt(&multiply_ntts(&ntt(f), &ntt(g))), schoolbook(f, g));
            }
        }
    }

    /// The definition of the NTT, section 4.3: pair i is f modulo X<sup>2</sup> − ζ<sup>2 BitRev7(i) + 1</sup>.
    #[test]
    fn the_ntt_has_its_order() {
        let f = some(2);
        let f_hat = ntt(&f);
        for i in 0..N / 2 {
            let mut expected = [0, 0];
            let mut power = 1;
            for pair in f.chunks(2) {
                for (sum, a) in expected.iter_mut().zip(pair) {
                    *sum = (*sum + mul(*a, power)) % Q;
                }
                power = mul(power, POWERS_OF_ZETA[2 * bit_rev_7(i) + 1]);
            }
            assert_eq!(f_hat[2 * i..2 * i + 2], expected);
        }
    }

    #[test]
    fn sums_and_differences() {
        let (f, g) = (some(3), some(4));
        assert_eq!(subtract(&add(&f, &g), &g), f);
        assert_eq!(add(&[Q - 1; N], &[1; N]), [0; N]);
        assert_eq!(subtract(&[0; N], &[1; N]), [Q - 1; N]);
    }

    /// Every input of compression and decompression, against the formulas in floating point, whose precision suffices
    /// for all of them; and the two properties of their composition that section 4.2.1 states.
    #[test]
    fn compression() {
        for d in 1..12 {
            let steps = f64::from(1 << d);
            for x in 0..Q {
                let y = compress(d, x);
                assert_eq!(y, (steps / f64::from(Q) * f64::from(x)).round() as u16 % (1 << d), "d = {d}, x = {x}");
                let error = decompress(d, y).abs_diff(x);
                let most = (f64::from(Q) / (2.0 * steps)).round() as u16;
                assert!(error.min(Q - error) <= most, "d = {d}, x = {x}");
            }
            for y in 0..1 << d {
                let x = decompress(d, y);
                assert_eq!(x, (f64::from(Q) / steps * f64::from(y)).round() as u16, "d = {d}, y = {y}");
                assert_eq!(compress(d, x), y, "d = {d}, y = {y}");
            }
        }
        assert!((0..Q).all(|x| compress(12, x) == x && decompress(12, x) == x));
    }

    /// Every integer of every width at every position in a byte; among those of 12 bits also those that are not below
    /// q.
    #[test]
    fn bytes() {
        for d in 1..=12 {
            for first in (0..1 << d).step_by(N) {
                for shift in 0..8 {
                    let f: [u16; N] = std::array::from_fn(|i| (first + (i + shift) % N) as u16 % (1 << d));
                    let encoded = byte_encode(d, &f);
                    assert_eq!(encoded.len(), 32 * d);
                    assert_eq!(byte_decode(d, &encoded), if d == 12 { f.map(|a| a % Q) } else { f });
                }
            }
        }
        assert_eq!(byte_encode(4, &[0xa5; N]), [0x55; 128]);
        assert_eq!(byte_encode(12, &std::array::from_fn(|i| [0x321, 0x654][i % 2]))[..3], [0x21, 0x43, 0x65]);
    }

    /// Every group of 2η bits, packed by [`byte_encode`].
    #[test]
    fn binomial_samples() {
        for eta in [2, 3] {
            let groups = std::array::from_fn(|i| i as u16 % (1 << (2 * eta)));
            let sample = sample_cbd(eta, &byte_encode(2 * eta, &groups));
            for (a, bits) in sample.iter().zip(groups) {
                let (x, y) = ((bits % (1 << eta)).count_ones(), (bits >> eta).count_ones());
                assert_eq!(u32::from(*a), (x + u32::from(Q) - y) % u32::from(Q), "η = {eta}, bits {bits:06b}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "integers of 12 bits come in 384 bytes, not 383")]
    fn too_few_bytes() {
        let _ = byte_decode(12, &[0; 383]);
    }

    #[test]
    #[should_panic(expected = "a sample for η = 3 takes 192 bytes, not 128")]
    fn too_few_bits() {
        let _ = sample_cbd(3, &[0; 128]);
    }
}
