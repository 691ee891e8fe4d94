//! Poly1305 in 64-bit integers: a block, the conversions of numbers to limbs and back, and the last reduction.

use crate::bounds::{self, Integer, Polynomial};
use crate::mutation;
use crate::proof::{Claim, Faults, Random, silently};
use fairlane::poly1305::symbolic::{
    Parts, Wide, absorb_block, from_limbs26, from_limbs44, reduce, to_limbs26, to_limbs44,
};
use std::cell::Cell;
use std::ops::{Add, BitOr, Shl, Shr};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A function of integers, and what it computes modulo p.
struct Function {
    name: &'static str,
    /// What inputs are at most, and what they are multiples of.
    inputs: Vec<(u128, u32)>,
    /// The shipped body on integers with bounds, and on those of the machine.
    body: fn(&[Integer<128>]) -> Vec<Integer<128>>,
    real: fn(&[u128]) -> Vec<u128>,
    /// The number that the outputs must make up.
    expected: fn(&[Polynomial]) -> Polynomial,
    /// The exponents of two of the outputs, and what these are at most.
    outputs: Vec<(u32, u128)>,
}

impl Function {
    /// Whether outputs are in their bounds and make up the right number modulo p.
    fn is_right(&self, inputs: &[Integer<128>], outputs: &[Integer<128>]) -> Result<(), String> {
        assert_eq!(outputs.len(), self.outputs.len());
        let inputs: Vec<_> = inputs.iter().map(|x| x.polynomial()).collect();
        let mut difference = Polynomial::default().minus_shifted(&(self.expected)(&inputs), 0);
        for (i, (output, (weight, most))) in outputs.iter().zip(&self.outputs).enumerate() {
            if output.max() > *most {
                return Err(format!("output {i} may be {:#x}", output.max()));
            }
            difference = difference.plus_shifted(&output.polynomial(), *weight);
        }
        if difference.is_zero_modulo_p() { Ok(()) } else { Err("another number".into()) }
    }

    fn check(&self, inputs: &[Integer<128>]) -> Result<(), String> {
        let outputs = catch_unwind(AssertUnwindSafe(|| (self.body)(inputs)));
        self.is_right(inputs, &outputs.map_err(|_| "a bound is not held".to_string())?)
    }

    fn prove(&self) -> Result<(), String> {
        bounds::reset();
        let inputs: Vec<_> = self.inputs.iter().map(|(max, factor)| Integer::variable(*max, *factor)).collect();
        self.check(&inputs)
    }

    /// Whether the body with a fault is wrong on some numbers, on which the real one is right.
    fn shows(&self, at: usize, random: &mut Random) -> bool {
        (0..2000).any(|_| {
            bounds::reset();
            let number = |(max, factor): &(u128, u32), random: &mut Random| random.up_to(*max) * u128::from(*factor);
            let numbers: Vec<u128> = self.inputs.iter().map(|input| number(input, random)).collect();
            let inputs: Vec<_> = numbers.iter().map(|x| Integer::constant(*x)).collect();
            let (faulty, ..) = mutation::with(Some(at), || self.check(&inputs));
            if faulty.is_err() {
                let real: Vec<_> = (self.real)(&numbers).into_iter().map(Integer::constant).collect();
                self.is_right(&inputs, &real).expect("the real function is right");
            }
            faulty.is_err()
        })
    }

    fn claims(&self, least: usize) -> Vec<Claim> {
        let mut operations = 0;
        let proved = Claim::of(format!("Poly1305, {}", self.name), "integers with bounds", || {
            (_, operations, _) = mutation::with(None, || self.prove().expect(self.name));
            format!("{operations} operations")
        });
        let refuted = Claim::of(format!("Poly1305, {}: faults", self.name), "counter-examples, run", || {
            silently(|| {
                let (mut faults, mut random) = (Faults::default(), Random::new());
                for at in 0..operations {
                    let (proof, _, what) = mutation::with(Some(at), || self.prove());
                    faults.note(what, proof.is_ok(), proof.is_err() && self.shows(at, &mut random));
                }
                faults
            })
            .figures(least)
        });
        vec![proved, refuted]
    }
}

/// `(x + block + bit 2^128) r`
fn block<W: Wide, const BIT: u64>(x: &[W]) -> Vec<W> {
    let (low, high) = absorb_block((x[0], x[1].low_half()), [x[2].low_half(), x[3].low_half()], x[4], BIT);
    vec![low, W::widen(high)]
}

