//! Products in `T_q`: FIPS 203, algorithms 11 and 12, for ML-KEM and CLWE-KEM.
//!
//! A lane is a bilinear form modulo q in the coefficients of the factors, and an interval of integers. A sum that could
//! leave its 16 or 32 bits is refused. In memory of its own a kernel's numbers are names of lanes; other numbers that
//! it loads are constants.

use crate::lattice_numbers::{Numbers, range_of, set_coefficients, short_words};
use crate::mutation;
use crate::proof::{Claim, Faults, Random, silently};
use fairlane::ml_kem::symbolic::{Polynomial, Products};
use fairlane_lanes::{I16xN, Scalar, Token};
use fairlane_reference::kem::ring;
use std::array::from_fn;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

const Q: i64 = 3329;
/// q⁻¹ modulo 2^16.
const Q_INVERSE: i16 = -3327;
/// 2^-16 modulo q.
const OVER_R: i64 = 169;
/// 2^16 modulo q.
const R: i64 = 2285;
/// ζ, section 2.4.
const ZETA: i64 = 17;

/// A coefficient of a factor: the first or the second one, of which product, and its index. `None` is the constant 1.
type Variable = Option<(bool, usize, usize)>;

/// The coefficients modulo q of products of two variables; none is zero.
type Form = Rc<BTreeMap<[Variable; 2], i64>>;

/// A form, and the least and the greatest integer that it can be.
#[derive(Clone, PartialEq)]
struct Value {
    form: Form,
    low: i64,
    high: i64,
}

#[derive(Clone, PartialEq)]
enum Lane {
    Constant(i16),
    Value(Value),
    /// The high half and the low half of a number of 32 bits.
    High(Value),
    Low(Value),
    /// The low half times q⁻¹, and the high half of that times q.
    LowOverQ(Value),
    HighOfLow(Value),
    /// The high half of the product by 20159, that divided by 2^10, and that times q.
    Barrett(Value),
    Quotient(Value),
    QuotientTimesQ(Value),
    /// All bits where a value is negative, and q there.
    Sign(Value),
    QIfNegative(Value),
}

#[derive(Default)]
struct Memory {
    lanes: Vec<Lane>,
    /// Where numbers are names.
    named: Vec<Range<usize>>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

fn keep(lane: Lane) -> usize {
    MEMORY.with_borrow_mut(|memory| {
        memory.lanes.push(lane);
        memory.lanes.len() - 1
    })
}

fn kept(number: usize) -> Lane {
    MEMORY.with_borrow(|memory| memory.lanes[number].clone())
}

/// `a x + b y`
fn linear(x: &Form, a: i64, y: &Form, b: i64) -> Form {
    let mut sum = BTreeMap::new();
    for (form, factor) in [(x, a), (y, b)] {
        for (variables, c) in &**form {
            let total: &mut i64 = sum.entry(*variables).or_default();
            *total = (*total + c * factor).rem_euclid(Q);
        }
    }
    sum.retain(|_, c| *c != 0);
    Rc::new(sum)
}

impl Value {
    fn within(self, bits: u32) -> Self {
        assert!(self.low >= -(1 << (bits - 1)) && self.high < 1 << (bits - 1), "it may leave {bits} bits");
        self
    }

    fn plus(&self, b: &Self, bits: u32) -> Self {
        let form = linear(&self.form, 1, &b.form, 1);
        Self { form, low: self.low + b.low, high: self.high + b.high }.within(bits)
    }

    fn times(&self, b: &Self) -> Self {
        let mut form = BTreeMap::new();
        for ([x, none], c) in &*self.form {
            for ([y, nothing], d) in &*b.form {
                assert!(none.is_none() && nothing.is_none(), "a product of three");
                let variables = if x < y { [*y, *x] } else { [*x, *y] };
                let total: &mut i64 = form.entry(variables).or_default();
                *total = (*total + c * d).rem_euclid(Q);
            }
        }
        form.retain(|_, c| *c != 0);
        let corners = [self.low * b.low, self.low * b.high, self.high * b.low, self.high * b.high];
        let (low, high) = (corners.iter().min().copied(), corners.iter().max().copied());
        Self { form: Rc::new(form), low: low.unwrap_or(0), high: high.unwrap_or(0) }
    }

