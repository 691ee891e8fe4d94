//! Kalyna in bit-sliced batches of 128 columns: DSTU 7624:2014 (IACR ePrint 2015/650), sections 5 and 6.
//!
//! One block is followed through a batch, from its columns to planes, through all rounds, and back; the others are
//! free, too. That planes hold the bits of all blocks in the same way is shown for every block.

use crate::integer::Number;
use crate::kalyna::{State, tables};
use crate::kalyna_whole::{Standard, bytes, column, entry_by_bits};
use crate::lane::Lane;
use crate::mutation;
use crate::plane::Plane;
use crate::proof::{Claim, Kernel, prove};
use crate::term::{self, Term};
use crate::value::Value;
use fairlane::kalyna::symbolic::{
    Plane as Halves, bit_sliced_batch, bit_sliced_load, bit_sliced_rounds, bit_sliced_spread, bit_sliced_store,
    bit_sliced_substitute,
};
use std::array::from_fn;

/// Columns of a batch.
const COLUMNS: usize = 128;

/// Planes of integers: `[row][bit]`.
type Planes<T> = [[Halves<T>; 8]; 8];

/// An S-box by itself, of which all faults are decided. Everywhere else it is the polynomial of its table.
struct SBox<const S: usize, const DECRYPT: bool>;

impl<const S: usize, const DECRYPT: bool> Kernel for SBox<S, DECRYPT> {
    fn name(&self) -> String {
        let what = if DECRYPT { "inverse of S-box" } else { "S-box" };
        format!("Kalyna, bit-sliced {what} {S} = DSTU 7624:2014, 5.4")
    }
    fn inputs(&self) -> Vec<u32> {
        vec![8]
    }
    fn longest(&self) -> usize {
        100_000
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let mut bits: [Plane<Value, 1>; 8] = from_fn(|bit| Plane(inputs[0].slice(bit as u32, 1)));
        bit_sliced_substitute::<_, S, DECRYPT>(&mut bits);
        vec![Value::join(&bits.map(|bit| bit.0))]
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        vec![entry_by_bits(inputs[0], &tables(DECRYPT)[S])]
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let mut bits = from_fn(|bit| inputs[0] as u64 >> bit & 1);
        bit_sliced_substitute::<u64, S, DECRYPT>(&mut bits);
        vec![bits.iter().enumerate().map(|(bit, plane)| u128::from(plane & 1) << bit).sum()]
    }
}

/// A block among those of a batch of `C` columns each, with `R` rounds and free round keys. `BITS` is `C / 2`.
struct Batch<const C: usize, const R: usize, const BITS: u32, const DECRYPT: bool> {
    block: usize,
}

/// Where column `column` of a block is: in which half of a plane, and which of its bits.
fn place<const C: usize>(block: usize, column: usize) -> (usize, u32) {
    let at = column * (COLUMNS / C) + block;
    (at / 64, at as u32 % 64)
}

/// One block's bits of the planes.
fn of_block<L: Lane, const C: usize, const BITS: u32>(
    planes: &Planes<Number<L>>,
    block: usize,
) -> Planes<Plane<L, BITS>> {
    planes.map(|row| {
        row.map(|Halves(halves)| {
            Halves(from_fn(|half| {
                let bits = (0..C).map(|i| place::<C>(block, i)).filter(|(of, _)| *of == half);
                let bits = bits.map(|(_, at)| halves[half].0.slice(at, 1));
                Plane(L::join(&bits.collect::<Vec<_>>()))
            }))
        })
    })
}

/// The planes, with these bits of one block.
fn with_block<L: Lane, const C: usize, const BITS: u32>(
    planes: &Planes<Number<L>>,
    block: usize,
    bits: &Planes<Plane<L, BITS>>,
) -> Planes<Number<L>> {
    from_fn(|row| {
        from_fn(|bit| {
            let (Halves(all), Halves(new)) = (planes[row][bit], bits[row][bit]);
            Halves(from_fn(|half| {
                let block_of = |at: u32| at as usize % (COLUMNS / C);
                let column = |at: u32| at / (COLUMNS / C) as u32;
                let place = |at: u32| {
                    if block_of(at) == block { new[half].0.slice(column(at), 1) } else { all[half].0.slice(at, 1) }
                };
                Number(L::join(&(0..64).map(place).collect::<Vec<_>>()))
            }))
        })
    })
}

