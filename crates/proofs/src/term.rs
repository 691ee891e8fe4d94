//! Terms: what a kernel computes, as a function of its inputs.
//!
//! A [`Term`] is a vector of bits, and a bit is a polynomial over GF(2) in *atoms*: its algebraic normal form, which is
//! unique. An atom is a bit of an input, a bit of a *node* (a sum modulo 2^n, or a table's entry, which are not taken
//! apart), or a *cut*: a name for a polynomial that has become long. Everything is interned, so equal terms have equal
//! numbers, and a number is `Copy`.
//!
//! Two terms with the same number are the same function. Two terms with different numbers need not be different
//! functions, since sums and table entries are opaque: then an input must be found that tells them apart.
//!
//! A sum is a multiset: a constant and terms with coefficients modulo 2^n, in the order of their numbers. So a sum of
//! sums, in whatever order it is taken, has one number, and a difference removes what a sum has added.

use crate::lane::{Lane, mask};
use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

/// A fast hash for small keys (that of Firefox).
#[derive(Clone, Copy, Default)]
struct FastHasher(u64);

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        // A product's low bits depend on low bits alone.
        (self.0 ^ (self.0 >> 32)).wrapping_mul(0x517c_c1b7_2722_0a95).rotate_left(26)
    }
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            self.write_u64(rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }
    fn write_u32(&mut self, x: u32) {
        self.write_u64(x.into());
    }
    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(5) ^ x).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }
}

type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// Things by number, each once.
#[derive(Clone)]
struct Interned<T> {
    all: Vec<T>,
    numbers: FastMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: FastMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Interned<T> {
    fn number(&mut self, thing: T) -> u32 {
        if let Some(number) = self.numbers.get(&thing) {
            return *number;
        }
        self.insert(thing)
    }

    /// The same for what need not be copied if it is known.
    fn number_of<Q: Eq + Hash + ?Sized>(&mut self, thing: &Q) -> u32
    where
        T: Borrow<Q> + for<'a> From<&'a Q>,
    {
        if let Some(number) = self.numbers.get(thing) {
            return *number;
        }
        self.insert(thing.into())
    }

    fn insert(&mut self, thing: T) -> u32 {
        let number = u32::try_from(self.all.len()).expect("fewer than 2^32 things");
        self.all.push(thing.clone());
        self.numbers.insert(thing, number);
        number
    }
}

/// A list, of which copies are references.
type List = Rc<[u32]>;

/// The number of a polynomial, a sorted list of monomials. 0 is zero and 1 is one.
type Bit = u32;
const ZERO: Bit = 0;
const ONE: Bit = 1;

/// The monomial without atoms.
const EMPTY: u32 = 0;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Atom {
    Input { variable: u32, bit: u32 },
    OfNode { node: u32, bit: u32 },
    Cut(Bit),
}

/// What is not taken apart.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    /// `constant` and the sum of terms times coefficients, modulo 2^bits.
    Sum { bits: u32, constant: u128, terms: Vec<(u32, u128)> },
    /// The entry of table `table` for a byte.
    Entry { table: u32, index: u32 },
}

#[derive(Clone, Default)]
struct Arena {
    atoms: Interned<Atom>,
    monomials: Interned<List>,
    bits: Interned<List>,
    terms: Interned<List>,
    nodes: Interned<Node>,
    tables: Interned<Box<[u8]>>,
    products: FastMap<(Bit, Bit), Bit>,
    sums: FastMap<(Bit, Bit), Bit>,
    /// The atom that stands for a polynomial without a constant.
    cuts: FastMap<Bit, Bit>,
    /// The sums whose bits make up a term.
    node_of_term: FastMap<u32, u32>,
    variables: u32,
    /// Polynomials that would have more monomials are made of cuts, or refused.
    longest: usize,
    refuses_longer: bool,
    /// Constants that stand for inputs where a kernel takes plain numbers.
    names: FastMap<(u32, u128), u32>,
    /// The names of terms.
    named: FastMap<u32, u128>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

fn with<T>(f: impl FnOnce(&mut Arena) -> T) -> T {
    ARENA.with(|arena| f(&mut arena.borrow_mut()))
}

/// Forgets all terms of this thread.
pub fn reset() {
    with(|arena| {
        *arena = Arena { longest: 20_000, ..Arena::default() };
        arena.monomials.number_of(&[][..]);
        arena.bits.number_of(&[][..]);
        arena.bits.number_of(&[EMPTY][..]);
    });
}

/// The terms of a thread at some time.
pub struct Snapshot(Arena);

impl Snapshot {
    /// All terms of this thread.
    pub fn take() -> Self {
        Self(with(|arena| arena.clone()))
    }

