//! Kalyna, DSTU 7624:2014: a block cipher with blocks of 16, 32 and 64 bytes, and its modes of operation.
//!
//! The names of the cipher are those of its designers' English specification (Oliynykov et al., "A New Encryption
//! Standard of Ukraine: The Kalyna Block Cipher", IACR ePrint 2015/650). The modes are the standard's own:
//!
//! | functions | in bytes, with blocks of l bytes | clause |
//! | --- | --- | --- |
//! | [`ecb_encrypt`], [`ecb_decrypt`] | | 6 |
//! | [`ctr`] | IV l | 7 |
//! | [`cfb_encrypt`], [`cfb_decrypt`] | IV l, step 1, 8, 16, 32 or 64 | 8 |
//! | [`cmac`] | tag 1 to l | 9 |
//! | [`cbc_encrypt`], [`cbc_decrypt`] | IV l | 10 |
//! | [`ofb`] | IV l | 11 |
//! | [`gcm_seal`], [`gcm_open`], [`gmac`] | IV l (GMAC has none), tag 8 to l | 12 |
//! | [`ccm_seal`], [`ccm_open`] | IV l, tag 8, 16, 32, 48 or 64 | 13 |
//! | [`xts_encrypt`], [`xts_decrypt`] | IV l | 14 |
//! | [`kw_wrap`], [`kw_unwrap`], [`kw_wrap_padded`], [`kw_unwrap_padded`] | | 15 |
//!
//! All numbers are little-endian. The standard counts in bits; the functions here take whole bytes. The data is
//! encrypted in place. If the input was changed, opening returns `false`, unwrapping returns `None`, and the data is
//! left unchanged.
//!
//! The standard's text on the modes was not available. They follow the examples of its annex В. Where the examples do
//! not decide, they follow what other implementations report of the text, and a comment says so.

mod ccm;
mod constants;
mod field;
mod gcm;
mod kw;
mod mac;
mod modes;
mod rounds;
mod xts;

pub use ccm::{ccm_open, ccm_seal};
pub use gcm::{gcm_open, gcm_seal, gmac};
pub use kw::{kw_unwrap, kw_unwrap_padded, kw_wrap, kw_wrap_padded};
pub use mac::cmac;
pub use modes::{cbc_decrypt, cbc_encrypt, cfb_decrypt, cfb_encrypt, ctr, ecb_decrypt, ecb_encrypt, ofb};
pub use xts::{xts_decrypt, xts_encrypt};

pub use constants::{PI, V, V_INVERSE};
use rounds::{add, inverse_round, round, subtract};

/// The sizes of block and key. The names give the bits of the block, then the bits of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Blocks of 16 bytes, keys of 16.
    K128_128,
    /// Blocks of 16 bytes, keys of 32.
    K128_256,
    /// Blocks of 32 bytes, keys of 32.
    K256_256,
    /// Blocks of 32 bytes, keys of 64.
    K256_512,
    /// Blocks of 64 bytes, keys of 64.
    K512_512,
}

impl Variant {
    /// All five variants.
    pub const ALL: [Self; 5] = [Self::K128_128, Self::K128_256, Self::K256_256, Self::K256_512, Self::K512_512];

    /// The bytes of a block.
    #[must_use]
    pub const fn block_len(self) -> usize {
        match self {
            Self::K128_128 | Self::K128_256 => 16,
            Self::K256_256 | Self::K256_512 => 32,
            Self::K512_512 => 64,
        }
    }

    /// The bytes of a key.
    #[must_use]
    pub const fn key_len(self) -> usize {
        match self {
            Self::K128_128 => 16,
            Self::K128_256 | Self::K256_256 => 32,
            Self::K256_512 | Self::K512_512 => 64,
        }
    }

    /// The number of rounds t.
    #[must_use]
    pub const fn rounds(self) -> usize {
        match self.key_len() {
            16 => 10,
            32 => 14,
            _ => 18,
        }
    }
}

/// Kalyna with a key.
pub struct Kalyna {
    variant: Variant,
    /// The round keys K<sub>0</sub> to K<sub>t</sub>, each of the size of a block.
    round_keys: Vec<Vec<u8>>,
}

impl Kalyna {
    /// The key schedule.
    ///
    /// # Panics
    ///
    /// If the key does not have [`Variant::key_len`] bytes.
    pub fn new(variant: Variant, key: &[u8]) -> Self {
        let expected = variant.key_len();
        assert!(key.len() == expected, "this Kalyna takes a key of {expected} bytes, not {}", key.len());
        let k_sigma = intermediate_key(variant, key);
        let mut round_keys = Vec::new();
        for i in (0..=variant.rounds()).step_by(2) {
            let even = even_round_key(variant, key, &k_sigma, i);
            let odd = odd_round_key(variant, &even);
            round_keys.extend([even, odd]);
        }
        round_keys.truncate(variant.rounds() + 1);
        Self { variant, round_keys }
    }

