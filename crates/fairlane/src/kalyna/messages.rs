//! Messages of GCM and CCM without their data, for the functions that are compiled for each cipher.

use cipher::{Block, BlockSizeUser};

/// A message of GCM under a cipher and a key of the hash.
pub struct GcmMessage<'a, C: BlockSizeUser, K> {
    pub(super) cipher: &'a C,
    pub(super) key: &'a K,
    pub(super) nonce: &'a Block<C>,
    pub(super) associated_data: &'a [u8],
}

/// A message of CCM under a cipher.
pub struct CcmMessage<'a, C: BlockSizeUser> {
    pub(super) cipher: &'a C,
    pub(super) nonce: &'a Block<C>,
    pub(super) associated_data: &'a [u8],
    /// Bytes of a length: 1 to 8.
    pub(super) nb: usize,
    /// The sizes, as the first block encodes them.
    pub(super) flags: u8,
    /// Bytes of the tag: a block at most.
    pub(super) tag_len: usize,
}
