//! Faults: the k-th operation of a kernel is replaced by a similar one.

use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static AT: Cell<usize> = const { Cell::new(usize::MAX) };
    static WHAT: Cell<&'static str> = const { Cell::new("") };
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
