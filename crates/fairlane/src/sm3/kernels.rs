//! The shells: the compression function and the loops around it, compiled for each backend.
//!
//! | backend | one message | many messages |
//! | --- | --- | --- |
//! | `sm3-ni` | the SM3 instructions, which no machine at hand had: compiled, and tested with a model of them | as `avx2` |
//! | `avx512` | integers; of long messages words are expanded for 8 blocks at a time in 256 bits | × 16 in 512 bits, × 8 in 256 |
//! | `avx2` | the same | × 8 in 256 bits |
//! | `neon` | the same for 4 blocks at a time in 128 bits | × 4 in 128 bits |
//! | `scalar` | 32-bit integers | one by one |

use super::compression::{INITIAL, Ring, State, compress};
use super::expanded::{Block, STEPS, Words, step};
use super::many::Padding;
use crate::batch::Batch;
use crate::many::Source;
use core::marker::PhantomData;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::U32x4;
use fairlane_lanes::{AnyToken, Backend, Kernel, Scalar, Sm3Word, Token, U32x1, Unsupported};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use {
    super::ni::Instructions,
    fairlane_lanes::{Avx2, Sm3x4, U32x1Bmi2, U32x8, U32x8Vl, U32x16},
};

/// The backends of SM3, best first. `sm3-ni` has to be asked for, where there is another: nobody has run it yet.
pub(crate) const BACKENDS: &[Backend] =
    &[Backend::Avx512, Backend::Avx2, Backend::Sm3Ni, Backend::Neon, Backend::Scalar];

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// SM3 on the chosen backend.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compressor(AnyToken);

impl Compressor {
    #[inline]
    pub(super) fn best() -> Self {
        Self(AnyToken::best(BACKENDS))
    }

    pub(super) fn new(backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(Self)
    }

    /// Takes blocks of one message into its state.
    #[inline]
    pub(super) fn absorb(self, state: &mut State<u32>, blocks: &[[u8; BLOCK]]) {
        match self.0 {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Sm3Ni(token) => token.run(Instructions::<Sm3x4>::new(state, blocks)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => token.run(Absorb::<U32x1Bmi2<_>, U32x8Vl, 8>::new(state, blocks)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2(token) => token.run(Absorb::<U32x1Bmi2<_>, U32x8, 8>::new(state, blocks)),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            AnyToken::Neon(token) => token.run(Absorb::<U32x1<_>, U32x4, 4>::new(state, blocks)),
            _ => Scalar::PROOF.run(Absorb::<U32x1<_>, U32x1<_>, 1>::new(state, blocks)),
        }
    }

    /// Hashes many messages side by side, in the widest word first and in narrower ones when few are left; returns the
    /// source.
    ///
    /// Cycles a block (Emerald Rapids): 16 lanes in 512 bits 910, 8 in 256 bits 590 with AVX-512 and 1090 with AVX2, one
    /// message 475 to 510. So two messages and more go side by side, with AVX2 three and more.
    pub(super) fn many<S: Source>(self, source: S) -> S {
        let mut last = match self.0 {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => {
                let mut few = if source.left() > 8 {
                    let mut many = Batch::<_, S, 16, 8, BLOCK>::new(Padding, source);
                    many.run(8, absorb_many::<U32x16, 16>(token));
                    many.narrow::<8>()
                } else {
                    Batch::new(Padding, source)
                };
                few.run(1, absorb_many::<U32x8Vl, 8>(token));
                few.narrow()
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2(token) => few::<U32x8, 8, _>(token, source),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Sm3Ni(token) => few::<U32x8, 8, _>(Avx2::from(token), source),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            AnyToken::Neon(token) => few::<U32x4, 4, _>(token, source),
            _ => Batch::new(Padding, source),
        };
        last.run(0, |state, fresh, [row], blocks| {
            let mut one = if fresh { INITIAL } else { state.map(|[number]| number) };
            self.absorb(&mut one, &row.as_chunks().0[..blocks]);
            *state = one.map(|number| [number]);
        });
        last.finish()
    }
}

/// Hashes side by side until one message is left, if there are more than two.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn few<W: Sm3Word<N>, const N: usize, S: Source>(token: W::Token, source: S) -> Batch<Padding, S, 1, 8, BLOCK> {
    if source.left() <= 2 {
        return Batch::new(Padding, source);
    }
    let mut few = Batch::<_, S, N, 8, BLOCK>::new(Padding, source);
    few.run(1, absorb_many::<W, N>(token));
    few.narrow()
}

/// Takes blocks of one message into its state, with rounds in words `W` and expansion in words `V`.
struct Absorb<'a, W, V, const N: usize> {
    state: &'a mut State<u32>,
    blocks: &'a [[u8; BLOCK]],
    words: PhantomData<(W, V)>,
}

impl<'a, W, V, const N: usize> Absorb<'a, W, V, N> {
    fn new(state: &'a mut State<u32>, blocks: &'a [[u8; BLOCK]]) -> Self {
        Self { state, blocks, words: PhantomData }
    }
}

impl<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token>, const N: usize> Kernel<W::Token> for Absorb<'_, W, V, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut s = [W::splat(token, 0); 8];
        for i in 0..8 {
            s[i] = W::splat(token, self.state[i]);
        }
        // Two groups and fewer gain nothing: the words of the first are waited for.
        if N == 1 || self.blocks.len() <= 2 * N {
            for block in self.blocks {
                compress(token, &mut s, &mut Ring(load::<W, 1>(token, &[block])));
            }
        } else {
            in_groups::<W, V, N>(token, &mut s, self.blocks);
        }
        for i in 0..8 {
            [self.state[i]] = s[i].to_array();
        }
    }
}