    /// Times a constant.
    fn scaled(&self, c: i16) -> Self {
        let (c, zero) = (i64::from(c), Form::default());
        let (x, y) = (self.low * c, self.high * c);
        Self { form: linear(&self.form, c, &zero, 0), low: x.min(y), high: x.max(y) }
    }
}

/// `N` lanes, as numbers of `Memory::lanes`.
#[derive(Clone, Copy)]
struct Forms<const N: usize>([usize; N]);

impl<const N: usize> Forms<N> {
    fn zip(self, b: Self, f: impl Fn(Lane, Lane) -> Lane) -> Self {
        Self(from_fn(|i| keep(f(kept(self.0[i]), kept(b.0[i])))))
    }
}

/// Whether numbers at this address are names.
fn is_named(at: usize) -> bool {
    MEMORY.with_borrow(|memory| memory.named.iter().any(|range| range.contains(&at)))
}

impl<const N: usize> I16xN<N> for Forms<N> {
    type Token = Scalar;
    /// Half as many sums as lanes.
    type Sums = [usize; N];

    fn splat(_: Scalar, x: i16) -> Self {
        Self([keep(Lane::Constant(x)); N])
    }
    fn load(_: Scalar, lanes: &[i16; N]) -> Self {
        if is_named(lanes.as_ptr() as usize) {
            return Self(lanes.map(|name| usize::from(name as u16)));
        }
        let altered = i16::from(mutation::here("a factor one more"));
        Self(lanes.map(|x| keep(Lane::Constant(x.wrapping_add(altered)))))
    }
    fn store(self, lanes: &mut [i16; N]) {
        assert!(is_named(lanes.as_ptr() as usize), "a kernel wrote somewhere else");
        *lanes = self.0.map(|number| u16::try_from(number).expect("a name of 16 bits") as i16);
    }
    fn add(self, b: Self) -> Self {
        if mutation::here("a sum left out") {
            return self;
        }
        self.zip(b, |x, y| match (x, y) {
            (Lane::Value(x), Lane::Value(y)) => Lane::Value(x.plus(&y, 16)),
            // From -q to 0 comes 0 to q - 1.
            (Lane::Value(x), Lane::QIfNegative(y)) if x == y && x.low == -Q && x.high == 0 => {
                Lane::Value(Value { form: x.form, low: 0, high: Q - 1 })
            }
            _ => panic!("a sum of something else"),
        })
    }
    fn sub(self, b: Self) -> Self {
        let (x, y) = if mutation::here("operands swapped") { (b, self) } else { (self, b) };
        x.zip(y, |x, y| match (x, y) {
            // Both numbers agree in their low halves, so the difference of the high ones is exact: 2^-16 times the
            // number, modulo q.
            (Lane::High(x), Lane::HighOfLow(y)) if x == y => {
                let most = (x.low.abs().max(x.high.abs()) + 32768 * Q) >> 16;
                let form = linear(&x.form, OVER_R, &Form::default(), 0);
                Lane::Value(Value { form, low: -most, high: most }.within(16))
            }
            // Any number becomes 0 to q, as is proved for all of them.
            (Lane::Value(x), Lane::QuotientTimesQ(y)) if x == y => Lane::Value(Value { form: x.form, low: 0, high: Q }),
            (Lane::Value(x), Lane::Constant(3329)) => {
                Lane::Value(Value { form: x.form, low: x.low - Q, high: x.high - Q }.within(16))
            }
            _ => panic!("a difference of something else"),
        })
    }
    fn and(self, b: Self) -> Self {
        self.zip(b, |x, y| match (x, y) {
            (Lane::Sign(x), Lane::Constant(3329)) => Lane::QIfNegative(x),
            _ => panic!("a mask of something else"),
        })
    }
    fn shr<const K: u32>(self) -> Self {
        Self(self.0.map(|x| match kept(x) {
            Lane::Barrett(x) if K == 10 => keep(Lane::Quotient(x)),
            Lane::Value(x) if K == 15 => keep(Lane::Sign(x)),
            _ => panic!("a shift of something else"),
        }))
    }
    fn mul_low(self, b: Self) -> Self {
        self.zip(b, |x, y| match (x, y) {
            (Lane::Low(x), Lane::Constant(Q_INVERSE)) => Lane::LowOverQ(x),
            (Lane::Quotient(x), Lane::Constant(3329)) => Lane::QuotientTimesQ(x),
            // The product by a constant / q is that by the constant, over q.
            (Lane::Value(x), Lane::Constant(c)) => Lane::LowOverQ(x.scaled(c.wrapping_mul(3329))),
            _ => panic!("a product of something else"),
        })
    }
    fn mul_high(self, b: Self) -> Self {
        self.zip(b, |x, y| match (x, y) {
            (Lane::LowOverQ(x), Lane::Constant(3329)) => Lane::HighOfLow(x),
            // No factor of a product is as large.
            (Lane::Value(x), Lane::Constant(20159)) => Lane::Barrett(x),
            (Lane::Value(x), Lane::Constant(c)) => Lane::High(x.scaled(c)),
            _ => panic!("a product of something else"),
        })
    }
    fn swap_pairs(self) -> Self {
        if mutation::here("pairs not exchanged") { self } else { Self(from_fn(|i| self.0[i ^ 1])) }
    }
    fn mul_pairs(self, b: Self) -> [usize; N] {
        let left_out = mutation::here("a product left out");
        from_fn(|i| {
            let product = |i: usize| match (kept(self.0[i]), kept(b.0[i])) {
                (Lane::Value(x), Lane::Value(y)) => x.times(&y),
                _ => panic!("a product of something else"),
            };
            match i {
                _ if i >= N / 2 => 0,
                _ if left_out => keep(Lane::Value(product(2 * i))),
                _ => keep(Lane::Value(product(2 * i).plus(&product(2 * i + 1), 32))),
            }
        })
    }
    fn add_sums(a: [usize; N], b: [usize; N]) -> [usize; N] {
        if mutation::here("a sum left out") {
            return a;
        }
        from_fn(|i| match (kept(a[i]), kept(b[i])) {
            _ if i >= N / 2 => 0,
            (Lane::Value(x), Lane::Value(y)) => keep(Lane::Value(x.plus(&y, 32))),
            _ => panic!("a sum of something else"),
        })
    }
    fn split_sums(a: [usize; N], b: [usize; N]) -> [Self; 2] {
        let swapped = usize::from(mutation::here("sums exchanged"));
        let sum = |i: usize| match kept([a, b][(i + swapped) % 2][i / 2]) {
            Lane::Value(x) => x,
            _ => panic!("half of something else"),
        };
        [Self(from_fn(|i| keep(Lane::Low(sum(i))))), Self(from_fn(|i| keep(Lane::High(sum(i)))))]
    }
    fn exchange<const LEN: usize>(self, _: Self) -> [Self; 2] {
        panic!("products exchange nothing")
    }
}

/// Names of the coefficients of a factor, which lie between -q and q.
fn factor(second: bool, product: usize) -> Polynomial {
    Polynomial::new(from_fn(|i| {
        let form = Rc::new([([Some((second, product, i)), None], 1)].into());
        keep(Lane::Value(Value { form, low: -Q, high: Q })) as u16 as i16
    }))
}

/// 2^-16 times the sum of products, algorithms 11 and 12.
fn standard(count: usize) -> Vec<Form> {
    let coefficient = |i: usize| {
        let mut form = BTreeMap::new();
        let pair = i & !1;
        // γ = ζ^(2 BitRev7(i) + 1)
        let bit_reversed = ((i / 2) as u8).reverse_bits() >> 1;
        let gamma = (0..2 * u32::from(bit_reversed) + 1).fold(1, |power, _| power * ZETA % Q);
        for k in 0..count {
            let mut add = |x: usize, y: usize, c: i64| {
                form.insert([Some((true, k, pair + y)), Some((false, k, pair + x))], c * OVER_R % Q);
            };
            if i.is_multiple_of(2) {
                add(0, 0, 1);
                add(1, 1, gamma);
            } else {
                add(0, 1, 1);
                add(1, 0, 1);
            }
        }
        Rc::new(form)
    };
    (0..256).map(coefficient).collect()
}

/// Whether the body's sum of products is the standard's, between -q and q.
fn check<const N: usize>(count: usize) -> Result<i64, String> {
    MEMORY.take();
    let run = || {
        let mut products = Box::new(Products::default());
        for k in 0..count {
            products.set_first(k, &factor(false, k));
            let second = Box::new(factor(true, k));
            MEMORY.with_borrow_mut(|memory| memory.named = vec![range_of(&*products), range_of(&*second)]);
            products.set_second::<Forms<N>, N>(Scalar::PROOF, k, &second);
        }
        MEMORY.with_borrow_mut(|memory| memory.named = vec![range_of(&*products)]);
        products.dot::<Forms<N>, N>(Scalar::PROOF, count).map(|name| kept(usize::from(name as u16)))
    };
    let lanes = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "not bilinear within bounds".to_string())?;
    let mut most = 0;
    for (i, (lane, expected)) in lanes.into_iter().zip(standard(count)).enumerate() {
        let Lane::Value(value) = lane else { return Err(format!("coefficient {i} is no value")) };
        if value.form != expected {
            return Err(format!("coefficient {i}"));
        }
        most = most.max(value.high).max(-value.low);
    }
    if most > Q { Err(format!("up to {most}")) } else { Ok(most) }
}

