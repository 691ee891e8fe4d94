//! SM4: a block cipher with blocks and keys of 16 bytes, and its modes of operation.
//!
//! The cipher follows GB/T 32907-2016; names and sections are those of its English text, draft-ribose-cfrg-sm4-10
//! (April 2018). The modes follow documents of their own, which apply to any block cipher of this size:
//!
//! | functions | in bytes, beside the key's 16 | document |
//! | --- | --- | --- |
//! | [`ecb_encrypt`], [`ecb_decrypt`] | | NIST SP 800-38A (December 2001), section 6.1 |
//! | [`cbc_encrypt`], [`cbc_decrypt`] | IV 16 | NIST SP 800-38A, section 6.2 |
//! | [`ctr`] | first counter block 16 | NIST SP 800-38A, section 6.5 |
//! | [`xts_encrypt`], [`xts_decrypt`] | a second key 16, tweak 16 | IEEE 1619-2018, section 5 |
//! | [`xts_gb_encrypt`], [`xts_gb_decrypt`] | a second key 16, tweak 16 | GB/T 17964-2021 |
//! | [`gcm_seal`], [`gcm_open`] | nonce 1 or more, tag 16 | NIST SP 800-38D (November 2007), section 7 |
//! | [`ccm_seal`], [`ccm_open`] | nonce 7 to 13, tag 16 | NIST SP 800-38C (May 2004), section 6 |
//!
//! RFC 8998 (March 2021) defines GCM and CCM for TLS, with nonces of 12 bytes. The data is encrypted in place. If the
//! tag is wrong, opening returns `false` and leaves the data unchanged.

mod ccm;
mod gcm;
mod modes;
mod xts;

pub use ccm::{ccm_open, ccm_seal};
pub use gcm::{gcm_open, gcm_seal};
pub use modes::{cbc_decrypt, cbc_encrypt, ctr, ecb_decrypt, ecb_encrypt};
pub use xts::{xts_decrypt, xts_encrypt, xts_gb_decrypt, xts_gb_encrypt};

/// The bytes of a block.
const BLOCK: usize = 16;

/// The family key FK, section 7.3.1.
const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The S-box, section 6.2.3: the high four bits of a byte select the row, the low four bits the column.
#[rustfmt::skip]
pub const S: [[u8; 16]; 16] = [
    [0xd6, 0x90, 0xe9, 0xfe, 0xcc, 0xe1, 0x3d, 0xb7, 0x16, 0xb6, 0x14, 0xc2, 0x28, 0xfb, 0x2c, 0x05],
    [0x2b, 0x67, 0x9a, 0x76, 0x2a, 0xbe, 0x04, 0xc3, 0xaa, 0x44, 0x13, 0x26, 0x49, 0x86, 0x06, 0x99],
    [0x9c, 0x42, 0x50, 0xf4, 0x91, 0xef, 0x98, 0x7a, 0x33, 0x54, 0x0b, 0x43, 0xed, 0xcf, 0xac, 0x62],
    [0xe4, 0xb3, 0x1c, 0xa9, 0xc9, 0x08, 0xe8, 0x95, 0x80, 0xdf, 0x94, 0xfa, 0x75, 0x8f, 0x3f, 0xa6],
    [0x47, 0x07, 0xa7, 0xfc, 0xf3, 0x73, 0x17, 0xba, 0x83, 0x59, 0x3c, 0x19, 0xe6, 0x85, 0x4f, 0xa8],
    [0x68, 0x6b, 0x81, 0xb2, 0x71, 0x64, 0xda, 0x8b, 0xf8, 0xeb, 0x0f, 0x4b, 0x70, 0x56, 0x9d, 0x35],
    [0x1e, 0x24, 0x0e, 0x5e, 0x63, 0x58, 0xd1, 0xa2, 0x25, 0x22, 0x7c, 0x3b, 0x01, 0x21, 0x78, 0x87],
    [0xd4, 0x00, 0x46, 0x57, 0x9f, 0xd3, 0x27, 0x52, 0x4c, 0x36, 0x02, 0xe7, 0xa0, 0xc4, 0xc8, 0x9e],
    [0xea, 0xbf, 0x8a, 0xd2, 0x40, 0xc7, 0x38, 0xb5, 0xa3, 0xf7, 0xf2, 0xce, 0xf9, 0x61, 0x15, 0xa1],
    [0xe0, 0xae, 0x5d, 0xa4, 0x9b, 0x34, 0x1a, 0x55, 0xad, 0x93, 0x32, 0x30, 0xf5, 0x8c, 0xb1, 0xe3],
    [0x1d, 0xf6, 0xe2, 0x2e, 0x82, 0x66, 0xca, 0x60, 0xc0, 0x29, 0x23, 0xab, 0x0d, 0x53, 0x4e, 0x6f],
    [0xd5, 0xdb, 0x37, 0x45, 0xde, 0xfd, 0x8e, 0x2f, 0x03, 0xff, 0x6a, 0x72, 0x6d, 0x6c, 0x5b, 0x51],
    [0x8d, 0x1b, 0xaf, 0x92, 0xbb, 0xdd, 0xbc, 0x7f, 0x11, 0xd9, 0x5c, 0x41, 0x1f, 0x10, 0x5a, 0xd8],
    [0x0a, 0xc1, 0x31, 0x88, 0xa5, 0xcd, 0x7b, 0xbd, 0x2d, 0x74, 0xd0, 0x12, 0xb8, 0xe5, 0xb4, 0xb0],
    [0x89, 0x69, 0x97, 0x4a, 0x0c, 0x96, 0x77, 0x7e, 0x65, 0xb9, 0xf1, 0x09, 0xc5, 0x6e, 0xc6, 0x84],
    [0x18, 0xf0, 0x7d, 0xec, 0x3a, 0xdc, 0x4d, 0x20, 0x79, 0xee, 0x5f, 0x3e, 0xd7, 0xcb, 0x39, 0x48],
];

