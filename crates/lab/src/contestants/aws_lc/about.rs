//! What reports say of AWS-LC.

use crate::contest::Label;
use crate::contestants::About;
use aws_lc_sys as sys;

pub(super) fn about(backend: &'static str, how_to_use: &'static str) -> About<'static> {
    About {
        name: "aws-lc",
        library: "AWS-LC",
        version: std::str::from_utf8(sys::AWSLC_VERSION_NUMBER_STRING).unwrap_or("unknown").trim_end_matches('\0'),
        backend,
        labels: &[Label::ConstantTime, Label::Ffi, Label::Vendored],
        how_to_use,
    }
}
