//! What a proof is: a kernel's generic body and its standard, run on the same terms, give the same terms.

use crate::lane::mask;
use crate::mutation;
use crate::term::{self, Evaluation, Snapshot, Term};
use crate::value::{Value, of_terms, on_numbers};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::Instant;

/// A kernel and its standard, as functions of numbers.
pub trait Kernel {
    /// The claim, such as `Keccak-p[1600, 24], ternary`.
    fn name(&self) -> String;
    /// The number of bits of each input.
    fn inputs(&self) -> Vec<u32>;
    /// The shipped generic body, on words of lanes.
    fn body(&self, inputs: &[Value]) -> Vec<Value>;
    /// The standard, step by step. `cut` may name a term whose bits have become long.
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value>;
    /// The kernel on the best backend of this machine.
    fn real(&self, inputs: &[u128]) -> Vec<u128>;
    /// How many monomials a polynomial of a faulty body may have; longer ones get names.
    fn longest(&self) -> usize {
        100
    }
    /// Whether longer polynomials are refused instead, which the right body does not have: with names, the proof of a
    /// faulty body would take long.
    fn refuses_longer(&self) -> bool {
        false
    }
    /// Gives names to inputs where the body takes plain numbers.
    fn name_inputs(&self, _inputs: &[Value]) {}
}

/// What was proved, how, and how long it took.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What.
    pub what: String,
    /// How.
    pub method: &'static str,
    /// The figures: operations, cases.
    pub figures: String,
    /// Seconds.
    pub seconds: f64,
}

impl Claim {
    /// A claim proved by `proof`, which returns its figures.
    pub fn of(what: impl Into<String>, method: &'static str, proof: impl FnOnce() -> String) -> Self {
        let start = Instant::now();
        let figures = proof();
        Self { what: what.into(), method, figures, seconds: start.elapsed().as_secs_f64() }
    }
}

thread_local! {
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `f`, in which proofs may fail, and prints nothing of what they say.
pub(crate) fn silently<T>(f: impl FnOnce() -> T) -> T {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |cause| {
            if !SILENT.get() {
                hook(cause);
            }
        }));
    });
    SILENT.set(true);
    let result = f();
    SILENT.set(false);
    result
}

/// Faults at these places of a body: a proof that fails or panics refuses them. Two thirds must be refused, but not all:
/// bodies add zeros, too, which may as well be left out.
pub(crate) fn no_longer_provable(
    what: &str,
    places: impl ExactSizeIterator<Item = usize>,
    check: impl Fn() -> Result<(), String>,
) -> Claim {
    Claim::of(format!("{what}: faults"), "no longer provable", || {
        let (faults, mut refused, mut harmless) = (places.len(), 0, 0);
        silently(|| {
            for at in places {
                match mutation::with(Some(at), || catch_unwind(AssertUnwindSafe(&check))).0 {
                    Ok(Ok(())) => harmless += 1,
                    _ => refused += 1,
                }
            }
        });
        assert!(3 * refused >= 2 * faults, "{harmless} of {faults} went unnoticed");
        format!("{refused} refused, {harmless} harmless")
    })
}

/// Faults, by what they are: with an input that shows them, without one, and proved harmless.
#[derive(Default)]
pub(crate) struct Faults {
    shown: BTreeMap<&'static str, usize>,
    refused: BTreeMap<&'static str, usize>,
    harmless: BTreeMap<&'static str, usize>,
}

impl Faults {
    /// Notes a fault, which is `proved` to do no harm, or of which an input may show that it does.
    pub(crate) fn note(&mut self, what: &'static str, proved: bool, shown: bool) {
        assert!(!(proved && shown), "{what}: proved, and yet it does harm");
        let kind = match (proved, shown) {
            (true, _) => &mut self.harmless,
            (false, true) => &mut self.shown,
            (false, false) => &mut self.refused,
        };
        *kind.entry(what).or_default() += 1;
    }

    /// The figures of a claim.
    ///
    /// # Panics
    /// If fewer than `least` have a counter-example.
    pub(crate) fn figures(&self, least: usize) -> String {
        let list = |kinds: &BTreeMap<&str, usize>| {
            kinds.iter().map(|(what, count)| format!("{count} × {what}")).collect::<Vec<_>>().join(", ")
        };
        let count = self.shown.values().sum::<usize>();
        assert!(count >= least, "only {count} counter-examples");
        let mut figures = format!("{count} refuted: {}", list(&self.shown));
        for (kinds, what) in [(&self.refused, "refused, no input found"), (&self.harmless, "proved harmless")] {
            if !kinds.is_empty() {
                figures += &format!("; {what}: {}", list(kinds));
            }
        }
        figures
    }
}

/// Numbers without a pattern (splitmix64), and sometimes with few bits.
pub struct Random(u64);

impl Random {
    /// Always the same ones.
    pub fn new() -> Self {
        Self(0)
    }

    /// The next 64 bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number of `bits` bits.
    pub fn bits(&mut self, bits: u32) -> u128 {
        (u128::from(self.number()) << 64 | u128::from(self.number())) & mask(bits)
    }

