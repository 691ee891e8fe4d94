//! Threefish: a tweakable block cipher on blocks of 32, 64 or 128 bytes, with keys of the same size.
//!
//! It follows "The Skein Hash Function Family", version 1.3 (October 2010), section 3.3. Names and steps are those of
//! the document: a block is N<sub>w</sub> = `WORDS` words of 64 bits, which section 3.2 (`ToInt`,
//! `BytesToWords`) reads from little-endian bytes.

/// The constant C240 of the key schedule, which ensures that a key of zeros does not give subkeys of zeros.
const C240: u64 = 0x1bd1_1bda_a9fc_1a22;

/// The rotation constants R<sub>d, j</sub> of table 4 for four words, `[d mod 8][j]`.
const ROTATIONS_4: [[u32; 2]; 8] = [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];

/// The rotation constants of table 4 for eight words.
const ROTATIONS_8: [[u32; 4]; 8] = [
    [46, 36, 19, 37],
    [33, 27, 14, 42],
    [17, 49, 36, 39],
    [44, 9, 54, 56],
    [39, 30, 34, 24],
    [13, 50, 10, 17],
    [25, 29, 39, 43],
    [8, 35, 56, 22],
];

/// The rotation constants of table 4 for sixteen words.
const ROTATIONS_16: [[u32; 8]; 8] = [
    [24, 13, 8, 47, 8, 17, 22, 37],
    [38, 19, 10, 55, 49, 18, 23, 52],
    [33, 4, 51, 13, 34, 41, 59, 17],
    [5, 20, 48, 41, 47, 28, 16, 25],
    [41, 9, 37, 31, 12, 47, 44, 30],
    [16, 34, 56, 51, 4, 53, 42, 41],
    [31, 44, 47, 46, 19, 42, 44, 25],
    [9, 48, 35, 52, 23, 31, 37, 20],
];

/// Threefish with a key and a tweak, on blocks of 256, 512 or 1024 bits for `WORDS` = 4, 8 or 16.
///
/// Any other number of words is a compile-time error.
pub struct Threefish<const WORDS: usize> {
    /// k<sub>s, i</sub>: one subkey before every four rounds, and one after the last.
    subkeys: Vec<[u64; WORDS]>,
}

impl<const WORDS: usize> Threefish<WORDS> {
    /// The number of rounds N<sub>r</sub>, table 2.
    const ROUNDS: usize = match WORDS {
        4 | 8 => 72,
        16 => 80,
        _ => panic!("Threefish has blocks of 4, 8 or 16 words"),
    };

    /// The word permutation π of table 3.
    const PERMUTATION: &[usize] = match WORDS {
        4 => &[0, 3, 2, 1],
        8 => &[2, 1, 4, 7, 6, 5, 0, 3],
        _ => &[0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1],
    };

    /// The key schedule, section 3.3.2.
    pub fn new(key: &[u64; WORDS], tweak: [u64; 2]) -> Self {
        let k_nw = key.iter().fold(C240, |sum, word| sum ^ word);
        let k = [&key[..], &[k_nw]].concat();
        let t = [tweak[0], tweak[1], tweak[0] ^ tweak[1]];
        let subkey = |s: usize| {
            let mut subkey = [0; WORDS];
            for i in 0..WORDS {
                let addend = match WORDS - i {
                    3 => t[s % 3],
                    2 => t[(s + 1) % 3],
                    1 => s as u64,
                    _ => 0,
                };
                subkey[i] = k[(s + i) % (WORDS + 1)].wrapping_add(addend);
            }
            subkey
        };
        Self { subkeys: (0..=Self::ROUNDS / 4).map(subkey).collect() }
    }

    /// Encrypts a block, section 3.3.
    pub fn encrypt(&self, block: &mut [u64; WORDS]) {
        for d in 0..Self::ROUNDS {
            if d % 4 == 0 {
                self.add_subkey(d / 4, block);
            }
            let mut f = *block;
            for j in 0..WORDS / 2 {
                [f[2 * j], f[2 * j + 1]] = mix([f[2 * j], f[2 * j + 1]], Self::rotation(d, j));
            }
            for i in 0..WORDS {
                block[i] = f[Self::PERMUTATION[i]];
            }
        }
        self.add_subkey(Self::ROUNDS / 4, block);
    }

    /// Decrypts a block: applies the inverses of the steps of [`encrypt`](Self::encrypt) in reverse order.
    pub fn decrypt(&self, block: &mut [u64; WORDS]) {
        self.subtract_subkey(Self::ROUNDS / 4, block);
        for d in (0..Self::ROUNDS).rev() {
            let mut f = *block;
            for i in 0..WORDS {
                f[Self::PERMUTATION[i]] = block[i];
            }
            for j in 0..WORDS / 2 {
                [block[2 * j], block[2 * j + 1]] = unmix([f[2 * j], f[2 * j + 1]], Self::rotation(d, j));
            }
            if d % 4 == 0 {
                self.subtract_subkey(d / 4, block);
            }
        }
    }

    fn add_subkey(&self, s: usize, block: &mut [u64; WORDS]) {
        for (v, k) in block.iter_mut().zip(self.subkeys[s]) {
            *v = v.wrapping_add(k);
        }
    }

    fn subtract_subkey(&self, s: usize, block: &mut [u64; WORDS]) {
        for (v, k) in block.iter_mut().zip(self.subkeys[s]) {
            *v = v.wrapping_sub(k);
        }
    }

    /// R<sub>d mod 8, j</sub>: the rotation of the j-th MIX of round d in bits.
    fn rotation(d: usize, j: usize) -> u32 {
        match WORDS {
            4 => ROTATIONS_4[d % 8][j],
            8 => ROTATIONS_8[d % 8][j],
            _ => ROTATIONS_16[d % 8][j],
        }
    }
}

/// MIX, section 3.3.1.
fn mix([x0, x1]: [u64; 2], rotation: u32) -> [u64; 2] {
    let y0 = x0.wrapping_add(x1);
    [y0, x1.rotate_left(rotation) ^ y0]
}

/// The inverse of MIX.
fn unmix([y0, y1]: [u64; 2], rotation: u32) -> [u64; 2] {
    let x1 = (y1 ^ y0).rotate_right(rotation);
    [y0.wrapping_sub(x1), x1]
}

/// Threefish-512 in counter mode with a tweak of zeros: XORs `data` with the keystream.
///
/// The first word of `iv` is the counter, modulo 2<sup>64</sup>; block i of the keystream is the encryption of `iv`
/// with i added to that word. No document specifies this mode: it is CTR of NIST SP 800-38A (December 2001, section
/// 6.5) with the counter first and little-endian, as Threefish reads its words. The crate `ctr` calls it `Ctr64LE`.
pub fn threefish512_ctr(key: &[u8; 64], iv: &[u8; 64], data: &mut [u8]) {
    let cipher = Threefish::new(&words(key), [0; 2]);
    let iv = words(iv);
    for (i, block) in data.chunks_mut(64).enumerate() {
        let mut keystream = iv;
        keystream[0] = iv[0].wrapping_add(i as u64);
        cipher.encrypt(&mut keystream);
        for (byte, key) in block.iter_mut().zip(keystream.iter().flat_map(|word| word.to_le_bytes())) {
            *byte ^= key;
        }
    }
}

/// `BytesToWords`, section 3.2.
fn words(bytes: &[u8; 64]) -> [u64; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    words
}
