//! Kalyna from key and block to block: DSTU 7624:2014 (IACR ePrint 2015/650), sections 5, 6 and 8.
//!
//! In the integers of `scalar` an S-box is a polynomial in eight bits, which the standard has here, too: a table's
//! entries after the Möbius transform.

use crate::integer::Number;
use crate::kalyna::{State, mix_columns, shift_rows, substitute, tables};
use crate::lane::{Lane, Plain};
use crate::proof::{Claim, Kernel, prove};
use crate::value::Value;
use crate::word::Word;
use fairlane::Backend;
use fairlane::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, Key, KeyInit};
use fairlane::kalyna::symbolic::{
    byte_sliced_blocks, byte_sliced_schedule_rounds, eight_columns, few_blocks, integer_block, integer_schedule_rounds,
    schedule, schedule_in_words,
};
use fairlane::kalyna::{Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use fairlane_lanes::Scalar;
use fairlane_reference::kalyna::{V, V_INVERSE};
use std::array::from_fn;

/// Words that hold a byte of many columns.
const BYTE_SLICED: u8 = 0;
/// Words of 64 bytes in the order of memory.
const IN_ORDER: u8 = 1;
/// A column in each integer.
const INTEGERS: u8 = 2;
/// One block of two or four columns in a word of its length.
const ONE_BLOCK: u8 = 3;
/// Eight columns in two words.
const EIGHT_COLUMNS: u8 = 4;

/// Blocks of `C` columns under a key of `KEY`, with `R` rounds.
struct Whole<const C: usize, const KEY: usize, const R: usize, const DECRYPT: bool, const FORM: u8>;

/// The entry of a table as a polynomial in the bits of `x`, by Horner's rule.
pub(crate) fn entry_by_bits<L: Lane>(x: L, table: &[u8; 256]) -> L {
    let mut coefficients = *table;
    for bit in 0..8 {
        for i in (0..256).filter(|i| i >> bit & 1 == 1) {
            coefficients[i] ^= coefficients[i ^ (1 << bit)];
        }
    }
    let mut terms: Vec<L> = coefficients.iter().map(|c| L::constant(8, (*c).into())).collect();
    for i in 0..8 {
        let bit = x.slice(i, 1);
        let bits = L::join(&[bit; 8]);
        terms = terms.chunks(2).map(|pair| pair[0].xor(pair[1].and(bits))).collect();
    }
    terms[0]
}

/// The standard, and how it computes S-boxes.
pub(crate) struct Standard<'a, L> {
    pub by_bits: bool,
    pub cut: &'a dyn Fn(L) -> L,
}

