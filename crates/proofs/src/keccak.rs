//! Keccak-p\[1600, n\]: FIPS 202, section 3.2, written on bits.

use crate::lane::Lane;
use crate::proof::{Claim, Kernel, prove};
use crate::real::u64_words;
use crate::value::Value;
use crate::word::{AND_NOT, NO_AND_NOT, TERNARY, TERNARY_EFFECT_FIRST, Word};
use fairlane::keccak::symbolic::permute;
use fairlane_lanes::{KeccakWord, Scalar, Token};

/// The permutation of `ROUNDS` rounds, in the form of `SHAPE` and, where that depends on it, with the order of planes
/// for words of so many states.
pub(crate) struct Permutation<const ROUNDS: usize, const SHAPE: u8, const STATES: usize = 1>;

/// The state array A\[x, y, z\], section 3.1.1: a bit at `a[x][y][z]`.
type StateArray<L> = [[[L; 64]; 5]; 5];

fn state_array<L: Lane>(f: impl Fn(usize, usize, usize) -> L) -> StateArray<L> {
    std::array::from_fn(|x| std::array::from_fn(|y| std::array::from_fn(|z| f(x, y, z))))
}

/// θ, section 3.2.1.
fn theta<L: Lane>(a: &StateArray<L>) -> StateArray<L> {
    let c = |x: usize, z: usize| (1..5).fold(a[x][0][z], |sum, y| sum.xor(a[x][y][z]));
    let c: [[L; 64]; 5] = std::array::from_fn(|x| std::array::from_fn(|z| c(x, z)));
    let d = |x: usize, z: usize| c[(x + 4) % 5][z].xor(c[(x + 1) % 5][(z + 63) % 64]);
    state_array(|x, y, z| a[x][y][z].xor(d(x, z)))
}

/// ρ, section 3.2.2: bit z of a lane comes from bit z - (t + 1)(t + 2) / 2.
fn rho<L: Lane>(a: &StateArray<L>) -> StateArray<L> {
    let mut out = *a;
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        for z in 0..64 {
            out[x][y][z] = a[x][y][(z + 64 * 24 - (t + 1) * (t + 2) / 2) % 64];
        }
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    out
}

/// π, section 3.2.3.
fn pi<L: Lane>(a: &StateArray<L>) -> StateArray<L> {
    state_array(|x, y, z| a[(x + 3 * y) % 5][x][z])
}

/// χ, section 3.2.4: A\[x\] and the product of the complement of A\[x + 1\] with A\[x + 2\].
fn chi<L: Lane>(a: &StateArray<L>) -> StateArray<L> {
    let one = L::constant(1, 1);
    state_array(|x, y, z| a[x][y][z].xor(a[(x + 1) % 5][y][z].xor(one).and(a[(x + 2) % 5][y][z])))
}

/// Algorithm 5, rc(t): the output of a linear-feedback shift register.
fn rc(t: usize) -> bool {
    let mut r = [true, false, false, false, false, false, false, false];
    for _ in 0..t % 255 {
        let mut shifted = [false; 9];
        shifted[1..].copy_from_slice(&r);
        for i in [0, 4, 5, 6] {
            shifted[i] ^= shifted[8];
        }
        r.copy_from_slice(&shifted[..8]);
    }
    r[0]
}

/// ι, algorithm 6.
fn iota<L: Lane>(a: &mut StateArray<L>, round: usize) {
    for j in 0..=6 {
        let bit = &mut a[0][0][(1 << j) - 1];
        *bit = bit.xor(L::constant(1, rc(j + 7 * round).into()));
    }
}

impl<const ROUNDS: usize, const SHAPE: u8, const STATES: usize> Kernel for Permutation<ROUNDS, SHAPE, STATES> {
    fn name(&self) -> String {
        let shape = match SHAPE {
            AND_NOT => "and-not",
            NO_AND_NOT => "no and-not",
            TERNARY => "ternary",
            _ => "ternary, effects first",
        };
        let states = if STATES == 1 { String::new() } else { format!(", planes as for {STATES} states") };
        format!("Keccak-p[1600, {ROUNDS}], {shape}{states} = FIPS 202, 3.2")
    }

    fn inputs(&self) -> Vec<u32> {
        vec![64; 25]
    }

    fn refuses_longer(&self) -> bool {
        true
    }

    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        // The last lane has the state, the others have zeros.
        let lanes = |input| std::array::from_fn(|lane| if lane + 1 == STATES { input } else { Value::constant(64, 0) });
        let mut state = std::array::from_fn(|i| Word::<Value, 64, STATES, SHAPE>(lanes(inputs[i])));
        permute::<_, STATES, ROUNDS>(Scalar::PROOF, &mut state);
        state.map(|word| word.0[STATES - 1]).to_vec()
    }

    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let mut a = state_array(|x, y, z| inputs[5 * y + x].slice(z as u32, 1));
        // Algorithm 7: the last rounds of 24.
        for round in 24 - ROUNDS..24 {
            a = pi(&rho(&theta(&a)));
            a = a.map(|sheet| sheet.map(|lane| lane.map(cut)));
            a = chi(&a);
            iota(&mut a, round);
        }
        let lane = |i: usize| Value::join(&a[i % 5][i / 5]);
        (0..25).map(lane).collect()
    }

    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: KeccakWord<N>, const N: usize, const ROUNDS: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let mut state = std::array::from_fn(|i| W::splat(token, x[i] as u64));
            permute::<W, N, ROUNDS>(token, &mut state);
            state.map(|word| word.to_array()[N - 1].into()).to_vec()
        }
        u64_words!(run::<ROUNDS>(inputs))
    }
}

/// Proves Keccak.
pub fn claims() -> Vec<Claim> {
    [
        prove(&Permutation::<24, AND_NOT>, 15),
        prove(&Permutation::<24, NO_AND_NOT>, 15),
        prove(&Permutation::<24, TERNARY>, 15),
        prove(&Permutation::<24, TERNARY, 4>, 0),
        prove(&Permutation::<24, TERNARY, 8>, 0),
        prove(&Permutation::<24, TERNARY_EFFECT_FIRST>, 0),
        prove(&Permutation::<12, AND_NOT>, 0),
        prove(&Permutation::<12, NO_AND_NOT>, 0),
        prove(&Permutation::<12, TERNARY>, 0),
        prove(&Permutation::<12, TERNARY_EFFECT_FIRST>, 0),
    ]
    .concat()
}
