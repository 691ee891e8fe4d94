//! The other half: every word of every backend does what the words of the proofs do.
//!
//! Rotations and shifts by all amounts, bitwise operations on a basis and at random, sums and products on numbers with
//! long carries and at random. `FAIRLANE_PROOFS_CASES` is the number of random cases of each operation, 10^6 if unset.

use crate::lane::Plain;
use crate::proof::{Claim, Random};
use crate::word::{Word, model, plain, value};
use fairlane::kalyna::symbolic::{Columns8, InOrder, RowGroups, tables};
use fairlane_lanes::*;
use std::array::from_fn;

fn cases() -> u64 {
    std::env::var("FAIRLANE_PROOFS_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(1_000_000)
}

/// A word and its model have the same numbers. A call, of which there are many.
#[inline(never)]
#[track_caller]
fn same<W, const BITS: u32, const N: usize>(
    value: impl Fn(W) -> [u128; N],
    word: W,
    model: Word<Plain, BITS, N>,
    what: &str,
) {
    assert_eq!(value(word), plain(model), "{what}");
}

macro_rules! amounts {
    ($x:ident, $m:ident, $value:ident, $f:ident: $($k:literal)*) => {$(
        same($value, $x.$f::<$k>(), $m.$f::<$k>(), concat!(stringify!($f), " ", $k));
    )*};
}

macro_rules! checks {
    (
        $check:ident, $trait:ident, $lane:ident, $bits:literal,
        |$x:ident, $m:ident, $y:ident, $n:ident, $value:ident| $more:block
    ) => {
        fn $check<W: $trait<N>, const N: usize>() -> Option<Claim> {
            let token = W::Token::new()?;
            let name = std::any::type_name::<W>().replace("fairlane_lanes::", "");
            Some(Claim::of(format!("{name} = its meaning in the proofs"), "corners, a basis, at random", || {
                let mut random = Random::new();
                let corner = |i: u64| -> $lane {
                    let bit = (i / 4 % $bits) as u32;
                    match i % 4 {
                        0 => 1 << bit,
                        1 => <$lane>::MAX << bit,
                        2 => !(1 << bit),
                        _ => (1 as $lane).wrapping_shl(bit).wrapping_sub(1),
                    }
                };
                let $value = |word: W| word.to_array().map(u128::from);
                let count = cases() / N as u64;
                for case in 0..count {
                    let number = |random: &mut Random, i: usize| match case {
                        // All pairs of corners, in all lanes.
                        0..66_000 => corner(if i % 2 == 0 { case } else { case / (4 * $bits) }),
                        _ => random.number() as $lane,
                    };
                    let a: [$lane; N] = from_fn(|_| number(&mut random, 0));
                    let b: [$lane; N] = from_fn(|_| number(&mut random, 1));
                    let c: [$lane; N] = from_fn(|_| number(&mut random, case as usize));
                    let ($x, $y, z) = (W::from_array(token, a), W::from_array(token, b), W::from_array(token, c));
                    let ($m, $n, o) = (model::<$bits, N>(a), model::<$bits, N>(b), model::<$bits, N>(c));
                    same($value, $x.xor($y), $m.xor($n), "");
                    same($value, $x.and($y), $m.and($n), "");
                    same($value, $x.or($y), $m.or($n), "");
                    same($value, $x.not(), $m.not(), "");
                    same($value, $x.add($y), $m.add($n), "");
                    same($value, $x.sub($y), $m.sub($n), "");
                    same($value, $x.xor3($y, z), $m.xor3($n, o), "");
                    $more
                    if case % 64 == 0 {
                        amounts!(
                            $x, $m, $value, rotl: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26
                            27 28 29 30 31
                        );
                    }
                }
                format!("{} cases of each operation", count * N as u64)
            }))
        }
    };
}

/// Pairs of numbers with all pairs of bytes in sections of eight bits: a number below the section that is all zeros or
/// all ones carries into it or borrows from it.
fn sections<const N: usize>(bits: u32, mut check: impl FnMut([u64; N], [u64; N])) -> usize {
    let mut cases = 0;
    for at in (0..bits).step_by(8) {
        for below in [0, (1_u64 << at) - 1] {
            for first in (0..1_u64 << 16).step_by(N) {
                let pair = |i: usize| (first + i as u64).min(0xffff);
                let a = from_fn(|i| (pair(i) >> 8) << at | below);
                let b = from_fn(|i| (pair(i) & 0xff) << at | u64::from(below > 0));
                check(a, b);
                cases += N;
            }
        }
    }
    cases
}

/// The same for factors of `bits` bits, with a byte at any place of each and ones or zeros below both.
fn factor_sections<const N: usize>(bits: u32, mut check: impl FnMut([u64; N], [u64; N])) -> usize {
    let mut cases = 0;
    for (i, j) in (0..bits).step_by(8).flat_map(|i| (0..bits).step_by(8).map(move |j| (i, j))) {
        for below in [false, true] {
            let number = |byte: u64, at: u32| {
                let all = byte << at | if below { (1_u64 << at) - 1 } else { 0 };
                all & (u64::MAX >> (64 - bits))
            };
            for first in (0..1_u64 << 16).step_by(N) {
                let pair = |i: usize| (first + i as u64).min(0xffff);
                check(from_fn(|k| number(pair(k) >> 8, i)), from_fn(|k| number(pair(k) & 0xff, j)));
                cases += N;
            }
        }
    }
    cases
}

/// Sums and differences, and products of 32 bits for words of 64 bits.
fn check_sections32<W: U32xN<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    let name = std::any::type_name::<W>().replace("fairlane_lanes::", "");
    Some(Claim::of(format!("{name}: sums and differences"), "all pairs of bytes in all sections", || {
        let cases = sections::<N>(32, |a, b| {
            let [a, b] = [a, b].map(|x| x.map(|x| x as u32));
            let (x, y) = (W::from_array(token, a), W::from_array(token, b));
            assert_eq!(x.add(y).to_array(), from_fn(|i| a[i].wrapping_add(b[i])));
            assert_eq!(x.sub(y).to_array(), from_fn(|i| a[i].wrapping_sub(b[i])));
        });
        format!("{cases} × 2 cases")
    }))
}

