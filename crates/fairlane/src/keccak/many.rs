//! Many messages side by side: what Keccak's sponge tells the lanes that they go through.

use super::kernels::Keccak;
use crate::HashManyError;
use crate::batch::BlockHash;
use crate::many::{Slots, hash_all as hash_all_slots};

/// A sponge whose messages are followed by this byte: domain bits and the first bit of the padding.
pub(super) struct Domain(pub(super) u8);

impl<const RATE: usize> BlockHash<25, RATE> for Domain {
    type Lane = u64;
    const PADDING: usize = 1;

    #[inline(always)]
    fn initial<const N: usize>() -> [[u64; N]; 25] {
        [[0; N]; 25]
    }

    #[inline(always)]
    fn pad(&self, rest: Option<&[u8]>, _length: usize, block: &mut [u8; RATE]) {
        let rest = rest.unwrap_or(&[]);
        block[..rest.len()].copy_from_slice(rest);
        block[rest.len()] = self.0;
        block[RATE - 1] |= 0x80;
    }

    #[inline(always)]
    fn output<const N: usize>(states: &[[u64; N]; 25], lane: usize, output: &mut [u8]) -> usize {
        let ready = output.len().min(RATE);
        let (whole, part) = output[..ready].as_chunks_mut::<8>();
        for (bytes, lanes) in whole.iter_mut().zip(states) {
            *bytes = lanes[lane].to_le_bytes();
        }
        if !part.is_empty() {
            part.copy_from_slice(&states[whole.len()][lane].to_le_bytes()[..part.len()]);
        }
        ready
    }
}

/// What stands behind every [`HashMany`](crate::HashMany) here; `size` is the only length that outputs may have.
pub(super) fn hash_all<const RATE: usize, const ROUNDS: usize, I, O>(
    keccak: Keccak,
    domain: u8,
    messages: I,
    outputs: &mut [O],
    size: Option<usize>,
) -> Result<(), HashManyError>
where
    I: IntoIterator<Item: AsRef<[u8]>, IntoIter: ExactSizeIterator>,
    O: AsMut<[u8]>,
{
    hash_all_slots(messages, outputs, size, |slots| keccak.many::<RATE, ROUNDS, _>(Domain(domain), slots))
}

/// Hashes as many messages as there are outputs, which may have any lengths.
pub(super) fn hash_each<const RATE: usize, const ROUNDS: usize, I, O>(
    keccak: Keccak,
    domain: u8,
    messages: I,
    outputs: &mut [O],
) where
    I: Iterator<Item: AsRef<[u8]>>,
    O: AsMut<[u8]>,
{
    keccak.many::<RATE, ROUNDS, _>(Domain(domain), Slots::new(messages, outputs));
}