fn in_words_of<const N: usize>() -> Vec<Claim> {
    let (mut operations, what) = (0, format!("ML-KEM, sums of up to 4 products in T_q in words of {N}"));
    let proved = Claim::of(
        format!("{what} = FIPS 203, algorithms 11 and 12, over 2^16; no overflow"),
        "bilinear forms with intervals",
        || {
            let mut most = 0;
            for count in 1..=4 {
                let (proof, counted, _) = mutation::with(None, || check::<N>(count));
                (most, operations) = (proof.expect("it is proved"), counted);
            }
            format!("1024 coefficients, within {:.2} q, allowed 1 q", most as f64 / Q as f64)
        },
    );
    let faults = Claim::of(format!("{what}: faults"), "counter-examples, run", || {
        let (mut faults, mut random) = (Faults::default(), Random::new());
        let places = mutation::places(24, operations);
        let least = places.len() * 10 / 24;
        silently(|| {
            for at in places {
                let (proof, _, what) = mutation::with(Some(at), || check::<N>(4).is_ok());
                faults.note(what, proof, !proof && shows::<N>(at, &mut random));
            }
        });
        faults.figures(least)
    });
    vec![proved, faults]
}

/// The sum of four products on numbers.
fn sum_of_products<W: I16xN<N>, const N: usize>(token: W::Token, factors: &[[[i16; 256]; 2]; 4]) -> [i16; 256] {
    let mut products = Box::new(Products::default());
    for (k, [first, second]) in factors.iter().enumerate() {
        products.set_first(k, &Polynomial::new(*first));
        let second = Box::new(Polynomial::new(*second));
        set_coefficients(vec![range_of(&*products), range_of(&*second)]);
        products.set_second::<W, N>(token, k, &second);
    }
    set_coefficients(vec![range_of(&*products)]);
    *products.dot::<W, N>(token, 4)
}

