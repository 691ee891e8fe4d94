//! Words of lanes for the kernels: the traits of `fairlane_lanes` for [`Lane`]s.
//!
//! The traits of words are open, and only tokens are sealed. A word of one's own under the token of plain integers is
//! safe code: it needs no feature of any CPU.

use crate::lane::{Lane, Plain, mask};
use crate::mutation;
use fairlane::kalyna::symbolic::{Columns8, InOrder, RowGroups};
use fairlane_lanes::{
    BlocksN, KeccakWord, Pairs, Polynomials, Products52, Quads, RowsN, Scalar, Sm3Word, Table, U8xN, U32xN, U64xN,
};
use std::array::from_fn;
use std::sync::LazyLock;

/// Plain words: and-not is one operation.
pub const AND_NOT: u8 = 0;
/// And-not is two operations.
pub const NO_AND_NOT: u8 = 1;
/// A sum of three is one operation, and so is and-not; there are 32 registers.
pub const TERNARY: u8 = 2;
/// As [`TERNARY`], but Keccak's theta adds an effect's two sums to each other before it adds them to lanes.
pub const TERNARY_EFFECT_FIRST: u8 = 6;

/// `N` lanes of `BITS` bits. `SHAPE` chooses between the forms of a kernel that depend on the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<L, const BITS: u32, const N: usize, const SHAPE: u8 = AND_NOT>(pub [L; N]);

/// A word made of the given numbers.
pub(crate) fn model<const BITS: u32, const N: usize>(x: [impl Into<u128>; N]) -> Word<Plain, BITS, N> {
    Word(x.map(|x| Plain::constant(BITS, x.into())))
}

/// The numbers of a model.
pub(crate) fn plain<const BITS: u32, const N: usize>(word: Word<Plain, BITS, N>) -> [u128; N] {
    word.0.map(Plain::value)
}

/// The bytes of a word.
pub(crate) fn value<W: BlocksN<N>, const N: usize>(word: W) -> [u128; N] {
    let mut bytes = [0; N];
    word.store(&mut bytes);
    bytes.map(u128::from)
}

impl<L: Lane, const BITS: u32, const N: usize, const SHAPE: u8> Word<L, BITS, N, SHAPE> {
    // Loops, and functions by reference: for arrays' `map`, and for each function, there would be much to compile.
    #[inline(never)]
    pub(crate) fn each(mut self, f: &dyn Fn(L) -> L) -> Self {
        for lane in &mut self.0 {
            *lane = f(*lane);
        }
        self
    }

    #[inline(never)]
    pub(crate) fn zip(mut self, b: Self, f: &dyn Fn(L, L) -> L) -> Self {
        for i in 0..N {
            self.0[i] = f(self.0[i], b.0[i]);
        }
        self
    }

    #[inline(never)]
    fn constants(x: &dyn Fn(usize) -> u128) -> Self {
        let altered = L::constant(BITS, mutation::here("a constant's lowest bit").into());
        let mut lanes = [altered; N];
        for (i, lane) in lanes.iter_mut().enumerate() {
            *lane = L::constant(BITS, x(i)).xor(altered);
        }
        Self(lanes)
    }

    #[inline(never)]
    fn rotated(self, by: u32) -> Self {
        self.each(&|x| x.rotl(by))
    }
}

