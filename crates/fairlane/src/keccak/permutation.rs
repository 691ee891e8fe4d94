//! Keccak-p\[1600, n\] (FIPS 202, section 3), written once over words of lanes; n = 24 is Keccak-f\[1600\].
//!
//! One round, counted in operations of a word:
//!
//! | | theta's sums | their effect | rho | chi | iota | in all |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | xor3 and chi are one instruction (AVX-512) | 10 xor3, 5 rotl | 25 xor3 | 24 rotl | 25 chi | 1 xor | 90 |
//! | the same, effects first | the same | 5 xor, 25 xor | 24 rotl | 25 chi | 1 xor | 95 |
//! | and-not is one (BMI, AVX2) | 20 xor, 5 rotl, 5 xor | 25 xor | 24 rotl | 50 | 1 | 130 |
//! | neither (plain x86-64) | the same | | | 50, and 5 complements | 1 | 135 |
//!
//! Cycles a permutation on an Emerald Rapids Xeon (the clock frequency was taken from a chain of dependent additions
//! around each measurement). The bound is the number of operations divided by that of ports: 5 for integers, 3 for 128
//! and 256 bits, 2 for 512.
//!
//! | | bound | measured, median |
//! | --- | --- | --- |
//! | plain integers | 648 | 923 |
//! | integers with BMI | 624 | 757 |
//! | AVX-512, one state, four rotations on other ports (now five: bound 680) | 688 | 727 |
//! | AVX-512, four states in 256 bits | 720 | 766 |
//! | AVX-512, eight states in 512 bits | 1080 | 1177 (best tenth 1146) |
//! | AVX2, four states (184 operations: a rotation takes three) | 1472 | 1660 |
//!
//! A Zen 4 executes four operations of 128 or 256 bits a cycle, two of 512, and two rotations. There one state takes
//! 734 cycles if effects are added first, and 877 otherwise (907 with rotations on other ports); four states in 256
//! bits 733 and 876, eight in 512 bits 1422 and 1610: minima of a program with nothing else, at 3.69 GHz. Sums that
//! have no register go through memory, which takes a Zen longer than five operations do.
//!
//! Plain integer code takes 13 % longer in some programs than in others, with the same instructions at other addresses.
//! Three in ten of its instructions move lanes to or from the stack.

use fairlane_lanes::KeccakWord;

/// A state: lane A[x, y] of FIPS 202 at index 5y + x.
pub(super) type State<W> = [W; 25];

/// The round constants, from the linear-feedback shift register of FIPS 202, section 3.2.5.
const ROUND_CONSTANTS: [u64; 24] = {
    let mut constants = [0; 24];
    let mut register: u8 = 1;
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j < 7 {
            constants[round] |= ((register & 1) as u64) << ((1 << j) - 1);
            register = (register << 1) ^ ((register >> 7) * 0x71);
            j += 1;
        }
        round += 1;
    }
    constants
};

