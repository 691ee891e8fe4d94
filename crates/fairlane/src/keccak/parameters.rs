//! What tells Keccak's sponge functions apart: rate, rounds, and the bits that follow the message.

use super::permutation::{ROUNDS_12, ROUNDS_24, Rounds};
use crate::hash_many::IteratedHash;

/// The rate of SHA3-256 and SHAKE256 in bytes.
pub(crate) const RATE_256: usize = 136;
/// The largest rate in bytes: that of SHAKE128 and TurboSHAKE128.
pub(super) const MAX_RATE: usize = 168;

/// The round constants of Keccak-p[1600, `rounds`], for 12 or 24 rounds.
pub(super) const fn rounds(rounds: usize) -> Rounds {
    assert!(matches!(rounds, 12 | 24), "a number of rounds that no function has");
    if rounds == 12 { ROUNDS_12 } else { ROUNDS_24 }
}

/// A sponge function.
///
/// Rate and rounds are values and not parameters of the type, so that the kernels for many states are compiled once for
/// all functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpongeFunction {
    /// In bytes: 72, 104, 136, 144 or 168.
    pub(super) rate: usize,
    pub(super) rounds: Rounds,
    /// The byte that follows a message: domain bits and the first bit of the padding.
    pub(super) domain: u8,
}

impl SpongeFunction {
    pub(super) const fn new(rate: usize, number_of_rounds: usize, domain: u8) -> Self {
        assert!(matches!(rate, 72 | 104 | 136 | 144 | 168), "a rate that the kernels do not have");
        Self { rate, rounds: rounds(number_of_rounds), domain }
    }
}

impl IteratedHash<25, MAX_RATE> for SpongeFunction {
    type Word = u64;
    const MIN_PADDING: usize = 1;

    #[inline(always)]
    fn block_size(self) -> usize {
        self.rate
    }

    #[inline(always)]
    fn initial<const N: usize>() -> [[u64; N]; 25] {
        [[0; N]; 25]
    }

    #[inline(always)]
    fn pad(self, rest: Option<&[u8]>, _length: usize, block: &mut [u8; MAX_RATE]) {
        let rest = rest.unwrap_or(&[]);
        block[..rest.len()].copy_from_slice(rest);
        block[rest.len()] = self.domain;
        block[self.rate - 1] |= 0x80;
    }

    #[inline(always)]
    fn output<const N: usize>(self, states: &[[u64; N]; 25], lane: usize, output: &mut [u8]) -> usize {
        let ready = output.len().min(self.rate);
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
