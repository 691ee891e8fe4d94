//! SM4 with instructions for four of its rounds (backend `sm4-ni`), on blocks as they lie in memory. The round keys are
//! the standard's.
//!
//! No machine that this was written on has the instructions. It is compiled for them, and tested with a model of what
//! Intel's manual says that they compute; how many blocks are best worked on at once has not been measured.

use super::chains::Chain;
use super::kernels::Mode;
use super::rounds::{CK, FK, Keys};
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Sm4Rounds, Token};

/// Does all blocks of a mode, up to 16 at a time: one after the other would wait for the instructions' latency.
#[inline(always)]
pub(super) fn run<W: Sm4Rounds<32>, V: Sm4Rounds<16, Sm4 = W::Sm4>, const DECRYPT: bool>(
    token: W::Sm4,
    keys: &Keys,
    mode: &mut impl Mode,
) {
    if mode.blocks() > 8 {
        token.run(Blocks::<W, _, 32, 8, DECRYPT>::new(keys, mode, 8));
    }
    if mode.blocks() > 1 {
        token.run(Blocks::<W, _, 32, 4, DECRYPT>::new(keys, mode, 1));
    }
    if mode.blocks() > 0 {
        token.run(Blocks::<V, _, 16, 1, DECRYPT>::new(keys, mode, 0));
    }
}

/// Four words as a block of a word.
#[inline(always)]
fn block([a, b, c, d]: [u32; 4]) -> [u8; 16] {
    let mut block = [0; 16];
    let (words, _) = block.as_chunks_mut();
    words[0] = a.to_le_bytes();
    words[1] = b.to_le_bytes();
    words[2] = c.to_le_bytes();
    words[3] = d.to_le_bytes();
    block
}

/// Makes round keys of one key (section 7.3).
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
struct Blocks<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> {
    keys: &'a Keys,
    mode: &'a mut M,
    leave: usize,
    word: PhantomData<W>,
}

impl<'a, W, M, const N: usize, const G: usize, const DECRYPT: bool> Blocks<'a, W, M, N, G, DECRYPT> {
    #[inline(always)]
    fn new(keys: &'a Keys, mode: &'a mut M, leave: usize) -> Self {
        Self { keys, mode, leave, word: PhantomData }
    }
}

impl<W: Sm4Rounds<N>, M: Mode, const N: usize, const G: usize, const DECRYPT: bool> Kernel<W::Sm4>
    for Blocks<'_, W, M, N, G, DECRYPT>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Sm4) {
        let Self { keys, mode, leave, .. } = self;
        let batch = G * N / 16;
        while mode.blocks() > leave {
            // Two copies around the rounds, of which the first needs no comparisons.
            let whole = mode.blocks() >= batch;
            let count = mode.blocks().min(batch);
            let mut x = [W::splat_block(token.into(), [0; 16]); G];
            for g in 0..G {
                let from = g * N / 16;
                x[g] = if whole { mode.load(token.into(), from, batch) } else { mode.load(token.into(), from, count) };
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
                let from = g * N / 16;
                let output = x[g].reverse_bytes();
                if whole {
                    mode.store(token.into(), from, batch, output);
                } else {
                    mode.store(token.into(), from, count, output);
                }
            }
            mode.advance(count);
        }
    }
}

/// Encrypts the next `steps` blocks of up to `G` times `N / 16` chains, each with keys of its own.
#[inline(always)]
pub(super) fn chains<W: Sm4Rounds<N>, const N: usize, const G: usize>(
    token: W::Sm4,
    chains: &mut [Option<Chain<'_>>],
    steps: usize,
) {
    // Round keys by fours, as words have them.
    let mut keys = [[[0; N]; G]; 8];
    let mut blocks = [[0; N]; G];
    for (lane, chain) in chains.iter().flatten().enumerate() {
        let (fours, _) = chain.keys.as_chunks();
        for i in 0..8 {
            *of_lane(&mut keys[i], lane) = block(fours[i]);
        }
        *of_lane(&mut blocks, lane) = chain.iv;
    }
    token.run(Steps::<W, N, G> { chains, steps, keys: &keys, blocks: &mut blocks, word: PhantomData });
    for (lane, chain) in chains.iter_mut().flatten().enumerate() {
        chain.iv = *of_lane(&mut blocks, lane);
        chain.advance(steps);
    }
    keys = [[[0; N]; G]; 8];
    zeroize::optimization_barrier(&keys);
}

struct Steps<'c, 'a, W, const N: usize, const G: usize> {
    chains: &'c mut [Option<Chain<'a>>],
    steps: usize,
    keys: &'c [[[u8; N]; G]; 8],
    /// The blocks before; after it, the last ones.
    blocks: &'c mut [[u8; N]; G],
    word: PhantomData<W>,
}

