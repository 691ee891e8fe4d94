//! Integers with bounds: what Poly1305's kernels compute, modulo p = 2^130 - 5.
//!
//! An [`Integer`] is a polynomial with integer coefficients in the inputs and in quotients, and the greatest value that
//! it can have. A sum or a product that could be longer than the machine's integer is an error: nothing wraps unless
//! the body says so. A quotient by 2^k is a new variable: where parts of the number are multiples of 2^k, they are
//! divided, and equal rests have one variable. A remainder is the number minus 2^k times the quotient. So a carry that
//! is added where it belongs cancels, and a lost one does not.
//!
//! An integer without variables is a number, and everything is then computed as a machine does. So a body runs on
//! numbers, too, for counter-examples.

use crate::lane::mask;
use crate::mutation;
use fairlane::poly1305::symbolic::Wide;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::{Add, BitAnd, BitOr, Mul, Shl, Shr};

/// Digits of 64 bits of a coefficient.
const DIGITS: usize = 6;
/// What the bits of a coefficient are below, without its sign.
const MOST_BITS: u32 = 64 * DIGITS as u32 - 2;

/// An integer with a sign, in 64-bit digits: the two's complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Coefficient([u64; DIGITS]);

impl Coefficient {
    const ZERO: Self = Self([0; DIGITS]);
    const ONE: Self = Self::of(1);

    const fn of(x: u128) -> Self {
        let mut digits = [0; DIGITS];
        digits[0] = x as u64;
        digits[1] = (x >> 64) as u64;
        Self(digits)
    }

    fn is_negative(self) -> bool {
        self.0[DIGITS - 1] >> 63 == 1
    }

    fn wrapping_sum(self, b: Self, carry: bool) -> Self {
        let (mut sum, mut carry) = ([0; DIGITS], u128::from(carry));
        for i in 0..DIGITS {
            let digit = u128::from(self.0[i]) + u128::from(b.0[i]) + carry;
            (sum[i], carry) = (digit as u64, digit >> 64);
        }
        Self(sum)
    }

    fn negated(self) -> Self {
        Self(self.0.map(|digit| !digit)).wrapping_sum(Self::ZERO, true)
    }

    fn size(self) -> Self {
        if self.is_negative() { self.negated() } else { self }
    }

    /// How many bits its size has.
    fn bits(self) -> u32 {
        let size = self.size().0;
        (0..DIGITS).rev().find(|i| size[*i] != 0).map_or(0, |i| 64 * i as u32 + 64 - size[i].leading_zeros())
    }

    fn plus(self, b: Self) -> Self {
        assert!(self.bits().max(b.bits()) < MOST_BITS, "a coefficient that is too long");
        self.wrapping_sum(b, false)
    }

    fn times(self, b: Self) -> Self {
        assert!(self.bits() + b.bits() < MOST_BITS, "a coefficient that is too long");
        let (x, y, mut product) = (self.size().0, b.size().0, [0_u64; DIGITS]);
        for i in 0..DIGITS {
            let mut carry = 0;
            for j in 0..DIGITS - i {
                let digit = u128::from(product[i + j]) + u128::from(x[i]) * u128::from(y[j]) + carry;
                (product[i + j], carry) = (digit as u64, digit >> 64);
            }
        }
        if self.is_negative() == b.is_negative() { Self(product) } else { Self(product).negated() }
    }

    /// 2^k, for k below [`MOST_BITS`].
    fn power_of_two(k: u32) -> Self {
        let mut digits = [0; DIGITS];
        digits[k as usize / 64] = 1 << (k % 64);
        Self(digits)
    }

    /// The quotient by 2^k, rounded down, and the remainder; k is at most 128.
    fn divided(self, k: u32) -> (Self, Self) {
        let sign = if self.is_negative() { u64::MAX } else { 0 };
        let digit = |i: usize| self.0.get(i).copied().unwrap_or(sign);
        let (digits, bits) = (k as usize / 64, k % 64);
        let quotient = std::array::from_fn(|i| {
            if bits == 0 { digit(i + digits) } else { digit(i + digits) >> bits | digit(i + digits + 1) << (64 - bits) }
        });
        let low = u128::from(self.0[0]) | u128::from(self.0[1]) << 64;
        (Self(quotient), Self::of(if k == 0 { 0 } else { low & mask(k) }))
    }

