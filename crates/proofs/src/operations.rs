//! The other half, continued: operations of words that move data, and those of bytes, blocks and lanes of 16 bits,
//! against their meaning, which the traits of `fairlane_lanes` define; where a word of the proofs has the operation,
//! against that.
//!
//! [`coverage`] fails if a trait gets an operation that neither this file nor `backends` knows.

use crate::lane::Plain;
use crate::proof::{Claim, Random};
use crate::word::{Word, model, plain, value};
use fairlane_lanes::*;
use std::array::from_fn;

fn name<W>() -> String {
    std::any::type_name::<W>().replace("fairlane_lanes::", "")
}

/// Lanes are what `f` makes of others. A call, of which there are many.
#[inline(never)]
#[track_caller]
fn same<T: Copy + PartialEq + std::fmt::Debug, const N: usize>(lanes: [T; N], of: &[T; N], f: &dyn Fn(T) -> T) {
    assert_eq!(lanes, of.map(f));
}

/// Blocks are products by x^k.
#[inline(never)]
#[track_caller]
fn same_products(products: &[u8], of: &[u8], k: u32) {
    for (block, factor) in products.chunks(16).zip(of.chunks(16)) {
        assert_eq!(block, mul_x(factor, k));
    }
}

/// Rotations of sums, by all amounts given.
macro_rules! rotated {
    ($word:ident $lane:ident $token:ident $a:ident $random:ident: $($k:literal)*) => {{
        let b: [$lane; N] = from_fn(|_| $random.number() as $lane);
        let sums: [$lane; N] = from_fn(|i| $a[i] ^ b[i]);
        let (x, y) = ($word::from_array($token, $a), $word::from_array($token, b));
        $(same(x.xor_rotl::<$k>(y).to_array(), &sums, &|sum| sum.rotate_left($k));)*
    }};
}

/// What words of numbers do beside arithmetic.
macro_rules! moves {
    ($check:ident, $trait:ident, $lane:ident, $bytes:literal, |$token:ident, $random:ident| $more:block) => {
        fn $check<W: $trait<N>, const N: usize>() -> Option<Claim> {
            let $token = W::Token::new()?;
            Some(Claim::of(format!("{}: loads, stores, transpositions", name::<W>()), "all places and lengths", || {
                let mut $random = Random::new();
                let mut cases = 0;
                for _ in 0..64 {
                    let a: [$lane; N] = from_fn(|_| $random.number() as $lane);
                    assert_eq!(W::from_array($token, a).to_array(), a);
                    assert_eq!(W::splat($token, a[0]).to_array(), [a[0]; N]);
                    for lanes in 0..=N {
                        let bytes: Vec<u8> = (0..$bytes * lanes).map(|_| $random.number() as u8).collect();
                        let (numbers, _) = bytes.as_chunks();
                        let numbers: Vec<_> = numbers.iter().map(|x| $lane::from_le_bytes(*x)).collect();
                        let word = W::load($token, &bytes);
                        assert_eq!(word.to_array(), from_fn(|i| numbers.get(i).copied().unwrap_or(0)));
                        let mut back = vec![0; bytes.len()];
                        word.store(&mut back);
                        assert_eq!(back, bytes);
                        cases += 1;
                    }
                    let rows: [[$lane; N]; N] = from_fn(|_| from_fn(|_| $random.number() as $lane));
                    let transposed = W::transpose(rows.map(|row| W::from_array($token, row)));
                    assert_eq!(transposed.map(W::to_array), from_fn(|i| from_fn(|j| rows[j][i])));
                    let long: [Vec<u8>; N] =
                        from_fn(|_| (0..$bytes * (N + 3)).map(|_| $random.number() as u8).collect());
                    for (from, count) in (0..4).flat_map(|from| (0..=N).map(move |count| (from, count))) {
                        let words = W::load_rows($token, &from_fn(|i| &long[i][..]), from, count);
                        let number = |i: usize, j: usize| {
                            let (numbers, _) = long[i].as_chunks();
                            if j < count { $lane::from_le_bytes(numbers[from + j]) } else { 0 }
                        };
                        assert_eq!(words.map(W::to_array), from_fn(|j| from_fn(|i| number(i, j))));
                        cases += 1;
                    }
                    rotated!(W $lane $token a $random: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
                        24 25 26 27 28 29 30 31);
                    $more
                }
                format!("{cases} loads and stores")
            }))
        }
    };
}

