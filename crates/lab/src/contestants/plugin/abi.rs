//! The C ABI of `include/fairlane_contestant.h`: a shared library in this process.

use super::process::shortened;
use super::protocol::{Job, Offer, Shape, VERSION};
use crate::contest::{Foreign, fail};
use crate::contestants::ffi::{c_api, open, text};
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;
use std::time::Duration;

/// A contestant, as the header has it.
#[repr(C)]
struct RawOffer {
    contest: *const c_char,
    function: *const c_char,
    name: *const c_char,
    library: *const c_char,
    version: *const c_char,
    backend: *const c_char,
    labels: *const c_char,
    how_to_use: *const c_char,
}

/// A job, as the header has it.
#[repr(C)]
struct RawJob {
    contest: *const c_char,
    function: *const c_char,
    shape: u32,
    count: usize,
    bytes: usize,
    input_len: usize,
    output_len: usize,
    key: *const u8,
    key_len: usize,
    iv: *const u8,
    iv_len: usize,
    aad: *const u8,
    aad_len: usize,
}

c_api! {
    /// The functions of the header.
    struct Api {
        fn fairlane_abi() -> u32;
        fn fairlane_contestants(count: *mut usize) -> *const RawOffer;
        fn fairlane_set_up(contestant: usize, job: *const RawJob) -> *mut c_void;
        fn fairlane_run(state: *mut c_void, input: *const u8, output: *mut u8, times: u64) -> c_int;
        fn fairlane_tear_down(state: *mut c_void);
        fn fairlane_error() -> *const c_char;
    }
}

/// A library that is loaded, for the life of the process.
#[derive(Clone)]
pub(super) struct Library(Arc<Api>);

impl Library {
    /// Loads it. Its own code runs here for the first time.
    pub(super) fn load(path: &Path) -> Result<Self, String> {
        let name = path.to_str().ok_or("its path is no text")?;
        let library = open([name]).ok_or("the loader refuses it: it is no shared library for this machine")?;
        // SAFETY: a library that has the functions of the header has them with the header's types.
        let api = unsafe { Api::load(library) }?;
        // SAFETY: it takes nothing.
        let version = unsafe { (api.fairlane_abi)() };
        if version != VERSION {
            return Err(format!("it has version {version} of the ABI, and this is version {VERSION}"));
        }
        Ok(Self(Arc::new(api)))
    }

    /// What it offers.
    pub(super) fn offers(&self) -> Vec<Offer> {
        let mut count = 0;
        // SAFETY: it writes the count, and returns an array of so many that lives as long as the library.
        let offers = unsafe {
            let first = (self.0.fairlane_contestants)(&mut count);
            if first.is_null() { &[] } else { slice::from_raw_parts(first, count) }
        };
        offers.iter().map(offer).collect()
    }

    /// Sets up a job.
    pub(super) fn set_up(&self, job: &Job) -> Result<Running, String> {
        let [contest, function] = [&job.contest, &job.function].map(|text| format!("{text}\0"));
        let raw = RawJob {
            contest: contest.as_ptr().cast(),
            function: function.as_ptr().cast(),
            shape: job.shape as u32,
            count: job.count,
            bytes: job.bytes,
            input_len: job.input_len,
            output_len: job.output_len,
            key: or_null(&job.key),
            key_len: job.key.len(),
            iv: or_null(&job.iv),
            iv_len: job.iv.len(),
            aad: or_null(&job.aad),
            aad_len: job.aad.len(),
        };
        // SAFETY: all that `raw` points to lives during the call.
        let state = unsafe { (self.0.fairlane_set_up)(job.contestant, &raw) };
        let state = NonNull::new(state).ok_or_else(|| self.error("its set-up failed"))?;
        let lens = (job.input_len, job.output_len);
        Ok(Running { library: self.clone(), state, shape: job.shape, lens })
    }

    /// What it says of its last failure.
    fn error(&self, what: &str) -> String {
        // SAFETY: it returns null or a string.
        let words = unsafe { text((self.0.fairlane_error)()) };
        if words.trim().is_empty() { what.to_owned() } else { format!("{what}: {}", shortened(&words)) }
    }
}

fn or_null(bytes: &[u8]) -> *const u8 {
    if bytes.is_empty() { ptr::null() } else { bytes.as_ptr() }
}

fn offer(raw: &RawOffer) -> Offer {
    // SAFETY: each is null or a string that lives as long as the library.
    let of = |words: *const c_char| unsafe { text(words) };
    Offer {
        contest: of(raw.contest),
        name: of(raw.name),
        function: of(raw.function),
        library: of(raw.library),
        version: of(raw.version),
        backend: of(raw.backend),
        labels: of(raw.labels).split_whitespace().map(str::to_owned).collect(),
        how_to_use: of(raw.how_to_use),
    }
}

/// A job that is set up.
pub(super) struct Running {
    library: Library,
    state: NonNull<c_void>,
    shape: Shape,
    /// Bytes of input and output.
    lens: (usize, usize),
}
// SAFETY: the header says that another thread may use a state.
unsafe impl Send for Running {}

impl Running {
    /// Does the job; without an output only where a key is expanded.
    pub(super) fn call(&mut self, times: u64, input: &[u8], output: Option<&mut [u8]>) -> Result<(), String> {
        let output_len = output.as_ref().map_or(self.lens.1, |output| output.len());
        assert_eq!((input.len(), output_len), self.lens, "buffers as the job says");
        let output = output.map_or(ptr::null_mut(), <[u8]>::as_mut_ptr);
        let input = if self.shape == Shape::InPlace { output.cast_const() } else { input.as_ptr() };
        // SAFETY: both buffers are as long as the job says, and the state is alive and nobody else's.
        let error = unsafe { (self.library.0.fairlane_run)(self.state.as_ptr(), input, output, times) };
        if error == 0 { Ok(()) } else { Err(self.library.error(&format!("it failed with {error}"))) }
    }

    /// Does it once for its answer.
    pub(super) fn first(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), String> {
        if self.shape == Shape::InPlace {
            output.copy_from_slice(input);
        }
        self.call(1, input, Some(output))
    }

    /// The buffer that a timed call writes to.
    pub(super) fn timed<'a>(&self, output: &'a mut [u8]) -> Option<&'a mut [u8]> {
        (self.shape != Shape::KeySetup).then_some(output)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // SAFETY: the state is alive, and this is its end.
        unsafe { (self.library.0.fairlane_tear_down)(self.state.as_ptr()) };
    }
}

impl Foreign for Running {
    fn run(&mut self, times: u64, input: &[u8], output: &mut [u8]) -> Option<Duration> {
        let output = self.timed(output);
        self.call(times, input, output).unwrap_or_else(|why| fail(why));
        None
    }

    fn answer(&mut self, input: &[u8], output: &mut [u8]) {
        self.first(input, output).unwrap_or_else(|why| fail(why));
    }
}
