//! SM4: GB/T 32907-2016, sections 6 and 7.
//!
//! The kernels compute the S-box by an inversion in AES's field. Here the inversion is a table that is not taken apart,
//! and the standard's S-box is that table between two affine maps, which is checked for all 256 bytes.

use crate::lane::{Lane, Layout, Plain};
use crate::mutation;
use crate::proof::{Claim, Kernel, prove};
use crate::real::byte_words;
use crate::sm4_standard::{key_schedule, l, s_box_table};
use crate::smt_script::{Vector, ask};
use crate::value::{Value, on_numbers};
use crate::word::{INVERSES, Word};
use fairlane::sm4::symbolic::{
    KEY_CONSTANT, bitsliced_crypt, bitsliced_s_box, bitsliced_schedule, byte_sliced, byte_sliced_blocks, from_inner,
    schedule, to_inner, word_sliced, word_sliced_blocks,
};
use fairlane_lanes::{Scalar, Token, U8xN};
use fairlane_reference::sm4::{S, Sm4};
use std::array::from_fn;
use std::sync::LazyLock;

/// The S-box as an affine map of the inverse of an affine map: S(x) = `after` (`before` x + `KEY_CONSTANT`)⁻¹ + `plus`.
struct SBox {
    before: u64,
    /// The inverse of `before`.
    back: u64,
    after: u64,
    plus: u8,
}

/// The matrix, as `U8xN` defines it, with these images of the bits.
fn matrix(columns: [u8; 8]) -> u64 {
    let bit = |i: usize, j: usize| u64::from(columns[j] >> i & 1) << (8 * (7 - i) + j);
    (0..64).fold(0, |matrix, at| matrix | bit(at / 8, at % 8))
}

fn apply(map: u64, x: u8) -> u8 {
    Plain::constant(8, x.into()).affine(map, 0).value() as u8
}

static S_BOX: LazyLock<SBox> = LazyLock::new(|| {
    let one = |x: u8| Word::<Plain, 8, 1>([Plain::constant(8, x.into())]);
    let before = matrix(from_fn(|j| to_inner(one(1 << j)).0[0].value() as u8));
    let back = matrix(from_fn(|j| from_inner(one(1 << j)).0[0].value() as u8));
    let s = |x: u8| S[usize::from(x >> 4)][usize::from(x & 15)];
    let inverse_of = |x: u8| INVERSES[usize::from(apply(before, x) ^ KEY_CONSTANT)];
    let with_inverse = |y: u8| (0..=255).find(|x| inverse_of(*x) == y).expect("a permutation");
    let plus = s(with_inverse(0));
    let after = matrix(from_fn(|j| s(with_inverse(1 << j)) ^ plus));
    for x in 0..=255 {
        assert_eq!(apply(after, inverse_of(x)) ^ plus, s(x), "the S-box of {x}");
        assert_eq!(apply(back, apply(before, x)), x, "the inner byte of {x}");
    }
    SBox { before, back, after, plus }
});

/// τ, section 6.2: the S-box of each byte of a word. `cut` may name what is inverted.
fn tau<L: Lane>(x: L, cut: &dyn Fn(L) -> L) -> L {
    each_byte(x, |byte| {
        let inner = cut(byte.affine(S_BOX.before, KEY_CONSTANT));
        inner.entry(&INVERSES).affine(S_BOX.after, S_BOX.plus)
    })
}

fn each_byte<L: Lane>(x: L, f: impl Fn(L) -> L) -> L {
    let byte = |i: u32| f(x.slice(8 * i, 8));
    byte(0).concat(byte(1)).concat(byte(2)).concat(byte(3))
}

/// The rounds and the reverse transformation, section 6.1.
fn rounds<L: Lane>(block: &[L], keys: &[L]) -> Vec<L> {
    named_rounds(block, keys, &|x| x, &|x| x)
}

/// The same, where `cut` may name what is inverted, and `name` what a round ends with.
fn named_rounds<L: Lane>(block: &[L], keys: &[L], cut: &dyn Fn(L) -> L, name: &dyn Fn(L) -> L) -> Vec<L> {
    let mut x = block.to_vec();
    for i in 0..32 {
        let t = l(tau(x[i + 1].xor(x[i + 2]).xor(x[i + 3]).xor(keys[i]), cut));
        x.push(name(x[i].xor(t)));
    }
    vec![x[35], x[34], x[33], x[32]]
}

/// Byte `j` of a word, the most significant first.
fn byte<L: Lane>(word: L, j: usize) -> L {
    word.slice(24 - 8 * j as u32, 8)
}