moves!(check_moves32, Sm3Word, u32, 4, |token, random| {
    let [a, b]: [[u32; N]; 2] = from_fn(|_| from_fn(|_| random.number() as u32));
    let (x, y) = (W::from_array(token, a), W::from_array(token, b));
    if W::FOURS {
        let rows: [[u32; N]; 4] = from_fn(|_| from_fn(|_| random.number() as u32));
        let words = W::transpose_fours(token, rows.map(|row| W::from_array(token, row)));
        assert_eq!(words.map(W::to_array), from_fn(|i| from_fn(|j| rows[j % 4][j - j % 4 + i])));
        let bytes: Vec<u8> = (0..100 * N).map(|_| random.number() as u8).collect();
        let at = |lane: usize| 7 + lane / 4 * 100 + lane % 4 * 4;
        let word = W::load_fours(token, &bytes, 7, 100);
        let number = |lane: usize| u32::from_le_bytes(*bytes[at(lane)..].first_chunk().unwrap());
        assert_eq!(word.to_array(), from_fn(number));
        let mut stored = vec![0; bytes.len()];
        word.store_fours(&mut stored, 7, 100);
        let loaded = W::load_fours(token, &stored, 7, 100);
        assert_eq!(loaded.to_array(), word.to_array());
        let sum = |bytes: &[u8]| bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>();
        assert_eq!(sum(&stored), (0..N).map(|lane| sum(&bytes[at(lane)..][..4])).sum());
    }
    let constant = x.add_constant::<0xdead_beef>(token, y);
    assert_eq!(constant.to_array(), from_fn(|i| a[i].wrapping_add(0xdead_beef).wrapping_add(b[i])));
    assert_eq!(x.numbers(), a);
    if N == 1 {
        assert_eq!(x.add_number(token, b[0]).to_array()[0], a[0].wrapping_add(b[0]));
    }
});
moves!(check_moves64, KeccakWord, u64, 8, |token, random| {
    let a: [u64; N] = from_fn(|_| random.number());
    rotated!(W u64 token a random: 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59
        60 61 62 63);
    for len in 0..=8 * N {
        let bytes: Vec<u8> = (0..len).map(|_| random.number() as u8).collect();
        let mut padded = bytes.clone();
        padded.resize(8 * N, 0);
        let word = W::load_padded(token, &bytes);
        assert_eq!(word.to_array(), from_fn(|i| u64::from_le_bytes(padded.as_chunks().0[i])));
        let mut back = vec![0; len];
        word.store_truncated(&mut back);
        assert_eq!(back, bytes);
    }
    let words: [[u64; N]; 4] = from_fn(|_| from_fn(|_| random.number()));
    let rows = W::transpose_four(words.map(|word| W::from_array(token, word)));
    for (lane, row) in rows.iter().enumerate() {
        assert_eq!(row.as_chunks().0, words.map(|word| word[lane].to_le_bytes()));
    }
});

