//! The fields of Kalyna's GCM and GMAC: DSTU 7624:2014, clause 12. Products of blocks of one, two and four digits of
//! 128 bits, for the order of digits, and their reduction, bit by bit; and the order of powers and blocks.

use crate::halves::{self, Halves};
use crate::integer::Number;
use crate::lane::Lane;
use crate::mutation;
use crate::proof::{Claim, Kernel, no_longer_provable, prove};
use crate::value::Value;
use fairlane::kalyna::symbolic::{FieldPowers, field_reduce, field_sum_of_products};
use std::array::from_fn;

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
        let first = from_fn(|d| halves::sum(&blocks[i][d], &sum[d]));
        add_product(&mut expected, if i == 0 { &first } else { &blocks[i] }, &powers[i]);
    }
    for (place, (x, y)) in result.iter().zip(&expected).enumerate() {
        if *x != halves::name(y) {
            return Err(format!("digit {place} of {count} blocks"));
        }
    }
    Ok(())
}

/// Adds the product of two elements, digit by digit.
fn add_product<const D: usize>(total: &mut [Halves; 8], a: &[Halves; D], b: &[Halves; D]) {
    for (d, e) in (0..D).flat_map(|d| (0..D).map(move |e| (d, e))) {
        for (place, part) in halves::full_product(&a[d], &b[e]).iter().enumerate() {
            total[d + e + place] = halves::sum(&total[d + e + place], part);
        }
    }
}

/// Lets the digits in memory, and the sums of their halves, stand for an unknown element, always the same one.
fn unknown_behind<const D: usize>(digits: [u128; D]) -> [Halves; D] {
    digits.map(|digit| {
        if let Some(unknown) = halves::find(digit) {
            return unknown;
        }
        let unknown = halves::unknown();
        halves::stands_behind(digit, &unknown);
        let sum_of_halves = u128::from((digit >> 64) as u64 ^ digit as u64);
        halves::stands_behind(sum_of_halves, &[halves::folded(&unknown), halves::Half::new()]);
        unknown
    })
}

/// A product reduced: what it is does not matter here, so that it is unknown. The reduction runs on the names of the
/// product's digits, and where they are equal, its results are.
fn reduced<const D: usize>(product: &[Halves; 8]) -> ([u128; D], [Halves; D]) {
    let digits = field_reduce::<u128, D>(&product.each_ref().map(halves::name));
    (digits, unknown_behind(digits))
}