impl<W: Sm4Rounds<N>, const N: usize, const G: usize> Kernel<W::Sm4> for Steps<'_, '_, W, N, G> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Sm4) {
        let Self { chains, steps, keys, blocks, .. } = self;
        for step in 0..steps {
            for (lane, chain) in chains.iter().flatten().enumerate() {
                for (byte, plaintext) in of_lane(blocks, lane).iter_mut().zip(&chain.blocks.get_in()[step]) {
                    *byte ^= plaintext;
                }
            }
            let mut x = [W::splat_block(token.into(), [0; 16]); G];
            for g in 0..G {
                x[g] = W::load(token.into(), &blocks[g]).swap_bytes();
            }
            for i in 0..8 {
                for g in 0..G {
                    x[g] = x[g].rounds(token, W::load(token.into(), &keys[i][g]));
                }
            }
            for g in 0..G {
                x[g].reverse_bytes().store(&mut blocks[g]);
            }
            for (lane, chain) in chains.iter_mut().flatten().enumerate() {
                chain.blocks.get_out()[step] = (*of_lane(blocks, lane)).into();
            }
        }
    }
}

/// Block number `lane` of some words.
#[inline(always)]
fn of_lane<const N: usize>(words: &mut [[u8; N]], lane: usize) -> &mut [u8; 16] {
    let (blocks, _) = words.as_flattened_mut().as_chunks_mut();
    &mut blocks[lane]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm4::bits;
    use crate::sm4::kernels::bytes;
    use cipher::Array;
    use cipher::consts::U16;
    use core::array::from_fn;
    use fairlane_lanes::{BlocksN, Scalar};
    use fairlane_reference::sm4::{Sm4, cbc_encrypt};

    /// What the words with the instructions compute, as the manual's pseudocode has it.
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

    /// Each block for itself, in place.
    struct Ecb<'a>(&'a mut [u8]);

    impl Mode for Ecb<'_> {
        fn blocks(&self) -> usize {
            self.0.len() / 16
        }
        fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize) -> W {
            W::load(token, &self.0[bytes::<N>(from, count)])
        }
        fn store<W: BlocksN<N>, const N: usize>(&mut self, _: W::Token, from: usize, count: usize, output: W) {
            output.store(&mut self.0[bytes::<N>(from, count)]);
        }
        fn advance(&mut self, count: usize) {
            self.0 = core::mem::take(&mut self.0).split_at_mut(16 * count).1;
        }
    }

    /// Steps of `G * N / 16` chains and of fewer.
    fn check_chains<const N: usize, const G: usize>() {
        for count in 1..=G * N / 16 {
            let keys: Vec<[u8; 16]> = (0..count).map(|lane| [lane as u8; 16]).collect();
            let schedules: Vec<Keys> = keys.iter().map(bits::schedule).collect();
            let mut data: Vec<[Array<u8, U16>; 4]> =
                (0..count as u8).map(|lane| from_fn(|i| [lane ^ i as u8; 16].into())).collect();
            let mut expected = data.clone();
            for (key, blocks) in keys.iter().zip(&mut expected) {
                cbc_encrypt(key, &[7; 16], Array::slice_as_flattened_mut(&mut blocks[..3]));
            }
            let mut chains: Vec<Option<Chain>> = schedules
                .iter()
                .zip(&mut data)
                .map(|(keys, blocks)| Some(Chain { keys, iv: [7; 16], blocks: blocks.as_mut_slice().into() }))
                .collect();
            for steps in [1, 0, 2] {
                super::chains::<Model<N>, N, G>(Scalar::PROOF, &mut chains, steps);
            }
            for (chain, blocks) in chains.into_iter().flatten().zip(&expected) {
                assert_eq!((chain.iv, chain.blocks.len()), (blocks[2].into(), 1));
            }
            assert_eq!(data, expected, "{count} chains");
        }
    }

    #[test]
    fn chains_agree_with_the_reference() {
        check_chains::<16, 1>();
        check_chains::<32, 8>();
    }

    #[test]
    fn the_model_agrees_with_the_reference() {
        for count in 0..=50_u8 {
            let key = from_fn(|i| count.wrapping_mul(89) ^ (i as u8).wrapping_mul(113));
            let mut keys = [0; 32];
            Scalar::PROOF.run(Schedule::<Model<16>>(&key, &mut keys, PhantomData));
            assert_eq!(keys, bits::schedule(&key));

            let plain: Vec<u8> = (0..16 * usize::from(count)).map(|i| (i * i / 5) as u8).collect();
            let mut encrypted = plain.clone();
            let reference = Sm4::new(&key);
            encrypted.as_chunks_mut().0.iter_mut().for_each(|block| reference.encrypt(block));

            let mut data = plain.clone();
            run::<Model<32>, Model<16>, false>(Scalar::PROOF, &keys, &mut Ecb(&mut data));
            assert_eq!(data, encrypted, "{count} blocks");
            run::<Model<32>, Model<16>, true>(Scalar::PROOF, &keys, &mut Ecb(&mut data));
            assert_eq!(data, plain, "{count} blocks");
        }
    }
}
