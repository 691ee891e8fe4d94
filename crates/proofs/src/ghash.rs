//! GHASH's multiplication: NIST SP 800-38D, section 6.3.

use crate::lane::Lane;
use crate::proof::{Claim, Kernel, prove};
use crate::word::Word;
use fairlane::ghash::symbolic::sum_of_products;
use fairlane_lanes::{Polynomials, Scalar, Token};

/// The sum of `COUNT` products by Karatsuba's method and one reduction. The first factor is a block as a big-endian
/// number, the second one a power of H times x.
struct Multiplication<const COUNT: usize>;

/// X • Y, algorithm 1, where bit 0 of a block is its most significant one.
fn product<L: Lane>(x: L, y: L) -> L {
    let bit_of = |a: L, i: u32| a.slice(127 - i, 1);
    let everywhere = |bit: L| (0..7).fold(bit, |bits, _| bits.concat(bits));
    let r = L::constant(128, 0xe1 << 120);
    let (mut z, mut v) = (L::constant(128, 0), y);
    for i in 0..128 {
        z = z.xor(v.and(everywhere(bit_of(x, i))));
        v = v.shr(1).xor(r.and(everywhere(bit_of(v, 127))));
    }
    z
}

/// `a` times x in the order of the kernel: the block is multiplied by 1/x of the standard's order.
fn prepared<L: Lane>(h: L) -> L {
    let carry = h.slice(127, 1);
    let everywhere = (0..7).fold(carry, |bits, _| bits.concat(bits));
    h.shl(1).xor(everywhere.and(L::constant(128, 1 | 0b1100_0010 << 120)))
}

impl<const COUNT: usize> Kernel for Multiplication<COUNT> {
    fn name(&self) -> String {
        format!("GHASH, the sum of {COUNT} product(s), one reduction = SP 800-38D, 6.3")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![128; 2 * COUNT]
    }
    fn body<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let factors: Vec<_> =
            inputs.chunks(2).map(|pair| [Word::<L, 128, 1>([pair[0]]), Word([prepared(pair[1])])]).collect();
        sum_of_products(Scalar::PROOF, &factors).0.to_vec()
    }
    fn standard<L: Lane>(&self, inputs: &[L], _: &dyn Fn(L) -> L) -> Vec<L> {
        let products = inputs.chunks(2).map(|pair| product(pair[0], pair[1]));
        vec![products.reduce(L::xor).expect("there are products")]
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: Polynomials<N>, const N: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let prepared = |h: u128| (h << 1) ^ ((h >> 127) * (1 | (0b1100_0010 << 120)));
            let factors: Vec<_> =
                x.chunks(2).map(|pair| [W::splat(token, pair[0]), W::splat(token, prepared(pair[1]))]).collect();
            vec![sum_of_products(token, &factors).to_array()[N - 1]]
        }
        if let Some(token) = fairlane_lanes::Avx512Gfni::new() {
            run::<fairlane_lanes::P128x4, 4>(token, inputs)
        } else if let Some(token) = fairlane_lanes::Avx2Aes::new() {
            run::<fairlane_lanes::P128x1Clmul, 1>(token, inputs)
        } else {
            run::<fairlane_lanes::P128x1, 1>(Scalar::PROOF, inputs)
        }
    }
}

/// Proves GHASH.
pub fn claims() -> Vec<Claim> {
    [prove(&Multiplication::<1>, 12), prove(&Multiplication::<4>, 0)].concat()
}