/// The rotations of rho, by index 5y + x (section 3.2.2).
const RHO: [u32; 25] = {
    let mut offsets = [0; 25];
    let (mut x, mut y, mut t) = (1, 0, 0);
    while t < 24 {
        offsets[5 * y + x] = (t as u32 + 1) * (t as u32 + 2) / 2 % 64;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
};

/// How many rounds: the round constants, four at a time.
pub(super) type Rounds = &'static [[u64; 4]];

/// Keccak-f\[1600\].
pub(super) const ROUNDS_24: Rounds = ROUND_CONSTANTS.as_chunks().0;
/// The last 12 rounds of it: TurboSHAKE's permutation.
pub(super) const ROUNDS_12: Rounds = ROUNDS_24.split_at(3).1;

/// The last rounds of Keccak-f\[1600\], as many as there are constants.
#[inline(always)]
pub(super) fn permute<W: KeccakWord<N>, const N: usize>(token: W::Token, a: &mut State<W>, rounds: Rounds) {
    complement::<W, N>(a);
    // Four rounds in each pass of the loop: with one, a sixth of the instructions move lanes back to where the pass
    // began (889 against 726 cycles with BMI); with twelve, integer code does not fit the cache of decoded instructions
    // (796).
    for constants in rounds {
        *a = round::<W, N>(a, W::splat(token, constants[0]));
        *a = round::<W, N>(a, W::splat(token, constants[1]));
        *a = round::<W, N>(a, W::splat(token, constants[2]));
        *a = round::<W, N>(a, W::splat(token, constants[3]));
    }
    complement::<W, N>(a);
}

/// [`permute`] in a loop over the blocks of many messages.
///
/// Plain integers of x86-64 call it, so that the loops share one copy: LLVM would look in each for vectors that are not
/// there, which took a twentieth of the time that the library is built in.
#[inline(always)]
pub(super) fn permute_in_loop<W: KeccakWord<N>, const N: usize>(token: W::Token, a: &mut State<W>, rounds: Rounds) {
    if const { W::AND_NOT } {
        permute::<W, N>(token, a, rounds);
    } else {
        permute_apart::<W, N>(token, a, rounds);
    }
}

#[inline(never)]
fn permute_apart<W: KeccakWord<N>, const N: usize>(token: W::Token, a: &mut State<W>, rounds: Rounds) {
    permute::<W, N>(token, a, rounds);
}

/// The order of the planes of a round with AVX-512. On a Granite Rapids these save 1 to 3 % of the time against the
/// order 0, 1, 3, 2, 4; none of the 120 is the best for one, four and eight states alike.
const fn plane_order(states: usize) -> [usize; 5] {
    match states {
        8 => [2, 1, 0, 3, 4],
        4 => [1, 0, 2, 4, 3],
        _ => [3, 4, 0, 1, 2],
    }
}

#[inline(always)]
fn round<W: KeccakWord<N>, const N: usize>(a: &State<W>, iota: W) -> State<W> {
    // Theta: the sum of each column, and the effect on its neighbours.
    let mut sum = [iota; 5];
    let mut rotated = sum;
    let mut effect = sum;
    if W::MERGES_EFFECT {
        // The three planes that were ready first, then the others.
        let [first, second, third, fourth, fifth] = plane_order(N);
        for x in 0..5 {
            sum[x] = a[5 * first + x].xor3(a[5 * second + x], a[5 * third + x]);
        }
        for x in 0..5 {
            sum[x] = sum[x].xor3(a[5 * fourth + x], a[5 * fifth + x]);
            rotated[(x + 4) % 5] = sum[x].rotl::<1>();
        }
    } else {
        for x in 0..5 {
            sum[x] = a[x].xor3(a[x + 5], a[x + 10]).xor3(a[x + 15], a[x + 20]);
        }
        for x in 0..5 {
            effect[x] = sum[(x + 4) % 5].rax1(sum[(x + 1) % 5]);
        }
    }

    // Rho and pi: lane (x, y) goes to (y, 2x + 3y), so lane (x, y) comes from (x + 3y, x).
    let mut out = *a;
    macro_rules! moved {
        ($x:literal, $y:literal) => {{
            const X: usize = ($x + 3 * $y) % 5;
            const FROM: usize = 5 * $x + X;
            // Where xor3 is one instruction, the two sums of an effect need not be added first.
            if FROM == 0 {
                if W::MERGES_EFFECT { a[0].xor3(sum[4], rotated[0]) } else { a[0].xor(effect[0]) }
            } else if W::MERGES_EFFECT {
                let added = a[FROM].xor3(sum[(X + 4) % 5], rotated[X]);
                // Rotations on other ports: four of 24 saved 5 % of the cycles (Emerald Rapids), six 2 %, and eight
                // cost 5 %, because of their latency. Now they are the five of the first plane.
                if $y == plane_order(N)[0] {
                    added.rotl_off_vector_ports::<{ RHO[FROM] }>()
                } else {
                    added.rotl::<{ RHO[FROM] }>()
                }
            } else {
                a[FROM].xor_rotl::<{ RHO[FROM] }>(effect[X])
            }
        }};
    }
    macro_rules! rho_pi {
        ($y:literal) => {
            [moved!(0, $y), moved!(1, $y), moved!(2, $y), moved!(3, $y), moved!(4, $y)]
        };
    }
    macro_rules! chi {
        ($b:ident, $y:literal) => {
            if W::AND_NOT {
                for x in 0..5 {
                    out[5 * $y + x] = $b[x].chi($b[(x + 1) % 5], $b[(x + 2) % 5]);
                }
            } else {
                out[5 * $y..5 * $y + 5].copy_from_slice(&complemented_chi::<W, N>($b, $y));
            }
        };
    }
    macro_rules! plane {
        ($y:literal) => {
            let b = rho_pi!($y);
            chi!(b, $y);
        };
    }
    // Chi, a plane at a time, for vectors after the next plane's rotations. That takes less time on a Zen 4: one state
    // with AVX-512 5 %, eight 3 to 5 %, four with AVX2 2 to 4 %. Integers have no registers for two planes.
    macro_rules! planes {
        ($first:literal $second:literal $third:literal $fourth:literal $fifth:literal) => {
            let first = rho_pi!($first);
            let second = rho_pi!($second);
            chi!(first, $first);
            let third = rho_pi!($third);
            chi!(second, $second);
            let fourth = rho_pi!($fourth);
            chi!(third, $third);
            let fifth = rho_pi!($fifth);
            chi!(fourth, $fourth);
            chi!(fifth, $fifth);
        };
    }
    if W::MERGES_EFFECT {
        match plane_order(N) {
            [2, ..] => {
                planes!(2 1 0 3 4);
            }
            [1, 0, 2, 4, 3] => {
                planes!(1 0 2 4 3);
            }
            _ => {
                planes!(3 4 0 1 2);
            }
        }
    } else if W::TERNARY || N > 1 {
        planes!(0 1 2 3 4);
    } else {
        plane!(0);
        plane!(1);
        plane!(2);
        plane!(3);
        plane!(4);
    }
    out[0] = out[0].xor(iota);
    out
}

/// Where and-not takes two instructions, complements the lanes that [`complemented_chi`] expects in that form. Of 25
/// complements a round, 5 remain, which makes plain integer code 13 % faster.
#[inline(always)]
fn complement<W: KeccakWord<N>, const N: usize>(a: &mut State<W>) {
    if !W::AND_NOT {
        for i in [1, 2, 8, 12, 17, 20] {
            a[i] = a[i].not();
        }
    }
}

/// Chi of plane `y`, with the lanes of [`complement`] complemented before and after.
#[inline(always)]
fn complemented_chi<W: KeccakWord<N>, const N: usize>([a, b, c, d, e]: [W; 5], y: usize) -> [W; 5] {
    match y {
        0 => [a.xor(b.or(c)), b.xor(c.not().or(d)), c.xor(d.and(e)), d.xor(e.or(a)), e.xor(a.and(b))],
        1 => [a.xor(b.or(c)), b.xor(c.and(d)), c.xor(d.or(e.not())), d.xor(e.or(a)), e.xor(a.and(b))],
        2 => {
            let f = d.not();
            [a.xor(b.or(c)), b.xor(c.and(d)), c.xor(f.and(e)), f.xor(e.or(a)), e.xor(a.and(b))]
        }
        3 => {
            let f = d.not();
            [a.xor(b.and(c)), b.xor(c.or(d)), c.xor(f.or(e)), f.xor(e.and(a)), e.xor(a.or(b))]
        }
        _ => {
            let f = b.not();
            [a.xor(f.and(c)), f.xor(c.or(d)), c.xor(d.and(e)), d.xor(e.or(a)), e.xor(a.and(b))]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairlane_lanes::{
        AnyToken, Avx512, Backend, Kernel, Scalar, Token, U64x1, U64x1Vl, U64x1Zen, U64x4Vl, U64x4Zen, U64x8, U64x8Zen,
    };

    #[test]
    fn constants_are_the_standards() {
        assert_eq!(ROUND_CONSTANTS[..3], [1, 0x8082, 0x8000_0000_0000_808a]);
        assert_eq!(ROUND_CONSTANTS[23], 0x8000_0000_8000_8008);
        assert_eq!(RHO[..10], [0, 1, 62, 28, 27, 36, 44, 6, 55, 20]);
    }
    /// One order of operations is never chosen on this CPU: so each is asked.
    #[test]
    fn all_orders_on_avx512() {
        struct All;
        impl Kernel<Avx512> for All {
            type Output = [[u64; 25]; 6];

            #[inline(always)]
            fn call(self, token: Avx512) -> Self::Output {
                [
                    first_state::<U64x1Vl, 1>(token),
                    first_state::<U64x1Zen, 1>(token),
                    first_state::<U64x4Vl, 4>(token),
                    first_state::<U64x4Zen, 4>(token),
                    first_state::<U64x8, 8>(token),
                    first_state::<U64x8Zen, 8>(token),
                ]
            }
        }
        #[inline(always)]
        fn first_state<W: KeccakWord<N>, const N: usize>(token: W::Token) -> [u64; 25] {
            let mut a = [W::splat(token, 0); 25];
            permute::<W, N>(token, &mut a, ROUNDS_24);
            let mut state = [0; 25];
            for i in 0..25 {
                state[i] = a[i].to_array()[0];
            }
            state
        }
        if let Ok(AnyToken::Avx512(token)) = AnyToken::new(Backend::Avx512) {
            let expected = first_state::<U64x1<Scalar>, 1>(Scalar::PROOF);
            assert_eq!(token.run(All), [expected; 6]);
        }
    }
}
