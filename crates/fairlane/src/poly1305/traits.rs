//! The traits of `universal-hash`, for code that is generic over them.

use super::Poly1305;
use universal_hash::array::Array;
use universal_hash::common::{BlockSizeUser, KeySizeUser, ParBlocksSizeUser};
use universal_hash::consts::{U16, U32, U64};
use universal_hash::{Block, Key, KeyInit, ParBlocks, UhfBackend, UhfClosure, UniversalHash};

impl KeySizeUser for Poly1305 {
    type KeySize = U32;
}

impl KeyInit for Poly1305 {
    fn new(key: &Key<Self>) -> Self {
        Self::new(&key.0)
    }
}

impl BlockSizeUser for Poly1305 {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Poly1305 {
    type ParBlocksSize = U64;
}

impl UhfBackend for Poly1305 {
    fn proc_block(&mut self, block: &Block<Self>) {
        self.update(block);
    }

    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        UniversalHash::update(self, blocks);
    }
}

impl UniversalHash for Poly1305 {
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = U16>) {
        f.call(self);
    }

    fn update(&mut self, blocks: &[Block<Self>]) {
        self.update(Array::cast_slice_to_core(blocks).as_flattened());
    }

    fn update_padded(&mut self, bytes: &[u8]) {
        self.update_padded(bytes);
    }

    fn finalize(self) -> Block<Self> {
        self.finalize().into()
    }
}
