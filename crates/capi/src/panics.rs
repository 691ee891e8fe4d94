//! No panic crosses the border to C.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call, or `otherwise` if it panics.
pub(crate) fn answer<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| {
        // Dropping it could panic again.
        core::mem::forget(panic);
        otherwise
    })
}