/// Whether powers are H^i = H^(i / 2) H^(i - i / 2), and any number of blocks up to `most` gives what Horner's rule
/// gives. The plan of the sums is the body's; what is checked is that it is carried out, and that each block is
/// multiplied by its power.
fn check_order<const N: usize, const WORDS: usize, const D: usize>(most: usize) -> Result<(), String> {
    halves::reset();
    // Numbers without a pattern.
    let h: [u128; D] = from_fn(|d| 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128.wrapping_mul(1 + d as u128));
    let count = N * WORDS / D;
    let mut by_exponent = vec![(h, from_fn(|_| Halves::default())), (h, unknown_behind(h))];
    for i in 2..=count {
        let mut product = from_fn(|_| Halves::default());
        add_product(&mut product, &by_exponent[i / 2].1, &by_exponent[i - i / 2].1);
        by_exponent.push(reduced(&product));
    }
    let powers = FieldPowers::<D>::new::<halves::Word<N>, halves::Word<1>, N, WORDS>(halves::TOKEN, h);
    assert_eq!(powers.count(), count, "the number of powers");
    for (i, (digits, _)) in by_exponent.iter().enumerate().skip(1) {
        for (e, digit) in digits.iter().enumerate() {
            if powers.digit(i, e) != [[*digit; D], [u128::from((digit >> 64) as u64 ^ *digit as u64); D]] {
                return Err(format!("digit {e} of power {i}"));
            }
        }
    }
    let before: [Halves; D] = from_fn(|_| halves::unknown());
    let blocks: Vec<[Halves; D]> = (0..most).map(|_| from_fn(|_| halves::unknown())).collect();
    let memory: Vec<[[u8; 16]; D]> =
        blocks.iter().map(|block| from_fn(|d| halves::name(&block[d]).to_le_bytes())).collect();
    for total in 1..=most {
        let (mut digits, mut sum) = (before.each_ref().map(halves::name), before.clone());
        let (mut at, mut exponents) = (0, vec![(most, 0)]);
        while at < total {
            let group = count.min(total - at);
            let mut product = from_fn(|_| Halves::default());
            for i in 0..group {
                let first = from_fn(|d| halves::sum(&blocks[at + i][d], &sum[d]));
                add_product(&mut product, if i == 0 { &first } else { &blocks[at + i] }, &by_exponent[group - i].1);
            }
            exponents.iter_mut().for_each(|(_, exponent)| *exponent += group);
            exponents.extend((0..group).map(|i| (at + i, group - i)));
            (digits, sum) = reduced(&product);
            at += group;
        }
        exponents.sort_unstable();
        let horner: Vec<_> = (0..total).map(|i| (i, total - i)).chain([(most, total)]).collect();
        assert_eq!(exponents, horner, "the plan");
        // The body comes after the standard, which says what stands behind reduced products.
        let result = powers.absorb::<halves::Word<N>, halves::Word<1>, N, WORDS>(
            halves::TOKEN,
            before.each_ref().map(halves::name),
            &memory[..total],
        );
        if result != digits {
            return Err(format!("{total} blocks"));
        }
    }
    Ok(())
}

/// Places of faults: all twelve, which take no time, and of which some are in sums with zeros.
fn all_places(operations: usize) -> impl ExactSizeIterator<Item = usize> {
    (0..12).map(move |k| (2 * k + 1) * operations / 24)
}

fn order<const N: usize, const WORDS: usize, const D: usize>() -> Vec<Claim> {
    // Three groups and all that may follow them.
    let most = 4 * N * WORDS / D - 1;
    let what = format!("Kalyna's GCM, the order of powers and of blocks of {} bytes, {WORDS} words of {N}", 16 * D);
    let method = "formal products of unknown polynomials, the reduction as an unknown function";
    let mut operations = 0;
    let proved = Claim::of(format!("{what} = DSTU 7624:2014, 12"), method, || {
        let (proof, counted, _) = mutation::with(None, || check_order::<N, WORDS, D>(most));
        proof.expect("it is proved");
        operations = counted;
        format!("1 to {most} blocks after a sum, all powers")
    });
    let faults = no_longer_provable(&what, all_places(operations), || check_order::<N, WORDS, D>(most));
    vec![proved, faults]
}

fn orders<const N: usize, const WORDS: usize>() -> Vec<Claim> {
    [order::<N, WORDS, 1>(), order::<N, WORDS, 2>(), order::<N, WORDS, 4>()].concat()
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
    let faults = no_longer_provable(&what, all_places(operations), || check::<N, D>(most));
    vec![proved, faults]
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
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let digit = |i: usize| inputs.get(i).copied().unwrap_or_else(|| Value::constant(128, 0));
        field_reduce::<_, D>(&from_fn(|i| Number(digit(i)))).map(|digit| digit.0).to_vec()
    }
    /// Bit by bit, the highest first.
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let m = 128 * D;
        let mut bits: Vec<Value> = (0..2 * m).map(|i| inputs[i / 128].slice(i as u32 % 128, 1)).collect();
        for i in (m..2 * m).rev() {
            let bit = bits[i];
            for to in [0, self.0[0], self.0[1], self.0[2]] {
                let at = i - m + to as usize;
                bits[at] = bits[at].xor(bit);
            }
        }
        bits[..m].chunks(128).map(Value::join).collect()
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
        orders::<1, 4>(),
        orders::<1, 16>(),
        orders::<2, 8>(),
        orders::<4, 4>(),
    ]
    .concat()
}
