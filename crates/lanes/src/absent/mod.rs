//! Words of the other architectures: types without values, so that code for every backend type-checks everywhere.
//!
//! No token of another architecture can be made, and a word is made only with a token. Therefore no function that takes
//! either can be called, and the body of each function here is a `match` without arms.

#![allow(unused_variables, reason = "functions that cannot be called use no argument")]

use crate::bytes::{BlocksN, RowsN, Table, U8xN};
use crate::polynomials::Polynomials;
use crate::shorts::{CoefficientCoding, I16xN};
use crate::sm3_ni::Sm3Rounds;
use crate::sm4_ni::Sm4Rounds;
use crate::token::{AbsentToken, Never, Sm4Ni};
use crate::words::{KeccakWord, Pairs, Products52, Quads, Sm3Word, U32xN, U64xN};
use core::marker::PhantomData;

/// The word of `N` lanes `L` under the token `T` of another architecture.
#[derive(Clone, Copy, Debug)]
pub struct Absent<L, T, const N: usize>(Never, PhantomData<(L, T)>);

/// Names words by their number of lanes, lane and token.
macro_rules! absent_words {
    ($($name:ident: $n:literal $lane:ident $token:ident;)+) => {$(
        #[doc = concat!(stringify!($n), " lanes of `", stringify!($lane), "`, for [`", stringify!($token), "`].")]
        /// It has no values on this architecture.
        pub type $name = crate::absent::Absent<$lane, $token, $n>;
    )+};
}
#[allow(unused_imports, reason = "on each architecture, one has words")]
pub(crate) use absent_words;

/// Functions that cannot be called: the expression before `=>` is of type [`Never`], made from an argument.
macro_rules! never {
    ($($proof:expr => {$(
        $vis:vis fn $name:ident $(<const $c:ident: $ct:ty $(, const $d:ident: $dt:ty)?>)?
            ($($args:tt)*) $(-> $result:ty)?;
    )+})+) => {$($(
        #[inline(always)]
        $vis fn $name $(<const $c: $ct $(, const $d: $dt)?>)? ($($args)*) $(-> $result)? {
            match $proof {}
        }
    )+)+};
}

macro_rules! word {
    ($trait:ident, $lane:ident { $($more:tt)* }) => {
        impl<T: AbsentToken, const N: usize> $trait<N> for Absent<$lane, T, N> {
            type Token = T;
            never! {
                token.never() => {
                    fn splat(token: T, x: $lane) -> Self;
                    fn from_array(token: T, x: [$lane; N]) -> Self;
                    fn load(token: T, bytes: &[u8]) -> Self;
                }
                words[0].0 => {
                    fn transpose(words: [Self; N]) -> [Self; N];
                }
                self.0 => {
                    fn to_array(self) -> [$lane; N];
                    fn store(self, bytes: &mut [u8]);
                    fn xor(self, b: Self) -> Self;
                    fn and(self, b: Self) -> Self;
                    fn or(self, b: Self) -> Self;
                    fn not(self) -> Self;
                    fn add(self, b: Self) -> Self;
                    fn sub(self, b: Self) -> Self;
                    fn rotl<const K: u32>(self) -> Self;
                }
                $($more)*
            }
        }
    };
}
word!(U32xN, u32 {
    self.0 => {
        fn swap_bytes(self) -> Self;
    }
});
word!(U64xN, u64 {
    self.0 => {
        fn mul_u32(self, b: Self) -> Self;
        fn shr<const K: u32>(self) -> Self;
        fn shl<const K: u32>(self) -> Self;
    }
});

impl<T: AbsentToken, const N: usize> KeccakWord<N> for Absent<u64, T, N> {}
impl<T: AbsentToken, const N: usize> Sm3Word<N> for Absent<u32, T, N> {}

impl<T: AbsentToken, const N: usize> Quads<N> for Absent<u32, T, N> {
    never! {
        token.never() => { fn splat_row(token: T, row: [u32; 4]) -> Self; }
        self.0 => {
            fn rotate_lanes<const K: usize>(self) -> Self;
            fn slide<const K: usize>(self, next: Self) -> Self;
        }
        rows[0].0 => { fn states(rows: [Self; 4]) -> [Self; 4]; }
    }
}

impl<T: AbsentToken, const N: usize> Pairs<N> for Absent<u64, T, N> {
    never! {
        self.0 => { fn transpose_pairs(self, b: Self) -> [Self; 2]; }
    }
}

impl<T: AbsentToken, const N: usize> Products52<N> for Absent<u64, T, N> {
    never! {
        self.0 => {
            fn add_low52(self, a: Self, b: Self) -> Self;
            fn add_high52(self, a: Self, b: Self) -> Self;
        }
    }
}

impl<T: AbsentToken, const N: usize> BlocksN<N> for Absent<u8, T, N> {
    type Token = T;
    never! {
        token.never() => {
            fn splat_block(token: T, block: [u8; 16]) -> Self;
            fn load(token: T, bytes: &[u8]) -> Self;
            fn counters(token: T, first: [u8; 16], from: u32) -> Self;
        }
        self.0 => {
            fn store(self, bytes: &mut [u8]);
            fn xor(self, b: Self) -> Self;
            fn mul_x<const K: u32>(self) -> Self;
            fn reverse_bits(self) -> Self;
        }
    }
}

