//! ChaCha (RFC 8439), Kusumi-512 and Threefish (Skein 1.3): additions, rotations, exclusive ors.

use crate::lane::Lane;
use crate::proof::{Claim, Kernel, Random, prove};
use crate::real::u32_words;
use crate::term::Term;
use crate::value::Value;
use crate::word::{AND_NOT, TERNARY, Word};
use fairlane::cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, Key, KeyInit};
use fairlane::threefish::{self, Threefish256, Threefish512, Threefish1024};
use fairlane::{chacha, kusumi};
use fairlane_lanes::{Quads, Scalar, Token, U32xN};
use std::array::from_fn;

/// RFC 8439, section 2.1.
fn quarter_round<L: Lane>(x: &mut [L], [a, b, c, d]: [usize; 4]) {
    x[a] = x[a].add(x[b]);
    x[d] = x[d].xor(x[a]).rotl(16);
    x[c] = x[c].add(x[d]);
    x[b] = x[b].xor(x[c]).rotl(12);
    x[a] = x[a].add(x[b]);
    x[d] = x[d].xor(x[a]).rotl(8);
    x[c] = x[c].add(x[d]);
    x[b] = x[b].xor(x[c]).rotl(7);
}

/// The order of the quarter rounds, for a claim's name.
fn order(shape: u8) -> &'static str {
    if shape == TERNARY { ", quarter rounds side by side" } else { "" }
}

/// RFC 8439, section 2.3: the rounds of the block function.
pub(crate) fn chacha_rounds<L: Lane>(inputs: &[L], rounds: usize) -> Vec<L> {
    let mut x = inputs.to_vec();
    for _ in 0..rounds / 2 {
        for i in 0..4 {
            quarter_round(&mut x, [i, 4 + i, 8 + i, 12 + i]);
        }
        for i in 0..4 {
            quarter_round(&mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        }
    }
    x
}

/// The quarter rounds are side by side if the words have 32 registers, by `SHAPE`.
pub(crate) struct Columns<const ROUNDS: usize, const SHAPE: u8>;

impl<const ROUNDS: usize, const SHAPE: u8> Kernel for Columns<ROUNDS, SHAPE> {
    fn name(&self) -> String {
        format!("ChaCha, {ROUNDS} rounds, a block in each lane{} = RFC 8439, 2.3", order(SHAPE))
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 16]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut state = from_fn(|i| Word::<Value, 32, 1, SHAPE>([inputs[i]]));
        chacha::symbolic::columns::<_, 1, ROUNDS>(&mut state);
        state.map(|word| word.0[0]).to_vec()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        chacha_rounds(inputs, ROUNDS)
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: U32xN<N>, const N: usize, const ROUNDS: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let mut state = from_fn(|i| W::splat(token, x[i] as u32));
            chacha::symbolic::columns::<W, N, ROUNDS>(&mut state);
            state.map(|word| word.to_array()[N - 1].into()).to_vec()
        }
        u32_words!(run::<ROUNDS>(inputs))
    }
}

/// Two states in rows, in words of eight lanes, and back to the order of the states.
pub(crate) struct Rows<const ROUNDS: usize>;

impl<const ROUNDS: usize> Kernel for Rows<ROUNDS> {
    fn name(&self) -> String {
        format!("ChaCha, {ROUNDS} rounds, two blocks in rows, and their transposition = RFC 8439, 2.3")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 32]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut rows = from_fn(|r| Word::<Value, 32, 8>(from_fn(|i| inputs[i / 4 * 16 + 4 * r + i % 4])));
        chacha::symbolic::rows::<_, 8, ROUNDS>(&mut rows);
        Word::states(rows).map(|word| word.0).as_flattened().to_vec()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        inputs.chunks(16).flat_map(|state| chacha_rounds(state, ROUNDS)).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: Quads<N>, const N: usize, const ROUNDS: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let mut rows =
                from_fn(|r| W::from_array(token, from_fn(|i| x[i / 4 * 16 % x.len() + 4 * r + i % 4] as u32)));
            chacha::symbolic::rows::<W, N, ROUNDS>(&mut rows);
            let states = W::states(rows).map(W::to_array);
            states.as_flattened()[..x.len().min(4 * N)].iter().map(|x| (*x).into()).collect()
        }
        if let Some(token) = fairlane_lanes::Avx512::new() {
            run::<fairlane_lanes::U32x16, 16, ROUNDS>(token, inputs)
        } else if let Some(token) = fairlane_lanes::Avx2::new() {
            run::<fairlane_lanes::U32x8, 8, ROUNDS>(token, inputs)
        } else {
            inputs.chunks(16).flat_map(|state| Columns::<ROUNDS, AND_NOT>.real(state)).collect()
        }
    }
}