fn check_sections64<W: U64xN<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    let name = std::any::type_name::<W>().replace("fairlane_lanes::", "");
    Some(Claim::of(format!("{name}: sums, differences, products"), "all pairs of bytes in all sections", || {
        let cases = sections::<N>(64, |a, b| {
            let (x, y) = (W::from_array(token, a), W::from_array(token, b));
            assert_eq!(x.add(y).to_array(), from_fn(|i| a[i].wrapping_add(b[i])));
            assert_eq!(x.sub(y).to_array(), from_fn(|i| a[i].wrapping_sub(b[i])));
        });
        let products = factor_sections::<N>(32, |a, b| {
            // What is above 32 bits does not count.
            let above = |x: [u64; N]| x.map(|x| x | !x << 32);
            let (x, y) = (W::from_array(token, above(a)), W::from_array(token, above(b)));
            assert_eq!(x.mul_u32(y).to_array(), from_fn(|i| a[i] * b[i]));
        });
        format!("{} cases", 2 * cases + products)
    }))
}

fn check_sections52<W: Products52<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of("U64x8Ifma: products of 52 bits", "all pairs of bytes in all sections", || {
        let zero = W::splat(token, 0);
        let cases = factor_sections::<N>(52, |a, b| {
            let (x, y) = (W::from_array(token, a), W::from_array(token, b));
            let product = |i: usize| u128::from(a[i]) * u128::from(b[i]);
            assert_eq!(zero.add_low52(x, y).to_array(), from_fn(|i| product(i) as u64 & ((1 << 52) - 1)));
            assert_eq!(zero.add_high52(x, y).to_array(), from_fn(|i| (product(i) >> 52) as u64));
        });
        format!("{cases} × 2 cases")
    }))
}

