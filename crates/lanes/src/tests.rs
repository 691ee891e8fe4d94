//! Every word: each operation against plain integers, and the transposition against its definition.

use crate::*;
use core::array::from_fn;
use core::marker::PhantomData;

macro_rules! rotations {
    ($x:ident, $y:ident, $a:ident, $b:ident: $($k:literal)*) => {$(
        assert_eq!($x.rotl::<$k>().to_array(), $a.map(|a| a.rotate_left($k)));
        assert_eq!($x.xor_rotl::<$k>($y).to_array(), from_fn(|i| ($a[i] ^ $b[i]).rotate_left($k)));
    )*};
}

macro_rules! checks {
    ($check:ident, $trait:ident, $lane:ident, $load:ident, $($wide:literal)*) => {
        fn $check<W: $trait<N>, const N: usize>() {
            let Some(token) = W::Token::new() else {
                return eprintln!("skipped {}: this CPU lacks its features", core::any::type_name::<W>());
            };
            // Numbers with no pattern (splitmix64).
            let numbers = |seed: u64| -> [$lane; N] {
                from_fn(|i| {
                    let z = (seed + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    (z ^ (z >> 27)) as $lane
                })
            };
            let (a, b, c) = (numbers(1), numbers(100), numbers(200));
            let [x, y, z] = [a, b, c].map(|lanes| W::from_array(token, lanes));
            assert_eq!(x.to_array(), a);
            assert_eq!(W::splat(token, a[0]).to_array(), [a[0]; N]);
            assert_eq!(x.xor(y).to_array(), from_fn(|i| a[i] ^ b[i]));
            assert_eq!(x.and(y).to_array(), from_fn(|i| a[i] & b[i]));
            assert_eq!(x.not().to_array(), from_fn(|i| !a[i]));
            assert_eq!(x.or(y).to_array(), from_fn(|i| a[i] | b[i]));
            assert_eq!(x.add(y).to_array(), from_fn(|i| a[i].wrapping_add(b[i])));
            assert_eq!(x.sub(y).to_array(), from_fn(|i| a[i].wrapping_sub(b[i])));
            assert_eq!(x.xor3(y, z).to_array(), from_fn(|i| a[i] ^ b[i] ^ c[i]));
            rotations!(x, y, a, b: 1 2 3 6 7 8 10 12 14 15 16 18 20 21 24 25 27 28 31 $($wide)*);

            let square: [[$lane; N]; N] = from_fn(|j| numbers(1000 * j as u64));
            let turned = W::transpose(square.map(|lanes| W::from_array(token, lanes)));
            assert_eq!(turned.map(W::to_array), from_fn::<[$lane; N], N, _>(|i| from_fn(|j| square[j][i])));

            let memory: Vec<u8> = a.iter().flat_map(|lane| lane.to_le_bytes()).collect();
            for count in 0..=N {
                let bytes = &memory[..count * size_of::<$lane>()];
                assert_eq!(W::load(token, bytes).to_array(), from_fn(|i| if i < count { a[i] } else { 0 }));
                let mut room = [0xa5; 80];
                x.store(&mut room[8..][..bytes.len()]);
                assert_eq!(&room[8..][..bytes.len()], bytes);
                assert!(room[..8].iter().chain(&room[8 + bytes.len()..]).all(|byte| *byte == 0xa5));
            }

            let bytes: [u8; 16 * 200] = from_fn(|i| (i * i / 7) as u8);
            let rows = from_fn(|i| &bytes[i * 200..][..25 * size_of::<$lane>()]);
            for from in [0, 3, 9] {
                for count in 0..=N {
                    let words = token.run($load::<W, N> { rows: &rows, from, count, word: PhantomData });
                    for (j, lanes) in words.iter().enumerate() {
                        for (row, lane) in rows.iter().zip(lanes) {
                            let there = &row[(from + j) * size_of::<$lane>()..][..size_of::<$lane>()];
                            let zero = [0; size_of::<$lane>()];
                            assert_eq!(lane.to_le_bytes()[..], if j < count { there } else { &zero }[..]);
                        }
                    }
                }
            }
        }

        struct $load<'a, W, const N: usize> {
            rows: &'a [&'a [u8]; N],
            from: usize,
            count: usize,
            word: PhantomData<W>,
        }

        impl<W: $trait<N>, const N: usize> Kernel<W::Token> for $load<'_, W, N> {
            type Output = [[$lane; N]; N];
            #[inline(always)]
            fn call(self, token: W::Token) -> Self::Output {
                W::load_rows(token, self.rows, self.from, self.count).map(W::to_array)
            }
        }
    };
}