impl<L: Lane> Standard<'_, L> {
    fn cut(&self, state: State<L>) -> State<L> {
        state.into_iter().map(|column| column.map(self.cut)).collect()
    }

    fn substitute(&self, state: &State<L>, inverse: bool) -> State<L> {
        if !self.by_bits {
            return substitute(state, inverse);
        }
        let tables = tables(inverse);
        self.cut(state.iter().map(|column| from_fn(|row| entry_by_bits(column[row], &tables[row % 4]))).collect())
    }

    /// π', τ and ψ, sections 5.4 to 5.6, and an addition modulo 2.
    fn round(&self, state: &State<L>, key: Option<&State<L>>) -> State<L> {
        let mixed = mix_columns(&shift_rows(&self.substitute(state, false), false), &V);
        self.cut(key.map_or(mixed.clone(), |key| zip(&mixed, key, |x, y| bytewise(x, y, L::xor))))
    }

    /// Section 8: round keys.
    fn schedule(&self, key: &[L], c: usize, rounds: usize) -> Vec<State<L>> {
        let k: State<L> = key.iter().map(bytes).collect();
        let (words, zero) = (k.len(), [L::constant(8, 0); 8]);
        let (alpha, omega) = (k[..c].to_vec(), k[words - c..].to_vec());
        // The intermediate key: (l + k + 64) / 64 as the initial value.
        let mut middle = vec![zero; c];
        middle[0][0] = L::constant(8, (c + words + 1) as u128);
        middle = self.round(&add(&middle, &alpha), Some(&omega));
        middle = add(&self.round(&middle, None), &alpha);
        middle = self.round(&middle, None);
        let mut keys: Vec<State<L>> = Vec::new();
        for i in 0..=rounds {
            if i % 2 == 1 {
                // The key before, rotated left by l / 4 + 24 bits.
                let all: Vec<L> = keys[i - 1].as_flattened().to_vec();
                let by = 2 * c + 3;
                keys.push((0..c).map(|j| from_fn(|row| all[(8 * j + row + by) % (8 * c)])).collect());
                continue;
            }
            // 0x0001 in every 16 bits, shifted by half the number; and K rotated by 32 i bits, or by 16 i bits of which
            // the left half counts, or by 64 ⌊i / 4⌋ bits, of which the right half counts.
            let constant = bytes(&L::constant(64, 0x0001_0001_0001_0001 << (i / 2)));
            let sum = add(&middle, &vec![constant; c]);
            let from = match (words == c, i % 4) {
                (true, _) => i / 2,
                (false, 0) => i / 4,
                (false, _) => i / 4 + c,
            };
            let state: State<L> = (0..c).map(|j| k[(from + j) % words]).collect();
            let state = self.round(&add(&state, &sum), Some(&sum));
            keys.push(add(&self.round(&state, None), &sum));
        }
        keys
    }

    /// Blocks of `c` columns under a key.
    fn crypt(&self, key: &[L], blocks: &[L], c: usize, rounds: usize, decrypt: bool) -> Vec<L> {
        let keys = self.schedule(key, c, rounds);
        let blocks = blocks.chunks(c).map(|block| block.iter().map(bytes).collect::<State<L>>());
        let crypt = |block: State<L>| if decrypt { self.decrypt(&keys, &block) } else { self.encrypt(&keys, &block) };
        blocks.flat_map(crypt).map(|bytes| column(&bytes)).collect()
    }

    /// Section 5.
    pub(crate) fn encrypt(&self, keys: &[State<L>], block: &State<L>) -> State<L> {
        let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
        let state = middle.iter().fold(add(block, first), |state, key| self.round(&state, Some(key)));
        add(&self.round(&state, None), last)
    }

    /// Section 6: the steps of encryption undone.
    pub(crate) fn decrypt(&self, keys: &[State<L>], block: &State<L>) -> State<L> {
        let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
        let undo = |state: &State<L>| {
            let unmixed = self.cut(mix_columns(state, &V_INVERSE));
            self.substitute(&shift_rows(&unmixed, true), true)
        };
        let mut state = subtract(block, last);
        for key in middle.iter().rev() {
            state = zip(&undo(&state), key, |x, y| bytewise(x, y, L::xor));
        }
        subtract(&undo(&state), first)
    }
}

pub(crate) fn bytes<L: Lane>(column: &L) -> [L; 8] {
    from_fn(|row| column.slice(8 * row as u32, 8))
}

pub(crate) fn column<L: Lane>(bytes: &[L; 8]) -> L {
    L::join(bytes)
}

fn bytewise<L: Lane>(x: &[L; 8], y: &[L; 8], f: impl Fn(L, L) -> L) -> [L; 8] {
    from_fn(|row| f(x[row], y[row]))
}

fn zip<L: Lane>(x: &State<L>, y: &State<L>, f: impl Fn(&[L; 8], &[L; 8]) -> [L; 8]) -> State<L> {
    x.iter().zip(y).map(|(x, y)| f(x, y)).collect()
}

/// Column by column modulo 2^64.
fn add<L: Lane>(x: &State<L>, y: &State<L>) -> State<L> {
    zip(x, y, |x, y| bytes(&column(x).add(column(y))))
}

fn subtract<L: Lane>(x: &State<L>, y: &State<L>) -> State<L> {
    zip(x, y, |x, y| bytes(&column(x).sub(column(y))))
}

/// A column in memory: its name, or its value.
fn stored<L: Lane>(column: &L) -> [u8; 8] {
    (column.number() as u64).to_le_bytes()
}

fn loaded<L: Lane>(bytes: &[u8; 8]) -> L {
    L::constant(64, u64::from_le_bytes(*bytes).into())
}

impl<const C: usize, const KEY: usize, const R: usize, const DECRYPT: bool, const FORM: u8>
    Whole<C, KEY, R, DECRYPT, FORM>
{
    /// Columns of data: two batches of decryption, two words in the order of memory, or one block.
    const COLUMNS: usize = match FORM {
        BYTE_SLICED if DECRYPT => 32,
        BYTE_SLICED | IN_ORDER => 16,
        EIGHT_COLUMNS => 8,
        _ => C,
    };

    fn keys<L: Lane>(key: &[L]) -> Vec<[L; C]> {
        let mut keys = vec![[L::constant(64, 0); C]; R + 1];
        match FORM {
            BYTE_SLICED | ONE_BLOCK | EIGHT_COLUMNS => schedule::<Number<L>, C>(key, &mut keys, |rounds| {
                rounds.converted(stored, loaded, |rounds| {
                    byte_sliced_schedule_rounds::<Word<L, 8, 16>, 16, C>(Scalar::PROOF, rounds);
                });
            }),
            INTEGERS => schedule::<Number<L>, C>(key, &mut keys, integer_schedule_rounds::<Number<L>, C>),
            _ => {
                let key: [[u8; 8]; KEY] = from_fn(|i| stored(&key[i]));
                let mut bytes = vec![0; 8 * C * (R + 2)];
                schedule_in_words::<Word<L, 8, 64>, C, KEY>(Scalar::PROOF, &key, &mut bytes);
                let (columns, _) = bytes.as_chunks::<8>();
                keys.as_flattened_mut().iter_mut().zip(columns).for_each(|(key, bytes)| *key = loaded(bytes));
            }
        }
        keys
    }
}