checks!(check_u32, Sm3Word, u32, 32, |x, m, y, n, value| {
    same(value, x.select(y, x), m.select(n, m), "");
    same(value, y.majority(x, y.not()), n.majority(m, n.not()), "");
    same(value, x.select_in_parts([x.xor(y), y], y, x), m.select(n, m), "");
    same(value, x.add_majority(y, x, y), m.add_majority(n, m, n), "");
    same(value, x.swap_bytes(), m.swap_bytes(), "");
    same(value, x.xor_rotated::<9, 17>(), m.xor_rotated::<9, 17>(), "");
    let (whole, [first, second]) = x.xor_rotated_and_parts::<9, 17>();
    same(value, whole, m.xor_rotated::<9, 17>(), "");
    assert_eq!(value(first.xor(second)), value(whole));
    same(value, x.xor_rotated::<15, 23>(), m.xor_rotated::<15, 23>(), "");
});
checks!(check_u64, KeccakWord, u64, 64, |x, m, y, n, value| {
    same(value, x.chi(y, y.not()), m.chi(n, n.not()), "");
    same(value, y.chi(x, y), n.chi(m, n), "");
    same(value, x.rax1(y), m.rax1(n), "");
    same(value, x.mul_u32(y), m.mul_u32(n), "");
    amounts!(x, m, value, shl: 0 1 2 3 4 8 10 12 20);
    amounts!(x, m, value, shr: 0 1 14 24 26 40 42 44 52 63);
    amounts!(x, m, value, rotl: 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47);
    amounts!(x, m, value, rotl: 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
    amounts!(x, m, value, rotl_off_vector_ports: 1 2 3 6 8 10 14 15 18 20 21 25 27 28 36 39 41 43 44 45 55 56 61 62);
});

/// Every table look-up, affine map and inversion for all bytes, in every lane.
fn check_bytes<W: RowsN<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    let name = std::any::type_name::<W>().replace("fairlane_lanes::", "");
    Some(Claim::of(format!("{name} = its meaning in the proofs"), "all bytes in all lanes", || {
        let mut random = Random::new();
        static ORDER: [u8; 16] = [3, 15, 0, 7, 1, 1, 9, 12, 4, 8, 2, 14, 6, 5, 11, 13];
        for x in 0..=255_u8 {
            let a: [u8; N] = from_fn(|i| x.wrapping_add(i as u8));
            let b: [u8; N] = from_fn(|_| random.number() as u8);
            let (x, y) = (W::load(token, &a), W::load(token, &b));
            let (m, n) = (model::<8, N>(a), model::<8, N>(b));
            for table in tables().into_iter().flatten() {
                same(value, x.look_up(table), m.look_up(table), "");
            }
            macro_rules! matrices {
                ($($matrix:literal $constant:literal)*) => {$(
                    same(value, x.affine::<$matrix, $constant>(), m.affine::<$matrix, $constant>(), "");
                    let inverse = plain(m.inverse_affine::<$matrix, $constant>());
                    assert_eq!(value(x.inverse_affine::<$matrix, $constant>()), inverse);
                )*};
            }
            matrices!(0x0102_0408_1020_4080 0 0x8040_2010_0804_0201 0x63 0x1f3e_7cf8_f1e3_c78f 0xd3);
            matrices!(0x0123_4567_89ab_cdef 0xff 0xfedc_ba98_7654_3210 1 0xa5c3_0f78_96e1_b42d 0x80);
            same(value, x.xor(y), m.xor(n), "");
            let (z, o) = (x.look_up(&tables()[0][0]), m.look_up(&tables()[0][0]));
            same(value, x.xor3(y, z), m.xor3(n, o), "");
            same(value, x.shuffle(&ORDER), m.shuffle(&ORDER), "");
            same(value, x.rotate_bytes::<1>(), m.rotate_bytes::<1>(), "");
            same(value, x.rotate_bytes::<2>(), m.rotate_bytes::<2>(), "");
            same(value, x.rotate_bytes::<3>(), m.rotate_bytes::<3>(), "");
            same(value, x.broadcast_bytes::<2>(), m.broadcast_bytes::<2>(), "");
            assert_eq!(x.interleave(y).map(value), m.interleave(n).map(plain));
            assert_eq!(W::transpose4([x, y, y, x]).map(value), Word::transpose4([m, n, n, m]).map(plain));
            let words = [x, y, x, x, y, y, x, y];
            let memory = words.map(value);
            let rows = W::rows_from_columns(words);
            for (r, row) in rows.iter().enumerate() {
                assert_eq!(value(*row), from_fn(|p| memory.as_flattened()[8 * p + r]));
            }
            assert_eq!(W::columns_from_rows(rows).map(value), memory);
            for count in [2, 4, 8] {
                let columns: Vec<[u8; 8]> = (0..count).map(|_| random.number().to_le_bytes()).collect();
                let rows = W::transpose_columns(token, &columns).map(u64::to_le_bytes);
                assert_eq!(rows, from_fn(|i| from_fn(|j| columns[j % count][i])));
            }
        }
        for _ in 0..cases() / N as u64 {
            // Long carries in some columns.
            let ones = random.number() as u8;
            let a: [u8; N] = from_fn(|i| if ones >> (i % 8) & 1 == 1 { 0xff } else { random.number() as u8 });
            let b: [u8; N] = from_fn(|_| random.number() as u8);
            let (x, y) = (W::load(token, &a), W::load(token, &b));
            let (m, n) = (model::<8, N>(a), model::<8, N>(b));
            same(value, x.add64(y), m.add64(n), "");
            same(value, y.sub64(x), n.sub64(m), "");
        }
        "256 × all lanes".into()
    }))
}