checks!(check_u32, U32xN, u32, LoadU32,);
checks!(check_u64, U64xN, u64, LoadU64, 32 36 39 40 41 43 44 45 48 55 56 61 62 63);

/// What only words of 64-bit lanes do.
fn check_arithmetic<W: U64xN<N>, const N: usize>() {
    let Some(token) = W::Token::new() else { return };
    let a: [u64; N] = from_fn(|i| 0xffff_ffff_0123_4567_u64.rotate_left(7 * i as u32));
    let b: [u64; N] = from_fn(|i| 0x89ab_cdef_ffff_fffe_u64.rotate_left(9 * i as u32));
    let (x, y) = (W::from_array(token, a), W::from_array(token, b));
    assert_eq!(x.mul_u32(y).to_array(), from_fn(|i| (a[i] & 0xffff_ffff) * (b[i] & 0xffff_ffff)));
    assert_eq!((x.shl::<1>().to_array(), x.shr::<1>().to_array()), (a.map(|a| a << 1), a.map(|a| a >> 1)));
    assert_eq!((x.shl::<63>().to_array(), x.shr::<63>().to_array()), (a.map(|a| a << 63), a.map(|a| a >> 63)));
}

/// What only words of 32-bit lanes do, and what SM3 needs of them.
fn check_sm3<W: Sm3Word<N>, const N: usize>() {
    let Some(token) = W::Token::new() else { return };
    let [a, b, c, d] = [1, 2, 3, 4].map(|k: u32| -> [u32; N] {
        from_fn(|i| (0x0123_4567 * k).rotate_left(5 * i as u32) ^ (0x9e37_79b9_u32.wrapping_mul(k * k)))
    });
    let [x, y, z, sum] = [a, b, c, d].map(|lanes| W::from_array(token, lanes));
    let select: [u32; N] = from_fn(|i| (a[i] & b[i]) | (!a[i] & c[i]));
    let majority: [u32; N] = from_fn(|i| (a[i] & b[i]) | (a[i] & c[i]) | (b[i] & c[i]));
    assert_eq!(x.swap_bytes().to_array(), a.map(u32::swap_bytes));
    if N.is_multiple_of(4) {
        let rows = [a, b, c, d];
        let transposed = W::transpose_fours(token, rows.map(|lanes| W::from_array(token, lanes)));
        let expected = from_fn(|i| from_fn(|lane| rows[lane % 4][lane - lane % 4 + i]));
        assert_eq!(transposed.map(W::to_array), expected);
        let bytes: [u8; 400] = from_fn(|i| i as u8);
        let word = W::load_fours(token, &bytes, 3, 90);
        let at = |lane: usize| 3 + lane / 4 * 90 + lane % 4 * 4;
        assert_eq!(word.to_array(), from_fn(|lane| u32::from_le_bytes(*bytes[at(lane)..].first_chunk().unwrap())));
        let mut stored = [0; 400];
        word.store_fours(&mut stored, 3, 90);
        let is_stored = |i: usize| (0..N).any(|lane| (at(lane)..at(lane) + 4).contains(&i));
        assert_eq!(stored, from_fn(|i| if is_stored(i) { bytes[i] } else { 0 }));
    }
    assert_eq!(x.select(y, z).to_array(), select);
    assert_eq!(x.majority(y, z).to_array(), majority);
    assert_eq!(x.select_in_parts([x.xor(sum), sum], y, z).to_array(), select);
    assert_eq!(sum.add_majority(x, y, z).to_array(), from_fn(|i| d[i].wrapping_add(majority[i])));
    assert_eq!(
        sum.add_constant::<0xfedc_ba98>(token, x).to_array(),
        from_fn(|i| d[i].wrapping_add(0xfedc_ba98).wrapping_add(a[i]))
    );
    assert_eq!(x.xor_rotated::<9, 17>().to_array(), a.map(|a| a ^ a.rotate_left(9) ^ a.rotate_left(17)));
    let (whole, [first, second]) = x.xor_rotated_and_parts::<9, 17>();
    assert_eq!(whole.to_array(), x.xor_rotated::<9, 17>().to_array());
    assert_eq!(first.xor(second).to_array(), whole.to_array());
    assert_eq!(x.xor_rotated::<3, 10>().to_array(), a.map(|a| a ^ a.rotate_left(3) ^ a.rotate_left(10)));
}

