//! The permutation and the sponge's loops around it, compiled for each backend.
//!
//! | backend | one state | many states |
//! | --- | --- | --- |
//! | `scalar` | 64-bit integers | one by one |
//! | `avx2` | 64-bit integers with `andn` and `rorx` | × 4 in 256 bits |
//! | `avx512` | 128-bit registers of one lane: `vpternlogq` on three ports, `vprolq` on two | × 8 in 512 bits, × 4 |
//! | `neon-sha3` | 64-bit integers | × 2 in 128 bits |

use super::blocks::add_blocks;
use super::equal_lengths::hash_groups;
use super::parameters::{MAX_RATE, SpongeFunction, rounds};
use super::permutation::{Rounds, State, permute, permute_in_loop};
use crate::hash_many::{LastGroup, Messages, MultiBuffer, Rows};
use core::marker::PhantomData;
use fairlane_lanes::{
    AnyToken, Avx2, Backend, KeccakWord, Kernel, NeonSha3, Scalar, Token, U64x1, U64x1Vl, U64x1Zen, U64x2Sha3, U64x4,
    U64x4Vl, U64x4Zen, U64x8, U64x8Zen, Unsupported, is_zen,
};

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

    /// On the best backend that a token of another primitive proves.
    pub(crate) fn under(token: AnyToken) -> Self {
        Self(token.narrow(BACKENDS))
    }

    /// Keccak-p[1600, `ROUNDS`] of one state.
    #[inline(never)]
    pub(super) fn permute<const ROUNDS: usize>(self, state: &mut State<u64>) {
        self.run_single::<_, 0, ROUNDS>(state, Permute::<25>);
    }

    /// Permutes for a digest: only the first eight lanes of the state are stored.
    #[inline(never)]
    pub(super) fn permute_last<const ROUNDS: usize>(self, state: &mut State<u64>) {
        self.run_single::<_, 0, ROUNDS>(state, Permute::<8>);
    }

    /// Adds each block to the first `RATE` bytes of the state and permutes.
    #[inline(never)]
    pub(crate) fn absorb<const RATE: usize, const ROUNDS: usize>(self, state: &mut State<u64>, blocks: &[[u8; RATE]]) {
        self.run_single::<_, RATE, ROUNDS>(state, Absorb(blocks.as_flattened()));
    }

    /// Permutes and copies the first `RATE` bytes of the state, for each block.
    #[inline(never)]
    pub(super) fn squeeze<const RATE: usize, const ROUNDS: usize>(
        self,
        state: &mut State<u64>,
        blocks: &mut [[u8; RATE]],
    ) {
        self.run_single::<_, RATE, ROUNDS>(state, Squeeze(blocks.as_flattened_mut()));
    }

    /// Runs an operation on one state.
    ///
    /// Vectors have a kernel for each rate and number of rounds, whose constants save 3 % of the cycles. Integers share
    /// one, which is as fast. With a kernel for each, the feature `keccak` took 53 seconds to compile instead of 24 on
    /// an Emerald Rapids Xeon, because LLVM looks in integer code for vectors that are not there.
    #[inline(always)]
    fn run_single<O: Operation, const RATE: usize, const ROUNDS: usize>(self, state: &mut State<u64>, operation: O) {
        let function = Fixed::<RATE, ROUNDS>;
        match self.0 {
            AnyToken::Avx512(token) if is_zen() => token.run(InWord::<_, _, U64x1Zen>::new(state, operation, function)),
            AnyToken::Avx512(token) => token.run(InWord::<_, _, U64x1Vl>::new(state, operation, function)),
            AnyToken::Avx2(token) => token.run(InWord::<_, _, U64x1<Avx2>>::new(state, operation, function.any())),
            _ => in_integers(InWord::new(state, operation, function.any())),
        }
    }

    /// Hashes many messages side by side, in the widest word first, and in narrower ones when few are unfinished.
    ///
    /// On `avx512` one to four states cost the same (three ports for 256 bits, two for 512), and eight half as much
    /// again.
    ///
    /// The stack frames of one call on `avx512` take 9 KiB (release build): states, padded blocks and lanes × 8 and × 4
    /// take 6 KiB, the slots of [`Messages`] 1.5 KiB, and the kernel 1.3 KiB.
    #[inline(never)]
    pub(super) fn hash_messages(self, function: SpongeFunction, messages: &mut dyn Messages) {
        match self.0 {
            AnyToken::Avx512(token) if is_zen() => in_eights::<U64x8Zen, U64x4Zen>(token, function, messages),
            AnyToken::Avx512(token) => in_eights::<U64x8, U64x4Vl>(token, function, messages),
            AnyToken::Avx2(token) => in_lanes::<U64x4, U64x1<Avx2>, 4>(token, function, messages),
            AnyToken::NeonSha3(token) => in_lanes::<U64x2Sha3, U64x1<NeonSha3>, 2>(token, function, messages),
            _ => {
                let mut one = MultiBuffer::new(function);
                messages.for_each_chunk(&mut |chunk| {
                    one.run(chunk, 0, absorb_many::<U64x1<Scalar>, 1>(Scalar::PROOF, function));
                });
            }
        }
    }

    /// Hashes rows of one length, except for one that is left, or for the last few if their outputs are long.
    #[inline(never)]
    pub(super) fn hash_groups(self, function: SpongeFunction, rows: &mut Rows<'_>) {
        match self.0 {
            AnyToken::Avx512(token) if is_zen() => rows_in_eights::<U64x8Zen, U64x4Zen>(token, function, rows),
            AnyToken::Avx512(token) => rows_in_eights::<U64x8, U64x4Vl>(token, function, rows),
            AnyToken::Avx2(token) => {
                hash_groups::<U64x4, 4>(token, function, rows);
                hash_groups::<U64x4, 4>(token, function, &mut LastGroup::of(rows, 2));
            }
            AnyToken::NeonSha3(token) => hash_groups::<U64x2Sha3, 2>(token, function, rows),
            _ => {}
        }
    }
}

