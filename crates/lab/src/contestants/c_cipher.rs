//! The cipher contests' operations, made of the calls of a C library or of another with an interface of its own.
//!
//! Keys, IVs, nonces and additional data are those of the contests. A cipher is made before. A contest that has the key
//! schedule inside gives it its key again with every message.

use super::{About, Roster, one_by_one, traits};
use crate::contest::{Algorithm, Contest, Job, Kind, Label, Operation};
use crate::inputs::Given;
use crate::inputs::aead::TAG;
use crate::inputs::arx::{AES_IV, KEY256, KEY512, NONCE, STREAM_BUFFER, XNONCE};
use crate::inputs::fixed::Fixed;
use crate::inputs::kalyna;
use crate::inputs::sm4::{self, BLOCK, IV, KEY, TWEAK, XTS_KEY};

/// An AEAD with a tag of 16 bytes, in the direction that it was made for.
pub(super) trait Aead: Send + 'static {
    /// From a message to ciphertext and tag.
    fn seal(&mut self, message: &[u8], sealed: &mut [u8]);
    /// From ciphertext and tag to a message; false if the tag is wrong.
    fn open(&mut self, sealed: &[u8], message: &mut [u8]) -> bool;
}

/// Enters a library in a contest of an AEAD. `make` is told whether to make it for opening; it sets the key where the
/// contest leaves that outside.
pub(super) fn enter_aead<C: Aead>(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    make: impl Fn(bool) -> C + Send + Sync + 'static,
) {
    enter_aead_of(contest, contest.functions()[0].name, roster, about, make);
}

/// The same with the name of the AEAD, if the contest is one of it.
pub(super) fn enter_aead_of<C: Aead>(
    contest: &Contest,
    function: &str,
    roster: &mut Roster,
    about: &About,
    make: impl Fn(bool) -> C + Send + Sync + 'static,
) {
    let Some(function) = contest.function(function) else { return };
    let open = contest.job().is_opening();
    roster.operation_of(contest, function, about, move |_| {
        let mut cipher = make(open);
        if open {
            Operation::to_opened(move |sealed, message| cipher.open(sealed, message))
        } else {
            Operation::to_output(move |message, sealed| cipher.seal(message, sealed))
        }
    });
}

/// The nonce of the contest: 24 bytes for XChaCha20, else 12.
pub(super) fn nonce(contest: &Contest) -> Given {
    if contest.algorithm() == Algorithm::XChaCha20Poly1305 { XNONCE.given() } else { NONCE.given() }
}

/// The ciphertext and the tag of a sealed message.
pub(super) fn split(sealed: &[u8]) -> (&[u8], &[u8; TAG]) {
    sealed.split_last_chunk().expect("a sealed message has a tag")
}

/// Room for the ciphertext and for the tag of a sealed message.
pub(super) fn split_mut(sealed: &mut [u8]) -> (&mut [u8], &mut [u8; TAG]) {
    sealed.split_last_chunk_mut().expect("a sealed message has a tag")
}

/// The mode in which a contest uses a block cipher.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Blocks by themselves.
    Ecb,
    /// Whole blocks without padding.
    Cbc,
    /// A counter of 128 bits, most significant byte first.
    Ctr,
    /// With the tweak order of IEEE 1619.
    Xts,
    /// An AEAD.
    Gcm,
}

impl Mode {
    /// That of a contest of a block cipher.
    pub(super) fn of(contest: &Contest) -> Self {
        match contest.job() {
            Job::CbcEncrypt | Job::CbcDecrypt | Job::CbcEncryptMany => Self::Cbc,
            Job::Ctr => Self::Ctr,
            Job::Xts => Self::Xts,
            Job::GcmSeal | Job::GcmOpen => Self::Gcm,
            _ => Self::Ecb,
        }
    }

    /// Its key in the contests of SM4.
    pub(super) fn sm4_key(self) -> Given {
        if self == Self::Xts { XTS_KEY.given() } else { KEY.given() }
    }
}

/// A block cipher in the mode and in the direction that it was made for.
pub(super) trait BlockCipher: Send + 'static {
    /// Sets a key as long as its mode takes, and the tweak of Threefish to zero.
    fn set_key(&mut self, key: &[u8]);
    /// Processes one message, with an IV unless in ECB: where it lies if there is no `from`; else `from` is as long as
    /// `to`.
    fn process(&mut self, iv: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]);
}

/// A stream cipher.
pub(super) trait StreamCipher: Send + 'static {
    /// Begins a message.
    fn begin(&mut self, key: &[u8], iv: &[u8]);
    /// Encrypts some of it: where it lies if there is no `from`; else `from` is as long as `to`.
    fn apply(&mut self, from: Option<&[u8]>, to: &mut [u8]);
}

