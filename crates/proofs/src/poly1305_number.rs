//! Poly1305's numbers in integers of 64 bits: one block after the other, limbs, and the last reduction.
//!
//! A number is an integer polynomial in the inputs and in quotients, and the greatest value that it can have: one that
//! could overflow is refused. A quotient by 2^k is a variable: of the same number, the same variable. The quotient of a
//! quotient is one quotient, and multiples of 2^k are divided. What is cut off and carried elsewhere then cancels.

use crate::mutation;
use crate::proof::Claim;
use fairlane::poly1305::symbolic::{
    Digit, Parts, absorb_block, fold, from_limbs26, from_limbs44, reduce, to_limbs26, to_limbs44,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::ops::{Add, BitAnd, BitOr, Mul, Shl, Shr};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// An integer of 256 bits with a sign, in two's complement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Big {
    low: u128,
    high: i128,
}

impl Big {
    const ONE: Self = Self { low: 1, high: 0 };

    fn plus(self, b: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(b.low);
        let high = self.high.checked_add(b.high).and_then(|high| high.checked_add(carry.into()));
        Self { low, high: high.expect("a coefficient below 2^255") }
    }

    fn minus(self, b: Self) -> Self {
        self.plus(Self { low: !b.low, high: !b.high }.plus(Self::ONE))
    }

    fn times_power_of_2(self, by: u32) -> Self {
        (0..by).fold(self, |x, _| x.plus(x))
    }

    fn times(self, b: Self) -> Self {
        // Factors are small, or powers of two.
        let (negative, size) = if b.high < 0 { (true, Self::default().minus(b)) } else { (false, b) };
        let mut product = Self::default();
        for i in (0..256).rev() {
            product = product.plus(product);
            let bit = if i < 128 { size.low >> i & 1 } else { (size.high >> (i - 128) & 1) as u128 };
            if bit == 1 {
                product = product.plus(self);
            }
        }
        if negative { Self::default().minus(product) } else { product }
    }

    fn is_multiple_of_power(self, of: u32) -> bool {
        let zeros = if self.low == 0 { 128 + self.high.trailing_zeros() } else { self.low.trailing_zeros() };
        zeros >= of
    }

    /// Divided by 2^by, exactly.
    fn divided(self, by: u32) -> Self {
        let half = |x: Self| Self { low: x.low >> 1 | (x.high as u128) << 127, high: x.high >> 1 };
        (0..by).fold(self, |x, _| half(x))
    }

    /// Modulo p, from 0 to p - 1.
    fn modulo_p(self) -> Self {
        const P: Big = Big { low: u128::MAX - 4, high: 3 };
        let negative = self.high < 0;
        let size = if negative { Self::default().minus(self) } else { self };
        let mut rest = Self::default();
        for i in (0..256).rev() {
            let bit = if i < 128 { size.low >> i & 1 } else { (size.high >> (i - 128) & 1) as u128 };
            rest = rest.plus(rest).plus(Self { low: bit, high: 0 });
            if (rest.high, rest.low) >= (P.high, P.low) {
                rest = rest.minus(P);
            }
        }
        if negative && rest != Self::default() { P.minus(rest) } else { rest }
    }
}

/// The coefficients of products of variables; none is zero.
type Polynomial = BTreeMap<Vec<u32>, Big>;

/// `a + factor b`
fn plus(a: &Polynomial, b: &Polynomial, factor: Big) -> Polynomial {
    let mut sum = a.clone();
    for (variables, c) in b {
        let total = sum.entry(variables.clone()).or_default();
        *total = total.plus(c.times(factor));
    }
    sum.retain(|_, c| *c != Big::default());
    sum
}

fn scaled(a: &Polynomial, by: u32) -> Polynomial {
    a.iter().map(|(variables, c)| (variables.clone(), c.times_power_of_2(by))).collect()
}

#[derive(Default)]
struct Arena {
    /// Variables: an input, or the quotient of a polynomial by a power of two.
    variables: Vec<Option<(Polynomial, u32)>>,
    quotients: HashMap<(Polynomial, u32), u32>,
    numbers: Vec<Number>,
}