/// What Keccak needs.
fn check_keccak<W: KeccakWord<N>, const N: usize>() {
    let Some(token) = W::Token::new() else { return };
    let [a, b, c] = [1, 2, 3].map(|k: u64| -> [u64; N] {
        from_fn(|i| {
            (0x0123_4567_89ab_cdef * k).rotate_left(5 * i as u32) ^ 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(k * k)
        })
    });
    let [x, y, z] = [a, b, c].map(|lanes| W::from_array(token, lanes));
    assert_eq!(x.chi(y, z).to_array(), from_fn(|i| a[i] ^ (!b[i] & c[i])));
    assert_eq!(x.rax1(y).to_array(), from_fn(|i| a[i] ^ b[i].rotate_left(1)));
    macro_rules! rotations {
        ($($k:literal)*) => {
            $(assert_eq!(x.rotl_off_vector_ports::<$k>().to_array(), a.map(|a| a.rotate_left($k)));)*
        };
    }
    rotations!(1 2 3 6 8 10 14 15 18 20 21 25 27 28 32 36 39 41 43 44 45 55 56 61 62 63);
}

/// What only words of pairs do.
fn check_pairs<W: Pairs<N>, const N: usize>() {
    let Some(token) = W::Token::new() else { return };
    let lanes = [from_fn::<u64, N, _>(|i| 100 + i as u64), from_fn(|i| 200 + i as u64)];
    let [x, y] = lanes.map(|lanes| W::from_array(token, lanes));
    let unpaired = x.transpose_pairs(y).map(W::to_array);
    assert_eq!(unpaired, from_fn(|half| from_fn(|i| lanes[i % 2][i / 2 * 2 + half])));
}

/// What only words with products of 52 bits do.
fn check_products52<W: Products52<N>, const N: usize>() {
    let Some(token) = W::Token::new() else { return };
    const LOW_52: u64 = (1 << 52) - 1;
    for (mut a, b, sum) in [(LOW_52, LOW_52, u64::MAX), (u64::MAX, u64::MAX - 1, 7), (1, LOW_52, 0), (0, 9, 5)] {
        a ^= 0x0123_4567_89ab_cdef;
        let [a, b]: [[u64; N]; 2] = [a, b].map(|x| from_fn(|i| x.rotate_left(7 * i as u32)));
        let product = |i: usize| u128::from(a[i] & LOW_52) * u128::from(b[i] & LOW_52);
        let [x, y] = [a, b].map(|lanes| W::from_array(token, lanes));
        let low = W::splat(token, sum).add_low52(x, y);
        let high = W::splat(token, sum).add_high52(x, y);
        assert_eq!(low.to_array(), from_fn(|i| sum.wrapping_add(product(i) as u64 & LOW_52)));
        assert_eq!(high.to_array(), from_fn(|i| sum.wrapping_add((product(i) >> 52) as u64)));
    }
}