/// Whether a fault makes the sum of four products wrong, for which the real kernel is right.
fn shows<const N: usize>(at: usize, random: &mut Random) -> bool {
    (0..100).any(|_| {
        let mut number = || (random.number() % (2 * Q + 1) as u64) as i16 - Q as i16;
        let factors: [[[i16; 256]; 2]; 4] = from_fn(|_| from_fn(|_| from_fn(|_| number())));
        let positive = |x: &[i16; 256]| x.map(|x| i64::from(x).rem_euclid(Q) as u16);
        let mut standard = [0; 256];
        for [a, b] in &factors {
            let product = ring::multiply_ntts(&positive(a), &positive(b));
            standard = from_fn(|i| standard[i] + i64::from(product[i]));
        }
        let is_right = |sum: &[i16; 256]| {
            sum.iter().zip(standard).all(|(x, y)| (i64::from(*x) - y * OVER_R) % Q == 0 && i64::from(*x).abs() <= Q)
        };
        let (faulty, ..) = mutation::with(Some(at), || sum_of_products::<Numbers<N>, N>(Scalar::PROOF, &factors));
        let shown = !is_right(&faulty);
        if shown {
            let real = short_words!(sum_of_products(&factors));
            assert!(is_right(&real), "the real kernel on a counter-example");
        }
        shown
    })
}

