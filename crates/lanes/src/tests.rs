//! Every word: each operation against plain integers, and the transposition against its definition.

use crate::*;
use core::array::from_fn;
use core::marker::PhantomData;

macro_rules! rotations {
    ($x:ident, $y:ident, $a:ident, $b:ident: $($k:literal)*) => {$(
        assert_eq!($x.rotl::<$k>().to_array(), $a.map(|a| a.rotate_left($k)));
        assert_eq!($x.rotl_aside::<$k>().to_array(), $a.map(|a| a.rotate_left($k)));
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
            assert_eq!(x.chi(y, z).to_array(), from_fn(|i| a[i] ^ (!b[i] & c[i])));
            assert_eq!(x.rax1(y).to_array(), from_fn(|i| a[i] ^ b[i].rotate_left(1)));
            rotations!(x, y, a, b: 1 2 3 6 7 8 10 12 14 15 16 18 20 21 24 25 27 28 31 $($wide)*);

            let bytes: [u8; 16 * 200] = from_fn(|i| (i * i / 7) as u8);
            let rows = from_fn(|i| &bytes[i * 200..][..25 * size_of::<$lane>()]);
            for from in [0, 3, 9] {
                for count in 0..=N {
                    let words = token.run($load::<W, N> { rows: &rows, from, count, word: PhantomData });
                    for (j, lanes) in words.iter().enumerate() {
                        for (row, lane) in rows.iter().zip(lanes) {
                            let there = &row[(from + j) * size_of::<$lane>()..][..size_of::<$lane>()];
                            assert_eq!(lane.to_le_bytes()[..], if j < count { there } else { &[0; size_of::<$lane>()] }[..]);
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

#[test]
fn scalar() {
    check_u32::<U32x1<Scalar>, 1>();
    check_u64::<U64x1<Scalar>, 1>();
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[test]
fn x86_64() {
    check_u32::<U32x1<Avx2>, 1>();
    check_u64::<U64x1<Avx2>, 1>();
    check_u32::<U32x8, 8>();
    check_u64::<U64x4, 4>();
    check_u32::<U32x4Vl, 4>();
    check_u32::<U32x8Vl, 8>();
    check_u32::<U32x16, 16>();
    check_u64::<U64x1Vl, 1>();
    check_u64::<U64x4Vl, 4>();
    check_u64::<U64x8, 8>();
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[test]
fn aarch64() {
    check_u32::<U32x4, 4>();
    check_u64::<U64x2, 2>();
    check_u64::<U64x2Sha3, 2>();
}
