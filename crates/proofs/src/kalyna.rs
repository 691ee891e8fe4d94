//! Kalyna's rounds: DSTU 7624:2014 (IACR ePrint 2015/650), sections 5 and 6.

use crate::lane::Lane;
use crate::proof::{Claim, Kernel, Random, prove};
use crate::real::byte_words;
use crate::term::{self, Term};
use crate::value::{Value, on_numbers};
use crate::word::Word;
use fairlane::kalyna::symbolic::{inverse_rounds_of_two, rounds};
use fairlane_lanes::{RowsN, Scalar, Token};
use fairlane_reference::kalyna::{PI, V, V_INVERSE};
use std::array::from_fn;

/// Columns side by side in the prover's words.
const COLUMNS: usize = 16;

/// `R` rounds of states of `C` columns, each with the addition of a key, on 16 columns.
pub(crate) struct Rounds<const C: usize, const R: usize, const DECRYPT: bool>;

/// Multiplication by a constant in GF(2^8), section 5.6, on bits.
fn times<L: Lane>(x: L, constant: u8) -> L {
    let product = |mut a: u8, b: u8| {
        (0..8).fold(0, |sum, i| {
            let term = (b >> i & 1) * a;
            a = (a << 1) ^ ((a >> 7) * 0x1d);
            sum ^ term
        })
    };
    let mut sum = L::constant(8, 0);
    for i in 0..8 {
        // The bit in every place, and the product of x^i by the constant.
        let bit = x.slice(i, 1);
        let bits = L::join(&[bit; 8]);
        sum = sum.xor(bits.and(L::constant(8, product(1 << i, constant).into())));
    }
    sum
}

/// A state: byte `[column][row]`.
pub(crate) type State<L> = Vec<[L; 8]>;

pub(crate) fn mix_columns<L: Lane>(state: &State<L>, first_row: &[u8; 8]) -> State<L> {
    let entry = |row: usize, i: usize| first_row[(8 + i - row) % 8];
    let product = |column: &[L; 8], row: usize| {
        (1..8).fold(times(column[0], entry(row, 0)), |sum, i| sum.xor(times(column[i], entry(row, i))))
    };
    state.iter().map(|column| from_fn(|row| product(column, row))).collect()
}

/// The S-boxes, or their inverses.
pub(crate) fn tables(inverse: bool) -> [[u8; 256]; 4] {
    from_fn(|i| {
        let entries: &[u8] = PI[i].as_flattened();
        from_fn(|x| {
            if inverse {
                entries.iter().position(|y| usize::from(*y) == x).expect("a permutation") as u8
            } else {
                entries[x]
            }
        })
    })
}

/// They replace every byte.
pub(crate) fn substitute<L: Lane>(state: &State<L>, inverse: bool) -> State<L> {
    let tables = tables(inverse);
    state.iter().map(|column| from_fn(|row| column[row].entry(&tables[row % 4]))).collect()
}

/// τ, section 5.5: row i moves by ⌊i l / 512⌋ columns to the right.
pub(crate) fn shift_rows<L: Lane>(state: &State<L>, back: bool) -> State<L> {
    let c = state.len();
    let by = |row: usize| row * 64 * c / 512;
    let from = |column: usize, row: usize| if back { column + by(row) } else { column + c - by(row) };
    (0..c).map(|column| from_fn(|row| state[from(column, row) % c][row])).collect()
}

impl<const C: usize, const R: usize, const DECRYPT: bool> Kernel for Rounds<C, R, DECRYPT> {
    fn name(&self) -> String {
        let what = if DECRYPT { "inverse rounds" } else { "rounds" };
        format!("Kalyna, {R} {what} of {} bits, byte-sliced = DSTU 7624:2014, 5", 64 * C)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![64; COLUMNS + R * C]
    }
    fn name_inputs(&self, inputs: &[Value]) {
        // A row of a key, repeated to eight bytes, is a number.
        let mut random = Random::new();
        for key in inputs[COLUMNS..].chunks(C) {
            for row in 0..8 {
                key_row(key, row).stands_behind(random.number().into());
            }
        }
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut rows = from_fn(|row| Word::<Value, 8, COLUMNS>(from_fn(|i| inputs[i].slice(8 * row as u32, 8))));
        let keys: Vec<[u64; 8]> =
            inputs[COLUMNS..].chunks(C).map(|key| from_fn(|row| key_row(key, row).number() as u64)).collect();
        rounds::<_, COLUMNS, C, DECRYPT>(Scalar::PROOF, &mut rows, &keys);
        columns(&rows)
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let mut outputs = Vec::new();
        for block in inputs[..COLUMNS].chunks(C) {
            let bytes = |column: &Value| from_fn(|row| column.slice(8 * row as u32, 8));
            let mut state: State<Value> = block.iter().map(bytes).collect();
            for key in inputs[COLUMNS..].chunks(C) {
                state = if DECRYPT {
                    substitute(&shift_rows(&mix_columns(&state, &V_INVERSE), true), true)
                } else {
                    mix_columns(&shift_rows(&substitute(&state, false), false), &V)
                };
                let key: State<Value> = key.iter().map(bytes).collect();
                state = (0..C).map(|i| from_fn(|row| cut(state[i][row].xor(key[i][row])))).collect();
            }
            outputs.extend(state.into_iter().map(|column| Value::join(&column)));
        }
        outputs
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        fn run<W: RowsN<N>, const N: usize, const C: usize, const DECRYPT: bool>(
            token: W::Token,
            x: &[u128],
        ) -> Vec<u128> {
            let byte = |column: u128, row: usize| (column >> (8 * row)) as u8;
            let mut rows = from_fn(|row| {
                let bytes: [u8; N] = from_fn(|i| byte(x[i % COLUMNS], row));
                W::load(token, &bytes)
            });
            let keys: Vec<[u64; 8]> = x[COLUMNS..]
                .chunks(C)
                .map(|key| from_fn(|row| u64::from_le_bytes(from_fn(|i| byte(key[i % C], row)))))
                .collect();
            rounds::<W, N, C, DECRYPT>(token, &mut rows, &keys);
            let stored = rows.map(|row| {
                let mut bytes = [0; N];
                row.store(&mut bytes);
                bytes
            });
            let column = |i: usize| (0..8).fold(0, |column, row| column | u128::from(stored[row][i]) << (8 * row));
            (N - COLUMNS..N).map(column).collect()
        }
        byte_words!(run::<C, DECRYPT>(inputs) else {
            on_numbers(&self.inputs(), inputs, |inputs| self.body(inputs))
        })
    }
}

