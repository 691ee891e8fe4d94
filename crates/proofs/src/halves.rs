//! Polynomials over GF(2) in halves, for the order of products: nothing is said of their bits.
//!
//! A polynomial of 128 coefficients has two halves, and a half is a sum of *parts*: halves of unknown polynomials, and
//! halves of products of two parts. Products distribute over sums and commute, and that is all. So two equal sums are
//! equal whatever the polynomials are; Karatsuba's method comes out as the products that it saves.
//!
//! Where sums of products of sums grow, the standard cuts: a half gets a name, an unknown half, and the same half gets
//! it wherever a word has it. What holds for all unknown halves holds for the one behind the name.
//!
//! In memory a polynomial is a number, its name: the sum of its parts' names, which have no pattern. So plain exclusive
//! ors of such numbers are followed, too.

use crate::mutation;
use fairlane_lanes::{Polynomials, Scalar};
use std::array::from_fn;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// A half of an unknown polynomial.
    Unknown { polynomial: u32, high: bool },
    /// A half of the product of two parts.
    OfProduct { factors: (u32, u32), high: bool },
}

/// The sum of different parts, by their numbers.
pub(crate) type Half = BTreeSet<u32>;

/// The low and the high half.
pub(crate) type Halves = [Half; 2];

#[derive(Default)]
struct Arena {
    parts: Vec<Part>,
    numbers: HashMap<Part, u32>,
    unknown: u32,
    lanes: Vec<Halves>,
    named: HashMap<u128, Halves>,
    cuts: HashMap<Half, Half>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

impl Arena {
    fn part(&mut self, part: Part) -> u32 {
        let next = self.parts.len() as u32;
        let number = *self.numbers.entry(part).or_insert(next);
        if number == next {
            self.parts.push(part);
        }
        number
    }
}

fn plus(a: &Half, b: &Half) -> Half {
    a.symmetric_difference(b).copied().collect()
}

/// The product of two halves.
fn product(a: &Half, b: &Half) -> Halves {
    let mut product = [Half::new(), Half::new()];
    ARENA.with_borrow_mut(|arena| {
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (x, y))) {
            for (half, high) in product.iter_mut().zip([false, true]) {
                let part = arena.part(Part::OfProduct { factors: (*x.min(y), *x.max(y)), high });
                // Equal parts cancel.
                if !half.insert(part) {
                    half.remove(&part);
                }
            }
        }
    });
    product
}

fn exchanged([low, high]: Halves, really: bool) -> Halves {
    if really { [high, low] } else { [low, high] }
}

/// Forgets everything of this thread.
pub(crate) fn reset() {
    ARENA.take();
}

/// A new unknown polynomial.
pub(crate) fn unknown() -> Halves {
    ARENA.with_borrow_mut(|arena| {
        let polynomial = arena.unknown;
        arena.unknown += 1;
        [false, true].map(|high| [arena.part(Part::Unknown { polynomial, high })].into())
    })
}

/// Gives a polynomial's halves names, by which every word has them from here on, and returns the polynomial of these.
pub(crate) fn cut(polynomial: &Halves) -> Halves {
    let names = unknown();
    let cut = |i: usize| {
        let half = &polynomial[i];
        ARENA.with_borrow_mut(|arena| arena.cuts.entry(half.clone()).or_insert_with(|| names[i].clone()).clone())
    };
    from_fn(|i| if polynomial[i].len() > 1 { cut(i) } else { polynomial[i].clone() })
}

/// Lets a number in memory stand for a polynomial.
pub(crate) fn stands_behind(number: u128, polynomial: &Halves) {
    let before = ARENA.with_borrow_mut(|arena| arena.named.insert(number, polynomial.clone()));
    assert!(before.is_none_or(|before| before == *polynomial), "a name is used twice");
}