/// What only words of rows do.
fn check_quads<W: Quads<N>, const N: usize>() {
    let Some(token) = W::Token::new() else { return };
    assert_eq!(W::splat_row(token, [7, 8, 9, 10]).to_array(), from_fn(|i| 7 + (i % 4) as u32));
    let a: [u32; N] = from_fn(|i| 100 + i as u32);
    let x = W::from_array(token, a);
    assert_eq!(x.rotate_lanes::<1>().to_array(), from_fn(|i| a[i / 4 * 4 + (i + 1) % 4]));
    assert_eq!(x.rotate_lanes::<2>().to_array(), from_fn(|i| a[i / 4 * 4 + (i + 2) % 4]));
    assert_eq!(x.rotate_lanes::<3>().to_array(), from_fn(|i| a[i / 4 * 4 + (i + 3) % 4]));
    let b = a.map(|lane| lane + 1000);
    let y = W::from_array(token, b);
    let slid = |k: usize| from_fn(|i| if i % 4 + k < 4 { a[i + k] } else { b[i + k - 4] });
    assert_eq!(x.slide::<1>(y).to_array(), slid(1));
    assert_eq!(x.slide::<2>(y).to_array(), slid(2));
    assert_eq!(x.slide::<3>(y).to_array(), slid(3));

    // Number 100 s + 4 r + i at column i of row r of state s.
    let rows = from_fn(|r| W::from_array(token, from_fn(|i| (100 * (i / 4) + 4 * r + i % 4) as u32)));
    let states = W::states(rows).map(W::to_array);
    for (at, lane) in states.as_flattened().iter().enumerate() {
        assert_eq!(*lane as usize, 100 * (at / 16) + at % 16);
    }
}

/// Words of polynomials.
fn check_polynomials<W: Polynomials<N>, const N: usize>() {
    let Some(token) = W::Token::new() else {
        return eprintln!("skipped {}: this CPU lacks its features", core::any::type_name::<W>());
    };
    // The product of halves, as it is done by hand.
    let multiply =
        |a: u64, b: u64| (0..64).filter(|i| a >> i & 1 == 1).fold(0, |product, i| product ^ (u128::from(b) << i));
    let dense = [u128::MAX; N];
    let mixed: [u128; N] =
        from_fn(|i| (0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128 * (7 + i as u128)).rotate_left(9 * i as u32));
    let sparse = from_fn(|i| 1 | 1 << (127 - 3 * i) | 1 << (63 - i) | 1 << 64);
    for a in [dense, mixed, sparse] {
        for b in [dense, mixed, sparse] {
            let (x, y) = (W::from_array(token, a), W::from_array(token, b));
            let expected = from_fn(|i| multiply(a[i] as u64, b[i] as u64));
            assert_eq!(x.mul_low(y).to_array(), expected);
            assert_eq!(x.swap_halves().mul_high(y.swap_halves()).to_array(), expected);
            assert_eq!(x.xor(y).to_array(), from_fn(|i| a[i] ^ b[i]));
            assert_eq!(x.xor3(y, W::splat(token, mixed[0])).to_array(), from_fn(|i| a[i] ^ b[i] ^ mixed[0]));
        }
        let x = W::from_array(token, a);
        assert_eq!(x.to_array(), a);
        assert_eq!(x.swap_halves().to_array(), a.map(|a| a.rotate_left(64)));
        assert_eq!(x.shift_left_64().to_array(), a.map(|a| a << 64));
        assert_eq!(x.shift_right_64().to_array(), a.map(|a| a >> 64));
        assert_eq!(x.sum(), a.iter().fold(0, |sum, a| sum ^ a));
        for count in 0..=N {
            let blocks = a.map(u128::to_be_bytes);
            let loaded = W::load_be(token, &blocks[..count]).to_array();
            assert_eq!(loaded, from_fn(|i| if i < count { a[i] } else { 0 }));
            let blocks = a.map(u128::to_le_bytes);
            let loaded = W::load_le(token, &blocks[..count]).to_array();
            assert_eq!(loaded, from_fn(|i| if i < count { a[i] } else { 0 }));
        }
    }
}