    /// Forgets this thread's terms, and knows those of the snapshot again, by the same numbers.
    pub fn restore(&self) {
        with(|arena| arena.clone_from(&self.0));
    }
}

/// Makes polynomials that would have more than `longest` monomials of cuts from now on: for kernels with faults, which
/// the standard's cuts do not shorten.
pub fn keep_short(longest: usize) {
    with(|arena| arena.longest = longest);
}

/// Refuses polynomials that would have more than `longest` monomials from now on, for bodies whose polynomials the
/// standard's names keep short.
pub fn refuse_longer(longest: usize) {
    with(|arena| (arena.longest, arena.refuses_longer) = (longest, true));
}

impl Arena {
    fn atom(&mut self, atom: Atom) -> Bit {
        let atom = self.atoms.number(atom);
        let monomial = self.monomials.number_of(&[atom][..]);
        self.bits.number_of(&[monomial][..])
    }

    fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        if a == b {
            return ZERO;
        }
        if a == ZERO || b == ZERO {
            return a | b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(sum) = self.sums.get(&key) {
            return self.renamed(*sum);
        }
        let (a, b) = self.shortened(a, b, self.terms_in(a) + self.terms_in(b));
        let (x, y) = (&self.bits.all[a as usize], &self.bits.all[b as usize]);
        let (mut i, mut j, mut sum) = (0, 0, Vec::with_capacity(x.len() + y.len()));
        while i < x.len() || j < y.len() {
            match (x.get(i), y.get(j)) {
                (Some(p), Some(q)) if p == q => (i, j) = (i + 1, j + 1),
                (Some(p), Some(q)) if p < q => {
                    sum.push(*p);
                    i += 1;
                }
                (Some(p), None) => {
                    sum.push(*p);
                    i += 1;
                }
                (_, Some(q)) => {
                    sum.push(*q);
                    j += 1;
                }
                (None, None) => unreachable!("one of them is not at its end"),
            }
        }
        let sum = self.bits.number_of(&sum[..]);
        self.sums.insert(key, sum);
        self.renamed(sum)
    }

