//! GCM, NIST SP 800-38D (November 2007), with tags of 16 bytes.

use super::{BLOCK, Sm4};
use crate::gcm::Gcm;

/// `AEAD_SM4_GCM`, algorithm 4 of section 7.1: encrypts `data` and returns the tag.
///
/// # Panics
///
/// If the nonce is empty, or the data longer than 2<sup>36</sup> - 32 bytes (section 5.2.1.1).
pub fn gcm_seal(key: &[u8; 16], nonce: &[u8], aad: &[u8], data: &mut [u8]) -> [u8; 16] {
    let gcm = gcm(key, nonce, data);
    gcm.gctr_data(data);
    gcm.tag(aad, data)
}

/// Algorithm 5 of section 7.2: decrypts `data` if the tag is the one of [`gcm_seal`], and returns whether it is.
///
/// # Panics
///
/// If the nonce is empty, or the data longer than 2<sup>36</sup> - 32 bytes.
#[must_use]
pub fn gcm_open(key: &[u8; 16], nonce: &[u8], aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
    let gcm = gcm(key, nonce, data);
    let right = gcm.tag(aad, data) == *tag;
    if right {
        gcm.gctr_data(data);
    }
    right
}

fn gcm(key: &[u8; 16], nonce: &[u8], data: &[u8]) -> Gcm<impl Fn([u8; BLOCK]) -> [u8; BLOCK] + use<>> {
    let cipher = Sm4::new(key);
    Gcm::new(move |block| cipher.e(block), nonce, data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "one byte or more")]
    fn no_nonce() {
        gcm_seal(&[0; 16], &[], &[], &mut []);
    }
}