fn word<L: Lane>(bytes: [L; 4]) -> L {
    bytes[3].concat(bytes[2]).concat(bytes[1]).concat(bytes[0])
}

/// An inner round key, as the key schedule makes it.
fn inner_key<L: Lane>(key: L) -> Word<L, 8, 4> {
    to_inner(Word(from_fn(|j| byte(key, j)))).each(&|x| x.xor(L::constant(8, KEY_CONSTANT.into())))
}

/// `G` word-sliced blocks.
struct WordSliced<const G: usize>;

impl<const G: usize> Kernel for WordSliced<G> {
    fn name(&self) -> String {
        format!("SM4, 32 rounds, {G} group(s) word-sliced = GB/T 32907-2016, 6")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 4 * G + 32]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (blocks, keys) = inputs.split_at(4 * G);
        let keys: Vec<_> = mutation::paused(|| keys.iter().map(|key| inner_key(*key)).collect());
        let mut x: [[Word<Value, 8, 4>; 4]; G] =
            from_fn(|g| from_fn(|w| to_inner(Word(from_fn(|j| byte(blocks[4 * g + w], j))))));
        word_sliced(|r, _| keys[r], &mut x);
        x.as_flattened().iter().map(|bytes| word(from_inner(*bytes).0)).collect()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let (blocks, keys) = inputs.split_at(4 * G);
        blocks.chunks(4).flat_map(|block| rounds(block, keys)).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: U8xN<N>, const N: usize, const G: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let load = |word: u128| {
                let bytes: [u8; N] = from_fn(|i| (word as u32).to_be_bytes()[i % 4]);
                to_inner(W::load(token, &bytes))
            };
            let constant = W::splat_u32(token, u32::from_ne_bytes([KEY_CONSTANT; 4]));
            let mut blocks: [[W; 4]; G] = from_fn(|g| from_fn(|w| load(x[4 * g + w])));
            word_sliced(|r, _| load(x[4 * G + r]).xor(constant), &mut blocks);
            let stored = |word: &W| {
                let mut bytes = [0; N];
                from_inner(*word).store(&mut bytes);
                u32::from_be_bytes(*bytes.last_chunk().expect("four bytes")).into()
            };
            blocks.as_flattened().iter().map(stored).collect()
        }
        byte_words!(run::<G>(inputs) else plain(self, inputs))
    }
}

/// A word-sliced group whose values have names where the standard's steps end, in the kernels' basis.
pub(crate) struct InSteps;

impl Kernel for InSteps {
    fn name(&self) -> String {
        WordSliced::<1>.name()
    }
    fn inputs(&self) -> Vec<u32> {
        WordSliced::<1>.inputs()
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        WordSliced::<1>.body(inputs)
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let byte = |byte: Value| cut(byte.affine(S_BOX.before, 0)).affine(S_BOX.back, 0);
        named_rounds(&inputs[..4], &inputs[4..], cut, &|x| each_byte(x, byte))
    }
    fn real(&self, _: &[u128]) -> Vec<u128> {
        unreachable!("no input is looked for")
    }
}

/// Asks what [`InSteps`] and [`tau`] rest on: that inner bytes become what they were, and that the maps around the
/// inversion make it the standard's S-box.
pub(crate) fn ask_of_bytes() {
    let x = Vector::input(8);
    ask(&[], &[(x.affine(S_BOX.before, 0).affine(S_BOX.back, 0), x)]);
    let inverse = x.affine(S_BOX.before, KEY_CONSTANT).look_up(&INVERSES);
    ask(&[], &[(inverse.affine(S_BOX.after, S_BOX.plus), x.look_up(&s_box_table()))]);
}

/// The body on numbers, where the machine has no words of bytes.
fn plain(kernel: &dyn Kernel, inputs: &[u128]) -> Vec<u128> {
    on_numbers(&kernel.inputs(), inputs, |inputs| kernel.body(inputs))
}

/// Whole blocks in memory, which are transposed, by `FORM`: four word-sliced blocks, two groups of them, or sixteen
/// byte-sliced blocks.
struct InMemory<const FORM: u8, const DECRYPT: bool>;

impl<const FORM: u8, const DECRYPT: bool> InMemory<FORM, DECRYPT> {
    const BLOCKS: usize = [4, 8, 16][FORM as usize];
}

