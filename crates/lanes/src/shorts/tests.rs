//! Every word: each operation against plain integers.

use super::*;
use crate::*;
use core::array::from_fn;

fn check<W: I16xN<N>, const N: usize>() {
    let Some(token) = W::Token::new() else {
        return eprintln!("skipped {}: this CPU lacks its features", core::any::type_name::<W>());
    };
    let value = |x: W| {
        let mut lanes = [0; N];
        x.store(&mut lanes);
        lanes
    };
    for seed in 0..1000 {
        // Numbers with no pattern, the extremes among them.
        let number = |i: usize| match (seed + i) % 7 {
            0 => i16::MIN,
            1 => i16::MAX,
            _ => ((seed * 64 + i) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20) as i16,
        };
        let (a, b): ([i16; N], [i16; N]) = (from_fn(number), from_fn(|i| number(7 * i + 300)));
        let (x, y) = (W::load(token, &a), W::load(token, &b));
        assert_eq!(value(x), a);
        assert_eq!(value(W::splat(token, b[0])), [b[0]; N]);
        assert_eq!(value(x.add(y)), from_fn(|i| a[i].wrapping_add(b[i])));
        assert_eq!(value(x.sub(y)), from_fn(|i| a[i].wrapping_sub(b[i])));
        assert_eq!(value(x.and(y)), from_fn(|i| a[i] & b[i]));
        assert_eq!(value(x.shr::<5>()), a.map(|a| a >> 5));
        assert_eq!(value(x.mul_low(y)), from_fn(|i| a[i].wrapping_mul(b[i])));
        assert_eq!(value(x.mul_high(y)), from_fn(|i| ((i32::from(a[i]) * i32::from(b[i])) >> 16) as i16));
        assert_eq!(value(x.swap_pairs()), from_fn(|i| a[i ^ 1]));
        let sum = |a: &[i16; N], b: &[i16; N], i: usize| {
            let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
            product(i & !1).wrapping_add(product(i | 1))
        };
        let twice = from_fn::<_, N, _>(|i| if i % 2 == 0 { sum(&a, &b, i).wrapping_mul(2) } else { sum(&b, &b, i) });
        let first = W::add_sums(x.mul_pairs(y), x.mul_pairs(y));
        let [low, high] = W::split_sums(first, y.mul_pairs(y));
        assert_eq!(value(low), twice.map(|sum| sum as i16));
        assert_eq!(value(high), twice.map(|sum| (sum >> 16) as i16));
        exchanges!(W, x, y, a, b, value: 2 4 8 16);
    }
}

macro_rules! exchanges {
    ($word:ident, $x:ident, $y:ident, $a:ident, $b:ident, $value:ident: $($len:literal)*) => {$(
        if $len < N {
            let half = |second: usize| from_fn(|i| {
                let (group, place) = (i / (2 * $len) * (2 * $len), i % (2 * $len));
                if place < $len { $a[group + second + place] } else { $b[group + second + place - $len] }
            });
            let [first, second] = $x.exchange::<$len>($y);
            assert_eq!([$value(first), $value(second)], [half(0), half($len)]);
            assert_eq!(first.exchange::<$len>(second).map($value), [$a, $b]);
        }
    )*};
}
use exchanges;

/// Bytes without pattern, and bytes that are all alike, against plain integers.
fn check_bits<T: CoefficientCoding>() {
    let Some(token) = T::new() else {
        return eprintln!("skipped {}: this CPU lacks its features", core::any::type_name::<T>());
    };
    for seed in 0..2000_u64 {
        let byte = |i: usize| match seed {
            0..256 => seed as u8,
            _ => ((seed << 8 | i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8,
        };
        let [mut numbers, mut expected] = [[-1; 32]; 2];
        let bytes = from_fn(byte);
        let room = if seed % 3 == 0 { 32 } else { seed as usize % 32 };
        let kept = token.rejection_sample(&bytes, 3329, &mut numbers[..room]);
        assert_eq!(kept, Scalar::PROOF.rejection_sample(&bytes, 3329, &mut expected[..room]));
        assert_eq!(numbers[..kept], expected[..kept]);
        assert!(numbers[room..].iter().all(|number| *number == -1), "nothing is written where no room is");
        for limit in [3329, 4095, 4096_u16] {
            let plain = Scalar::PROOF.all_below(&bytes, limit as i16);
            assert_eq!(token.all_below(&bytes, limit as i16), plain);
        }
        let bytes = from_fn(byte);
        token.centered_binomial_2(&bytes, &mut numbers);
        Scalar::PROOF.centered_binomial_2(&bytes, &mut expected);
        assert_eq!(numbers, expected);
        let bytes = from_fn(byte);
        token.centered_binomial_3(&bytes, &mut numbers);
        Scalar::PROOF.centered_binomial_3(&bytes, &mut expected);
        assert_eq!(numbers, expected);
    }
}

/// Numbers of every count of bits, back and forth.
fn check_packing<T: CoefficientCoding, const BITS: usize>() {
    let Some(token) = T::new() else { return };
    for seed in 0..500_u64 {
        let mix = |i| match seed {
            0 => -1,
            _ => ((seed << 8 | i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i16,
        };
        let numbers: [i16; 32] = from_fn(|i| mix(i) & ((1 << BITS) - 1));
        let mut bytes = [0x55; 48];
        token.pack::<BITS>(&numbers, &mut bytes[..4 * BITS]);
        for (i, number) in numbers.iter().enumerate() {
            let bit = |at: usize| i16::from(bytes[at / 8] >> (at % 8) & 1);
            assert_eq!(*number, (0..BITS).map(|j| bit(BITS * i + j) << j).sum::<i16>(), "{BITS} bits");
        }
        assert!(bytes[4 * BITS..].iter().all(|byte| *byte == 0x55));
        let mut back = [-1; 32];
        token.unpack::<BITS>(&bytes[..4 * BITS], &mut back);
        assert_eq!(back, numbers, "{BITS} bits");
    }
}

macro_rules! check_packings {
    ($token:ty: $($bits:literal)*) => {$( check_packing::<$token, $bits>(); )*};
}

#[test]
fn packing() {
    check_packings!(Scalar: 1 2 3 4 5 6 7 8 9 10 11 12);
    check_packings!(Avx512Vbmi: 1 2 3 4 5 6 7 8 9 10 11 12);
}

#[test]
fn plain_bits() {
    let bytes = from_fn(|i| if i < 3 { [0x00, 0x1d, 0xd0][i] } else { 0xff });
    let mut numbers = [0; 32];
    // 3328 is kept, 3329 is not.
    assert_eq!(Scalar::PROOF.rejection_sample(&bytes, 3329, &mut numbers), 1);
    assert_eq!(numbers[0], 0xd00);
    let mut bytes = [0; 16];
    (bytes[0], bytes[1]) = (0b1100_0011, 0b0111_1111);
    Scalar::PROOF.centered_binomial_2(&bytes, &mut numbers);
    assert_eq!(numbers[..5], [2, -2, 0, 1, 0]);
    let mut bytes = [0; 24];
    (bytes[0], bytes[1], bytes[2]) = (0b0100_0111, 0b1111_1110, 0b0011_1111);
    Scalar::PROOF.centered_binomial_3(&bytes, &mut numbers);
    assert_eq!(numbers[..5], [3, -2, 0, 2, 0]);
}

#[test]
fn two_lanes() {
    check::<I16x2<Scalar>, 2>();
}

#[test]
fn lanes_of_x86() {
    check::<I16x16, 16>();
    check::<I16x32, 32>();
    check_bits::<Avx2>();
    check_bits::<Avx512Vbmi>();
}