fn check_quads<W: Quads<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of(format!("{}: rows of four = their meaning in the proofs", name::<W>()), "all places", || {
        let mut random = Random::new();
        for _ in 0..1000 {
            let rows: [[u32; N]; 4] = from_fn(|_| from_fn(|_| random.number() as u32));
            let (words, models) = (rows.map(|row| W::from_array(token, row)), rows.map(model::<32, N>));
            let value = |word: W| word.to_array().map(u128::from);
            let plain = |word: Word<Plain, 32, N>| word.0.map(Plain::value);
            assert_eq!(W::states(words).map(value), Word::states(models).map(plain));
            assert_eq!(value(words[0].rotate_lanes::<1>()), plain(models[0].rotate_lanes::<1>()));
            assert_eq!(value(words[0].rotate_lanes::<2>()), plain(models[0].rotate_lanes::<2>()));
            assert_eq!(value(words[0].rotate_lanes::<3>()), plain(models[0].rotate_lanes::<3>()));
            assert_eq!(value(words[0].slide::<1>(words[1])), plain(models[0].slide::<1>(models[1])));
            assert_eq!(value(words[0].slide::<2>(words[1])), plain(models[0].slide::<2>(models[1])));
            assert_eq!(value(words[0].slide::<3>(words[1])), plain(models[0].slide::<3>(models[1])));
            let row = from_fn(|i| rows[1][i % N]);
            assert_eq!(W::splat_row(token, row).to_array(), from_fn(|i| row[i % 4]));
        }
        "1000 cases".into()
    }))
}

fn check_pairs<W: Pairs<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of(format!("{}: pairs = their meaning in the proofs", name::<W>()), "all places", || {
        let mut random = Random::new();
        for _ in 0..1000 {
            let [a, b]: [[u64; N]; 2] = from_fn(|_| from_fn(|_| random.number()));
            let pairs = W::from_array(token, a).transpose_pairs(W::from_array(token, b));
            let models = model::<64, N>(a).transpose_pairs(model(b));
            let lanes = from_fn(|_| random.number() as usize % (2 * N));
            let chosen = W::from_array(token, a).choose(token, W::from_array(token, b), lanes);
            assert_eq!(chosen.to_array(), lanes.map(|lane| [a, b][lane / N][lane % N]));
            assert_eq!(pairs.map(|word| word.to_array().map(u128::from)), models.map(|word| word.0.map(Plain::value)));
        }
        "1000 cases".into()
    }))
}

/// The product of polynomials by x^k, modulo x^128 + x^7 + x^2 + x + 1, as XTS writes them.
fn mul_x(block: &[u8], k: u32) -> [u8; 16] {
    let mut x = u128::from_le_bytes(block.try_into().expect("16 bytes"));
    for _ in 0..k {
        x = (x << 1) ^ ((x >> 127) * 0x87);
    }
    x.to_le_bytes()
}

/// Blocks, as modes see them.
fn check_blocks<W: BlocksN<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of(format!("{}: blocks", name::<W>()), "all bytes and bits in all places, at random", || {
        let value = |word: W| {
            let mut bytes = [0; N];
            word.store(&mut bytes);
            bytes
        };
        let mut random = Random::new();
        let check = |a: [u8; N], b: [u8; N]| {
            let (x, y) = (W::load(token, &a), W::load(token, &b));
            assert_eq!(value(x), a);
            assert_eq!(value(x.xor(y)), from_fn(|i| a[i] ^ b[i]));
            assert_eq!(value(x.xor3(y, x.reverse_bits())), from_fn(|i| a[i] ^ b[i] ^ a[i].reverse_bits()));
            assert_eq!(value(x.reverse_bits()), a.map(u8::reverse_bits));
            let block = *a.first_chunk::<16>().expect("a block");
            assert_eq!(value(W::splat_block(token, block)), from_fn(|i| block[i % 16]));
            macro_rules! products {
                ($($k:literal)*) => {$( same_products(&value(x.mul_x::<$k>()), &a, $k); )*};
            }
            products!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
        };
        // A linear map: on a basis of each block.
        for bit in 0..128 {
            check(from_fn(|i| if i % 16 == bit / 8 { 1 << (bit % 8) } else { 0 }), [0; N]);
        }
        for x in 0..=255_u8 {
            check(from_fn(|i| x.wrapping_add(i as u8)), from_fn(|_| random.number() as u8));
        }
        for blocks in 0..=N / 16 {
            let bytes: Vec<u8> = (0..16 * blocks).map(|_| random.number() as u8).collect();
            let mut padded = bytes.clone();
            padded.resize(N, 0);
            assert_eq!(value(W::load(token, &bytes))[..], padded);
            let mut back = vec![0; bytes.len()];
            W::load(token, &padded).store(&mut back);
            assert_eq!(back, bytes);
        }
        for (first, from) in counters(&mut random) {
            let mut block = [0; 16];
            block[..12].fill_with(|| random.number() as u8);
            block[12..].copy_from_slice(&first.to_be_bytes());
            for (i, counter) in value(W::counters(token, block, from)).chunks(16).enumerate() {
                assert_eq!(counter[..12], block[..12]);
                assert_eq!(counter[12..], first.wrapping_add(from).wrapping_add(i as u32).to_be_bytes());
            }
        }
        "384 cases of each operation, 3000 counters".into()
    }))
}

