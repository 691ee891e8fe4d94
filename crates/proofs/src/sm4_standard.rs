//! Steps of SM4 as GB/T 32907-2016 has them, on lanes, for the proofs of all forms.

use crate::lane::Lane;
use fairlane_reference::sm4::S;
use std::array::from_fn;

/// The standard's S-box.
pub(crate) fn s_box_table() -> [u8; 256] {
    from_fn(|x| S[x >> 4][x & 15])
}

/// What is added to a key's words first, section 7.3.
pub(crate) const FK: [u128; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The round keys, section 7.3. `cut` may name a term.
pub(crate) fn key_schedule<L: Lane>(key: &[L], tau: impl Fn(L) -> L, cut: &dyn Fn(L) -> L) -> Vec<L> {
    let mut k: Vec<L> = (0..4).map(|i| key[i].xor(L::constant(32, FK[i]))).collect();
    for i in 0..32 {
        let ck = (0..4).fold(0, |ck, j| ck << 8 | (7 * (4 * i + j)) as u128 & 0xff);
        let b = tau(k[i + 1].xor(k[i + 2]).xor(k[i + 3].xor(L::constant(32, ck))));
        k.push(cut(k[i].xor(b).xor(b.rotl(13)).xor(b.rotl(23))));
    }
    k.split_off(4)
}

/// L, section 6.2.
pub(crate) fn l<L: Lane>(b: L) -> L {
    b.xor(b.rotl(2)).xor(b.rotl(10)).xor(b.rotl(18)).xor(b.rotl(24))
}