/// Hashes rows in words `W` of eight lanes, and the last four at most in a word `V`.
fn rows_in_eights<W: KeccakWord<8>, V: KeccakWord<4, Token = W::Token>>(
    token: W::Token,
    function: SpongeFunction,
    rows: &mut Rows<'_>,
) {
    hash_groups::<W, 8>(token, function, rows);
    if rows.count() > 4 {
        hash_groups::<W, 8>(token, function, &mut LastGroup::of(rows, 5));
    } else if rows.count() > 1 {
        hash_groups::<V, 4>(token, function, &mut LastGroup::of(rows, 2));
    }
}

/// Hashes side by side in words `W` of eight lanes, and when few are unfinished in words `V` of four.
fn in_eights<W: KeccakWord<8>, V: KeccakWord<4, Token = W::Token>>(
    token: W::Token,
    function: SpongeFunction,
    messages: &mut dyn Messages,
) {
    let is_wide = messages.count() > 4;
    let mut eight = None;
    messages.for_each_chunk(&mut |chunk| {
        if is_wide && eight.as_ref().is_none_or(MultiBuffer::is_idle) {
            hash_groups::<W, 8>(token, function, chunk);
            if chunk.count() > 4 {
                hash_groups::<W, 8>(token, function, &mut LastGroup::of(chunk, 5));
            }
        }
        let few_left = chunk.count() == 0 || chunk.is_last() && chunk.count() <= 4;
        let mut four = if is_wide && !(few_left && eight.is_none()) {
            let eight = eight.get_or_insert_with(|| MultiBuffer::new(function));
            eight.run(chunk, 4, absorb_many::<W, 8>(token, function));
            if !chunk.is_last() {
                return;
            }
            eight.compact()
        } else {
            hash_groups::<V, 4>(token, function, chunk);
            if chunk.count() > 1 {
                hash_groups::<V, 4>(token, function, &mut LastGroup::of(chunk, 2));
            }
            if chunk.count() == 0 {
                return;
            }
            MultiBuffer::new(function)
        };
        four.run(chunk, 0, absorb_many::<V, 4>(token, function));
    });
}