#[derive(Clone)]
struct Number {
    polynomial: Polynomial,
    max: u128,
    /// It is a multiple of 2^zeros.
    zeros: u32,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// ⌊x / 2^by⌋
fn quotient(x: &Polynomial, by: u32) -> Polynomial {
    let (multiples, rest): (Polynomial, Polynomial) =
        x.iter().map(|(v, c)| (v.clone(), *c)).partition(|(_, c)| c.is_multiple_of_power(by));
    let whole: Polynomial = multiples.into_iter().map(|(v, c)| (v, c.divided(by))).collect();
    if rest.is_empty() {
        return whole;
    }
    let variable = ARENA.with_borrow_mut(|arena| {
        // The rest may be a quotient itself, or an input.
        let mut of = (rest.clone(), by);
        if let Some(([variable], &Big::ONE)) = rest.iter().next().map(|(v, c)| (&v[..], c))
            && rest.len() == 1
            && let Some((base, before)) = &arena.variables[*variable as usize]
        {
            of = (base.clone(), before + by);
        }
        if let Some(variable) = arena.quotients.get(&of) {
            return *variable;
        }
        let variable = arena.variables.len() as u32;
        arena.variables.push(Some(of.clone()));
        arena.quotients.insert(of, variable);
        variable
    });
    plus(&whole, &[(vec![variable], Big::ONE)].into(), Big::ONE)
}

/// x modulo 2^by
fn remainder(x: &Number, by: u32) -> Number {
    if by >= 128 || x.max >> by == 0 {
        return x.clone();
    }
    let over = scaled(&quotient(&x.polynomial, by), by);
    let polynomial = plus(&x.polynomial, &over, Big::default().minus(Big::ONE));
    Number { polynomial, max: (1 << by) - 1, zeros: x.zeros }
}

/// An integer of `BITS` bits.
#[derive(Clone, Copy, Debug)]
struct Integer<const BITS: u32>(usize);

type Single = Integer<64>;
type Double = Integer<128>;

impl<const BITS: u32> Integer<BITS> {
    fn new(number: Number) -> Self {
        assert!(BITS == 128 || number.max >> BITS == 0, "a number that may be longer");
        ARENA.with_borrow_mut(|arena| {
            arena.numbers.push(number);
            Self(arena.numbers.len() - 1)
        })
    }

    fn input(max: u128) -> Self {
        let variable = ARENA.with_borrow_mut(|arena| {
            arena.variables.push(None);
            arena.variables.len() as u32 - 1
        });
        Self::new(Number { polynomial: [(vec![variable], Big::ONE)].into(), max, zeros: 0 })
    }

    fn constant(x: u64) -> Self {
        let polynomial = if x == 0 { Polynomial::new() } else { [(vec![], Big { low: x.into(), high: 0 })].into() };
        Self::new(Number { polynomial, max: x.into(), zeros: x.trailing_zeros() })
    }

    fn number(self) -> Number {
        ARENA.with_borrow(|arena| arena.numbers[self.0].clone())
    }

    fn polynomial(self) -> Polynomial {
        self.number().polynomial
    }
}

/// The exact product, which must fit in 128 bits.
fn multiplied(a: Number, b: Number) -> Number {
    let mut polynomial = Polynomial::new();
    for (x, c) in &a.polynomial {
        for (y, d) in &b.polynomial {
            let mut variables = [&x[..], &y[..]].concat();
            variables.sort_unstable();
            let total = polynomial.entry(variables).or_default();
            *total = total.plus(c.times(*d));
        }
    }
    polynomial.retain(|_, c| *c != Big::default());
    let max = a.max.checked_mul(b.max).expect("a product that may be longer");
    Number { polynomial, max, zeros: a.zeros + b.zeros }
}

impl<const BITS: u32> Add for Integer<BITS> {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        if mutation::here("a sum left out") {
            return self;
        }
        let (x, y) = (self.number(), b.number());
        let max = x.max.checked_add(y.max).expect("a sum that may overflow");
        let polynomial = plus(&x.polynomial, &y.polynomial, Big::ONE);
        Self::new(Number { polynomial, max, zeros: x.zeros.min(y.zeros) })
    }
}

impl Mul for Single {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        let b = if mutation::here("a square for a product") { self } else { b };
        Self::new(multiplied(self.number(), b.number()))
    }
}

impl BitAnd<u64> for Single {
    type Output = Self;
    fn bitand(self, mask: u64) -> Self {
        let x = self.number();
        let longer = u32::from(mutation::here("a mask one longer"));
        if mask == !3 {
            let polynomial = scaled(&quotient(&x.polynomial, 2 - longer), 2 - longer);
            return Self::new(Number { polynomial, max: x.max, zeros: 2 - longer });
        }
        assert_eq!(mask.trailing_ones(), mask.count_ones(), "a mask");
        Self::new(remainder(&x, mask.trailing_ones() + longer))
    }
}

impl<const BITS: u32> BitOr for Integer<BITS> {
    type Output = Self;
    fn bitor(self, b: Self) -> Self {
        let (x, y) = (self.number(), b.number());
        let apart = |x: &Number, y: &Number| y.zeros >= 128 || x.max >> y.zeros == 0;
        assert!(apart(&x, &y) || apart(&y, &x), "bits that may be set in both");
        let polynomial = plus(&x.polynomial, &y.polynomial, Big::ONE);
        Self::new(Number { polynomial, max: x.max + y.max, zeros: x.zeros.min(y.zeros) })
    }
}

