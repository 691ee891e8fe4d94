//! Words of lanes for the kernels: the traits of `fairlane_lanes` for [`Lane`]s.
//!
//! The traits of words are open, and only tokens are sealed. A word of one's own under the token of plain integers is
//! safe code: it needs no feature of any CPU.

use crate::lane::Lane;
use crate::mutation;
use fairlane_lanes::{KeccakWord, Pairs, Quads, Scalar, Sm3Word, U32xN, U64xN};
use std::array::from_fn;

/// Plain words: and-not is one operation.
pub const AND_NOT: u8 = 0;
/// And-not is two operations.
pub const NO_AND_NOT: u8 = 1;
/// A sum of three is one operation, and so is and-not.
pub const TERNARY: u8 = 2;
/// A sum of three is one operation, and and-not is two.
pub const TERNARY_NO_AND_NOT: u8 = 3;

/// `N` lanes of `BITS` bits. `SHAPE` chooses between the forms of a kernel that depend on the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<L, const BITS: u32, const N: usize, const SHAPE: u8 = AND_NOT>(pub [L; N]);

impl<L: Lane, const BITS: u32, const N: usize, const SHAPE: u8> Word<L, BITS, N, SHAPE> {
    #[inline(never)]
    pub(crate) fn each(self, f: impl Fn(L) -> L) -> Self {
        Self(self.0.map(f))
    }

    #[inline(never)]
    pub(crate) fn zip(self, b: Self, f: impl Fn(L, L) -> L) -> Self {
        Self(from_fn(|i| f(self.0[i], b.0[i])))
    }

    #[inline(never)]
    fn constants(x: impl Fn(usize) -> u128) -> Self {
        let altered = u128::from(mutation::here("a constant's lowest bit"));
        Self(from_fn(|i| L::constant(BITS, x(i) ^ altered)))
    }
}

/// What words of numbers have in common.
macro_rules! number_word {
    ($trait:ident, $lane:ident, $bits:literal { $($more:tt)* }) => {
        impl<L: Lane, const N: usize, const SHAPE: u8> $trait<N> for Word<L, $bits, N, SHAPE> {
            type Token = Scalar;

            #[inline(never)]
            fn splat(_: Scalar, x: $lane) -> Self {
                Self::constants(|_| x.into())
            }
            #[inline(never)]
            fn from_array(_: Scalar, x: [$lane; N]) -> Self {
                Self::constants(|i| x[i].into())
            }
            fn to_array(self) -> [$lane; N] {
                panic!("a kernel looked at a value")
            }
            fn load(_: Scalar, _: &[u8]) -> Self {
                panic!("a kernel read memory")
            }
            fn store(self, _: &mut [u8]) {
                panic!("a kernel wrote to memory")
            }
            #[inline(never)]
            fn transpose(words: [Self; N]) -> [Self; N] {
                from_fn(|i| Self(from_fn(|j| words[j].0[i])))
            }
            #[inline(never)]
            fn xor(self, b: Self) -> Self {
                if mutation::here("or for exclusive or") { self.zip(b, L::or) } else { self.zip(b, L::xor) }
            }
            #[inline(never)]
            fn and(self, b: Self) -> Self {
                if mutation::here("or for and") { self.zip(b, L::or) } else { self.zip(b, L::and) }
            }
            #[inline(never)]
            fn or(self, b: Self) -> Self {
                if mutation::here("and for or") { self.zip(b, L::and) } else { self.zip(b, L::or) }
            }
            #[inline(never)]
            fn not(self) -> Self {
                if mutation::here("no complement") { self } else { self.each(L::not) }
            }
            #[inline(never)]
            fn add(self, b: Self) -> Self {
                if mutation::here("a sum without carries") { self.zip(b, L::xor) } else { self.zip(b, L::add) }
            }
            #[inline(never)]
            fn sub(self, b: Self) -> Self {
                if mutation::here("operands swapped") { b.zip(self, L::sub) } else { self.zip(b, L::sub) }
            }
            #[inline(never)]
            fn rotl<const K: u32>(self) -> Self {
                let by = K + u32::from(mutation::here("a rotation one further"));
                self.each(|x| x.rotl(by))
            }
            $($more)*
        }
    };
}

number_word!(U32xN, u32, 32 {
    #[inline(never)]
    fn swap_bytes(self) -> Self {
        self.each(|x| x.slice(24, 8).concat(x.slice(16, 8)).concat(x.slice(8, 8)).concat(x.slice(0, 8)))
    }
});
number_word!(U64xN, u64, 64 {
    fn mul_u32(self, _: Self) -> Self {
        panic!("products of terms are proved in `integers`")
    }
    #[inline(never)]
    fn shr<const K: u32>(self) -> Self {
        let by = K + u32::from(mutation::here("a shift one further"));
        self.each(|x| x.shr(by))
    }
    #[inline(never)]
    fn shl<const K: u32>(self) -> Self {
        let by = K + u32::from(mutation::here("a shift one further"));
        self.each(|x| x.shl(by))
    }
});

impl<L: Lane, const N: usize, const SHAPE: u8> KeccakWord<N> for Word<L, 64, N, SHAPE> {
    const TERNARY: bool = SHAPE & 2 != 0;
    const AND_NOT: bool = SHAPE & 1 == 0;
}

impl<L: Lane, const N: usize, const SHAPE: u8> Sm3Word<N> for Word<L, 32, N, SHAPE> {}

impl<L: Lane, const N: usize, const SHAPE: u8> Quads<N> for Word<L, 32, N, SHAPE> {
    #[inline(never)]
    fn splat_row(_: Scalar, row: [u32; 4]) -> Self {
        Self::constants(|i| row[i % 4].into())
    }
    #[inline(never)]
    fn rotate_lanes<const K: usize>(self) -> Self {
        let by = K + usize::from(mutation::here("lanes rotated one further"));
        Self(from_fn(|i| self.0[i / 4 * 4 + (i + by) % 4]))
    }
    #[inline(never)]
    fn states(rows: [Self; 4]) -> [Self; 4] {
        from_fn(|word| {
            Self(from_fn(|i| {
                let at = word * N + i;
                rows[at % 16 / 4].0[at / 16 * 4 + at % 4]
            }))
        })
    }
}

impl<L: Lane, const N: usize, const SHAPE: u8> Pairs<N> for Word<L, 64, N, SHAPE> {
    #[inline(never)]
    fn transpose_pairs(self, b: Self) -> [Self; 2] {
        from_fn(|half| Self(from_fn(|i| [self, b][i % 2].0[i / 2 * 2 + half])))
    }
}
