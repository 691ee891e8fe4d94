//! Many messages side by side: what SM3 tells the lanes that they go through.

use super::compression::{INITIAL, State};
use super::kernels::BLOCK;
use crate::batch::BlockHash;

/// Padding (section 5.2): a bit 1, bits 0, and the message's length in bits as a number of 64 bits.
pub(super) struct Padding;

/// Bytes of the length.
const LENGTH: usize = 8;

impl BlockHash<8, BLOCK> for Padding {
    type Lane = u32;
    const INITIAL: State<u32> = INITIAL;
    const PADDING: usize = 1 + LENGTH;

    #[inline(always)]
    fn pad(&self, message: &[u8], position: usize, block: &mut [u8; BLOCK]) {
        if let Some(rest) = message.get(position..) {
            block[..rest.len()].copy_from_slice(rest);
            block[rest.len()] = 0x80;
        }
        if position + BLOCK >= message.len() + Self::PADDING {
            block[BLOCK - LENGTH..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
        }
    }

    #[inline(always)]
    fn output<const N: usize>(states: &State<[u32; N]>, lane: usize, output: &mut [u8]) -> usize {
        for (bytes, lanes) in output.as_chunks_mut().0.iter_mut().zip(states) {
            *bytes = lanes[lane].to_be_bytes();
        }
        output.len()
    }
}
