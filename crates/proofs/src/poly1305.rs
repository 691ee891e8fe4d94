//! Poly1305 in limbs of 26 and of 44 bits: integers modulo p = 2^130 - 5, and bounds.
//!
//! Here a lane is an integer: a polynomial with integer coefficients in the inputs' limbs and in quotients, and the
//! greatest value that it can have. A lane that could reach 2^64, or a factor that could be longer than the multiplier
//! takes, is an error: nothing wraps. A shift to the right by K is a new variable, the quotient by 2^K; a mask is the
//! number minus 2^K times that variable. So a carry that is added where it belongs cancels, and a lost one does not.

use crate::lane::Lane;
use crate::mutation;
use crate::proof::{Claim, Random};
use crate::term::{self, Term};
use crate::word::Word;
use fairlane::poly1305::symbolic::{multiply26, multiply44, split26, split44};
use fairlane_lanes::{Pairs, Products52, Scalar, U64xN};
use std::array::from_fn;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The coefficient of each product of variables.
type Polynomial = BTreeMap<Vec<u32>, i128>;

#[derive(Default)]
struct Arena {
    numbers: Vec<(Polynomial, u128)>,
    variables: u32,
    quotients: HashMap<(Polynomial, u32), u32>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// An integer from 0 to its bound, below 2^64.
#[derive(Clone, Copy, Debug)]
struct Integer(usize);

impl Integer {
    fn new(polynomial: Polynomial, max: u128) -> Self {
        assert!(max < 1 << 64, "a number that may reach 2^64");
        ARENA.with_borrow_mut(|arena| {
            arena.numbers.push((polynomial, max));
            Self(arena.numbers.len() - 1)
        })
    }

    fn constant(x: u64) -> Self {
        Self::new(if x == 0 { Polynomial::new() } else { [(vec![], x.into())].into() }, x.into())
    }

    /// A new variable.
    fn variable(max: u128) -> Self {
        let number = ARENA.with_borrow_mut(|arena| {
            arena.variables += 1;
            arena.variables
        });
        Self::new([(vec![number], 1)].into(), max)
    }

    fn parts(self) -> (Polynomial, u128) {
        ARENA.with_borrow(|arena| arena.numbers[self.0].clone())
    }

    fn value(self) -> Option<u64> {
        let (polynomial, max) = self.parts();
        (polynomial.keys().all(Vec::is_empty)).then_some(max as u64)
    }