/// Whether the sum of products and of an output of the NTT, between -8 q and 8 q, is the standard's, from 0 to q - 1.
fn check_added<const N: usize>(count: usize) -> Result<(), String> {
    MEMORY.take();
    let run = || {
        let mut products = Box::new(Products::default());
        for k in 0..count {
            products.set_first(k, &factor(false, k));
            let second = Box::new(factor(true, k));
            MEMORY.with_borrow_mut(|memory| memory.named = vec![range_of(&*products), range_of(&*second)]);
            products.set_second::<Forms<N>, N>(Scalar::PROOF, k, &second);
        }
        MEMORY.with_borrow_mut(|memory| memory.named = vec![range_of(&*products)]);
        let sum = Polynomial::new(from_fn(|i| {
            keep(Lane::Value(Value { form: added(i), low: -8 * Q, high: 8 * Q })) as u16 as i16
        }));
        products.add_dot::<Forms<N>, N>(Scalar::PROOF, &sum, count).map(|name| kept(usize::from(name as u16)))
    };
    let lanes = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "not bilinear within bounds".to_string())?;
    for (i, (lane, products)) in lanes.into_iter().zip(standard(count)).enumerate() {
        let Lane::Value(value) = lane else { return Err(format!("coefficient {i} is no value")) };
        // The standard's products, which have been divided by 2^16.
        let expected = linear(&products, R, &added(i), 1);
        if value.form != expected || value.low < 0 || value.high >= Q {
            return Err(format!("coefficient {i}"));
        }
    }
    Ok(())
}

/// Coefficient `i` of a sum.
fn added(i: usize) -> Form {
    Rc::new([([Some((true, usize::MAX, i)), None], 1)].into())
}

fn with_sum<const N: usize>() -> Claim {
    Claim::of(
        format!("ML-KEM, an output of the NTT and up to 4 products in T_q in words of {N} = FIPS 203; no overflow"),
        "bilinear forms with intervals",
        || {
            for count in 1..=4 {
                let (proof, ..) = mutation::with(None, || check_added::<N>(count));
                proof.expect("it is proved");
            }
            "1024 coefficients, from 0 to q - 1".into()
        },
    )
}

/// Proves products in `T_q`.
pub fn claims() -> Vec<Claim> {
    let mut claims = [in_words_of::<2>(), in_words_of::<16>(), in_words_of::<32>()].concat();
    claims.extend([with_sum::<2>(), with_sum::<16>(), with_sum::<32>()]);
    claims
}
