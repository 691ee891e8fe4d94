//! Erases what a computation with secrets has left in registers.

if_x86!({ use crate::{Avx2, Avx512, Token}; } else {});

/// Sets to zero the registers that a function may change without saving them. It takes a few nanoseconds.
///
/// - On x86-64: the vector registers (on Windows without `xmm6` to `xmm15`), the masks `k0` to `k7` where there is
///   AVX-512, and `rax`, `rcx`, `rdx`, `rsi`, `rdi` (on Windows without these two) and `r8` to `r11`.
/// - On 64-bit Arm: `v0` to `v31`, of `v8` to `v15` only the upper halves, and `x0` to `x17`.
/// - Elsewhere: none.
#[inline(never)]
pub fn clear_registers() {
    // Miri knows no assembly.
    if cfg!(miri) {
        return;
    }
    if_x86!({ x86() } else { other() });
}

if_x86!({
    macro_rules! clear {
        ($($instruction:literal)*) => {
            core::arch::asm!($($instruction),*, clobber_abi("C"), options(nomem, nostack))
        };
    }

    // Zeros in 128 bits of a vector are zeros in all of it. On Windows a function must preserve
    // xmm6 to xmm15, esi and edi.
    #[inline(always)]
    fn x86() {
        // SAFETY: a function may change each of these registers, and the compiler is told that this one does. The CPU
        // has the instructions, and code without AVX-512 leaves nothing in the registers that came with it.
        unsafe {
            if Avx2::new().is_some() {
                clear!("vpxor xmm0, xmm0, xmm0" "vpxor xmm1, xmm1, xmm1" "vpxor xmm2, xmm2, xmm2"
                    "vpxor xmm3, xmm3, xmm3" "vpxor xmm4, xmm4, xmm4" "vpxor xmm5, xmm5, xmm5");
                #[cfg(not(windows))]
                clear!("vpxor xmm6, xmm6, xmm6" "vpxor xmm7, xmm7, xmm7" "vpxor xmm8, xmm8, xmm8"
                    "vpxor xmm9, xmm9, xmm9" "vpxor xmm10, xmm10, xmm10" "vpxor xmm11, xmm11, xmm11"
                    "vpxor xmm12, xmm12, xmm12" "vpxor xmm13, xmm13, xmm13" "vpxor xmm14, xmm14, xmm14"
                    "vpxor xmm15, xmm15, xmm15");
            } else {
                clear!("pxor xmm0, xmm0" "pxor xmm1, xmm1" "pxor xmm2, xmm2" "pxor xmm3, xmm3" "pxor xmm4, xmm4"
                    "pxor xmm5, xmm5");
                #[cfg(not(windows))]
                clear!("pxor xmm6, xmm6" "pxor xmm7, xmm7" "pxor xmm8, xmm8" "pxor xmm9, xmm9" "pxor xmm10, xmm10"
                    "pxor xmm11, xmm11" "pxor xmm12, xmm12" "pxor xmm13, xmm13" "pxor xmm14, xmm14"
                    "pxor xmm15, xmm15");
            }
            if Avx512::new().is_some() {
                clear!("vpxord xmm16, xmm16, xmm16" "vpxord xmm17, xmm17, xmm17" "vpxord xmm18, xmm18, xmm18"
                    "vpxord xmm19, xmm19, xmm19" "vpxord xmm20, xmm20, xmm20" "vpxord xmm21, xmm21, xmm21"
                    "vpxord xmm22, xmm22, xmm22" "vpxord xmm23, xmm23, xmm23" "vpxord xmm24, xmm24, xmm24"
                    "vpxord xmm25, xmm25, xmm25" "vpxord xmm26, xmm26, xmm26" "vpxord xmm27, xmm27, xmm27"
                    "vpxord xmm28, xmm28, xmm28" "vpxord xmm29, xmm29, xmm29" "vpxord xmm30, xmm30, xmm30"
                    "vpxord xmm31, xmm31, xmm31");
                clear!("kxorq k0, k0, k0" "kxorq k1, k1, k1" "kxorq k2, k2, k2" "kxorq k3, k3, k3" "kxorq k4, k4, k4"
                    "kxorq k5, k5, k5" "kxorq k6, k6, k6" "kxorq k7, k7, k7");
            }
            clear!("xor eax, eax" "xor ecx, ecx" "xor edx, edx" "xor r8d, r8d" "xor r9d, r9d" "xor r10d, r10d"
                "xor r11d, r11d");
            #[cfg(not(windows))]
            clear!("xor esi, esi" "xor edi, edi");
        }
    }
} else {
    if_aarch64!({
        #[inline(always)]
        fn other() {
            // SAFETY: a function may change each of these registers, and the compiler is told that this one does. A
            // function must preserve the lower halves of v8 to v15: they are moved to themselves, which clears the
            // upper ones. x18 belongs to the system.
            unsafe {
                core::arch::asm!("movi v0.2d, #0", "movi v1.2d, #0", "movi v2.2d, #0", "movi v3.2d, #0",
                    "movi v4.2d, #0", "movi v5.2d, #0", "movi v6.2d, #0", "movi v7.2d, #0", "movi v16.2d, #0",
                    "movi v17.2d, #0", "movi v18.2d, #0", "movi v19.2d, #0", "movi v20.2d, #0", "movi v21.2d, #0",
                    "movi v22.2d, #0", "movi v23.2d, #0", "movi v24.2d, #0", "movi v25.2d, #0", "movi v26.2d, #0",
                    "movi v27.2d, #0", "movi v28.2d, #0", "movi v29.2d, #0", "movi v30.2d, #0", "movi v31.2d, #0",
                    "fmov d8, d8", "fmov d9, d9", "fmov d10, d10", "fmov d11, d11", "fmov d12, d12", "fmov d13, d13",
                    "fmov d14, d14", "fmov d15, d15", "mov x0, #0", "mov x1, #0", "mov x2, #0", "mov x3, #0",
                    "mov x4, #0", "mov x5, #0", "mov x6, #0", "mov x7, #0", "mov x8, #0", "mov x9, #0", "mov x10, #0",
                    "mov x11, #0", "mov x12, #0", "mov x13, #0", "mov x14, #0", "mov x15, #0", "mov x16, #0",
                    "mov x17, #0",
                    clobber_abi("C"), options(nomem, nostack));
            }
        }
    } else {
        #[inline(always)]
        fn other() {}
    });
});

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64"), not(any(miri, windows))))]
mod tests {
    use super::clear_registers;
    use core::arch::asm;

