//! The generic bodies of the cipher and its key schedule, for the proofs alone.

extern crate alloc;

pub use super::bit_sliced::{Half, Plane};
pub use super::conditional_sums::ConditionalSums;
use super::constants::{INVERSE_TABLES, TABLES};
pub use super::eight_columns::RowGroups;
pub use super::few_blocks::{Columns8, InOrder};
pub use super::integers::Columns;
pub use super::schedule::Rounds;
use super::{
    bit_sliced, bit_sliced_s_boxes, byte_sliced, field, integers, kernels, products, schedule, schedule_avx512,
};
use crate::carryless::CarrylessKernel;
pub use crate::integer::Integer;
use crate::modes::symbolic::Blocks;
use alloc::vec::Vec;
use core::ops::{BitXor, Shl, Shr};
use fairlane_lanes::{Polynomials, RowsN, Table};

/// The S-boxes for words of bytes, and their inverses.
pub fn tables() -> [&'static [Table; 4]; 2] {
    [&TABLES, &INVERSE_TABLES]
}

/// Rounds of byte-sliced blocks of `C` columns, as many as there are keys.
#[inline(always)]
pub fn rounds<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    rows: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    byte_sliced::rounds::<W, N, C, DECRYPT>(token, rows, keys);
}

/// Rounds of decryption of two batches.
#[inline(always)]
pub fn inverse_rounds_of_two<W: RowsN<N>, const N: usize, const C: usize>(
    token: W::Token,
    x: &mut [W; 8],
    y: &mut [W; 8],
    keys: &[[u64; 8]],
) {
    byte_sliced::inverse_rounds_of_two::<W, N, C>(token, x, y, keys);
}

/// The key schedule, with rounds of the caller's.
pub fn schedule<T: Integer, const C: usize>(
    key: &[T::Bytes],
    keys: &mut [[T::Bytes; C]],
    run: impl Fn(Rounds<'_, T::Bytes, C>),
) {
    schedule::schedule::<T, C>(key, keys, run);
}

impl<B, const C: usize> Rounds<'_, B, C> {
    /// The same rounds of states in another form.
    pub fn converted<D>(self, to: impl Fn(&B) -> D, from: impl Fn(&D) -> B, run: impl FnOnce(Rounds<'_, D, C>)) {
        let convert = |states: &[[B; C]]| -> Vec<[D; C]> {
            states.iter().map(|state| core::array::from_fn(|i| to(&state[i]))).collect()
        };
        let (mut states, add, xor) = (convert(self.states), convert(self.add), convert(self.xor));
        run(Rounds { states: &mut states, add: &add, xor: &xor, third: self.third });
        for (state, new) in self.states.iter_mut().zip(&states) {
            *state = core::array::from_fn(|i| from(&new[i]));
        }
    }
}

/// Byte-sliced rounds of the key schedule.
pub fn byte_sliced_schedule_rounds<W: RowsN<N>, const N: usize, const C: usize>(
    token: W::Token,
    rounds: Rounds<'_, [u8; 8], C>,
) {
    kernels::schedule_rounds::<W, N, C>(token, rounds);
}

/// The key schedule in words of 64 bytes.
pub fn schedule_in_words<W: Columns8, const C: usize, const KEY: usize>(
    token: W::Token,
    key: &[[u8; 8]; KEY],
    keys: &mut [u8],
) {
    schedule_avx512::schedule::<W, C, KEY>(token, key, keys);
}

/// Rounds of the key schedule in integers.
pub fn integer_schedule_rounds<T: Columns, const C: usize>(rounds: Rounds<'_, T::Bytes, C>) {
    integers::rounds::<T, C>(rounds);
}

/// A block in integers.
pub fn integer_block<T: Columns, const C: usize, const DECRYPT: bool>(
    keys: &[[T::Bytes; C]],
    block: &[T::Bytes; C],
) -> [T::Bytes; C] {
    if DECRYPT {
        let mut keys = keys.to_vec();
        integers::inverse_keys::<T, C>(&mut keys);
        integers::decrypt::<T, C>(&keys, block)
    } else {
        integers::encrypt::<T, C>(keys, block)
    }
}

/// The planes of a bit-sliced batch of columns, combined with a key.
pub fn bit_sliced_load<T: Integer, const C: usize, const DECRYPT: bool>(
    key: &[T::Bytes; C],
    columns: &[T::Bytes; 128],
) -> [[Plane<T>; 8]; 8] {
    let mut x = [[Plane([T::of(0); 2]); 8]; 8];
    bit_sliced::load::<T, C, DECRYPT>(&mut x, key, columns);
    x
}

/// The columns of planes, combined with a key.
pub fn bit_sliced_store<T: Integer, const C: usize, const DECRYPT: bool>(
    mut x: [[Plane<T>; 8]; 8],
    key: &[T::Bytes; C],
    columns: &mut [T::Bytes; 128],
) {
    bit_sliced::store::<T, C, DECRYPT>(&mut x, key, columns);
}

/// Bit-sliced rounds; `spread` puts a bit of a key's column in all places.
pub fn bit_sliced_rounds<T: Half, K: Copy, const C: usize, const DECRYPT: bool>(
    x: &mut [[Plane<T>; 8]; 8],
    keys: &[[K; C]],
    spread: impl Fn(K, usize) -> T,
) {
    bit_sliced::rounds::<T, K, C, DECRYPT>(x, keys, spread);
}

/// S-box number `S`, or its inverse, on bit planes.
pub fn bit_sliced_substitute<T: Integer, const S: usize, const DECRYPT: bool>(bits: &mut [T; 8]) {
    bit_sliced_s_boxes::substitute::<T, S, DECRYPT>(bits, T::of);
}

/// A bit of a number in all places.
pub fn bit_sliced_spread<T: Integer>(x: T, bit: usize) -> T {
    bit_sliced::spread(x, bit)
}

/// A bit-sliced batch.
pub fn bit_sliced_batch<const C: usize, const DECRYPT: bool>(keys: &[[[u8; 8]; C]], columns: &mut [[u8; 8]; 128]) {
    bit_sliced::process::<C, DECRYPT>(keys, columns);
}

/// Byte-sliced blocks.
pub fn byte_sliced_blocks<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[[[u8; 8]; C]],
    blocks: &mut [u8],
) {
    kernels::byte_sliced::<W, N, C, DECRYPT>(token, keys, &mut Blocks(blocks), 0);
}