    fn and(&mut self, a: Bit, b: Bit) -> Bit {
        if a == ZERO || b == ZERO {
            return ZERO;
        }
        if a == ONE || a == b {
            return b;
        }
        if b == ONE {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(product) = self.products.get(&key) {
            return self.renamed(*product);
        }
        let (a, b) = self.shortened(a, b, self.terms_in(a) * self.terms_in(b));
        let (x, y) = (self.bits.all[a as usize].clone(), self.bits.all[b as usize].clone());
        let (mut all, mut atoms) = (Vec::with_capacity(x.len() * y.len()), Vec::new());
        for p in &*x {
            for q in &*y {
                atoms.clear();
                atoms.extend_from_slice(&self.monomials.all[*p as usize]);
                atoms.extend_from_slice(&self.monomials.all[*q as usize]);
                atoms.sort_unstable();
                atoms.dedup();
                all.push(self.monomials.number_of(&atoms[..]));
            }
        }
        all.sort_unstable();
        // Pairs of equal monomials cancel.
        let mut product: Vec<u32> = Vec::new();
        for monomial in all {
            if product.last() == Some(&monomial) {
                product.pop();
            } else {
                product.push(monomial);
            }
        }
        let product = self.bits.number_of(&product[..]);
        self.products.insert(key, product);
        self.renamed(product)
    }

    /// The operands of what may have `terms` monomials.
    fn shortened(&mut self, a: Bit, b: Bit, terms: usize) -> (Bit, Bit) {
        if terms <= self.longest {
            return (a, b);
        }
        assert!(!self.refuses_longer, "a polynomial is longer than the standard's names leave it");
        (self.cut(a), self.cut(b))
    }

    /// How many monomials a polynomial has.
    fn terms_in(&self, bit: Bit) -> usize {
        self.bits.all[bit as usize].len()
    }

    /// The cut that stands for the polynomial, or the polynomial itself.
    fn renamed(&mut self, bit: Bit) -> Bit {
        if self.cuts.is_empty() {
            return bit;
        }
        let (rest, constant) = self.without_constant(bit);
        self.cuts.get(&rest).map_or(bit, |cut| if constant { self.plus_one(*cut) } else { *cut })
    }

    /// The polynomial without its constant, and whether it had one.
    fn without_constant(&mut self, bit: Bit) -> (Bit, bool) {
        if self.bits.all[bit as usize].first() != Some(&EMPTY) {
            return (bit, false);
        }
        let list = self.bits.all[bit as usize].clone();
        (self.bits.number_of(&list[1..]), true)
    }

    fn plus_one(&self, bit: Bit) -> Bit {
        // The monomial without atoms has the least number.
        let with_one = [&[EMPTY], &*self.bits.all[bit as usize]].concat();
        self.bits.numbers.get(&with_one[..]).copied().expect("made with the cut")
    }

    fn cut(&mut self, bit: Bit) -> Bit {
        let (rest, constant) = self.without_constant(bit);
        if self.bits.all[rest as usize].len() < 2 {
            return bit;
        }
        let cut = match self.cuts.get(&rest) {
            Some(cut) => *cut,
            None => {
                let cut = self.atom(Atom::Cut(rest));
                let with_one = [&[EMPTY], &*self.bits.all[cut as usize]].concat();
                self.bits.number_of(&with_one[..]);
                self.cuts.insert(rest, cut);
                cut
            }
        };
        if constant { self.plus_one(cut) } else { cut }
    }

    fn constant_of(&self, term: u32) -> Option<u128> {
        let bits = &self.terms.all[term as usize];
        bits.iter().enumerate().try_fold(0, |x, (i, bit)| (*bit <= ONE).then_some(x | u128::from(*bit) << i))
    }

    fn constant(&mut self, bits: u32, x: u128) -> u32 {
        self.terms.number((0..bits).map(|i| (x >> i & 1) as Bit).collect())
    }

    /// Adds `factor * term` to a sum.
    fn add_to(&self, sum: &mut (u128, HashMap<u32, u128>), term: u32, factor: u128) {
        if let Some(x) = self.constant_of(term) {
            sum.0 = sum.0.wrapping_add(x.wrapping_mul(factor));
        } else if let Some(node) = self.node_of_term.get(&term) {
            let Node::Sum { constant, terms, .. } = &self.nodes.all[*node as usize] else { unreachable!("a sum") };
            sum.0 = sum.0.wrapping_add(constant.wrapping_mul(factor));
            for (term, coefficient) in terms {
                let total = sum.1.entry(*term).or_default();
                *total = total.wrapping_add(coefficient.wrapping_mul(factor));
            }
        } else {
            let total = sum.1.entry(term).or_default();
            *total = total.wrapping_add(factor);
        }
    }

    fn sum(&mut self, a: u32, b: u32, factor: u128) -> u32 {
        let bits = self.terms.all[a as usize].len() as u32;
        assert_eq!(bits as usize, self.terms.all[b as usize].len());
        let mut sum = (0, HashMap::new());
        self.add_to(&mut sum, a, 1);
        self.add_to(&mut sum, b, factor);
        let mask = mask(bits);
        let constant = sum.0 & mask;
        let mut terms: Vec<_> =
            sum.1.into_iter().map(|(term, factor)| (term, factor & mask)).filter(|(_, factor)| *factor != 0).collect();
        terms.sort_unstable();
        match terms[..] {
            [] => return self.constant(bits, constant),
            [(term, 1)] if constant == 0 => return term,
            _ => {}
        }
        let node = self.nodes.number(Node::Sum { bits, constant, terms });
        let term = self.of_node(node, bits);
        self.node_of_term.insert(term, node);
        term
    }

    fn name(&mut self, bits: u32, name: u128, term: u32) {
        assert!(self.names.insert((bits, name), term).is_none(), "a name is used twice");
        self.named.insert(term, name);
    }

    /// (x << 8) - x, where x has bits in the lowest place of each byte only: all bits of a byte become that bit. And
    /// 0 - x, where x has the lowest bit only.
    fn spread(&mut self, a: u32, b: u32) -> Option<u32> {
        let (shifted, x) = (&self.terms.all[a as usize], &self.terms.all[b as usize]);
        if shifted.iter().chain(&x[1..]).all(|bit| *bit == ZERO) {
            let bits = vec![x[0]; x.len()];
            return Some(self.terms.number_of(&bits[..]));
        }
        let sparse = x.len() % 8 == 0 && (0..x.len()).all(|i| i % 8 == 0 || x[i] == ZERO);
        if !sparse || shifted[..8] != [ZERO; 8] || shifted[8..] != x[..x.len() - 8] {
            return None;
        }
        let bits = (0..x.len()).map(|i| x[i / 8 * 8]).collect();
        Some(self.terms.number(bits))
    }

    fn of_node(&mut self, node: u32, bits: u32) -> u32 {
        let bits = (0..bits).map(|bit| self.atom(Atom::OfNode { node, bit })).collect();
        self.terms.number(bits)
    }
}

/// A vector of bits, the least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term(pub(crate) u32);

impl Term {
    /// A new input.
    pub fn input(bits: u32) -> Self {
        with(|arena| {
            let variable = arena.variables;
            arena.variables += 1;
            let bits = (0..bits).map(|bit| arena.atom(Atom::Input { variable, bit })).collect();
            Self(arena.terms.number(bits))
        })
    }

