//! SM4 in integers without tables: sixteen bitsliced blocks.
//!
//! Plane `k` of a word holds bit `k` of its bytes: bit `16 * b + i` of the plane is that of byte `b` in block `i`,
//! where byte 0 is the most significant one, so that a rotation of words by bytes is a rotation of planes by multiples
//! of 16. The S-box follows its definition (see `sbox`): an affine map, the inversion, and the affine map again. The
//! inversion is computed in a tower of fields.

use super::rounds::{CK, FK};
use super::sbox::{A, C, MODULUS};
use crate::integer::Integer;
use crate::inversion::{Matrix, add, affine, in_tower, invert, isomorphism};

/// Blocks that are processed at once; fewer take as long.
pub(super) const BLOCKS: usize = 16;

/// One word of sixteen blocks.
pub(super) type Planes<T = u64> = [T; 8];

/// Round keys as the standard defines them.
pub(super) type Keys = [u32; 32];

const TO_TOWER: Matrix = isomorphism!(MODULUS, in_tower);
/// Into the tower, after the affine map.
const ENTER: [u8; 8] = TO_TOWER.after(A).0;
/// Out of the tower, before the affine map.
const LEAVE: [u8; 8] = A.after(TO_TOWER.inverse()).0;
/// What the affine map adds, in the tower.
const ENTER_PLUS: u8 = TO_TOWER.apply(C);

#[inline(always)]
pub(super) fn s_box<T: Integer>(x: Planes<T>) -> Planes<T> {
    let inner: Planes<T> = affine!(ENTER, ENTER_PLUS, x, T::of);
    let inverse = invert(inner);
    affine!(LEAVE, C, inverse, T::of)
}

/// Words rotated left by `by` bits.
#[inline(always)]
fn rotl<T: Integer>(x: &Planes<T>, by: usize) -> Planes<T> {
    let mut rotated = *x;
    for k in 0..8 {
        let bytes = by / 8 + usize::from(k < by % 8);
        rotated[k] = x[(k + 8 - by % 8) % 8].rotate_right(16 * bytes as u32);
    }
    rotated
}

/// Adds L (section 6.2) or, for the `key` schedule, L' of the S-boxes of `t` to `x`.
#[inline(always)]
fn add_t<T: Integer>(x: &mut Planes<T>, t: Planes<T>, key: bool) {
    let s = s_box(t);
    *x = add(*x, s);
    if key {
        *x = add(add(*x, rotl(&s, 13)), rotl(&s, 23));
    } else {
        *x = add(add(*x, rotl(&s, 2)), rotl(&s, 10));
        *x = add(add(*x, rotl(&s, 18)), rotl(&s, 24));
    }
}

/// A word that is the same in all blocks.
#[inline(always)]
pub(super) fn splat(word: u32) -> Planes {
    let mut planes = [0; 8];
    for k in 0..8 {
        planes[k] = spread_bytes(u64::from(word.swap_bytes() >> k & 0x0101_0101)) * 0xffff;
    }
    planes
}

/// [`splat`] of what is no secret.
#[inline(always)]
fn constant<T: Integer>(word: u32) -> Planes<T> {
    let numbers = splat(word);
    let mut planes = [T::of(0); 8];
    for k in 0..8 {
        planes[k] = T::of(numbers[k]);
    }
    planes
}

/// Four bytes with a byte of zeros after each.
#[inline(always)]
fn spread_bytes<T: Integer>(x: T) -> T {
    let x = x & T::of(0xffff) | (x & T::of(0xffff_0000)) << 16;
    x & T::of(0x0000_00ff_0000_00ff) | (x & T::of(0x0000_ff00_0000_ff00)) << 8
}

/// The inverse of [`spread_bytes`], of whatever stands in the bytes of zeros.
#[inline(always)]
fn gather_bytes<T: Integer>(x: T) -> T {
    let x = x & T::of(0x0000_00ff_0000_00ff) | x >> 8 & T::of(0x0000_ff00_0000_ff00);
    x & T::of(0xffff) | x >> 16
}

/// Bit `k` of every byte of number `r` becomes bit `r` of the same byte of number `k`: its own inverse.
#[inline(always)]
fn transpose<T: Integer>(x: &mut Planes<T>) {
    for (by, mask) in [(4, 0x0f0f_0f0f_0f0f_0f0f), (2, 0x3333_3333_3333_3333), (1, 0x5555_5555_5555_5555)] {
        for r in 0..8 {
            if r & by == 0 {
                let swapped = (x[r] >> by as u32 ^ x[r | by]) & T::of(mask);
                x[r | by] = x[r | by] ^ swapped;
                x[r] = x[r] ^ swapped << by as u32;
            }
        }
    }
}

