//! Words: registers seen as independent lanes. An operation is as large as one instruction of the best instruction set.

use crate::token::Token;

macro_rules! word_trait {
    ($name:ident, $lane:ty, $bytes:literal { $($more:tt)* }) => {
        #[doc = concat!("`N` lanes of `", stringify!($lane), "`.")]
        ///
        /// A value exists only if its token did, so every method is safe. Lanes are
        /// independent but for transpositions and the methods of [`Quads`](crate::Quads) and [`Pairs`](crate::Pairs).
        pub trait $name<const N: usize>: Copy {
            /// The proof that the word's instructions may run.
            type Token: Token;

            /// How many words the CPU's registers hold.
            const REGISTERS: usize = 16;

            /// The same value in every lane.
            fn splat(token: Self::Token, x: $lane) -> Self;
            /// Lane `i` from `x[i]`.
            fn from_array(token: Self::Token, x: [$lane; N]) -> Self;
            /// Lane `i` to index `i`.
            fn to_array(self) -> [$lane; N];
            /// Lane `i` from the little-endian number at byte
            #[doc = concat!("`", stringify!($bytes), " * i`; lanes beyond the bytes are zero.")]
            ///
            /// # Panics
            #[doc = concat!(
                "If there are more than `", stringify!($bytes), " * N` bytes, or not a multiple of ",
                stringify!($bytes), ".",
            )]
            fn load(token: Self::Token, bytes: &[u8]) -> Self;
            /// The converse of [`load`](Self::load): as many lanes as the bytes have room for.
            ///
            /// # Panics
            #[doc = concat!(
                "If there are more than `", stringify!($bytes), " * N` bytes, or not a multiple of ",
                stringify!($bytes), ".",
            )]
            fn store(self, bytes: &mut [u8]);
            /// Lane `i` of word `j` becomes lane `j` of word `i`.
            fn transpose(words: [Self; N]) -> [Self; N];
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
            /// `self ^ b ^ c` (`vpternlog`, `eor3`)
            #[inline(always)]
            fn xor3(self, b: Self, c: Self) -> Self {
                self.xor(b).xor(c)
            }

            /// `rotl(self ^ b, K)` (`xar`)
            #[inline(always)]
            fn xor_rotl<const K: u32>(self, b: Self) -> Self {
                self.xor(b).rotl::<K>()
            }

            /// [`load`](Self::load) of `count` numbers of each row, transposed: word `j` of the result holds in lane
            /// `i` the
            #[doc = concat!(
                "number at byte `", stringify!($bytes),
                " * (from + j)` of `rows[i]`, for `j < count`; the other words are zero.",
            )]
            ///
            /// # Panics
            #[doc = concat!(
                "If `count` is above `N`, or a row shorter than `", stringify!($bytes),
                " * (from + count)` bytes.",
            )]
            #[inline(always)]
            fn load_rows(token: Self::Token, rows: &[&[u8]; N], from: usize, count: usize) -> [Self; N] {
                let mut words = [Self::splat(token, 0); N];
                for i in 0..N {
                    words[i] = Self::load(token, &rows[i][$bytes * from..][..$bytes * count]);
                }
                Self::transpose(words)
            }

            $($more)*
        }
    };
}

mod of_u32 {
    use super::Token;
    word_trait!(U32xN, u32, 4 {
        /// The bytes of every lane in the opposite order.
        fn swap_bytes(self) -> Self;

        /// Bit by bit, `b` where `self` is 1 and `c` where it is 0 (`vpternlog`, `bsl`).
        #[inline(always)]
        fn select(self, b: Self, c: Self) -> Self {
            self.and(b).or(self.not().and(c))
        }

        /// Bit by bit, the value of at least two of the three (`vpternlog`).
        #[inline(always)]
        fn majority(self, b: Self, c: Self) -> Self {
            b.and(c).or(self.and(b.xor(c)))
        }

        /// Whether [`load_fours`](U32xN::load_fours) and [`store_fours`](U32xN::store_fours) need no shuffles, so that
        /// blocks are transposed with half as many as [`transpose`](U32xN::transpose) has.
        const FOURS: bool = false;

        /// Transposes 4 x 4 lanes: lane `i` of four lanes of word `j` becomes lane `j` of the same four of word `i`.
        ///
        /// # Panics
        /// If `N` is not a multiple of 4.
        #[inline(always)]
        fn transpose_fours(token: Self::Token, words: [Self; 4]) -> [Self; 4] {
            let (from, mut to) = (words.map(Self::to_array), [[0; N]; 4]);
            for i in 0..4 {
                for lane in 0..N {
                    to[i][lane] = from[lane % 4][lane - lane % 4 + i];
                }
            }
            to.map(|lanes| Self::from_array(token, lanes))
        }

        /// Four lanes from the 16 bytes at `first`, the next four from those at `first + step`, and so on.
        ///
        /// # Panics
        /// If there are fewer bytes.
        #[inline(always)]
        fn load_fours(token: Self::Token, bytes: &[u8], first: usize, step: usize) -> Self {
            let mut lanes = [0; N];
            for (i, four) in lanes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let (numbers, _) = bytes[first + i * step..][..16].as_chunks();
                for lane in 0..4 {
                    four[lane] = u32::from_le_bytes(numbers[lane]);
                }
            }
            Self::from_array(token, lanes)
        }

        /// The converse of [`load_fours`](U32xN::load_fours).
        ///
        /// # Panics
        /// If there are fewer bytes.
        #[inline(always)]
        fn store_fours(self, bytes: &mut [u8], first: usize, step: usize) {
            for (i, four) in self.to_array().as_chunks::<4>().0.iter().enumerate() {
                let (numbers, _) = bytes[first + i * step..][..16].as_chunks_mut();
                for lane in 0..4 {
                    numbers[lane] = four[lane].to_le_bytes();
                }
            }
        }
    });
}
mod of_u64 {
    use super::Token;
    word_trait!(U64xN, u64, 8 {
        /// The product of the lanes' low halves.
        fn mul_u32(self, b: Self) -> Self;
        /// Every lane shifted right by `K` bits, `K < 64`.
        fn shr<const K: u32>(self) -> Self;
        /// Every lane shifted left by `K` bits, `K < 64`.
        fn shl<const K: u32>(self) -> Self;
    });
}

