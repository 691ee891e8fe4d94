//! The CPU's maker, for kernels whose fastest order of operations depends on it.

/// Whether the CPU is a Zen, from AMD or Hygon.
///
/// This proves no instruction: only a token says what may run.
#[inline]
pub fn is_zen() -> bool {
    if_x86!({ known() } else { false })
}

if_x86!({
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

    const UNKNOWN: u8 = 0;
    const ZEN: u8 = 1;
    const OTHER: u8 = 2;

    /// The CPU's answer. It is asked once, because under a hypervisor that takes microseconds.
    static MAKER: AtomicU8 = AtomicU8::new(UNKNOWN);

    #[inline]
    fn known() -> bool {
        match MAKER.load(Relaxed) {
            UNKNOWN => ask(),
            maker => maker == ZEN,
        }
    }

    #[cold]
    fn ask() -> bool {
        // In later compilers the function is safe.
        #[allow(unused_unsafe)]
        // SAFETY: every x86-64 CPU has `cpuid`.
        let leaf = unsafe { core::arch::x86_64::__cpuid(0) };
        let name = [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes);
        let is_zen = matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine");
        MAKER.store(if is_zen { ZEN } else { OTHER }, Relaxed);
        is_zen
    }
} else {});