impl<const C: usize, const R: usize, const BITS: u32, const DECRYPT: bool> Kernel for Batch<C, R, BITS, DECRYPT> {
    fn name(&self) -> String {
        let what = if DECRYPT { "decryption" } else { "encryption" };
        let name = format!("Kalyna, {what} of {} bits with {R} rounds, bit-sliced", 64 * C);
        format!("{name}, block {} of a batch = DSTU 7624:2014, 5, 6", self.block)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![64; (R + 1) * C + COLUMNS]
    }
    fn longest(&self) -> usize {
        1000
    }
    fn refuses_longer(&self) -> bool {
        true
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (keys, columns) = inputs.split_at((R + 1) * C);
        let keys: &[[Value; C]] = keys.as_chunks().0;
        let [first, middle @ .., last] = keys else { unreachable!("there are several rounds") };
        let (first, last) = if DECRYPT { (last, first) } else { (first, last) };
        let mut columns: [Value; COLUMNS] = from_fn(|i| columns[i]);
        // Most of what the layout does is done for other blocks. Its faults are decided below.
        let planes = mutation::paused(|| bit_sliced_load::<Number<Value>, C, DECRYPT>(first, &columns));
        let mut x = of_block::<Value, C, BITS>(&planes, self.block);
        bit_sliced_rounds::<_, Value, C, DECRYPT>(&mut x, middle, |key, bit| {
            let bit = key.slice(bit as u32, 1);
            Plane(Value::join(&vec![bit; BITS as usize]))
        });
        let planes = with_block::<Value, C, BITS>(&planes, self.block, &x);
        mutation::paused(|| bit_sliced_store::<Number<Value>, C, DECRYPT>(planes, last, &mut columns));
        columns[C * self.block..][..C].to_vec()
    }
    fn standard(&self, inputs: &[Value], cut: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let standard = Standard { by_bits: true, cut };
        let states: Vec<State<Value>> = inputs.chunks(C).map(|columns| columns.iter().map(bytes).collect()).collect();
        let (keys, blocks) = states.split_at(R + 1);
        let block = &blocks[self.block];
        let state = if DECRYPT { standard.decrypt(keys, block) } else { standard.encrypt(keys, block) };
        state.iter().map(column).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let columns: Vec<[u8; 8]> = inputs.iter().map(|x| (*x as u64).to_le_bytes()).collect();
        let (keys, columns) = columns.split_at((R + 1) * C);
        let mut columns: [[u8; 8]; COLUMNS] = from_fn(|i| columns[i]);
        bit_sliced_batch::<C, DECRYPT>(keys.as_chunks().0, &mut columns);
        columns[C * self.block..][..C].iter().map(|column| u64::from_le_bytes(*column).into()).collect()
    }
}

/// All blocks' columns to planes, with the addition of a key.
struct Load<const C: usize, const DECRYPT: bool>;

/// `x + key`, or `x - key`.
fn combined<L: Lane, const DECRYPT: bool>(x: L, key: L) -> L {
    if DECRYPT { x.sub(key) } else { x.add(key) }
}

impl<const C: usize, const DECRYPT: bool> Kernel for Load<C, DECRYPT> {
    fn name(&self) -> String {
        let what = if DECRYPT { "less" } else { "plus" };
        format!("Kalyna, bit-sliced: all blocks of {} bits {what} a key to planes = their layout", 64 * C)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![64; C + COLUMNS]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (key, columns) = inputs.split_at(C);
        let planes = bit_sliced_load::<Number<Value>, C, DECRYPT>(&from_fn(|i| key[i]), &from_fn(|i| columns[i]));
        planes.as_flattened().iter().flat_map(|Halves(halves)| halves.map(|half| half.0)).collect()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let (key, columns) = inputs.split_at(C);
        let combined: Vec<Value> = (0..COLUMNS).map(|i| combined::<Value, DECRYPT>(columns[i], key[i % C])).collect();
        let plane = |at: usize| {
            let (bit, half) = (at as u32 / 2, at % 2);
            // Column `p` of all, of each block the first, then of each block the second, and so on.
            let column = |p: usize| combined[p % (COLUMNS / C) * C + p / (COLUMNS / C)];
            Value::join(&(0..64).map(|i| column(64 * half + i).slice(bit, 1)).collect::<Vec<_>>())
        };
        (0..COLUMNS).map(plane).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let columns: Vec<[u8; 8]> = inputs.iter().map(|x| (*x as u64).to_le_bytes()).collect();
        let (key, columns) = columns.split_at(C);
        let planes = bit_sliced_load::<u64, C, DECRYPT>(&from_fn(|i| key[i]), &from_fn(|i| columns[i]));
        planes.as_flattened().iter().flat_map(|Halves(halves)| halves.map(u128::from)).collect()
    }
}