/// What words of numbers have in common.
macro_rules! number_word {
    ($trait:ident, $lane:ident, $bits:literal { $($more:tt)* }) => {
        impl<L: Lane, const N: usize, const SHAPE: u8> $trait<N> for Word<L, $bits, N, SHAPE> {
            type Token = Scalar;

            const REGISTERS: usize = if SHAPE & 2 != 0 { 32 } else { 16 };

            #[inline(never)]
            fn splat(_: Scalar, x: $lane) -> Self {
                Self::constants(&|_| x.into())
            }
            #[inline(never)]
            fn from_array(_: Scalar, x: [$lane; N]) -> Self {
                Self::constants(&|i| x[i].into())
            }
            fn to_array(self) -> [$lane; N] {
                panic!("a kernel looked at a value")
            }
            /// Numbers in memory may be names of terms.
            fn load(_: Scalar, bytes: &[u8]) -> Self {
                let (numbers, _) = bytes.as_chunks();
                Self(from_fn(|i| match numbers.get(i) {
                    Some(number) => L::constant($bits, $lane::from_le_bytes(*number).into()),
                    None => L::constant($bits, 0),
                }))
            }
            fn store(self, bytes: &mut [u8]) {
                let (numbers, _) = bytes.as_chunks_mut();
                for (number, lane) in numbers.iter_mut().zip(self.0) {
                    *number = (lane.number() as $lane).to_le_bytes();
                }
            }
            #[inline(never)]
            fn transpose(words: [Self; N]) -> [Self; N] {
                from_fn(|i| Self(from_fn(|j| words[j].0[i])))
            }
            #[inline(never)]
            fn xor(self, b: Self) -> Self {
                if mutation::here("or for exclusive or") { self.zip(b, &L::or) } else { self.zip(b, &L::xor) }
            }
            #[inline(never)]
            fn and(self, b: Self) -> Self {
                if mutation::here("or for and") { self.zip(b, &L::or) } else { self.zip(b, &L::and) }
            }
            #[inline(never)]
            fn or(self, b: Self) -> Self {
                if mutation::here("and for or") { self.zip(b, &L::and) } else { self.zip(b, &L::or) }
            }
            #[inline(never)]
            fn not(self) -> Self {
                if mutation::here("no complement") { self } else { self.each(&L::not) }
            }
            #[inline(never)]
            fn add(self, b: Self) -> Self {
                if mutation::here("a sum without carries") { self.zip(b, &L::xor) } else { self.zip(b, &L::add) }
            }
            #[inline(never)]
            fn sub(self, b: Self) -> Self {
                if mutation::here("operands swapped") { b.zip(self, &L::sub) } else { self.zip(b, &L::sub) }
            }
            #[inline(never)]
            fn rotl<const K: u32>(self) -> Self {
                let by = K + u32::from(mutation::here("a rotation one further"));
                self.rotated(by)
            }
            $($more)*
        }
    };
}

number_word!(U32xN, u32, 32 {
    #[inline(never)]
    fn swap_bytes(self) -> Self {
        self.each(&|x| x.slice(24, 8).concat(x.slice(16, 8)).concat(x.slice(8, 8)).concat(x.slice(0, 8)))
    }
});
number_word!(U64xN, u64, 64 {
    fn mul_u32(self, b: Self) -> Self {
        let low = |x: L| x.slice(0, 32).number();
        self.zip(b, &|x, y| L::constant(64, low(x) * low(y)))
    }
    #[inline(never)]
    fn shr<const K: u32>(self) -> Self {
        let by = K + u32::from(mutation::here("a shift one further"));
        self.each(&|x| x.shr(by))
    }
    #[inline(never)]
    fn shl<const K: u32>(self) -> Self {
        let by = K + u32::from(mutation::here("a shift one further"));
        self.each(&|x| x.shl(by))
    }
});

impl<L: Lane, const N: usize, const SHAPE: u8> KeccakWord<N> for Word<L, 64, N, SHAPE> {
    const TERNARY: bool = SHAPE & 2 != 0;
    const MERGES_EFFECT: bool = SHAPE & 6 == 2;
    const AND_NOT: bool = SHAPE & 1 == 0;
}

impl<L: Lane, const N: usize, const SHAPE: u8> Sm3Word<N> for Word<L, 32, N, SHAPE> {
    fn numbers(self) -> [u32; N] {
        self.0.map(|lane| lane.number() as u32)
    }
    fn add_number(self, _: Scalar, number: u32) -> Self {
        // A number in memory may be the name of a term.
        self.add(Self([L::constant(32, number.into()); N]))
    }
}

