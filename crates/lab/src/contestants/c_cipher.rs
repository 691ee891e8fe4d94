//! What the cipher contests ask of a C library, and how its calls become their operations.
//!
//! Keys, nonces and additional data are those of the contests. A cipher is made before, and takes its key and nonce again
//! with every message.

use super::{About, Roster};
use crate::contest::{Contest, Op};
use crate::contests::aead::TAG;
use crate::contests::arx::{KEY512, NONCE, XNONCE};

/// ChaCha20-Poly1305 or XChaCha20-Poly1305, in the direction that it was made for.
pub(super) trait Aead: Send + 'static {
    /// From a message to ciphertext and tag.
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]);
    /// From ciphertext and tag to a message; panics if the tag is wrong.
    fn open(&mut self, sealed: &[u8], message: &mut [u8]);
}

/// Enters a library in a contest of an AEAD. `make` is told whether to make it for opening.
pub(super) fn enter_aead<C: Aead>(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    make: impl Fn(bool) -> C + Send + Sync + 'static,
) {
    let open = job(contest) == "open";
    roster.op(contest, about, move |_| {
        let mut cipher = make(open);
        if open {
            Op::fill(move |sealed, message| cipher.open(sealed, message))
        } else {
            Op::fill(move |message, sealed| cipher.seal(message, sealed))
        }
    });
}

/// The part of a contest's id after the slash.
fn job(contest: &Contest) -> &'static str {
    contest.id.split_once('/').map_or("", |(_, job)| job)
}

/// The nonce of the contest: 24 bytes for XChaCha20, else 12.
pub(super) fn nonce(contest: &Contest) -> &'static [u8] {
    if contest.algorithm().starts_with("xchacha20") { &XNONCE } else { &NONCE }
}

/// The ciphertext and the tag of a sealed message.
pub(super) fn split(sealed: &[u8]) -> (&[u8], &[u8; TAG]) {
    sealed.split_last_chunk().expect("a sealed message has a tag")
}

/// Room for the ciphertext and for the tag of a sealed message.
pub(super) fn split_mut(sealed: &mut [u8]) -> (&mut [u8], &mut [u8; TAG]) {
    sealed.split_last_chunk_mut().expect("a sealed message has a tag")
}

/// Threefish-512 in the direction that it was made for.
pub(super) trait Threefish: Send + 'static {
    /// Sets a key of 64 bytes and a tweak of zero.
    fn set_key(&mut self, key: &[u8]);
    /// Processes whole blocks, where they lie if there is no `from`; else `from` is as long as `to`.
    fn blocks(&mut self, from: Option<&[u8]>, to: &mut [u8]);
}

/// Enters a library in a contest of Threefish-512. `make` is told whether to make it for decryption.
pub(super) fn enter_threefish<C: Threefish>(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    make: impl Fn(bool) -> C + Send + Sync + 'static,
) {
    let job = job(contest);
    roster.op(contest, about, move |_| {
        let mut cipher = make(job == "decrypt");
        if job == "key-schedule" {
            return Op::set_up(move |key, room| {
                cipher.set_key(key);
                if let Some(room) = room {
                    room.fill(0);
                    cipher.blocks(None, room);
                }
            });
        }
        cipher.set_key(&KEY512);
        if job == "block" {
            Op::in_place(move |block| cipher.blocks(None, block))
        } else {
            Op::fill(move |from, to| cipher.blocks(Some(from), to))
        }
    });
}

/// Where C reads what it writes to `to`.
pub(super) fn source(from: Option<&[u8]>, to: &[u8]) -> *const u8 {
    let from = from.unwrap_or(to);
    assert_eq!(from.len(), to.len(), "as many blocks out as in");
    from.as_ptr()
}
