//! The second judge of whole primitives, step by step.
//!
//! No solver decides 24 rounds of Keccak at once. The standard names the values that its steps end with (`cut`), and
//! where our normal forms say that a value of the body is made of those, the solver is asked whether it is: over the
//! values of the steps before, of which it knows nothing. From there on, the name stands for the body's value, too. So
//! the normal forms only propose; a wrong one makes an equality fail that the solver is asked about.

use crate::lane::Lane;
use crate::mutation;
use crate::proof::Kernel;
use crate::smt_script::{Vector, ask};
use crate::term::{self, Term};
use crate::value::{Kind, Value, of_kind};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// A bit that the standard has named.
#[derive(Clone, Copy)]
struct Named {
    /// Its name, a constant of the script.
    name: Vector,
    /// What it stands for.
    meaning: Vector,
}

thread_local! {
    static NAMED: RefCell<HashMap<Term, Named>> = RefCell::default();
    /// Whether values are those of the body, which are asked about.
    static IN_BODY: Cell<bool> = const { Cell::new(false) };
}

/// A value in the script, and its term.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    term: Term,
    vector: Vector,
}

/// A bit made of names, if it is: a name, its complement, or a constant.
fn named(bit: Term) -> Option<Named> {
    for x in [0, 1] {
        if bit == Term::constant(1, x) {
            let constant = Vector::constant(1, x);
            return Some(Named { name: constant, meaning: constant });
        }
    }
    let find = |bit: Term| NAMED.with_borrow(|all| all.get(&bit).copied());
    let complement = || find(bit.not()).map(|of| Named { name: of.name.not(), meaning: of.meaning.not() });
    find(bit).or_else(complement)
}

/// The bits of a term.
fn bits(term: Term) -> impl Iterator<Item = Term> {
    (0..term.width()).map(move |i| term.slice(i, 1))
}

impl Step {
    /// The result of an operation: from now on by name, if it is made of names, and the solver says so, too.
    fn of(term: Term, vector: Vector) -> Self {
        let is_known = |bit: Term| NAMED.with_borrow(|all| all.contains_key(&bit) || all.contains_key(&bit.not()));
        let is_constant = |bit: Term| [0, 1].iter().any(|x| bit == Term::constant(1, *x));
        if !IN_BODY.get() || bits(term).all(is_constant) || !bits(term).all(|bit| is_constant(bit) || is_known(bit)) {
            return Self { term, vector };
        }
        let parts: Vec<Named> = bits(term).filter_map(named).collect();
        let whole = |part: fn(&Named) -> Vector| Vector::concat_all(&parts.iter().map(part).collect::<Vec<_>>());
        let name = whole(|part| part.name);
        ask(&[(name, whole(|part| part.meaning))], &[(vector, name)]);
        Self { term, vector: name }
    }

    /// Names the value that a step ends with, unless it has a bit that is known by another name.
    fn cut(self) -> Self {
        let term = self.term.cut();
        if bits(term).any(|bit| named(bit).is_some()) {
            return self;
        }
        let name = Vector::input(term.width());
        for (i, bit) in (0..).zip(bits(term)) {
            let named = Named { name: name.slice(i, 1), meaning: self.vector.slice(i, 1) };
            NAMED.with_borrow_mut(|all| all.insert(bit, named));
        }
        Self { term, vector: name }
    }
}

impl Lane for Step {
    fn constant(bits: u32, x: u128) -> Self {
        Self { term: Term::constant(bits, x), vector: Vector::constant(bits, x) }
    }
    fn width(self) -> u32 {
        self.term.width()
    }
    fn xor(self, b: Self) -> Self {
        Self::of(self.term.xor(b.term), self.vector.xor(b.vector))
    }
    fn and(self, b: Self) -> Self {
        Self::of(self.term.and(b.term), self.vector.and(b.vector))
    }
    fn or(self, b: Self) -> Self {
        Self::of(self.term.or(b.term), self.vector.or(b.vector))
    }
    fn add(self, b: Self) -> Self {
        Self::of(self.term.add(b.term), self.vector.add(b.vector))
    }
    fn sub(self, b: Self) -> Self {
        Self::of(self.term.sub(b.term), self.vector.sub(b.vector))
    }
    fn entry(self, table: &[u8; 256]) -> Self {
        Self::of(self.term.entry(table), self.vector.entry(table))
    }
    // What only moves bits, or complements them, is not asked about.
    fn not(self) -> Self {
        Self { term: self.term.not(), vector: self.vector.not() }
    }
    fn slice(self, from: u32, bits: u32) -> Self {
        Self { term: self.term.slice(from, bits), vector: self.vector.slice(from, bits) }
    }
    fn concat(self, high: Self) -> Self {
        Self { term: self.term.concat(high.term), vector: self.vector.concat(high.vector) }
    }
    fn number(self) -> u128 {
        panic!("a body that takes plain numbers is not judged in steps")
    }
}

/// Asks whether a kernel's body and its standard can have different values at the end of a step.
pub(crate) fn in_steps(kernel: &dyn Kernel) {
    term::reset();
    NAMED.take();
    let input = |bits: u32| Step { term: Term::input(bits), vector: Vector::input(bits) }.into();
    let inputs: Vec<Value> = kernel.inputs().into_iter().map(input).collect();
    let (standard, outputs) = of_kind(Kind::Step, || {
        let standard = kernel.standard(&inputs, &|x| x.step().cut().into());
        IN_BODY.set(true);
        let (outputs, ..) = mutation::with(None, || kernel.body(&inputs));
        IN_BODY.set(false);
        (standard, outputs)
    });
    assert_eq!(outputs.len(), standard.len(), "{}", kernel.name());
    let pairs = outputs.iter().zip(&standard).map(|(x, y)| (x.step().vector, y.step().vector));
    ask(&[], &pairs.collect::<Vec<_>>());
}
