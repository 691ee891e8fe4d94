//! Every word of bytes: each method against plain integers.

use super::*;
use crate::*;
use core::any::type_name;
use core::array::from_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `N` bytes with no pattern.
fn bytes<const N: usize>(seed: u32) -> [u8; N] {
    from_fn(|i| ((seed + i as u32).wrapping_mul(0x9e37_79b9) >> 13) as u8)
}

fn stored<W: BlocksN<N>, const N: usize>(word: W) -> [u8; N] {
    let mut bytes = [0; N];
    word.store(&mut bytes);
    bytes
}

/// A function of each block as a number, byte 0 the least significant one.
fn each_block<const N: usize>(bytes: [u8; N], f: impl Fn(u128) -> u128) -> [u8; N] {
    let mut bytes = bytes;
    for block in bytes.as_chunks_mut().0 {
        *block = f(u128::from_le_bytes(*block)).to_le_bytes();
    }
    bytes
}

fn times_x(a: u128) -> u128 {
    (a << 1) ^ ((a >> 127) * 0x87)
}

/// In AES's field.
fn multiply(a: u8, b: u8) -> u8 {
    let times_x = |a: u8| (a << 1) ^ ((a >> 7) * 0x1b);
    (0..8).rev().fold(0, |product, i| times_x(product) ^ ((b >> i & 1) * a))
}

fn inverse(a: u8) -> u8 {
    (0..=255).find(|b| multiply(a, *b) == 1).unwrap_or(0)
}

fn affine(matrix: u64, constant: i32, a: u8) -> u8 {
    let row = |i: u32| (matrix >> (8 * (7 - i))) as u8;
    (0..8).fold(constant as u8, |sum, i| sum ^ ((row(i) & a).count_ones() as u8 & 1) << i)
}

fn check_blocks<W: BlocksN<N>, const N: usize>() -> Option<W::Token> {
    let Some(token) = W::Token::new() else {
        eprintln!("skipped {}: this CPU lacks its features", type_name::<W>());
        return None;
    };
    let (a, b, c) = (bytes::<N>(1), bytes(100), bytes(200));
    let [x, y, z] = [a, b, c].map(|bytes| W::load(token, &bytes));

    for len in (0..=N).step_by(16) {
        assert_eq!(stored(W::load(token, &a[..len])), from_fn(|i| if i < len { a[i] } else { 0 }));
        let mut room = [0xa5; 80];
        x.store(&mut room[8..][..len]);
        assert_eq!(room[8..][..len], a[..len]);
        assert!(room[..8].iter().chain(&room[8 + len..]).all(|byte| *byte == 0xa5));
    }
    for wrong in [1, 15, N - 1, N + 1, N + 16] {
        let mut room = [0xa5; 80];
        let load = || stored(W::load(token, &[0; 80][..wrong]));
        assert!(catch_unwind(AssertUnwindSafe(load)).is_err(), "loaded {wrong} bytes");
        let store = || x.store(&mut room[..wrong]);
        assert!(catch_unwind(AssertUnwindSafe(store)).is_err(), "stored {wrong} bytes");
        assert_eq!(room, [0xa5; 80]);
    }

    let block = bytes(300);
    assert_eq!(stored(W::splat_block(token, block)), from_fn(|i| block[i % 16]));
    assert_eq!(stored(x.xor(y)), from_fn(|i| a[i] ^ b[i]));
    assert_eq!(stored(x.xor3(y, z)), from_fn(|i| a[i] ^ b[i] ^ c[i]));
    assert_eq!(stored(x.reverse_bits()), a.map(u8::reverse_bits));

    let (nonce, _) = block.split_at(12);
    for first in [0, 0xff, 0x0102_0304, u32::MAX - 1, u32::MAX] {
        for from in [0, 1, 0x1234, u32::MAX] {
            let counter = |i: u32| [nonce, &first.wrapping_add(i).to_be_bytes()].concat();
            let expected: Vec<u8> = (0..N as u32 / 16).flat_map(|i| counter(from.wrapping_add(i))).collect();
            assert_eq!(stored(W::counters(token, counter(0).try_into().unwrap(), from))[..], expected);
        }
    }

    macro_rules! products {
        ($($k:literal)*) => {
            for a in [a, b, c, [0xff; N], from_fn(|i| if i % 16 == 15 { 0x80 } else { 0 })] {
                $(
                    let product = |a| (0..$k).fold(a, |a, _| times_x(a));
                    assert_eq!(stored(W::load(token, &a).mul_x::<$k>()), each_block(a, product));
                )*
            }
        };
    }
    products!(1 2 3 4 5 6 7 8 12 16 31 32);
    Some(token)
}

