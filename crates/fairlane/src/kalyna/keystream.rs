//! Keystream of whole messages in counter mode (DSTU 7624:2014, clause 7), for CTR, GCM and CCM.

use super::blocks::Kalyna;
use cipher::typenum::Unsigned;
use cipher::{Block, InOutBuf};
use zeroize::Zeroize;

/// Adds keystream, from block `number` on, to all of `data`, also to a part of a block at the end.
///
/// Block `i` of the keystream is the encryption of `begin + i`, where the first `width` bytes, a whole block or half of
/// one, are a little-endian number modulo 2<sup>8 width</sup>, and the others stay.
#[inline]
pub(super) fn apply_all<C: Kalyna>(
    cipher: &C,
    begin: &Block<C>,
    width: usize,
    number: u64,
    mut data: InOutBuf<'_, '_, u8>,
) {
    let mut last = Block::<C>::default();
    cipher.ctr(begin, width, number, data.reborrow(), &mut last);
    let rest = data.len() % C::BlockSize::USIZE;
    if rest > 0 {
        let whole = data.len() - rest;
        data.split_at(whole).1.xor_in2out(&last[..rest]);
    }
    last.zeroize();
}