/// Planes to all blocks' columns, with the addition of a key.
struct Store<const C: usize, const DECRYPT: bool>;

impl<const C: usize, const DECRYPT: bool> Kernel for Store<C, DECRYPT> {
    fn name(&self) -> String {
        let what = if DECRYPT { "less" } else { "plus" };
        format!("Kalyna, bit-sliced: planes to all blocks of {} bits {what} a key = their layout", 64 * C)
    }
    fn inputs(&self) -> Vec<u32> {
        vec![64; C + COLUMNS]
    }
    fn body(&self, inputs: &[Value]) -> Vec<Value> {
        let (key, halves) = inputs.split_at(C);
        let half = |row: usize, bit: usize, half: usize| Number(halves[2 * (8 * row + bit) + half]);
        let planes = from_fn(|row| from_fn(|bit| Halves(from_fn(|i| half(row, bit, i)))));
        let mut columns = [Value::constant(64, 0); COLUMNS];
        bit_sliced_store::<Number<Value>, C, DECRYPT>(planes, &from_fn(|i| key[i]), &mut columns);
        columns.to_vec()
    }
    fn standard(&self, inputs: &[Value], _: &dyn Fn(Value) -> Value) -> Vec<Value> {
        let (key, halves) = inputs.split_at(C);
        let column = |i: usize| {
            let (half, at) = place::<C>(i / C, i % C);
            let column = Value::join(&(0..64).map(|bit| halves[2 * bit + half].slice(at, 1)).collect::<Vec<_>>());
            combined::<Value, DECRYPT>(column, key[i % C])
        };
        (0..COLUMNS).map(column).collect()
    }
    fn real(&self, inputs: &[u128]) -> Vec<u128> {
        let (key, halves) = inputs.split_at(C);
        let half = |row: usize, bit: usize, half: usize| halves[2 * (8 * row + bit) + half] as u64;
        let planes = from_fn(|row| from_fn(|bit| Halves(from_fn(|i| half(row, bit, i)))));
        let mut columns = [[0; 8]; COLUMNS];
        bit_sliced_store::<u64, C, DECRYPT>(planes, &from_fn(|i| (key[i] as u64).to_le_bytes()), &mut columns);
        columns.iter().map(|column| u64::from_le_bytes(*column).into()).collect()
    }
}

/// A bit of a round key in all places.
fn shared() -> Claim {
    Claim::of("Kalyna, bit-sliced: the planes of a round key", "terms: every bit followed", || {
        term::reset();
        let key = Term::input(64);
        for bit in 0..64 {
            let one = key.slice(bit as u32, 1);
            let all = (1..64).fold(one, |bits, _| bits.concat(one));
            assert_eq!(bit_sliced_spread(Number(key), bit).0, all, "bit {bit}");
        }
        "64 bits".into()
    })
}

/// Blocks of `C` columns to planes and back, each way.
fn layout<const C: usize>(faults: usize) -> Vec<Claim> {
    [
        prove(&Load::<C, false>, faults),
        prove(&Load::<C, true>, 0),
        prove(&Store::<C, false>, 0),
        prove(&Store::<C, true>, faults),
    ]
    .concat()
}

/// Both ways, each with so many faults, for the first and the last block of a batch.
fn both<const C: usize, const R: usize, const BITS: u32>(faults: usize) -> Vec<Claim> {
    [
        prove(&Batch::<C, R, BITS, false> { block: 0 }, faults),
        prove(&Batch::<C, R, BITS, true> { block: COLUMNS / C - 1 }, faults),
    ]
    .concat()
}

/// Proves bit-sliced Kalyna for all five types.
pub(crate) fn claims() -> Vec<Claim> {
    [
        prove(&SBox::<0, false>, 15),
        prove(&SBox::<1, false>, 15),
        prove(&SBox::<2, false>, 15),
        prove(&SBox::<3, false>, 15),
        prove(&SBox::<0, true>, 15),
        prove(&SBox::<1, true>, 15),
        prove(&SBox::<2, true>, 15),
        prove(&SBox::<3, true>, 15),
        both::<2, 10, 1>(12),
        both::<2, 14, 1>(0),
        both::<4, 14, 2>(0),
        both::<4, 18, 2>(0),
        both::<8, 18, 4>(0),
        layout::<2>(6),
        layout::<4>(6),
        layout::<8>(6),
        vec![shared()],
    ]
    .concat()
}
