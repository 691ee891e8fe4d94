//! SM4 with instructions for four of its rounds (backend `sm4-ni`), on blocks in the order of memory. The round keys
//! are the standard's.
//!
//! No machine that this was written on has the instructions. It is compiled for them, and tested with a model of what
//! Intel's manual says they compute; the best number of blocks to process at once has not been measured.

use super::rounds::{CK, FK, Keys};
use crate::modes::Mode;
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Sm4Rounds, Token};

/// Processes all blocks of a mode, up to 16 at a time to hide the instructions' latency.
#[inline(always)]
pub(super) fn run<W: Sm4Rounds<32>, V: Sm4Rounds<16, Sm4 = W::Sm4>, const DECRYPT: bool>(
    token: W::Sm4,
    keys: &Keys,
    mode: &mut impl Mode,
) {
    if mode.remaining() > 16 * 8 {
        token.run(Words::<W, _, 32, 8, DECRYPT>::new(keys, mode, 8));
    }
    if mode.remaining() > 16 {
        token.run(Words::<W, _, 32, 4, DECRYPT>::new(keys, mode, 1));
    }
    if mode.remaining() > 0 {
        token.run(Words::<V, _, 16, 1, DECRYPT>::new(keys, mode, 0));
    }
}

/// The bytes of four words.
#[inline(always)]
pub(super) fn block([a, b, c, d]: [u32; 4]) -> [u8; 16] {
    let mut block = [0; 16];
    let (words, _) = block.as_chunks_mut();
    words[0] = a.to_le_bytes();
    words[1] = b.to_le_bytes();
    words[2] = c.to_le_bytes();
    words[3] = d.to_le_bytes();
    block
}

/// The key schedule of one key (section 7.3).
pub(super) struct Schedule<'a, W>(pub(super) &'a [u8; 16], pub(super) &'a mut Keys, pub(super) PhantomData<W>);

impl<W: Sm4Rounds<16>> Kernel<W::Sm4> for Schedule<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Sm4) {
        let Self(key, keys, _) = self;
        let mut k = W::splat_block(token.into(), *key).swap_bytes().xor(W::splat_block(token.into(), block(FK)));
        for i in (0..32).step_by(4) {
            let ck = block([CK[i], CK[i + 1], CK[i + 2], CK[i + 3]]);
            k = k.key_rounds(token, W::splat_block(token.into(), ck));
            let mut four = [0; 16];
            k.store(&mut four);
            let (words, _) = four.as_chunks();
            for j in 0..4 {
                keys[i + j] = u32::from_le_bytes(words[j]);
            }
        }
    }
}

/// Batches of `G` words of `N / 16` blocks, until no more than `leave` blocks are left.
struct Words<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> {
    keys: &'a Keys,
    mode: &'a mut M,
    leave: usize,
    word: PhantomData<W>,
}

impl<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> Words<'a, W, M, N, G, DECRYPT> {
    #[inline(always)]
    fn new(keys: &'a Keys, mode: &'a mut M, leave: usize) -> Self {
        Self { keys, mode, leave, word: PhantomData }
    }
}

