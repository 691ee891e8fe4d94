//! A script in SMT-LIB 2, whose vectors are lanes: operations are written as they come, without any simplification of
//! ours.

use crate::lane::{Lane, mask};
use std::cell::RefCell;
use std::fmt::Write;

#[derive(Default)]
struct Script {
    text: String,
    widths: Vec<u32>,
    tables: Vec<[u8; 256]>,
    names: Vec<(u32, u128, usize)>,
    questions: usize,
}

thread_local! {
    static SCRIPT: RefCell<Script> = RefCell::default();
}

/// A bit vector of the script.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Vector(pub(crate) usize);

/// Defines a new vector.
fn define(bits: u32, expression: &str) -> Vector {
    SCRIPT.with_borrow_mut(|script| {
        let number = script.widths.len();
        script.widths.push(bits);
        writeln!(script.text, "(define-fun t{number} () (_ BitVec {bits}) {expression})").expect("a string grows");
        Vector(number)
    })
}

impl Vector {
    pub(crate) fn input(bits: u32) -> Self {
        SCRIPT.with_borrow_mut(|script| {
            let number = script.widths.len();
            script.widths.push(bits);
            writeln!(script.text, "(declare-const t{number} (_ BitVec {bits}))").expect("a string grows");
            Self(number)
        })
    }

    /// All of these, the first one lowest.
    pub(crate) fn concat_all(parts: &[Self]) -> Self {
        let list: String = parts.iter().rev().map(|part| format!(" t{}", part.0)).collect();
        let bits = parts.iter().map(|part| part.width()).sum();
        if parts.len() == 1 { parts[0] } else { define(bits, &format!("(concat{list})")) }
    }

    /// The entry of a table for a byte, of which, other than [`entry`](Lane::entry), the solver knows the table.
    pub(crate) fn look_up(self, table: &[u8; 256]) -> Self {
        let mut expression = "#x00".to_owned();
        for (i, entry) in table.iter().enumerate() {
            expression = format!("(ite (= t{} #x{i:02x}) #x{entry:02x} {expression})", self.0);
        }
        define(8, &expression)
    }

    fn with(self, operation: &str, b: Self) -> Self {
        define(self.width(), &format!("({operation} t{} t{})", self.0, b.0))
    }
}

impl Lane for Vector {
    fn constant(bits: u32, x: u128) -> Self {
        let named = SCRIPT.with_borrow(|script| {
            script.names.iter().find(|(width, name, _)| (*width, *name) == (bits, x)).map(|(.., number)| Self(*number))
        });
        named.unwrap_or_else(|| define(bits, &format!("(_ bv{x} {bits})")))
    }
    fn width(self) -> u32 {
        SCRIPT.with_borrow(|script| script.widths[self.0])
    }
    fn xor(self, b: Self) -> Self {
        self.with("bvxor", b)
    }
    fn and(self, b: Self) -> Self {
        self.with("bvand", b)
    }
    fn or(self, b: Self) -> Self {
        self.with("bvor", b)
    }
    fn not(self) -> Self {
        define(self.width(), &format!("(bvnot t{})", self.0))
    }
    fn add(self, b: Self) -> Self {
        self.with("bvadd", b)
    }
    fn sub(self, b: Self) -> Self {
        self.with("bvsub", b)
    }
    fn slice(self, from: u32, bits: u32) -> Self {
        if bits == self.width() {
            return self;
        }
        define(bits, &format!("((_ extract {} {from}) t{})", from + bits - 1, self.0))
    }
    fn concat(self, high: Self) -> Self {
        define(self.width() + high.width(), &format!("(concat t{} t{})", high.0, self.0))
    }
    fn entry(self, table: &[u8; 256]) -> Self {
        // A function of which nothing is said: what holds for it holds for the table.
        let number = SCRIPT.with_borrow_mut(|script| {
            script.tables.iter().position(|known| known == table).unwrap_or_else(|| {
                let number = script.tables.len();
                script.tables.push(*table);
                writeln!(script.text, "(declare-fun s{number} ((_ BitVec 8)) (_ BitVec 8))").expect("a string grows");
                number
            })
        });
        define(8, &format!("(s{number} t{})", self.0))
    }
    fn stands_behind(self, name: u128) {
        SCRIPT.with_borrow_mut(|script| {
            let bits = script.widths[self.0];
            script.names.push((bits, name, self.0));
        });
    }
    fn number(self) -> u128 {
        let named = SCRIPT
            .with_borrow(|script| script.names.iter().find(|(.., number)| *number == self.0).map(|(_, name, _)| *name));
        if let Some(name) = named {
            return name;
        }
        // A name without a pattern.
        SCRIPT.with_borrow_mut(|script| {
            let bits = script.widths[self.0];
            let name = (self.0 as u128 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask(bits);
            script.names.push((bits, name, self.0));
            name
        })
    }
}

/// Asks whether one of these pairs can differ where those are equal, whatever the inputs are.
pub(crate) fn ask(equal: &[(Vector, Vector)], differ: &[(Vector, Vector)]) {
    let list = |relation: &str, pairs: &[(Vector, Vector)]| -> String {
        pairs.iter().map(|(x, y)| format!("\n  ({relation} t{} t{})", x.0, y.0)).collect()
    };
    let (equal, differ) = (list("=", equal), list("distinct", differ));
    SCRIPT.with_borrow_mut(|script| {
        write!(script.text, "(push 1)\n(assert (and true{equal}\n  (or{differ})))\n(check-sat)\n(pop 1)\n")
            .expect("a string grows");
        script.questions += 1;
    });
}

/// The script that `f` writes, and how many questions it asks.
pub(crate) fn script(f: impl FnOnce()) -> (String, usize) {
    SCRIPT.take();
    f();
    let script = SCRIPT.take();
    (script.text, script.questions)
}
