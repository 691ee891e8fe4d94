//! The keystream of one message of an AEAD, in which block 0 is not for data.

use super::Generator;
use cipher::consts::U16;
use cipher::inout::InOutBuf;

/// Keystream that is made in one go: block 0, and those for the beginning of the data.
const HEAD: usize = 256;

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
    head: [u8; HEAD],
    /// The one that the message ends in.
    last: K::Block,
}

impl<K: Blocks> Keystream<K> {
    const BLOCK: usize = size_of::<K::Block>();
    /// Bytes of data that `head` is for.
    const FIRST: usize = (HEAD / Self::BLOCK - 1) * Self::BLOCK;
    /// Pieces are multiples of this, so that no batch of the widest kernels is broken (of SM4's, 64 blocks, neither).
    const BATCH: usize = 16 * Self::BLOCK;

    /// Before [`begin`](Self::begin).
    #[inline(always)]
    pub(crate) fn new(blocks: K) -> Self {
        Self { blocks, head: [0; HEAD], last: K::EMPTY }
    }

    /// Makes what a message of `len` bytes begins with, where it stays: a copy would wait for it. Block 0 is
    /// [`first`](Self::first) then.
    pub(crate) fn begin(&mut self, len: usize) {
        const { assert!(Self::FIRST > 0 && PEEK >= Self::FIRST, "room for block 0 and one for data") };
        const { assert!(PEEK >= Self::BATCH) };
        let wanted = Self::BLOCK + len.min(Self::FIRST).next_multiple_of(Self::BLOCK);
        self.blocks.apply(0, self.head[..wanted].as_mut().into(), &mut self.last);
    }

    /// The first bytes of block 0.
    pub(crate) fn first<const N: usize>(&self) -> &[u8; N] {
        const { assert!(N <= Self::BLOCK) };
        self.head.first_chunk().expect("longer than a block")
    }

    /// Adds the keystream to all of a message, and shows what comes out to `see` piece by piece, all but the last one whole
    /// blocks.
    pub(crate) fn apply(&mut self, data: InOutBuf<'_, '_, u8>, mut see: impl FnMut(&[u8])) {
        let mut rest = data;
        let mut number = 1;
        while !rest.is_empty() {
            let len = rest.len().min(Self::piece(number, CHUNK));
            let (mut now, next) = rest.split_at(len);
            self.add(number, now.reborrow());
            see(now.get_out());
            number += len / Self::BLOCK;
            rest = next;
        }
    }

    /// Shows to `see` what [`apply`](Self::apply) would, and writes nothing.
    pub(crate) fn peek(&mut self, data: &[u8], mut see: impl FnMut(&[u8])) {
        let mut buffer = [0; PEEK];
        let mut rest = data;
        let mut number = 1;
        while !rest.is_empty() {
            let (now, next) = rest.split_at(rest.len().min(Self::piece(number, PEEK)));
            let seen = &mut buffer[..now.len()];
            seen.copy_from_slice(now);
            self.add(number, seen.into());
            see(seen);
            number += now.len() / Self::BLOCK;
            rest = next;
        }
        buffer = [0; PEEK];
        zeroize::optimization_barrier(&buffer);
    }

    /// How long a piece may be that begins with block `number`: either all of it is in `head`, or none.
    fn piece(number: usize, most: usize) -> usize {
        if number == 1 { Self::FIRST } else { most / Self::BATCH * Self::BATCH }
    }

    /// Adds the keystream from block `number` on to such a piece.
    fn add(&mut self, number: usize, mut data: InOutBuf<'_, '_, u8>) {
        if number == 1 {
            return xor(data, &self.head[Self::BLOCK..]);
        }
        self.blocks.apply(number as u64, data.reborrow(), &mut self.last);
        let whole = data.len() / Self::BLOCK * Self::BLOCK;
        xor(data.split_at(whole).1, self.last.as_ref());
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
        self.head = [0; HEAD];
        self.last = K::EMPTY;
        zeroize::optimization_barrier(self);
    }
}