/// Counters with carries into every byte, and at random.
fn counters(random: &mut Random) -> Vec<(u32, u32)> {
    let ends = (0..=32).flat_map(|bits| (0..20).map(move |back| ((1_u64 << bits) as u32).wrapping_sub(back)));
    let mut all: Vec<_> = ends.map(|first| (first, 0)).collect();
    all.extend((0..2340).map(|_| (random.number() as u32, random.number() as u32)));
    all
}

/// What `backends` does not check of words of bytes.
fn check_bytes<W: U8xN<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    let what = format!("{}: S-boxes, orders and counters = their meaning in the proofs", name::<W>());
    Some(Claim::of(what, "all bytes in all lanes", || {
        let mut random = Random::new();
        for x in 0..=255_u8 {
            let words: [[u8; N]; 16] = from_fn(|_| from_fn(|_| random.number() as u8));
            let a: [u8; N] = from_fn(|i| x.wrapping_add(i as u8));
            let (x, m) = (W::load(token, &a), model::<8, N>(a));
            let (y, n) = (W::load(token, &words[0]), model::<8, N>(words[0]));
            assert_eq!(value(x.broadcast_bytes::<0>()), plain(m.broadcast_bytes::<0>()));
            assert_eq!(value(x.broadcast_bytes::<1>()), plain(m.broadcast_bytes::<1>()));
            assert_eq!(value(x.broadcast_bytes::<2>()), plain(m.broadcast_bytes::<2>()));
            assert_eq!(value(x.broadcast_bytes::<3>()), plain(m.broadcast_bytes::<3>()));
            assert_eq!(value(x.rotate_bytes::<1>()), plain(m.rotate_bytes::<1>()));
            assert_eq!(value(x.rotate_bytes::<2>()), plain(m.rotate_bytes::<2>()));
            assert_eq!(value(x.rotate_bytes::<3>()), plain(m.rotate_bytes::<3>()));
            assert_eq!(x.interleave(y).map(value), m.interleave(n).map(plain));
            assert_eq!(W::transpose4([x, y, y, x]).map(value), Word::transpose4([m, n, n, m]).map(plain));
            macro_rules! matrices {
                ($($matrix:literal $constant:literal)*) => {$(
                    assert_eq!(value(x.affine::<$matrix, $constant>()), plain(m.affine::<$matrix, $constant>()));
                    let inverse = plain(m.inverse_affine::<$matrix, $constant>());
                    assert_eq!(value(x.inverse_affine::<$matrix, $constant>()), inverse);
                )*};
            }
            matrices!(0x0102_0408_1020_4080 0 0x0123_4567_89ab_cdef 0xff 0xa5c3_0f78_96e1_b42d 0x80);
            let transposed = W::transpose16(words.map(|word| W::load(token, &word))).map(value);
            let byte = |i: usize, at: usize| u128::from(words[at % 16][at / 16 * 16 + i]);
            assert_eq!(transposed, from_fn(|i| from_fn(|at| byte(i, at))));
            let number = random.number() as u32;
            assert_eq!(value(W::splat_u32(token, number)), from_fn(|i| u128::from(number.to_le_bytes()[i % 4])));
        }
        for (first, from) in counters(&mut random) {
            let first = first.wrapping_add(from);
            let number = |at: usize| first.wrapping_add((at % 16 / 4 * (N / 16) + at / 16) as u32).to_be_bytes();
            assert_eq!(value(W::counter_column(token, first)), from_fn(|at| u128::from(number(at)[at % 4])));
        }
        "256 × all lanes, 3000 counters".into()
    }))
}

