//! Faults: the k-th operation of a kernel is replaced by a similar one.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static AT: Cell<usize> = const { Cell::new(usize::MAX) };
    static WHAT: Cell<&'static str> = const { Cell::new("") };
}

static ALL: AtomicBool = AtomicBool::new(false);

/// Takes all faults from now on.
pub fn take_all() {
    ALL.store(true, Ordering::Relaxed);
}

/// Which of `all` faults are taken: every third or so, though not fewer than four, unless all are wanted.
pub(crate) fn chosen(all: usize) -> impl ExactSizeIterator<Item = usize> {
    let count = if ALL.load(Ordering::Relaxed) { all } else { all.div_ceil(3).max(4).min(all) };
    (0..count).map(move |i| (2 * i + 1) * all / (2 * count))
}

/// The places of those faults, where `all` would be spread over `operations`.
pub(crate) fn places(all: usize, operations: usize) -> impl ExactSizeIterator<Item = usize> {
    chosen(all).map(move |k| (2 * k + 1) * operations / (2 * all))
}

/// Runs `f` with operation `at` altered. Returns how many operations there were, and what was altered.
pub fn with<T>(at: Option<usize>, f: impl FnOnce() -> T) -> (T, usize, &'static str) {
    COUNT.set(0);
    AT.set(at.unwrap_or(usize::MAX));
    WHAT.set("");
    let result = f();
    AT.set(usize::MAX);
    (result, COUNT.get(), WHAT.get())
}

/// Counts an operation. Whether it is the one to alter; `what` says how.
pub(crate) fn here(what: &'static str) -> bool {
    let count = COUNT.get();
    COUNT.set(count + 1);
    let here = count == AT.get();
    if here {
        WHAT.set(what);
    }
    here
}

/// Runs `f` without counting its operations.
pub fn paused<T>(f: impl FnOnce() -> T) -> T {
    let (count, at) = (COUNT.get(), AT.replace(usize::MAX));
    let result = f();
    COUNT.set(count);
    AT.set(at);
    result
}