pub use of_u32::U32xN;
pub use of_u64::U64xN;

/// A word with the operations that only Keccak-p\[1600, n\] (FIPS 202) needs.
pub trait KeccakWord<const N: usize>: U64xN<N> {
    /// Whether [`xor3`](U64xN::xor3) is one instruction, so that a sum of three should not be taken in two steps.
    const TERNARY: bool = false;
    /// Whether theta adds the two sums of an effect to each lane by [`xor3`](U64xN::xor3), instead of adding them to
    /// each other first. That takes five fewer operations a round, and five more registers.
    const MERGES_EFFECT: bool = Self::TERNARY;
    /// Whether `!b & c` is one instruction.
    const AND_NOT: bool = true;

    /// `self ^ (!b & c)`: a lane of the step chi (`vpternlog`, `bcax`).
    #[inline(always)]
    fn chi(self, b: Self, c: Self) -> Self {
        self.xor(b.not().and(c))
    }

    /// `self ^ rotl(b, 1)`: a column's effect in the step theta (`rax1`).
    #[inline(always)]
    fn rax1(self, b: Self) -> Self {
        self.xor(b.rotl::<1>())
    }

    /// [`rotl`](U64xN::rotl) that avoids the ports of vector instructions where the word can, for kernels that are
    /// bound by them. Its latency is higher.
    #[inline(always)]
    fn rotl_off_vector_ports<const K: u32>(self) -> Self {
        self.rotl::<K>()
    }

    /// [`load`](U64xN::load) of any number of bytes up to `8 * N`, as if zeros followed them.
    ///
    /// # Panics
    /// If there are more bytes.
    #[inline(always)]
    fn load_padded(token: Self::Token, bytes: &[u8]) -> Self {
        assert!(bytes.len() <= 8 * N, "more bytes than the word has");
        let (whole, rest) = bytes.as_chunks();
        let mut lanes = [0; N];
        for lane in 0..whole.len() {
            lanes[lane] = u64::from_le_bytes(whole[lane]);
        }
        // Byte by byte, since LLVM would make a copy of a few bytes a call of memcpy.
        for i in 0..rest.len() {
            lanes[whole.len()] |= u64::from(rest[i]) << (8 * i);
        }
        Self::from_array(token, lanes)
    }

    /// The lanes of four words, transposed: 32 bytes for each lane, the lane's number in each word.
    #[inline(always)]
    fn transpose_four(words: [Self; 4]) -> [[u8; 32]; N] {
        let mut rows = [[0; 32]; N];
        for word in 0..4 {
            let lanes = words[word].to_array();
            for lane in 0..N {
                rows[lane][8 * word..][..8].copy_from_slice(&lanes[lane].to_le_bytes());
            }
        }
        rows
    }

    /// The converse of [`load_padded`](Self::load_padded): the first bytes of the word, as many as there is room for.
    ///
    /// # Panics
    /// If there is room for more than the word has.
    #[inline(always)]
    fn store_truncated(self, bytes: &mut [u8]) {
        let lanes = self.to_array();
        let (whole, rest) = bytes.as_chunks_mut();
        for lane in 0..whole.len() {
            whole[lane] = lanes[lane].to_le_bytes();
        }
        for i in 0..rest.len() {
            rest[i] = (lanes[whole.len()] >> (8 * i)) as u8;
        }
    }
}