#[test]
fn scalar() {
    check_u32::<U32x1<Scalar>, 1>();
    check_sm3::<U32x1<Scalar>, 1>();
    check_u64::<U64x1<Scalar>, 1>();
    check_keccak::<U64x1<Scalar>, 1>();
    check_arithmetic::<U64x1<Scalar>, 1>();
    check_polynomials::<P128x1, 1>();
}

#[test]
fn x86_64() {
    check_u32::<U32x1<Avx2>, 1>();
    check_sm3::<U32x1<Avx2>, 1>();
    check_u32::<U32x1Bmi2<Avx2>, 1>();
    check_sm3::<U32x1Bmi2<Avx2>, 1>();
    check_sm3::<U32x1Bmi2<Avx512>, 1>();
    check_u64::<U64x1<Avx2>, 1>();
    check_keccak::<U64x1<Avx2>, 1>();
    check_u32::<U32x8, 8>();
    check_sm3::<U32x8, 8>();
    check_u64::<U64x4, 4>();
    check_keccak::<U64x4, 4>();
    check_u32::<U32x4Vl, 4>();
    check_sm3::<U32x4Vl, 4>();
    check_u32::<U32x8Vl, 8>();
    check_sm3::<U32x8Vl, 8>();
    check_u32::<U32x16, 16>();
    check_sm3::<U32x16, 16>();
    check_u64::<U64x1Vl, 1>();
    check_keccak::<U64x1Vl, 1>();
    check_u64::<U64x1Zen, 1>();
    check_keccak::<U64x1Zen, 1>();
    check_u64::<U64x4Vl, 4>();
    check_keccak::<U64x4Vl, 4>();
    check_u64::<U64x4Zen, 4>();
    check_keccak::<U64x4Zen, 4>();
    check_u64::<U64x8, 8>();
    check_keccak::<U64x8, 8>();
    check_u64::<U64x8Zen, 8>();
    check_keccak::<U64x8Zen, 8>();
    check_arithmetic::<U64x4, 4>();
    check_arithmetic::<U64x1Vl, 1>();
    check_arithmetic::<U64x4Vl, 4>();
    check_arithmetic::<U64x8, 8>();
    check_pairs::<U64x4, 4>();
    check_pairs::<U64x8, 8>();
    check_u64::<U64x8Ifma, 8>();
    check_arithmetic::<U64x8Ifma, 8>();
    check_pairs::<U64x8Ifma, 8>();
    check_products52::<U64x8Ifma, 8>();
    check_quads::<U32x8, 8>();
    check_quads::<U32x4Vl, 4>();
    check_quads::<U32x8Vl, 8>();
    check_quads::<U32x16, 16>();
    check_polynomials::<P128x1Clmul, 1>();
    check_polynomials::<P128x2, 2>();
    check_polynomials::<P128x4, 4>();
}

#[test]
fn aarch64() {
    check_u32::<U32x4, 4>();
    check_sm3::<U32x4, 4>();
    check_u64::<U64x2, 2>();
    check_keccak::<U64x2, 2>();
    check_u64::<U64x2Sha3, 2>();
    check_keccak::<U64x2Sha3, 2>();
    check_arithmetic::<U64x2, 2>();
    check_arithmetic::<U64x2Sha3, 2>();
    check_pairs::<U64x2, 2>();
    check_quads::<U32x4, 4>();
    check_polynomials::<P128x1Pmull, 1>();
}