    if_x86!({
        #[test]
        fn integers_and_masks_are_cleared() {
            let mut left = [!0_u64; 9];
            // SAFETY: a function may change each of these registers, `left` has room for them, and r12 is preserved.
            unsafe {
                asm!("mov rax, -1", "mov rcx, -1", "mov rdx, -1", "mov rsi, -1", "mov rdi, -1", "mov r8, -1",
                    "mov r9, -1", "mov r10, -1", "mov r11, -1", "call {clear}", "mov [r12], rax", "mov [r12 + 8], rcx",
                    "mov [r12 + 16], rdx", "mov [r12 + 24], rsi", "mov [r12 + 32], rdi", "mov [r12 + 40], r8",
                    "mov [r12 + 48], r9", "mov [r12 + 56], r10", "mov [r12 + 64], r11",
                    clear = sym clear_registers, in("r12") left.as_mut_ptr(), clobber_abi("C"));
            }
            assert_eq!(left, [0; 9]);
            if <crate::Avx512 as crate::Token>::new().is_some() {
                let mut left = [!0_u64; 8];
                // SAFETY: as above, and the CPU has AVX-512 BW.
                unsafe {
                    asm!("kxnorq k0, k0, k0", "kxnorq k1, k1, k1", "kxnorq k2, k2, k2", "kxnorq k3, k3, k3",
                        "kxnorq k4, k4, k4", "kxnorq k5, k5, k5", "kxnorq k6, k6, k6", "kxnorq k7, k7, k7",
                        "call {clear}", "kmovq [r12], k0", "kmovq [r12 + 8], k1", "kmovq [r12 + 16], k2",
                        "kmovq [r12 + 24], k3", "kmovq [r12 + 32], k4", "kmovq [r12 + 40], k5", "kmovq [r12 + 48], k6",
                        "kmovq [r12 + 56], k7",
                        clear = sym clear_registers, in("r12") left.as_mut_ptr(), clobber_abi("C"));
                }
                assert_eq!(left, [0; 8]);
            }
        }
    } else {});

    if_aarch64!({
        #[test]
        fn integers_and_upper_halves_are_cleared() {
            let mut left = [!0_u64; 26];
            // SAFETY: a function may change each of these registers, of v8 to v15 the upper halves; all of those are
            // said to be changed. `left` has room for them, and x20 is preserved.
            unsafe {
                asm!("mov x0, #-1", "mov x1, #-1", "mov x2, #-1", "mov x3, #-1", "mov x4, #-1", "mov x5, #-1",
                    "mov x6, #-1", "mov x7, #-1", "mov x8, #-1", "mov x9, #-1", "mov x10, #-1", "mov x11, #-1",
                    "mov x12, #-1", "mov x13, #-1", "mov x14, #-1", "mov x15, #-1", "mov x16, #-1", "mov x17, #-1",
                    "movi v8.16b, #255", "movi v9.16b, #255", "movi v10.16b, #255", "movi v11.16b, #255",
                    "movi v12.16b, #255", "movi v13.16b, #255", "movi v14.16b, #255", "movi v15.16b, #255",
                    "bl {clear}",
                    "stp x0, x1, [x20]", "stp x2, x3, [x20, #16]", "stp x4, x5, [x20, #32]", "stp x6, x7, [x20, #48]",
                    "stp x8, x9, [x20, #64]", "stp x10, x11, [x20, #80]", "stp x12, x13, [x20, #96]",
                    "stp x14, x15, [x20, #112]", "stp x16, x17, [x20, #128]", "add x0, x20, #144",
                    "st1 {{v8.d}}[1], [x0], #8", "st1 {{v9.d}}[1], [x0], #8", "st1 {{v10.d}}[1], [x0], #8",
                    "st1 {{v11.d}}[1], [x0], #8", "st1 {{v12.d}}[1], [x0], #8", "st1 {{v13.d}}[1], [x0], #8",
                    "st1 {{v14.d}}[1], [x0], #8", "st1 {{v15.d}}[1], [x0], #8",
                    clear = sym clear_registers, in("x20") left.as_mut_ptr(), clobber_abi("C"));
            }
            assert_eq!(left, [0; 26]);
        }
    } else {});
}
