//! Erases what an operation with secrets has left on the stack and in registers: copies that the compiler made, and
//! values whose own erasure came too early or never. On a Zen 4, the stack takes 0.3 to 0.5 µs of the 5.7 and 6.3 of
//! ML-KEM-768's encapsulation and decapsulation by name.

/// Bytes of stack in which ciphers and AEADs leave copies of their keys, in optimised builds.
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
pub(crate) const AFTER_CIPHER: usize = 4 << 10;

/// Bytes of stack in which Threefish-512-CTR leaves words of its key after a piece, in optimised builds.
#[cfg(feature = "threefish")]
pub(crate) const AFTER_PIECE: usize = 1 << 10;

/// Bytes of stack that an operation on one key of a KEM needs, in optimised builds.
#[cfg(feature = "ml-kem")]
pub(crate) const AFTER_KEM: usize = 48 << 10;

/// Bytes of stack that making a prepared key needs.
#[cfg(feature = "ml-kem")]
pub(crate) const AFTER_PREPARING: usize = 96 << 10;

/// Bytes of stack in which the making of an object of more than [`LARGE`] bytes leaves copies of it, in optimised
/// builds: several moves of the largest, 5 KiB.
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
const AFTER_MAKING: usize = 24 << 10;

/// Bytes of an object: several copies of a smaller one are within [`AFTER_CIPHER`].
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
const LARGE: usize = 768;

/// As [`erased`] for an operation that makes an object of type `O`, which is moved several times.
#[cfg(any(feature = "chacha", feature = "kalyna", feature = "sm4", feature = "threefish"))]
#[inline(always)]
pub(crate) fn erased_making<O, T>(operation: impl FnOnce() -> T) -> T {
    if size_of::<O>() > LARGE { erased::<AFTER_MAKING, _>(operation) } else { erased::<AFTER_CIPHER, _>(operation) }
}

/// Calls `operation`, and then overwrites the `BYTES` of stack below this call, and registers. What it returns is moved
/// to the caller: it should have its secrets in a box, or none.
#[inline(always)]
pub(crate) fn erased<const BYTES: usize, T>(operation: impl FnOnce() -> T) -> T {
    let result = call(operation);
    overwrite::<BYTES>();
    fairlane_lanes::clear_registers();
    result
}

/// Has all of the operation in frames of its own.
#[inline(never)]
fn call<T>(operation: impl FnOnce() -> T) -> T {
    operation()
}

#[inline(never)]
fn overwrite<const BYTES: usize>() {
    let below = [0_u8; BYTES];
    zeroize::optimization_barrier(&below);
}