fn block_modulo_p<const BIT: u64>(x: &[Polynomial]) -> Polynomial {
    let bit = Integer::<64>::constant(BIT.into()).polynomial();
    let sum = x[4].clone().plus_shifted(&x[0], 0).plus_shifted(&x[1], 128).plus_shifted(&bit, 128);
    sum.times(&x[2].clone().plus_shifted(&x[3], 64))
}

fn limbs<W: Wide, const L: usize>(number: &[W], to: impl Fn(Parts<W>) -> [W::Half; L]) -> Vec<W> {
    to((number[0], number[1].low_half())).map(W::widen).to_vec()
}

fn number<W: Wide, const L: usize>(limbs: &[W], from: impl Fn([W::Half; L]) -> Parts<W>) -> Vec<W> {
    let (low, high) = from(std::array::from_fn(|i| limbs[i].low_half()));
    vec![low, W::widen(high)]
}

/// The number with digits of so many bits.
fn sum<const BITS: u32>(x: &[Polynomial]) -> Polynomial {
    (0..).step_by(BITS as usize).zip(x).fold(Polynomial::default(), |sum, (at, digit)| sum.plus_shifted(digit, at))
}

fn functions() -> [Function; 6] {
    // A number below 5 x 2^128.
    let any = vec![(u128::MAX, 1), (4, 1)];
    let reduced = vec![(0, u128::MAX), (128, 4)];
    // r, in halves, of which the upper one is a multiple of 4, and a block.
    let of_block = [&any[..], &[((1 << 60) - 1, 1), ((1 << 58) - 1, 4), (u128::MAX, 1)]].concat();
    let long = |count: usize| vec![((1 << 62) - 1, 1); count];
    let (below_26, below_44) = ((1 << 26) - 1, (1 << 44) - 1);
    [
        Function {
            name: "64-bit integers: (x + block + 2^128) r = the same modulo 2^130 - 5",
            inputs: of_block.clone(),
            body: block::<_, 1>,
            real: block::<_, 1>,
            expected: block_modulo_p::<1>,
            outputs: reduced.clone(),
        },
        Function {
            name: "64-bit integers: (x + block) r = the same modulo 2^130 - 5",
            inputs: of_block,
            body: block::<_, 0>,
            real: block::<_, 0>,
            expected: block_modulo_p::<0>,
            outputs: reduced.clone(),
        },
        Function {
            name: "a number's limbs of 26 bits = the number",
            inputs: any.clone(),
            body: |x| limbs(x, to_limbs26),
            real: |x| limbs(x, to_limbs26),
            expected: sum::<128>,
            outputs: vec![(0, below_26), (26, below_26), (52, below_26), (78, below_26), (104, (5 << 24) - 1)],
        },
        Function {
            name: "a number's limbs of 44 bits = the number",
            inputs: any,
            body: |x| limbs(x, to_limbs44),
            real: |x| limbs(x, to_limbs44),
            expected: sum::<128>,
            outputs: vec![(0, below_44), (44, below_44), (88, (5 << 40) - 1)],
        },
        Function {
            name: "five limbs below 2^62, 26 bits apart, joined = the same modulo 2^130 - 5",
            inputs: long(5),
            body: |x| number(x, from_limbs26),
            real: |x| number(x, from_limbs26),
            expected: sum::<26>,
            outputs: reduced.clone(),
        },
        Function {
            name: "three limbs below 2^62, 44 bits apart, joined = the same modulo 2^130 - 5",
            inputs: long(3),
            body: |x| number(x, from_limbs44),
            real: |x| number(x, from_limbs44),
            expected: sum::<44>,
            outputs: reduced,
        },
    ]
}

thread_local! {
    /// An input at which an interval must be divided.
    static DIVIDE_AT: Cell<Option<u128>> = const { Cell::new(None) };
}

/// A number of 128 bits: known, or the input plus a constant modulo 2^128, and then where the input is in an interval
/// on which that does not wrap.
#[derive(Clone, Copy)]
struct Near {
    constant: u128,
    /// The interval.
    input: Option<[u128; 2]>,
}

impl Near {
    /// The sum, and the carry if it is the same in the whole interval.
    fn plus(self, b: u128) -> (Self, bool) {
        let ends = self.input.map_or([self.constant; 2], |ends| ends.map(|x| x.wrapping_add(self.constant)));
        let [first, last] = ends.map(|x| x.overflowing_add(b).1);
        if let (Some([start, _]), true) = (self.input, first != last) {
            // The least number with a carry is 2^128 - b.
            DIVIDE_AT.set(Some(start + (b.wrapping_neg() - ends[0])));
        }
        (Self { constant: self.constant.wrapping_add(b), ..self }, last)
    }
}

