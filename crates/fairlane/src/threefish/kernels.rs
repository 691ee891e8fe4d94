//! Threefish's kernels for each backend: they process independent blocks.
//!
//! | backend | one block | many blocks |
//! | --- | --- | --- |
//! | `scalar` | 64-bit integers | one by one |
//! | `avx2` | 64-bit integers | 4 in 256-bit registers |
//! | `avx512` | 64-bit integers | 8 in 512-bit registers, 4 in 256-bit ones |
//! | `neon` | 64-bit integers | 2 in 128-bit registers |

use super::rounds::{Key, Tweak, decrypt, encrypt};
use cipher::InOutBuf;
use core::hint::black_box;
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, Backend, Kernel, Scalar, Token, U64x1, U64x2, U64x4, U64x4Vl, U64x8, U64xN};

/// The backends of Threefish, best first.
pub(crate) const BACKENDS: &[Backend] = &[Backend::Avx512, Backend::Avx2, Backend::Neon, Backend::Scalar];

/// Blocks to process that do not depend on each other, and what to do with the cipher's output.
pub(super) trait IndependentBlocks: Sized {
    /// The number of blocks.
    fn blocks(&self) -> usize;
    /// The first `at` blocks, and the others.
    fn split(self, at: usize) -> (Self, Self);
    /// Processes the next `N` blocks, one in each lane, and returns the others. If there are fewer, some lanes are
    /// unused.
    fn process_next<W: U64xN<N>, const N: usize>(self, token: W::Token) -> Self;
}

/// Processes all blocks on a backend.
///
/// A word of many lanes takes the same time however many of them are used. With AVX-512 four lanes take less than two
/// blocks one by one (418 against 600 cycles), eight less than four lanes and a block (700 against 718); with AVX2 four
/// lanes and two blocks are level (612 and 604).
#[inline(always)]
pub(super) fn run(token: AnyToken, all: impl IndependentBlocks) {
    let blocks = all.blocks();
    if blocks == 1 {
        return scalar(all);
    }
    match token {
        AnyToken::Avx512(token) => {
            let (wide, rest) = all.split(if blocks % 8 > 4 { blocks } else { blocks - blocks % 8 });
            in_lanes::<U64x8, 8>(token, wide);
            if rest.blocks() > 1 {
                in_lanes::<U64x4Vl, 4>(token, rest);
            } else {
                scalar(rest);
            }
        }
        AnyToken::Avx2(token) => {
            let (wide, rest) = all.split(if blocks % 4 > 2 { blocks } else { blocks - blocks % 4 });
            in_lanes::<U64x4, 4>(token, wide);
            scalar(rest);
        }
        AnyToken::Neon(token) => {
            let (wide, rest) = all.split(blocks - blocks % 2);
            in_lanes::<U64x2, 2>(token, wide);
            scalar(rest);
        }
        _ => scalar(all),
    }
}

#[inline(always)]
fn in_lanes<W: U64xN<N>, const N: usize>(token: W::Token, blocks: impl IndependentBlocks) {
    if blocks.blocks() > 0 {
        token.run(InLanes::<_, W, N>(blocks, PhantomData));
    }
}

struct InLanes<J, W, const N: usize>(J, PhantomData<W>);

impl<J: IndependentBlocks, W: U64xN<N>, const N: usize> Kernel<W::Token> for InLanes<J, W, N> {
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut rest = self.0;
        while rest.blocks() > 0 {
            rest = rest.process_next::<W, N>(token);
        }
    }
}

/// Processes one block after the other in 64-bit integers, without BMI: `rorx` is twice as long as `rol`, and measured
/// 4 % slower.
///
/// Not inlined, so that all callers share this long code.
#[inline(never)]
fn scalar(mut rest: impl IndependentBlocks) {
    while rest.blocks() > 0 {
        // Without this, LLVM moves the values that blocks have in common out of the loop, more than there are
        // registers.
        rest = black_box(rest.process_next::<U64x1<Scalar>, 1>(Scalar::PROOF));
    }
}

/// Blocks of `8 * WORDS` bytes, each encrypted or decrypted for itself.
pub(super) struct Ecb<'a, B, const WORDS: usize, const DECRYPT: bool> {
    pub(super) key: &'a Key<WORDS>,
    pub(super) tweak: &'a Tweak,
    pub(super) blocks: InOutBuf<'a, 'a, B>,
}

impl<B: AsRef<[u8]> + AsMut<[u8]>, const WORDS: usize, const DECRYPT: bool> IndependentBlocks
    for Ecb<'_, B, WORDS, DECRYPT>
{
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.blocks.len()
    }

    #[inline(always)]
    fn split(self, at: usize) -> (Self, Self) {
        let Self { key, tweak, blocks } = self;
        let (first, rest) = blocks.split_at(at);
        (Self { key, tweak, blocks: first }, Self { key, tweak, blocks: rest })
    }

    #[inline(always)]
    fn process_next<W: U64xN<N>, const N: usize>(self, token: W::Token) -> Self {
        let count = N.min(self.blocks.len());
        let (Self { key, tweak, mut blocks }, rest) = self.split(count);
        let mut rows: [&[u8]; N] = [&[]; N];
        for i in 0..N {
            // A lane without a block takes the last one.
            rows[i] = blocks.get_in()[i.min(count - 1)].as_ref();
        }
        let mut v = load::<W, N, WORDS>(token, &rows);
        if DECRYPT {
            decrypt::<W, N, WORDS>(token, key, tweak, &mut v);
        } else {
            encrypt::<W, N, WORDS>(token, key, tweak, &mut v);
        }
        let blocks = blocks.get_out();
        for_each_tile!(N, WORDS, from, words => {
            let rows = rows_of::<W, N, WORDS>(token, &v, from);
            for i in 0..N {
                if i < count {
                    rows[i].store(&mut blocks[i].as_mut()[8 * from..][..8 * words]);
                }
            }
        });
        rest
    }
}

/// The words of `N` blocks, from their bytes.
#[inline(always)]
fn load<W: U64xN<N>, const N: usize, const WORDS: usize>(token: W::Token, rows: &[&[u8]; N]) -> [W; WORDS] {
    let mut v = [W::splat(token, 0); WORDS];
    for_each_tile!(N, WORDS, from, count => {
        let square = W::load_rows(token, rows, from, count);
        for i in 0..count {
            v[from + i] = square[i];
        }
    });
    v
}

/// Up to `N` words of each block, from word `from` on: a row for each block.
#[inline(always)]
pub(super) fn rows_of<W: U64xN<N>, const N: usize, const WORDS: usize>(
    token: W::Token,
    v: &[W; WORDS],
    from: usize,
) -> [W; N] {
    let mut square = [W::splat(token, 0); N];
    let count = N.min(WORDS - from);
    for i in 0..count {
        square[i] = v[from + i];
    }
    W::transpose(square)
}
