//! ChaCha (RFC 8439, sections 2.3 and 2.4) and Kusumi-512 from key, nonce and data to ciphertext: the counters, the
//! rounds, the addition of the input, the transposition and the addition to the data. Counters are numbers, not terms:
//! each claim is about the blocks from one on.

use crate::arx::{Kusumi, chacha_rounds};
use crate::lane::Lane;
use crate::proof::{Claim, Kernel, prove};
use crate::value::Value;
use crate::word::Word;
use fairlane::chacha::ChaCha20;
use fairlane::chacha::symbolic::{
    crypt_columns, crypt_first_and_columns, crypt_first_beside_rows, crypt_first_in_rows, crypt_rows,
    crypt_rows_beside_tag,
};
use fairlane::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use fairlane::kusumi::{self, Kusumi512};
use fairlane_lanes::Scalar;

/// "expand 32-byte k"
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Four blocks.
const BLOCKS: usize = 4;

/// ChaCha20's blocks from number `FIRST` on: with a block in each lane, or in `ROWS`.
struct ChaCha<const FIRST: u64, const ROWS: bool>;

/// ChaCha20's blocks from number `FIRST` on, of which the first is given alone, as an AEAD's key of the authenticator:
/// the others with a block in each lane, or in `ROWS`.
struct FirstAndMore<const FIRST: u64, const FORM: u8>;

/// How [`FirstAndMore`] makes the blocks.
const IN_ROWS: u8 = 0;
const BESIDE_ROWS: u8 = 1;
const BESIDE_COLUMNS: u8 = 2;
const BESIDE_TAG: u8 = 3;

/// Kusumi-512's blocks from number `FIRST` on.
struct KusumiBlocks<const FIRST: u64>;

/// A number of 32 bits in memory: its name, or its value.
fn stored<L: Lane>(number: &L) -> u32 {
    number.number() as u32
}

/// Runs a body on the state of a key and a nonce, and on data in memory.
fn run<L: Lane, const WORDS: usize>(
    [key, nonce, data]: [&[L]; 3],
    crypt: impl FnOnce(&[u32; WORDS], &mut [u8]),
) -> Vec<L> {
    let mut state = [0; WORDS];
    state[..4].copy_from_slice(&CONSTANTS);
    state[4..].iter_mut().zip(key).for_each(|(word, key)| *word = stored(key));
    state[WORDS - 3..].iter_mut().zip(nonce).for_each(|(word, nonce)| *word = stored(nonce));
    let mut bytes: Vec<u8> = data.iter().flat_map(|word| stored(word).to_le_bytes()).collect();
    crypt(&state, &mut bytes);
    let (words, _) = bytes.as_chunks();
    words.iter().map(|word| L::constant(32, u32::from_le_bytes(*word).into())).collect()
}

/// The standards' state for a block.
fn state<L: Lane>(key: &[L], counter: &[u32], nonce: &[L]) -> Vec<L> {
    let numbers = |words: &[u32]| words.iter().map(|word| L::constant(32, (*word).into())).collect::<Vec<_>>();
    [numbers(&CONSTANTS), key.to_vec(), numbers(counter), nonce.to_vec()].concat()
}

/// A stream cipher of the library on the best backend.
fn real<C: KeyIvInit + StreamCipher + StreamCipherSeek>(key_words: usize, position: u64, inputs: &[u128]) -> Vec<u128> {
    let bytes: Vec<u8> = inputs.iter().flat_map(|word| (*word as u32).to_le_bytes()).collect();
    let (key, rest) = bytes.split_at(4 * key_words);
    let (nonce, data) = rest.split_at(12);
    let (mut data, mut cipher) = (data.to_vec(), C::new_from_slices(key, nonce).expect("their lengths"));
    cipher.seek(position);
    cipher.apply_keystream(&mut data);
    let (words, _) = data.as_chunks();
    words.iter().map(|word| u32::from_le_bytes(*word).into()).collect()
}

impl<const FIRST: u64, const ROWS: bool> Kernel for ChaCha<FIRST, ROWS> {
    fn name(&self) -> String {
        let form = if ROWS { "in rows" } else { "in columns" };
        format!("ChaCha20, 4 blocks {form} from {FIRST:#x} on, added to data = RFC 8439, 2.3 and 2.4")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 8 + 3 + 16 * BLOCKS]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        run::<Value, 16>([&inputs[..8], &inputs[8..11], &inputs[11..]], |state, data| {
            if ROWS {
                crypt_rows::<Word<Value, 32, 8>, 8, 2, 20>(Scalar::PROOF, state, FIRST, data);
            } else {
                crypt_columns::<Word<Value, 32, 4>, 4, 20>(Scalar::PROOF, state, FIRST, data);
            }
        })
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        chacha20(FIRST, inputs)
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        real::<ChaCha20>(8, 64 * FIRST, inputs)
    }
}

/// RFC 8439, 2.4: blocks of data from number `first` on, after a key and a nonce.
fn chacha20<L: Lane>(first: u64, inputs: &[L]) -> Vec<L> {
    let mut outputs = Vec::new();
    for (i, data) in inputs[11..].chunks(16).enumerate() {
        let state = state(&inputs[..8], &[first as u32 + i as u32], &inputs[8..11]);
        let rounds = chacha_rounds(&state, 20);
        outputs.extend((0..16).map(|w| rounds[w].add(state[w]).xor(data[w])));
    }
    outputs
}