macro_rules! no_operations {
    ($($trait:ident $method:ident $by:ty),*) => {$(
        impl $trait<$by> for Near {
            type Output = Self;
            fn $method(self, _: $by) -> Self {
                panic!("the last reduction has sums with carries only")
            }
        }
    )*};
}
no_operations!(Add add Self, BitOr bitor Self, Shl shl u32, Shr shr u32);

impl Wide for Near {
    type Half = Integer<64>;

    fn of(x: u64) -> Integer<64> {
        Integer::constant(x.into())
    }
    fn widen(x: Integer<64>) -> Self {
        Self { constant: x.value().expect("a number"), input: None }
    }
    fn product(_: Integer<64>, _: Integer<64>) -> Self {
        panic!("the last reduction has no products")
    }
    fn low_half(self) -> Integer<64> {
        panic!("the last reduction has no halves")
    }
    fn add_with_carry(self, b: Self) -> (Self, Integer<64>) {
        let lost = mutation::here("a lost carry");
        assert!(b.input.is_none(), "a sum with an unknown number");
        let (sum, carry) = self.plus(b.constant);
        (sum, Integer::constant((carry && !lost).into()))
    }
}

/// The quotient by p of a number below 5 x 2^128.
fn quotient(low: u128, high: u64) -> u128 {
    let is_p_or_more = high > 3 || high == 3 && low >= u128::MAX - 4;
    is_p_or_more.into()
}

/// What became of a body with a fault.
struct Outcome {
    proved: bool,
    intervals: usize,
    operations: usize,
    what: &'static str,
}

/// Divides all numbers below 5 x 2^128 into intervals on which the body, perhaps with a fault, adds a constant; that
/// must be the standard's.
fn last_reduction(at: Option<usize>) -> Outcome {
    let (mut parts, mut outcome) = ((0..=4).map(|high| (high, [0, u128::MAX])).collect::<Vec<_>>(), None);
    let mut intervals = 0;
    while let Some((high, input)) = parts.pop() {
        bounds::reset();
        DIVIDE_AT.set(None);
        let low = Near { constant: 0, input: Some(input) };
        let run = || catch_unwind(|| reduce::<Near>((low, Integer::constant(high.into()))));
        let (result, operations, what) = mutation::with(at, run);
        if let Some(at) = DIVIDE_AT.get() {
            parts.extend([(high, [input[0], at - 1]), (high, [at, input[1]])]);
            continue;
        }
        let [times, same] = input.map(|low| quotient(low, high));
        // Minus p is plus 5, modulo 2^128.
        let right = |result: Near| result.input == Some(input) && result.constant == 5 * times;
        let proved = times == same && result.is_ok_and(right);
        intervals += 1;
        outcome = Some(Outcome { proved, intervals, operations, what });
        if !proved {
            break;
        }
    }
    outcome.expect("there are numbers")
}

/// The same on numbers about multiples of p and of 2^128: whether a fault shows where the real function is right.
fn shows(at: usize) -> bool {
    let near = |x: u128| (0..12).map(move |k| x.wrapping_sub(6).wrapping_add(k));
    (0..=4_u64).any(|high| {
        near(0).any(|low| {
            bounds::reset();
            let number = (Integer::<128>::constant(low), Integer::constant(high.into()));
            let (faulty, ..) = mutation::with(Some(at), || reduce(number));
            let right = low.wrapping_add(5 * quotient(low, high));
            assert_eq!(reduce((low, high)), right, "the real function");
            faulty.value() != Some(right)
        })
    })
}

fn reduction() -> Vec<Claim> {
    let mut operations = 0;
    let what = "Poly1305, the last reduction = the least number modulo 2^130 - 5";
    let proved = Claim::of(what, "intervals of all numbers below 5 × 2^128", || {
        let outcome = last_reduction(None);
        assert!(outcome.proved, "the last reduction");
        operations = outcome.operations;
        format!("{} intervals", outcome.intervals)
    });
    let refuted = Claim::of(format!("{what}: faults"), "counter-examples, run", || {
        silently(|| {
            let mut faults = Faults::default();
            for at in 0..operations {
                let Outcome { proved, what, .. } = last_reduction(Some(at));
                faults.note(what, proved, !proved && shows(at));
            }
            faults
        })
        .figures(5)
    });
    vec![proved, refuted]
}

/// Proves Poly1305 in integers.
pub(crate) fn claims() -> Vec<Claim> {
    let mut claims: Vec<_> = functions().iter().flat_map(|function| function.claims(2)).collect();
    claims.extend(reduction());
    claims
}
