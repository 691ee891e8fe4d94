//! SM3's compression function (GB/T 32905-2016, section 5.3), written once over words of lanes.
//!
//! Operations of a word in a late round, 48 of 64, and in the expansion of a word, 52 of 68:
//!
//! | | sums | rotations | FF | GG | P0 or P1 | exclusive or | in all |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | round, with ternary logic (AVX-512) | 8 | 6 | 1 | 1 | 1 | 2 | 19 |
//! | round, integers with `rorx` (the parts of FF are added one by one) | 9 | 6 | 3 | 5 | 2 | 2 | 27 |
//! | expansion, with ternary logic | | 4 | | | 1 | 2 | 7 |
//! | expansion, without | | 4 | | | 2 | 4 | 10 |
//!
//! One message is bound by latency: from one E to the next there are two sums and a rotation between them, and P0 with
//! three operations, which makes 6 cycles a round or a byte. GG would make it 7, so integers compute GG from the two
//! parts of E before they are added, with two operations more. A CPU with four ports for integers takes 6.25 cycles a
//! byte for all operations of the rounds. The order of operations in the source decides the rest, and differs between
//! CPUs. The best of some 2000 that a search tried on a Granite Rapids Xeon takes 7.41 cycles a byte for 16 KiB with
//! `avx512` and 8.1 with `avx2`, 0.94 and 0.965 of the time in the order that a search on a Zen 4 had found; plain
//! integers take 1.025. So a Zen with AVX-512 keeps its own, in which a Zen 4 takes 0.95 to 0.975 of the time in the
//! Xeon's (0.99 with AVX2). Where the four words are expanded changes less than 0.5 %. Messages side by side are bound
//! by throughput: 1580 operations a block on 2 ports, and 80 for the transposition, take 830 cycles for 16 messages.
//!
//! Cycles a byte for 64 KiB on an Emerald Rapids Xeon (the clock frequency was taken from a chain of dependent
//! additions around each measurement), when one message had GG's 7 cycles in its chain:
//!
//! | | bound | measured, median |
//! | --- | --- | --- |
//! | one message, plain integers | 6.75 | 9.0 |
//! | one message, `avx2`: integers in the order of the source, message expansion × 8 | 6.75 | 7.95 |
//! | one message, `avx512`: the same, with `lea` of three | 6.75 | 7.41 (rounds alone 7.15) |
//! | × 8 in 256 bits, AVX2 | 2.0 | 2.09 |
//! | × 8 in 256 bits, AVX-512 | 1.07 | 1.16 |
//! | × 16 in 512 bits | 0.81 | 0.886 |
//!
//! One message is expanded block by block, four words in a row of a vector: some 270 vector operations instead of 584
//! in integers, which shared the rounds' ports. Before, only messages of up to 16 blocks were. On a virtual Zen 4 with
//! AVX-512 64 bytes take 284 ns and 1 KiB 2.20 µs, 0.955 and 0.945 of the time with GG in the chain; from 4 KiB on the
//! expansion of 8 blocks side by side took as long. With AVX2 up to 1 KiB take 1 to 2 % longer than with GG in the
//! chain, 16 KiB 2.5 % less.
//!
//! Rounds in 128-bit registers were slower. P0 takes two operations there and a round 5 or 6 cycles, but on the Xeon
//! its 18 operations fill the three ports, 7.7 cycles a byte; a Zen 4, where `vprold` takes two cycles, needs 26 % more
//! time than with integers.

use fairlane_lanes::Sm3Word;

/// A chaining value, or the registers A to H.
pub(super) type State<W> = [W; 8];

/// The initial value (section 4.1).
pub(super) const INITIAL: State<u32> =
    [0x7380_166f, 0x4914_b2b9, 0x1724_42d7, 0xda8a_0600, 0xa96f_30bc, 0x1631_38aa, 0xe38d_ee4d, 0xb0fb_0e4e];

/// The constants of the rounds (section 4.2), each rotated by the number of its round.
const T: [u32; 64] = {
    let mut t = [0; 64];
    let mut j = 0;
    while j < 64 {
        let constant: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        t[j] = constant.rotate_left(j as u32 % 32);
        j += 1;
    }
    t
};

/// The expanded message: the words W and W' of the rounds.
pub(super) trait ExpandedMessage<W> {
    /// D + W' and H + W of round `from + i`, where `from` is a multiple of 16 and `i` is less than 16. Rounds are in
    /// order.
    fn add(&mut self, from: usize, i: usize, d: W, h: W) -> [W; 2];
}

