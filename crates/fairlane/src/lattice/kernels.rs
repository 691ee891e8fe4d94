//! The steps of K-PKE (FIPS 203, section 5) that work on polynomials, as kernels that are compiled for each backend.

use super::coding::{compress, decompress};
use super::engine::RingKernel;
use super::parameters::MAX_K;
use super::ring::{self, Multiplicand, Poly};
use fairlane_lanes::I16xN;

/// Up to [`MAX_K`] polynomials.
pub(super) type Vector = [Poly; MAX_K];

/// The NTT of each polynomial, in place and reduced to 0 … q - 1, and also as multiplicands.
///
/// ŝ ← NTT(s): Algorithm 13, line 16. ŷ ← NTT(y): Algorithm 14, line 18.
pub(super) struct VectorNtt<'a> {
    pub(super) polys: &'a mut [Poly],
    pub(super) multiplicands: &'a mut [Multiplicand],
}

impl RingKernel for VectorNtt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { polys, multiplicands } = self;
        for i in 0..polys.len().min(multiplicands.len()) {
            ring::ntt::<W, N>(token, &mut polys[i]);
            ring::reduce::<W, N>(token, &mut polys[i]);
            multiplicands[i].set::<W, N>(token, &polys[i]);
        }
    }
}

/// A row of t̂ ← Â ∘ ŝ + NTT(e) (Algorithm 13, lines 17 and 18), in place of `e`.
pub(super) struct KeyGenRow<'a> {
    pub(super) row: &'a [Poly],
    pub(super) s_hat: &'a [Multiplicand],
    pub(super) e: &'a mut Poly,
}

impl RingKernel for KeyGenRow<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { row, s_hat, e } = self;
        ring::ntt::<W, N>(token, e);
        ring::add_dot::<W, N>(token, e, row, s_hat);
    }
}

/// `Compress_d`(NTT⁻¹(row ∘ ŷ) + e) (Algorithm 14, lines 19 and 22, or 21 and 23), in place of `e`.
pub(super) struct EncryptRow<'a> {
    pub(super) row: &'a [Poly],
    pub(super) y_hat: &'a [Multiplicand],
    pub(super) e: &'a mut Poly,
    pub(super) d: usize,
    /// Overwritten. As a variable of the kernel it would cost a call of memset.
    pub(super) product: &'a mut Poly,
}

impl RingKernel for EncryptRow<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { row, y_hat, e, d, product } = self;
        ring::dot::<W, N>(token, product, row, y_hat);
        ring::inverse_ntt::<W, N>(token, product);
        ring::add::<W, N>(token, e, product);
        compress::<W, N>(token, e, d);
    }
}

/// e₂ + μ, where μ ← `Decompress_1`(`bits`) (Algorithm 14, line 20 and part of 21), in place of `e2`.
pub(super) struct AddMessage<'a> {
    pub(super) bits: &'a mut Poly,
    pub(super) e2: &'a mut Poly,
}

impl RingKernel for AddMessage<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        decompress::<W, N>(token, self.bits, 1);
        ring::add::<W, N>(token, self.e2, self.bits);
    }
}

/// `Compress_1`(v′ - NTT⁻¹(ŝ ∘ NTT(u′))) (Algorithm 15, lines 3, 4, 6 and 7, without the encoding), in place of `v`.
pub(super) struct Decrypt<'a> {
    pub(super) s_hat: &'a [Poly],
    /// u as decoded.
    pub(super) u: &'a mut [Poly],
    pub(super) du: usize,
    /// v as decoded.
    pub(super) v: &'a mut Poly,
    pub(super) dv: usize,
    /// Overwritten, as is `product`.
    pub(super) multiplicands: &'a mut [Multiplicand],
    pub(super) product: &'a mut Poly,
}

impl RingKernel for Decrypt<'_> {
    #[inline(always)]
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self { s_hat, u, du, v, dv, multiplicands, product } = self;
        for poly in &mut *u {
            decompress::<W, N>(token, poly, du);
        }
        VectorNtt { polys: u, multiplicands: &mut *multiplicands }.run::<W, N>(token);
        decompress::<W, N>(token, v, dv);
        ring::dot::<W, N>(token, product, s_hat, multiplicands);
        ring::inverse_ntt::<W, N>(token, product);
        ring::subtract::<W, N>(token, v, product);
        compress::<W, N>(token, v, 1);
    }
}
