//! The mode crates of the `RustCrypto` project, and xts-mode, around any block cipher of 16-byte blocks.

use super::{Make, one_by_one, traits};
use crate::contest::{Algorithm, Contest, Job, Operation};
use crate::inputs::arx::NONCE;
use crate::inputs::sm4::{BLOCK, IV, KEY, TWEAK, XTS_KEY, stream_iv, stream_key};
use aes_gcm::AesGcm;
use cipher::consts::{U12, U16};
use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, InnerIvInit, Key, KeySizeUser, StreamCipher};
use ctr::{Ctr128BE, CtrCore};
use xts_mode::Xts128;

/// The crate with its version, and what makes the operation.
pub(super) struct Mode {
    /// The crate's name.
    pub(super) name: &'static str,
    /// Its version.
    pub(super) version: &'static str,
    /// Whether it works only where the data lies.
    pub(super) copies_first: bool,
    pub(super) make: Make,
}

/// The crate that makes a contest's mode of a cipher; none for a contest of the cipher alone. `cipher` makes that with
/// a key.
pub(super) fn mode<C>(contest: &Contest, cipher: impl Fn(&Key<C>) -> C + Copy + Send + Sync + 'static) -> Option<Mode>
where
    C: BlockCipherEncrypt<BlockSize = U16> + BlockCipherDecrypt + KeySizeUser<KeySize = U16> + Send + 'static,
{
    let with = move |key: &[u8; BLOCK]| cipher(key.into());
    if contest.algorithm() != Algorithm::Sm4 {
        return None;
    }
    let (cbc, ctr) = (("cbc", "0.2.1"), ("ctr", "0.10.1"));
    let ((name, version), make): (_, Make) = match contest.job() {
        Job::CbcEncrypt => (
            cbc,
            Box::new(move |_| {
                let cipher = with(&KEY);
                Operation::to_output(move |message, output| cbc_encrypt(&cipher, &IV, message, output))
            }),
        ),
        Job::CbcEncryptMany => (
            cbc,
            Box::new(move |size| {
                one_by_one(size, |place| {
                    let (cipher, iv) = (with(&stream_key(place)), stream_iv(place));
                    move |message: &[u8], output: &mut [u8]| cbc_encrypt(&cipher, &iv, message, output)
                })
            }),
        ),
        Job::CbcDecrypt => (
            cbc,
            Box::new(move |_| {
                let cipher = with(&KEY);
                Operation::to_output(move |message, output| {
                    traits::decrypt_blocks(cbc::Decryptor::inner_iv_init(&cipher, &(*IV).into()), message, output);
                })
            }),
        ),
        Job::Ctr => (
            ctr,
            Box::new(move |_| {
                let cipher = with(&KEY);
                Operation::to_output(move |message, output| {
                    let core = CtrCore::inner_iv_init(&cipher, &(*IV).into());
                    Ctr128BE::from_core(core).apply_keystream_b2b(message, output);
                })
            }),
        ),
        Job::Xts => (
            ("xts-mode", "0.6.0"),
            Box::new(move |_| {
                let (data, tweak) = XTS_KEY.split_at(BLOCK);
                let [data, tweak] = [data, tweak].map(|key| cipher(key.try_into().expect("half a key")));
                let mode = Xts128::new(data, tweak);
                // It works only where the data lies.
                Operation::to_output(move |message, output| {
                    output.copy_from_slice(message);
                    mode.encrypt_sector(output, (*TWEAK).into());
                })
            }),
        ),
        Job::GcmSeal | Job::GcmOpen => (
            ("aes-gcm", "0.11.1"),
            traits::sealing(contest, move || AesGcm::<C, U12>::from(with(&KEY)), NONCE.given())?,
        ),
        _ => return None,
    };
    Some(Mode { name, version, copies_first: contest.job() == Job::Xts, make })
}

fn cbc_encrypt<C>(cipher: &C, iv: &[u8; BLOCK], message: &[u8], output: &mut [u8])
where
    C: BlockCipherEncrypt<BlockSize = U16>,
{
    traits::encrypt_blocks(cbc::Encryptor::inner_iv_init(cipher, iv.into()), message, output);
}
