//! CBC encryption of many messages side by side: each lane of a word encrypts one message, under its own key.

use super::kernels::groups;
use super::rounds::{Keys, from_inner, to_inner, word_sliced as word_sliced_rounds};
use super::{bitsliced, ni};
use crate::in_out::take;
use cipher::consts::U16;
use cipher::{Array, InOutBuf};
use core::marker::PhantomData;
use fairlane_lanes::{
    AnyToken, Kernel, Sm4Rounds, Token, U8x16, U8x16Aes, U8x16Gfni, U8x16Vl, U8x32Aes, U8x32Gfni, U8x64, U8xN,
};

/// A block of SM4.
pub(super) type SmBlock = Array<u8, U16>;

/// The most messages that are encrypted at once.
pub(super) const LANES: usize = 32;

/// The rest of a message.
pub(super) struct CbcLane<'a> {
    pub(super) keys: &'a Keys,
    /// The ciphertext block before the next.
    pub(super) previous: [u8; 16],
    pub(super) blocks: InOutBuf<'a, 'a, SmBlock>,
}

impl CbcLane<'_> {
    /// Skips the next `count` blocks.
    #[inline(always)]
    pub(super) fn advance(&mut self, count: usize) {
        take(&mut self.blocks, count);
    }
}

/// Encrypts the next blocks of each message, until the shortest one ends.
// Not inlined, so that the kernels are compiled in this crate, once.
#[inline(never)]
pub(super) fn encrypt(token: AnyToken, lanes: &mut [Option<CbcLane<'_>>]) {
    let count = lanes.iter().flatten().map(|lane| lane.blocks.len()).min().unwrap_or(0);
    match token {
        AnyToken::Sm4Ni(token) => {
            for lanes in lanes.chunks_mut(16) {
                match lanes.len() {
                    0..=1 => with_instructions::<U8x16Gfni, 16, 1>(token, lanes, count),
                    2..=8 => with_instructions::<U8x32Gfni, 32, 4>(token, lanes, count),
                    _ => with_instructions::<U8x32Gfni, 32, 8>(token, lanes, count),
                }
            }
        }
        AnyToken::Avx512Gfni(token) => {
            for lanes in lanes.chunks_mut(32) {
                match lanes.len() {
                    0..=4 => word_sliced::<U8x16Vl, 16, 1>(token, lanes, count),
                    5..=16 => word_sliced::<U8x64, 64, 1>(token, lanes, count),
                    _ => word_sliced::<U8x64, 64, 2>(token, lanes, count),
                }
            }
        }
        AnyToken::Avx2Gfni(token) => avx2::<U8x32Gfni, U8x16Gfni>(token, lanes, count),
        AnyToken::Avx2Aes(token) => avx2::<U8x32Aes, U8x16Aes>(token, lanes, count),
        AnyToken::NeonAes(token) => {
            for lanes in lanes.chunks_mut(8) {
                match lanes.len() {
                    0..=4 => word_sliced::<U8x16, 16, 1>(token, lanes, count),
                    _ => word_sliced::<U8x16, 16, 2>(token, lanes, count),
                }
            }
        }
        _ => {
            for lanes in lanes.chunks_mut(bitsliced::BLOCKS) {
                bitsliced_lanes(lanes, count);
            }
        }
    }
}

#[inline(always)]
fn avx2<W: U8xN<32>, V: U8xN<16, Token = W::Token>>(token: W::Token, lanes: &mut [Option<CbcLane<'_>>], count: usize) {
    for lanes in lanes.chunks_mut(16) {
        match lanes.len() {
            0..=4 => word_sliced::<V, 16, 1>(token, lanes, count),
            5..=8 => word_sliced::<W, 32, 1>(token, lanes, count),
            _ => word_sliced::<W, 32, 2>(token, lanes, count),
        }
    }
}

/// Encrypts the next `count` blocks of up to `G` times `N / 4` messages.
#[inline(always)]
fn word_sliced<W: U8xN<N>, const N: usize, const G: usize>(
    token: W::Token,
    lanes: &mut [Option<CbcLane<'_>>],
    count: usize,
) {
    debug_assert!(count > 0 && lanes.len() <= G * N / 4);
    // Each lane's round keys in the layout of words: group `j` of block `i` of a word is lane `j * N / 16 + i`.
    let mut keys = [[[0; N]; G]; 32];
    let mut blocks = [const { LaneBlocks([[[0; N]; 4]; G]) }; FETCHED];
    for (number, lane) in lanes.iter().flatten().enumerate() {
        let (g, within) = (number / (N / 4), number % (N / 4));
        let at = 16 * (within % (N / 16)) + 4 * (within / (N / 16));
        for r in 0..32 {
            keys[r][g][at..][..4].copy_from_slice(&lane.keys[r].to_le_bytes());
        }
        *blocks[0].lane(number) = lane.previous;
    }
    token.run(WordSlicedCbc::<W, N, G> { lanes, count, keys: &keys, blocks: &mut blocks, word: PhantomData });
    let last = &mut blocks[(count - 1) % FETCHED];
    for (number, lane) in lanes.iter_mut().flatten().enumerate() {
        lane.previous = *last.lane(number);
        lane.advance(count);
    }
    keys = [[[0; N]; G]; 32];
    zeroize::optimization_barrier(&keys);
}

/// Blocks of each message that are fetched and written back at once: a line of the cache. If the messages lie at
/// multiples of 4 KiB, the line would be evicted before the next block is needed.
const FETCHED: usize = 4;

/// A block of each lane of `G` groups, in the order in which words load them.
struct LaneBlocks<const N: usize, const G: usize>([[[u8; N]; 4]; G]);

impl<const N: usize, const G: usize> LaneBlocks<N, G> {
    /// The block of lane `i`.
    #[inline(always)]
    fn lane(&mut self, i: usize) -> &mut [u8; 16] {
        let (blocks, _) = self.0.as_flattened_mut().as_flattened_mut().as_chunks_mut();
        &mut blocks[i]
    }

    /// The blocks of group `g`, word-sliced.
    #[inline(always)]
    fn load<W: U8xN<N>>(&self, token: W::Token, g: usize) -> [W; 4] {
        let mut words = [W::splat_u32(token, 0); 4];
        for i in 0..4 {
            words[i] = to_inner(W::load(token, &self.0[g][i]));
        }
        W::transpose4(words)
    }
}

struct WordSlicedCbc<'c, 'a, W, const N: usize, const G: usize> {
    lanes: &'c mut [Option<CbcLane<'a>>],
    count: usize,
    keys: &'c [[[u8; N]; G]; 32],
    /// The first one holds the previous ciphertext blocks; in the end number `(count - 1) % FETCHED` holds the last
    /// ones.
    blocks: &'c mut [LaneBlocks<N, G>; FETCHED],
    word: PhantomData<W>,
}

impl<W: U8xN<N>, const N: usize, const G: usize> Kernel<W::Token> for WordSlicedCbc<'_, '_, W, N, G> {
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { lanes, count, keys, blocks, .. } = self;
        let mut x = [[W::splat_u32(token, 0); 4]; G];
        groups!(g in G => { x[g] = blocks[0].load(token, g); });
        let mut done = 0;
        while done < count {
            let fetched = FETCHED.min(count - done);
            for (number, lane) in lanes.iter().flatten().enumerate() {
                for (block, blocks) in lane.blocks.get_in()[done..][..fetched].iter().zip(&mut *blocks) {
                    *blocks.lane(number) = (*block).into();
                }
            }
            for blocks in &mut blocks[..fetched] {
                groups!(g in G => {
                    let [a, b, c, d] = blocks.load::<W>(token, g);
                    x[g] = [x[g][0].xor(a), x[g][1].xor(b), x[g][2].xor(c), x[g][3].xor(d)];
                });
                word_sliced_rounds(|r, g| W::load(token, &keys[r][g]), &mut x);
                groups!(g in G => {
                    let [a, b, c, d] = W::transpose4(x[g]);
                    from_inner(a).store(&mut blocks.0[g][0]);
                    from_inner(b).store(&mut blocks.0[g][1]);
                    from_inner(c).store(&mut blocks.0[g][2]);
                    from_inner(d).store(&mut blocks.0[g][3]);
                });
            }
            for (number, lane) in lanes.iter_mut().flatten().enumerate() {
                for (block, blocks) in lane.blocks.get_out()[done..][..fetched].iter_mut().zip(&mut *blocks) {
                    *block = (*blocks.lane(number)).into();
                }
            }
            done += fetched;
        }
    }
}

/// Encrypts the next `count` blocks of up to `G` times `N / 16` messages with the instructions of `ni`.
#[inline(always)]
pub(super) fn with_instructions<W: Sm4Rounds<N>, const N: usize, const G: usize>(
    token: W::Sm4,
    lanes: &mut [Option<CbcLane<'_>>],
    count: usize,
) {
    // Round keys by fours, in the layout of words.
    let mut keys = [[[0; N]; G]; 8];
    let mut blocks = [[0; N]; G];
    for (number, lane) in lanes.iter().flatten().enumerate() {
        let (fours, _) = lane.keys.as_chunks();
        for i in 0..8 {
            *lane_block(&mut keys[i], number) = ni::block(fours[i]);
        }
        *lane_block(&mut blocks, number) = lane.previous;
    }
    token.run(InstructionsCbc::<W, N, G> { lanes, count, keys: &keys, blocks: &mut blocks, word: PhantomData });
    for (number, lane) in lanes.iter_mut().flatten().enumerate() {
        lane.previous = *lane_block(&mut blocks, number);
        lane.advance(count);
    }
    keys = [[[0; N]; G]; 8];
    zeroize::optimization_barrier(&keys);
}

struct InstructionsCbc<'c, 'a, W, const N: usize, const G: usize> {
    lanes: &'c mut [Option<CbcLane<'a>>],
    count: usize,
    keys: &'c [[[u8; N]; G]; 8],
    /// Each lane's previous ciphertext block, and in the end the last one.
    blocks: &'c mut [[u8; N]; G],
    word: PhantomData<W>,
}

impl<W: Sm4Rounds<N>, const N: usize, const G: usize> Kernel<W::Sm4> for InstructionsCbc<'_, '_, W, N, G> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Sm4) {
        let Self { lanes, count, keys, blocks, .. } = self;
        for done in 0..count {
            for (number, lane) in lanes.iter().flatten().enumerate() {
                let (block, plaintext) = (lane_block(blocks, number), lane.blocks.get_in()[done].into());
                *block = (u128::from_ne_bytes(*block) ^ u128::from_ne_bytes(plaintext)).to_ne_bytes();
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
            for (number, lane) in lanes.iter_mut().flatten().enumerate() {
                lane.blocks.get_out()[done] = (*lane_block(blocks, number)).into();
            }
        }
    }
}

