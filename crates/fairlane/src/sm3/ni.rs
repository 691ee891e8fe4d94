//! The compression function with the SM3 instructions of x86-64. No machine at hand has them: the tests run this code
//! with a model of them.

use super::compression::State;
use crate::block_hash::BLOCK;
use core::marker::PhantomData;
use fairlane_lanes::{Kernel, Sm3Rounds};

/// Absorbs the blocks of one message.
pub(super) struct Instructions<'a, X> {
    state: &'a mut State<u32>,
    blocks: &'a [[u8; BLOCK]],
    register: PhantomData<X>,
}

impl<'a, X> Instructions<'a, X> {
    pub(super) fn new(state: &'a mut State<u32>, blocks: &'a [[u8; BLOCK]]) -> Self {
        Self { state, blocks, register: PhantomData }
    }
}

impl<X: Sm3Rounds> Kernel<X::Token> for Instructions<'_, X> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: X::Token) {
        for block in self.blocks {
            compress::<X>(token, self.state, block);
        }
    }
}

#[inline(always)]
fn compress<X: Sm3Rounds>(token: X::Token, state: &mut State<u32>, block: &[u8; BLOCK]) {
    let [a, b, c, d, e, f, g, h] = *state;
    // The instructions take C, D, G and H before their rotations, as they were when they were A, B, E and F.
    let mut abef = X::new(token, [f, e, b, a]);
    let mut cdgh = X::new(token, [h.rotate_right(19), g.rotate_right(19), d.rotate_right(9), c.rotate_right(9)]);
    let (numbers, _) = block.as_chunks();
    let mut w = [0; 16];
    for i in 0..16 {
        w[i] = u32::from_be_bytes(numbers[i]);
    }
    let mut w0 = X::new(token, [w[0], w[1], w[2], w[3]]);
    let mut w1 = X::new(token, [w[4], w[5], w[6], w[7]]);
    let mut w2 = X::new(token, [w[8], w[9], w[10], w[11]]);
    let mut w3 = X::new(token, [w[12], w[13], w[14], w[15]]);
    // Four rounds from `j` on, with the words from W[j] on in fours; the first four of them become W[j + 16] to W[j +
    // 19].
    macro_rules! four_rounds {
        ($j:literal, $now:ident $next:ident $($third:ident $last:ident)?) => {
            let [low, high] = $now.halves($next);
            cdgh = cdgh.rounds::<$j>(abef, low);
            abef = abef.rounds::<{ $j + 2 }>(cdgh, high);
            $(
                let begun = $next.after::<3>($third).message1($last.after::<1>($last), $now);
                $now = begun.message2($now.after::<3>($next), $third.after::<2>($last));
            )?
        };
    }
    four_rounds!(0, w0 w1 w2 w3);
    four_rounds!(4, w1 w2 w3 w0);
    four_rounds!(8, w2 w3 w0 w1);
    four_rounds!(12, w3 w0 w1 w2);
    four_rounds!(16, w0 w1 w2 w3);
    four_rounds!(20, w1 w2 w3 w0);
    four_rounds!(24, w2 w3 w0 w1);
    four_rounds!(28, w3 w0 w1 w2);
    four_rounds!(32, w0 w1 w2 w3);
    four_rounds!(36, w1 w2 w3 w0);
    four_rounds!(40, w2 w3 w0 w1);
    four_rounds!(44, w3 w0 w1 w2);
    four_rounds!(48, w0 w1 w2 w3);
    four_rounds!(52, w1 w2);
    four_rounds!(56, w2 w3);
    four_rounds!(60, w3 w0);
    let [f, e, b, a] = abef.to_array();
    let [h, g, d, c] = cdgh.to_array();
    let last = [a, b, c.rotate_left(9), d.rotate_left(9), e, f, g.rotate_left(19), h.rotate_left(19)];
    for i in 0..8 {
        state[i] ^= last[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm3::compression::INITIAL;
    use fairlane_lanes::{Scalar, Token};

    /// The instructions as Intel's manual describes them ("Intel 64 and IA-32 Architectures Software Developer's
    /// Manual", volume 2, `VSM3MSG1`, `VSM3MSG2` and `VSM3RNDS2`).
    #[derive(Clone, Copy)]
    struct Described([u32; 4]);

    impl Sm3Rounds for Described {
        type Token = Scalar;

        fn new(_: Scalar, lanes: [u32; 4]) -> Self {
            Self(lanes)
        }
        fn to_array(self) -> [u32; 4] {
            self.0
        }
        fn after<const K: usize>(self, next: Self) -> Self {
            Self(core::array::from_fn(|i| if i + K < 4 { self.0[i + K] } else { next.0[i + K - 4] }))
        }
        fn halves(self, b: Self) -> [Self; 2] {
            let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, b.0);
            [Self([a0, a1, b0, b1]), Self([a2, a3, b2, b3])]
        }
        fn message1(self, b: Self, c: Self) -> Self {
            let ([w7, w8, w9, w10], [w13, w14, w15, _], [w0, w1, w2, w3]) = (self.0, b.0, c.0);
            let sums =
                [w7 ^ w0 ^ w13.rotate_left(15), w8 ^ w1 ^ w14.rotate_left(15), w9 ^ w2 ^ w15.rotate_left(15), w10 ^ w3];
            Self(sums.map(|x| x ^ x.rotate_left(15) ^ x.rotate_left(23)))
        }
        fn message2(self, b: Self, c: Self) -> Self {
            let mut w = core::array::from_fn(|i| b.0[i].rotate_left(7) ^ c.0[i] ^ self.0[i]);
            w[3] ^= w[0].rotate_left(6) ^ w[0].rotate_left(15) ^ w[0].rotate_left(30);
            Self(w)
        }
        fn rounds<const J: i32>(self, b: Self, c: Self) -> Self {
            let [h, g, d, c0] = self.0;
            let [mut f, mut e, mut b, mut a] = b.0;
            let (mut c1, mut d) = (c0.rotate_left(9), d.rotate_left(9));
            let (mut g, mut h) = (g.rotate_left(19), h.rotate_left(19));
            let [w0, w1, w4, w5] = c.0;
            let mut constant = if J < 16 { 0x79cc_4519_u32 } else { 0x7a87_9d8a }.rotate_left(J as u32 % 32);
            for (w, w_4) in [(w0, w4), (w1, w5)] {
                let s1 = a.rotate_left(12).wrapping_add(e).wrapping_add(constant).rotate_left(7);
                let s2 = s1 ^ a.rotate_left(12);
                let ff = if J < 16 { a ^ b ^ c1 } else { (a & b) | (a & c1) | (b & c1) };
                let gg = if J < 16 { e ^ f ^ g } else { (e & f) | (!e & g) };
                let t1 = ff.wrapping_add(d).wrapping_add(s2).wrapping_add(w ^ w_4);
                let t2 = gg.wrapping_add(h).wrapping_add(s1).wrapping_add(w);
                (d, c1, b, a) = (c1, b.rotate_left(9), a, t1);
                (h, g, f, e) = (g, f.rotate_left(19), e, t2 ^ t2.rotate_left(9) ^ t2.rotate_left(17));
                constant = constant.rotate_left(1);
            }
            Self([f, e, b, a])
        }
    }

    /// GB/T 32905-2016, appendix A: "abc", padded, and 16 times "abcd", padded.
    #[test]
    fn the_standards_examples() {
        let hash = |message: &[u8], blocks: &mut [[u8; BLOCK]]| {
            let bytes = blocks.as_flattened_mut();
            bytes[..message.len()].copy_from_slice(message);
            bytes[message.len()] = 0x80;
            *bytes.last_chunk_mut().unwrap() = (8 * message.len() as u64).to_be_bytes();
            let mut state = INITIAL;
            Scalar::PROOF.run(Instructions::<Described>::new(&mut state, blocks));
            state
        };
        assert_eq!(
            hash(b"abc", &mut [[0; BLOCK]; 1]),
            [0x66c7_f0f4, 0x62ee_edd9, 0xd1f2_d46b, 0xdc10_e4e2, 0x4167_c487, 0x5cf2_f7a2, 0x297d_a02b, 0x8f4b_a8e0]
        );
        assert_eq!(
            hash(&b"abcd".repeat(16), &mut [[0; BLOCK]; 2]),
            [0xdebe_9ff9, 0x2275_b8a1, 0x3860_4889, 0xc18e_5a4d, 0x6fdb_70e5, 0x387e_5765, 0x293d_cba3, 0x9c0c_5732]
        );
    }
}
