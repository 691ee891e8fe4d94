//! Counts what one operation asks of the allocator, and how much of that it holds at once, C libraries included.
//!
//! A binary opts in with [`count_allocations!`](crate::count_allocations). With glibc that exports `malloc`, `free` and
//! their kin from the executable, where they come before libc's own for every library in the process, linked or loaded
//! later; each call is counted and handed on to glibc. Elsewhere, and in a static binary, whose libc has names of its
//! own for these, it installs a counting [`GlobalAlloc`], which sees Rust only.
//!
//! Outside of [`of`] the price is one relaxed load a call.

use crate::run::Allocations;
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

static COUNTING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);
/// Bytes that are held now, less those that were when the count began.
static HELD: AtomicI64 = AtomicI64::new(0);
/// The most that this has been.
static PEAK: AtomicI64 = AtomicI64::new(0);

/// Calls of the operation that are counted one by one; the middle one is told.
const REPEATS: usize = 5;

/// Whether anybody counts.
#[inline]
fn counting() -> bool {
    COUNTING.load(Relaxed)
}

/// Takes note of a call that asked for `bytes`, with which `more` bytes are held than before.
fn note(bytes: usize, more: i64) {
    COUNT.fetch_add(1, Relaxed);
    BYTES.fetch_add(bytes as u64, Relaxed);
    PEAK.fetch_max(HELD.fetch_add(more, Relaxed) + more, Relaxed);
}

/// Takes note of a call that gives back `bytes`.
fn note_end(bytes: usize) {
    HELD.fetch_sub(bytes as i64, Relaxed);
}

/// What one operation did with memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted {
    /// The allocations that it made.
    pub made: Allocations,
    /// The most bytes that it held at once, beyond those at its start, each allocation in the size that the allocator
    /// gave it.
    pub peak: u64,
}

/// What one call of `op` does; `None` if this binary does not count.
///
/// All threads of the process are counted, since an operation may have its own. A thread that has nothing to do with it
/// and allocates just now is kept out by the repeats: the middle count of five is told.
pub fn of(mut op: impl FnMut()) -> Option<Counted> {
    let includes_c = includes_c()?;
    let mut counts = [(0, 0, 0); REPEATS].map(|_| counted(&mut op));
    counts.sort_unstable();
    let (count, bytes, peak) = counts[REPEATS / 2];
    Some(Counted { made: Allocations { count: count as f64, bytes: bytes as f64, includes_c }, peak })
}

/// Whether this binary counts: `None` if not at all, else whether C is counted too. Found by trying.
pub fn includes_c() -> Option<bool> {
    static FOUND: OnceLock<Option<bool>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let rust = counted(|| drop(black_box(Vec::<u8>::with_capacity(black_box(100))))).0 > 0;
        rust.then(|| counted(call_c).0 > 0)
    })
}

/// Count, bytes and peak of one call.
fn counted(op: impl FnOnce()) -> (u64, u64, u64) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    COUNT.store(0, Relaxed);
    BYTES.store(0, Relaxed);
    HELD.store(0, Relaxed);
    PEAK.store(0, Relaxed);
    COUNTING.store(true, Relaxed);
    op();
    COUNTING.store(false, Relaxed);
    (COUNT.load(Relaxed), BYTES.load(Relaxed), PEAK.load(Relaxed).unsigned_abs())
}

/// Has C code allocate: libc copies a string.
#[cfg(target_os = "linux")]
fn call_c() {
    // SAFETY: the argument is a string that ends in 0; `free` takes what `strdup` gives, null included.
    unsafe { libc::free(black_box(libc::strdup(black_box(c"fairlane".as_ptr()))).cast()) }
}

#[cfg(not(target_os = "linux"))]
fn call_c() {}

/// Rust's allocator, counted: what [`count_allocations!`](crate::count_allocations) installs where C cannot be counted.
pub struct Counting;