/// Row `row` of a key's columns, repeated to eight bytes.
fn key_row<L: Lane>(key: &[L], row: usize) -> L {
    let byte = |i: usize| key[i % key.len()].slice(8 * row as u32, 8);
    L::join(&from_fn::<_, 8, _>(byte))
}

fn columns<L: Lane>(rows: &[Word<L, 8, COLUMNS>; 8]) -> Vec<L> {
    (0..COLUMNS).map(|i| L::join(&rows.map(|row| row.0[i]))).collect()
}

/// The decryption of two batches is that of each.
fn two<const C: usize>() -> Claim {
    Claim::of(
        format!("Kalyna, {} bits: two batches at once = each by itself", 64 * C),
        "terms: the same normal form",
        || {
            const ROUNDS: usize = 4;
            term::reset();
            let keys: Vec<[u64; 8]> = {
                let mut random = Random::new();
                (0..ROUNDS).map(|_| from_fn(|_| random.number())).collect()
            };
            let mut key_terms = Vec::new();
            for name in keys.as_flattened() {
                let key = Term::input(64);
                key.stands_behind((*name).into());
                key_terms.push(key);
            }
            let batch = || from_fn(|_| Word::<Value, 8, COLUMNS>(from_fn(|_| Term::input(8).into())));
            let (mut x, mut y) = (batch(), batch());
            let (mut one, mut other) = (x, y);
            let (expected, ..) = crate::mutation::with(None, || {
                rounds::<_, COLUMNS, C, true>(Scalar::PROOF, &mut one, &keys);
                rounds::<_, COLUMNS, C, true>(Scalar::PROOF, &mut other, &keys);
                (one, other)
            });
            inverse_rounds_of_two::<_, COLUMNS, C>(Scalar::PROOF, &mut x, &mut y, &keys);
            assert!((x, y) == expected);
            format!("{ROUNDS} rounds, free keys")
        },
    )
}

/// The transpositions between columns and rows, which are the traits' generic bodies.
fn transpositions() -> Claim {
    Claim::of("Kalyna: columns to rows and back", "every byte followed", || {
        term::reset();
        let words: [Word<Value, 8, COLUMNS>; 8] = from_fn(|_| Word(from_fn(|_| Term::input(8).into())));
        let rows = Word::rows_from_columns(words);
        // Column p is at bytes 8 p to 8 p + 7 of memory.
        for (r, row) in rows.iter().enumerate() {
            for (p, byte) in row.0.iter().enumerate() {
                let at = 8 * p + r;
                assert_eq!(*byte, words[at / COLUMNS].0[at % COLUMNS]);
            }
        }
        assert_eq!(Word::columns_from_rows(rows), words);
        "128 bytes".into()
    })
}

/// Proves Kalyna.
pub fn claims() -> Vec<Claim> {
    [
        prove(&Rounds::<2, 10, false>, 12),
        prove(&Rounds::<2, 10, true>, 12),
        prove(&Rounds::<2, 14, false>, 0),
        prove(&Rounds::<2, 14, true>, 0),
        prove(&Rounds::<4, 14, false>, 0),
        prove(&Rounds::<4, 14, true>, 0),
        prove(&Rounds::<4, 18, false>, 0),
        prove(&Rounds::<4, 18, true>, 0),
        prove(&Rounds::<8, 18, false>, 0),
        prove(&Rounds::<8, 18, true>, 0),
        vec![two::<2>(), two::<4>(), two::<8>(), transpositions()],
    ]
    .concat()
}
