//! Keystream in counter mode (DSTU 7624:2014, clause 7), also with half a block for the number (GCM and CCM, clauses 12
//! and 13).

use super::ahead::{Ahead, Step, numbers};
use super::blocks::Kalyna;
use super::kernels::{Mode, bytes};
use cipher::array::ArraySize;
use cipher::typenum::Unsigned;
use cipher::{Array, Block, InOutBuf};
use fairlane_lanes::BlocksN;
use zeroize::Zeroize;

/// Adds keystream, from block `number` on, to all whole blocks of `data`. If a part of a block is left at the end, that
/// stays as it is, and its block of keystream goes to `last`.
///
/// Block `i` of the keystream is the encryption of `begin + i`, where the first `width` bytes, a whole block or half of
/// one, are a little-endian number, which wraps by itself, and the others stay. No branch depends on `begin`.
#[inline]
pub(super) fn apply<C: Kalyna>(
    cipher: &C,
    begin: &Block<C>,
    width: usize,
    number: u64,
    data: InOutBuf<'_, '_, u8>,
    last: &mut Block<C>,
) {
    let mut first = numbers(begin);
    add(&mut first[..width / 8], number);
    let count = Count { through: (width == C::BlockSize::USIZE).into() };
    let counters = Ahead::<C::BlockSize, _>::new(first, count, data.len());
    first.zeroize();
    cipher.keystream(&mut Keystream { counters, data, last });
}

/// As [`apply`], to a part of a block at the end too.
#[inline]
pub(super) fn apply_all<C: Kalyna>(
    cipher: &C,
    begin: &Block<C>,
    width: usize,
    number: u64,
    mut data: InOutBuf<'_, '_, u8>,
) {
    let mut last = Block::<C>::default();
    apply(cipher, begin, width, number, data.reborrow(), &mut last);
    let rest = data.len() % C::BlockSize::USIZE;
    if rest > 0 {
        let whole = data.len() - rest;
        data.split_at(whole).1.xor_in2out(&last[..rest]);
    }
    last.zeroize();
}

/// Adds to a number, the lowest part first.
#[inline(always)]
fn add(number: &mut [u64], addend: u64) {
    let mut carry = addend;
    for i in 0..number.len() {
        let (sum, over) = number[i].overflowing_add(carry);
        number[i] = sum;
        carry = over.into();
    }
}

/// One more.
struct Count {
    /// 1 if the whole block is the number, 0 if the first half is.
    through: u64,
}

impl Step for Count {
    #[inline(always)]
    fn step(&self, block: &mut [u64]) {
        let mut carry = 1;
        for i in 0..block.len() {
            if i == block.len() / 2 {
                carry &= self.through;
            }
            let (sum, over) = block[i].overflowing_add(carry);
            block[i] = sum;
            carry = over.into();
        }
    }
}

/// Counters in, keystream out.
pub struct Keystream<'a, S: ArraySize> {
    counters: Ahead<S, Count>,
    data: InOutBuf<'a, 'a, u8>,
    /// Where the keystream for a part of a block goes.
    last: &'a mut Array<u8, S>,
}

impl<S: ArraySize> Mode for Keystream<'_, S> {
    #[inline(always)]
    fn left(&self) -> usize {
        self.data.len().div_ceil(S::USIZE) * S::USIZE
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, _: usize) -> W {
        self.counters.take(token, from)
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, len: usize, output: W) {
        let whole = self.data.len() / S::USIZE * S::USIZE;
        let range = if len <= whole { bytes::<N>(from, len) } else { bytes::<N>(from, whole) };
        let input = W::load(token, &self.data.get_in()[range.clone()]);
        input.xor(output).store(&mut self.data.get_out()[range]);
        if len > whole && from + N > whole {
            let mut keystream = [0; N];
            output.store(&mut keystream);
            let ((blocks, _), (last, _)) = (keystream.as_chunks::<16>(), self.last.as_chunks_mut::<16>());
            for i in 0..N / 16 {
                if (whole..whole + S::USIZE).contains(&(from + 16 * i)) {
                    last[(from + 16 * i - whole) / 16] = blocks[i];
                }
            }
            keystream = [0; N];
            zeroize::optimization_barrier(&keystream);
        }
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.counters.advance(len);
        let rest = core::mem::replace(&mut self.data, (&mut [][..]).into());
        let done = rest.len().min(len);
        self.data = rest.split_at(done).1;
    }
}