impl<const BITS: u32> Shl<u32> for Integer<BITS> {
    type Output = Self;
    fn shl(self, by: u32) -> Self {
        let by = by + u32::from(mutation::here("a shift one further"));
        if by == 0 {
            return self;
        }
        let kept = remainder(&self.number(), BITS - by);
        Self::new(Number { polynomial: scaled(&kept.polynomial, by), max: kept.max << by, zeros: kept.zeros + by })
    }
}

impl<const BITS: u32> Shr<u32> for Integer<BITS> {
    type Output = Self;
    fn shr(self, by: u32) -> Self {
        let by = by + u32::from(mutation::here("a shift one further"));
        let x = self.number();
        if by == 0 {
            return self;
        }
        if x.max >> by == 0 {
            return Self::constant(0);
        }
        let zeros = x.zeros.saturating_sub(by);
        Self::new(Number { polynomial: quotient(&x.polynomial, by), max: x.max >> by, zeros })
    }
}

impl Digit for Single {
    type Double = Double;

    fn of(x: u64) -> Self {
        Self::constant(x)
    }
    fn double(self) -> Double {
        Integer(self.0)
    }
    fn low_half(x: Double) -> Self {
        Self::new(remainder(&x.number(), 64))
    }
    fn product(self, b: Self) -> Double {
        let b = if mutation::here("a square for a product") { self } else { b };
        Double::new(multiplied(self.number(), b.number()))
    }
    fn overflowing_add(a: Double, b: Double) -> (Double, Self) {
        let (x, y) = (a.number(), b.number());
        let polynomial = plus(&x.polynomial, &y.polynomial, Big::ONE);
        let zeros = x.zeros.min(y.zeros);
        if let Some(max) = x.max.checked_add(y.max) {
            return (Double::new(Number { polynomial, max, zeros }), Self::constant(0));
        }
        let carry = quotient(&polynomial, 128);
        let low = plus(&polynomial, &scaled(&carry, 128), Big::default().minus(Big::ONE));
        let lost = mutation::here("a carry lost");
        let carry = if lost { Self::constant(0) } else { Self::new(Number { polynomial: carry, max: 1, zeros: 0 }) };
        (Double::new(Number { polynomial: low, max: u128::MAX, zeros }), carry)
    }
}

/// `low + 2^128 high`
fn whole((low, high): Parts<Single>) -> Polynomial {
    plus(&low.polynomial(), &scaled(&high.polynomial(), 128), Big::ONE)
}

fn zero_modulo_p(x: &Polynomial) -> Result<(), String> {
    let zero = x.values().all(|c| c.modulo_p() == Big::default());
    if zero { Ok(()) } else { Err("another number".into()) }
}

fn difference(x: &Polynomial, y: &Polynomial) -> Polynomial {
    plus(x, y, Big::default().minus(Big::ONE))
}

fn below(x: Single, bound: u128) -> Result<(), String> {
    let max = x.number().max;
    if max < bound { Ok(()) } else { Err(format!("up to {max:#x}")) }
}

/// A number below 5 x 2^128.
fn number() -> Parts<Single> {
    (Double::input(u128::MAX), Single::input(4))
}

/// `(number + block + 2^128) r`, below 5 x 2^128 again.
fn check_block() -> Result<(), String> {
    let (sum, block) = (number(), Double::input(u128::MAX));
    let low = Single::input((1 << 60) - 1);
    // A multiple of 4 below 2^60.
    let high = Single::input((1 << 58) - 1).number();
    let high = Single::new(Number { polynomial: scaled(&high.polynomial, 2), max: high.max << 2, zeros: 2 });
    let result = absorb_block::<Single>(sum, block, [low, high]);
    let r = plus(&low.polynomial(), &scaled(&high.polynomial(), 64), Big::ONE);
    let one: Polynomial = [(vec![], Big { low: 0, high: 1 })].into();
    let blocks = plus(&plus(&whole(sum), &block.polynomial(), Big::ONE), &one, Big::ONE);
    let exact = |polynomial: Polynomial| Number { polynomial, max: 1, zeros: 0 };
    let mut expected = multiplied(exact(blocks), exact(r)).polynomial;
    // What the body takes apart: the sum of number and block is its halves, of which it knows only the quotients.
    expected = difference(&whole(result), &expected);
    below(result.1, 5)?;
    zero_modulo_p(&expected)
}