impl<const FORM: u8, const DECRYPT: bool> Kernel for InMemory<FORM, DECRYPT> {
    fn name(&self) -> String {
        let form = ["4 word-sliced blocks", "2 × 4 word-sliced blocks", "16 byte-sliced blocks"][usize::from(FORM)];
        let what = if DECRYPT { "decrypted" } else { "encrypted" };
        format!("SM4, {form} in memory, {what} = GB/T 32907-2016, 6")
    }
    fn inputs(&self) -> Vec<u32> {
        [vec![64; 2 * Self::BLOCKS], vec![32; 32]].concat()
    }
    fn name_inputs(&self, inputs: &[Value]) {
        if FORM == 2 {
            ByteSliced.name_inputs(&inputs[2 * Self::BLOCKS - 4..]);
        }
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (columns, keys) = inputs.split_at(2 * Self::BLOCKS);
        let keys = from_fn(|r| {
            let bytes = mutation::paused(|| inner_key(keys[r])).0;
            if FORM == 2 { byte_names(bytes) } else { word([bytes[3], bytes[2], bytes[1], bytes[0]]).number() as u32 }
        });
        let mut memory: Vec<[u8; 8]> = columns.iter().map(|x| (x.number() as u64).to_le_bytes()).collect();
        let blocks = memory.as_flattened_mut();
        match FORM {
            0 => word_sliced_blocks::<Word<Value, 8, 16>, 16, 1, DECRYPT>(Scalar::PROOF, &keys, blocks),
            1 => word_sliced_blocks::<Word<Value, 8, 16>, 16, 2, DECRYPT>(Scalar::PROOF, &keys, blocks),
            _ => {
                byte_sliced_blocks::<Word<Value, 8, 16>, Word<Layout, 8, 16>, 16, DECRYPT>(
                    Scalar::PROOF,
                    &keys,
                    blocks,
                );
            }
        }
        memory.iter().map(|bytes| Value::constant(64, u64::from_le_bytes(*bytes).into())).collect()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let (columns, keys) = inputs.split_at(2 * Self::BLOCKS);
        let mut keys = keys.to_vec();
        if DECRYPT {
            keys.reverse();
        }
        // Byte 0 of memory is the lowest of a column, and the highest of a word.
        let words = |column: &Value| [0, 4].map(|at| word(from_fn(|j| column.slice(8 * (at + j as u32), 8))));
        let column = |words: &[Value]| {
            let bytes = words.iter().flat_map(|word| (0..4).map(move |j| byte(*word, j)));
            bytes.reduce(Value::concat).expect("eight bytes")
        };
        columns
            .chunks(2)
            .flat_map(|block| rounds(&[words(&block[0]), words(&block[1])].concat(), &keys))
            .collect::<Vec<_>>()
            .chunks(2)
            .map(column)
            .collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        // The bit-sliced cipher, which takes round keys as they are.
        let (columns, keys) = inputs.split_at(2 * Self::BLOCKS);
        let mut keys: [u32; 32] = from_fn(|r| keys[r] as u32);
        if DECRYPT {
            keys.reverse();
        }
        let bytes: Vec<u8> = columns.iter().flat_map(|x| (*x as u64).to_le_bytes()).collect();
        let mut blocks = [[0; 16]; 16];
        blocks.iter_mut().zip(bytes.as_chunks().0).for_each(|(block, bytes)| *block = *bytes);
        bitsliced_crypt(&keys, &mut blocks);
        let columns = blocks.as_flattened().as_chunks().0.iter().take(2 * Self::BLOCKS);
        columns.map(|column| u64::from_le_bytes(*column).into()).collect()
    }
}

/// Bytes as numbers, each of which is four times the byte's name.
fn byte_names<L: Lane>(bytes: [L; 4]) -> u32 {
    let name = |byte: L| byte.concat(byte).concat(byte).concat(byte).number() as u8;
    u32::from_le_bytes(bytes.map(name))
}

struct ByteSliced;

impl Kernel for ByteSliced {
    fn name(&self) -> String {
        "SM4, 32 rounds, byte-sliced = GB/T 32907-2016, 6".into()
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 4 + 32]
    }
    fn name_inputs(&self, inputs: &[Value]) {
        // Each byte of an inner key is laid out four times; its name is a byte, too.
        for (r, key) in inputs[4..].iter().enumerate() {
            for (j, byte) in inner_key(*key).0.into_iter().enumerate() {
                let four = byte.concat(byte).concat(byte).concat(byte);
                four.stands_behind(0x0101_0101 * (4 * r + j + 1) as u128);
            }
        }
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut x: [Word<Value, 8, 1>; 16] = from_fn(|i| to_inner(Word([byte(inputs[i / 4], i % 4)])));
        let keys = from_fn(|r| byte_names(mutation::paused(|| inner_key(inputs[4 + r])).0));
        byte_sliced::<_, Word<Layout, 8, 16>, 1>(Scalar::PROOF, Scalar::PROOF, &keys, &mut x);
        (0..4).map(|w| word(from_fn(|j| from_inner(x[4 * w + j]).0[0]))).collect()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        rounds(&inputs[..4], &inputs[4..])
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        WordSliced::<1>.real(inputs)
    }
}

