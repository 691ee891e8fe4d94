//! The bar of long work over bytes, on standard error.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// Work shorter than this shows nothing.
pub(crate) const LONG: Duration = Duration::from_secs(1);

/// A bar over so many bytes, or as many as will come, with room for a message.
pub(crate) fn bytes(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {binary_bytes:>10}/{binary_total_bytes} {binary_bytes_per_sec:>12} {eta:>4} {msg}",
        ),
        None => (ProgressBar::no_length(), "{spinner} {binary_bytes:>10} {binary_bytes_per_sec:>12} {msg}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("the template is well formed"))
}
