//! The traits of `universal-hash`, for code that is generic over them.

use super::{BACKENDS, GHash, Sum};
use fairlane_lanes::AnyToken;
use universal_hash::array::Array;
use universal_hash::common::{BlockSizeUser, KeySizeUser, ParBlocksSizeUser, Reset};
use universal_hash::consts::U16;
use universal_hash::{Block, Key, KeyInit, ParBlocks, UhfBackend, UhfClosure, UniversalHash};

impl KeySizeUser for GHash {
    type KeySize = U16;
}

/// On the best backend that this machine has.
impl KeyInit for GHash {
    fn new(h: &Key<Self>) -> Self {
        Self::with_token(&h.0, AnyToken::best(BACKENDS))
    }
}

impl BlockSizeUser for GHash {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for GHash {
    type ParBlocksSize = U16;
}

impl UhfBackend for GHash {
    fn proc_block(&mut self, block: &Block<Self>) {
        self.key.absorb(&mut self.sum, &[block.0]);
    }

    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        self.update(blocks);
    }
}

impl UniversalHash for GHash {
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = U16>) {
        f.call(self);
    }

    fn update(&mut self, blocks: &[Block<Self>]) {
        self.key.absorb(&mut self.sum, Array::cast_slice_to_core(blocks));
    }

    fn update_padded(&mut self, bytes: &[u8]) {
        self.key.absorb_padded(&mut self.sum, bytes);
    }

    fn finalize(self) -> Block<Self> {
        self.sum.to_block().into()
    }
}

/// Resets the sum of the blocks, but not the key.
impl Reset for GHash {
    fn reset(&mut self) {
        self.sum = Sum::ZERO;
    }
}
