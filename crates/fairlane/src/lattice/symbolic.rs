//! The arithmetic of the ring, for the proofs alone.

use super::coding;
use super::ring::{self, Multiplicand, Poly};
use super::secret::Zero;
use fairlane_lanes::I16xN;

/// An element of R<sub>q</sub> or T<sub>q</sub>.
#[derive(Clone, Copy)]
pub struct Polynomial(Poly);

impl Polynomial {
    /// With these coefficients.
    pub fn new(coefficients: [i16; 256]) -> Self {
        Self(Poly(coefficients))
    }

    /// Its coefficients.
    pub fn coefficients(&self) -> &[i16; 256] {
        &self.0.0
    }
}

macro_rules! in_place {
    ($($name:ident: $doc:literal)*) => {$(
        #[doc = $doc]
        #[inline(always)]
        pub fn $name<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Polynomial) {
            ring::$name::<W, N>(token, &mut poly.0);
        }
    )*};
}
in_place! {
    ntt: "The NTT."
    inverse_ntt: "Its inverse, times 2^16."
    reduce: "Reduces coefficients."
}

/// `Compress_d`.
#[inline(always)]
pub fn compress<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Polynomial, d: usize) {
    coding::compress::<W, N>(token, &mut poly.0, d);
}

/// `Decompress_d`.
#[inline(always)]
pub fn decompress<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Polynomial, d: usize) {
    coding::decompress::<W, N>(token, &mut poly.0, d);
}

/// The product by a constant, divided by 2^16; `over_q` is the constant / q modulo 2^16.
#[inline(always)]
pub fn montgomery_mul<W: I16xN<N>, const N: usize>(token: W::Token, x: W, factor: W, over_q: W) -> W {
    ring::montgomery_mul(token, x, factor, over_q)
}

/// The reduction to 0 … q.
#[inline(always)]
pub fn barrett_reduce<W: I16xN<N>, const N: usize>(token: W::Token, x: W) -> W {
    ring::barrett_reduce(token, x)
}

/// Up to four polynomials, as first and as second factors of products, and a sum.
#[derive(Clone)]
pub struct Products {
    first: [Poly; 4],
    second: [Multiplicand; 4],
    sum: Poly,
}

impl Default for Products {
    fn default() -> Self {
        Self { first: [Poly::ZERO; 4], second: [Multiplicand::ZERO; 4], sum: Poly::ZERO }
    }
}

impl Products {
    /// Sets the first factor `i`.
    pub fn set_first(&mut self, i: usize, poly: &Polynomial) {
        self.first[i] = poly.0;
    }

    /// Makes the second factor `i` ready.
    #[inline(always)]
    pub fn set_second<W: I16xN<N>, const N: usize>(&mut self, token: W::Token, i: usize, poly: &Polynomial) {
        self.second[i].set::<W, N>(token, &poly.0);
    }

    /// The sum of the first `count` products, divided by 2^16.
    #[inline(always)]
    pub fn dot<W: I16xN<N>, const N: usize>(&mut self, token: W::Token, count: usize) -> &[i16; 256] {
        ring::dot::<W, N>(token, &mut self.sum, &self.first[..count], &self.second[..count]);
        &self.sum.0
    }

    /// The sum of the first `count` products and of an output of [`ntt`], reduced.
    #[inline(always)]
    pub fn add_dot<W: I16xN<N>, const N: usize>(
        &mut self,
        token: W::Token,
        sum: &Polynomial,
        count: usize,
    ) -> &[i16; 256] {
        self.sum = sum.0;
        ring::add_dot::<W, N>(token, &mut self.sum, &self.first[..count], &self.second[..count]);
        &self.sum.0
    }
}
