//! GCM, NIST SP 800-38D (November 2007), with tags of 16 bytes, for any cipher with blocks of 16 bytes.

use crate::ghash::ghash;

/// Bytes of a block.
const BLOCK: usize = 16;

/// The steps that algorithms 4 and 5 share.
pub(crate) struct Gcm<E> {
    /// The cipher of one block.
    cipher: E,
    /// The hash subkey H.
    h: [u8; BLOCK],
    /// The pre-counter block J<sub>0</sub>.
    j0: [u8; BLOCK],
}

impl<E: Fn([u8; BLOCK]) -> [u8; BLOCK]> Gcm<E> {
    /// Steps 1 and 2.
    pub(crate) fn new(cipher: E, nonce: &[u8], data: &[u8]) -> Self {
        assert!(!nonce.is_empty(), "GCM takes a nonce of one byte or more");
        assert!(data.len() as u64 <= (1 << 36) - 32, "GCM takes at most 2^36 - 32 bytes, not {}", data.len());
        let h = cipher([0; BLOCK]);
        let j0 = match nonce.try_into() {
            Ok(nonce) => initial(nonce),
            Err(_) => hash(&h, &[], nonce),
        };
        Self { cipher, h, j0 }
    }

    /// Step 3: GCTR with counter blocks that begin at inc<sub>32</sub>(J<sub>0</sub>).
    pub(crate) fn gctr_data(&self, data: &mut [u8]) {
        self.gctr(inc_32(self.j0), data);
    }

    /// Steps 4 to 6: the tag over associated data and ciphertext.
    pub(crate) fn tag(&self, aad: &[u8], c: &[u8]) -> [u8; BLOCK] {
        let mut s = hash(&self.h, aad, c);
        self.gctr(self.j0, &mut s);
        s
    }

    /// GCTR<sub>K</sub>(ICB, X), section 6.5.
    fn gctr(&self, icb: [u8; BLOCK], x: &mut [u8]) {
        let mut cb = icb;
        for block in x.chunks_mut(BLOCK) {
            block.iter_mut().zip((self.cipher)(cb)).for_each(|(byte, o)| *byte ^= o);
            cb = inc_32(cb);
        }
    }
}

/// J<sub>0</sub> for a nonce of 96 bits: the nonce, then a 32-bit counter of 1.
fn initial(nonce: &[u8; 12]) -> [u8; BLOCK] {
    let mut j0 = [0; BLOCK];
    j0[..12].copy_from_slice(nonce);
    j0[15] = 1;
    j0
}

/// GHASH of both strings, each padded with zeros to whole blocks, followed by their lengths in bits, 64 bits each.
///
/// For a nonce of another length, J<sub>0</sub> is this function of an empty string and the nonce.
fn hash(h: &[u8; BLOCK], a: &[u8], c: &[u8]) -> [u8; BLOCK] {
    let mut blocks = Vec::new();
    for part in [a, c] {
        blocks.extend(part);
        blocks.resize(blocks.len().next_multiple_of(BLOCK), 0);
    }
    for part in [a, c] {
        blocks.extend((8 * part.len() as u64).to_be_bytes());
    }
    ghash(h, &blocks)
}

/// inc<sub>32</sub>, section 6.2: increments the last 32 bits modulo 2<sup>32</sup>.
fn inc_32(x: [u8; BLOCK]) -> [u8; BLOCK] {
    let x = u128::from_be_bytes(x);
    let low = (x as u32).wrapping_add(1);
    (x >> 32 << 32 | u128::from(low)).to_be_bytes()
}