/// A stream cipher of the contests, its key, and an IV as a library wants it.
#[derive(Clone, Copy)]
pub(super) struct Stream {
    pub(super) function: &'static str,
    pub(super) key: &'static Fixed<32>,
    pub(super) iv: fn() -> [u8; 16],
}

/// `ChaCha20`: the first block's counter, 4 bytes of zero, then the nonce.
pub(super) static CHACHA20: Stream = Stream {
    function: "ChaCha20",
    key: &KEY256,
    iv: || {
        let mut iv = [0; 16];
        iv[4..].copy_from_slice(&*NONCE);
        iv
    },
};

/// AES-256 in counter mode: the first counter block.
pub(super) static AES256_CTR: Stream = Stream { function: "AES-256-CTR", key: &KEY256, iv: || *AES_IV };

/// Enters a library in a contest of a stream cipher, if the contest is one of this.
pub(super) fn enter_stream<C: StreamCipher>(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    stream: Stream,
    make: impl Fn() -> C + Send + Sync + 'static,
) {
    let Some(function) = contest.function(stream.function) else { return };
    let job = contest.job();
    let one_function = matches!(contest.kind, Kind::OneFunction(_));
    roster.operation_of(contest, function, about, move |_| {
        let mut cipher = make();
        match job {
            Job::Encrypt if one_function => Operation::to_output(move |message, encrypted| {
                cipher.begin(&**stream.key, &(stream.iv)());
                cipher.apply(Some(message), encrypted);
            }),
            Job::Encrypt => Operation::to_new_buffer(move |message| {
                let mut encrypted = message.to_vec();
                cipher.begin(&**stream.key, &(stream.iv)());
                cipher.apply(None, &mut encrypted);
                encrypted
            }),
            Job::EncryptInPlace => Operation::in_place(move |message| {
                cipher.begin(&**stream.key, &(stream.iv)());
                cipher.apply(None, message);
            }),
            _ => {
                let mut buffer = vec![0; STREAM_BUFFER];
                Operation::to_output(move |reader, writer| {
                    cipher.begin(&**stream.key, &(stream.iv)());
                    traits::copy(|data| cipher.apply(None, data), reader, writer, &mut buffer);
                })
            }
        }
    });
}

/// Enters a library in a contest of a block cipher in any mode but GCM. `make` is told whether to make it for
/// decryption.
pub(super) fn enter_block_cipher<C: BlockCipher>(
    contest: &Contest,
    roster: &mut Roster,
    about: &About,
    make: impl Fn(bool) -> C + Send + Sync + 'static,
) {
    let (job, mode) = (contest.job(), Mode::of(contest));
    let (variant, threefish) = (contest.algorithm().variant(), contest.algorithm() == Algorithm::Threefish512);
    let key = move || match variant {
        Some(variant) => kalyna::key(variant).get(),
        None if threefish => KEY512.given().get(),
        None => mode.sm4_key().get(),
    };
    let iv = match mode {
        Mode::Ecb => None,
        Mode::Xts => Some(&TWEAK),
        _ => Some(&IV),
    };
    let contestant = roster.operation(contest, about, move |size| {
        let with_key = |key: &[u8]| {
            let mut cipher = make(job.is_decryption());
            cipher.set_key(key);
            cipher
        };
        let mut cipher = with_key(key());
        match job {
            Job::KeySchedule => Operation::key_setup(move |key, room| {
                cipher.set_key(key);
                if let Some(room) = room {
                    room.fill(0);
                    cipher.process(None, None, room);
                }
            }),
            Job::Block | Job::BlockEncrypt | Job::BlockDecrypt => {
                Operation::in_place(move |block| cipher.process(None, None, block))
            }
            Job::CbcEncryptMany => one_by_one(size, |place| {
                let (mut cipher, iv) = (with_key(&sm4::stream_key(place)), sm4::stream_iv(place));
                move |message, output| cipher.process(Some(&iv), Some(message), output)
            }),
            _ => Operation::to_output(move |message, output| cipher.process(iv.map(|iv| &**iv), Some(message), output)),
        }
    });
    if contest.batch {
        contestant.label(Label::OneByOne);
    }
}

/// The pointers for a C function: where it reads, and where it writes.
pub(super) fn pointers(from: Option<&[u8]>, to: &mut [u8]) -> (*const u8, *mut u8) {
    assert!(from.is_none_or(|from| from.len() == to.len()), "as many bytes out as in");
    let to = to.as_mut_ptr();
    (from.map_or(to.cast_const(), <[u8]>::as_ptr), to)
}