impl<const FIRST: u64, const FORM: u8> Kernel for FirstAndMore<FIRST, FORM> {
    fn name(&self) -> String {
        let form = [
            "and 4 blocks in rows",
            "beside 4 blocks in rows",
            "beside 4 blocks in columns",
            "and 4 blocks in rows beside a tag",
        ][usize::from(FORM)];
        format!("ChaCha20, block {FIRST:#x} {form}, added to data = RFC 8439, 2.3 and 2.4")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 8 + 3 + 16 * (1 + BLOCKS)]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (beside, data) = inputs[11..].split_at(16);
        let mut first = [0; 64];
        let rest = run::<Value, 16>([&inputs[..8], &inputs[8..11], data], |state, data| {
            let (token, next) = (Scalar::PROOF, FIRST + 1);
            let first = &mut first;
            match FORM {
                IN_ROWS => crypt_first_in_rows::<Word<Value, 32, 8>, 8, 3, 20>(token, state, next, first, data),
                BESIDE_ROWS => {
                    crypt_first_beside_rows::<Word<Value, 32, 1>, Word<Value, 32, 8>, 8, 2, 20>(
                        token, state, next, first, data,
                    );
                }
                BESIDE_TAG => crypt_rows_beside_tag::<Word<Value, 32, 16>, 16, 5>(token, state, next, first, data),
                _ => crypt_first_and_columns::<Word<Value, 32, 4>, Word<Value, 32, 4>, 4, 20>(
                    token, state, next, first, data,
                ),
            }
        });
        let (words, _) = first.as_chunks();
        let word = |(word, data): (&[u8; 4], &Value)| Value::constant(32, u32::from_le_bytes(*word).into()).xor(*data);
        words.iter().zip(beside).map(word).chain(rest).collect()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        chacha20(FIRST, inputs)
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        real::<ChaCha20>(8, 64 * FIRST, inputs)
    }
}

impl<const FIRST: u64> Kernel for KusumiBlocks<FIRST> {
    fn name(&self) -> String {
        format!("Kusumi-512, 4 blocks from {FIRST:#x} on, added to data = its authors' rounds and state")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 16 + 3 + 25 * BLOCKS]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        run::<Value, 25>([&inputs[..16], &inputs[16..19], &inputs[19..]], |state, data| {
            kusumi::symbolic::crypt_columns::<Word<Value, 32, 4>, 4>(Scalar::PROOF, state, FIRST, data);
        })
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let mut outputs = Vec::new();
        for (i, data) in inputs[19..].chunks(25).enumerate() {
            let counter = FIRST + i as u64;
            let state = state(&inputs[..16], &[counter as u32, (counter >> 32) as u32], &inputs[16..19]);
            let rounds = Kusumi::<{ crate::word::AND_NOT }>.standard(&state, cut);
            outputs.extend((0..25).map(|w| rounds[w].add(state[w]).xor(data[w])));
        }
        outputs
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        // Data begins at block 1.
        real::<Kusumi512>(16, 100 * (FIRST - 1), inputs)
    }
}

/// Proves ChaCha20 and Kusumi-512 with their input and counters.
pub fn claims() -> Vec<Claim> {
    [
        prove(&ChaCha::<1, false>, 0),
        prove(&ChaCha::<0xffff_fffc, false>, 0),
        prove(&ChaCha::<1, true>, 0),
        prove(&ChaCha::<0xffff_fffc, true>, 0),
        prove(&FirstAndMore::<0, IN_ROWS>, 0),
        prove(&FirstAndMore::<0xffff_fffb, IN_ROWS>, 0),
        prove(&FirstAndMore::<0, BESIDE_ROWS>, 0),
        prove(&FirstAndMore::<0xffff_fffb, BESIDE_ROWS>, 0),
        prove(&FirstAndMore::<0, BESIDE_COLUMNS>, 0),
        prove(&FirstAndMore::<0xffff_fffb, BESIDE_COLUMNS>, 0),
        prove(&FirstAndMore::<0, BESIDE_TAG>, 0),
        prove(&FirstAndMore::<0xffff_fffb, BESIDE_TAG>, 0),
        prove(&KusumiBlocks::<1>, 0),
        prove(&KusumiBlocks::<0xffff_fffe>, 0),
    ]
    .concat()
}

/// Finds faults in them.
pub fn faults() -> Vec<Claim> {
    [
        prove(&ChaCha::<1, false>, 12),
        prove(&ChaCha::<1, true>, 12),
        prove(&FirstAndMore::<0, IN_ROWS>, 12),
        prove(&FirstAndMore::<0, BESIDE_ROWS>, 12),
        prove(&FirstAndMore::<0, BESIDE_COLUMNS>, 12),
        prove(&FirstAndMore::<0, BESIDE_TAG>, 12),
        prove(&KusumiBlocks::<1>, 12),
    ]
    .concat()
}