    fn zip(self, b: Self, f: impl Fn(&mut Arena, Bit, Bit) -> Bit) -> Self {
        with(|arena| {
            let (x, y) = (arena.terms.all[self.0 as usize].clone(), arena.terms.all[b.0 as usize].clone());
            assert_eq!(x.len(), y.len());
            let bits: Vec<Bit> = x.iter().zip(&*y).map(|(x, y)| f(arena, *x, *y)).collect();
            Self(arena.terms.number_of(&bits[..]))
        })
    }

    /// Gives each bit that is a sum of several monomials a name. From now on every equal bit, or its complement, has
    /// that name, however it is computed.
    pub fn cut(self) -> Self {
        with(|arena| {
            let bits = arena.terms.all[self.0 as usize].clone();
            let bits = bits.iter().map(|bit| arena.cut(*bit)).collect();
            Self(arena.terms.number(bits))
        })
    }

    /// How many bits are named by [`cut`](Self::cut).
    pub fn cuts() -> usize {
        with(|arena| arena.cuts.len())
    }
}

impl Lane for Term {
    fn constant(bits: u32, x: u128) -> Self {
        with(|arena| match arena.names.get(&(bits, x)) {
            Some(term) => Self(*term),
            None => Self(arena.constant(bits, x)),
        })
    }
    fn width(self) -> u32 {
        with(|arena| arena.terms.all[self.0 as usize].len() as u32)
    }
    fn xor(self, b: Self) -> Self {
        self.zip(b, Arena::xor)
    }
    fn and(self, b: Self) -> Self {
        self.zip(b, Arena::and)
    }
    fn or(self, b: Self) -> Self {
        self.zip(b, |arena, x, y| {
            let (sum, product) = (arena.xor(x, y), arena.and(x, y));
            arena.xor(sum, product)
        })
    }
    fn not(self) -> Self {
        self.zip(self, |arena, x, _| arena.xor(x, ONE))
    }
    fn add(self, b: Self) -> Self {
        Self(with(|arena| arena.sum(self.0, b.0, 1)))
    }
    fn sub(self, b: Self) -> Self {
        Self(with(|arena| match arena.spread(self.0, b.0) {
            Some(term) => term,
            None => arena.sum(self.0, b.0, u128::MAX),
        }))
    }
    fn slice(self, from: u32, bits: u32) -> Self {
        with(|arena| {
            let all = arena.terms.all[self.0 as usize].clone();
            Self(arena.terms.number_of(&all[from as usize..][..bits as usize]))
        })
    }
    fn concat(self, high: Self) -> Self {
        with(|arena| {
            let bits = [self, high].map(|term| &*arena.terms.all[term.0 as usize]).concat();
            Self(arena.terms.number_of(&bits[..]))
        })
    }
    fn join(parts: &[Self]) -> Self {
        with(|arena| {
            let mut bits = Vec::new();
            for part in parts {
                bits.extend_from_slice(&arena.terms.all[part.0 as usize]);
            }
            Self(arena.terms.number_of(&bits[..]))
        })
    }
    fn rotl(self, by: u32) -> Self {
        with(|arena| {
            let mut bits = arena.terms.all[self.0 as usize].to_vec();
            let by = by as usize % bits.len();
            bits.rotate_right(by);
            Self(arena.terms.number_of(&bits[..]))
        })
    }
    fn affine(self, matrix: u64, constant: u8) -> Self {
        with(|arena| {
            let x = arena.terms.all[self.0 as usize].clone();
            let mut bits = [ZERO; 8];
            for (i, bit) in bits.iter_mut().enumerate() {
                let row = (matrix >> (8 * (7 - i))) as u8;
                *bit = Bit::from(constant >> i & 1);
                for j in (0..8).filter(|j| row >> j & 1 == 1) {
                    *bit = arena.xor(*bit, x[j]);
                }
            }
            Self(arena.terms.number_of(&bits[..]))
        })
    }
    fn entry(self, table: &[u8; 256]) -> Self {
        Self(with(|arena| {
            if let Some(x) = arena.constant_of(self.0) {
                return arena.constant(8, table[x as usize].into());
            }
            let table = arena.tables.number(Box::new(*table));
            let node = arena.nodes.number(Node::Entry { table, index: self.0 });
            arena.of_node(node, 8)
        }))
    }
    fn stands_behind(self, name: u128) {
        with(|arena| {
            let bits = arena.terms.all[self.0 as usize].len() as u32;
            arena.name(bits, name, self.0);
        });
    }
    fn number(self) -> u128 {
        with(|arena| {
            if let Some(x) = arena.constant_of(self.0) {
                return x;
            }
            if let Some(name) = arena.named.get(&self.0) {
                return *name;
            }
            // A new name without a pattern: a step of splitmix64.
            let bits = arena.terms.all[self.0 as usize].len() as u32;
            let z = (arena.named.len() as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let name = u128::from(!(z ^ (z >> 31))) & mask(bits);
            arena.name(bits, name, self.0);
            name
        })
    }
}

/// Values of terms for given values of the inputs.
pub struct Evaluation<'a> {
    inputs: &'a [u128],
    bits: FastMap<Bit, bool>,
    nodes: FastMap<u32, u128>,
}

impl<'a> Evaluation<'a> {
    /// With these values of the inputs, in the order in which they were made.
    pub fn new(inputs: &'a [u128]) -> Self {
        Self { inputs, bits: FastMap::default(), nodes: FastMap::default() }
    }

