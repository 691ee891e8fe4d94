//! SM4, bit-sliced in integers: its rounds and its layout, which are generic over the integers.

use crate::integer::Number;
use crate::kalyna_whole::entry_by_bits;
use crate::lane::Lane;
use crate::plane;
use crate::proof::{Claim, Kernel, prove};
use crate::sm4_standard::{FK, key_schedule, l, s_box_table};
use crate::term::{self, Term};
use crate::value::Value;
use fairlane::sm4::symbolic::{
    bitsliced_crypt, bitsliced_rounds, bitsliced_s_box, bitsliced_schedule, bitsliced_schedule_rounds, slice, splat,
    unslice, unsplat,
};
use std::array::from_fn;

/// The bits of one block.
type Plane<L> = plane::Plane<L, 4>;

/// The planes of a word: bit `k` of byte `b` is in plane `k`, byte 0 being the most significant one.
fn planes<L: Lane>(word: L) -> [Plane<L>; 8] {
    from_fn(|k| {
        let bit = |b: u32| word.slice(24 - 8 * b + k as u32, 1);
        plane::Plane(bit(0).concat(bit(1)).concat(bit(2)).concat(bit(3)))
    })
}

fn word<L: Lane>(planes: &[Plane<L>; 8]) -> L {
    let bits = (0..32).map(|at| planes[at % 8].0.slice(3 - at as u32 / 8, 1));
    L::join(&bits.collect::<Vec<_>>())
}

/// τ, section 6.2, with the S-box as a polynomial in the bits of its input, which get names.
fn tau<L: Lane>(x: L, cut: &dyn Fn(L) -> L) -> L {
    let x = cut(x);
    let s = |i: u32| entry_by_bits(x.slice(8 * i, 8), &s_box_table());
    s(0).concat(s(1)).concat(s(2)).concat(s(3))
}

/// More monomials than a product in the right S-box has, counted before equal ones are joined.
const LONGEST: usize = 20_000;

struct Rounds;

impl Kernel for Rounds {
    fn name(&self) -> String {
        "SM4, 32 rounds, bit-sliced = GB/T 32907-2016, 6".into()
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 4 + 32]
    }
    fn longest(&self) -> usize {
        LONGEST
    }
    fn refuses_longer(&self) -> bool {
        true
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut x = from_fn(|w| planes(inputs[w]));
        bitsliced_rounds(&from_fn(|r| planes(inputs[4 + r])), &mut x);
        x.iter().rev().map(word).collect()
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let mut x = inputs[..4].to_vec();
        for i in 0..32 {
            let t = l(tau(x[i + 1].xor(x[i + 2]).xor(x[i + 3].xor(inputs[4 + i])), cut));
            x.push(cut(x[i].xor(t)));
        }
        vec![x[35], x[34], x[33], x[32]]
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let words: Vec<u32> = inputs.iter().map(|x| *x as u32).collect();
        let block: [[u8; 4]; 4] = from_fn(|w| words[w].to_be_bytes());
        let mut blocks = [[0; 16]; 16];
        blocks[11].copy_from_slice(block.as_flattened());
        bitsliced_crypt(&from_fn(|r| words[4 + r]), &mut blocks);
        blocks[11].as_chunks().0.iter().map(|word| u32::from_be_bytes(*word).into()).collect()
    }
}

/// The S-box alone, of which all faults are decided.
struct SBox;

impl Kernel for SBox {
    fn name(&self) -> String {
        "SM4, bit-sliced S-box = GB/T 32907-2016, 6.2".into()
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32]
    }
    fn longest(&self) -> usize {
        100_000
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        vec![word(&bitsliced_s_box(planes(inputs[0])))]
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        vec![tau(inputs[0], cut)]
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let planes = bitsliced_s_box::<u64>(splat(inputs[0] as u32));
        vec![(unsplat(&planes) as u32).swap_bytes().into()]
    }
}

struct KeySchedule;

impl Kernel for KeySchedule {
    fn name(&self) -> String {
        "SM4, key schedule, bit-sliced = GB/T 32907-2016, 7.3".into()
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 4]
    }
    fn longest(&self) -> usize {
        LONGEST
    }
    fn refuses_longer(&self) -> bool {
        true
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (mut key, mut keys) = (from_fn(|w| planes(inputs[w].xor(Value::constant(32, FK[w])))), Vec::new());
        bitsliced_schedule_rounds(&mut key, |i, key| {
            assert_eq!(i, keys.len());
            keys.push(word(key));
        });
        keys
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        key_schedule(inputs, |x| tau(x, cut), cut)
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let key: [[u8; 4]; 4] = from_fn(|w| (inputs[w] as u32).to_be_bytes());
        let key = *key.as_flattened().first_chunk().expect("16 bytes");
        bitsliced_schedule(&key).map(u128::from).to_vec()
    }
}

/// 64 bits from a function of their places.
fn bits(bit: impl Fn(usize) -> Term) -> Term {
    (0..64).map(bit).reduce(Lane::concat).expect("64 bits")
}

/// The layout: words of sixteen blocks to planes and back, and a word that all blocks share.
fn layout() -> Claim {
    Claim::of(
        "SM4, bit-sliced: words of 16 blocks to planes and back = their layout",
        "terms: every bit followed",
        || {
            term::reset();
            let (zero, zeros) = (Term::constant(1, 0), Term::constant(32, 0));
            let words: [Term; 16] = from_fn(|_| Term::input(32));
            let planes = slice(&words.map(|word| Number(word.concat(zeros))));
            for (k, plane) in planes.iter().enumerate() {
                assert_eq!(plane.0, bits(|at| words[at % 16].slice(8 * (at as u32 / 16) + k as u32, 1)), "plane {k}");
            }
            let planes: [Term; 8] = from_fn(|_| Term::input(64));
            let word = |i: usize| {
                let bit = |at: usize| planes[at % 8].slice(16 * (at as u32 / 8) + i as u32, 1);
                bits(|at| if at < 32 { bit(at) } else { zero })
            };
            for (i, bytes) in unslice(planes.map(Number)).iter().enumerate() {
                assert_eq!(bytes.0, word(i), "block {i}");
            }
            assert_eq!(unsplat(&planes.map(Number)).0, word(0));
            "512 bits each way".into()
        },
    )
}

/// A word that all blocks share. Plane `k` depends on bit `k` of each byte, and only neighbours could meet.
fn shared() -> Claim {
    Claim::of("SM4, bit-sliced: the planes of a round key", "all pairs of bytes in all places, tested", || {
        for (at, beside) in [0, 8, 16, 24].into_iter().flat_map(|at| [(at, 0), (at, u32::MAX)]) {
            for pair in 0..=u32::from(u16::MAX) {
                let word = (pair << 16 | beside & 0xffff).rotate_left(at);
                for (k, plane) in splat(word).into_iter().enumerate() {
                    let ones = |b: usize| u64::from(word.to_be_bytes()[b] >> k & 1) * (0xffff << (16 * b));
                    assert_eq!(plane, ones(0) | ones(1) | ones(2) | ones(3));
                }
            }
        }
        "524288 cases".into()
    })
}

/// Proves SM4 in integers.
pub(crate) fn claims() -> Vec<Claim> {
    [prove(&SBox, 15), prove(&Rounds, 30), prove(&KeySchedule, 15), vec![layout(), shared()]].concat()
}
