//! Every word: each operation against plain integers.

use super::*;
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
        exchanges!(W, x, y, a, b, value: 1 2 4 8 16);
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

#[test]
fn one_lane() {
    check::<I16x1<crate::Scalar>, 1>();
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[test]
fn lanes_of_x86() {
    check::<I16x16, 16>();
    check::<I16x32, 32>();
}
