//! AES-256, FIPS 197 (update 1, May 2023), its counter mode, NIST SP 800-38A, and GCM, SP 800-38D. The race measures
//! other ciphers against it; the library has no AES.

use crate::gcm::Gcm;

/// Bytes of a block.
pub const BLOCK: usize = 16;

/// Words of a key, and rounds, of AES-256.
const NK: usize = 8;
const NR: usize = 14;

/// Four columns of four bytes: byte `r` of column `c` is at `4 c + r`.
type State = [u8; BLOCK];

/// AES-256 with an expanded key.
pub struct Aes256 {
    /// The round keys.
    w: [State; NR + 1],
}

impl Aes256 {
    /// `KeyExpansion`, algorithm 2.
    pub fn new(key: &[u8; 4 * NK]) -> Self {
        let mut w = key.as_chunks::<4>().0.to_vec();
        let mut rcon = 1;
        for i in NK..4 * (NR + 1) {
            let mut temp = w[i - 1];
            if i % NK == 0 {
                temp.rotate_left(1);
                temp = temp.map(sbox);
                temp[0] ^= rcon;
                rcon = xtimes(rcon);
            } else if i % NK == 4 {
                temp = temp.map(sbox);
            }
            w.push(std::array::from_fn(|j| w[i - NK][j] ^ temp[j]));
        }
        Self { w: std::array::from_fn(|round| std::array::from_fn(|i| w[4 * round + i / 4][i % 4])) }
    }

    /// `Cipher`, algorithm 1.
    pub fn encrypt(&self, state: &mut State) {
        add_round_key(state, &self.w[0]);
        for round in 1..NR {
            *state = mix_columns(&shift_rows(&state.map(sbox)));
            add_round_key(state, &self.w[round]);
        }
        *state = shift_rows(&state.map(sbox));
        add_round_key(state, &self.w[NR]);
    }
}

/// AES-256 in counter mode, SP 800-38A, section 6.5: encrypts or decrypts `data`. The counter is the whole block, most
/// significant byte first.
pub fn ctr(key: &[u8; 32], counter: &[u8; BLOCK], data: &mut [u8]) {
    let cipher = Aes256::new(key);
    let mut t = u128::from_be_bytes(*counter);
    for block in data.chunks_mut(BLOCK) {
        let mut o = t.to_be_bytes();
        cipher.encrypt(&mut o);
        block.iter_mut().zip(o).for_each(|(byte, o)| *byte ^= o);
        t = t.wrapping_add(1);
    }
}

/// AES-256-GCM, SP 800-38D, section 7.1: encrypts `data` and returns the tag of 16 bytes.
///
/// # Panics
///
/// If the nonce is empty, or the data longer than 2<sup>36</sup> - 32 bytes.
pub fn gcm_seal(key: &[u8; 32], nonce: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; BLOCK] {
    let cipher = Aes256::new(key);
    let encrypt = |mut block| {
        cipher.encrypt(&mut block);
        block
    };
    let gcm = Gcm::new(encrypt, nonce, data);
    gcm.gctr_data(data);
    gcm.tag(aad, data)
}

/// `SubBytes` of one byte, section 5.1.1.
fn sbox(b: u8) -> u8 {
    SBOX[usize::from(b)]
}

/// The S-box: the inverse in GF(2<sup>8</sup>), which is the power of 254, then an affine map.
const SBOX: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        let mut inverse = 1;
        let mut power = 0;
        while power < 254 {
            inverse = times(inverse, b as u8);
            power += 1;
        }
        let turned = inverse.rotate_left(1) ^ inverse.rotate_left(2) ^ inverse.rotate_left(3) ^ inverse.rotate_left(4);
        table[b] = 0x63 ^ inverse ^ turned;
        b += 1;
    }
    table
};

/// `ShiftRows`, section 5.1.2: row `r` turns left by `r` columns.
fn shift_rows(s: &State) -> State {
    std::array::from_fn(|i| s[(i + 4 * (i % 4)) % BLOCK])
}

/// `MixColumns`, section 5.1.3.
fn mix_columns(s: &State) -> State {
    let a = |i: usize, down: usize| s[i / 4 * 4 + (i + down) % 4];
    std::array::from_fn(|i| times(2, a(i, 0)) ^ times(3, a(i, 1)) ^ a(i, 2) ^ a(i, 3))
}

/// `AddRoundKey`, section 5.1.4.
fn add_round_key(state: &mut State, w: &State) {
    state.iter_mut().zip(w).for_each(|(byte, w)| *byte ^= w);
}

/// `xTimes`, section 4.2: multiplication by x modulo x<sup>8</sup> + x<sup>4</sup> + x<sup>3</sup> + x + 1.
const fn xtimes(b: u8) -> u8 {
    b << 1 ^ if b & 0x80 != 0 { 0x1b } else { 0 }
}

/// The product in GF(2<sup>8</sup>).
const fn times(a: u8, mut b: u8) -> u8 {
    let (mut product, mut i) = (0, 0);
    while i < 8 {
        if a >> i & 1 == 1 {
            product ^= b;
        }
        b = xtimes(b);
        i += 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex<const N: usize>(text: &str) -> [u8; N] {
        std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal digits"))
    }

    /// Appendix C.3 of the 2001 edition.
    #[test]
    fn the_standard_s_example() {
        let mut block = hex("00112233445566778899aabbccddeeff");
        Aes256::new(&std::array::from_fn(|i| i as u8)).encrypt(&mut block);
        assert_eq!(block, hex("8ea2b7ca516745bfeafc49904b496089"));
    }

    /// SP 800-38A, F.5.5.
    #[test]
    fn counter_mode_s_example() {
        let key = hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
        let mut data: [u8; 64] = hex(concat!(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
            "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
        ));
        ctr(&key, &hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), &mut data);
        let right: [u8; 64] = hex(concat!(
            "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5",
            "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
        ));
        assert_eq!(data, right);
    }

    /// Test case 16 of the specification by McGrew and Viega.
    #[test]
    fn gcm_s_example() {
        let key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
        let mut data: [u8; 60] = hex(concat!(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72",
            "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        ));
        let aad: [u8; 20] = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
        let tag = gcm_seal(&key, &hex::<12>("cafebabefacedbaddecaf888"), &aad, &mut data);
        let right: [u8; 60] = hex(concat!(
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa",
            "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
        ));
        assert_eq!(data, right);
        assert_eq!(tag, hex("76fc6ece0f4e1768cddf8853bb2d551b"));
    }
}
