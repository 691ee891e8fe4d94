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
use crate::hash_many::{Messages, MultiBuffer, Rows};
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
    #[inline(always)]
    pub(super) fn permute<const ROUNDS: usize>(self, state: &mut State<u64>) {
        self.run_permute(state, const { rounds(ROUNDS) });
    }

    /// Permutes for a digest: only the first eight lanes of the state are stored.
    #[inline(always)]
    pub(super) fn permute_last<const ROUNDS: usize>(self, state: &mut State<u64>) {
        self.run_permute_last(state, const { rounds(ROUNDS) });
    }

    /// Adds each block to the first `RATE` bytes of the state and permutes.
    #[inline(always)]
    pub(crate) fn absorb<const RATE: usize, const ROUNDS: usize>(self, state: &mut State<u64>, blocks: &[[u8; RATE]]) {
        self.run_absorb(state, blocks.as_flattened(), RATE, const { rounds(ROUNDS) });
    }

    /// Permutes and copies the first `RATE` bytes of the state, for each block.
    #[inline(always)]
    pub(super) fn squeeze<const RATE: usize, const ROUNDS: usize>(
        self,
        state: &mut State<u64>,
        blocks: &mut [[u8; RATE]],
    ) {
        self.run_squeeze(state, blocks.as_flattened_mut(), RATE, const { rounds(ROUNDS) });
    }

    // One kernel for all rates and numbers of rounds. With one for each, 16 KiB took 0.5 to 1 % less time, short messages
    // 3 to 5 % more (Emerald Rapids), and this primitive alone 53 instead of 22 seconds to build.

    #[inline(never)]
    fn run_permute(self, state: &mut State<u64>, rounds: Rounds) {
        self.run_single(Permute { state, rounds });
    }

    #[inline(never)]
    fn run_permute_last(self, state: &mut State<u64>, rounds: Rounds) {
        self.run_single(PermuteLast { state, rounds });
    }

    #[inline(never)]
    fn run_absorb(self, state: &mut State<u64>, blocks: &[u8], rate: usize, rounds: Rounds) {
        self.run_single(Absorb { state, blocks, rate, rounds });
    }

    #[inline(never)]
    fn run_squeeze(self, state: &mut State<u64>, blocks: &mut [u8], rate: usize, rounds: Rounds) {
        self.run_single(Squeeze { state, blocks, rate, rounds });
    }

    #[inline(always)]
    fn run_single<K: SingleStateKernel>(self, kernel: K) {
        match self.0 {
            AnyToken::Avx512(token) if is_zen() => token.run(InWord::<K, U64x1Zen>(kernel, PhantomData)),
            AnyToken::Avx512(token) => token.run(InWord::<K, U64x1Vl>(kernel, PhantomData)),
            AnyToken::Avx2(token) => token.run(InWord::<K, U64x1<Avx2>>(kernel, PhantomData)),
            _ => Scalar::PROOF.run(InWord::<K, U64x1<Scalar>>(kernel, PhantomData)),
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

    /// Hashes rows as long as they fill the lanes of the widest word.
    #[inline(never)]
    pub(super) fn hash_groups(self, function: SpongeFunction, rows: &mut Rows<'_>) {
        match self.0 {
            AnyToken::Avx512(token) if is_zen() => hash_groups::<U64x8Zen, 8>(token, function, rows),
            AnyToken::Avx512(token) => hash_groups::<U64x8, 8>(token, function, rows),
            AnyToken::Avx2(token) => hash_groups::<U64x4, 4>(token, function, rows),
            AnyToken::NeonSha3(token) => hash_groups::<U64x2Sha3, 2>(token, function, rows),
            _ => {}
        }
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
        }
        let mut four = if is_wide && !(chunk.is_taken() && eight.is_none()) {
            let eight = eight.get_or_insert_with(|| MultiBuffer::new(function));
            eight.run(chunk, 4, absorb_many::<W, 8>(token, function));
            if !chunk.is_last() {
                return;
            }
            eight.compact()
        } else {
            hash_groups::<V, 4>(token, function, chunk);
            if chunk.is_taken() {
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
        }
        many.run(chunk, 1, absorb_many::<W, N>(token, function));
        if chunk.is_last() {
            many.compact().run(chunk, 0, absorb_many::<V, 1>(token, function));
        }
    });
}

/// Work on one state, in words of one lane.
trait SingleStateKernel {
    fn run<W: KeccakWord<1>>(self, token: W::Token);
}

/// A kernel in words `W`.
struct InWord<K, W>(K, PhantomData<W>);

impl<K: SingleStateKernel, W: KeccakWord<1>> Kernel<W::Token> for InWord<K, W> {
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

struct Permute<'a> {
    state: &'a mut State<u64>,
    rounds: Rounds,
}

impl SingleStateKernel for Permute<'_> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token) {
        let mut a = load::<W>(token, self.state);
        permute::<W, 1>(token, &mut a, self.rounds);
        store(&a, self.state);
    }
}

struct PermuteLast<'a> {
    state: &'a mut State<u64>,
    rounds: Rounds,
}

impl SingleStateKernel for PermuteLast<'_> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token) {
        let mut a = load::<W>(token, self.state);
        permute::<W, 1>(token, &mut a, self.rounds);
        for i in 0..8 {
            [self.state[i]] = a[i].to_array();
        }
    }
}

/// Runs `$body` for each lane of a block of `$rate` bytes, with indices that are constants after unrolling.
///
/// A branch at each lane where a rate ends. With a `match`, LLVM copies the permutation into the arms, and with a loop
/// of `$rate` passes, it keeps the state in memory.
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

struct Absorb<'a> {
    state: &'a mut State<u64>,
    blocks: &'a [u8],
    rate: usize,
    rounds: Rounds,
}

impl SingleStateKernel for Absorb<'_> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token) {
        let mut a = load::<W>(token, self.state);
        for block in self.blocks.chunks_exact(self.rate) {
            let (lanes, _) = block.as_chunks::<8>();
            for_each_lane!(8 * lanes.len(), i => {
                a[i] = a[i].xor(W::splat(token, u64::from_le_bytes(lanes[i])));
            });
            permute::<W, 1>(token, &mut a, self.rounds);
        }
        store(&a, self.state);
    }
}

struct Squeeze<'a> {
    state: &'a mut State<u64>,
    blocks: &'a mut [u8],
    rate: usize,
    rounds: Rounds,
}

impl SingleStateKernel for Squeeze<'_> {
    #[inline(always)]
    fn run<W: KeccakWord<1>>(self, token: W::Token) {
        let mut a = load::<W>(token, self.state);
        for block in self.blocks.chunks_exact_mut(self.rate) {
            permute::<W, 1>(token, &mut a, self.rounds);
            let (lanes, _) = block.as_chunks_mut::<8>();
            for_each_lane!(8 * lanes.len(), i => {
                let [lane] = a[i].to_array();
                lanes[i] = lane.to_le_bytes();
            });
        }
        store(&a, self.state);
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
        // one kernel.
        match function.rate {
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