    /// Itself modulo p.
    fn modulo_p(self) -> Residue {
        let size = self.size().0;
        let mut residue = [0; 3];
        for bit in (0..64 * DIGITS).rev() {
            residue = sum_modulo_p(residue, residue);
            if size[bit / 64] >> (bit % 64) & 1 == 1 {
                residue = sum_modulo_p(residue, [1, 0, 0]);
            }
        }
        if self.is_negative() { minus(P, residue) } else { residue }
    }
}

/// A number below p, in 64-bit digits; p itself where it is zero and negated.
type Residue = [u64; 3];

const P: Residue = [u64::MAX - 4, u64::MAX, 3];

fn minus(a: Residue, b: Residue) -> Residue {
    let (mut rest, mut borrow) = ([0; 3], false);
    for i in 0..3 {
        let (digit, first) = a[i].overflowing_sub(b[i]);
        let (digit, second) = digit.overflowing_sub(borrow.into());
        (rest[i], borrow) = (digit, first | second);
    }
    rest
}

/// The sum modulo p.
fn sum_modulo_p(a: Residue, b: Residue) -> Residue {
    let (mut sum, mut carry) = ([0; 3], 0);
    for i in 0..3 {
        let digit = u128::from(a[i]) + u128::from(b[i]) + carry;
        (sum[i], carry) = (digit as u64, digit >> 64);
    }
    if sum.iter().rev().lt(P.iter().rev()) { sum } else { minus(sum, P) }
}

/// The coefficient of each product of variables; none is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Polynomial(BTreeMap<Vec<u32>, Coefficient>);

impl Polynomial {
    fn of(variables: Vec<u32>, c: Coefficient) -> Self {
        Self(if c == Coefficient::ZERO { BTreeMap::new() } else { [(variables, c)].into() })
    }

    /// `self + factor b`
    fn plus(mut self, b: &Self, factor: Coefficient) -> Self {
        for (variables, c) in &b.0 {
            let sum = self.0.entry(variables.clone()).or_insert(Coefficient::ZERO);
            *sum = sum.plus(c.times(factor));
            if *sum == Coefficient::ZERO {
                self.0.remove(variables);
            }
        }
        self
    }

    /// `self + 2^k b`
    pub(crate) fn plus_shifted(self, b: &Self, k: u32) -> Self {
        self.plus(b, Coefficient::power_of_two(k))
    }

    /// `self - 2^k b`
    pub(crate) fn minus_shifted(self, b: &Self, k: u32) -> Self {
        self.plus(b, Coefficient::power_of_two(k).negated())
    }

    pub(crate) fn times(&self, b: &Self) -> Self {
        let mut product = Self::default();
        for (p, c) in &self.0 {
            for (q, d) in &b.0 {
                let mut variables = [&p[..], &q[..]].concat();
                variables.sort_unstable();
                product = product.plus(&Self::of(variables, *c), *d);
            }
        }
        product
    }

    /// The number, if there are no variables.
    fn number(&self) -> Option<Coefficient> {
        match self.0.len() {
            0 => Some(Coefficient::ZERO),
            1 => self.0.get(&vec![]).copied(),
            _ => None,
        }
    }

    /// Whether it is zero modulo p for all values of the variables.
    pub(crate) fn is_zero_modulo_p(&self) -> bool {
        self.0.values().all(|c| matches!(c.modulo_p(), [0, 0, 0] | P))
    }

    /// Whether all its values are multiples of 2^k.
    fn is_multiple(&self, k: u32) -> bool {
        self.0.values().all(|c| c.divided(k).1 == Coefficient::ZERO)
    }

