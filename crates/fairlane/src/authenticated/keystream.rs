//! The keystream of one message of an AEAD, where data begins at block 1.

use cipher::consts::U16;
use cipher::inout::InOutBuf;

/// Bytes: the keystream of a message that is no longer, with block 0, is made in one call.
const SHORT: usize = 512;

/// Bytes: if no more were made, no more are erased.
const FEW: usize = 128;

/// Bytes: of a longer message no more than this is made with block 0.
const HEAD: usize = 256;

/// Kernels process so many blocks at once, or a fraction of that.
pub(crate) const BATCH: usize = 16;

/// About so many bytes are encrypted, and then authenticated while they are still in the nearest cache.
const ENCRYPTED_AT_ONCE: usize = 16 << 10;

/// About so many bytes are decrypted at once into a buffer, to be authenticated.
const DECRYPTED_AT_ONCE: usize = 2 << 10;

/// The keystream of a message.
pub(crate) trait MessageKeystream {
    /// Bytes of a block.
    const BLOCK: usize;

    /// Prepares the keystream for a message of `len` bytes.
    #[inline(always)]
    fn begin(&mut self, len: usize) {
        let _ = len;
    }

    /// As [`begin`](Self::begin), for data to be encrypted, of which it may encrypt a part: whole blocks from the
    /// start, or all. Returns the length of that part.
    #[inline(always)]
    fn begin_applying(&mut self, data: InOutBuf<'_, '_, u8>) -> usize {
        self.begin(data.len());
        0
    }

    /// The length of the next piece, about `most` bytes, where `number` is that of its first block: whole blocks.
    fn piece(&self, number: usize, most: usize) -> usize;

    /// Adds the keystream from block `number` on to such a piece, or to the rest of the message.
    fn apply_from(&mut self, number: usize, data: InOutBuf<'_, '_, u8>);

    /// Adds the keystream to all of a message.
    #[inline(always)]
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.apply_from(1, data);
    }

    /// Adds the keystream to all of a message piece by piece, but for the bytes that it has `begun` with, and passes
    /// each piece of the result to `output`. All but the last one are whole blocks.
    ///
    /// The bytes begun with are part of the first piece: an authenticator takes one long piece in less time than two.
    #[inline(always)]
    fn apply_with(&mut self, begun: usize, data: InOutBuf<'_, '_, u8>, mut output: impl FnMut(&[u8])) {
        let (mut done, mut rest) = (begun, data);
        let mut number = 1 + begun / Self::BLOCK;
        while !rest.is_empty() {
            let len = rest.len().min(done + self.piece(number, ENCRYPTED_AT_ONCE));
            let (mut now, next) = rest.split_at(len);
            if len > done {
                self.apply_from(number, now.reborrow().split_at(done).1);
            }
            output(now.get_out());
            number += (len - done) / Self::BLOCK;
            (done, rest) = (0, next);
        }
    }

    /// Passes to `output` what [`apply_with`](Self::apply_with) would, and writes nothing: the result is in a buffer,
    /// which is erased.
    #[inline(always)]
    fn decrypt_with(&mut self, data: &[u8], mut output: impl FnMut(&[u8])) {
        let mut buffer = [0; SHORT + DECRYPTED_AT_ONCE];
        let mut rest = data;
        let mut number = 1;
        while !rest.is_empty() {
            let (now, next) = rest.split_at(rest.len().min(self.piece(number, DECRYPTED_AT_ONCE)));
            let decrypted = &mut buffer[..now.len()];
            decrypted.copy_from_slice(now);
            self.apply_from(number, decrypted.into());
            output(decrypted);
            number += now.len() / Self::BLOCK;
            rest = next;
        }
        buffer = [0; SHORT + DECRYPTED_AT_ONCE];
        zeroize::optimization_barrier(&buffer);
    }
}

/// Blocks of keystream that are numbered from 0 on.
pub(crate) trait KeystreamBlocks {
    /// A block, in bytes.
    type Block: AsRef<[u8]> + AsMut<[u8]>;
    /// A block of zeros.
    const EMPTY: Self::Block;

    /// Adds the keystream from block `number` on to data: whole blocks, and the block of keystream that the rest of the
    /// data needs to `last`.
    fn apply(&self, number: u64, data: InOutBuf<'_, '_, u8>, last: &mut Self::Block);
}

/// A keystream whose block 0 the authenticator needs: it is made in one call of the kernels with the first blocks for
/// data.
pub(crate) struct PrefetchedKeystream<B: KeystreamBlocks> {
    blocks: B,
    /// The first blocks, from 0 on.
    head: CacheLines<SHORT>,
    /// Bytes of data that `head` is for.
    first: usize,
    /// The block in which the message ends.
    last: B::Block,
}