/// SM4 with a key.
pub struct Sm4 {
    /// The round keys rk<sub>0</sub> to rk<sub>31</sub>.
    rk: [u32; 32],
}

impl Sm4 {
    /// The key expansion algorithm, section 7.3.
    pub fn new(key: &[u8; 16]) -> Self {
        let mk = words(key);
        let mut k: [u32; 4] = std::array::from_fn(|i| mk[i] ^ FK[i]);
        let rk = std::array::from_fn(|i| {
            let next = k[0] ^ t_prime(k[1] ^ k[2] ^ k[3] ^ ck(i));
            k = [k[1], k[2], k[3], next];
            next
        });
        Self { rk }
    }

    /// Encrypts a block, section 7.1.
    pub fn encrypt(&self, block: &mut [u8; 16]) {
        rounds(self.rk.iter(), block);
    }

    /// Decrypts a block, section 7.2: encrypts with the round keys in reverse order.
    pub fn decrypt(&self, block: &mut [u8; 16]) {
        rounds(self.rk.iter().rev(), block);
    }

    /// Returns the encrypted block, for the modes.
    fn e(&self, mut block: [u8; 16]) -> [u8; 16] {
        self.encrypt(&mut block);
        block
    }
}

/// The rounds F(X<sub>0</sub>, X<sub>1</sub>, X<sub>2</sub>, X<sub>3</sub>, rk), section 6.1, and the reverse
/// transformation R.
fn rounds<'a>(round_keys: impl Iterator<Item = &'a u32>, block: &mut [u8; 16]) {
    let mut x = words(block);
    for rk in round_keys {
        x = [x[1], x[2], x[3], x[0] ^ t(x[1] ^ x[2] ^ x[3] ^ rk)];
    }
    x.reverse();
    for (bytes, word) in block.as_chunks_mut().0.iter_mut().zip(x) {
        *bytes = word.to_be_bytes();
    }
}

/// The permutation T, section 6.2: τ, then the linear transformation L.
fn t(x: u32) -> u32 {
    let b = tau(x);
    b ^ b.rotate_left(2) ^ b.rotate_left(10) ^ b.rotate_left(18) ^ b.rotate_left(24)
}

/// T′ of the key expansion, section 7.3: τ, then the linear transformation L′.
fn t_prime(x: u32) -> u32 {
    let b = tau(x);
    b ^ b.rotate_left(13) ^ b.rotate_left(23)
}

/// τ: applies the S-box to each byte.
fn tau(x: u32) -> u32 {
    u32::from_be_bytes(x.to_be_bytes().map(|a| S[usize::from(a >> 4)][usize::from(a & 15)]))
}

/// The constant key CK<sub>i</sub>, section 7.3.2: its byte j is 7 (4 i + j) modulo 256.
fn ck(i: usize) -> u32 {
    u32::from_be_bytes(std::array::from_fn(|j| (7 * (4 * i + j)) as u8))
}

/// Reads a block or a key as big-endian words.
fn words(bytes: &[u8; 16]) -> [u32; 4] {
    std::array::from_fn(|i| u32::from_be_bytes(bytes.as_chunks().0[i]))
}

/// XORs data with a block, or with as much of it as there is data.
fn add(to: &mut [u8], block: &[u8]) {
    for (byte, other) in to.iter_mut().zip(block) {
        *byte ^= other;
    }
}