    /// The quotient by 2^by, rounded down.
    fn quotient(&self, by: u32) -> Self {
        let (mut whole, mut rest) = (Self::default(), Self::default());
        for (variables, c) in &self.0 {
            let (quotient, remainder) = c.divided(by);
            whole = whole.plus(&Self::of(variables.clone(), quotient), Coefficient::ONE);
            rest = rest.plus(&Self::of(variables.clone(), remainder), Coefficient::ONE);
        }
        // A remainder without variables is less than 2^by.
        if rest.number().is_some() {
            return whole;
        }
        ARENA.with_borrow_mut(|arena| {
            let mut key = (rest, by);
            // The quotient of a quotient is one.
            if let Some((variables, &Coefficient::ONE)) = key.0.0.first_key_value()
                && let ([variable], 1) = (&variables[..], key.0.0.len())
                && let Some((of, first)) = arena.definitions.get(variable)
            {
                key = (of.clone(), first + by);
            }
            let next = arena.variables + 1;
            let variable = *arena.quotients.entry(key.clone()).or_insert(next);
            arena.variables = arena.variables.max(variable);
            arena.definitions.insert(variable, key);
            whole.plus(&Self::of(vec![variable], Coefficient::ONE), Coefficient::ONE)
        })
    }
}

#[derive(Default)]
struct Arena {
    numbers: Vec<(Polynomial, u128)>,
    variables: u32,
    quotients: HashMap<(Polynomial, u32), u32>,
    definitions: HashMap<u32, (Polynomial, u32)>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// Forgets all integers of this thread, and says how many there were.
pub(crate) fn reset() -> usize {
    ARENA.take().numbers.len()
}

/// An integer from 0 to its bound, below 2^BITS.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integer<const BITS: u32>(usize);

impl<const BITS: u32> Integer<BITS> {
    pub(crate) fn new(polynomial: Polynomial, max: Option<u128>) -> Self {
        let (polynomial, max) = match polynomial.number() {
            // A machine's number.
            Some(c) => {
                let number = c.divided(BITS).1;
                let [low, high, ..] = number.0;
                (Polynomial::of(vec![], number), u128::from(low) | u128::from(high) << 64)
            }
            None => (polynomial, max.filter(|max| *max <= mask(BITS)).expect("a number within its bits")),
        };
        ARENA.with_borrow_mut(|arena| {
            arena.numbers.push((polynomial, max));
            Self(arena.numbers.len() - 1)
        })
    }

    pub(crate) fn constant(x: u128) -> Self {
        Self::new(Polynomial::of(vec![], Coefficient::of(x)), None)
    }

    /// A new variable, times `factor`.
    pub(crate) fn variable(max: u128, factor: u32) -> Self {
        let number = ARENA.with_borrow_mut(|arena| {
            arena.variables += 1;
            arena.variables
        });
        Self::new(Polynomial::of(vec![number], Coefficient::of(factor.into())), max.checked_mul(factor.into()))
    }

    pub(crate) fn parts(self) -> (Polynomial, u128) {
        ARENA.with_borrow(|arena| arena.numbers[self.0].clone())
    }

    pub(crate) fn polynomial(self) -> Polynomial {
        self.parts().0
    }

    pub(crate) fn max(self) -> u128 {
        self.parts().1
    }

    /// Its value, if it is a number.
    pub(crate) fn value(self) -> Option<u128> {
        let (polynomial, max) = self.parts();
        polynomial.number().map(|_| max)
    }

    pub(crate) fn plus(self, b: Self) -> Self {
        let ((x, x_max), (y, y_max)) = (self.parts(), b.parts());
        Self::new(x.plus(&y, Coefficient::ONE), x_max.checked_add(y_max))
    }

    /// The number modulo 2^bits.
    pub(crate) fn modulo(self, bits: u32) -> Self {
        let (x, max) = self.parts();
        if max <= mask(bits) {
            return self;
        }
        let over = x.quotient(bits);
        Self::new(x.minus_shifted(&over, bits), Some(mask(bits)))
    }