/// The same eight bytes, in words for rows.
fn check_splat64<W: RowsN<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of(format!("{}: eight bytes everywhere", name::<W>()), "every byte in every place", || {
        for (place, byte) in (0..8).flat_map(|place| (0..=255_u64).map(move |byte| (place, byte))) {
            let (number, mut bytes) = (byte << (8 * place), [1; N]);
            W::splat_u64(token, number).store(&mut bytes);
            assert_eq!(bytes, from_fn(|i| number.to_le_bytes()[i % 8]));
        }
        "2048 cases".into()
    }))
}

/// Lanes of 16 bits: every number with corners and with random ones.
fn check_shorts<W: I16xN<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of(format!("{} = its meaning", name::<W>()), "all numbers × corners and random ones", || {
        let value = |word: W| {
            let mut lanes = [0; N];
            word.store(&mut lanes);
            lanes
        };
        let mut random = Random::new();
        let corners = [0, 1, -1, i16::MIN, i16::MAX, 3329, -3329, 20159, -3327, 255, 256, -256];
        let mut cases = 0;
        for first in (i16::MIN..=i16::MAX).step_by(N) {
            for k in 0..corners.len() + 20 {
                let a: [i16; N] = from_fn(|i| first.wrapping_add(i as i16));
                let b: [i16; N] = from_fn(|_| corners.get(k).copied().unwrap_or_else(|| random.number() as i16));
                let (x, y) = (W::load(token, &a), W::load(token, &b));
                let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
                assert_eq!(value(x.add(y)), from_fn(|i| a[i].wrapping_add(b[i])));
                assert_eq!(value(x.sub(y)), from_fn(|i| a[i].wrapping_sub(b[i])));
                assert_eq!(value(x.and(y)), from_fn(|i| a[i] & b[i]));
                assert_eq!(value(x.mul_low(y)), from_fn(|i| product(i) as i16));
                assert_eq!(value(x.mul_high(y)), from_fn(|i| (product(i) >> 16) as i16));
                // Sums of pairs of products, and of those again, which wrap.
                let sums = W::add_sums(x.mul_pairs(y), y.mul_pairs(y));
                let pair = |f: &dyn Fn(usize) -> i32, i: usize| f(i / 2 * 2).wrapping_add(f(i / 2 * 2 + 1));
                let squares = |i: usize| i32::from(b[i]) * i32::from(b[i]);
                let sum = |i: usize| pair(&product, i).wrapping_add(pair(&squares, i));
                let [low, high] = W::split_sums(sums, x.mul_pairs(y)).map(value);
                let number = |i: usize| if i.is_multiple_of(2) { sum(i) } else { pair(&product, i) };
                assert_eq!(low, from_fn(|i| number(i) as i16));
                assert_eq!(high, from_fn(|i| (number(i) >> 16) as i16));
                cases += N;
            }
            let a: [i16; N] = from_fn(|i| first.wrapping_add(i as i16));
            let b: [i16; N] = from_fn(|_| random.number() as i16);
            let (x, y) = (W::load(token, &a), W::load(token, &b));
            assert_eq!(value(W::splat(token, a[0])), [a[0]; N]);
            assert_eq!(value(x.swap_pairs()), from_fn(|i| a[i ^ 1]));
            macro_rules! shifts {
                ($($k:literal)*) => {$( assert_eq!(value(x.shr::<$k>()), a.map(|x| x >> $k)); )*};
            }
            shifts!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
            macro_rules! exchanges {
                ($($len:literal)*) => {$(if $len < N {
                    let halves = x.exchange::<$len>(y).map(value);
                    let lane = |half: usize, i: usize| {
                        let from = i / (2 * $len) * (2 * $len) + half * $len + i % $len;
                        if i % (2 * $len) < $len { a[from] } else { b[from] }
                    };
                    assert_eq!(halves, from_fn(|half| from_fn(|i| lane(half, i))));
                })*};
            }
            exchanges!(2 4 8 16);
        }
        format!("{cases} cases of each operation")
    }))
}

