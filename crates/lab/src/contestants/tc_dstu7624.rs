//! The `tc_dstu7624` crate: the block cipher alone, one block a call.

use super::c_cipher::{BlockCipher, enter_block_cipher};
use super::{About, Roster};
use crate::contest::{Contest, Job, Label};
use crate::inputs::sm4::BLOCK;
use tc_block_cipher::{BlockCipherInit, CipherDirection, KeyRef};
use tc_dstu7624::{Dstu7624Engine128, Dstu7624Engine256, Dstu7624Engine512};

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let Some(variant) = contest.algorithm().variant() else { return };
    if contest.job() == Job::Ctr {
        return;
    }
    let in_place = matches!(contest.job(), Job::BlockEncrypt | Job::BlockDecrypt);
    let about = About {
        name: "tc_dstu7624",
        library: "tc_dstu7624",
        version: "0.1.0",
        backend: "portable Rust, S-boxes of bytes, the matrix in 64-bit words",
        // It has no call for a block where it lies.
        labels: if in_place { &[Label::NotConstantTime, Label::CopiesFirst] } else { &[Label::NotConstantTime] },
        how_to_use: "crates tc_dstu7624 and tc_block_cipher: Dstu7624Engine128 and so on, init, process_block",
    };
    match variant.block_len() {
        16 => enter_block_cipher(contest, roster, &about, Cipher::with(Dstu7624Engine128::new)),
        32 => enter_block_cipher(contest, roster, &about, Cipher::with(Dstu7624Engine256::new)),
        _ => enter_block_cipher(contest, roster, &about, Cipher::with(Dstu7624Engine512::new)),
    }
}

/// An engine and the way that it goes.
struct Cipher<E> {
    engine: E,
    direction: CipherDirection,
}

impl<E: 'static> Cipher<E> {
    fn with(engine: fn() -> E) -> impl Fn(bool) -> Self + Send + Sync + 'static {
        move |decrypt| {
            let direction = if decrypt { CipherDirection::Decrypt } else { CipherDirection::Encrypt };
            Self { engine: engine(), direction }
        }
    }
}

impl<E> BlockCipher for Cipher<E>
where
    E: tc_block_cipher::BlockCipher + for<'k> BlockCipherInit<KeyRef<'k>> + Send + 'static,
{
    fn set_key(&mut self, key: &[u8]) {
        self.engine.init(self.direction, &KeyRef::new(key)).expect("a key of this variant");
    }

    fn process(&mut self, _: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        let len = self.engine.block_size();
        match from {
            Some(from) => {
                for (from, to) in from.chunks_exact(len).zip(to.chunks_exact_mut(len)) {
                    self.engine.process_block(from, to).expect("one block");
                }
            }
            None => {
                let mut copy = [0; 64];
                for block in to.chunks_exact_mut(len) {
                    copy[..len].copy_from_slice(block);
                    self.engine.process_block(&copy, block).expect("one block");
                }
            }
        }
    }
}