/// Hashes side by side in words `W` until one message is unfinished, and that one in the word `V`.
fn in_lanes<W: KeccakWord<N>, V: KeccakWord<1, Token = W::Token>, const N: usize>(
    token: W::Token,
    function: SpongeFunction,
    messages: &mut dyn Messages,
) {
    let mut many = MultiBuffer::<_, N, 25, MAX_RATE>::new(function);
    messages.for_each_chunk(&mut |chunk| {
        if many.is_idle() {
            hash_groups::<W, N>(token, function, chunk);
            hash_groups::<W, N>(token, function, &mut LastGroup::of(chunk, 2));
        }
        many.run(chunk, 1, absorb_many::<W, N>(token, function));
        if chunk.is_last() {
            many.compact().run(chunk, 0, absorb_many::<V, 1>(token, function));
        }
    });
}

/// Rate in bytes, and rounds.
trait Parameters: Copy {
    fn rate(self) -> usize;
    fn rounds(self) -> Rounds;
}

/// Parameters that are constants. The rate is 0 where nothing depends on it.
#[derive(Clone, Copy)]
struct Fixed<const RATE: usize, const ROUNDS: usize>;

impl<const RATE: usize, const ROUNDS: usize> Fixed<RATE, ROUNDS> {
    #[inline(always)]
    fn any(self) -> Any {
        Any { rate: self.rate(), rounds: self.rounds() }
    }
}

impl<const RATE: usize, const ROUNDS: usize> Parameters for Fixed<RATE, ROUNDS> {
    #[inline(always)]
    fn rate(self) -> usize {
        RATE
    }

    #[inline(always)]
    fn rounds(self) -> Rounds {
        const { rounds(ROUNDS) }
    }
}

/// Parameters that are values.
#[derive(Clone, Copy)]
struct Any {
    rate: usize,
    rounds: Rounds,
}

impl Parameters for Any {
    #[inline(always)]
    fn rate(self) -> usize {
        self.rate
    }

    #[inline(always)]
    fn rounds(self) -> Rounds {
        self.rounds
    }
}

/// Work on one state.
trait Operation {
    /// How many lanes of the state are stored after it.
    const STORED: usize = 25;

    fn run<W: KeccakWord<1>>(self, token: W::Token, a: &mut State<W>, function: impl Parameters);
}

/// An operation in words `W` of one lane.
struct InWord<'a, O, P, W> {
    state: &'a mut State<u64>,
    operation: O,
    function: P,
    word: PhantomData<W>,
}

impl<'a, O, P, W> InWord<'a, O, P, W> {
    #[inline(always)]
    fn new(state: &'a mut State<u64>, operation: O, function: P) -> Self {
        Self { state, operation, function, word: PhantomData }
    }
}

impl<O: Operation, P: Parameters, W: KeccakWord<1>> Kernel<W::Token> for InWord<'_, O, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let mut a = [W::splat(token, 0); 25];
        for i in 0..25 {
            a[i] = W::splat(token, self.state[i]);
        }
        self.operation.run(token, &mut a, self.function);
        for i in 0..O::STORED {
            [self.state[i]] = a[i].to_array();
        }
    }
}

/// Runs an operation on `scalar`. Not inlined, so that all rates and numbers of rounds share its code.
#[inline(never)]
fn in_integers<O: Operation>(kernel: InWord<'_, O, Any, U64x1<Scalar>>) {
    Scalar::PROOF.run(kernel);
}

/// Runs `$body` for each lane of a block of `$rate` bytes, with indices that are constants after unrolling.
///
/// There is a branch at each lane where a rate ends. A `match` on the rate was 3 to 9 % slower, because LLVM copied the
/// permutation into its arms.
macro_rules! for_each_lane {
    ($rate:expr, $i:ident => $body:block) => {
        for_each_lane!(in $rate, $i => $body; 72: 0..9, 104: 9..13, 136: 13..17, 144: 17..18, 168: 18..21)
    };
    (in $rate:expr, $i:ident => $body:block; $($least:literal: $lanes:expr),*) => {
        $(if $rate >= $least {
            for $i in $lanes $body
        })*
    };
}

