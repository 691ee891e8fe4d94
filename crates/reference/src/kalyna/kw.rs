//! KW, DSTU 7624:2014, clause 15: wraps a key without an IV. Unwrapping detects changes.
//!
//! The standard has one function for keys of whole blocks and one, with padding, for other keys. A wrapped key does not
//! tell which one was used.

use std::collections::VecDeque;

use super::Kalyna;

/// Wraps a key of whole blocks. The result is one block longer.
///
/// # Panics
///
/// If `key` is empty or not whole blocks.
pub fn kw_wrap(cipher: &Kalyna, key: &[u8]) -> Vec<u8> {
    let l = cipher.block_len();
    let whole = !key.is_empty() && key.len().is_multiple_of(l);
    assert!(whole, "this Kalyna's KW takes whole blocks of {l} bytes, not {} bytes", key.len());
    wrap(cipher, key)
}

/// The inverse of [`kw_wrap`]; `None` if the input was changed or its length is impossible.
#[must_use]
pub fn kw_unwrap(cipher: &Kalyna, wrapped: &[u8]) -> Option<Vec<u8>> {
    unwrap(cipher, wrapped)
}

/// Wraps a key that is longer than a block and not whole blocks. The key is padded to whole blocks, with its length;
/// the result is one block longer.
///
/// # Panics
///
/// If `key` is whole blocks or shorter than a block.
pub fn kw_wrap_padded(cipher: &Kalyna, key: &[u8]) -> Vec<u8> {
    let l = cipher.block_len();
    assert!(is_padded(key.len(), l), "KW with padding takes more than {l} bytes, not whole blocks: not {}", key.len());
    wrap(cipher, &with_length(key, l))
}

/// The inverse of [`kw_wrap_padded`]; `None` if the input was changed or its length is impossible.
#[must_use]
pub fn kw_unwrap_padded(cipher: &Kalyna, wrapped: &[u8]) -> Option<Vec<u8>> {
    let l = cipher.block_len();
    let padded = unwrap(cipher, wrapped)?;
    // Finds the one bit of the padding, and before it the length in half a block.
    let one = padded.iter().rposition(|&byte| byte != 0)?;
    let key = &padded[..one.checked_sub(l / 2)?];
    (is_padded(key.len(), l) && with_length(key, l) == padded).then(|| key.to_vec())
}

fn is_padded(len: usize, l: usize) -> bool {
    len > l && !len.is_multiple_of(l)
}

/// Pads a key: appends its length in bits as half a block, then the padding of annex Б.2, which is never empty here.
fn with_length(key: &[u8], l: usize) -> Vec<u8> {
    let mut padded = key.to_vec();
    padded.extend((8 * key.len() as u64).to_le_bytes());
    padded.resize(key.len() + l / 2, 0);
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(l), 0);
    padded
}

/// Clause 15.2: the rounds over half blocks, of which the last two are zeros.
fn wrap(cipher: &Kalyna, key: &[u8]) -> Vec<u8> {
    let half = cipher.block_len() / 2;
    let mut b: VecDeque<_> = key.chunks(half).map(<[u8]>::to_vec).collect();
    b.extend([vec![0; half], vec![0; half]]);
    for i in 1..=rounds(b.len()) {
        let block: Vec<u8> = b.drain(..2).flatten().collect();
        let block = cipher.t(&block);
        b.push_back(block[..half].to_vec());
        b.push_front(numbered(&block[half..], i));
    }
    b.into_iter().flatten().collect()
}

/// Clause 15.3: the inverse rounds in reverse order.
fn unwrap(cipher: &Kalyna, wrapped: &[u8]) -> Option<Vec<u8>> {
    let l = cipher.block_len();
    if wrapped.len() < 2 * l || !wrapped.len().is_multiple_of(l) {
        return None;
    }
    let mut b: VecDeque<_> = wrapped.chunks(l / 2).map(<[u8]>::to_vec).collect();
    for i in (1..=rounds(b.len())).rev() {
        let (front, back) = (b.pop_front()?, b.pop_back()?);
        let mut block = [back, numbered(&front, i)].concat();
        cipher.decrypt(&mut block);
        b.push_front(block.split_off(l / 2));
        b.push_front(block);
    }
    let mut key: Vec<u8> = b.into_iter().flatten().collect();
    let zeros = key.split_off(wrapped.len() - l);
    zeros.iter().all(|&byte| byte == 0).then_some(key)
}

/// The number of rounds for `n` half blocks.
fn rounds(n: usize) -> u64 {
    6 * (n as u64 - 1)
}

/// XORs half a block with the number of the round.
fn numbered(half: &[u8], i: u64) -> Vec<u8> {
    let mut sum = half.to_vec();
    super::xor(&mut sum, &i.to_le_bytes());
    sum
}
