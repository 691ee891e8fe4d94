//! SHA3-256 and SHAKE256 of secrets that fit into one block. The state is erased, whatever the crate's features.

use super::kernels::Keccak;
use super::parameters::RATE_256;
use super::sponge::{copy_bytes, xor_byte, xor_bytes};
use zeroize::Zeroizing;

/// SHA3-256 of the concatenation of `parts`, which must be shorter than a block of 136 bytes.
pub(crate) fn sha3_256_block(keccak: Keccak, parts: &[&[u8]], digest: &mut [u8; 32]) {
    block(keccak, parts, 0x06, digest);
}

/// The first bytes, at most 136, of SHAKE256 of a message that is shorter than a block of 136 bytes.
pub(crate) fn shake256_block(keccak: Keccak, message: &[u8], out: &mut [u8]) {
    block(keccak, &[message], 0x1f, out);
}

fn block(keccak: Keccak, parts: &[&[u8]], suffix: u8, out: &mut [u8]) {
    let mut state = Zeroizing::new([0; 25]);
    let mut position = 0;
    for part in parts {
        xor_bytes(&mut state, position, part);
        position += part.len();
    }
    assert!(position < RATE_256 && out.len() <= RATE_256, "one block");
    xor_byte(&mut state, position, suffix);
    xor_byte(&mut state, RATE_256 - 1, 0x80);
    keccak.permute::<24>(&mut state);
    copy_bytes(&state, 0, out);
}