struct Permute<const STORED: usize>;

impl<const STORED: usize> Operation for Permute<STORED> {
    const STORED: usize = STORED;

    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token, a: &mut State<W>, function: impl Parameters) {
        permute::<W, 1>(token, a, function.rounds());
    }
}

struct Absorb<'a>(&'a [u8]);

impl Operation for Absorb<'_> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token, a: &mut State<W>, function: impl Parameters) {
        let (rate, mut blocks) = (function.rate(), self.0);
        // Not `chunks_exact`, which divides.
        while let Some((block, others)) = blocks.split_at_checked(rate) {
            blocks = others;
            let (lanes, _) = block.as_chunks::<8>();
            for_each_lane!(8 * lanes.len(), i => {
                a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(lanes[i])));
            });
            permute::<W, 1>(token, a, function.rounds());
        }
    }
}

struct Squeeze<'a>(&'a mut [u8]);

impl Operation for Squeeze<'_> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token, a: &mut State<W>, function: impl Parameters) {
        let (rate, mut blocks) = (function.rate(), self.0);
        while let Some((block, others)) = blocks.split_at_mut_checked(rate) {
            blocks = others;
            permute::<W, 1>(token, a, function.rounds());
            let (lanes, _) = block.as_chunks_mut::<8>();
            for_each_lane!(8 * lanes.len(), i => {
                let [lane] = a[i].to_array();
                lanes[i] = lane.to_le_bytes();
            });
        }
    }
}

/// Returns a function that adds a number of blocks of each row to the state in its lane, and permutes after each; if
/// its `bool` is `true`, the states begin with zeros.
#[inline(always)]
pub(super) fn absorb_many<W: KeccakWord<N>, const N: usize>(
    token: W::Token,
    function: SpongeFunction,
) -> impl Fn(&mut State<[u64; N]>, bool, [&[u8]; N], usize) {
    move |states, all_begin, rows, blocks| {
        macro_rules! run {
            ($rate:literal) => {
                token.run(AbsorbMany::<W, N, $rate> { function, states, all_begin, rows, blocks, word: PhantomData })
            };
        }
        // With a constant rate LLVM moves fewer lanes to and from the stack (2 % of the cycles). The other rates share
        // one kernel, and so do all for one state in integers.
        match function.rate {
            _ if const { N == 1 } => run!(0),
            136 => run!(136),
            168 => run!(168),
            _ => run!(0),
        }
    }
}

/// Adds `blocks` blocks of each row to the state in its lane, and permutes after each.
///
/// `RATE` is the rate in bytes, or 0 for that of `function`.
struct AbsorbMany<'a, W, const N: usize, const RATE: usize> {
    function: SpongeFunction,
    states: &'a mut State<[u64; N]>,
    /// Whether all states begin with zeros, whatever `states` holds.
    all_begin: bool,
    rows: [&'a [u8]; N],
    blocks: usize,
    word: PhantomData<W>,
}

impl<W: KeccakWord<N>, const N: usize, const RATE: usize> Kernel<W::Token> for AbsorbMany<'_, W, N, RATE> {
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let rate = if RATE == 0 { self.function.rate } else { RATE };
        // A mask and no branch, which LLVM would make a call of memset.
        let keep = W::splat(token, if self.all_begin { 0 } else { u64::MAX });
        let mut a = [keep; 25];
        for i in 0..25 {
            a[i] = W::from_array(token, self.states[i]).and(keep);
        }
        let mut rows = self.rows;
        for _ in 0..self.blocks {
            add_blocks(token, &mut a, &mut rows, rate);
            permute_in_loop::<W, N>(token, &mut a, self.function.rounds);
        }
        for i in 0..25 {
            self.states[i] = a[i].to_array();
        }
    }
}
