//! Polynomials from Keccak's output: the matrix (FIPS 203, algorithm 7), and noise (algorithm 8), up to eight side by side.

use super::ring::{Poly, Q};
use super::secret::Secret;
use crate::keccak::{Keccak, States};

/// Bytes of a block of SHAKE128, and of SHAKE256.
const RATE_128: usize = 168;
const RATE_256: usize = 136;

/// Polynomials of the NTT domain, in the standard's order: one for each two bytes that follow the seed `rho`.
pub(super) fn matrix(keccak: Keccak, rho: &[u8; 32], indices: &[[u8; 2]], polys: &mut [Poly]) {
    for (indices, polys) in indices.chunks(8).zip(polys.chunks_mut(8)) {
        let mut states = [[0; 8]; 25];
        for (lane, index) in indices.iter().enumerate() {
            absorb(&mut states, lane, rho, u64::from(u16::from_le_bytes(*index)) | 0x1f << 16, RATE_128);
        }
        let mut have = [0; 8];
        // The seed is public: how many numbers are refused may show.
        while have[..polys.len()].iter().any(|have| *have < 256) {
            keccak.permute_many(&mut states, polys.len());
            for (lane, poly) in polys.iter_mut().enumerate() {
                let mut block = [0; RATE_128];
                squeeze(&states, lane, &mut block);
                have[lane] = below_q(&block, &mut poly.0, have[lane]);
            }
        }
    }
}

/// Appends the numbers below q, of 12 bits each, until there are 256; returns how many there are then.
fn below_q(bytes: &[u8; RATE_128], numbers: &mut [i16; 256], mut have: usize) -> usize {
    for [a, b, c] in bytes.as_chunks::<3>().0 {
        for number in [i16::from(*a) | i16::from(b & 15) << 8, i16::from(b >> 4) | i16::from(*c) << 4] {
            if number < Q && have < 256 {
                numbers[have] = number;
                have += 1;
            }
        }
    }
    have
}

/// Small polynomials of the seed `sigma`: number `first + i` with parameter `etas[i]`, 2 or 3.
pub(super) fn noise(keccak: Keccak, sigma: &[u8; 32], first: u8, etas: &[u8], polys: &mut [Poly]) {
    for (chunk, (etas, polys)) in etas.chunks(8).zip(polys.chunks_mut(8)).enumerate() {
        let mut states = Secret::<States>::blank();
        for lane in 0..etas.len() {
            let number = u64::from(first) + (8 * chunk + lane) as u64;
            absorb(&mut states.0, lane, sigma, number | 0x1f << 8, RATE_256);
        }
        // 64 bytes for each unit of the parameter: with 3 they are two blocks.
        let mut bytes = Secret([[0_u8; 2 * RATE_256]; 8]);
        for block in 0..if etas.contains(&3) { 2 } else { 1 } {
            keccak.permute_many(&mut states.0, etas.len());
            for lane in 0..etas.len() {
                squeeze(&states.0, lane, &mut bytes.0[lane][block * RATE_256..][..RATE_256]);
            }
        }
        for (lane, (eta, poly)) in etas.iter().zip(polys).enumerate() {
            match eta {
                2 => binomial_2(&bytes.0[lane][..128], poly),
                _ => binomial_3(&bytes.0[lane][..192], poly),
            }
        }
    }
}

/// Differences of two sums of two bits.
fn binomial_2(bytes: &[u8], poly: &mut Poly) {
    for (numbers, bytes) in poly.0.as_chunks_mut::<16>().0.iter_mut().zip(bytes.as_chunks::<8>().0) {
        let bits = u64::from_le_bytes(*bytes);
        let sums = (bits & 0x5555_5555_5555_5555) + (bits >> 1 & 0x5555_5555_5555_5555);
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = (sums >> (4 * i) & 3) as i16 - (sums >> (4 * i + 2) & 3) as i16;
        }
    }
}

/// Differences of two sums of three bits.
fn binomial_3(bytes: &[u8], poly: &mut Poly) {
    const EVERY_3: u64 = 0o1111_1111_1111_1111;
    for (numbers, [a, b, c, d, e, f]) in poly.0.as_chunks_mut::<8>().0.iter_mut().zip(bytes.as_chunks::<6>().0) {
        let bits = u64::from_le_bytes([*a, *b, *c, *d, *e, *f, 0, 0]);
        let sums = (bits & EVERY_3) + (bits >> 1 & EVERY_3) + (bits >> 2 & EVERY_3);
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = (sums >> (6 * i) & 7) as i16 - (sums >> (6 * i + 3) & 7) as i16;
        }
    }
}

/// A seed, what follows it with the domain bits, and the padding's last bit of a block of `rate` bytes.
fn absorb(states: &mut States, lane: usize, seed: &[u8; 32], rest: u64, rate: usize) {
    for (i, bytes) in seed.as_chunks::<8>().0.iter().enumerate() {
        states[i][lane] = u64::from_le_bytes(*bytes);
    }
    states[4][lane] = rest;
    states[rate / 8 - 1][lane] ^= 1 << 63;
}

/// The state's first bytes.
fn squeeze(states: &States, lane: usize, block: &mut [u8]) {
    for (i, bytes) in block.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        *bytes = states[i][lane].to_le_bytes();
    }
}