/// While the rounds of one group of `N` blocks go on, the words of the next are expanded.
#[inline(always)]
fn in_groups<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token>, const N: usize>(
    token: W::Token,
    state: &mut State<W>,
    blocks: &[[u8; BLOCK]],
) {
    let room = Words::room(blocks[0][0].into());
    let mut first = [room; 64];
    let mut second = [room; 64];
    let (mut now, mut next) = (&mut first, &mut second);
    let mut groups = blocks.chunks(N);
    let mut ring = Ring([V::splat(token, 0); 16]);
    let mut lanes = 0;
    loop {
        let group = groups.next();
        if let Some(group) = group {
            ring = Ring(load_group(token, group));
        }
        for lane in 0..N {
            if lane < lanes {
                compress(token, state, &mut Block::<W, N>::new(token, now, lane));
            }
            if group.is_some() {
                for i in STEPS * lane / N..STEPS * (lane + 1) / N {
                    step::<V, N>(&mut ring, i, next);
                }
            }
        }
        let Some(group) = group else { return };
        lanes = group.len();
        (now, next) = (next, now);
    }
}

/// The words of the blocks of a group, which may be less than full.
#[inline(always)]
fn load_group<W: Sm3Word<N>, const N: usize>(token: W::Token, group: &[[u8; BLOCK]]) -> [W; 16] {
    let mut rows: [&[u8]; N] = [&group[0]; N];
    for (row, block) in rows.iter_mut().zip(group) {
        *row = block;
    }
    load(token, &rows)
}

/// What [`Batch::run`] calls.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
fn absorb_many<W: Sm3Word<N>, const N: usize>(
    token: W::Token,
) -> impl Fn(&mut State<[u32; N]>, bool, [&[u8]; N], usize) {
    move |states, fresh, rows, blocks| {
        token.run(AbsorbMany::<W, N> { states, fresh, rows, blocks, word: PhantomData });
    }
}

/// Takes `blocks` blocks of each row into the state in its lane.
struct AbsorbMany<'a, W, const N: usize> {
    states: &'a mut State<[u32; N]>,
    /// Whether all states begin, whatever `states` holds.
    fresh: bool,
    rows: [&'a [u8]; N],
    blocks: usize,
    word: PhantomData<W>,
}

impl<W: Sm3Word<N>, const N: usize> Kernel<W::Token> for AbsorbMany<'_, W, N> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut s = [W::splat(token, 0); 8];
        for i in 0..8 {
            s[i] = if self.fresh { W::splat(token, INITIAL[i]) } else { W::from_array(token, self.states[i]) };
        }
        let mut rows = self.rows;
        for _ in 0..self.blocks {
            compress(token, &mut s, &mut Ring(load(token, &rows)));
            for row in &mut rows {
                *row = &row[BLOCK..];
            }
        }
        for i in 0..8 {
            self.states[i] = s[i].to_array();
        }
    }
}

/// The words of each row's first block.
#[inline(always)]
fn load<W: Sm3Word<N>, const N: usize>(token: W::Token, rows: &[&[u8]; N]) -> [W; 16] {
    let mut words = [W::splat(token, 0); 16];
    squares!(N, 16, from, count => {
        let block = W::load_rows(token, rows, from, count);
        for i in 0..count {
            words[from + i] = block[i].swap_bytes();
        }
    });
    words
}
