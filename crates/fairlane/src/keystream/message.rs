//! The keystream of one message of an AEAD, in which block 0 is not for data.

use super::Generator;
use cipher::consts::U16;
use cipher::inout::InOutBuf;

/// A message for which so much keystream is enough, block 0 with it, has it made in one go.
const SHORT: usize = 512;

/// Of a longer one no more than this is made with block 0.
const HEAD: usize = 256;

/// Kernels take so many blocks, or a multiple.
const BATCH: usize = 16;

/// About so many bytes are encrypted, and then authenticated while they are still in the nearest cache.
const CHUNK: usize = 16 << 10;

/// About so many are decrypted to be looked at.
const PEEK: usize = 2 << 10;

/// Blocks of keystream that are numbered from 0 on.
pub(crate) trait Blocks {
    type Block: AsRef<[u8]> + AsMut<[u8]>;
    const EMPTY: Self::Block;

    /// As [`Generator::apply`].
    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut Self::Block);
}

impl<G: Generator> Blocks for G {
    type Block = G::Block;
    const EMPTY: G::Block = G::EMPTY;

    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut G::Block) {
        Generator::apply(self, number, data, last);
    }
}

/// A message's keystream.
pub(crate) struct Keystream<K: Blocks> {
    blocks: K,
    /// The first blocks, from 0 on.
    head: [u8; SHORT],
    /// Bytes of data that `head` is for.
    first: usize,
    /// The block that the message ends in.
    last: K::Block,
}

impl<K: Blocks> Keystream<K> {
    const BLOCK: usize = size_of::<K::Block>();
    const BATCH: usize = BATCH * Self::BLOCK;

    /// Before [`begin`](Self::begin).
    #[inline(always)]
    pub(crate) fn new(blocks: K) -> Self {
        Self { blocks, head: [0; SHORT], first: 0, last: K::EMPTY }
    }

    /// Makes what a message of `len` bytes begins with, where it stays: a copy would wait for it. Then there is
    /// [`block_0`](Self::block_0).
    pub(crate) fn begin(&mut self, len: usize) {
        const { assert!(HEAD >= 2 * Self::BLOCK && PEEK >= Self::BATCH, "room for block 0 and one for data") };
        let room = |head: usize| (head / Self::BLOCK - 1) * Self::BLOCK;
        self.first = if len <= room(SHORT) {
            len.next_multiple_of(Self::BLOCK)
        } else {
            // What whole batches leave, so that those are left.
            (len.div_ceil(Self::BLOCK) % BATCH * Self::BLOCK).min(room(HEAD))
        };
        self.blocks.apply(0, self.head[..Self::BLOCK + self.first].as_mut().into(), &mut self.last);
    }

    /// The first bytes of block 0.
    pub(crate) fn block_0<const N: usize>(&self) -> &[u8; N] {
        const { assert!(N <= Self::BLOCK) };
        self.head.first_chunk().expect("longer than a block")
    }

    /// Adds the keystream to all of a message, and shows what comes out to `see` piece by piece, all but the last one whole
    /// blocks.
    pub(crate) fn apply(&mut self, data: InOutBuf<'_, '_, u8>, mut see: impl FnMut(&[u8])) {
        let mut rest = data;
        let mut number = 1;
        while !rest.is_empty() {
            let len = rest.len().min(self.piece(number, CHUNK));
            let (mut now, next) = rest.split_at(len);
            self.add(number, now.reborrow());
            see(now.get_out());
            number += len / Self::BLOCK;
            rest = next;
        }
    }

    /// Shows to `see` what [`apply`](Self::apply) would, and writes nothing.
    pub(crate) fn peek(&mut self, data: &[u8], mut see: impl FnMut(&[u8])) {
        let mut buffer = [0; SHORT + PEEK];
        let mut rest = data;
        let mut number = 1;
        while !rest.is_empty() {
            let (now, next) = rest.split_at(rest.len().min(self.piece(number, PEEK)));
            let seen = &mut buffer[..now.len()];
            seen.copy_from_slice(now);
            self.add(number, seen.into());
            see(seen);
            number += now.len() / Self::BLOCK;
            rest = next;
        }
        buffer = [0; SHORT + PEEK];
        zeroize::optimization_barrier(&buffer);
    }

    /// How long a piece may be that begins with block `number`: whole batches, and what `head` is for before the first.
    fn piece(&self, number: usize, most: usize) -> usize {
        let batches = most / Self::BATCH * Self::BATCH;
        if number == 1 { self.first + batches } else { batches }
    }

    /// Adds the keystream from block `number` on to such a piece.
    fn add(&mut self, number: usize, data: InOutBuf<'_, '_, u8>) {
        let first = if number == 1 { data.len().min(self.first) } else { 0 };
        let (begin, mut rest) = data.split_at(first);
        xor(begin, &self.head[Self::BLOCK..]);
        if rest.is_empty() {
            return;
        }
        self.blocks.apply((number + first / Self::BLOCK) as u64, rest.reborrow(), &mut self.last);
        let whole = rest.len() / Self::BLOCK * Self::BLOCK;
        xor(rest.split_at(whole).1, self.last.as_ref());
    }
}

/// Adds as much of `keystream` as there is data: 16 bytes at a time, since byte by byte the compiler has to expect that a
/// byte written is the next to be read.
fn xor(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    let (keystream, last) = keystream[..data.len()].as_chunks::<16>();
    let (blocks, mut rest) = data.into_chunks::<U16>();
    for (mut block, keystream) in blocks.into_iter().zip(keystream) {
        block.xor_in2out(keystream.into());
    }
    rest.xor_in2out(last);
}

impl<K: Blocks> Drop for Keystream<K> {
    fn drop(&mut self) {
        self.head = [0; SHORT];
        self.last = K::EMPTY;
        zeroize::optimization_barrier(self);
    }
}