/// Eight columns at a time.
pub fn eight_columns<W: RowGroups, const C: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[[[u8; 8]; C]],
    blocks: &mut [u8],
) {
    kernels::eight_columns::<W, C, DECRYPT>(token, keys, &mut Blocks(blocks));
}

/// Blocks in the order of memory, up to `G` words at once.
pub fn few_blocks<W: InOrder<N>, const N: usize, const C: usize, const G: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[[[u8; 8]; C]],
    blocks: &mut [u8],
) {
    kernels::few_blocks::<W, N, C, G, DECRYPT>(token, keys, &mut Blocks(blocks), 0);
}

/// In the fields of GCM and GMAC: the sum of the products of blocks of `D` digits, the first after adding `sum`, with
/// powers, of which digit `e` of that for block `i` is `power(i, e)`, and in the lower half of `folded(i, e)` the sum
/// of both halves of it.
pub fn field_sum_of_products<W: Polynomials<N>, const N: usize, const D: usize>(
    token: W::Token,
    power: impl Fn(usize, usize) -> u128,
    folded: impl Fn(usize, usize) -> u128,
    sum: [u128; D],
    blocks: &[[[u8; 16]; D]],
) -> [u128; 8] {
    let mut powers = products::Powers::<D>::ZERO;
    // The highest power ends the group.
    let at = products::MAX_GROUP - D * blocks.len();
    for i in 0..blocks.len() {
        for e in 0..D {
            powers.digits[e][at + D * i..][..D].fill(power(i, e));
            powers.folded[e][at + D * i..][..D].fill(folded(i, e));
        }
    }
    products::sum_of_products::<W, N, D>(token, &powers, at, sum, blocks.as_flattened())
}

/// Reduces `2 * D` digits of 128 bits modulo the field's polynomial.
pub fn field_reduce<T, const D: usize>(total: &[T; 8]) -> [T; D]
where
    T: Copy + BitXor<Output = T> + Shl<u32, Output = T> + Shr<u32, Output = T>,
{
    field::reduce(total)
}

/// Powers of H in the fields of GCM and GMAC.
pub struct FieldPowers<const D: usize> {
    powers: products::Powers<D>,
    count: usize,
}

impl<const D: usize> FieldPowers<D> {
    /// The powers for groups of `WORDS` words of `N` digits.
    pub fn new<W, S, const N: usize, const WORDS: usize>(token: W::Token, h: [u128; D]) -> Self
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
        W::Token: Into<S::Token>,
    {
        let mut powers = products::Powers::ZERO;
        field::MakePowers { h, powers: &mut powers }.call::<W, S, N, WORDS>(token);
        Self { powers, count: N * WORDS / D }
    }

    /// The highest exponent.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Digit `e` of the power with exponent `i`, and in the lower half the sum of its halves, `D` times each.
    pub fn digit(&self, i: usize, e: usize) -> [[u128; D]; 2] {
        [&self.powers.digits, &self.powers.folded].map(|digits| {
            let at = (self.count - i) * D;
            core::array::from_fn(|copy| digits[e][at + copy])
        })
    }

    /// Absorbs whole blocks into a sum.
    pub fn absorb<W, S, const N: usize, const WORDS: usize>(
        &self,
        token: W::Token,
        sum: [u128; D],
        blocks: &[[[u8; 16]; D]],
    ) -> [u128; D]
    where
        W: Polynomials<N>,
        S: Polynomials<1>,
        W::Token: Into<S::Token>,
    {
        let absorb = field::Absorb { powers: &self.powers, sum, digits: blocks.as_flattened() };
        absorb.call::<W, S, N, WORDS>(token)
    }
}