/// Block `number` of some words.
#[inline(always)]
fn lane_block<const N: usize>(words: &mut [[u8; N]], number: usize) -> &mut [u8; 16] {
    let (blocks, _) = words.as_flattened_mut().as_chunks_mut();
    &mut blocks[number]
}

/// Encrypts the next `count` blocks of up to sixteen messages, bitsliced.
fn bitsliced_lanes(lanes: &mut [Option<CbcLane<'_>>], count: usize) {
    let mut keys = [[0; 8]; 32];
    let mut blocks = [[0; 16]; bitsliced::BLOCKS];
    for r in 0..32 {
        let mut words = [0; bitsliced::BLOCKS];
        for (number, lane) in lanes.iter().flatten().enumerate() {
            words[number] = lane.keys[r];
        }
        keys[r] = bitsliced::to_planes(&words);
    }
    for (number, lane) in lanes.iter().flatten().enumerate() {
        blocks[number] = lane.previous;
    }
    for done in 0..count {
        for (number, lane) in lanes.iter().flatten().enumerate() {
            for (byte, plaintext) in blocks[number].iter_mut().zip(&lane.blocks.get_in()[done]) {
                *byte ^= plaintext;
            }
        }
        bitsliced::crypt(&keys, &mut blocks);
        for (number, lane) in lanes.iter_mut().flatten().enumerate() {
            lane.blocks.get_out()[done] = blocks[number].into();
        }
    }
    for (number, lane) in lanes.iter_mut().flatten().enumerate() {
        lane.previous = blocks[number];
        lane.advance(count);
    }
    keys = [[0; 8]; 32];
    zeroize::optimization_barrier(&keys);
}