struct KeySchedule;

impl Kernel for KeySchedule {
    fn name(&self) -> String {
        "SM4, key schedule = GB/T 32907-2016, 7.3".into()
    }
    fn inputs(&self) -> Vec<u32> {
        vec![32; 4]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let key: [Word<Value, 8, 4>; 4] = from_fn(|w| Word(from_fn(|j| byte(inputs[w], j))));
        let mut keys = Vec::new();
        schedule(Scalar::PROOF, key, |r, key| {
            assert_eq!(r, keys.len());
            keys.push(word(key.0));
        });
        keys
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        // The kernels take them as inner bytes.
        key_schedule(inputs, |x| tau(x, &|x| x), &|x| x).into_iter().map(|key| word(inner_key(key).0)).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: U8xN<N>, const N: usize>(token: W::Token, x: &[u128]) -> Vec<u128> {
            let key = from_fn(|w| {
                let bytes: [u8; N] = from_fn(|i| (x[w] as u32).to_be_bytes()[i % 4]);
                W::load(token, &bytes)
            });
            let mut keys = Vec::new();
            schedule(token, key, |_, key| {
                let mut bytes = [0; N];
                key.store(&mut bytes);
                keys.push(u32::from_be_bytes(*bytes.last_chunk().expect("four bytes")).into());
            });
            keys
        }
        byte_words!(run(inputs) else plain(self, inputs))
    }
}

/// The bit-sliced S-box for all bytes, in all 64 places at once.
fn bitsliced() -> Claim {
    Claim::of("SM4, bit-sliced S-box = the standard's table", "all 256 bytes in all 64 places", || {
        for x in 0..=255_u8 {
            // Place i has byte x + i.
            let planes = from_fn(|k| (0..64).fold(0, |plane, i| plane | u64::from(x.wrapping_add(i) >> k & 1) << i));
            let outputs = bitsliced_s_box::<u64>(planes);
            for i in 0..64 {
                let y = (0..8).fold(0, |y, k| y | (outputs[k] >> i as usize & 1) << k);
                assert_eq!(y, u64::from(s_box_table()[usize::from(x.wrapping_add(i))]));
            }
        }
        "16384 cases".into()
    })
}

/// The whole bit-sliced cipher on every block and key with one bit, and pairs of them.
fn bitsliced_cases() -> Claim {
    Claim::of("SM4, bit-sliced cipher and key schedule = fairlane-reference", "one-bit blocks and keys, tested", || {
        let one = |bit: u32| if bit == 128 { [0; 16] } else { (1_u128 << bit).to_be_bytes() };
        for key_bit in 0..=128 {
            let key = one(key_bit);
            let (keys, reference) = (bitsliced_schedule(&key), Sm4::new(&key));
            for from in (0..=128).step_by(16) {
                let mut blocks = from_fn(|i| one((from + i as u32).min(128)));
                let mut expected = blocks;
                expected.iter_mut().for_each(|block| reference.encrypt(block));
                bitsliced_crypt(&keys, &mut blocks);
                assert_eq!(blocks, expected);
            }
        }
        "129 keys, 144 blocks each".into()
    })
}

/// Proves SM4.
pub fn claims() -> Vec<Claim> {
    let lemma = Claim::of("SM4's S-box = inversion in AES's field between affine maps", "all 256 bytes", || {
        LazyLock::force(&S_BOX);
        "256 cases".into()
    });
    [
        vec![lemma],
        prove(&KeySchedule, 12),
        prove(&WordSliced::<1>, 12),
        prove(&WordSliced::<4>, 12),
        prove(&ByteSliced, 12),
        prove(&InMemory::<0, false>, 12),
        prove(&InMemory::<0, true>, 0),
        prove(&InMemory::<1, false>, 0),
        prove(&InMemory::<2, false>, 0),
        prove(&InMemory::<2, true>, 0),
        vec![bitsliced(), bitsliced_cases()],
        crate::sm4_bitsliced::claims(),
    ]
    .concat()
}