fn check<W: U8xN<N>, const N: usize>() {
    let Some(token) = check_blocks::<W, N>() else { return };
    let a = bytes::<N>(1);
    let x = W::load(token, &a);

    assert_eq!(stored(W::splat_u32(token, 0x0403_0201)), from_fn(|i| i as u8 % 4 + 1));
    for first in [0, 0x0102_0304, u32::MAX - 1] {
        let group = |block, j| (first as usize + j * N / 16 + block) as u32;
        let expected = from_fn(|i| group(i / 16, i % 16 / 4).to_be_bytes()[i % 4]);
        assert_eq!(stored(W::counter_column(token, first)), expected);
    }

    macro_rules! maps {
        ($($matrix:literal + $constant:literal)*) => {$(
            for first in (0..256).step_by(N) {
                let all: [u8; N] = from_fn(|i| (first + i) as u8);
                let x = W::load(token, &all);
                assert_eq!(stored(x.affine::<$matrix, $constant>()), all.map(|x| affine($matrix, $constant, x)));
                let expected = all.map(|x| affine($matrix, $constant, inverse(x)));
                assert_eq!(stored(x.inverse_affine::<$matrix, $constant>()), expected);
            }
        )*};
    }
    // The identity, AES's S-box, one that has no inverse, none at all, and one with no pattern.
    maps!(0x0102_0408_1020_4080 + 0 0xf1e3_c78f_1f3e_7cf8 + 0x63 0x8040_2010_0804_0200 + 1 0 + 0xff
        0x9e37_79b9_7f4a_7c15 + 0x80);

    macro_rules! orders {
        ($($k:literal)*) => {$(
            assert_eq!(stored(x.broadcast_bytes::<$k>()), from_fn(|i| a[i / 16 * 16 + 4 * $k + i % 16 / 4]));
            if $k > 0 {
                assert_eq!(stored(x.rotate_bytes::<$k>()), from_fn(|i| a[i / 4 * 4 + (i + $k) % 4]));
            }
        )*};
    }
    orders!(0 1 2 3);

    // Byte i of block b of word j.
    let groups: [_; 4] = from_fn(|j| bytes::<N>(1000 * j as u32));
    let expected = from_fn(|j| from_fn(|at| groups[at % 16 / 4][at / 16 * 16 + 4 * j + at % 4]));
    assert_eq!(W::transpose4(groups.map(|bytes| W::load(token, &bytes))).map(stored), expected);
    let square: [_; 16] = from_fn(|j| bytes::<N>(1000 * j as u32));
    let expected = from_fn(|j| from_fn(|at| square[at % 16][at / 16 * 16 + j]));
    assert_eq!(W::transpose16(square.map(|bytes| W::load(token, &bytes))).map(stored), expected);
}

/// An inversion whose maps are those of no standard, and some functions near it.
const INVERSION: Inversion =
    Inversion { zero: 0x5a, before: 0x1f3e_7cf8_f1e3_c78f, after: 0x252a_b694_b014_0a6c, plus: 0xc3 };

/// So many entries, from `first` on in steps of `step`, are not those of the inversion.
fn near_inversion(exceptions: usize, first: usize, step: usize) -> [u8; 256] {
    let mut entries = from_fn(|x| INVERSION.of(x as u8));
    for i in 0..exceptions {
        entries[(first + step * i) % 256] ^= 1 + (i * i) as u8 % 255;
    }
    entries
}

#[test]
fn inversions_are_their_definition() {
    for x in 0..=255 {
        let inverted = inverse(affine(INVERSION.before, 0, x ^ INVERSION.zero));
        assert_eq!(INVERSION.of(x), affine(INVERSION.after, INVERSION.plus.into(), inverted));
    }
}

#[test]
fn tables_are_near_an_inversion() {
    for (first, step) in [(0, 1), (7, 17), (100, 37)] {
        let entries = near_inversion(15, first, step);
        assert_eq!(Table::new(entries, INVERSION).entries(), &entries);
        // There are 48 places.
        assert!(catch_unwind(|| Table::new(near_inversion(49, first, step), INVERSION)).is_err());
    }
}