impl<const C: usize, const KEY: usize, const R: usize, const DECRYPT: bool, const FORM: u8> Kernel
    for Whole<C, KEY, R, DECRYPT, FORM>
{
    fn name(&self) -> String {
        let form =
            ["byte-sliced", "in words of 64 bytes", "in integers", "one block", "eight columns"][usize::from(FORM)];
        let what = if DECRYPT { "decryption" } else { "encryption" };
        format!("Kalyna-{}/{}, {what} with key schedule, {form} = DSTU 7624:2014, 5, 6, 8", 64 * C, 64 * KEY)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![64; KEY + Self::COLUMNS]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let keys = Self::keys(&inputs[..KEY]);
        let blocks = &inputs[KEY..];
        if FORM == INTEGERS {
            let block = from_fn(|i| blocks[i]);
            return integer_block::<Number<Value>, C, DECRYPT>(&keys, &block).to_vec();
        }
        let keys: Vec<[[u8; 8]; C]> = keys.iter().map(|key| from_fn(|i| stored(&key[i]))).collect();
        let mut columns: Vec<[u8; 8]> = blocks.iter().map(stored).collect();
        let bytes = columns.as_flattened_mut();
        match (FORM, C) {
            (BYTE_SLICED, _) => byte_sliced_blocks::<Word<Value, 8, 16>, 16, C, DECRYPT>(Scalar::PROOF, &keys, bytes),
            (ONE_BLOCK, 2) => few_blocks::<Word<Value, 8, 16>, 16, C, 1, DECRYPT>(Scalar::PROOF, &keys, bytes),
            (ONE_BLOCK, _) => few_blocks::<Word<Value, 8, 32>, 32, C, 1, DECRYPT>(Scalar::PROOF, &keys, bytes),
            (EIGHT_COLUMNS, _) => eight_columns::<Word<Value, 8, 32>, C, DECRYPT>(Scalar::PROOF, &keys, bytes),
            _ => few_blocks::<Word<Value, 8, 64>, 64, C, 2, DECRYPT>(Scalar::PROOF, &keys, bytes),
        }
        columns.iter().map(loaded).collect()
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let (key, blocks) = inputs.split_at(KEY);
        Standard { by_bits: FORM == INTEGERS, cut }.crypt(key, blocks, C, R, DECRYPT)
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let bytes: Vec<u8> = inputs.iter().flat_map(|x| (*x as u64).to_le_bytes()).collect();
        let (key, blocks) = bytes.split_at(8 * KEY);
        let backends: &[Backend] = match FORM {
            BYTE_SLICED | ONE_BLOCK | EIGHT_COLUMNS => {
                &[Backend::Avx2Gfni, Backend::Avx2Aes, Backend::NeonAes, Backend::Scalar]
            }
            IN_ORDER => &[Backend::Avx512Vbmi, Backend::Avx2Aes, Backend::NeonAes, Backend::Scalar],
            _ => &[Backend::Scalar],
        };
        let mut blocks = blocks.to_vec();
        macro_rules! crypt {
            ($cipher:ty) => {{
                let key = <&Key<$cipher>>::try_from(key).expect("a key's bytes");
                let mut ciphers = backends.iter().filter_map(|backend| <$cipher>::with_backend(key, *backend).ok());
                let cipher = ciphers.next().unwrap_or_else(|| <$cipher>::new(key));
                let blocks = Array::slice_as_chunks_mut(&mut blocks).0;
                if DECRYPT { cipher.decrypt_blocks(blocks) } else { cipher.encrypt_blocks(blocks) }
            }};
        }
        match (C, KEY) {
            (2, 2) => crypt!(Kalyna128_128),
            (2, _) => crypt!(Kalyna128_256),
            (4, 4) => crypt!(Kalyna256_256),
            (4, _) => crypt!(Kalyna256_512),
            _ => crypt!(Kalyna512_512),
        }
        let (columns, _) = blocks.as_chunks();
        columns.iter().map(|column| u64::from_le_bytes(*column).into()).collect()
    }
}

/// Two rounds in integers with free round keys, for faults: names for long polynomials do not hide them so soon.
struct Integers<const C: usize, const DECRYPT: bool>;

