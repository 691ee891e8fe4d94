//! SM3's compression function: GB/T 32905-2016, sections 4 and 5.3.

use crate::lane::Lane;
use crate::proof::{Claim, Kernel, prove};
use crate::real::u32_words;
use crate::value::Value;
use crate::word::Word;
use fairlane::sm3::symbolic::{absorb_in_groups, absorb_one_by_one, compress};
use fairlane_lanes::{Quads, Scalar, Sm3Word, Token};
use std::array::from_fn;

/// The compression function.
pub(crate) struct Compression;

/// Section 4.4.
fn p0<L: Lane>(x: L) -> L {
    x.xor(x.rotl(9)).xor(x.rotl(17))
}
fn p1<L: Lane>(x: L) -> L {
    x.xor(x.rotl(15)).xor(x.rotl(23))
}

/// CF(V, B), section 5.3.
fn standard<L: Lane>(state: &[L], block: &[L], cut: &dyn Fn(L) -> L) -> Vec<L> {
    // Section 5.3.2.
    let mut w = block.to_vec();
    for j in 16..68 {
        let x = p1(w[j - 16].xor(w[j - 9]).xor(w[j - 3].rotl(15)));
        w.push(cut(x.xor(w[j - 13].rotl(7)).xor(w[j - 6])));
    }
    // Section 5.3.3.
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = from_fn(|i| state[i]);
    for j in 0..64 {
        let t = L::constant(32, if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a });
        let ss1 = cut(a.rotl(12).add(e).add(t.rotl(j as u32 % 32))).rotl(7);
        let ss2 = ss1.xor(a.rotl(12));
        let ff = if j < 16 { a.xor(b).xor(c) } else { a.and(b).or(a.and(c)).or(b.and(c)) };
        let gg = if j < 16 { e.xor(f).xor(g) } else { e.and(f).or(e.not().and(g)) };
        let tt1 = cut(ff.add(d).add(ss2).add(w[j].xor(w[j + 4])));
        let tt2 = cut(gg.add(h).add(ss1).add(w[j]));
        (d, c, b, a) = (c, b.rotl(9), a, tt1);
        (h, g, f, e) = (g, f.rotl(19), e, p0(tt2));
    }
    [a, b, c, d, e, f, g, h].iter().zip(state).map(|(x, v)| x.xor(*v)).collect()
}

impl Kernel for Compression {
    fn name(&self) -> String {
        "SM3, message expansion and 64 rounds = GB/T 32905-2016, 5.3".into()
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 24]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut state = from_fn(|i| Word::<Value, 32, 1>([inputs[i]]));
        compress(Scalar::PROOF, &mut state, from_fn(|i| Word([inputs[8 + i]])));
        state.map(|word| word.0[0]).to_vec()
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        standard(&inputs[..8], &inputs[8..], cut)
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: Sm3Word<N>, const N: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let mut state = from_fn(|i| W::splat(token, x[i] as u32));
            compress(token, &mut state, from_fn(|i| W::splat(token, x[8 + i] as u32)));
            state.map(|word| word.to_array()[N - 1].into()).to_vec()
        }
        u32_words!(run(inputs))
    }
}

/// Blocks in memory, whose words are expanded in vectors of `LANES` lanes: of as many blocks side by side, or of one
/// block four words at a time, with the rounds in the order for a Zen or not.
struct Absorption<const BLOCKS: usize, const LANES: usize, const IN_GROUPS: bool, const ZEN: bool>;

impl<const BLOCKS: usize, const LANES: usize, const IN_GROUPS: bool, const ZEN: bool>
    Absorption<BLOCKS, LANES, IN_GROUPS, ZEN>
{
    fn absorb<W: Sm3Word<1>, V: Sm3Word<N, Token = W::Token> + Quads<N>, const N: usize>(
        token: W::Token,
        state: &mut [u32; 8],
        blocks: &[[u8; 64]],
    ) {
        if IN_GROUPS {
            absorb_in_groups::<W, V, N>(token, state, blocks);
        } else {
            absorb_one_by_one::<W, V, N, ZEN>(token, state, blocks);
        }
    }
}

impl<const BLOCKS: usize, const LANES: usize, const IN_GROUPS: bool, const ZEN: bool> Kernel
    for Absorption<BLOCKS, LANES, IN_GROUPS, ZEN>
{
    fn name(&self) -> String {
        let how = if IN_GROUPS { "a block in each lane" } else { "four words at a time" };
        let order = if ZEN { ", rounds in the order for a Zen" } else { "" };
        format!("SM3, {BLOCKS} blocks in memory, expanded in {LANES} lanes, {how}{order} = GB/T 32905-2016, 5.3")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 8 + 16 * BLOCKS]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let number = |word: Value| word.number() as u32;
        let mut state = from_fn(|i| number(inputs[i]));
        let block = |i: usize| {
            let words: [[u8; 4]; 16] = from_fn(|j| {
                // The kernel loads a little-endian word, and swaps its bytes.
                let big = inputs[8 + 16 * i + j];
                let swapped = big.slice(24, 8).concat(big.slice(16, 8)).concat(big.slice(8, 8)).concat(big.slice(0, 8));
                number(swapped).to_le_bytes()
            });
            words.as_flattened().try_into().expect("64 bytes")
        };
        let blocks: [[u8; 64]; BLOCKS] = from_fn(block);
        Self::absorb::<Word<Value, 32, 1>, Word<Value, 32, LANES>, LANES>(Scalar::PROOF, &mut state, &blocks);
        state.map(|number| Value::constant(32, number.into())).to_vec()
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let (state, blocks) = inputs.split_at(8);
        blocks.chunks(16).fold(state.to_vec(), |state, block| standard(&state, block, cut))
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let mut state = from_fn(|i| inputs[i] as u32);
        let (_, blocks) = inputs.split_at(8);
        if let Some(token) = fairlane_lanes::Avx2::new() {
            let bytes: Vec<[u8; 4]> = blocks.iter().map(|x| (*x as u32).to_be_bytes()).collect();
            let blocks = bytes.as_flattened().as_chunks().0;
            Self::absorb::<fairlane_lanes::U32x1Bmi2<fairlane_lanes::Avx2>, fairlane_lanes::U32x8, 8>(
                token, &mut state, blocks,
            );
            return state.map(u128::from).to_vec();
        }
        let state = state.map(u128::from).to_vec();
        blocks.chunks(16).fold(state, |state, block| Compression.real(&[&state, block].concat()))
    }
}

/// Proves SM3.
pub fn claims() -> Vec<Claim> {
    [
        prove(&Compression, 25),
        prove(&Absorption::<2, 8, false, false>, 12),
        prove(&Absorption::<2, 8, false, true>, 12),
        prove(&Absorption::<5, 4, true, false>, 12),
    ]
    .concat()
}