pub(crate) struct Kusumi<const SHAPE: u8>;

impl<const SHAPE: u8> Kernel for Kusumi<SHAPE> {
    fn name(&self) -> String {
        format!("Kusumi-512, ten rounds{} = its authors' 17 quarter rounds each", order(SHAPE))
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 25]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut state = from_fn(|i| Word::<Value, 32, 1, SHAPE>([inputs[i]]));
        kusumi::symbolic::rounds::<_, 1>(&mut state);
        state.map(|word| word.0[0]).to_vec()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let mut x = inputs.to_vec();
        for _ in 0..10 {
            // The rows of the state are four columns of four, and a fifth row 16 to 19, 20 to 23, and 24.
            for i in 0..4 {
                quarter_round(&mut x, [i, 4 + i, 8 + i, 12 + i]);
            }
            for i in 0..4 {
                quarter_round(&mut x, [16 + i, 20 + i, i, 4 + i]);
            }
            for i in 0..4 {
                quarter_round(&mut x, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
            }
            for i in 0..4 {
                quarter_round(&mut x, [16 + i, 20 + (i + 1) % 4, (i + 2) % 4, 4 + (i + 3) % 4]);
            }
            quarter_round(&mut x, [19, 24, 0, 5]);
        }
        x
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: U32xN<N>, const N: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let mut state = from_fn(|i| W::splat(token, x[i] as u32));
            kusumi::symbolic::rounds::<W, N>(&mut state);
            state.map(|word| word.to_array()[N - 1].into()).to_vec()
        }
        u32_words!(run(inputs))
    }
}

/// Threefish with a key, a tweak and a block of `WORDS` words as inputs.
pub(crate) struct Threefish<const WORDS: usize, const DECRYPT: bool>;

/// Skein 1.3, table 4.
fn rotation(words: usize, d: usize, j: usize) -> u32 {
    const OF_4: [[u32; 2]; 8] = [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];
    const OF_8: [[u32; 4]; 8] = [
        [46, 36, 19, 37],
        [33, 27, 14, 42],
        [17, 49, 36, 39],
        [44, 9, 54, 56],
        [39, 30, 34, 24],
        [13, 50, 10, 17],
        [25, 29, 39, 43],
        [8, 35, 56, 22],
    ];
    const OF_16: [[u32; 8]; 8] = [
        [24, 13, 8, 47, 8, 17, 22, 37],
        [38, 19, 10, 55, 49, 18, 23, 52],
        [33, 4, 51, 13, 34, 41, 59, 17],
        [5, 20, 48, 41, 47, 28, 16, 25],
        [41, 9, 37, 31, 12, 47, 44, 30],
        [16, 34, 56, 51, 4, 53, 42, 41],
        [31, 44, 47, 46, 19, 42, 44, 25],
        [9, 48, 35, 52, 23, 31, 37, 20],
    ];
    match words {
        4 => OF_4[d % 8][j],
        8 => OF_8[d % 8][j],
        _ => OF_16[d % 8][j],
    }
}

/// Table 3: word i comes from word π(i).
fn permutation(words: usize) -> &'static [usize] {
    match words {
        4 => &[0, 3, 2, 1],
        8 => &[2, 1, 4, 7, 6, 5, 0, 3],
        _ => &[0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1],
    }
}

