//! A second judge: the same bodies and standards as SMT-LIB 2, for a solver that knows nothing of our normal forms.
//!
//! An obligation says that some output differs; a solver must answer `unsat`. Operations are written as they come,
//! without any simplification of ours.

use crate::arx::{Columns, Rows, Threefish};
use crate::kalyna::Rounds;
use crate::kalyna_gcm::Reduction;
use crate::lane::{Lane, mask};
use crate::proof::{Claim, Kernel};
use crate::word::TERNARY;
use std::cell::RefCell;
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

#[derive(Default)]
struct Script {
    text: String,
    widths: Vec<u32>,
    tables: Vec<[u8; 256]>,
    names: Vec<(u32, u128, usize)>,
}

thread_local! {
    static SCRIPT: RefCell<Script> = RefCell::default();
}

/// A bit vector of the script.
#[derive(Clone, Copy)]
struct Vector(usize);

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
    fn input(bits: u32) -> Self {
        SCRIPT.with_borrow_mut(|script| {
            let number = script.widths.len();
            script.widths.push(bits);
            writeln!(script.text, "(declare-const t{number} (_ BitVec {bits}))").expect("a string grows");
            Self(number)
        })
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

/// The obligation that a kernel's outputs equal its standard's.
fn obligation(kernel: &impl Kernel) -> String {
    SCRIPT.take();
    let inputs: Vec<Vector> = kernel.inputs().into_iter().map(Vector::input).collect();
    kernel.name_inputs(&inputs);
    let (outputs, ..) = crate::mutation::with(None, || kernel.body(&inputs));
    let standard = kernel.standard(&inputs, &|x| x);
    let script = SCRIPT.take();
    let mut text = format!("; {}\n(set-logic QF_UFBV)\n{}(assert (or", kernel.name(), script.text);
    for (x, y) in outputs.iter().zip(&standard) {
        write!(text, "\n  (distinct t{} t{})", x.0, y.0).expect("a string grows");
    }
    text + "))\n(check-sat)\n"
}

/// The installed solver.
fn solver() -> Option<&'static str> {
    let works = Command::new("z3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    works.is_ok_and(|status| status.success()).then_some("z3")
}

fn judge(kernel: &impl Kernel) -> Option<Claim> {
    let text = obligation(kernel);
    if let Some(folder) = std::env::var_os("FAIRLANE_PROOFS_SMT") {
        let name: String = kernel.name().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        std::fs::write(std::path::Path::new(&folder).join(name + ".smt2"), &text).expect("the folder can be written");
    }
    let solver = solver()?;
    Some(Claim::of(kernel.name(), "a second judge: z3", || {
        let mut child = Command::new(solver)
            .args(["-in", "-T:100"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("z3 starts");
        child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("z3 reads");
        let output = child.wait_with_output().expect("z3 ends");
        let answer = String::from_utf8_lossy(&output.stdout).trim().to_string();
        assert_eq!(answer, "unsat", "{}", kernel.name());
        format!("unsat; {} lines", text.lines().count())
    }))
}

/// Has a solver judge what it can in short time. Without one, nothing is claimed.
pub fn claims() -> Vec<Claim> {
    let all = [
        judge(&Columns::<20, TERNARY>),
        judge(&Rows::<20>),
        judge(&crate::arx::Kusumi::<TERNARY>),
        judge(&Rounds::<2, 1, false>),
        judge(&Rounds::<2, 1, true>),
        judge(&Threefish::<4, false>),
        judge(&Reduction::<1>([7, 2, 1])),
        judge(&Reduction::<2>([10, 5, 2])),
        judge(&Reduction::<4>([8, 5, 2])),
    ];
    let skipped = all.iter().filter(|claim| claim.is_none()).count();
    if skipped > 0 {
        eprintln!("smt: {skipped} obligations skipped: no z3 is installed");
    }
    all.into_iter().flatten().collect()
}