    fn times(self, b: Self) -> (Polynomial, u128) {
        let ((x, x_max), (y, y_max)) = (self.parts(), b.parts());
        let mut product = Polynomial::new();
        for (p, c) in &x {
            for (q, d) in &y {
                let mut variables = [&p[..], &q[..]].concat();
                variables.sort_unstable();
                *product.entry(variables).or_default() += c * d;
            }
        }
        (product, x_max * y_max)
    }
}

/// `a + factor b`
fn plus(mut a: Polynomial, b: &Polynomial, factor: i128) -> Polynomial {
    for (variables, c) in b {
        let sum = a.entry(variables.clone()).or_default();
        *sum += c * factor;
        if *sum == 0 {
            a.remove(variables);
        }
    }
    a
}

/// The quotient of a number by 2^by: the same variable for the same number.
fn quotient(of: &Polynomial, by: u32) -> Polynomial {
    let number = ARENA.with_borrow_mut(|arena| {
        let next = arena.variables + 1;
        let number = *arena.quotients.entry((of.clone(), by)).or_insert(next);
        arena.variables = arena.variables.max(number);
        number
    });
    [(vec![number], 1)].into()
}

impl U64xN<1> for Integer {
    type Token = Scalar;
    fn splat(_: Scalar, x: u64) -> Self {
        Self::constant(x)
    }
    fn from_array(_: Scalar, [x]: [u64; 1]) -> Self {
        Self::constant(x)
    }
    fn to_array(self) -> [u64; 1] {
        panic!("a kernel looked at a value")
    }
    fn load(_: Scalar, _: &[u8]) -> Self {
        panic!("a kernel read memory")
    }
    fn store(self, _: &mut [u8]) {
        panic!("a kernel wrote to memory")
    }
    fn transpose(words: [Self; 1]) -> [Self; 1] {
        words
    }
    fn and(self, mask: Self) -> Self {
        let bits = mask.value().expect("a mask").trailing_ones() + u32::from(mutation::here("a mask one longer"));
        assert_eq!(mask.value().expect("a mask").count_ones(), mask.value().expect("a mask").trailing_ones());
        let (x, max) = self.parts();
        if max >> bits == 0 {
            return self;
        }
        let over = quotient(&x, bits);
        Self::new(plus(x, &over, -(1 << bits)), (1 << bits) - 1)
    }
    fn add(self, b: Self) -> Self {
        if mutation::here("a sum left out") {
            return self;
        }
        let ((x, x_max), (y, y_max)) = (self.parts(), b.parts());
        Self::new(plus(x, &y, 1), x_max + y_max)
    }
    fn mul_u32(self, b: Self) -> Self {
        let b = if mutation::here("a square for a product") { self } else { b };
        assert!(self.parts().1 >> 32 == 0 && b.parts().1 >> 32 == 0, "a factor that may be longer than 32 bits");
        let (product, max) = self.times(b);
        Self::new(product, max)
    }
    fn shr<const K: u32>(self) -> Self {
        let by = K + u32::from(mutation::here("a shift one further"));
        let (x, max) = self.parts();
        if max >> by == 0 {
            return Self::constant(0);
        }
        Self::new(quotient(&x, by), max >> by)
    }
    fn shl<const K: u32>(self) -> Self {
        let by = K + u32::from(mutation::here("a shift one further"));
        let (x, max) = self.parts();
        Self::new(plus(Polynomial::new(), &x, 1 << by), max << by)
    }
    fn xor(self, _: Self) -> Self {
        panic!("not an operation on integers")
    }
    fn or(self, _: Self) -> Self {
        panic!("not an operation on integers")
    }
    fn not(self) -> Self {
        panic!("not an operation on integers")
    }
    fn sub(self, _: Self) -> Self {
        panic!("not an operation on integers without sign")
    }
    fn rotl<const K: u32>(self) -> Self {
        panic!("not an operation on integers")
    }
}

impl Pairs<1> for Integer {
    fn transpose_pairs(self, _: Self) -> [Self; 2] {
        panic!("one lane has no pairs")
    }
}

impl Integer {
    fn product52(self, b: Self) -> (Polynomial, u128) {
        assert!(self.parts().1 >> 52 == 0 && b.parts().1 >> 52 == 0, "a factor that may be longer than 52 bits");
        self.times(b)
    }
}

impl Products52<1> for Integer {
    fn add_low52(self, a: Self, b: Self) -> Self {
        let b = if mutation::here("a square for a product") { a } else { b };
        let ((x, x_max), (product, max)) = (self.parts(), a.product52(b));
        let low = if max >> 52 == 0 { product } else { plus(product.clone(), &quotient(&product, 52), -(1 << 52)) };
        Self::new(plus(x, &low, 1), x_max + max.min((1 << 52) - 1))
    }
    fn add_high52(self, a: Self, b: Self) -> Self {
        let b = if mutation::here("a square for a product") { a } else { b };
        let ((x, x_max), (product, max)) = (self.parts(), a.product52(b));
        if max >> 52 == 0 {
            return self;
        }
        Self::new(plus(x, &quotient(&product, 52), 1), x_max + (max >> 52))
    }
}

/// A number below p, in 64-bit digits.
type Residue = [u64; 3];

/// The sum modulo p.
fn sum_modulo_p(a: Residue, b: Residue) -> Residue {
    const P: Residue = [u64::MAX - 4, u64::MAX, 3];
    let (mut sum, mut carry) = ([0; 3], 0);
    for i in 0..3 {
        let digit = u128::from(a[i]) + u128::from(b[i]) + carry;
        (sum[i], carry) = (digit as u64, digit >> 64);
    }
    if sum.iter().rev().lt(P.iter().rev()) {
        return sum;
    }
    let (mut rest, mut borrow) = ([0; 3], false);
    for i in 0..3 {
        let (digit, first) = sum[i].overflowing_sub(P[i]);
        let (digit, second) = digit.overflowing_sub(borrow.into());
        (rest[i], borrow) = (digit, first | second);
    }
    rest
}

/// c 2^exponent modulo p.
fn modulo_p(c: i128, exponent: u32) -> Residue {
    let size = c.unsigned_abs();
    let mut x = [size as u64, (size >> 64) as u64, 0];
    for _ in 0..exponent {
        x = sum_modulo_p(x, x);
    }
    if c < 0 {
        // -1 is p - 1, which is 2^130 - 6.
        let mut product = [0; 3];
        for bit in (0..130).rev() {
            product = sum_modulo_p(product, product);
            // All its bits but 0 and 2 are set.
            if bit != 0 && bit != 2 {
                product = sum_modulo_p(product, x);
            }
        }
        return product;
    }
    x
}

/// Whether the sum of polynomials times powers of two is zero modulo p for all values of the variables.
fn is_zero(parts: impl IntoIterator<Item = (Polynomial, u32, i128)>) -> bool {
    let mut coefficients: BTreeMap<Vec<u32>, Residue> = BTreeMap::new();
    for (polynomial, exponent, factor) in parts {
        for (variables, c) in polynomial {
            let sum = coefficients.entry(variables).or_default();
            *sum = sum_modulo_p(*sum, modulo_p(c * factor, exponent));
        }
    }
    coefficients.values().all(|sum| *sum == [0; 3])
}

/// Limbs of a representation.
struct Limbs<const L: usize> {
    name: &'static str,
    bits: u32,
    /// What the factors' limbs are below.
    first: u128,
    second: u128,
    /// What the results' limbs are below.
    result: u128,
}

type Product<W, const L: usize> = fn(Scalar, [W; L], &[[[W; L]; 2]]) -> [W; L];

impl<const L: usize> Limbs<L> {
    /// Runs the body, and says whether the result is right and in its bounds.
    fn check(&self, count: usize, multiply: Product<Integer, L>) -> Result<usize, String> {
        ARENA.take();
        let limbs = |max: u128| -> [Integer; L] { from_fn(|_| Integer::variable(max - 1)) };
        let number = limbs(self.first);
        let products: Vec<_> = (0..count).map(|_| [limbs(self.first), limbs(self.second)]).collect();
        let run = || multiply(Scalar::PROOF, number, &products);
        let result = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "a bound is not held".to_string())?;
        let mut parts = Vec::new();
        for i in 0..L {
            let weight = self.bits * i as u32;
            let (polynomial, max) = result[i].parts();
            if max >= self.result {
                return Err(format!("limb {i} may be {max:#x}"));
            }
            parts.push((polynomial, weight, 1));
            parts.push((number[i].parts().0, weight, -1));
            for [a, b] in &products {
                for j in 0..L {
                    parts.push((a[i].times(b[j]).0, weight + self.bits * j as u32, -1));
                }
            }
        }
        if is_zero(parts) { Ok(ARENA.with_borrow(|arena| arena.numbers.len())) } else { Err("another number".into()) }
    }

