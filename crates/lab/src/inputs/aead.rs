//! Additional data, and sealed messages. A sealed message is the ciphertext followed by its tag of 16 bytes.

/// Bytes of a tag.
pub const TAG: usize = 16;
/// The additional data: 13 bytes, as in a record of TLS 1.2.
pub const AAD: [u8; 13] = *b"13 bytes more";

/// Encrypts in place and returns the tag.
pub(crate) type Seal = fn(&mut [u8]) -> [u8; TAG];

/// Makes a sealed message of random bytes, the last of which give way to the tag.
pub(crate) fn make_sealed(input: &mut [u8], seal: Seal) {
    let (data, tag) = input.split_last_chunk_mut::<TAG>().expect("a tag");
    *tag = seal(data);
}