/// Section 3.3.2: word i of subkey s.
fn subkey<L: Lane>(key: &[L], tweak: &[L], s: usize, i: usize) -> L {
    let words = key.len();
    let parity = key.iter().fold(L::constant(64, 0x1bd1_1bda_a9fc_1a22), |sum, word| sum.xor(*word));
    let t = [tweak[0], tweak[1], tweak[0].xor(tweak[1])];
    let at = (s + i) % (words + 1);
    let k = if at == words { parity } else { key[at] };
    match words - i {
        3 => k.add(t[s % 3]),
        2 => k.add(t[(s + 1) % 3]),
        1 => k.add(L::constant(64, s as u128)),
        _ => k,
    }
}

impl<const WORDS: usize, const DECRYPT: bool> Threefish<WORDS, DECRYPT> {
    const ROUNDS: usize = if WORDS == 16 { 80 } else { 72 };

    /// Section 3.3.
    fn encrypt<L: Lane>(key: &[L], tweak: &[L], block: &[L]) -> Vec<L> {
        let mut v = block.to_vec();
        for d in 0..Self::ROUNDS {
            if d % 4 == 0 {
                v = (0..WORDS).map(|i| v[i].add(subkey(key, tweak, d / 4, i))).collect();
            }
            // MIX, section 3.3.1.
            let f: Vec<L> = (0..WORDS)
                .map(|i| {
                    let sum = v[i & !1].add(v[i | 1]);
                    if i % 2 == 0 { sum } else { v[i].rotl(rotation(WORDS, d, i / 2)).xor(sum) }
                })
                .collect();
            v = permutation(WORDS).iter().map(|from| f[*from]).collect();
        }
        (0..WORDS).map(|i| v[i].add(subkey(key, tweak, Self::ROUNDS / 4, i))).collect()
    }

    /// The steps of encryption undone, the last one first.
    fn decrypt<L: Lane>(key: &[L], tweak: &[L], block: &[L]) -> Vec<L> {
        let mut v: Vec<L> = (0..WORDS).map(|i| block[i].sub(subkey(key, tweak, Self::ROUNDS / 4, i))).collect();
        for d in (0..Self::ROUNDS).rev() {
            let mut f = v.clone();
            for (i, from) in permutation(WORDS).iter().enumerate() {
                f[*from] = v[i];
            }
            for j in 0..WORDS / 2 {
                let x1 = f[2 * j + 1].xor(f[2 * j]).rotl(64 - rotation(WORDS, d, j));
                (v[2 * j], v[2 * j + 1]) = (f[2 * j].sub(x1), x1);
            }
            if d % 4 == 0 {
                v = (0..WORDS).map(|i| v[i].sub(subkey(key, tweak, d / 4, i))).collect();
            }
        }
        v
    }

    /// On as many blocks side by side as the widest words have lanes.
    fn crypt_blocks<C: KeyInit + BlockCipherEncrypt + BlockCipherDecrypt>(
        cipher: impl FnOnce(&Key<C>, &[u8; 16]) -> C,
        numbers: &[u128],
    ) -> Vec<u128> {
        let bytes: Vec<[u8; 8]> = numbers.iter().map(|x| (*x as u64).to_le_bytes()).collect();
        let (key, rest) = bytes.as_flattened().split_at(8 * WORDS);
        let (tweak, block) = rest.split_first_chunk().expect("a tweak and a block");
        let cipher = cipher(key.try_into().expect("a key"), tweak);
        let mut blocks = vec![Block::<C>::try_from(block).expect("a block"); 8];
        if DECRYPT {
            cipher.decrypt_blocks(&mut blocks);
        } else {
            cipher.encrypt_blocks(&mut blocks);
        }
        assert!(blocks.iter().all(|block| *block == blocks[0]));
        blocks[0].as_chunks().0.iter().map(|x| u64::from_le_bytes(*x).into()).collect()
    }
}

