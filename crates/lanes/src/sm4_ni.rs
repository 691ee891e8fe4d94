//! SM4's rounds (GB/T 32907-2016) as instructions.
//!
//! No machine that this was written on has them. They were only compiled; the code that uses them was tested with a
//! model of the instructions written from Intel's manual ("Intel 64 and IA-32 Architectures Software Developer's
//! Manual", volume 2, `VSM4KEY4` and `VSM4RNDS4`).

use crate::bytes::BlocksN;
use crate::token::Token;

/// Blocks of SM4, each as four numbers: word `j` of the standard in the `j`th four bytes, the least significant byte
/// first.
pub trait Sm4Rounds<const N: usize>: BlocksN<N> {
    /// The proof that the rounds' instructions may run.
    type Sm4: Token + Into<Self::Token>;

    /// Reverses the bytes of each word: from the standard's big-endian bytes to numbers.
    fn swap_bytes(self) -> Self;
    /// Reverses the bytes of each block: from numbers to the standard's bytes, after its reverse transformation R,
    /// which ends the cipher.
    fn reverse_bytes(self) -> Self;
    /// Four rounds (section 6.1) with the round keys that stand where the words do.
    fn rounds(self, token: Self::Sm4, keys: Self) -> Self;
    /// Four rounds of the key schedule (section 7.3) with the constants CK that stand where the words do. The result
    /// is four round keys.
    fn key_rounds(self, token: Self::Sm4, ck: Self) -> Self;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{U8x16Gfni, U8x32Gfni};

    /// GB/T 32907-2016, appendix A.1, in every block.
    fn check<W: Sm4Rounds<N>, const N: usize>() {
        let Some(token) = W::Sm4::new() else {
            return eprintln!("skipped {}: this CPU lacks its features", core::any::type_name::<W>());
        };
        let blocks = token.into();
        let words =
            |words: [u32; 4]| W::splat_block(blocks, core::array::from_fn(|i| words[i / 4].to_le_bytes()[i % 4]));
        let key = [0x0123_4567, 0x89ab_cdef, 0xfedc_ba98, 0x7654_3210];

        let mut keys = words(key).xor(words([0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc]));
        let mut x = W::splat_block(blocks, core::array::from_fn(|i| key[i / 4].to_be_bytes()[i % 4])).swap_bytes();
        for i in (0..32).step_by(4) {
            let ck = |i: usize| u32::from_be_bytes(core::array::from_fn(|j| (7 * (4 * i + j)) as u8));
            keys = keys.key_rounds(token, words([ck(i), ck(i + 1), ck(i + 2), ck(i + 3)]));
            x = x.rounds(token, keys);
        }
        let mut encrypted = [0; N];
        x.reverse_bytes().store(&mut encrypted);
        let expected = 0x681e_df34_d206_965e_86b3_e94f_536e_4246_u128.to_be_bytes();
        assert_eq!(encrypted, core::array::from_fn(|i| expected[i % 16]));
    }

    #[test]
    fn the_standards_example() {
        check::<U8x16Gfni, 16>();
        check::<U8x32Gfni, 32>();
    }
}