/// As [`check`], and what ciphers on columns of eight bytes need.
fn check_rows<W: RowsN<N>, const N: usize>() {
    check::<W, N>();
    let Some(token) = W::Token::new() else { return };
    let (a, b) = (bytes::<N>(1), bytes::<N>(100));
    let [x, y] = [a, b].map(|bytes| W::load(token, &bytes));

    // Each byte value at each place.
    for entries in [near_inversion(0, 0, 0), near_inversion(36, 2, 101), near_inversion(36, 3, 7)] {
        let table = Table::new(entries, INVERSION);
        for first in 0..=255_u8 {
            let numbers: [u8; N] = from_fn(|i| first.wrapping_add(i as u8));
            let expected = numbers.map(|x| entries[usize::from(x)]);
            assert_eq!(stored(W::load(token, &numbers).look_up(&table)), expected);
            assert_eq!(stored(W::load(token, &[first; N]).look_up(&table)), [entries[usize::from(first)]; N]);
        }
    }

    assert_eq!(stored(W::splat_u64(token, 0x0807_0605_0403_0201)), from_fn(|i| i as u8 % 8 + 1));
    for (a, b) in [(a, b), (b, a), ([0xff; N], [0xff; N]), ([0xff; N], from_fn(|i| u8::from(i % 8 == 0))), ([0; N], b)]
    {
        let [x, y] = [a, b].map(|bytes| W::load(token, &bytes));
        assert_eq!(stored(x.add64(y)), each_number(a, b, u64::wrapping_add));
        assert_eq!(stored(x.sub64(y)), each_number(a, b, u64::wrapping_sub));
    }
    static ORDERS: [[u8; 16]; 3] = [
        [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
        [3, 3, 3, 0, 0, 15, 15, 8, 9, 7, 1, 1, 2, 12, 5, 15],
        // One that is a rotation of numbers, which has an instruction of its own.
        [1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8],
    ];
    for order in &ORDERS {
        assert_eq!(stored(x.shuffle(order)), from_fn(|i| a[i / 16 * 16 + usize::from(order[i % 16])]));
        assert_eq!(stored(y.shuffle(order)), from_fn(|i| b[i / 16 * 16 + usize::from(order[i % 16])]));
    }

    // Byte r of column p, through eight words.
    let columns: [_; 8] = from_fn(|j| bytes::<N>(1000 * j as u32));
    let rows = from_fn(|r| from_fn(|p| columns[8 * p / N][8 * p % N + r]));
    assert_eq!(W::rows_from_columns(columns.map(|bytes| W::load(token, &bytes))).map(stored), rows);
    assert_eq!(W::columns_from_rows(rows.map(|bytes| W::load(token, &bytes))).map(stored), columns);

    for count in [2, 4, 8] {
        let columns: [[u8; 8]; 8] = from_fn(|j| bytes(1000 * (j % count) as u32));
        let expected = from_fn(|j| u64::from_le_bytes(from_fn(|i| columns[i][j])));
        assert_eq!(W::transpose_columns(token, &columns[..count]), expected);
    }
}

/// A function of each pair of numbers of eight bytes.
fn each_number<const N: usize>(a: [u8; N], b: [u8; N], f: impl Fn(u64, u64) -> u64) -> [u8; N] {
    let mut results = [0; N];
    for ((result, a), b) in results.as_chunks_mut().0.iter_mut().zip(a.as_chunks().0).zip(b.as_chunks().0) {
        *result = f(u64::from_le_bytes(*a), u64::from_le_bytes(*b)).to_le_bytes();
    }
    results
}

/// FIPS 197, section 5.1.1: 0x53 becomes 0xed.
#[test]
fn the_model_is_right() {
    assert_eq!(affine(0xf1e3_c78f_1f3e_7cf8, 0x63, inverse(0x53)), 0xed);
}

#[test]
fn scalar() {
    assert!(check_blocks::<U8x16Scalar, 16>().is_some_and(|Scalar { .. }| true));
}

#[test]
fn x86_64() {
    check_rows::<U8x16Aes, 16>();
    check_rows::<U8x32Aes, 32>();
    check_rows::<U8x16Gfni, 16>();
    check_rows::<U8x32Gfni, 32>();
    check::<U8x16Vl, 16>();
    check::<U8x64, 64>();
    check_rows::<U8x16Vbmi, 16>();
    check_rows::<U8x32Vbmi, 32>();
    check_rows::<U8x64Vbmi, 64>();
}

/// What one block of two or four columns needs.
macro_rules! in_order {
    ($test:ident: $token:ident, $half:ident, $word:ident) => {
        #[test]
        fn $test() {
            let Some(token) = $token::new() else {
                eprintln!("skipped {}: this CPU lacks its features", stringify!($word));
                return;
            };
            static ORDER: [u8; 64] = {
                let (mut order, mut i) = ([0; 64], 0);
                while i < 32 {
                    order[i] = (i * i + 11 * i + 5) as u8 % 32;
                    i += 1;
                }
                order
            };
            let entries: [[u8; 256]; 4] = from_fn(|i| near_inversion(36, i, 101));
            let tables = entries.map(|entries| Table::new(entries, INVERSION));
            for first in 0..=255_u8 {
                for step in [0, 1, 77] {
                    let a: [u8; 32] = from_fn(|i| first.wrapping_add((i as u8).wrapping_mul(step)));
                    let expected: [u8; 32] = from_fn(|i| entries[i % 4][usize::from(a[i])]);
                    assert_eq!(stored($half::load(token, &a[..16]).look_up_by_4(&tables)), expected[..16]);
                    assert_eq!(stored($word::load(token, &a).look_up_by_4(&tables)), expected);
                    let permuted = stored($word::load(token, &a).permute(&ORDER));
                    assert_eq!(permuted, from_fn(|i| a[usize::from(ORDER[i])]));
                    let expected: [u8; 32] = from_fn(|i| entries[i / 8][usize::from(a[i])]);
                    assert_eq!(stored($word::load(token, &a).look_up_by_group(&tables)), expected);
                }
            }
            let a: [u8; 64] = bytes(3);
            let words = [&a[..32], &a[32..]].map(|a| $word::load(token, a));
            let both = |words: [$word; 2]| words.map(stored).as_flattened().to_vec();
            let rotated = |k: usize| [&a[8 * k..], &a[..8 * k]].concat();
            assert_eq!(both($word::rotate_groups::<1>(words)), rotated(1));
            assert_eq!(both($word::rotate_groups::<2>(words)), rotated(2));
            assert_eq!(both($word::rotate_groups::<3>(words)), rotated(3));
            let transposed: [u8; 64] = from_fn(|i| a[i % 8 * 8 + i / 8]);
            assert_eq!(both($word::transpose_groups(words)), transposed);
        }
    };
}
in_order!(one_block_with_aes: Avx2Aes, U8x16Aes, U8x32Aes);
in_order!(one_block_with_gfni: Avx2Gfni, U8x16Gfni, U8x32Gfni);

/// What only bytes with VBMI have.
#[test]
fn vbmi() {
    let Some(token) = Avx512Vbmi::new() else {
        eprintln!("skipped U8x64Vbmi: this CPU lacks its features");
        return;
    };
    let (a, b) = (bytes::<64>(1), bytes::<64>(100));
    let [x, y] = [a, b].map(|bytes| U8x64Vbmi::load(token, &bytes));

    static ORDER: [u8; 64] = {
        let (mut order, mut i) = ([0; 64], 0);
        while i < 64 {
            order[i] = (i * i + 11 * i + 5) as u8 % 64;
            i += 1;
        }
        order
    };
    static ORDER_OF_TWO: [u8; 64] = {
        let (mut order, mut i) = ([0; 64], 0);
        while i < 64 {
            order[i] = (37 * i + 70) as u8 % 128;
            i += 1;
        }
        order
    };
    assert_eq!(stored(x.permute(&ORDER)), ORDER.map(|from| a[usize::from(from)]));
    let both = [a, b].concat();
    assert_eq!(stored(x.permute_with(y, &ORDER_OF_TWO)), ORDER_OF_TWO.map(|from| both[usize::from(from)]));

    let (columns, _) = a.as_chunks::<8>();
    let numbers: [u64; 8] = from_fn(|i| u64::from_le_bytes(columns[i]));
    for count in 0..=9 {
        let (columns, numbers) = ([columns, &columns[..1]].concat(), [&numbers[..], &numbers[..1]].concat());
        let repeated = catch_unwind(|| stored(U8x64Vbmi::repeat(token, &columns[..count])));
        let repeated_numbers = catch_unwind(|| stored(U8x64Vbmi::repeat_numbers(token, &numbers[..count])));
        if [2, 4, 8].contains(&count) {
            let expected = from_fn(|i| a[i % (8 * count)]);
            assert_eq!([repeated.unwrap(), repeated_numbers.unwrap()], [expected; 2]);
        } else {
            assert!(repeated.is_err() && repeated_numbers.is_err(), "repeated {count} columns");
        }
    }

    let entries: [[u8; 256]; 4] = from_fn(|i| near_inversion(36, i, 101));
    let tables = entries.map(|entries| Table::new(entries, INVERSION));
    for first in 0..=255_u8 {
        let numbers: [u8; 64] = from_fn(|i| first.wrapping_add(i as u8));
        let expected = from_fn(|i| entries[i % 4][usize::from(numbers[i])]);
        assert_eq!(stored(U8x64Vbmi::load(token, &numbers).look_up_by_4(&tables)), expected);
        assert_eq!(stored(U8x32Vbmi::load(token, &numbers[..32]).look_up_by_4(&tables)), expected[..32]);
        assert_eq!(stored(U8x16Vbmi::load(token, &numbers[..16]).look_up_by_4(&tables)), expected[..16]);
        let expected = from_fn(|i| entries[i % 4][usize::from(first)]);
        assert_eq!(stored(U8x64Vbmi::load(token, &[first; 64]).look_up_by_4(&tables)), expected);
    }
}

#[test]
fn aarch64() {
    check_rows::<U8x16, 16>();
}