    /// The quotient by 2^by.
    pub(crate) fn over(self, by: u32) -> Self {
        let (x, max) = self.parts();
        if by >= BITS || max >> by == 0 {
            return Self::constant(0);
        }
        Self::new(x.quotient(by), Some(max >> by))
    }

    /// Shifted to the left; what is shifted out is lost.
    fn shifted(self, by: u32) -> Self {
        if by >= BITS {
            return Self::constant(0);
        }
        let (x, max) = self.modulo(BITS - by).parts();
        Self::new(Polynomial::default().plus_shifted(&x, by), Some(max << by))
    }

    /// The product, of as many bits as a result of `RESULT` bits has.
    pub(crate) fn times<const RESULT: u32>(self, b: Self) -> Integer<RESULT> {
        let ((x, x_max), (y, y_max)) = (self.parts(), b.parts());
        Integer::new(x.times(&y), x_max.checked_mul(y_max))
    }
}

impl<const BITS: u32> Add for Integer<BITS> {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        if mutation::here("a sum left out") { self } else { self.plus(b) }
    }
}

impl<const BITS: u32> BitOr for Integer<BITS> {
    type Output = Self;
    fn bitor(self, b: Self) -> Self {
        if mutation::here("a part left out") {
            return self;
        }
        if let (Some(x), Some(y)) = (self.value(), b.value()) {
            return Self::constant(x | y);
        }
        let bits = u128::BITS - self.max().leading_zeros();
        assert!(b.polynomial().is_multiple(bits), "parts that may overlap");
        self.plus(b)
    }
}

impl<const BITS: u32> Shl<u32> for Integer<BITS> {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        let further = u32::from(mutation::here("a shift one further"));
        self.shifted(by.wrapping_add(further))
    }
}

impl<const BITS: u32> Shr<u32> for Integer<BITS> {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        let further = u32::from(mutation::here("a shift one further"));
        self.over(by.wrapping_add(further))
    }
}

impl BitAnd<u64> for Integer<64> {
    type Output = Self;
    fn bitand(self, mask: u64) -> Self {
        let further = u32::from(mutation::here("a mask one longer"));
        if mask >> 63 == 1 {
            let bits = mask.trailing_zeros() + further;
            assert_eq!(mask, u64::MAX << mask.trailing_zeros(), "a mask with holes");
            return self.over(bits).shifted(bits);
        }
        assert_eq!(mask.count_ones(), mask.trailing_ones(), "a mask with holes");
        self.modulo(mask.trailing_ones() + further)
    }
}

impl Mul for Integer<64> {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        self.times(if mutation::here("a square for a product") { self } else { b })
    }
}

impl Wide for Integer<128> {
    type Half = Integer<64>;

    fn of(x: u64) -> Integer<64> {
        Integer::constant(x.into())
    }
    fn widen(x: Integer<64>) -> Self {
        let (polynomial, max) = x.parts();
        Self::new(polynomial, Some(max))
    }
    fn product(a: Integer<64>, b: Integer<64>) -> Self {
        a.times(if mutation::here("a square for a product") { a } else { b })
    }
    fn low_half(self) -> Integer<64> {
        let (polynomial, max) = self.modulo(64).parts();
        Integer::new(polynomial, Some(max))
    }
    fn add_with_carry(self, b: Self) -> (Self, Integer<64>) {
        let lost = mutation::here("a lost carry");
        let ((x, x_max), (y, y_max)) = (self.parts(), b.parts());
        let sum = x.plus(&y, Coefficient::ONE);
        let carry = match x_max.checked_add(y_max) {
            Some(max) => return (Self::new(sum, Some(max)), Integer::constant(0)),
            None => sum.quotient(128),
        };
        let low = Self::new(sum.minus_shifted(&carry, 128), Some(u128::MAX));
        (low, if lost { Integer::constant(0) } else { Integer::new(carry, Some(1)) })
    }
}
