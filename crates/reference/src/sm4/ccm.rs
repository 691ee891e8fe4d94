//! CCM, NIST SP 800-38C (May 2004), with tags of 16 bytes and the formatting of its appendix A.

use super::{BLOCK, Sm4, add};

/// `AEAD_SM4_CCM`, section 6.1: encrypts `data` and returns the tag.
///
/// # Panics
///
/// If the nonce does not have 7 to 13 bytes, or if the length of the data does not fit in 15 - n bytes, where n is the
/// length of the nonce: with a nonce of 12 bytes, the data must be shorter than 2<sup>24</sup> bytes.
pub fn ccm_seal(key: &[u8; 16], nonce: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    let cipher = Sm4::new(key);
    let tag = tag(&cipher, nonce, aad, data);
    counter_mode(&cipher, nonce, data);
    tag
}

/// Section 6.2: decrypts `data` if the tag is the one of [`ccm_seal`], and returns whether it is.
///
/// # Panics
///
/// As [`ccm_seal`].
#[must_use]
pub fn ccm_open(key: &[u8; 16], nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
    let cipher = Sm4::new(key);
    let mut payload = data.to_vec();
    counter_mode(&cipher, nonce, &mut payload);
    let right = self::tag(&cipher, nonce, aad, &payload) == *tag;
    if right {
        data.copy_from_slice(&payload);
    }
    right
}

/// Steps 1 to 4, and the tag of step 8: the CBC-MAC of the formatted blocks, plus S<sub>0</sub>.
fn tag(cipher: &Sm4, nonce: &[u8], aad: &[u8], payload: &[u8]) -> [u8; BLOCK] {
    let mut y = [0; BLOCK];
    for b in format(nonce, aad, payload).chunks(BLOCK) {
        add(&mut y, b);
        cipher.encrypt(&mut y);
    }
    add(&mut y, &cipher.e(ctr(nonce, 0)));
    y
}

/// Steps 5 to 8: XORs the payload with S<sub>1</sub>, S<sub>2</sub> …
fn counter_mode(cipher: &Sm4, nonce: &[u8], payload: &mut [u8]) {
    for (i, block) in (1..).zip(payload.chunks_mut(BLOCK)) {
        add(block, &cipher.e(ctr(nonce, i)));
    }
}

/// The formatting function, appendices A.2.1 to A.2.3: B<sub>0</sub>, then the associated data with its length, then
/// the payload, each padded with zeros to whole blocks.
fn format(nonce: &[u8], aad: &[u8], payload: &[u8]) -> Vec<u8> {
    let adata = u8::from(!aad.is_empty());
    let t = BLOCK as u8;
    let flags = (adata << 6) | ((t - 2) / 2) << 3;
    let mut blocks = numbered(flags, nonce, payload.len() as u64).to_vec();
    let a = aad.len() as u64;
    match a {
        0 => {}
        1..0xff00 => blocks.extend((a as u16).to_be_bytes()),
        0xff00..0x1_0000_0000 => blocks.extend([&[0xff, 0xfe], &(a as u32).to_be_bytes()[..]].concat()),
        _ => blocks.extend([&[0xff, 0xff], &a.to_be_bytes()[..]].concat()),
    }
    for part in [aad, payload] {
        blocks.extend(part);
        blocks.resize(blocks.len().next_multiple_of(BLOCK), 0);
    }
    blocks
}

/// The counter block Ctr<sub>i</sub>, appendix A.3.
fn ctr(nonce: &[u8], i: u64) -> [u8; BLOCK] {
    numbered(0, nonce, i)
}

/// The format that B<sub>0</sub> and the counter blocks share: flags with q - 1 in the low bits, the nonce of n bytes,
/// and a number in the remaining q = 15 - n bytes.
fn numbered(flags: u8, nonce: &[u8], number: u64) -> [u8; BLOCK] {
    let n = nonce.len();
    assert!((7..=13).contains(&n), "CCM takes a nonce of 7 to 13 bytes, not {n}");
    let q = 15 - n;
    assert!(q == 8 || number >> (8 * q) == 0, "CCM with a nonce of {n} bytes takes fewer than 2^{} bytes", 8 * q);
    let mut block = u128::from(number).to_be_bytes();
    block[0] = flags | (q - 1) as u8;
    block[1..=n].copy_from_slice(nonce);
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "7 to 13 bytes")]
    fn a_nonce_too_short() {
        ccm_seal(&[0; 16], &[0; 6], &[], &mut []);
    }

    #[test]
    #[should_panic(expected = "7 to 13 bytes")]
    fn a_nonce_too_long() {
        ccm_seal(&[0; 16], &[0; 14], &[], &mut []);
    }

    #[test]
    #[should_panic(expected = "fewer than 2^16 bytes")]
    fn data_too_long() {
        ccm_seal(&[0; 16], &[0; 13], &[], &mut [0; 1 << 16]);
    }

    #[test]
    fn data_as_long_as_can_be() {
        let mut data = vec![7; (1 << 16) - 1];
        let tag = ccm_seal(&[0; 16], &[0; 13], &[], &mut data);
        assert!(ccm_open(&[0; 16], &[0; 13], &[], &mut data, &tag));
        assert_eq!(data, [7; (1 << 16) - 1]);
    }
}