    fn claim(&self, multiply: Product<Integer, L>) -> Vec<Claim> {
        let mut operations = 0;
        let what =
            format!("Poly1305, {}: a number and up to 4 products, carried = the same modulo 2^130 - 5", self.name);
        let proved = Claim::of(what, "integers with bounds", || {
            for count in 1..=4 {
                (_, operations, _) = mutation::with(None, || self.check(count, multiply).expect("it is proved"));
            }
            format!("{operations} operations; limbs below {:#x} from limbs below {:#x}", self.result, self.first)
        });
        let what = format!("Poly1305, {}: faults", self.name);
        let refuted = Claim::of(what, "no longer provable", || {
            let hook = std::panic::take_hook();
            std::panic::set_hook(Box::new(|_| {}));
            let (mut refused, mut kept) = (BTreeMap::<_, usize>::new(), BTreeMap::<_, usize>::new());
            for at in (0..operations).step_by(3) {
                let (proof, _, what) = mutation::with(Some(at), || self.check(4, multiply));
                let kinds = if proof.is_err() { &mut refused } else { &mut kept };
                *kinds.entry(what).or_default() += 1;
            }
            std::panic::set_hook(hook);
            let count = refused.values().sum::<usize>();
            assert!(count >= 10 && kept.values().sum::<usize>() < count / 4, "{refused:?} {kept:?}");
            let list = |kinds: &BTreeMap<&str, usize>| {
                kinds.iter().map(|(what, count)| format!("{count} × {what}")).collect::<Vec<_>>().join(", ")
            };
            let harmless = if kept.is_empty() { String::new() } else { format!("; proved harmless: {}", list(&kept)) };
            format!("refused: {}{harmless}", list(&refused))
        });
        vec![proved, refuted]
    }
}