/// A word with the operations that only SM3's compression function (GB/T 32905-2016) needs.
pub trait Sm3Word<const N: usize>: U32xN<N> {
    /// [`select`](U32xN::select), where `self` is `parts[0] ^ parts[1]`: the function GG of the later rounds. A word
    /// may take the parts instead of `self`, because they are ready sooner.
    #[inline(always)]
    fn select_in_parts(self, _parts: [Self; 2], b: Self, c: Self) -> Self {
        self.select(b, c)
    }

    /// `self + majority(a, b, c)`: the function FF of the later rounds, added.
    #[inline(always)]
    fn add_majority(self, a: Self, b: Self, c: Self) -> Self {
        self.add(a.majority(b, c))
    }

    /// `self + C + b`; `b` may be the operand that is ready last.
    #[inline(always)]
    fn add_constant<const C: u32>(self, token: Self::Token, b: Self) -> Self {
        self.add(Self::splat(token, C)).add(b)
    }

    /// `self ^ rotl(self, I) ^ rotl(self, J)`: the permutations P0 and P1.
    #[inline(always)]
    fn xor_rotated<const I: u32, const J: u32>(self) -> Self {
        self.xor3(self.rotl::<I>(), self.rotl::<J>())
    }

    /// [`xor_rotated`](Self::xor_rotated), and two words of which it is the exclusive or.
    #[inline(always)]
    fn xor_rotated_and_parts<const I: u32, const J: u32>(self) -> (Self, [Self; 2]) {
        (self.xor_rotated::<I, J>(), [self.xor(self.rotl::<I>()), self.rotl::<J>()])
    }

    /// The lanes as numbers that are only kept in memory, for [`add_number`](Self::add_number).
    #[inline(always)]
    fn numbers(self) -> [u32; N] {
        self.to_array()
    }

    /// `self + number`, where `self` has one lane. The number may be an operand in memory.
    #[inline(always)]
    fn add_number(self, token: Self::Token, number: u32) -> Self {
        Self::splat(token, self.to_array()[0].wrapping_add(number))
    }
}

/// A word whose lanes are seen as rows of four: a 4 x 4 state in four words, `N / 4` states side by side.
pub trait Quads<const N: usize>: U32xN<N> {
    /// The same four numbers in every row.
    fn splat_row(token: Self::Token, row: [u32; 4]) -> Self;
    /// Every row rotated left by `K` lanes: lane `i` of a row takes lane `(i + K) % 4`; `0 < K < 4`.
    fn rotate_lanes<const K: usize>(self) -> Self;
    /// Lanes `K` to 3 of every row, and then the first `K` lanes of the same row of `next`; `0 < K < 4`.
    fn slide<const K: usize>(self, next: Self) -> Self;
    /// Transposes rows into states: the words hold rows 0 to 3 of `N / 4` states; the lanes of the result, word after
    /// word, are state 0, state 1, …
    fn states(rows: [Self; 4]) -> [Self; 4];
}

/// A word whose lanes are seen as pairs: `N / 2` numbers of 128 bits side by side.
pub trait Pairs<const N: usize>: U64xN<N> {
    /// The first lanes of all pairs, then the second lanes: `self[0], b[0], self[2], b[2], …` and
    /// `self[1], b[1], …`.
    fn transpose_pairs(self, b: Self) -> [Self; 2];
    /// Lane `i` is number `lanes[i]` of the lanes of `self` and then those of `b`. One or two instructions if the
    /// numbers are constants.
    ///
    /// # Panics
    /// If a number is `2 * N` or more.
    #[inline(always)]
    fn choose(self, token: Self::Token, b: Self, lanes: [usize; N]) -> Self {
        let from = [self.to_array(), b.to_array()];
        let mut chosen = [0; N];
        for i in 0..N {
            chosen[i] = from[lanes[i] / N][lanes[i] % N];
        }
        Self::from_array(token, chosen)
    }
}

/// A word that multiplies the low 52 bits of lanes; the bits above are ignored.
pub trait Products52<const N: usize>: Pairs<N> {
    /// `self` and the low 52 bits of the product `a b` (`vpmadd52luq`).
    fn add_low52(self, a: Self, b: Self) -> Self;
    /// `self` and the high 52 bits of the product `a b` (`vpmadd52huq`).
    fn add_high52(self, a: Self, b: Self) -> Self;
}

/// The number of lanes in so many bytes; panics if it is not a whole number or above `N`.
#[inline(always)]
#[allow(dead_code, reason = "only vector words use it")]
pub(crate) fn lanes_in<L, const N: usize>(bytes: usize) -> usize {
    let lanes = bytes / size_of::<L>();
    assert!(
        lanes <= N && bytes.is_multiple_of(size_of::<L>()),
        "not a whole number of lanes, or more than the word has"
    );
    lanes
}
