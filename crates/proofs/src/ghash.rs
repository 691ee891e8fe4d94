//! GHASH: NIST SP 800-38D, sections 6.3 and 6.4.

use crate::halves::{self, Halves};
use crate::lane::{Lane, Plain};
use crate::mutation;
use crate::proof::{Claim, Kernel, no_longer_provable, prove};
use crate::value::Value;
use crate::word::Word;
use fairlane::ghash::symbolic::{MODULUS, absorb, powers, sum_of_products};
use fairlane_lanes::{Polynomials, Scalar, Token};
use std::ops::RangeInclusive;

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
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let factors: Vec<_> =
            inputs.chunks(2).map(|pair| [Word::<Value, 128, 1>([pair[0]]), Word([prepared(pair[1])])]).collect();
        sum_of_products(Scalar::PROOF, &factors).0.to_vec()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let products = inputs.chunks(2).map(|pair| product(pair[0], pair[1]));
        vec![products.reduce(Value::xor).expect("there are products")]
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

/// A block in a formal sum of products: what it is, and by which power of H it has been multiplied.
#[derive(Clone, Default)]
struct Sum {
    polynomial: Halves,
    /// The exponent of H for each block, and that of the sum so far.
    exponents: Vec<(usize, usize)>,
}

impl Sum {
    fn plus(&self, b: &Self) -> Self {
        Self {
            polynomial: halves::sum(&self.polynomial, &b.polynomial),
            exponents: [&self.exponents[..], &b.exponents].concat(),
        }
    }

    /// Times H^k, which is a polynomial of its own; products are those of [`Multiplication`].
    fn times(&self, k: usize, power: &Halves) -> Self {
        let exponents = self.exponents.iter().map(|(block, exponent)| (*block, exponent + k)).collect();
        Self { polynomial: product_of(&self.polynomial, power), exponents }
    }
}

/// The product in the field, as the body computes it.
fn product_of(a: &Halves, b: &Halves) -> Halves {
    let factors = [[a, b].map(|x| halves::Word::of([x.clone()]))];
    let [product] = mutation::paused(|| sum_of_products(halves::TOKEN, &factors)).lanes();
    product
}

