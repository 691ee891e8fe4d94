//! SM3, a hash function with a digest of 32 bytes, and HMAC-SM3.
//!
//! It follows GB/T 32905-2016; names, steps and sections are those of its English text, draft-sca-cfrg-sm3-02 (January
//! 2018). HMAC is that of RFC 2104. Messages are whole bytes.

/// The bytes of a message block.
const BLOCK: usize = 64;

/// The initial value, section 4.1.
const IV: [u32; 8] =
    [0x7380_166f, 0x4914_b2b9, 0x1724_42d7, 0xda8a_0600, 0xa96f_30bc, 0x1631_38aa, 0xe38d_ee4d, 0xb0fb_0e4e];

/// Computes the 32-byte digest of a message, section 5.
pub fn sm3(message: &[u8]) -> [u8; 32] {
    let mut v = IV;
    for b in pad(message).as_chunks().0 {
        v = cf(v, b);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(v) {
        *bytes = word.to_be_bytes();
    }
    digest
}

/// Section 5.2: appends a bit 1, zeros to 64 bits before the end of a block, and the message's length in bits as 64
/// bits.
fn pad(message: &[u8]) -> Vec<u8> {
    let mut padded = [message, &[0x80]].concat();
    padded.resize((padded.len() + 8).next_multiple_of(BLOCK) - 8, 0);
    padded.extend((8 * message.len() as u64).to_be_bytes());
    padded
}

/// The compression function, section 5.3.3.
fn cf(v: [u32; 8], b: &[u8; BLOCK]) -> [u32; 8] {
    let (w, w1) = expand(b);
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..64 {
        let ss1 = a.rotate_left(12).wrapping_add(e).wrapping_add(t(j).rotate_left(j as u32 % 32)).rotate_left(7);
        let ss2 = ss1 ^ a.rotate_left(12);
        let tt1 = ff(j, a, b, c).wrapping_add(d).wrapping_add(ss2).wrapping_add(w1[j]);
        let tt2 = gg(j, e, f, g).wrapping_add(h).wrapping_add(ss1).wrapping_add(w[j]);
        d = c;
        c = b.rotate_left(9);
        b = a;
        a = tt1;
        h = g;
        g = f.rotate_left(19);
        f = e;
        e = p0(tt2);
    }
    let mut next = [a, b, c, d, e, f, g, h];
    for (word, before) in next.iter_mut().zip(v) {
        *word ^= before;
    }
    next
}

/// The message expansion, section 5.3.2: the words W<sub>0</sub> to W<sub>67</sub> and W′<sub>0</sub> to
/// W′<sub>63</sub>.
fn expand(b: &[u8; BLOCK]) -> ([u32; 68], [u32; 64]) {
    let mut w = [0; 68];
    for (word, bytes) in w.iter_mut().zip(b.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for j in 16..68 {
        let x = w[j - 16] ^ w[j - 9] ^ w[j - 3].rotate_left(15);
        w[j] = p1(x) ^ w[j - 13].rotate_left(7) ^ w[j - 6];
    }
    let w1 = std::array::from_fn(|j| w[j] ^ w[j + 4]);
    (w, w1)
}

/// The constant T<sub>j</sub>, section 4.2.
fn t(j: usize) -> u32 {
    if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a }
}

/// The boolean function FF<sub>j</sub>, section 4.3.
fn ff(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 { x ^ y ^ z } else { (x & y) | (x & z) | (y & z) }
}

/// The boolean function GG<sub>j</sub>, section 4.3.
fn gg(j: usize, x: u32, y: u32, z: u32) -> u32 {
    if j < 16 { x ^ y ^ z } else { (x & y) | (!x & z) }
}

/// The permutation P<sub>0</sub>, section 4.4.
fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

/// The permutation P<sub>1</sub>, section 4.4.
fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

/// Computes the 32-byte HMAC-SM3 of a message, RFC 2104 (February 1997), section 2, with a key of any length.
pub fn hmac_sm3(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut k = if key.len() > BLOCK { sm3(key).to_vec() } else { key.to_vec() };
    k.resize(BLOCK, 0);
    let ipad: Vec<u8> = k.iter().map(|byte| byte ^ 0x36).collect();
    let opad: Vec<u8> = k.iter().map(|byte| byte ^ 0x5c).collect();
    let inner = sm3(&[&ipad, message].concat());
    sm3(&[&opad[..], &inner].concat())
}
