//! Valgrind's client requests (valgrind.h, memcheck.h).

const COUNT_ERRORS: usize = 0x1201;
const RUNNING: usize = 0x1001;
const MAKE_UNDEFINED: usize = 0x4d43_0001;
const MAKE_DEFINED: usize = 0x4d43_0002;

#[cfg(target_arch = "x86_64")]
fn request(request: usize, first: usize, second: usize) -> usize {
    let arguments = [request, first, second, 0, 0, 0];
    let mut result = 0_usize;
    // SAFETY: the rotations leave rdi as it was, the exchange does nothing; valgrind knows the sequence, reads
    // `arguments`, and sets rdx.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") &raw const arguments, inout("rdx") result, out("rdi") _,
        );
    }
    result
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_: usize, _: usize, _: usize) -> usize {
    0
}

pub fn is_running() -> bool {
    request(RUNNING, 0, 0) > 0
}

/// The number of reports so far.
pub fn reports() -> usize {
    request(COUNT_ERRORS, 0, 0)
}

pub fn secret<T: ?Sized>(value: &mut T) {
    request(MAKE_UNDEFINED, (&raw mut *value).addr(), size_of_val(value));
}

pub fn public<T: ?Sized>(value: &mut T) {
    request(MAKE_DEFINED, (&raw mut *value).addr(), size_of_val(value));
}