/// The 64 rounds of one block, with `ZEN` in the order that is best on a Zen.
#[inline(always)]
pub(super) fn compress<W: Sm3Word<N>, const N: usize, const ZEN: bool>(
    token: W::Token,
    state: &mut State<W>,
    message: &mut impl ExpandedMessage<W>,
) {
    let mut registers = *state;
    // Two words of which E is the exclusive or. The first 16 rounds do not read these.
    let mut parts = [W::splat(token, 0); 2];
    // Unrolled in the source, so that registers change their names and nothing is moved.
    macro_rules! sixteen {
        ($from:literal) => {
            sixteen!($from: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
        };
        ($from:literal: $($i:literal)*) => {$(
            parts = round::<W, N, ZEN, $from, $i, { T[$from + $i] }>(token, &mut registers, parts, message);
        )*};
    }
    sixteen!(0);
    sixteen!(16);
    sixteen!(32);
    sixteen!(48);
    for i in 0..8 {
        state[i] = state[i].xor(registers[i]);
    }
}

/// A step of a round.
#[derive(Clone, Copy)]
enum Step {
    RotateA,
    Sum1,
    RotateSum1,
    Ss2,
    Message,
    Ff,
    Tt1,
    Gg,
    AddGg,
    Tt2,
    P0,
    RotateB,
    RotateF,
}

/// The steps in two orders: the best for one message on an Intel CPU, which all other code takes too, and the best for
/// one message on a Zen.
const STEPS: [[Step; 13]; 2] = {
    use Step::{AddGg, Ff, Gg, Message, P0, RotateA, RotateB, RotateF, RotateSum1, Ss2, Sum1, Tt1, Tt2};
    [
        [Gg, RotateA, Sum1, RotateSum1, Message, RotateB, Ff, AddGg, Tt2, Ss2, RotateF, Tt1, P0],
        [Gg, RotateA, Message, RotateB, Sum1, RotateSum1, Ss2, AddGg, Tt2, P0, Ff, RotateF, Tt1],
    ]
};

/// Round `FROM + I`.
///
/// Register A is where the round before had H, B where it had A, and so on.
#[inline(always)]
// The lint takes every step for the last one, too.
#[allow(unused_assignments)]
fn round<W: Sm3Word<N>, const N: usize, const ZEN: bool, const FROM: usize, const I: usize, const T: u32>(
    token: W::Token,
    registers: &mut State<W>,
    parts: [W; 2],
    message: &mut impl ExpandedMessage<W>,
) -> [W; 2] {
    let first = FROM == 0;
    let place = |register: usize| (register + 64 - FROM - I) % 8;
    let mut named = *registers;
    for i in 0..8 {
        named[i] = registers[place(i)];
    }
    let [a, b, c, mut d, e, f, g, mut h] = named;
    let [mut a12, mut ss1, mut ss2, mut gg, mut b9, mut f19, mut p0] = [a; 7];
    let mut next_parts = parts;
    // Each `match` is resolved by the compiler: only the step itself is left.
    macro_rules! steps {
        ($($i:literal)*) => {$(match const { STEPS[ZEN as usize][$i] } {
            Step::RotateA => a12 = a.rotl::<12>(),
            Step::Sum1 => ss1 = a12.add_constant::<T>(token, e),
            Step::RotateSum1 => ss1 = ss1.rotl::<7>(),
            Step::Ss2 => ss2 = ss1.xor(a12),
            Step::Message => [d, h] = message.add(FROM, I, d, h),
            Step::Ff => d = if first { d.add(b.xor3(c, a)) } else { d.add_majority(a, b, c) },
            Step::Tt1 => d = d.add(ss2),
            Step::Gg => gg = if first { f.xor3(g, e) } else { e.select_in_parts(parts, f, g) },
            Step::AddGg => h = h.add(gg),
            Step::Tt2 => h = h.add(ss1),
            Step::P0 => (p0, next_parts) = h.xor_rotated_and_parts::<9, 17>(),
            Step::RotateB => b9 = b.rotl::<9>(),
            Step::RotateF => f19 = f.rotl::<19>(),
        })*};
    }
    steps!(0 1 2 3 4 5 6 7 8 9 10 11 12);
    registers[place(1)] = b9;
    registers[place(3)] = p0;
    registers[place(5)] = f19;
    registers[place(7)] = d;
    next_parts
}

/// A window of 16 message words, from which the next are expanded (section 5.3.2) when the rounds need them.
pub(super) struct MessageWindow<W, const N: usize>(pub(super) [W; 16]);

impl<W: Sm3Word<N>, const N: usize> ExpandedMessage<W> for MessageWindow<W, N> {
    #[inline(always)]
    fn add(&mut self, from: usize, i: usize, d: W, h: W) -> [W; 2] {
        let [w, sum] = self.next(from, i);
        [d.add(sum), h.add(w)]
    }
}

impl<W: Sm3Word<N>, const N: usize> MessageWindow<W, N> {
    /// W and W' of round `from + i`.
    #[inline(always)]
    pub(super) fn next(&mut self, from: usize, i: usize) -> [W; 2] {
        let w = &mut self.0;
        let ahead = (i + 4) % 16;
        if from + i >= 12 {
            let x = w[ahead].xor3(w[(i + 11) % 16], w[(i + 1) % 16].rotl::<15>());
            w[ahead] = x.xor_rotated::<15, 23>().xor3(w[(i + 7) % 16].rotl::<7>(), w[(i + 14) % 16]);
        }
        [w[i], w[i].xor(w[ahead])]
    }
}
