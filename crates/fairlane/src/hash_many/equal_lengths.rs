//! Groups of messages of one length, which begin and end together: no lane waits, and each is padded alike.

use super::multi_buffer::IteratedHash;
use crate::zeroizing::Zeroizing;

/// Hashes messages of one length, with a function that absorbs blocks like that of [`MultiBuffer::run`], and takes
/// outputs no longer than the state.
///
/// [`MultiBuffer::run`]: super::MultiBuffer::run
#[inline(always)]
pub(crate) fn hash_group<H: IteratedHash<WORDS, BLOCK>, const N: usize, const WORDS: usize, const BLOCK: usize>(
    hash: H,
    mut absorb: impl FnMut(&mut [[H::Word; N]; WORDS], bool, [&[u8]; N], usize),
    mut messages: [&[u8]; N],
    outputs: &mut [&mut [u8]; N],
) {
    let (block, length) = (hash.block_size(), messages[0].len());
    let mut states = Zeroizing(H::initial());
    let mut all_begin = true;
    if length >= block {
        let blocks = length / block;
        absorb(&mut states.0, true, messages, blocks);
        all_begin = false;
        for message in &mut messages {
            *message = &message[blocks * block..];
        }
    }
    let mut padded = Zeroizing([[0; BLOCK]; N]);
    for (rest, padded) in messages.iter().zip(&mut padded.0) {
        hash.pad(Some(rest), length, padded);
    }
    absorb(&mut states.0, all_begin, padded.0.each_ref().map(|block| &block[..]), 1);
    if messages[0].len() + H::MIN_PADDING > block {
        padded.0 = [[0; BLOCK]; N];
        for padded in &mut padded.0 {
            hash.pad(None, length, padded);
        }
        absorb(&mut states.0, false, padded.0.each_ref().map(|block| &block[..]), 1);
    }
    for (lane, output) in outputs.iter_mut().enumerate() {
        hash.output(&states.0, lane, output);
    }
}