/// The planes of one word of each block.
#[inline(always)]
pub(super) fn to_planes(words: &[u32; BLOCKS]) -> Planes {
    let mut bytes = [0; BLOCKS];
    for i in 0..BLOCKS {
        bytes[i] = words[i].swap_bytes().into();
    }
    slice(&bytes)
}

/// The planes of four bytes of each block, byte 0 the least significant one.
#[inline(always)]
pub(super) fn slice<T: Integer>(bytes: &[T; BLOCKS]) -> Planes<T> {
    let mut planes = [bytes[0]; 8];
    for r in 0..8 {
        planes[r] = spread_bytes(bytes[r]) | spread_bytes(bytes[r + 8]) << 8;
    }
    transpose(&mut planes);
    planes
}

/// The inverse of [`slice`].
#[inline(always)]
pub(super) fn unslice<T: Integer>(planes: Planes<T>) -> [T; BLOCKS] {
    let mut rows = planes;
    transpose(&mut rows);
    let mut bytes = [rows[0]; BLOCKS];
    for r in 0..8 {
        bytes[r] = gather_bytes(rows[r]);
        bytes[r + 8] = gather_bytes(rows[r] >> 8);
    }
    bytes
}

/// Word `w` of all blocks.
#[inline(always)]
fn load(blocks: &[[u8; 16]; BLOCKS], w: usize) -> Planes {
    let mut bytes = [0; BLOCKS];
    for i in 0..BLOCKS {
        let (words, _) = blocks[i].as_chunks();
        bytes[i] = u32::from_le_bytes(words[w]).into();
    }
    slice(&bytes)
}

#[inline(always)]
fn store(planes: Planes, blocks: &mut [[u8; 16]; BLOCKS], w: usize) {
    let bytes = unslice(planes);
    for i in 0..BLOCKS {
        blocks[i][4 * w..][..4].copy_from_slice(&(bytes[i] as u32).to_le_bytes());
    }
}

/// The key schedule, section 7.3.
pub(super) fn schedule(key: &[u8; 16], keys: &mut Keys) {
    let (words, _) = key.as_chunks();
    let mut k = [[0; 8]; 4];
    for i in 0..4 {
        k[i] = splat(u32::from_be_bytes(words[i]) ^ FK[i]);
    }
    schedule_rounds(&mut k, |i, key| keys[i] = (unsplat(key) as u32).swap_bytes());
    // The last four round keys, from which the key follows.
    k = [[0; 8]; 4];
    zeroize::optimization_barrier(&k);
}

/// The key schedule from the sums of a key's words with FK; `store` takes each round key.
#[inline(always)]
pub(super) fn schedule_rounds<T: Integer>(k: &mut [Planes<T>; 4], mut store: impl FnMut(usize, &Planes<T>)) {
    for i in 0..32 {
        let t = add(add(k[(i + 1) % 4], k[(i + 2) % 4]), add(k[(i + 3) % 4], constant(CK[i])));
        add_t(&mut k[i % 4], t, true);
        store(i, &k[i % 4]);
    }
}

/// The word of block 0, byte 0 the least significant one.
#[inline(always)]
pub(super) fn unsplat<T: Integer>(planes: &Planes<T>) -> T {
    let mut word = T::of(0);
    for k in 0..8 {
        word = word | gather_bytes(planes[k] & T::of(0x0001_0001_0001_0001)) << k as u32;
    }
    word
}

/// Encrypts sixteen blocks; decrypts them with the keys in reverse order.
pub(super) fn crypt(keys: &[Planes; 32], blocks: &mut [[u8; 16]; BLOCKS]) {
    let mut x = [load(blocks, 0), load(blocks, 1), load(blocks, 2), load(blocks, 3)];
    rounds(keys, &mut x);
    for w in 0..4 {
        store(x[3 - w], blocks, w);
    }
}

/// The rounds of section 6.1. The words come out in the opposite order.
#[inline(always)]
pub(super) fn rounds<T: Integer>(keys: &[Planes<T>; 32], x: &mut [Planes<T>; 4]) {
    for i in 0..8 {
        macro_rules! rounds {
            ($($r:literal: $a:literal $b:literal $c:literal $d:literal),*) => {$(
                let t = add(add(x[$b], x[$c]), add(x[$d], keys[4 * i + $r]));
                add_t(&mut x[$a], t, false);
            )*};
        }
        rounds!(0: 0 1 2 3, 1: 1 2 3 0, 2: 2 3 0 1, 3: 3 0 1 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole domain of the S-box, against the standard's table as the reference has it.
    #[test]
    fn the_inversion_in_the_tower_inverts() {
        for x in 0..=255_u8 {
            let planes = core::array::from_fn(|k| u64::from(x >> k & 1));
            let inverse = (0..8).fold(0, |y, k| y | (invert(planes)[k] as u8 & 1) << k);
            assert_eq!(in_tower(x, inverse), u8::from(x != 0), "{x}");
        }
    }
}