/// The last reduction. A number V below 5 x 2^128, which is less than 2 p, is p or more if V + 5 is 2^130 or more, which
/// is so if ⌊(high + ⌊(low + 5) / 2^128⌋) / 4⌋ is 1 and not 0; V - p is then V + 5 modulo 2^128.
fn check_reduction() -> Result<(), String> {
    let number = number();
    let (low, high) = mutation::paused(|| fold::<Single>(number));
    let result = reduce::<Single>(number);
    below(high, 5)?;
    let small = |x: u128| -> Polynomial { [(vec![], Big { low: x, high: 0 })].into() };
    let carry = quotient(&plus(&low.polynomial(), &small(5), Big::ONE), 128);
    let over = quotient(&plus(&high.polynomial(), &carry, Big::ONE), 2);
    let sum = plus(&low.polynomial(), &over, Big { low: 5, high: 0 });
    let expected = difference(&sum, &scaled(&quotient(&sum, 128), 128));
    if result.polynomial() == expected { Ok(()) } else { Err("another reduction".into()) }
}

/// Numbers at 2^130 or above are folded: the same modulo p, below 5 x 2^128.
fn check_fold() -> Result<(), String> {
    let number = (Double::input(u128::MAX), Single::input((1 << 63) - 1));
    let result = fold::<Single>(number);
    below(result.1, 5)?;
    zero_modulo_p(&difference(&whole(result), &whole(number)))
}

/// Limbs of a number are the number, and are short.
fn check_split<const L: usize>(bits: u32, split: fn(Parts<Single>) -> [Single; L]) -> Result<(), String> {
    let number = number();
    let limbs = split(number);
    let mut sum = Polynomial::new();
    for (i, limb) in limbs.iter().enumerate() {
        below(*limb, if i + 1 == L { 5 << (128 - bits * i as u32) } else { 1 << bits })?;
        sum = plus(&sum, &scaled(&limb.polynomial(), bits * i as u32), Big::ONE);
    }
    if sum == whole(number) { Ok(()) } else { Err("another number".into()) }
}

/// The number of limbs below 2^62 is theirs modulo p, below 5 x 2^128.
fn check_join<const L: usize>(bits: u32, join: fn([Single; L]) -> Parts<Single>) -> Result<(), String> {
    let limbs = std::array::from_fn(|_| Single::input((1 << 62) - 1));
    let result = join(limbs);
    let mut sum = Polynomial::new();
    for (i, limb) in limbs.iter().enumerate() {
        sum = plus(&sum, &scaled(&limb.polynomial(), bits * i as u32), Big::ONE);
    }
    below(result.1, 5)?;
    zero_modulo_p(&difference(&whole(result), &sum))
}

fn check_26() -> Result<(), String> {
    check_split::<5>(26, to_limbs26::<Single>).and_then(|()| check_join::<5>(26, from_limbs26::<Single>))
}

fn check_44() -> Result<(), String> {
    check_split::<3>(44, to_limbs44::<Single>).and_then(|()| check_join::<3>(44, from_limbs44::<Single>))
}

/// Proves Poly1305's arithmetic in 64-bit integers.
pub fn claims() -> Vec<Claim> {
    type Check = fn() -> Result<(), String>;
    let checks: [(&str, Check); 5] = [
        ("a block: (number + block + 2^128) r modulo 2^130 - 5, below 5 × 2^128", check_block),
        ("what is at 2^130 or above, folded: the same modulo 2^130 - 5", check_fold),
        ("the last reduction: the least number modulo 2^130 - 5, modulo 2^128", check_reduction),
        ("limbs of 26 bits: apart, and joined from limbs below 2^62", check_26),
        ("limbs of 44 bits: apart, and joined from limbs below 2^62", check_44),
    ];
    let run = |check: Check| {
        ARENA.take();
        catch_unwind(AssertUnwindSafe(check)).map_err(|_| "a bound is not held".to_string())?
    };
    let mut claims = Vec::new();
    let (mut refused, mut kept) = (BTreeMap::<_, usize>::new(), BTreeMap::<_, usize>::new());
    let mut all = Vec::new();
    for (what, check) in checks {
        claims.push(Claim::of(format!("Poly1305 in 64-bit integers, {what}"), "integers with bounds", || {
            let (proof, operations, _) = mutation::with(None, || run(check));
            proof.expect("it is proved");
            all.push((check, operations));
            format!("{operations} operations")
        }));
    }
    claims.push(Claim::of("Poly1305 in 64-bit integers: faults", "no longer provable", || {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        for (check, operations) in all {
            for at in 0..operations {
                let (proof, _, what) = mutation::with(Some(at), || run(check));
                *if proof.is_err() { &mut refused } else { &mut kept }.entry(what).or_default() += 1;
            }
        }
        std::panic::set_hook(hook);
        assert!(refused.values().sum::<usize>() >= 30, "refused {refused:?}, kept {kept:?}");
        let list = |kinds: &BTreeMap<&str, usize>| {
            kinds.iter().map(|(what, count)| format!("{count} × {what}")).collect::<Vec<_>>().join(", ")
        };
        format!("refused: {}; the same number all the same: {}", list(&refused), list(&kept))
    }));
    claims
}