impl<const C: usize, const DECRYPT: bool> Kernel for Integers<C, DECRYPT> {
    fn name(&self) -> String {
        let what = if DECRYPT { "decryption" } else { "encryption" };
        format!("Kalyna, two rounds of {what} of {} bits in integers = DSTU 7624:2014, 5, 6", 64 * C)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![64; 4 * C]
    }
    fn longest(&self) -> usize {
        400
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (keys, block) = inputs.split_at(3 * C);
        let keys: Vec<[Value; C]> = keys.as_chunks().0.to_vec();
        integer_block::<Number<Value>, C, DECRYPT>(&keys, &from_fn(|i| block[i])).to_vec()
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let standard = Standard { by_bits: true, cut };
        let states: Vec<State<Value>> = inputs.chunks(C).map(|columns| columns.iter().map(bytes).collect()).collect();
        let (keys, block) = states.split_at(3);
        let state = if DECRYPT { standard.decrypt(keys, &block[0]) } else { standard.encrypt(keys, &block[0]) };
        state.iter().map(column).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let columns: Vec<[u8; 8]> = inputs.iter().map(|x| (*x as u64).to_le_bytes()).collect();
        let (keys, block) = columns.split_at(3 * C);
        let block = integer_block::<u64, C, DECRYPT>(keys.as_chunks().0, &from_fn(|i| block[i]));
        block.iter().map(|column| u64::from_le_bytes(*column).into()).collect()
    }
}

/// The polynomial of an S-box has its values.
fn polynomials() -> Claim {
    Claim::of("Kalyna: S-boxes as polynomials in eight bits = the tables", "all 256 bytes", || {
        for table in [tables(false), tables(true)].as_flattened() {
            for x in 0..=255_u8 {
                let y = entry_by_bits(Plain::constant(8, x.into()), table);
                assert_eq!(y.value(), table[usize::from(x)].into());
            }
        }
        "2048 cases".into()
    })
}

/// Both ways, each with so many faults.
fn both<const C: usize, const KEY: usize, const R: usize, const FORM: u8>(mutants: [usize; 2]) -> Vec<Claim> {
    let [forward, back] = mutants;
    [prove(&Whole::<C, KEY, R, false, FORM>, forward), prove(&Whole::<C, KEY, R, true, FORM>, back)].concat()
}

fn types<const FORM: u8>(mutants: [usize; 2]) -> Vec<Claim> {
    [
        both::<2, 2, 10, FORM>(mutants),
        both::<2, 4, 14, FORM>([0; 2]),
        both::<4, 4, 14, FORM>([0; 2]),
        both::<4, 8, 18, FORM>([0; 2]),
        both::<8, 8, 18, FORM>([0; 2]),
    ]
    .concat()
}

/// Proves the smallest and the largest type in words, without faults, which take longer.
pub fn short_claims() -> Vec<Claim> {
    [
        both::<2, 2, 10, BYTE_SLICED>([0; 2]),
        both::<8, 8, 18, BYTE_SLICED>([0; 2]),
        both::<2, 2, 10, IN_ORDER>([0; 2]),
        both::<8, 8, 18, IN_ORDER>([0; 2]),
        both::<2, 2, 10, ONE_BLOCK>([0; 2]),
        both::<4, 4, 14, ONE_BLOCK>([0; 2]),
        both::<2, 2, 10, EIGHT_COLUMNS>([6; 2]),
        both::<4, 4, 14, EIGHT_COLUMNS>([0; 2]),
        both::<8, 8, 18, EIGHT_COLUMNS>([0; 2]),
    ]
    .concat()
}

/// Proves byte-sliced Kalyna from key to block.
pub fn byte_sliced_claims() -> Vec<Claim> {
    types::<BYTE_SLICED>([12, 0])
}

/// Finds faults in the decryption of two batches, which takes long: without the standard's names polynomials grow.
pub fn faults() -> Vec<Claim> {
    prove(&Whole::<2, 2, 10, true, BYTE_SLICED>, 12)
}

/// Proves Kalyna in words of 64 bytes from key to block.
pub fn in_order_claims() -> Vec<Claim> {
    types::<IN_ORDER>([12, 12])
}

/// Proves Kalyna in integers from key to block, for all five types.
pub fn integer_claims() -> Vec<Claim> {
    types::<INTEGERS>([0; 2])
}

/// Proves the smallest type in integers, and finds faults.
pub fn short_integer_claims() -> Vec<Claim> {
    [
        vec![polynomials()],
        both::<2, 2, 10, INTEGERS>([0; 2]),
        prove(&Integers::<2, false>, 12),
        prove(&Integers::<2, true>, 12),
    ]
    .concat()
}
