//! The shells: the permutation and the sponge's loops around it, compiled for each backend.
//!
//! | backend | one state | many states |
//! | --- | --- | --- |
//! | `scalar` | 64-bit integers | one by one |
//! | `avx2` | 64-bit integers with `andn` and `rorx` | × 4 in 256-bit registers |
//! | `avx512` | a lane in each 128-bit register, for `vpternlogq` on three ports and `vprolq` on two | × 8 in 512 bits, × 4 in 256 |
//! | `neon-sha3` | 64-bit integers | × 2 in 128-bit registers |

use super::many::Domain;
use super::permutation::{State, permute};
use crate::batch::Batch;
use crate::many::Source;
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, Backend, KeccakWord, Kernel, Scalar, Token, U64x1, Unsupported};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use fairlane_lanes::{Avx2, U64x1Vl, U64x4, U64x4Vl, U64x8};
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use fairlane_lanes::{NeonSha3, U64x2Sha3};

/// The backends of Keccak, best first.
pub(crate) const BACKENDS: &[Backend] = &[Backend::Avx512, Backend::Avx2, Backend::NeonSha3, Backend::Scalar];

/// Keccak on the chosen backend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keccak(pub(super) AnyToken);

impl Keccak {
    #[inline]
    pub(crate) fn best() -> Self {
        Self(AnyToken::best(BACKENDS))
    }

    pub(crate) fn new(backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(BACKENDS, backend).map(Self)
    }

    /// With the best instructions that a token of another primitive proves.
    pub(crate) fn under(token: AnyToken) -> Self {
        match token {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512Vbmi(token) => Self(AnyToken::Avx512(token.into())),
            token => Self(token),
        }
    }

    /// Keccak-p[1600, `ROUNDS`] of one state.
    pub(super) fn permute<const ROUNDS: usize>(self, state: &mut State<u64>) {
        self.one(Permute::<ROUNDS>(state));
    }

    /// Adds each block to the state's first `RATE` bytes and permutes.
    pub(crate) fn absorb<const RATE: usize, const ROUNDS: usize>(self, state: &mut State<u64>, blocks: &[[u8; RATE]]) {
        self.one(Absorb::<RATE, ROUNDS>(state, blocks));
    }

    /// Permutes and takes the state's first `RATE` bytes, for each block.
    pub(super) fn squeeze<const RATE: usize, const ROUNDS: usize>(
        self,
        state: &mut State<u64>,
        blocks: &mut [[u8; RATE]],
    ) {
        self.one(Squeeze::<RATE, ROUNDS>(state, blocks));
    }

    #[inline(always)]
    fn one<J: Job>(self, job: J) {
        match self.0 {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => token.run(One::<J, U64x1Vl>(job, PhantomData)),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2(token) => token.run(One::<J, U64x1<Avx2>>(job, PhantomData)),
            _ => Scalar::PROOF.run(One::<J, U64x1<Scalar>>(job, PhantomData)),
        }
    }

    /// Hashes many messages side by side, in the widest word first and in narrower ones when few are left; returns the
    /// source.
    ///
    /// On `avx512` one to four states cost the same (three ports for 256 bits, two for 512), eight cost half as much again.
    pub(super) fn many<const RATE: usize, const ROUNDS: usize, S: Source>(self, domain: Domain, source: S) -> S {
        match self.0 {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx512(token) => {
                let mut few = if source.left() > 4 {
                    let mut many = Batch::<_, S, 8, 25, RATE>::new(domain, source);
                    many.run(4, absorb_many::<U64x8, 8, RATE, ROUNDS>(token));
                    many.narrow::<4>()
                } else {
                    Batch::new(domain, source)
                };
                few.run(0, absorb_many::<U64x4Vl, 4, RATE, ROUNDS>(token));
                few.finish()
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            AnyToken::Avx2(token) => {
                let mut many = Batch::<_, S, 4, 25, RATE>::new(domain, source);
                many.run(1, absorb_many::<U64x4, 4, RATE, ROUNDS>(token));
                let mut last = many.narrow::<1>();
                last.run(0, absorb_many::<U64x1<Avx2>, 1, RATE, ROUNDS>(token));
                last.finish()
            }
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            AnyToken::NeonSha3(token) => {
                let mut many = Batch::<_, S, 2, 25, RATE>::new(domain, source);
                many.run(1, absorb_many::<U64x2Sha3, 2, RATE, ROUNDS>(token));
                let mut last = many.narrow::<1>();
                last.run(0, absorb_many::<U64x1<NeonSha3>, 1, RATE, ROUNDS>(token));
                last.finish()
            }
            _ => {
                let mut one = Batch::<_, S, 1, 25, RATE>::new(domain, source);
                one.run(0, absorb_many::<U64x1<Scalar>, 1, RATE, ROUNDS>(Scalar::PROOF));
                one.finish()
            }
        }
    }
}

/// Work on one state, in words of one lane.
trait Job {
    fn run<W: KeccakWord<1>>(self, token: W::Token);
}

struct One<J, W>(J, PhantomData<W>);

impl<J: Job, W: KeccakWord<1>> Kernel<W::Token> for One<J, W> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        self.0.run::<W>(token);
    }
}