/// What Kalyna's words in the order of memory do beside that: look-ups, and orders where there are 32 bytes.
fn check_in_order<W: InOrder<N>, const N: usize>() -> Option<Claim> {
    static ORDERS: [[u8; 64]; 3] = {
        let (mut orders, mut i) = ([[0; 64]; 3], 0);
        while i < 32 {
            orders[0][i] = 31 - i as u8;
            orders[1][i] = (i * 21 % 32) as u8;
            orders[2][i] = (i * i % 32) as u8;
            i += 1;
        }
        orders
    };
    let token = W::Token::new()?;
    let name = std::any::type_name::<W>().replace("fairlane_lanes::", "");
    Some(Claim::of(
        format!("{name}: orders and look-ups = their meaning in the proofs"),
        "all bytes in all lanes",
        || {
            let mut random = Random::new();
            for x in 0..=255_u8 {
                // Each lane has every byte beside others.
                let by = random.number() as u8;
                let a: [u8; N] = from_fn(|i| x.wrapping_add((i as u8).wrapping_mul(by)));
                for a in [a, [x; N]] {
                    let (x, m) = (W::load(token, &a), model::<8, N>(a));
                    for tables in tables() {
                        same(value, x.look_up_by_4(tables), m.look_up_by_4(tables), "");
                    }
                    for order in ORDERS.iter().filter(|_| N == 32) {
                        same(value, x.permute(order), m.permute(order), "");
                    }
                }
            }
            "512 × all lanes".into()
        },
    ))
}

/// What Kalyna's words do beside that where groups of eight bytes are rows: look-ups, rotations and the transposition.
fn check_row_groups<W: RowGroups>() -> Option<Claim> {
    let token = W::Token::new()?;
    let name = std::any::type_name::<W>().replace("fairlane_lanes::", "");
    Some(Claim::of(format!("{name}: groups of bytes = their meaning in the proofs"), "all bytes in all lanes", || {
        let mut random = Random::new();
        for x in 0..=255_u8 {
            let by = random.number() as u8;
            let [a, b]: [[u8; 32]; 2] = [from_fn(|i| x.wrapping_add((i as u8).wrapping_mul(by))), [x; 32]];
            let c: [u8; 32] = from_fn(|_| random.number() as u8);
            let (words, models) = ([a, b].map(|a| W::load(token, &a)), [a, b].map(model::<8, 32>));
            for tables in tables() {
                let expected = models.map(|m| plain(m.look_up_by_group(tables)));
                assert_eq!(words.map(|x| value(x.look_up_by_group(tables))), expected);
            }
            for [a, b] in [[a, c], [c, a]] {
                let (x, m) = ([a, b].map(|a| W::load(token, &a)), [a, b].map(model::<8, 32>));
                assert_eq!(W::transpose_groups(x).map(value), Word::transpose_groups(m).map(plain));
                assert_eq!(W::rotate_groups::<1>(x).map(value), Word::rotate_groups::<1>(m).map(plain));
                assert_eq!(W::rotate_groups::<2>(x).map(value), Word::rotate_groups::<2>(m).map(plain));
                assert_eq!(W::rotate_groups::<3>(x).map(value), Word::rotate_groups::<3>(m).map(plain));
            }
        }
        "512 × all lanes".into()
    }))
}

