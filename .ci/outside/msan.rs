//! MemorySanitizer's poison, and its reports, which the linker redirects to this module.
//!
//! Reports are counted, by the address that they come from, unless the innermost functions there are in [`DECLARED`]
//! or the innermost one is in [`DECLARED_ALONE`].

use std::backtrace::Backtrace;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Where reports are expected, by functions of which one is among the innermost frames, and why.
const DECLARED: &[(&[&str], &str)] = &[
    (&["cmoveq", "cmovne", "cmovnz", "cmovz"], "a selection of the crate `cmov`, whose assembly is not followed"),
    (&["check_decapsulation_key"], "whether the coefficients of a decapsulation key are below q"),
    (
        &["sample_ntt", "sample_ntt_more"],
        "the matrix is sampled from a public seed, which is derived from the secret one",
    ),
];

/// The same, by the innermost frame alone, its function and its file: what that function calls is not declared.
const DECLARED_ALONE: &[([&str; 2], &str)] =
    &[(["run", "lattice/sampler.rs"], "whether a polynomial of that matrix is complete")];

/// Frames that are looked at: those of one function with what was inlined in it.
const INNERMOST: usize = 12;

unsafe extern "C" {
    fn __msan_poison(begin: *const c_void, len: usize);
    fn __msan_unpoison(begin: *const c_void, len: usize);
}

static REPORTS: AtomicUsize = AtomicUsize::new(0);
static LOOKING: AtomicBool = AtomicBool::new(false);

/// The addresses seen so far, a table with open addressing: twice the address, and 1 if it is declared.
static SEEN: [AtomicUsize; 1 << 16] = [const { AtomicUsize::new(0) }; 1 << 16];

/// Notes a report from the instruction before `at`.
extern "C" fn report(at: usize) {
    // What is done here with poisoned memory is no report.
    if LOOKING.swap(true, Relaxed) {
        return;
    }
    let mut place = at % SEEN.len();
    let declared = loop {
        match SEEN[place].load(Relaxed) {
            0 => {
                let declared = look();
                SEEN[place].store(at << 1 | usize::from(declared), Relaxed);
                break declared;
            }
            known if known >> 1 == at & usize::MAX >> 1 => break known & 1 == 1,
            _ => place = (place + 1) % SEEN.len(),
        }
    };
    REPORTS.fetch_add(usize::from(!declared), Relaxed);
    LOOKING.store(false, Relaxed);
}

/// Whether a report from here is declared; prints where it is, if not.
fn look() -> bool {
    let trace = Backtrace::force_capture().to_string();
    // SAFETY: these bytes are the trace, all of which was written.
    unsafe { __msan_unpoison(trace.as_ptr().cast(), trace.len()) };
    let lines: Vec<&str> = trace.lines().map(str::trim).collect();
    let own = lines.iter().rposition(|line| line.contains("checker.rs")).map_or(0, |last| last + 1);
    let innermost: Vec<&str> = lines[own..].iter().take(2 * INNERMOST).copied().collect();
    // A line is `5: name<types>` or `at file:line:column`.
    let name = |line: &str| line.split([' ', '<']).nth(1).unwrap_or("").to_owned();
    let is_among = |place: &&str| innermost.iter().any(|line| name(line) == **place);
    let is_first = |[function, file]: &[&str; 2]| match innermost[..] {
        [first, at, ..] => name(first) == *function && at.contains(&format!("{file}:")),
        _ => false,
    };
    let declared = DECLARED.iter().any(|(places, _)| places.iter().any(|place| is_among(place)))
        || DECLARED_ALONE.iter().any(|(place, _)| is_first(place));
    if !declared {
        println!("  at\n    {}", innermost[..innermost.len().min(8)].join("\n    "));
    }
    declared
}

/// What the compiler calls for a report, with the address to return to as the argument of `report`.
macro_rules! warning {
    ($($name:ident)+) => {$(
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        extern "C" fn $name() {
            core::arch::naked_asm!("mov rdi, [rsp]", "jmp {}", sym report)
        }
    )+};
}
warning! { __wrap___msan_warning __wrap___msan_warning_with_origin __wrap___msan_warning_noreturn }

pub fn is_running() -> bool {
    true
}

/// The number of reports so far.
pub fn reports() -> usize {
    REPORTS.load(Relaxed)
}

pub fn secret<T: ?Sized>(value: &mut T) {
    // SAFETY: the memory of `value`; what reads it afterwards reads the same bytes.
    unsafe { __msan_poison((&raw mut *value).cast(), size_of_val(value)) }
}

pub fn public<T: ?Sized>(value: &mut T) {
    // SAFETY: the memory of `value`.
    unsafe { __msan_unpoison((&raw mut *value).cast(), size_of_val(value)) }
}
