//! The lane that kernels run on: a term, a number, or a vector of a script, in four bytes.
//!
//! So each body is compiled once, whatever it is run on.

use crate::lane::{Lane, Plain};
use crate::smt_script::Vector;
use crate::smt_steps::Step;
use crate::term::Term;
use std::cell::{Cell, RefCell};

/// What a value can be.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(crate) enum Kind {
    Term,
    Number,
    Vector,
    Step,
}

/// A lane of any kind: the number of a term or of a vector, or the place of a number or a step in a list of this thread.
/// The upper two bits are the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value(u32);

thread_local! {
    /// What constants are.
    static CONSTANTS: Cell<Kind> = const { Cell::new(Kind::Term) };
    static NUMBERS: RefCell<Vec<Plain>> = const { RefCell::new(Vec::new()) };
    static STEPS: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

/// Runs `f`, in which constants are of that kind; elsewhere they are terms.
pub(crate) fn of_kind<T>(kind: Kind, f: impl FnOnce() -> T) -> T {
    let before = CONSTANTS.replace(kind);
    let result = f();
    CONSTANTS.set(before);
    result
}

/// What `f` makes of numbers of so many bits.
pub(crate) fn on_numbers(widths: &[u32], numbers: &[u128], f: impl FnOnce(&[Value]) -> Vec<Value>) -> Vec<u128> {
    let before = NUMBERS.with_borrow(Vec::len);
    let inputs: Vec<_> = widths.iter().zip(numbers).map(|(bits, x)| Plain::constant(*bits, *x).into()).collect();
    let outputs = of_kind(Kind::Number, || f(&inputs)).into_iter().map(Lane::number).collect();
    NUMBERS.with_borrow_mut(|all| all.truncate(before));
    outputs
}

/// Terms as values.
pub(crate) fn of_terms(terms: &[Term]) -> Vec<Value> {
    terms.iter().map(|term| (*term).into()).collect()
}

impl Value {
    const BITS_OF_NUMBER: u32 = 30;

    fn of(kind: Kind, number: usize) -> Self {
        assert!(number < 1 << Self::BITS_OF_NUMBER, "too many values");
        Self((kind as u32) << Self::BITS_OF_NUMBER | number as u32)
    }

    fn meaning(self) -> Meaning {
        let number = self.0 & ((1 << Self::BITS_OF_NUMBER) - 1);
        match self.0 >> Self::BITS_OF_NUMBER {
            0 => Meaning::Term(Term(number)),
            1 => Meaning::Number(NUMBERS.with_borrow(|all| all[number as usize])),
            2 => Meaning::Vector(Vector(number as usize)),
            _ => Meaning::Step(STEPS.with_borrow(|all| all[number as usize])),
        }
    }

    /// The term.
    ///
    /// # Panics
    /// If it is not one.
    pub fn term(self) -> Term {
        let Meaning::Term(term) = self.meaning() else { panic!("not a term") };
        term
    }

    pub(crate) fn vector(self) -> Vector {
        let Meaning::Vector(vector) = self.meaning() else { panic!("not a vector") };
        vector
    }

    pub(crate) fn step(self) -> Step {
        let Meaning::Step(step) = self.meaning() else { panic!("not a step") };
        step
    }
}

/// What a value stands for.
enum Meaning {
    Term(Term),
    Number(Plain),
    Vector(Vector),
    Step(Step),
}

impl From<Term> for Value {
    fn from(term: Term) -> Self {
        Self::of(Kind::Term, term.0 as usize)
    }
}

impl From<Plain> for Value {
    fn from(number: Plain) -> Self {
        NUMBERS.with_borrow_mut(|all| {
            all.push(number);
            Self::of(Kind::Number, all.len() - 1)
        })
    }
}

impl From<Vector> for Value {
    fn from(vector: Vector) -> Self {
        Self::of(Kind::Vector, vector.0)
    }
}

impl From<Step> for Value {
    fn from(step: Step) -> Self {
        STEPS.with_borrow_mut(|all| {
            all.push(step);
            Self::of(Kind::Step, all.len() - 1)
        })
    }
}

/// `$result` for what a value stands for, `$x`.
macro_rules! one {
    ($value:expr, |$x:ident| $result:expr) => {
        match $value.meaning() {
            Meaning::Term($x) => $result,
            Meaning::Number($x) => $result,
            Meaning::Vector($x) => $result,
            Meaning::Step($x) => $result,
        }
    };
}

/// The same for two values of one kind.
macro_rules! two {
    ($a:expr, $b:expr, |$x:ident, $y:ident| $result:expr) => {
        match ($a.meaning(), $b.meaning()) {
            (Meaning::Term($x), Meaning::Term($y)) => $result.into(),
            (Meaning::Number($x), Meaning::Number($y)) => $result.into(),
            (Meaning::Vector($x), Meaning::Vector($y)) => $result.into(),
            (Meaning::Step($x), Meaning::Step($y)) => $result.into(),
            _ => panic!("values of different kinds"),
        }
    };
}

// Bodies are long: each operation is a call.
impl Lane for Value {
    #[inline(never)]
    fn constant(bits: u32, x: u128) -> Self {
        match CONSTANTS.get() {
            Kind::Term => Term::constant(bits, x).into(),
            Kind::Number => Plain::constant(bits, x).into(),
            Kind::Vector => Vector::constant(bits, x).into(),
            Kind::Step => Step::constant(bits, x).into(),
        }
    }
    #[inline(never)]
    fn width(self) -> u32 {
        one!(self, |x| x.width())
    }
    fn is_number(self) -> bool {
        matches!(self.meaning(), Meaning::Number(_))
    }
    #[inline(never)]
    fn xor(self, b: Self) -> Self {
        two!(self, b, |x, y| x.xor(y))
    }
    #[inline(never)]
    fn and(self, b: Self) -> Self {
        two!(self, b, |x, y| x.and(y))
    }
    #[inline(never)]
    fn or(self, b: Self) -> Self {
        two!(self, b, |x, y| x.or(y))
    }
    #[inline(never)]
    fn not(self) -> Self {
        one!(self, |x| x.not().into())
    }
    #[inline(never)]
    fn add(self, b: Self) -> Self {
        two!(self, b, |x, y| x.add(y))
    }
    #[inline(never)]
    fn sub(self, b: Self) -> Self {
        two!(self, b, |x, y| x.sub(y))
    }
    #[inline(never)]
    fn slice(self, from: u32, bits: u32) -> Self {
        one!(self, |x| x.slice(from, bits).into())
    }
    #[inline(never)]
    fn concat(self, high: Self) -> Self {
        two!(self, high, |x, y| x.concat(y))
    }
    fn join(parts: &[Self]) -> Self {
        match parts[0].meaning() {
            Meaning::Term(_) => Term::join(&parts.iter().map(|part| part.term()).collect::<Vec<_>>()).into(),
            _ => parts[1..].iter().fold(parts[0], |low, high| low.concat(*high)),
        }
    }
    #[inline(never)]
    fn rotl(self, by: u32) -> Self {
        one!(self, |x| x.rotl(by).into())
    }
    #[inline(never)]
    fn affine(self, matrix: u64, constant: u8) -> Self {
        one!(self, |x| x.affine(matrix, constant).into())
    }
    #[inline(never)]
    fn entry(self, table: &[u8; 256]) -> Self {
        one!(self, |x| x.entry(table).into())
    }
    #[inline(never)]
    fn stands_behind(self, name: u128) {
        one!(self, |x| x.stands_behind(name));
    }
    #[inline(never)]
    fn number(self) -> u128 {
        one!(self, |x| x.number())
    }
}