#[inline(always)]
fn load<W: KeccakWord<1>>(token: W::Token, state: &State<u64>) -> State<W> {
    let mut a = [W::splat(token, 0); 25];
    for i in 0..25 {
        a[i] = W::splat(token, state[i]);
    }
    a
}

#[inline(always)]
fn store<W: KeccakWord<1>>(a: &State<W>, state: &mut State<u64>) {
    for i in 0..25 {
        [state[i]] = a[i].to_array();
    }
}

struct Permute<'a, const ROUNDS: usize>(&'a mut State<u64>);

impl<const ROUNDS: usize> Job for Permute<'_, ROUNDS> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token) {
        let mut a = load::<W>(token, self.0);
        permute::<W, 1, ROUNDS>(token, &mut a);
        store(&a, self.0);
    }
}

struct Absorb<'a, const RATE: usize, const ROUNDS: usize>(&'a mut State<u64>, &'a [[u8; RATE]]);

impl<const RATE: usize, const ROUNDS: usize> Job for Absorb<'_, RATE, ROUNDS> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token) {
        let mut a = load::<W>(token, self.0);
        for block in self.1 {
            let (lanes, _) = block.as_chunks::<8>();
            for i in 0..RATE / 8 {
                a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(lanes[i])));
            }
            permute::<W, 1, ROUNDS>(token, &mut a);
        }
        store(&a, self.0);
    }
}

struct Squeeze<'a, const RATE: usize, const ROUNDS: usize>(&'a mut State<u64>, &'a mut [[u8; RATE]]);

impl<const RATE: usize, const ROUNDS: usize> Job for Squeeze<'_, RATE, ROUNDS> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token) {
        let mut a = load::<W>(token, self.0);
        for block in self.1 {
            permute::<W, 1, ROUNDS>(token, &mut a);
            let (lanes, _) = block.as_chunks_mut::<8>();
            for i in 0..RATE / 8 {
                let [lane] = a[i].to_array();
                lanes[i] = lane.to_le_bytes();
            }
        }
        store(&a, self.0);
    }
}

/// What [`Batch::run`] calls.
#[inline(always)]
fn absorb_many<W: KeccakWord<N>, const N: usize, const RATE: usize, const ROUNDS: usize>(
    token: W::Token,
) -> impl Fn(&mut State<[u64; N]>, bool, [&[u8]; N], usize) {
    move |states, fresh, rows, blocks| {
        token.run(AbsorbMany::<W, N, RATE, ROUNDS> { states, fresh, rows, blocks, word: PhantomData });
    }
}

/// Adds `blocks` blocks of each row to the state in its lane, permuting after each.
struct AbsorbMany<'a, W, const N: usize, const RATE: usize, const ROUNDS: usize> {
    states: &'a mut State<[u64; N]>,
    /// Whether all states begin with zeros, whatever `states` holds.
    fresh: bool,
    rows: [&'a [u8]; N],
    blocks: usize,
    word: PhantomData<W>,
}

impl<W: KeccakWord<N>, const N: usize, const RATE: usize, const ROUNDS: usize> Kernel<W::Token>
    for AbsorbMany<'_, W, N, RATE, ROUNDS>
{
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        // A mask and no branch, which LLVM would make a call of memset.
        let keep = W::splat(token, if self.fresh { 0 } else { u64::MAX });
        let mut a = [keep; 25];
        for i in 0..25 {
            a[i] = W::from_array(token, self.states[i]).and(keep);
        }
        let mut rows = self.rows;
        for _ in 0..self.blocks {
            squares!(N, RATE / 8, from, count => {
                let block = W::load_rows(token, &rows, from, count);
                for i in 0..count {
                    a[from + i] = a[from + i].xor(block[i]);
                }
            });
            for row in &mut rows {
                *row = &row[RATE..];
            }
            permute::<W, N, ROUNDS>(token, &mut a);
        }
        for i in 0..25 {
            self.states[i] = a[i].to_array();
        }
    }
}