    /// The variant of this cipher.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Encrypts a block.
    ///
    /// # Panics
    ///
    /// If the block does not have [`Variant::block_len`] bytes.
    pub fn encrypt(&self, block: &mut [u8]) {
        self.check(block);
        let (first, middle, last) = self.parts();
        add(block, first);
        for k in middle {
            round(block);
            xor(block, k);
        }
        round(block);
        add(block, last);
    }

    /// Decrypts a block: applies the inverses of the steps of [`encrypt`](Self::encrypt) in reverse order.
    ///
    /// # Panics
    ///
    /// If the block does not have [`Variant::block_len`] bytes.
    pub fn decrypt(&self, block: &mut [u8]) {
        self.check(block);
        let (first, middle, last) = self.parts();
        subtract(block, last);
        inverse_round(block);
        for k in middle.iter().rev() {
            xor(block, k);
            inverse_round(block);
        }
        subtract(block, first);
    }

    /// The first round key, those in between, and the last one.
    fn parts(&self) -> (&[u8], &[Vec<u8>], &[u8]) {
        let [first, middle @ .., last] = &self.round_keys[..] else { unreachable!("there are 11 round keys or more") };
        (first, middle, last)
    }

    fn check(&self, block: &[u8]) {
        let expected = self.block_len();
        assert!(block.len() == expected, "this Kalyna takes blocks of {expected} bytes, not {}", block.len());
    }

    /// The bytes of a block, for the modes.
    fn block_len(&self) -> usize {
        self.variant.block_len()
    }

    /// T: returns the encrypted block, for the modes.
    fn t(&self, block: &[u8]) -> Vec<u8> {
        let mut block = block.to_vec();
        self.encrypt(&mut block);
        block
    }
}

/// The intermediate key K<sub>σ</sub> = Θ(K).
fn intermediate_key(variant: Variant, key: &[u8]) -> Vec<u8> {
    let l = variant.block_len();
    // K_α and K_ω are the halves of a key of two blocks; for a key of one block, both are the key.
    let (k_alpha, k_omega) = (&key[..l], &key[key.len() - l..]);
    let mut state = vec![0; l];
    // (l + k + 64) / 64, with l and k in bits.
    state[0] = ((l + key.len() + 8) / 8) as u8;
    two_rounds(&mut state, k_alpha, k_omega);
    round(&mut state);
    state
}

/// The round key K<sub>i</sub> for even i.
fn even_round_key(variant: Variant, key: &[u8], k_sigma: &[u8], i: usize) -> Vec<u8> {
    let l = variant.block_len();
    let mut phi = k_sigma.to_vec();
    // 0x0001 repeated, shifted by i / 2 bits to the left.
    let shifted = (1u16 << (i / 2)).to_le_bytes();
    add(&mut phi, &shifted.repeat(l / 2));

    // A key of one block is rotated by 32 i bits. A key of two blocks is rotated by 64 ⌊i / 4⌋ bits; the first half is
    // used if 4 divides i, otherwise the second.
    let one_block = key.len() == l;
    let mut key = key.to_vec();
    let words = if one_block { i / 2 } else { i / 4 };
    let bytes = 8 * words % key.len();
    key.rotate_left(bytes);
    let mut state = if one_block || i.is_multiple_of(4) { key[..l].to_vec() } else { key[l..].to_vec() };
    two_rounds(&mut state, &phi, &phi);
    state
}

/// The sequence of steps used throughout the key schedule: η with α, a round, κ with ω, a round, η with α.
fn two_rounds(state: &mut [u8], alpha: &[u8], omega: &[u8]) {
    add(state, alpha);
    round(state);
    xor(state, omega);
    round(state);
    add(state, alpha);
}

/// The round key K<sub>i+1</sub> for even i: K<sub>i</sub> rotated by l / 4 + 24 bits.
fn odd_round_key(variant: Variant, even: &[u8]) -> Vec<u8> {
    let mut odd = even.to_vec();
    odd.rotate_left(variant.block_len() / 4 + 3);
    odd
}

/// XORs a string with another, or with as much of it as there is room for. With a round key this is κ.
fn xor(to: &mut [u8], other: &[u8]) {
    for (byte, other) in to.iter_mut().zip(other) {
        *byte ^= other;
    }
}

/// The padding of annex Б.2 for data that is not whole blocks of `l` bytes: a one bit, then zeros to the end of the
/// block.
fn padded(data: &[u8], l: usize) -> Vec<u8> {
    let mut padded = data.to_vec();
    if !data.len().is_multiple_of(l) {
        padded.push(0x80);
        padded.resize(padded.len().next_multiple_of(l), 0);
    }
    padded
}
