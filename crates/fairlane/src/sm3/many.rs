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
    const PADDING: usize = 1 + LENGTH;

    #[inline(always)]
    fn initial<const N: usize>() -> State<[u32; N]> {
        INITIAL.map(|number| [number; N])
    }

    #[inline(always)]
    fn pad(&self, rest: Option<&[u8]>, length: usize, block: &mut [u8; BLOCK]) {
        if let Some(rest) = rest {
            block[..rest.len()].copy_from_slice(rest);
            block[rest.len()] = 0x80;
        }
        if rest.is_none_or(|rest| rest.len() + Self::PADDING <= BLOCK) {
            block[BLOCK - LENGTH..].copy_from_slice(&(8 * length as u64).to_be_bytes());
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