// SAFETY: everything is left to `System`.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if counting() {
            note(layout.size(), layout.size() as i64);
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if counting() {
            note(layout.size(), layout.size() as i64);
        }
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if counting() {
            note(size, size as i64 - layout.size() as i64);
        }
        // SAFETY: the caller's promise.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if counting() {
            note_end(layout.size());
        }
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// glibc's allocator, counted: what [`count_allocations!`](crate::count_allocations) exports under the C names.
#[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
pub mod glibc {
    use super::{counting, note, note_end};
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn __libc_malloc(size: usize) -> *mut c_void;
        fn __libc_calloc(count: usize, size: usize) -> *mut c_void;
        fn __libc_realloc(memory: *mut c_void, size: usize) -> *mut c_void;
        fn __libc_memalign(alignment: usize, size: usize) -> *mut c_void;
        fn __libc_free(memory: *mut c_void);
    }

    /// The bytes that glibc holds ready at `memory`, at least as many as were asked for; 0 for null.
    ///
    /// # Safety
    /// `memory` is glibc's and was not given back, or null.
    unsafe fn room(memory: *mut c_void) -> usize {
        // SAFETY: the caller's promise.
        unsafe { libc::malloc_usable_size(memory) }
    }

    /// Takes note of a call that asked for `size` bytes and was given `memory`.
    ///
    /// # Safety
    /// As [`room`]'s.
    #[inline]
    unsafe fn given(size: usize, memory: *mut c_void) -> *mut c_void {
        if counting() {
            // SAFETY: the caller's promise.
            note(size, unsafe { room(memory) } as i64);
        }
        memory
    }

    /// `malloc`, counted.
    ///
    /// # Safety
    /// As C's.
    #[inline]
    pub unsafe fn malloc(size: usize) -> *mut c_void {
        // SAFETY: glibc's own `malloc`, called as the caller calls it.
        unsafe { given(size, __libc_malloc(size)) }
    }

    /// `calloc`, counted.
    ///
    /// # Safety
    /// As C's.
    #[inline]
    pub unsafe fn calloc(count: usize, size: usize) -> *mut c_void {
        // SAFETY: glibc's own `calloc`, called as the caller calls it.
        unsafe { given(count.saturating_mul(size), __libc_calloc(count, size)) }
    }

    /// `realloc`, counted.
    ///
    /// # Safety
    /// As C's.
    #[inline]
    pub unsafe fn realloc(memory: *mut c_void, size: usize) -> *mut c_void {
        // SAFETY: the caller has this memory of glibc's.
        let before = if counting() { unsafe { room(memory) } } else { 0 };
        // SAFETY: glibc's own `realloc`, called as the caller calls it, with memory of glibc's.
        let given = unsafe { __libc_realloc(memory, size) };
        if counting() {
            // What could not be given leaves the old memory as it was; for a size of 0 that is given back.
            let kept = given.is_null() && size > 0;
            // SAFETY: glibc has just given this.
            let now = unsafe { room(given) };
            note(size, if kept { 0 } else { now as i64 - before as i64 });
        }
        given
    }

    /// `memalign` and `aligned_alloc`, counted.
    ///
    /// # Safety
    /// As C's.
    #[inline]
    pub unsafe fn memalign(alignment: usize, size: usize) -> *mut c_void {
        // SAFETY: glibc's own `memalign`, called as the caller calls it.
        unsafe { given(size, __libc_memalign(alignment, size)) }
    }

    /// `free`, counted.
    ///
    /// # Safety
    /// As C's.
    #[inline]
    pub unsafe fn free(memory: *mut c_void) {
        if counting() {
            // SAFETY: the caller gives back memory of glibc's, or null.
            note_end(unsafe { room(memory) });
        }
        // SAFETY: glibc's own `free`, called as the caller calls it.
        unsafe { __libc_free(memory) }
    }

    /// `posix_memalign`, counted.
    ///
    /// # Safety
    /// As C's.
    #[inline]
    pub unsafe fn posix_memalign(memory: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
        if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<*mut c_void>()) {
            return libc::EINVAL;
        }
        // SAFETY: glibc's own `memalign`, with an alignment that it takes.
        let given = unsafe { given(size, __libc_memalign(alignment, size)) };
        if given.is_null() {
            return libc::ENOMEM;
        }
        // SAFETY: the caller gives a place for the pointer.
        unsafe { memory.write(given) };
        0
    }
}

/// Makes this binary count allocations: write it once, at the top level of `main.rs`.
///
/// Without it [`of`](crate::engine::allocations::of) answers `None`, and the race leaves those cells blank.
#[macro_export]
macro_rules! count_allocations {
    () => {
        #[cfg(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static")))]
        mod counted_allocations {
            use ::std::ffi::{c_int, c_void};
            use $crate::engine::allocations::glibc;

            #[unsafe(no_mangle)]
            unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
                // SAFETY: the caller's promise.
                unsafe { glibc::malloc(size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
                // SAFETY: the caller's promise.
                unsafe { glibc::calloc(count, size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn realloc(memory: *mut c_void, size: usize) -> *mut c_void {
                // SAFETY: the caller's promise.
                unsafe { glibc::realloc(memory, size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
                // SAFETY: the caller's promise.
                unsafe { glibc::memalign(alignment, size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
                // SAFETY: the caller's promise.
                unsafe { glibc::memalign(alignment, size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn posix_memalign(memory: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
                // SAFETY: the caller's promise.
                unsafe { glibc::posix_memalign(memory, alignment, size) }
            }
            #[unsafe(no_mangle)]
            unsafe extern "C" fn free(memory: *mut c_void) {
                // SAFETY: the caller's promise.
                unsafe { glibc::free(memory) }
            }
        }

        #[cfg(not(all(target_os = "linux", target_env = "gnu", not(target_feature = "crt-static"))))]
        #[global_allocator]
        static COUNTED_ALLOCATIONS: $crate::engine::allocations::Counting = $crate::engine::allocations::Counting;
    };
}