impl<W: Sm4Rounds<N>, M: Mode, const N: usize, const G: usize, const DECRYPT: bool> Kernel<W::Sm4>
    for Words<'_, W, M, N, G, DECRYPT>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Sm4) {
        let Self { keys, mode, leave, .. } = self;
        let batch = G * N;
        while mode.remaining() > 16 * leave {
            // The code around the rounds is there twice: for whole batches it needs no comparisons.
            let whole = mode.remaining() >= batch;
            let len = mode.remaining().min(batch);
            let mut x = [W::splat_block(token.into(), [0; 16]); G];
            for g in 0..G {
                let from = g * N;
                x[g] = if whole { mode.load(token.into(), from, batch) } else { mode.load(token.into(), from, len) };
                x[g] = x[g].swap_bytes();
            }
            for i in (0..32).step_by(4) {
                let key = |r: usize| keys[if DECRYPT { 31 - r } else { r }];
                let four = W::splat_block(token.into(), block([key(i), key(i + 1), key(i + 2), key(i + 3)]));
                for g in 0..G {
                    x[g] = x[g].rounds(token, four);
                }
            }
            for g in (0..G).rev() {
                let from = g * N;
                let output = x[g].reverse_bytes();
                if whole {
                    mode.store(token.into(), from, batch, output);
                } else {
                    mode.store(token.into(), from, len, output);
                }
            }
            mode.advance(len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modes::ecb::Ecb;
    use crate::sm4::bitsliced;
    use crate::sm4::parallel_cbc::{self, CbcLane};
    use cipher::Array;
    use cipher::consts::U16;
    use core::array::from_fn;
    use fairlane_lanes::{BlocksN, Scalar};
    use fairlane_reference::sm4::{Sm4, cbc_encrypt};

    /// What words with the instructions compute, after the manual's pseudocode.
    #[derive(Clone, Copy)]
    struct Model<const N: usize>([u8; N]);

    /// Multiplication in the S-box's field.
    fn multiply(a: u8, b: u8) -> u8 {
        let times_x = |a: u8| (a << 1) ^ ((a >> 7) * 0xf5);
        (0..8).rev().fold(0, |product, i| times_x(product) ^ ((b >> i & 1) * a))
    }

    /// The S-box by Liu et al.: an affine map, the inversion as the power 254, and the affine map again.
    fn s_box(x: u8) -> u8 {
        let parity = |x: u8| x.count_ones() as u8 & 1;
        let affine = |x: u8| (0..8).fold(0xd3, |y, i| y ^ parity(x & 0xa7_u8.rotate_left(i)) << i);
        let x = affine(x);
        let power_127 = (0..6).fold(x, |power, _| multiply(multiply(power, power), x));
        affine(multiply(power_127, power_127))
    }

    impl<const N: usize> Model<N> {
        /// Four rounds with the linear layer of one S-box's output.
        fn four(self, keys: Self, linear: impl Fn(u32) -> u32) -> Self {
            let words = |block: &[u8; 16]| from_fn::<_, 4, _>(|j| u32::from_le_bytes(block.as_chunks().0[j]));
            let mut result = self;
            for (block, keys) in result.0.as_chunks_mut().0.iter_mut().zip(keys.0.as_chunks().0) {
                let mut x = words(block);
                for key in words(keys) {
                    let t = (x[1] ^ x[2] ^ x[3] ^ key).to_ne_bytes().map(s_box);
                    x = [x[1], x[2], x[3], x[0] ^ linear(u32::from_ne_bytes(t))];
                }
                *block = from_fn(|i| x[i / 4].to_le_bytes()[i % 4]);
            }
            result
        }
    }

    impl<const N: usize> BlocksN<N> for Model<N> {
        type Token = Scalar;

        fn splat_block(_: Scalar, block: [u8; 16]) -> Self {
            Self(from_fn(|i| block[i % 16]))
        }
        fn load(_: Scalar, bytes: &[u8]) -> Self {
            assert!(bytes.len() <= N && bytes.len().is_multiple_of(16));
            Self(from_fn(|i| bytes.get(i).copied().unwrap_or(0)))
        }
        fn store(self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0[..bytes.len()]);
        }
        fn xor(self, b: Self) -> Self {
            Self(from_fn(|i| self.0[i] ^ b.0[i]))
        }
        fn counters(_: Scalar, _: [u8; 16], _: u32) -> Self {
            unimplemented!("for modes that are not here")
        }
        fn mul_x<const K: u32>(self) -> Self {
            unimplemented!("for modes that are not here")
        }
        fn reverse_bits(self) -> Self {
            unimplemented!("for modes that are not here")
        }
    }

    impl<const N: usize> Sm4Rounds<N> for Model<N> {
        type Sm4 = Scalar;

        fn swap_bytes(self) -> Self {
            Self(from_fn(|i| self.0[i ^ 3]))
        }
        fn reverse_bytes(self) -> Self {
            Self(from_fn(|i| self.0[i ^ 15]))
        }
        fn rounds(self, _: Scalar, keys: Self) -> Self {
            self.four(keys, |x| x ^ x.rotate_left(2) ^ x.rotate_left(10) ^ x.rotate_left(18) ^ x.rotate_left(24))
        }
        fn key_rounds(self, _: Scalar, ck: Self) -> Self {
            self.four(ck, |x| x ^ x.rotate_left(13) ^ x.rotate_left(23))
        }
    }

    fn schedule_of(key: &[u8; 16]) -> Keys {
        let mut keys = [0; 32];
        bitsliced::schedule(key, &mut keys);
        keys
    }

    /// Some blocks of up to `G * N / 16` messages.
    fn check_parallel_cbc<const N: usize, const G: usize>() {
        for count in 1..=G * N / 16 {
            let keys: Vec<[u8; 16]> = (0..count).map(|lane| [lane as u8; 16]).collect();
            let schedules: Vec<Keys> = keys.iter().map(schedule_of).collect();
            let mut data: Vec<[Array<u8, U16>; 4]> =
                (0..count as u8).map(|lane| from_fn(|i| [lane ^ i as u8; 16].into())).collect();
            let mut expected = data.clone();
            for (key, blocks) in keys.iter().zip(&mut expected) {
                cbc_encrypt(key, &[7; 16], Array::slice_as_flattened_mut(&mut blocks[..3]));
            }
            let mut lanes: Vec<Option<CbcLane>> = schedules
                .iter()
                .zip(&mut data)
                .map(|(keys, blocks)| Some(CbcLane { keys, previous: [7; 16], blocks: blocks.as_mut_slice().into() }))
                .collect();
            for count in [1, 0, 2] {
                parallel_cbc::with_instructions::<Model<N>, N, G>(Scalar::PROOF, &mut lanes, count);
            }
            for (lane, blocks) in lanes.into_iter().flatten().zip(&expected) {
                assert_eq!((lane.previous, lane.blocks.len()), (blocks[2].into(), 1));
            }
            assert_eq!(data, expected, "{count} messages");
        }
    }

    #[test]
    fn parallel_cbc_agrees_with_the_reference() {
        check_parallel_cbc::<16, 1>();
        check_parallel_cbc::<32, 8>();
    }

    fn ecb(data: &mut [u8]) -> Ecb<'_, U16> {
        Ecb(Array::slice_as_chunks_mut(data).0.into())
    }

    #[test]
    fn the_model_agrees_with_the_reference() {
        for count in 0..=50_u8 {
            let key = from_fn(|i| count.wrapping_mul(89) ^ (i as u8).wrapping_mul(113));
            let mut keys = [0; 32];
            Scalar::PROOF.run(Schedule::<Model<16>>(&key, &mut keys, PhantomData));
            assert_eq!(keys, schedule_of(&key));

            let plain: Vec<u8> = (0..16 * usize::from(count)).map(|i| (i * i / 5) as u8).collect();
            let mut encrypted = plain.clone();
            let reference = Sm4::new(&key);
            encrypted.as_chunks_mut().0.iter_mut().for_each(|block| reference.encrypt(block));

            let mut data = plain.clone();
            run::<Model<32>, Model<16>, false>(Scalar::PROOF, &keys, &mut ecb(&mut data));
            assert_eq!(data, encrypted, "{count} blocks");
            run::<Model<32>, Model<16>, true>(Scalar::PROOF, &keys, &mut ecb(&mut data));
            assert_eq!(data, plain, "{count} blocks");
        }
    }
}