impl<T: AbsentToken, const N: usize> U8xN<N> for Absent<u8, T, N> {
    never! {
        token.never() => {
            fn splat_u32(token: T, bytes: u32) -> Self;
            fn counter_column(token: T, first: u32) -> Self;
        }
        words[0].0 => { fn transpose4(words: [Self; 4]) -> [Self; 4]; }
        self.0 => {
            fn affine<const M: u64, const C: i32>(self) -> Self;
            fn inverse_affine<const M: u64, const C: i32>(self) -> Self;
            fn rotate_bytes<const K: usize>(self) -> Self;
            fn broadcast_bytes<const K: usize>(self) -> Self;
            fn interleave(self, b: Self) -> [Self; 2];
        }
    }
}

impl<T: AbsentToken, const N: usize> RowsN<N> for Absent<u8, T, N> {
    never! {
        token.never() => { fn splat_u64(token: T, bytes: u64) -> Self; }
        self.0 => {
            fn look_up(self, table: &Table) -> Self;
            fn add64(self, b: Self) -> Self;
            fn sub64(self, b: Self) -> Self;
            fn shuffle(self, order: &'static [u8; 16]) -> Self;
        }
    }
}

if_x86!({} else {
    /// The operations that only x86-64 has.
    #[allow(missing_docs, reason = "they are documented where they can be called")]
    impl Absent<u8, crate::token::Avx512Vbmi, 64> {
        never! {
            token.never() => {
                pub fn repeat_numbers(token: crate::token::Avx512Vbmi, numbers: &[u64]) -> Self;
                pub fn repeat(token: crate::token::Avx512Vbmi, columns: &[[u8; 8]]) -> Self;
            }
            self.0 => {
                pub fn permute(self, order: &'static [u8; 64]) -> Self;
                pub fn permute_with(self, b: Self, order: &'static [u8; 64]) -> Self;
            }
        }
    }

    #[allow(missing_docs, reason = "they are documented where they can be called")]
    impl<T: AbsentToken, const N: usize> Absent<u8, T, N> {
        never! {
            self.0 => {
                pub fn look_up_by_4(self, tables: &[Table; 4]) -> Self;
            }
        }
    }

    #[allow(missing_docs, reason = "they are documented where they can be called")]
    impl<T: AbsentToken> Absent<u8, T, 32> {
        never! {
            words[0].0 => {
                pub fn rotate_groups<const K: usize>(words: [Self; 2]) -> [Self; 2];
                pub fn transpose_groups(words: [Self; 2]) -> [Self; 2];
            }
            self.0 => {
                pub fn permute(self, order: &'static [u8; 64]) -> Self;
                pub fn look_up_by_group(self, tables: &[Table; 4]) -> Self;
            }
        }
    }
});

impl<T: AbsentToken, const N: usize> Polynomials<N> for Absent<u128, T, N> {
    type Token = T;
    never! {
        token.never() => {
            fn splat(token: T, x: u128) -> Self;
            fn from_array(token: T, x: [u128; N]) -> Self;
            fn load_be(token: T, blocks: &[[u8; 16]]) -> Self;
            fn load_le(token: T, blocks: &[[u8; 16]]) -> Self;
        }
        self.0 => {
            fn to_array(self) -> [u128; N];
            fn xor(self, b: Self) -> Self;
            fn swap_halves(self) -> Self;
            fn shift_left_64(self) -> Self;
            fn shift_right_64(self) -> Self;
            fn mul_low(self, b: Self) -> Self;
            fn mul_high(self, b: Self) -> Self;
            fn sum(self) -> u128;
        }
    }
}

impl<T: AbsentToken, const N: usize> I16xN<N> for Absent<i16, T, N> {
    type Token = T;
    type Sums = Self;
    never! {
        token.never() => {
            fn splat(token: T, x: i16) -> Self;
            fn load(token: T, lanes: &[i16; N]) -> Self;
        }
        self.0 => {
            fn store(self, lanes: &mut [i16; N]);
            fn add(self, b: Self) -> Self;
            fn sub(self, b: Self) -> Self;
            fn and(self, b: Self) -> Self;
            fn shr<const K: u32>(self) -> Self;
            fn mul_low(self, b: Self) -> Self;
            fn mul_high(self, b: Self) -> Self;
            fn swap_pairs(self) -> Self;
            fn mul_pairs(self, b: Self) -> Self;
            fn exchange<const LEN: usize>(self, b: Self) -> [Self; 2];
        }
        a.0 => {
            fn add_sums(a: Self, b: Self) -> Self;
            fn split_sums(a: Self, b: Self) -> [Self; 2];
        }
    }
}

impl<T: AbsentToken> CoefficientCoding for T {}

impl<T: AbsentToken> Sm3Rounds for Absent<u32, T, 4> {
    type Token = T;
    never! {
        token.never() => { fn new(token: T, lanes: [u32; 4]) -> Self; }
        self.0 => {
            fn to_array(self) -> [u32; 4];
            fn after<const K: usize>(self, next: Self) -> Self;
            fn halves(self, b: Self) -> [Self; 2];
            fn message1(self, b: Self, c: Self) -> Self;
            fn message2(self, b: Self, c: Self) -> Self;
            fn rounds<const J: i32>(self, b: Self, c: Self) -> Self;
        }
    }
}

impl<T: AbsentToken, const N: usize> Sm4Rounds<N> for Absent<u8, T, N>
where
    Sm4Ni: Into<T>,
{
    type Sm4 = Sm4Ni;
    never! {
        self.0 => {
            fn swap_bytes(self) -> Self;
            fn reverse_bytes(self) -> Self;
            fn rounds(self, token: Sm4Ni, keys: Self) -> Self;
            fn key_rounds(self, token: Sm4Ni, ck: Self) -> Self;
        }
    }
}