/// Whether powers are H^i = H^(i / 2) H^(i - i / 2), and any of these numbers of blocks gives what Horner's rule gives.
/// The plan of the sums is the body's; what is checked is that it is carried out, and that each block is multiplied by
/// its power.
fn check_order<const N: usize, const WORDS: usize>(totals: RangeInclusive<usize>) -> Result<(), String> {
    let most = *totals.end();
    halves::reset();
    halves::stands_behind(MODULUS, &halves::unknown());
    // The first power is computed from H as a number.
    let h = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978_u128;
    let first = halves::unknown();
    halves::stands_behind(prepared(Plain::constant(128, h)).value(), &first);
    let count = N * WORDS + N - 1;
    let mut by_exponent = vec![Halves::default(), first];
    for i in 2..=count {
        by_exponent.push(halves::cut(&product_of(&by_exponent[i / 2], &by_exponent[i - i / 2])));
    }
    let ([numbers, folded], made) =
        powers::<halves::Word<N>, halves::Word<1>, N, WORDS>(halves::TOKEN, &h.to_be_bytes());
    assert_eq!(made, count, "the number of powers");
    for (i, power) in by_exponent.iter().enumerate().skip(1) {
        let is_first = i == 1 && numbers[count - 1] == prepared(Plain::constant(128, h)).value();
        if !is_first && numbers[count - i] != halves::name(power) {
            return Err(format!("power {i}"));
        }
        if folded[count - i] != halves::name(&[halves::folded(power), halves::folded(power)]) {
            return Err(format!("power {i}, folded"));
        }
    }
    // From here on the powers are unknown polynomials.
    let powers: Vec<Halves> = (0..=count).map(|_| halves::unknown()).collect();
    let mut numbers = [[0; 22]; 2];
    for i in 1..=count {
        numbers[0][count - i] = halves::name(&powers[i]);
        numbers[1][count - i] = halves::name(&[halves::folded(&powers[i]), halves::folded(&powers[i])]);
    }
    let before = halves::unknown();
    let blocks: Vec<Halves> = (0..most).map(|_| halves::unknown()).collect();
    let memory: Vec<[u8; 16]> = blocks.iter().map(|block| halves::name(block).to_be_bytes()).collect();
    for total in totals {
        let mut lanes = vec![Sum::default(); N];
        lanes[0] = Sum { polynomial: before.clone(), exponents: vec![(most, 0)] };
        let block = |i: usize| Sum { polynomial: blocks[i].clone(), exponents: vec![(i, 0)] };
        let mut at = 0;
        while total - at >= N * WORDS + N {
            let next = |lane: usize| {
                let words = (0..WORDS).map(|w| {
                    let this = block(at + N * w + lane);
                    let this = if w == 0 { this.plus(&lanes[lane]) } else { this };
                    this.times(N * (WORDS - w), &powers[N * (WORDS - w)])
                });
                let Sum { polynomial, exponents } = words.reduce(|x, y| x.plus(&y)).expect("there are words");
                Sum { polynomial: halves::cut(&polynomial), exponents }
            };
            lanes = (0..N).map(next).collect();
            at += N * WORDS;
        }
        let rest = (at..total).map(|i| {
            let this = if i - at < N { block(i).plus(&lanes[i - at]) } else { block(i) };
            this.times(total - i, &powers[total - i])
        });
        let mut expected = rest.reduce(|x, y| x.plus(&y)).expect("there are blocks");
        expected.exponents.sort_unstable();
        let horner: Vec<_> = (0..total).map(|i| (i, total - i)).chain([(most, total)]).collect();
        assert_eq!(expected.exponents, horner, "the plan");
        // The body comes after the standard, which cuts.
        let sum = halves::name(&before);
        let result =
            absorb::<halves::Word<N>, halves::Word<1>, N, WORDS>(halves::TOKEN, numbers, sum, &memory[..total]);
        if result != halves::name(&expected.polynomial) {
            return Err(format!("{total} blocks"));
        }
    }
    Ok(())
}

fn order<const N: usize, const WORDS: usize>() -> Vec<Claim> {
    // Three groups and all that may follow them.
    let most = 4 * N * WORDS + N - 1;
    let what = format!("GHASH, the order of powers and blocks, {WORDS} words of {N} with one reduction");
    let mut operations = 0;
    let proved = Claim::of(format!("{what} = SP 800-38D, 6.4"), "formal products of unknown polynomials", || {
        check_order::<N, WORDS>(1..=most).expect("it is proved");
        let (_, counted, _) = mutation::with(None, || check_order::<N, WORDS>(most..=most));
        operations = counted;
        format!("1 to {most} blocks after a sum, all powers")
    });
    let faults = no_longer_provable(&what, mutation::places(12, operations), || check_order::<N, WORDS>(most..=most));
    vec![proved, faults]
}

/// The first power, x H, which is computed in integers: a linear map, on a basis.
fn first_power() -> Claim {
    Claim::of("GHASH, the first power = x H", "all keys with one bit, a linear map", || {
        for bit in 0..128 {
            let h = 1_u128 << bit;
            let ([powers, _], count) =
                powers::<fairlane_lanes::P128x1, fairlane_lanes::P128x1, 1, 4>(Scalar::PROOF, &h.to_be_bytes());
            assert_eq!(powers[count - 1], prepared(Plain::constant(128, h)).value());
        }
        "128 cases".into()
    })
}

/// Proves GHASH's multiplication, and the order of powers and blocks.
pub fn claims() -> Vec<Claim> {
    [
        prove(&Multiplication::<1>, 12),
        prove(&Multiplication::<4>, 0),
        vec![first_power()],
        order::<1, 4>(),
        order::<1, 16>(),
        order::<2, 8>(),
        order::<4, 4>(),
    ]
    .concat()
}