    /// The next number up to `max`: often the greatest one, zero, or near a power of two.
    pub fn up_to(&mut self, max: u128) -> u128 {
        let any = self.bits(128);
        match self.number() % 8 {
            0..3 => max,
            3 => 0,
            4 => max - (any % 8).min(max),
            5 => any >> (self.number() % 128) & (max >> 1),
            _ if max == u128::MAX => any,
            _ => any % (max + 1),
        }
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}

/// Proves that the body equals the standard for all inputs, and that each fault in the body is refuted by an input, on
/// which the real kernel agrees with the standard and differs from the faulty body. There are `mutants` faults, of which
/// [`mutation`] may leave out some.
///
/// # Panics
/// If that is not so.
pub fn prove(kernel: &dyn Kernel, mutants: usize) -> Vec<Claim> {
    let mut counted = 0;
    let proved = Claim::of(kernel.name(), "terms: the same normal form", || {
        let (expected, inputs) = terms(kernel);
        if kernel.refuses_longer() {
            term::refuse_longer(kernel.longest());
        }
        let (outputs, operations, _) = mutation::with(None, || kernel.body(&inputs));
        assert_eq!(outputs.len(), expected.len());
        for (i, (output, expected)) in outputs.iter().zip(&expected).enumerate() {
            assert!(output == expected, "{}: output {i} is not proved", kernel.name());
        }
        counted = operations;
        let bits: u32 = kernel.inputs().iter().sum();
        format!("{operations} operations on {bits} bits of input, {} cuts", Term::cuts())
    });
    // The standard as it is written here is also run on numbers, against the real kernel.
    let mut random = Random::new();
    let widths = kernel.inputs();
    for _ in 0..20 {
        let inputs: Vec<u128> = widths.iter().map(|bits| random.bits(*bits)).collect();
        let standard = on_numbers(&widths, &inputs, |inputs| kernel.standard(inputs, &|x| x));
        assert_eq!(standard, kernel.real(&inputs), "{}: the standard and the real kernel", kernel.name());
    }
    if mutants == 0 {
        return vec![proved];
    }
    let refuted = Claim::of(format!("{}: faults", kernel.name()), "counter-examples, run", || {
        let standard = Standard::of(kernel);
        let (mut kinds, mut harmless, mut open) = (BTreeSet::new(), 0, 0);
        let faults = mutation::chosen(mutants);
        let count = faults.len();
        for k in faults {
            // Spread over the whole kernel.
            let mut at = (2 * k + 1) * counted / (2 * mutants) + 7 * k % 13;
            loop {
                at %= counted;
                match refute(kernel, &standard, at) {
                    Fault::Refuted(what) => {
                        kinds.insert(what);
                        break;
                    }
                    Fault::Harmless => harmless += 1,
                    Fault::Open => open += 1,
                }
                // Harmless faults are often side by side.
                at += 1 + counted / 128;
                assert!(harmless + 4 * open <= 2 * count, "{}: too many faults go unnoticed", kernel.name());
            }
        }
        let kinds: Vec<_> = kinds.into_iter().collect();
        let mut figures = format!("{count} of {count} refuted ({})", kinds.join(", "));
        for (count, what) in [(harmless, "proved harmless"), (open, "neither proved nor refuted")] {
            if count > 0 {
                figures += &format!("; {count} more {what}");
            }
        }
        figures
    });
    vec![proved, refuted]
}

/// The standard's terms and the inputs, in an empty arena.
fn terms(kernel: &dyn Kernel) -> (Vec<Value>, Vec<Value>) {
    term::reset();
    let inputs = of_terms(&kernel.inputs().into_iter().map(Term::input).collect::<Vec<_>>());
    kernel.name_inputs(&inputs);
    (kernel.standard(&inputs, &|x| x.term().cut().into()), inputs)
}

/// The standard's terms, which each fault begins with.
struct Standard {
    outputs: Vec<Value>,
    inputs: Vec<Value>,
    arena: Snapshot,
}

impl Standard {
    fn of(kernel: &dyn Kernel) -> Self {
        let (outputs, inputs) = terms(kernel);
        Self { outputs, inputs, arena: Snapshot::take() }
    }
}

/// What is known of a fault.
enum Fault {
    /// An input shows it; what it is.
    Refuted(&'static str),
    /// The faulty body is proved equal: the result of that operation is not used, or it is the same.
    Harmless,
    /// No input was found, and the normal forms differ, because the standard's names do not shorten them.
    Open,
}

/// Finds an input on which the body with a fault at an operation differs from the standard.
fn refute(kernel: &dyn Kernel, standard: &Standard, at: usize) -> Fault {
    standard.arena.restore();
    let expected = &standard.outputs;
    let faulty_body = || mutation::with(Some(at), || kernel.body(&standard.inputs)).0;
    let outputs = if kernel.refuses_longer() {
        term::refuse_longer(kernel.longest());
        silently(|| catch_unwind(AssertUnwindSafe(faulty_body)).ok())
    } else {
        if Term::cuts() > 0 {
            term::keep_short(kernel.longest());
        }
        Some(faulty_body())
    };
    let (name, widths) = (kernel.name(), kernel.inputs());
    let mut random = Random::new();
    for _ in 0..1000 {
        let inputs: Vec<u128> = widths.iter().map(|bits| random.bits(*bits)).collect();
        let (faulty, _, what) = mutation::with(Some(at), || on_numbers(&widths, &inputs, |inputs| kernel.body(inputs)));
        let of_standard = match &outputs {
            Some(outputs) if outputs == expected => {
                assert_eq!(
                    kernel.real(&inputs),
                    faulty,
                    "{name}: the fault at operation {at} ({what}) was not noticed"
                );
                return Fault::Harmless;
            }
            Some(outputs) => {
                let mut evaluation = Evaluation::new(&inputs);
                let [of_fault, of_standard] = [outputs, expected]
                    .map(|terms| terms.iter().map(|value| evaluation.value(value.term())).collect::<Vec<_>>());
                assert_eq!(of_fault, faulty, "{name}: the faulty kernel's terms and numbers");
                of_standard
            }
            // The proof was refused before its end.
            None => on_numbers(&widths, &inputs, |inputs| kernel.standard(inputs, &|x| x)),
        };
        if faulty != of_standard {
            assert_eq!(kernel.real(&inputs), of_standard, "{name}: the real kernel on a counter-example");
            return Fault::Refuted(what);
        }
    }
    Fault::Open
}
