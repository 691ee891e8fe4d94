//! Erases what a computation with secrets has left in registers.

if_x86!({ use crate::{Avx2, Avx512, Token}; } else {});

/// Sets to zero the vector registers, and those for integers, that a function may change without saving them. It takes
/// a few nanoseconds.
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
            // SAFETY: a function may change each of these registers, and the compiler is told that this one does. v8 to
            // v15 are left alone, because a function must preserve their lower halves.
            unsafe {
                core::arch::asm!("movi v0.2d, #0", "movi v1.2d, #0", "movi v2.2d, #0", "movi v3.2d, #0",
                    "movi v4.2d, #0", "movi v5.2d, #0", "movi v6.2d, #0", "movi v7.2d, #0", "movi v16.2d, #0",
                    "movi v17.2d, #0", "movi v18.2d, #0", "movi v19.2d, #0", "movi v20.2d, #0", "movi v21.2d, #0",
                    "movi v22.2d, #0", "movi v23.2d, #0", "movi v24.2d, #0", "movi v25.2d, #0", "movi v26.2d, #0",
                    "movi v27.2d, #0", "movi v28.2d, #0", "movi v29.2d, #0", "movi v30.2d, #0", "movi v31.2d, #0",
                    clobber_abi("C"), options(nomem, nostack));
            }
        }
    } else {
        #[inline(always)]
        fn other() {}
    });
});