impl<const WORDS: usize, const DECRYPT: bool> Kernel for Threefish<WORDS, DECRYPT> {
    fn name(&self) -> String {
        let what = if DECRYPT { "decryption" } else { "encryption" };
        format!("Threefish-{}, {what} with key schedule = Skein 1.3, 3.3", 64 * WORDS)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![64; 2 * WORDS + 2]
    }
    fn name_inputs(&self, inputs: &[Value]) {
        // The body takes the key and the tweak as bytes, and makes the parity words of them as numbers. Here these
        // numbers are names without a pattern, whose sums are names too.
        let mut random = Random::new();
        let names: Vec<u128> = inputs[..WORDS + 2].iter().map(|_| random.number().into()).collect();
        for (name, input) in names.iter().zip(inputs) {
            input.stands_behind(*name);
        }
        let (key, tweak) = inputs[..WORDS + 2].split_at(WORDS);
        let parity = key.iter().fold(Value::constant(64, 0x1bd1_1bda_a9fc_1a22), |sum, word| sum.xor(*word));
        parity.stands_behind(names[..WORDS].iter().fold(0x1bd1_1bda_a9fc_1a22, |sum, name| sum ^ name));
        tweak[0].xor(tweak[1]).stands_behind(names[WORDS] ^ names[WORDS + 1]);
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let numbers: Vec<u128> = inputs[..WORDS + 2].iter().map(|word| word.number()).collect();
        let bytes: Vec<[u8; 8]> = numbers.iter().map(|x| (*x as u64).to_le_bytes()).collect();
        let (key, tweak) = bytes.as_flattened().split_last_chunk().expect("a key and a tweak");
        let mut block = from_fn(|i| Word::<Value, 64, 1>([inputs[WORDS + 2 + i]]));
        threefish::symbolic::crypt::<_, 1, WORDS, DECRYPT>(Scalar::PROOF, key, tweak, &mut block);
        block.map(|word| word.0[0]).to_vec()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let (key, rest) = inputs.split_at(WORDS);
        let (tweak, block) = rest.split_at(2);
        if DECRYPT { Self::decrypt(key, tweak, block) } else { Self::encrypt(key, tweak, block) }
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        match WORDS {
            4 => Self::crypt_blocks(Threefish256::new_with_tweak, inputs),
            8 => Self::crypt_blocks(Threefish512::new_with_tweak, inputs),
            _ => Self::crypt_blocks(Threefish1024::new_with_tweak, inputs),
        }
    }
}

/// Proves that decryption undoes encryption.
fn inverse<const WORDS: usize>() -> Claim {
    let name = format!("Threefish-{}: decryption of encryption = the block", 64 * WORDS);
    Claim::of(name, "terms: the same normal form", || {
        crate::term::reset();
        let inputs: Vec<Value> = (0..2 * WORDS + 2).map(|_| Term::input(64).into()).collect();
        Threefish::<WORDS, false>.name_inputs(&inputs);
        let encrypted = Threefish::<WORDS, false>.body(&inputs);
        let again = [&inputs[..WORDS + 2], &encrypted].concat();
        assert_eq!(Threefish::<WORDS, true>.body(&again), inputs[WORDS + 2..]);
        format!("{} bits of input", 64 * inputs.len())
    })
}

/// Proves ChaCha.
pub fn chacha_claims() -> Vec<Claim> {
    [
        prove(&Columns::<8, AND_NOT>, 0),
        prove(&Columns::<12, AND_NOT>, 0),
        prove(&Columns::<20, AND_NOT>, 15),
        prove(&Columns::<8, TERNARY>, 0),
        prove(&Columns::<12, TERNARY>, 0),
        prove(&Columns::<20, TERNARY>, 15),
        prove(&Rows::<8>, 0),
        prove(&Rows::<12>, 0),
        prove(&Rows::<20>, 15),
    ]
    .concat()
}

/// Proves Kusumi-512.
pub fn kusumi_claims() -> Vec<Claim> {
    [prove(&Kusumi::<AND_NOT>, 15), prove(&Kusumi::<TERNARY>, 15)].concat()
}

/// Proves Threefish.
pub fn threefish_claims() -> Vec<Claim> {
    [
        prove(&Threefish::<4, false>, 12),
        prove(&Threefish::<4, true>, 12),
        prove(&Threefish::<8, false>, 12),
        prove(&Threefish::<8, true>, 12),
        prove(&Threefish::<16, false>, 12),
        prove(&Threefish::<16, true>, 12),
        vec![inverse::<4>(), inverse::<8>(), inverse::<16>()],
    ]
    .concat()
}