impl<L: Lane, const N: usize, const SHAPE: u8> Quads<N> for Word<L, 32, N, SHAPE> {
    #[inline(never)]
    fn splat_row(_: Scalar, row: [u32; 4]) -> Self {
        Self::constants(&|i| row[i % 4].into())
    }
    #[inline(never)]
    fn rotate_lanes<const K: usize>(self) -> Self {
        let by = K + usize::from(mutation::here("lanes rotated one further"));
        Self(from_fn(|i| self.0[i / 4 * 4 + (i + by) % 4]))
    }
    #[inline(never)]
    fn slide<const K: usize>(self, next: Self) -> Self {
        Self(from_fn(|i| if i % 4 + K < 4 { self.0[i + K] } else { next.0[i + K - 4] }))
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

/// On numbers alone: products are proved in `poly1305`, on integers.
impl<L: Lane, const N: usize, const SHAPE: u8> Products52<N> for Word<L, 64, N, SHAPE> {
    fn add_low52(self, a: Self, b: Self) -> Self {
        let product = a.zip(b, &|x, y| L::constant(64, product52(x, y) & mask(52)));
        self.zip(product, &L::add)
    }
    fn add_high52(self, a: Self, b: Self) -> Self {
        let product = a.zip(b, &|x, y| L::constant(64, product52(x, y) >> 52));
        self.zip(product, &L::add)
    }
}

fn product52<L: Lane>(a: L, b: L) -> u128 {
    a.slice(0, 52).number() * b.slice(0, 52).number()
}

/// Bytes are taken eight at a time, least significant first, and given back so.
fn on_columns<L: Lane, const N: usize>(a: [L; N], b: [L; N], f: impl Fn(L, L) -> L) -> [L; N] {
    let mut out = a;
    for at in (0..N).step_by(8) {
        let join = |bytes: &[L]| L::join(&bytes[..8]);
        let column = f(join(&a[at..]), join(&b[at..]));
        for i in 0..8 {
            out[at + i] = column.slice(8 * i as u32, 8);
        }
    }
    out
}

impl<L: Lane, const N: usize> BlocksN<N> for Word<L, 8, N> {
    type Token = Scalar;

    fn splat_block(_: Scalar, block: [u8; 16]) -> Self {
        let bytes: [u8; N] = from_fn(|i| block[i % 16]);
        Self::load(Scalar::PROOF, &bytes)
    }
    /// Eight bytes in memory are a number, which may be the name of a term.
    fn load(_: Scalar, bytes: &[u8]) -> Self {
        assert!(N.is_multiple_of(8), "a kernel read memory");
        let column = |i: usize| {
            let mut column = [0; 8];
            let bytes = bytes.get(8 * i..).unwrap_or(&[]);
            column.iter_mut().zip(bytes).for_each(|(to, byte)| *to = *byte);
            L::constant(64, u64::from_le_bytes(column).into())
        };
        Self(from_fn(|i| column(i / 8).slice(8 * (i as u32 % 8), 8)))
    }
    fn store(self, bytes: &mut [u8]) {
        if self.0[0].is_number() {
            for (byte, lane) in bytes.iter_mut().zip(self.0) {
                *byte = lane.number() as u8;
            }
            return;
        }
        for (bytes, lanes) in bytes.chunks_mut(8).zip(self.0.chunks(8)) {
            assert_eq!(bytes.len(), 8, "a kernel wrote a part of a column");
            let column = L::join(lanes);
            bytes.copy_from_slice(&(column.number() as u64).to_le_bytes());
        }
    }
    #[inline(never)]
    fn xor(self, b: Self) -> Self {
        if mutation::here("or for exclusive or") { self.zip(b, &L::or) } else { self.zip(b, &L::xor) }
    }
    fn counters(_: Scalar, _: [u8; 16], _: u32) -> Self {
        panic!("counters belong to modes")
    }
    fn mul_x<const K: u32>(self) -> Self {
        panic!("multiplication by x belongs to modes")
    }
    fn reverse_bits(self) -> Self {
        panic!("reversed bits belong to modes")
    }
}

/// The inverses in AES's field, as a table.
pub static INVERSES: LazyLock<[u8; 256]> = LazyLock::new(|| {
    let product =
        |a: u8, b: u8| (0..8).rev().fold(0_u8, |sum, i| (sum << 1) ^ ((sum >> 7) * 0x1b) ^ ((b >> i & 1) * a));
    from_fn(|a| (0..=255).find(|b| product(a as u8, *b) == 1).unwrap_or(0))
});

impl<L: Lane, const N: usize> U8xN<N> for Word<L, 8, N> {
    #[inline(never)]
    fn splat_u32(_: Scalar, bytes: u32) -> Self {
        let altered = u128::from(L::HAS_FAULTS && mutation::here("a constant's lowest bit"));
        let number = L::constant(32, bytes.into()).xor(L::constant(32, altered));
        Self(from_fn(|i| number.slice(8 * (i as u32 % 4), 8)))
    }
    fn counter_column(_: Scalar, _: u32) -> Self {
        panic!("counters belong to modes")
    }
    #[inline(never)]
    fn affine<const M: u64, const C: i32>(self) -> Self {
        let c = C as u8 ^ u8::from(mutation::here("an affine map's constant"));
        self.each(&|x| x.affine(M, c))
    }
    #[inline(never)]
    fn inverse_affine<const M: u64, const C: i32>(self) -> Self {
        let c = C as u8 ^ u8::from(mutation::here("the constant after an inversion"));
        self.each(&|x| x.entry(&INVERSES).affine(M, c))
    }
    #[inline(never)]
    fn rotate_bytes<const K: usize>(self) -> Self {
        let by = K + usize::from(mutation::here("bytes rotated one further"));
        Self(from_fn(|i| self.0[i / 4 * 4 + (i + by) % 4]))
    }
    fn broadcast_bytes<const K: usize>(self) -> Self {
        Self(from_fn(|i| self.0[i / 16 * 16 + 4 * K + i % 16 / 4]))
    }
    fn transpose4(words: [Self; 4]) -> [Self; 4] {
        from_fn(|i| Self(from_fn(|at| words[at % 16 / 4].0[at / 16 * 16 + 4 * i + at % 4])))
    }
    fn interleave(self, b: Self) -> [Self; 2] {
        from_fn(|half| Self(from_fn(|i| [self, b][i % 2].0[i / 16 * 16 + 8 * half + i % 16 / 2])))
    }
}

impl<L: Lane, const N: usize> RowsN<N> for Word<L, 8, N> {
    #[inline(never)]
    fn look_up(self, table: &Table) -> Self {
        let mut entries = *table.entries();
        if mutation::here("a table's entry 7") {
            entries[7] ^= 1;
        }
        self.each(&|x| x.entry(&entries))
    }
    #[inline(never)]
    fn splat_u64(_: Scalar, bytes: u64) -> Self {
        let altered = u128::from(mutation::here("a constant's lowest bit"));
        let number = L::constant(64, bytes.into()).xor(L::constant(64, altered));
        Self(from_fn(|i| number.slice(8 * (i as u32 % 8), 8)))
    }
    #[inline(never)]
    fn add64(self, b: Self) -> Self {
        let altered = mutation::here("a sum without carries");
        Self(on_columns(self.0, b.0, if altered { L::xor } else { L::add }))
    }
    #[inline(never)]
    fn sub64(self, b: Self) -> Self {
        let (a, b) = if mutation::here("operands swapped") { (b, self) } else { (self, b) };
        Self(on_columns(a.0, b.0, L::sub))
    }
    #[inline(never)]
    fn shuffle(self, order: &'static [u8; 16]) -> Self {
        let by = usize::from(mutation::here("an order one further"));
        Self(from_fn(|i| self.0[i / 16 * 16 + usize::from(order[(i + by) % 16])]))
    }
    fn transpose_columns(_: Scalar, columns: &[[u8; 8]]) -> [u64; 8] {
        let columns: Vec<L> =
            columns.iter().map(|column| L::constant(64, u64::from_le_bytes(*column).into())).collect();
        from_fn(|row| {
            let byte = |i: usize| columns[i % columns.len()].slice(8 * row as u32, 8);
            L::join(&from_fn::<_, 8, _>(byte)).number() as u64
        })
    }
}

impl<L: Lane, const N: usize> InOrder<N> for Word<L, 8, N> {
    #[inline(never)]
    fn permute(self, order: &'static [u8; 64]) -> Self {
        let by = usize::from(mutation::here("an order one further"));
        Self(from_fn(|i| self.0[usize::from(order[(i + by) % N])]))
    }
    fn repeat(_: Scalar, columns: &[[u8; 8]]) -> Self {
        let bytes: [u8; N] = from_fn(|i| columns.as_flattened()[i % (8 * columns.len())]);
        Self::load(Scalar::PROOF, &bytes)
    }
    #[inline(never)]
    fn look_up_by_4(self, tables: &[Table; 4]) -> Self {
        let mut entries = from_fn::<_, 4, _>(|i| *tables[i].entries());
        if mutation::here("a table's entry 7") {
            entries[2][7] ^= 1;
        }
        Self(from_fn(|i| self.0[i].entry(&entries[i % 4])))
    }
}

impl<L: Lane> RowGroups for Word<L, 8, 32> {
    #[inline(never)]
    fn look_up_by_group(self, tables: &[Table; 4]) -> Self {
        let mut entries = from_fn::<_, 4, _>(|i| *tables[i].entries());
        if mutation::here("a table's entry 7") {
            entries[2][7] ^= 1;
        }
        Self(from_fn(|i| self.0[i].entry(&entries[i / 8])))
    }
    #[inline(never)]
    fn rotate_groups<const K: usize>(words: [Self; 2]) -> [Self; 2] {
        let by = 8 * (K + usize::from(mutation::here("groups rotated one further")));
        let all = words.map(|word| word.0);
        from_fn(|at| Self(from_fn(|i| all.as_flattened()[(32 * at + i + by) % 64])))
    }
    fn transpose_groups(words: [Self; 2]) -> [Self; 2] {
        let all = words.map(|word| word.0);
        from_fn(|at| Self(from_fn(|i| all.as_flattened()[i % 8 * 8 + 4 * at + i / 8])))
    }
}

impl<L: Lane> Columns8 for Word<L, 8, 64> {
    #[inline(never)]
    fn permute_with(self, b: Self, order: &'static [u8; 64]) -> Self {
        let all = if mutation::here("operands swapped") { [b.0, self.0] } else { [self.0, b.0] };
        Self(from_fn(|i| all.as_flattened()[usize::from(order[i])]))
    }
    #[inline(never)]
    fn repeat_numbers(_: Scalar, numbers: &[u64]) -> Self {
        let altered = u64::from(mutation::here("a constant's lowest bit"));
        let columns: Vec<[u8; 8]> = numbers.iter().map(|number| (number ^ altered).to_le_bytes()).collect();
        Self::repeat(Scalar::PROOF, &columns)
    }
}

impl<L: Lane, const N: usize> Polynomials<N> for Word<L, 128, N> {
    type Token = Scalar;

    fn splat(_: Scalar, x: u128) -> Self {
        Self::constants(&|_| x)
    }
    fn from_array(_: Scalar, x: [u128; N]) -> Self {
        Self::constants(&|i| x[i])
    }
    fn to_array(self) -> [u128; N] {
        panic!("a kernel looked at a value")
    }
    fn load_be(_: Scalar, _: &[[u8; 16]]) -> Self {
        panic!("a kernel read memory")
    }
    fn load_le(_: Scalar, _: &[[u8; 16]]) -> Self {
        panic!("a kernel read memory")
    }
    #[inline(never)]
    fn xor(self, b: Self) -> Self {
        if mutation::here("no exclusive or") { self } else { self.zip(b, &L::xor) }
    }
    #[inline(never)]
    fn swap_halves(self) -> Self {
        if mutation::here("halves not exchanged") { self } else { self.each(&|x| x.rotl(64)) }
    }
    fn shift_left_64(self) -> Self {
        self.each(&|x| x.shl(64))
    }
    fn shift_right_64(self) -> Self {
        self.each(&|x| x.shr(64))
    }
    #[inline(never)]
    fn mul_low(self, b: Self) -> Self {
        let by = if mutation::here("the upper half multiplied") { 64 } else { 0 };
        let zero = || L::constant(64, 0);
        self.zip(b, &|x, y| x.slice(by, 64).concat(zero()).carryless_product(y.slice(0, 64).concat(zero())))
    }
    #[inline(never)]
    fn mul_high(self, b: Self) -> Self {
        let by = if mutation::here("the lower half multiplied") { 0 } else { 64 };
        let zero = || L::constant(64, 0);
        self.zip(b, &|x, y| x.slice(by, 64).concat(zero()).carryless_product(y.slice(64, 64).concat(zero())))
    }
    fn sum(self) -> u128 {
        panic!("a kernel looked at a value")
    }
}
