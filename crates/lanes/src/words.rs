//! Words: a register seen as independent lanes, with operations as coarse as the best instruction set has them.

use crate::token::Token;

macro_rules! word_trait {
    ($name:ident, $lane:ty, $bytes:literal) => {
        #[doc = concat!("`N` lanes of `", stringify!($lane), "`.")]
        ///
        /// A value exists only if its token did, so every method is safe. Lanes never mix.
        pub trait $name<const N: usize>: Copy {
            /// The proof that the word's instructions may run.
            type Token: Token;

            /// Whether [`xor3`](Self::xor3) is one instruction, so that a sum of three should not be taken in two steps.
            const TERNARY: bool = false;
            /// Whether `!b & c` is one instruction.
            const AND_NOT: bool = true;

            /// The same value in every lane.
            fn splat(token: Self::Token, x: $lane) -> Self;
            /// Lane `i` from `x[i]`.
            fn from_array(token: Self::Token, x: [$lane; N]) -> Self;
            /// Lane `i` to index `i`.
            fn to_array(self) -> [$lane; N];
            /// `self ^ b`
            fn xor(self, b: Self) -> Self;
            /// `self & b`
            fn and(self, b: Self) -> Self;
            /// `self | b`
            fn or(self, b: Self) -> Self;
            /// `!self`
            fn not(self) -> Self;
            /// `self + b`, wrapping.
            fn add(self, b: Self) -> Self;
            /// `self - b`, wrapping.
            fn sub(self, b: Self) -> Self;
            /// Every lane rotated left by `K` bits, `0 < K` below the lane's width.
            fn rotl<const K: u32>(self) -> Self;
            /// [`rotl`](Self::rotl), on other execution ports where the word has a way that costs none of its own: for
            /// kernels that are bound by those. It takes longer.
            #[inline(always)]
            fn rotl_aside<const K: u32>(self) -> Self {
                self.rotl::<K>()
            }

            /// `self ^ b ^ c` (`vpternlog`, `eor3`)
            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                self.xor(b).xor(c)
            }

            /// `self ^ (!b & c)`: Keccak's chi (`vpternlog`, `bcax`)
            fn chi(self, b: Self, c: Self) -> Self;

            /// `self ^ rotl(b, 1)` (`rax1`)
            #[inline(always)]
            fn rax1(self, b: Self) -> Self {
                self.xor(b.rotl::<1>())
            }

            /// `rotl(self ^ b, K)` (`xar`)
            #[inline(always)]
            fn xor_rotl<const K: u32>(self, b: Self) -> Self {
                self.xor(b).rotl::<K>()
            }

            /// A transposition: word `j` of the result holds in lane `i` the little-endian number at byte
            #[doc = concat!("`", stringify!($bytes), " * (from + j)` of `rows[i]`, for `j < count`; the other words are zero.")]
            ///
            /// # Panics
            #[doc = concat!("If `count` is above `N`, or a row shorter than `", stringify!($bytes), " * (from + count)` bytes.")]
            #[inline(always)]
            fn load_rows(token: Self::Token, rows: &[&[u8]; N], from: usize, count: usize) -> [Self; N] {
                by_lane(token, rows, from, count)
            }
        }

        /// [`load_rows`]'s transposition, a number at a time.
        ///
        #[doc = concat!("[`load_rows`]: ", stringify!($name), "::load_rows")]
        #[inline(always)]
        pub(crate) fn by_lane<W: $name<N>, const N: usize>(
            token: W::Token,
            rows: &[&[u8]; N],
            from: usize,
            count: usize,
        ) -> [W; N] {
            let mut words = [W::splat(token, 0); N];
            for j in 0..count {
                let mut lanes = [0; N];
                for i in 0..N {
                    let (numbers, _) = rows[i].as_chunks::<$bytes>();
                    lanes[i] = <$lane>::from_le_bytes(numbers[from + j]);
                }
                words[j] = W::from_array(token, lanes);
            }
            words
        }
    };
}

mod of_u32 {
    use super::Token;
    word_trait!(U32xN, u32, 4);
}
mod of_u64 {
    use super::Token;
    word_trait!(U64xN, u64, 8);
}

pub use of_u32::U32xN;
pub use of_u64::U64xN;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use of_u64::by_lane;