/// The limbs of a block are its bits, and the bit 2^128.
fn split<const L: usize>(name: &str, bits: u32, f: fn(Scalar, Lanes, Lanes) -> [Lanes; L]) -> Claim {
    Claim::of(
        format!("Poly1305, {name}: the limbs of a block = the block + 2^128"),
        "terms: every bit followed",
        || {
            term::reset();
            let [low, high] = [Term::input(64), Term::input(64)];
            let one = Term::constant(1, 1);
            let mut rest = low.concat(high.slice(0, 63)).concat(high.slice(63, 1));
            for (i, limb) in f(Scalar::PROOF, Word([low]), Word([high])).into_iter().enumerate() {
                let len = if i + 1 == L { rest.width() } else { bits };
                let mut expected = rest.slice(0, len);
                if i + 1 == L {
                    expected = expected.concat(one);
                } else {
                    rest = rest.slice(len, rest.width() - len);
                }
                let zeros = Term::constant(64 - expected.width(), 0);
                assert_eq!(limb.0[0], expected.concat(zeros), "limb {i}");
            }
            "128 bits".into()
        },
    )
}

type Lanes = Word<Term, 64, 1>;

/// The real kernels on messages of zeros, of ones, and without a pattern, against the reference.
fn real() -> Claim {
    Claim::of("Poly1305 on every backend = fairlane-reference", "extreme and random messages, tested", || {
        let (mut random, mut cases) = (Random::new(), 0);
        for backend in fairlane::Backend::ALL {
            for blocks in 0..=60 {
                for fill in [Some(0), Some(0xff), None] {
                    let mut byte = || fill.unwrap_or_else(|| random.number() as u8);
                    let key = from_fn(|_| byte());
                    let message: Vec<u8> = (0..16 * blocks).map(|_| byte()).collect();
                    let Ok(mut mac) = fairlane::poly1305::Poly1305::with_backend(&key, *backend) else { continue };
                    mac.update(&message);
                    assert_eq!(mac.finalize(), fairlane_reference::poly1305::poly1305(&key, &message));
                    cases += 1;
                }
            }
        }
        format!("{cases} messages")
    })
}

/// Proves Poly1305's arithmetic in words.
pub fn claims() -> Vec<Claim> {
    let limbs26 = Limbs::<5> {
        name: "limbs of 26 bits",
        bits: 26,
        first: 1 << 27,
        second: 5 << 24,
        result: (1 << 26) + (1 << 10),
    };
    let limbs44 = Limbs::<3> {
        name: "limbs of 44 bits",
        bits: 44,
        first: 1 << 45,
        second: 1 << 45,
        result: (1 << 44) + (1 << 17),
    };
    [
        vec![split("limbs of 26 bits", 26, split26), split("limbs of 44 bits", 44, split44)],
        limbs26.claim(multiply26),
        limbs44.claim(multiply44),
        vec![real()],
    ]
    .concat()
}