/// What Kalyna's words of 64 bytes in the order of memory do beside that: orders, copies and look-ups.
fn check_columns8<W: Columns8>() -> Option<Claim> {
    static ORDERS: [[u8; 64]; 3] = {
        let (mut orders, mut i) = ([[0; 64]; 3], 0);
        while i < 64 {
            orders[0][i] = 63 - i as u8;
            orders[1][i] = (i * 37 % 64) as u8;
            orders[2][i] = (i * i % 64) as u8;
            i += 1;
        }
        orders
    };
    static PAIRS: [u8; 64] = {
        let (mut order, mut i) = ([0; 64], 0);
        while i < 64 {
            order[i] = (i * 53 % 128) as u8;
            i += 1;
        }
        order
    };
    let token = W::Token::new()?;
    Some(Claim::of("U8x64Vbmi: orders and look-ups = their meaning in the proofs", "all bytes in all lanes", || {
        let mut random = Random::new();
        for x in 0..=255_u8 {
            let a: [u8; 64] = from_fn(|i| x.wrapping_add(i as u8));
            let b: [u8; 64] = from_fn(|_| random.number() as u8);
            let (x, y) = (W::load(token, &a), W::load(token, &b));
            let (m, n) = (model::<8, 64>(a), model::<8, 64>(b));
            for tables in tables() {
                same(value, x.look_up_by_4(tables), m.look_up_by_4(tables), "");
            }
            for order in &ORDERS {
                same(value, y.permute(order), n.permute(order), "");
            }
            same(value, x.permute_with(y, &PAIRS), m.permute_with(n, &PAIRS), "");
            for count in [2, 4, 8] {
                let numbers: Vec<u64> = (0..count).map(|_| random.number()).collect();
                let repeated = Word::<Plain, 8, 64>::repeat_numbers(Scalar::PROOF, &numbers);
                same(value, W::repeat_numbers(token, &numbers), repeated, "");
            }
        }
        "256 × all lanes".into()
    }))
}

/// Products of all pairs of one bit, in all lanes; the operation is bilinear on any CPU that has it right.
fn check_polynomials<W: Polynomials<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    let name = std::any::type_name::<W>().replace("fairlane_lanes::", "");
    Some(Claim::of(format!("{name} = its meaning in the proofs"), "a basis × a basis, at random", || {
        let product =
            |a: u128, b: u128| (0..64).filter(|i| a >> i & 1 == 1).fold(0, |sum, i| sum ^ ((b << 64 >> 64) << i));
        let check = |a: u128, b: u128| {
            let (x, y) = (W::splat(token, a), W::splat(token, b));
            assert_eq!(x.mul_low(y).to_array(), [product(a, b); N]);
            assert_eq!(x.mul_high(y).to_array(), [product(a >> 64, b >> 64); N]);
            assert_eq!(x.xor(y).to_array(), [a ^ b; N]);
            assert_eq!(x.xor3(y, x.swap_halves()).to_array(), [a ^ b ^ a.rotate_left(64); N]);
        };
        for i in 0..128 {
            for j in 0..128 {
                check(1 << i, 1 << j);
            }
        }
        let mut random = Random::new();
        for _ in 0..cases() / 10 {
            check(random.bits(128), random.bits(128));
        }
        format!("{} cases", 16384 + cases() / 10)
    }))
}