/// What polynomials do beside products.
fn check_polynomials<W: Polynomials<N>, const N: usize>() -> Option<Claim> {
    let token = W::Token::new()?;
    Some(Claim::of(format!("{}: loads, halves, sums", name::<W>()), "all bits, all places", || {
        let mut random = Random::new();
        for case in 0..1128 {
            let a: [u128; N] = from_fn(|i| if case < 128 { (1 << case) << i } else { random.bits(128) });
            let x = W::from_array(token, a);
            assert_eq!(x.to_array(), a);
            assert_eq!(W::splat(token, a[0]).to_array(), [a[0]; N]);
            assert_eq!(x.swap_halves().to_array(), a.map(|x| x.rotate_left(64)));
            assert_eq!(x.shift_left_64().to_array(), a.map(|x| x << 64));
            assert_eq!(x.shift_right_64().to_array(), a.map(|x| x >> 64));
            assert_eq!(x.sum(), a.iter().fold(0, |sum, x| sum ^ x));
            for blocks in 0..=N {
                let expected = from_fn(|i| if i < blocks { a[i] } else { 0 });
                let bytes: Vec<[u8; 16]> = a[..blocks].iter().map(|x| x.to_be_bytes()).collect();
                assert_eq!(W::load_be(token, &bytes).to_array(), expected);
                let bytes: Vec<[u8; 16]> = a[..blocks].iter().map(|x| x.to_le_bytes()).collect();
                assert_eq!(W::load_le(token, &bytes).to_array(), expected);
            }
        }
        "1128 cases".into()
    }))
}

/// Whether all 32 numbers of 12 bits are below a limit: every number at every place.
fn check_all_below<T: CoefficientCoding>() -> Option<Claim> {
    let token = T::new()?;
    Some(Claim::of(format!("{}: numbers below a limit", name::<T>()), "every number at every place", || {
        for (place, number) in (0..32).flat_map(|place| (0..4096).map(move |number| (place, number))) {
            let (mut numbers, mut bytes) = ([3328; 32], [0; 48]);
            numbers[place] = number;
            token.pack::<12>(&numbers, &mut bytes);
            assert_eq!(token.all_below(&bytes, 3329), number < 3329);
        }
        "131072 cases".into()
    }))
}

/// Every operation of every trait of words occurs in the checks.
fn coverage() -> Claim {
    const TRAITS: [(&str, &str); 6] = [
        ("words", include_str!("../../lanes/src/words.rs")),
        ("bytes", include_str!("../../lanes/src/bytes/mod.rs")),
        ("rows", include_str!("../../lanes/src/bytes/rows.rs")),
        ("polynomials", include_str!("../../lanes/src/polynomials/mod.rs")),
        ("shorts", include_str!("../../lanes/src/shorts/mod.rs")),
        ("coding", include_str!("../../lanes/src/shorts/bits.rs")),
    ];
    const CHECKS: [&str; 3] = [include_str!("backends.rs"), include_str!("operations.rs"), include_str!("lattice.rs")];
    // `split_halves` and `join_halves` are steps of `rows_from_columns` and `columns_from_rows`.
    const STEPS: [&str; 2] = ["split_halves", "join_halves"];
    Claim::of("every operation of the traits of words is checked", "their source is read", || {
        let mut count = 0;
        for (file, source) in TRAITS {
            // Trait methods are indented by four spaces, or by twelve in the macro for words, or eight.
            let lines = source.lines().filter(|line| line.starts_with("    "));
            for line in lines.filter_map(|line| line.trim_start().strip_prefix("fn ")) {
                let operation: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let is_used = |checks: &&str| {
                    [".", "::"].iter().any(|door| {
                        checks.contains(&format!("{door}{operation}("))
                            || checks.contains(&format!("{door}{operation}::<"))
                    })
                };
                let listed = CHECKS.iter().any(|checks| checks.contains(&format!(", {operation}: ")));
                assert!(
                    CHECKS.iter().any(is_used) || listed || STEPS.contains(&&*operation),
                    "{file}: {operation} is not checked"
                );
                count += 1;
            }
        }
        format!("{count} operations")
    })
}