/// A polynomial's name in memory, which is then known.
pub(crate) fn name(polynomial: &Halves) -> u128 {
    let name = (0..2).flat_map(|i| polynomial[i].iter().map(move |part| 2 * u64::from(*part) + i as u64)).fold(
        0,
        |sum, number| {
            let random = |x: u64| {
                // A step of splitmix64.
                let z = (x + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                u128::from(z ^ (z >> 31))
            };
            sum ^ random(2 * number) ^ random(2 * number + 1) << 64
        },
    );
    stands_behind(name, polynomial);
    name
}

/// The polynomial of a name, if it is one.
pub(crate) fn find(number: u128) -> Option<Halves> {
    if number == 0 {
        return Some(Halves::default());
    }
    ARENA.with_borrow(|arena| arena.named.get(&number).cloned())
}

/// The polynomial of a name.
fn named(number: u128) -> Halves {
    find(number).expect("a number that stands for a polynomial")
}

/// The sum.
pub(crate) fn sum(a: &Halves, b: &Halves) -> Halves {
    from_fn(|i| plus(&a[i], &b[i]))
}

/// The sum of both halves.
pub(crate) fn folded(a: &Halves) -> Half {
    plus(&a[0], &a[1])
}

/// The product of polynomials: its lower and its upper 128 coefficients.
pub(crate) fn full_product(a: &Halves, b: &Halves) -> [Halves; 2] {
    let (low, high) = (product(&a[0], &b[0]), product(&a[1], &b[1]));
    let middle = sum(&product(&a[0], &b[1]), &product(&a[1], &b[0]));
    [[low[0].clone(), plus(&low[1], &middle[0])], [plus(&high[0], &middle[1]), high[1].clone()]]
}

/// `N` lanes, as numbers of `Arena::lanes`.
#[derive(Clone, Copy)]
pub(crate) struct Word<const N: usize>([usize; N]);

fn keep(lane: Halves) -> usize {
    ARENA.with_borrow_mut(|arena| {
        arena.lanes.push(lane.map(|half| arena.cuts.get(&half).cloned().unwrap_or(half)));
        arena.lanes.len() - 1
    })
}

impl<const N: usize> Word<N> {
    pub(crate) fn of(lanes: [Halves; N]) -> Self {
        Self(lanes.map(keep))
    }

    pub(crate) fn lanes(self) -> [Halves; N] {
        self.0.map(|number| ARENA.with_borrow(|arena| arena.lanes[number].clone()))
    }

    fn zip(self, b: Self, f: impl Fn(&Halves, &Halves) -> Halves) -> Self {
        let (x, y) = (self.lanes(), b.lanes());
        Self::of(from_fn(|i| f(&x[i], &y[i])))
    }
}

impl<const N: usize> Polynomials<N> for Word<N> {
    type Token = Scalar;

    fn splat(_: Scalar, x: u128) -> Self {
        Self::of(from_fn(|_| named(x)))
    }
    fn from_array(_: Scalar, x: [u128; N]) -> Self {
        let by = usize::from(N > 1 && mutation::here("lanes in another order"));
        Self::of(from_fn(|i| named(x[(i + by) % N])))
    }
    fn to_array(self) -> [u128; N] {
        self.lanes().map(|lane| name(&lane))
    }
    fn load_be(_: Scalar, blocks: &[[u8; 16]]) -> Self {
        Self::of(from_fn(|i| blocks.get(i).map_or_else(Halves::default, |block| named(u128::from_be_bytes(*block)))))
    }
    fn load_le(_: Scalar, blocks: &[[u8; 16]]) -> Self {
        Self::of(from_fn(|i| blocks.get(i).map_or_else(Halves::default, |block| named(u128::from_le_bytes(*block)))))
    }
    fn xor(self, b: Self) -> Self {
        if mutation::here("no exclusive or") { self } else { self.zip(b, sum) }
    }
    fn swap_halves(self) -> Self {
        if mutation::here("halves not exchanged") {
            return self;
        }
        Self::of(self.lanes().map(|[low, high]| [high, low]))
    }
    fn shift_left_64(self) -> Self {
        Self::of(self.lanes().map(|[low, _]| [Half::new(), low]))
    }
    fn shift_right_64(self) -> Self {
        Self::of(self.lanes().map(|[_, high]| [high, Half::new()]))
    }
    fn mul_low(self, b: Self) -> Self {
        let swapped = mutation::here("a product's halves exchanged");
        self.zip(b, |x, y| exchanged(product(&x[0], &y[0]), swapped))
    }
    fn mul_high(self, b: Self) -> Self {
        let swapped = mutation::here("a product's halves exchanged");
        self.zip(b, |x, y| exchanged(product(&x[1], &y[1]), swapped))
    }
    fn sum(self) -> u128 {
        name(&self.lanes().iter().fold(Halves::default(), |all, lane| sum(&all, lane)))
    }
}

/// The token of these words.
pub(crate) const TOKEN: Scalar = Scalar::PROOF;