    /// A term's value.
    pub fn value(&mut self, term: Term) -> u128 {
        with(|arena| self.term(arena, term.0))
    }

    fn term(&mut self, arena: &Arena, term: u32) -> u128 {
        let bits = &arena.terms.all[term as usize];
        bits.iter().enumerate().fold(0, |x, (i, bit)| x | u128::from(self.bit(arena, *bit)) << i)
    }

    fn bit(&mut self, arena: &Arena, bit: Bit) -> bool {
        if let Some(value) = self.bits.get(&bit) {
            return *value;
        }
        let mut value = false;
        for monomial in &*arena.bits.all[bit as usize] {
            let mut atoms = arena.monomials.all[*monomial as usize].iter();
            value ^= atoms.all(|atom| self.atom(arena, arena.atoms.all[*atom as usize]));
        }
        self.bits.insert(bit, value);
        value
    }

    fn atom(&mut self, arena: &Arena, atom: Atom) -> bool {
        match atom {
            Atom::Input { variable, bit } => self.inputs[variable as usize] >> bit & 1 == 1,
            Atom::Cut(bit) => self.bit(arena, bit),
            Atom::OfNode { node, bit } => self.node(arena, node) >> bit & 1 == 1,
        }
    }

    fn node(&mut self, arena: &Arena, node: u32) -> u128 {
        if let Some(value) = self.nodes.get(&node) {
            return *value;
        }
        let value = match &arena.nodes.all[node as usize] {
            Node::Sum { bits, constant, terms } => {
                let sum = terms.iter().fold(*constant, |sum, (term, factor)| {
                    sum.wrapping_add(self.term(arena, *term).wrapping_mul(*factor))
                });
                sum & mask(*bits)
            }
            Node::Entry { table, index } => arena.tables.all[*table as usize][self.term(arena, *index) as usize].into(),
        };
        self.nodes.insert(node, value);
        value
    }
}