/// Checks every word that this machine has.
pub(crate) fn claims() -> Vec<Option<Claim>> {
    vec![
        Some(coverage()),
        check_moves32::<U32x1<Scalar>, 1>(),
        check_moves32::<U32x1Bmi2<Avx2>, 1>(),
        check_moves32::<U32x8, 8>(),
        check_moves32::<U32x4Vl, 4>(),
        check_moves32::<U32x8Vl, 8>(),
        check_moves32::<U32x16, 16>(),
        check_moves32::<U32x4, 4>(),
        check_moves64::<U64x1<Scalar>, 1>(),
        check_moves64::<U64x1<Avx2>, 1>(),
        check_moves64::<U64x1Vl, 1>(),
        check_moves64::<U64x1Zen, 1>(),
        check_moves64::<U64x4, 4>(),
        check_moves64::<U64x4Vl, 4>(),
        check_moves64::<U64x4Zen, 4>(),
        check_moves64::<U64x8, 8>(),
        check_moves64::<U64x8Zen, 8>(),
        check_moves64::<U64x2, 2>(),
        check_moves64::<U64x2Sha3, 2>(),
        check_quads::<U32x8, 8>(),
        check_quads::<U32x4Vl, 4>(),
        check_quads::<U32x8Vl, 8>(),
        check_quads::<U32x16, 16>(),
        check_quads::<U32x4, 4>(),
        check_pairs::<U64x4, 4>(),
        check_pairs::<U64x8, 8>(),
        check_pairs::<U64x8Ifma, 8>(),
        check_pairs::<U64x2, 2>(),
        check_blocks::<U8x16Scalar, 16>(),
        check_blocks::<U8x16Aes, 16>(),
        check_blocks::<U8x16Gfni, 16>(),
        check_blocks::<U8x16Vl, 16>(),
        check_blocks::<U8x32Aes, 32>(),
        check_blocks::<U8x32Gfni, 32>(),
        check_blocks::<U8x64, 64>(),
        check_blocks::<U8x64Vbmi, 64>(),
        check_blocks::<U8x16, 16>(),
        check_bytes::<U8x16Aes, 16>(),
        check_bytes::<U8x16Gfni, 16>(),
        check_bytes::<U8x16Vl, 16>(),
        check_bytes::<U8x32Aes, 32>(),
        check_bytes::<U8x32Gfni, 32>(),
        check_bytes::<U8x64, 64>(),
        check_bytes::<U8x64Vbmi, 64>(),
        check_bytes::<U8x16, 16>(),
        check_splat64::<U8x32Aes, 32>(),
        check_splat64::<U8x32Gfni, 32>(),
        check_splat64::<U8x64Vbmi, 64>(),
        check_splat64::<U8x16, 16>(),
        check_shorts::<I16x2<Scalar>, 2>(),
        check_shorts::<I16x16, 16>(),
        check_shorts::<I16x32, 32>(),
        check_polynomials::<P128x1, 1>(),
        check_polynomials::<P128x1Clmul, 1>(),
        check_polynomials::<P128x2, 2>(),
        check_polynomials::<P128x4, 4>(),
        check_polynomials::<P128x1Pmull, 1>(),
        check_all_below::<Scalar>(),
        check_all_below::<Avx2>(),
        check_all_below::<Avx512Vbmi>(),
    ]
}
