//! The rounds' generic bodies, for the proofs alone.

use super::bitsliced;
use super::kernels::{ByteSliced, WordSliced};
use super::rounds::{self, ByteSlicedKeys};
use super::sbox::BEFORE;
pub use crate::integer::Integer;
use crate::modes::symbolic::Blocks;
use fairlane_lanes::{Kernel, U8xN};

/// The constant that is added to the inner round keys.
pub const KEY_CONSTANT: u8 = BEFORE;

/// To inner bytes.
#[inline(always)]
pub fn to_inner<W: U8xN<N>, const N: usize>(x: W) -> W {
    rounds::to_inner(x)
}

/// From inner bytes.
#[inline(always)]
pub fn from_inner<W: U8xN<N>, const N: usize>(x: W) -> W {
    rounds::from_inner(x)
}

/// `G` groups of word-sliced blocks in inner bytes.
#[inline(always)]
pub fn word_sliced<W: U8xN<N>, const N: usize, const G: usize>(
    key: impl Fn(usize, usize) -> W,
    blocks: &mut [[W; 4]; G],
) {
    rounds::word_sliced(key, blocks);
}

/// Byte-sliced blocks in inner bytes. `V` is a word that lays out the round keys, which are inner, too.
#[inline(always)]
pub fn byte_sliced<W: U8xN<N>, V: U8xN<16>, const N: usize>(
    token: W::Token,
    layout: V::Token,
    keys: &[u32; 32],
    blocks: &mut [W; 16],
) {
    let mut sliced = ByteSlicedKeys::EMPTY;
    sliced.fill::<V>(layout, |r| keys[r]);
    rounds::byte_sliced(token, &sliced, blocks);
}

/// Word-sliced blocks in memory, with inner round keys.
pub fn word_sliced_blocks<W: U8xN<N>, const N: usize, const G: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[u32; 32],
    blocks: &mut [u8],
) {
    WordSliced::<W, _, N, G, DECRYPT>::new(keys, &mut Blocks(blocks), 0).call(token);
}

/// Byte-sliced blocks in memory, with inner round keys, which `V` lays out.
pub fn byte_sliced_blocks<W: U8xN<N>, V: U8xN<16, Token = W::Token>, const N: usize, const DECRYPT: bool>(
    token: W::Token,
    keys: &[u32; 32],
    blocks: &mut [u8],
) {
    ByteSliced::<W, V, _, N, DECRYPT>::new(keys, &mut Blocks(blocks), 0).call(token);
}

/// The key schedule; `store` takes each inner round key.
#[inline(always)]
pub fn schedule<W: U8xN<N>, const N: usize>(token: W::Token, key: [W; 4], store: impl FnMut(usize, W)) {
    rounds::schedule(token, key, store);
}

/// The bit-sliced key schedule.
pub fn bitsliced_schedule(key: &[u8; 16]) -> [u32; 32] {
    let mut keys = [0; 32];
    bitsliced::schedule(key, &mut keys);
    keys
}

/// Sixteen bit-sliced blocks.
pub fn bitsliced_crypt(keys: &[u32; 32], blocks: &mut [[u8; 16]; 16]) {
    bitsliced::crypt(&keys.map(bitsliced::splat), blocks);
}

/// The bit-sliced S-box of the bytes whose bit `i` is in plane `i`.
pub fn bitsliced_s_box<T: Integer>(planes: [T; 8]) -> [T; 8] {
    bitsliced::s_box(planes)
}

/// The bit-sliced rounds; the words come out in the opposite order.
pub fn bitsliced_rounds<T: Integer>(keys: &[[T; 8]; 32], x: &mut [[T; 8]; 4]) {
    bitsliced::rounds(keys, x);
}

/// The bit-sliced key schedule from the sums of a key's words with FK; `store` takes each round key.
pub fn bitsliced_schedule_rounds<T: Integer>(key: &mut [[T; 8]; 4], store: impl FnMut(usize, &[T; 8])) {
    bitsliced::schedule_rounds(key, store);
}

/// The planes of a word that is the same in all blocks.
pub fn splat(word: u32) -> [u64; 8] {
    bitsliced::splat(word)
}

/// The word of block 0, its first byte the least significant one.
pub fn unsplat<T: Integer>(planes: &[T; 8]) -> T {
    bitsliced::unsplat(planes)
}

/// The planes of four bytes of each block, the first one the least significant one.
pub fn slice<T: Integer>(bytes: &[T; 16]) -> [T; 8] {
    bitsliced::slice(bytes)
}

/// The inverse of [`slice`].
pub fn unslice<T: Integer>(planes: [T; 8]) -> [T; 16] {
    bitsliced::unslice(planes)
}
