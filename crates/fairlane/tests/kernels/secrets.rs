//! Reads the kernels' machine code: no branch, address, mask of a store or division depends on what a vector holds.
//!
//! Valgrind cannot run AVX-512 and GFNI. The code of their kernels, and of all others of this architecture, is looked
//! at instead; `flow.rs` says how far.

use crate::flow::{self, Kind};
use crate::{Program, is_kernel, use_all_kernels};
use fairlane_lanes::{Avx512, Kernel, Token};
use std::collections::BTreeSet;
use std::hint::black_box;

/// Where something is found that need not be secret: what the functions that call the kernel are called, and why.
const PUBLIC: &[(&str, &str)] = &[
    ("lattice::sampler::Sampler", "the matrix is sampled from a public seed"),
    (
        "kalyna::field::Powers",
        "addresses of arrays are compared in vectors, where a build checks that copies do not overlap",
    ),
    ("poly1305::kernels::Evaluation", "checks for overflow of sums, in builds that have them; they cannot overflow"),
];

/// What must be found: a kernel, and what is wrong with it.
macro_rules! planted {
    ($($name:ident($data:ident, $table:ident) $kind:ident $body:block)+) => {
        /// Kernels as they should not be.
        mod planted {
            use super::{Avx512, Kernel, Token, black_box};
            use std::arch::x86_64::*;
            $(
                #[inline(never)]
                pub(super) fn $name(token: Avx512) {
                    struct Planted<'a>(&'a [u8; 64], &'a [u8; 256]);
                    impl Kernel<Avx512> for Planted<'_> {
                        type Output = u64;
                        #[inline(always)]
                        fn call(self, _: Avx512) -> u64 {
                            let Self($data, $table) = self;
                            // SAFETY: the token proves the features; both arrays are as long as what is read.
                            unsafe { $body }
                        }
                    }
                    black_box(token.run(Planted(black_box(&[1; 64]), black_box(&[2; 256]))));
                }
            )+
        }
        fn use_planted(token: Avx512) {
            $(planted::$name(token);)+
        }
        const PLANTED: &[(&str, Kind)] = &[$((concat!("planted::", stringify!($name)), Kind::$kind)),+];
    };
}
planted! {
    branch_on_mask(data, table) Branch {
        let equal = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(data.as_ptr().cast()), _mm512_set1_epi8(7));
        if equal == 0 { black_box(u64::from(table[0])) } else { black_box(1) }
    }
    branch_on_sum(data, table) Branch {
        let sum = _mm512_reduce_add_epi64(_mm512_loadu_si512(data.as_ptr().cast()));
        if sum > 0x1234 { black_box(u64::from(table[1])) } else { black_box(1) }
    }
    look_up_byte(data, table) Address {
        let x = _mm_loadu_si128(data.as_ptr().cast());
        // Of an exclusive or, LLVM computes the one byte only, without vectors.
        u64::from(table[_mm_extract_epi8::<3>(_mm_shuffle_epi8(x, x)) as usize])
    }
    look_up_stored_byte(data, table) Address {
        let x = _mm512_loadu_si512(data.as_ptr().cast());
        let mut stored = [0_u8; 64];
        _mm512_storeu_si512(stored.as_mut_ptr().cast(), _mm512_xor_si512(x, _mm512_set1_epi8(0x5a)));
        u64::from(table[usize::from(black_box(&stored)[5])])
    }
    gather(data, table) Instruction {
        let places = _mm512_and_si512(_mm512_loadu_si512(data.as_ptr().cast()), _mm512_set1_epi64(31));
        _mm512_reduce_add_epi64(_mm512_i64gather_epi64::<8>(places, table.as_ptr().cast())) as u64
    }
    divide(data, table) Instruction {
        let x = _mm_cvtsi128_si64(_mm_loadu_si128(data.as_ptr().cast())) as u64;
        x / (u64::from(table[0]) | 1)
    }
    store_by_mask(data, table) Mask {
        let x = _mm512_loadu_si512(data.as_ptr().cast());
        let mut stored = [0_u8; 64];
        _mm512_mask_storeu_epi8(black_box(stored.as_mut_ptr()).cast(), _mm512_movepi8_mask(x), x);
        u64::from(stored[usize::from(table[0])])
    }
}

#[test]
fn vectors_decide_about_nothing() {
    use_all_kernels();
    if let Some(token) = Avx512::new() {
        use_planted(token);
    }
    let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let program = Program::new(&bytes);

    let mut callers = program.callers_of_kernels();
    let (mut kernels, mut unexpected, mut found) = (0, vec![], BTreeSet::new());
    for (name, address, code) in program.functions().filter(|(name, ..)| is_kernel(name)) {
        let callers = callers.remove(&address).unwrap_or_default();
        let is_called_by = |place: &str| callers.iter().any(|caller| caller.contains(place));
        kernels += 1;
        for finding in flow::findings(code, address) {
            if let Some((planted, _)) = PLANTED.iter().find(|(planted, _)| is_called_by(planted)) {
                found.insert((*planted, finding.kind));
            } else if !PUBLIC.iter().any(|(place, _)| is_called_by(place)) {
                unexpected.push(format!("{finding:?} in {name}, called by {callers:?}"));
            }
        }
    }
    let missed: Vec<_> = PLANTED.iter().filter(|planted| !found.contains(*planted)).collect();
    assert!(missed.is_empty(), "not found: {missed:?}, but {found:?}");
    assert!(unexpected.is_empty(), "{} in {kernels} kernels:\n{}", unexpected.len(), unexpected.join("\n"));
    assert!(kernels > 100, "{kernels} kernels");
}