/// Lines of the cache, so that no store of 64 bytes crosses one.
#[repr(align(64))]
pub(crate) struct CacheLines<const N: usize>(pub(crate) [u8; N]);

impl<B: KeystreamBlocks> PrefetchedKeystream<B> {
    const BATCH: usize = BATCH * Self::BLOCK;

    /// The keystream before [`begin`](MessageKeystream::begin).
    #[inline(always)]
    pub(crate) fn new(blocks: B) -> Self {
        Self { blocks, head: CacheLines([0; SHORT]), first: 0, last: B::EMPTY }
    }

    /// The first bytes of block 0.
    #[inline(always)]
    pub(crate) fn block_0<const N: usize>(&self) -> &[u8; N] {
        const { assert!(N <= Self::BLOCK) };
        self.head.0.first_chunk().expect("longer than a block")
    }
}

impl<B: KeystreamBlocks> MessageKeystream for PrefetchedKeystream<B> {
    const BLOCK: usize = size_of::<B::Block>();

    /// Makes the first blocks in place: a copy would wait for them.
    fn begin(&mut self, len: usize) {
        const {
            assert!(HEAD >= 2 * Self::BLOCK && DECRYPTED_AT_ONCE >= Self::BATCH, "room for block 0 and one for data");
        }
        let room = |head: usize| (head / Self::BLOCK - 1) * Self::BLOCK;
        self.first = if len <= room(SHORT) {
            len.next_multiple_of(Self::BLOCK)
        } else {
            // What whole batches leave, so that those are left.
            (len.div_ceil(Self::BLOCK) % BATCH * Self::BLOCK).min(room(HEAD))
        };
        self.blocks.apply(0, self.head.0[..Self::BLOCK + self.first].as_mut().into(), &mut self.last);
    }

    /// Whole batches, and before the first one what `head` is for.
    #[inline(always)]
    fn piece(&self, number: usize, most: usize) -> usize {
        let batches = most / Self::BATCH * Self::BATCH;
        if number == 1 { self.first + batches } else { batches }
    }

    fn apply_from(&mut self, number: usize, data: InOutBuf<'_, '_, u8>) {
        let kept = &self.head.0[Self::BLOCK..][..self.first];
        apply_kept(&self.blocks, kept, number, data, &mut self.last);
    }
}

/// Adds the keystream from block `number` on to data. The blocks from 1 on are in `kept`, as many as there are.
#[inline(always)]
pub(crate) fn apply_kept<B: KeystreamBlocks>(
    blocks: &B,
    kept: &[u8],
    number: usize,
    data: InOutBuf<'_, '_, u8>,
    last: &mut B::Block,
) {
    let len = if number == 1 { data.len().min(kept.len()) } else { 0 };
    let (begin, mut rest) = data.split_at(len);
    xor(begin, kept);
    if rest.is_empty() {
        return;
    }
    blocks.apply((number + len / size_of::<B::Block>()) as u64, rest.reborrow(), last);
    xor_last(rest, last.as_ref());
}

/// Adds the block in which data ends to the bytes after its whole blocks.
#[inline(always)]
pub(crate) fn xor_last(data: InOutBuf<'_, '_, u8>, last: &[u8]) {
    let whole = data.len() / last.len() * last.len();
    xor(data.split_at(whole).1, last);
}

/// Adds as much of `keystream` as there is data.
fn xor(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    xor_inlined(data, keystream);
}

/// The same within a kernel: 16 bytes at a time, since byte by byte the compiler has to expect that a byte written is
/// the next to be read. On a Granite Rapids Xeon 64 at a time took as long.
#[inline(always)]
pub(crate) fn xor_inlined(data: InOutBuf<'_, '_, u8>, keystream: &[u8]) {
    let (keystream, last) = keystream[..data.len()].as_chunks::<16>();
    let (blocks, mut rest) = data.into_chunks::<U16>();
    for (mut block, keystream) in blocks.into_iter().zip(keystream) {
        block.xor_in2out(keystream.into());
    }
    rest.xor_in2out(last);
}

impl<B: KeystreamBlocks> Drop for PrefetchedKeystream<B> {
    /// Erases what was written.
    #[inline(always)]
    fn drop(&mut self) {
        match self.head.0.first_chunk_mut::<FEW>() {
            Some(few) if Self::BLOCK + self.first <= FEW => *few = [0; FEW],
            _ => self.head.0 = [0; SHORT],
        }
        self.last = B::EMPTY;
        zeroize::optimization_barrier(self);
    }
}
