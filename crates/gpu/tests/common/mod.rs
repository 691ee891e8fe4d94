//! What all tests need.

use fairlane_gpu::{Error, Gpu};

/// The GPU, else a driver that computes on the CPU. Without either a test passes, and says so; `FAIRLANE_GPU=required`
/// makes it fail.
pub(crate) fn gpu() -> Option<Gpu> {
    match Gpu::open().or_else(|_| Gpu::open_software()) {
        Ok(gpu) => Some(gpu),
        Err(Error::NoGpu) if std::env::var_os("FAIRLANE_GPU").is_none_or(|value| value != "required") => {
            eprintln!("skipped: there is no GPU, and no driver that computes on the CPU");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// So many bytes, which look random.
pub(crate) fn bytes(count: usize) -> Vec<u8> {
    let mut state = 0x0123_4567_89ab_cdef_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    std::iter::repeat_with(&mut next).take(count).collect()
}
