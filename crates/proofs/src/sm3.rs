//! SM3's compression function: GB/T 32905-2016, sections 4 and 5.3.

use crate::lane::Lane;
use crate::proof::{Claim, Kernel, prove};
use crate::real::u32_words;
use crate::word::Word;
use fairlane::sm3::symbolic::compress;
use fairlane_lanes::{Scalar, Sm3Word, Token};
use std::array::from_fn;

struct Compression;

/// Section 4.4.
fn p0<L: Lane>(x: L) -> L {
    x.xor(x.rotl(9)).xor(x.rotl(17))
}
fn p1<L: Lane>(x: L) -> L {
    x.xor(x.rotl(15)).xor(x.rotl(23))
}

impl Kernel for Compression {
    fn name(&self) -> String {
        "SM3, message expansion and 64 rounds = GB/T 32905-2016, 5.3".into()
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 24]
    }
    fn body<L: Lane>(&self, inputs: &[L]) -> Vec<L> {
        let mut state = from_fn(|i| Word::<L, 32, 1>([inputs[i]]));
        compress(Scalar::PROOF, &mut state, from_fn(|i| Word([inputs[8 + i]])));
        state.map(|word| word.0[0]).to_vec()
    }
    fn standard<L: Lane>(&self, inputs: &[L], cut: &dyn Fn(L) -> L) -> Vec<L> {
        // Section 5.3.2.
        let mut w = inputs[8..].to_vec();
        for j in 16..68 {
            let x = p1(w[j - 16].xor(w[j - 9]).xor(w[j - 3].rotl(15)));
            w.push(cut(x.xor(w[j - 13].rotl(7)).xor(w[j - 6])));
        }
        // Section 5.3.3.
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = from_fn(|i| inputs[i]);
        for j in 0..64 {
            let t = L::constant(32, if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a });
            let ss1 = a.rotl(12).add(e).add(t.rotl(j as u32 % 32)).rotl(7);
            let ss2 = ss1.xor(a.rotl(12));
            let ff = if j < 16 { a.xor(b).xor(c) } else { a.and(b).or(a.and(c)).or(b.and(c)) };
            let gg = if j < 16 { e.xor(f).xor(g) } else { e.and(f).or(e.not().and(g)) };
            let tt1 = ff.add(d).add(ss2).add(w[j].xor(w[j + 4]));
            let tt2 = gg.add(h).add(ss1).add(w[j]);
            (d, c, b, a) = (c, b.rotl(9), a, tt1);
            (h, g, f, e) = (g, f.rotl(19), e, p0(tt2));
        }
        [a, b, c, d, e, f, g, h].iter().zip(inputs).map(|(x, v)| x.xor(*v)).collect()
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

/// Proves SM3.
pub fn claims() -> Vec<Claim> {
    prove(&Compression, 25)
}