/// Sums and transpositions of pairs and of rows, and products of 52 bits.
fn check_products52<W: Products52<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of("U64x8Ifma: products of 52 bits = their meaning in the proofs", "corners, at random", || {
        let mut random = Random::new();
        let mut number = || match random.number() % 3 {
            0 => u64::MAX >> (random.number() % 64),
            _ => random.number(),
        };
        let value = |word: W| word.to_array().map(u128::from);
        for _ in 0..cases() / N as u64 {
            let [a, b, c]: [[u64; N]; 3] = from_fn(|_| from_fn(|_| number()));
            let [x, y, z] = [a, b, c].map(|lanes| W::from_array(token, lanes));
            let [m, n, o] = [a, b, c].map(model::<64, N>);
            same(value, x.add_low52(y, z), m.add_low52(n, o), "");
            same(value, x.add_high52(y, z), m.add_high52(n, o), "");
        }
        format!("{} cases", cases())
    }))
}

/// Checks every word that this machine has, and says how many it has not.
pub fn claims() -> Vec<Claim> {
    let all = [
        check_u32::<U32x1<Scalar>, 1>(),
        check_u32::<U32x1Bmi2<Avx2>, 1>(),
        check_u32::<U32x8, 8>(),
        check_u32::<U32x4Vl, 4>(),
        check_u32::<U32x8Vl, 8>(),
        check_u32::<U32x16, 16>(),
        check_u32::<U32x4, 4>(),
        check_u64::<U64x1<Scalar>, 1>(),
        check_u64::<U64x1<Avx2>, 1>(),
        check_u64::<U64x1Vl, 1>(),
        check_u64::<U64x1Zen, 1>(),
        check_u64::<U64x4, 4>(),
        check_u64::<U64x4Vl, 4>(),
        check_u64::<U64x4Zen, 4>(),
        check_u64::<U64x8, 8>(),
        check_u64::<U64x8Zen, 8>(),
        check_u64::<U64x2, 2>(),
        check_u64::<U64x2Sha3, 2>(),
        check_products52::<U64x8Ifma, 8>(),
        check_sections32::<U32x1<Scalar>, 1>(),
        check_sections32::<U32x8, 8>(),
        check_sections32::<U32x4Vl, 4>(),
        check_sections32::<U32x8Vl, 8>(),
        check_sections32::<U32x16, 16>(),
        check_sections32::<U32x4, 4>(),
        check_sections64::<U64x1<Scalar>, 1>(),
        check_sections64::<U64x4, 4>(),
        check_sections64::<U64x4Vl, 4>(),
        check_sections64::<U64x8, 8>(),
        check_sections64::<U64x2, 2>(),
        check_sections52::<U64x8Ifma, 8>(),
        check_bytes::<U8x16Aes, 16>(),
        check_bytes::<U8x16Gfni, 16>(),
        check_bytes::<U8x16Vbmi, 16>(),
        check_bytes::<U8x32Aes, 32>(),
        check_bytes::<U8x32Gfni, 32>(),
        check_bytes::<U8x64Vbmi, 64>(),
        check_bytes::<U8x16, 16>(),
        check_in_order::<U8x16Aes, 16>(),
        check_in_order::<U8x16Gfni, 16>(),
        check_in_order::<U8x16Vbmi, 16>(),
        check_in_order::<U8x32Aes, 32>(),
        check_in_order::<U8x32Gfni, 32>(),
        check_in_order::<U8x32Vbmi, 32>(),
        check_row_groups::<U8x32Aes>(),
        check_row_groups::<U8x32Gfni>(),
        check_columns8::<U8x64Vbmi>(),
        check_polynomials::<P128x1, 1>(),
        check_polynomials::<P128x1Clmul, 1>(),
        check_polynomials::<P128x2, 2>(),
        check_polynomials::<P128x4, 4>(),
        check_polynomials::<P128x1Pmull, 1>(),
    ];
    let all: Vec<_> = all.into_iter().chain(crate::operations::claims()).collect();
    let skipped = all.iter().filter(|claim| claim.is_none()).count();
    if skipped > 0 {
        eprintln!("backends: {skipped} words skipped, which this CPU lacks");
    }
    all.into_iter().flatten().collect()
}
