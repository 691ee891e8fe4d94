//! The fields of Kalyna's GCM and GMAC: DSTU 7624:2014, clause 12. Products of blocks of one, two and four digits of
//! 128 bits, for the order of digits, and their reduction, bit by bit.

use crate::halves::{self, Halves};
use crate::integer::Number;
use crate::lane::Lane;
use crate::mutation;
use crate::proof::{Claim, Kernel, prove, silently};
use fairlane::kalyna::symbolic::{field_reduce, field_sum_of_products};
use std::array::from_fn;
use std::panic::catch_unwind;

/// Whether the sum of the products of `count` blocks with powers, the sum so far joining the first block, is the one
/// digit by digit.
fn check<const N: usize, const D: usize>(count: usize) -> Result<(), String> {
    halves::reset();
    let element = || -> [Halves; D] { from_fn(|_| halves::unknown()) };
    let sum = element();
    let [blocks, powers]: [Vec<[Halves; D]>; 2] = from_fn(|_| (0..count).map(|_| element()).collect());
    let memory: Vec<[[u8; 16]; D]> =
        blocks.iter().map(|block| from_fn(|d| halves::name(&block[d]).to_le_bytes())).collect();
    let result = field_sum_of_products::<halves::Word<N>, N, D>(
        halves::TOKEN,
        |i, e| halves::name(&powers[i][e]),
        |i, e| halves::name(&[halves::folded(&powers[i][e]), halves::Half::new()]),
        from_fn(|d| halves::name(&sum[d])),
        &memory,
    );
    let mut expected: [Halves; 8] = from_fn(|_| Halves::default());
    for i in 0..count {
        for (d, e) in (0..D).flat_map(|d| (0..D).map(move |e| (d, e))) {
            let digit = if i == 0 { halves::sum(&blocks[i][d], &sum[d]) } else { blocks[i][d].clone() };
            for (place, part) in halves::full_product(&digit, &powers[i][e]).iter().enumerate() {
                expected[d + e + place] = halves::sum(&expected[d + e + place], part);
            }
        }
    }
    for (place, (x, y)) in result.iter().zip(&expected).enumerate() {
        if *x != halves::name(y) {
            return Err(format!("digit {place} of {count} blocks"));
        }
    }
    Ok(())
}

fn products<const N: usize, const D: usize>() -> Vec<Claim> {
    let (mut operations, most) = (0, 16 / D);
    let what = format!("Kalyna's GCM, products of blocks of {} bytes in words of {N}", 16 * D);
    let proved = Claim::of(format!("{what} = those digit by digit"), "formal products of unknown polynomials", || {
        for count in 1..=most {
            let (proof, counted, _) = mutation::with(None, || check::<N, D>(count));
            proof.expect("it is proved");
            operations = counted;
        }
        format!("1 to {most} blocks and powers after a sum")
    });
    let refused = Claim::of(format!("{what}: faults"), "no longer provable", || {
        let (mut refused, mut harmless) = (0, 0);
        silently(|| {
            for k in 0..12 {
                let at = (2 * k + 1) * operations / 24;
                match mutation::with(Some(at), || catch_unwind(|| check::<N, D>(most))).0 {
                    Ok(Ok(())) => harmless += 1,
                    _ => refused += 1,
                }
            }
        });
        assert!(refused >= 8, "{harmless} of 12 went unnoticed");
        format!("{refused} refused, {harmless} harmless")
    });
    vec![proved, refused]
}

/// The reduction modulo x^m + x^a + x^b + x^c + 1, m = 128 D, of which clause 12 lists the exponents.
pub(crate) struct Reduction<const D: usize>(pub(crate) [u32; 3]);

impl<const D: usize> Kernel for Reduction<D> {
    fn name(&self) -> String {
        format!("Kalyna's GCM, the reduction for blocks of {} bytes = DSTU 7624:2014, 12", 16 * D)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![128; 2 * D]
    }
    fn body<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let digit = |i: usize| inputs.get(i).copied().unwrap_or_else(|| L::constant(128, 0));
        field_reduce::<_, D>(&from_fn(|i| Number(digit(i)))).map(|digit| digit.0).to_vec()
    }
    /// Bit by bit, the highest first.
    fn standard<L: Lane>(&self, inputs: &[L], _: &dyn Fn(L) -> L) -> Vec<L> {
        let m = 128 * D;
        let mut bits: Vec<L> = (0..2 * m).map(|i| inputs[i / 128].slice(i as u32 % 128, 1)).collect();
        for i in (m..2 * m).rev() {
            let bit = bits[i];
            for to in [0, self.0[0], self.0[1], self.0[2]] {
                let at = i - m + to as usize;
                bits[at] = bits[at].xor(bit);
            }
        }
        bits[..m].chunks(128).map(|bits| bits.iter().copied().reduce(L::concat).expect("128 bits")).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        field_reduce::<u128, D>(&from_fn(|i| inputs.get(i).copied().unwrap_or(0))).to_vec()
    }
}

/// Proves the fields of Kalyna's GCM.
pub fn claims() -> Vec<Claim> {
    [
        products::<1, 1>(),
        products::<2, 1>(),
        products::<4, 1>(),
        products::<1, 2>(),
        products::<2, 2>(),
        products::<4, 2>(),
        products::<1, 4>(),
        products::<2, 4>(),
        products::<4, 4>(),
        prove(&Reduction::<1>([7, 2, 1]), 12),
        prove(&Reduction::<2>([10, 5, 2]), 12),
        prove(&Reduction::<4>([8, 5, 2]), 12),
    ]
    .concat()
}
