//! The jobs of what has the traits of the crates `cipher`, `aead` and `digest`, as a program that uses these does them.

use super::Make;
use crate::contest::{Algorithm, Contest, Job, Operation};
use crate::inputs::Given;
use crate::inputs::aead::AAD;
use crate::inputs::arx::STREAM_BUFFER;
use aead::{AeadInOut, Nonce, Tag};
use cipher::inout::InOutBuf;
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, Key, KeySizeUser, StreamCipher,
};
use digest::{ExtendableOutputReset, FixedOutputReset, Update};
use std::hint::black_box;
use std::io::{Read, Write};

/// One message through a hash with the traits of the `digest` crate, used again for every message.
pub(super) fn hash<H: Update + FixedOutputReset>(mut hasher: H) -> impl FnMut(&[u8], &mut [u8]) {
    move |message, digest| {
        hasher.update(message);
        hasher.finalize_into_reset(digest.try_into().expect("as long as the hash"));
    }
}

/// The same of an extendable-output function.
pub(super) fn xof<H: Update + ExtendableOutputReset>(mut hasher: H) -> impl FnMut(&[u8], &mut [u8]) {
    move |message, output| {
        hasher.update(message);
        hasher.finalize_xof_reset_into(output);
    }
}

/// A stream cipher's part in a contest. `cipher` makes it with key and nonce, once a message.
pub(super) fn stream<C: StreamCipher>(
    contest: &Contest,
    cipher: impl Fn() -> C + Copy + Send + Sync + 'static,
) -> Option<Make> {
    let make: Make = match (contest.algorithm(), contest.job()) {
        (Algorithm::Arx, Job::Encrypt) => Box::new(move |_| {
            Operation::to_new_buffer(move |message| {
                let mut output = message.to_vec();
                cipher().apply_keystream(&mut output);
                output
            })
        }),
        (Algorithm::Arx, Job::EncryptInPlace) => {
            Box::new(move |_| Operation::in_place(move |message| cipher().apply_keystream(message)))
        }
        (Algorithm::Arx, Job::EncryptStream) => Box::new(move |_| {
            let mut buffer = vec![0; STREAM_BUFFER];
            Operation::to_output(move |reader, writer| {
                let mut cipher = cipher();
                copy(|data| cipher.apply_keystream(data), reader, writer, &mut buffer);
            })
        }),
        (Algorithm::ChaCha20 | Algorithm::Kusumi512, Job::Encrypt) => Box::new(move |_| {
            Operation::to_output(move |message, output| cipher().apply_keystream_b2b(message, output))
        }),
        _ => return None,
    };
    Some(make)
}

/// From a reader to a writer, a bufferful at a time.
pub(super) fn copy(
    mut encrypt: impl FnMut(&mut [u8]),
    mut reader: impl Read,
    mut writer: impl Write,
    buffer: &mut [u8],
) {
    loop {
        let read = reader.read(buffer).expect("memory can be read");
        if read == 0 {
            return;
        }
        encrypt(&mut buffer[..read]);
        writer.write_all(&buffer[..read]).expect("the output is as long as the input");
    }
}

/// A block cipher's part in a contest. `cipher` makes it with a key; `key` is that of the contests.
pub(super) fn block<C: BlockCipherEncrypt + BlockCipherDecrypt + KeySizeUser + Send + 'static>(
    contest: &Contest,
    cipher: impl Fn(&Key<C>) -> C + Copy + Send + Sync + 'static,
    key: Given,
) -> Option<Make> {
    let cipher = move |key: &[u8]| cipher(key.try_into().expect("one key"));
    let make: Make = match contest.job() {
        Job::Encrypt | Job::EcbEncrypt => Box::new(move |_| {
            let cipher = cipher(&key);
            Operation::to_output(move |message, output| {
                let (blocks, encrypted) = (Array::slice_as_chunks(message).0, Array::slice_as_chunks_mut(output).0);
                cipher.encrypt_blocks_b2b(blocks, encrypted).expect("as much output as input");
            })
        }),
        Job::Decrypt | Job::EcbDecrypt => Box::new(move |_| {
            let cipher = cipher(&key);
            Operation::to_output(move |message, output| {
                let (blocks, decrypted) = (Array::slice_as_chunks(message).0, Array::slice_as_chunks_mut(output).0);
                cipher.decrypt_blocks_b2b(blocks, decrypted).expect("as much output as input");
            })
        }),
        Job::Block | Job::BlockEncrypt => Box::new(move |_| {
            let cipher = cipher(&key);
            Operation::in_place(move |block| cipher.encrypt_block(block.try_into().expect("one block")))
        }),
        Job::BlockDecrypt => Box::new(move |_| {
            let cipher = cipher(&key);
            Operation::in_place(move |block| cipher.decrypt_block(block.try_into().expect("one block")))
        }),
        Job::KeySchedule => Box::new(move |_| {
            Operation::key_setup(move |key, room| {
                let cipher = cipher(key);
                black_box(&cipher);
                if let Some(room) = room {
                    room.fill(0);
                    cipher.encrypt_block(room.try_into().expect("one block"));
                }
            })
        }),
        _ => return None,
    };
    Some(make)
}

/// From one buffer to another, in CBC or any other mode of whole blocks.
pub(super) fn encrypt_blocks(mut mode: impl BlockModeEncrypt, message: &[u8], output: &mut [u8]) {
    let (blocks, encrypted) = (Array::slice_as_chunks(message).0, Array::slice_as_chunks_mut(output).0);
    mode.encrypt_blocks_b2b(blocks, encrypted).expect("as much output as input");
}

/// The way back.
pub(super) fn decrypt_blocks(mut mode: impl BlockModeDecrypt, message: &[u8], output: &mut [u8]) {
    let (blocks, decrypted) = (Array::slice_as_chunks(message).0, Array::slice_as_chunks_mut(output).0);
    mode.decrypt_blocks_b2b(blocks, decrypted).expect("as much output as input");
}

/// An authenticated cipher's part in a contest. `cipher` makes it with its key, once a message; where the contest
/// leaves that outside, once.
pub(super) fn sealing<A: AeadInOut + Send + 'static>(
    contest: &Contest,
    cipher: impl Fn() -> A + Copy + Send + Sync + 'static,
    nonce: Given,
) -> Option<Make> {
    let make: Make = match contest.job() {
        Job::Seal => {
            Box::new(move |_| Operation::to_output(move |message, sealed| seal(&cipher(), &nonce, message, sealed)))
        }
        Job::Open => {
            Box::new(move |_| Operation::to_opened(move |sealed, message| open(&cipher(), &nonce, sealed, message)))
        }
        Job::GcmSeal => Box::new(move |_| {
            let cipher = cipher();
            Operation::to_output(move |message, sealed| seal(&cipher, &nonce, message, sealed))
        }),
        Job::GcmOpen => Box::new(move |_| {
            let cipher = cipher();
            Operation::to_opened(move |sealed, message| open(&cipher, &nonce, sealed, message))
        }),
        _ => return None,
    };
    Some(make)
}

fn seal<A: AeadInOut>(cipher: &A, nonce: &[u8], message: &[u8], sealed: &mut [u8]) {
    let (data, tag) = sealed.split_at_mut(message.len());
    let data = InOutBuf::new(message, data).expect("as long as the message");
    let made = cipher.encrypt_inout_detached(as_nonce::<A>(nonce), &AAD, data).expect("a short message");
    tag.copy_from_slice(&made);
}

fn open<A: AeadInOut>(cipher: &A, nonce: &[u8], sealed: &[u8], message: &mut [u8]) -> bool {
    let (data, tag) = sealed.split_at(message.len());
    let data = InOutBuf::new(data, message).expect("as long as the message");
    let tag = <&Tag<A>>::try_from(tag).expect("a tag");
    cipher.decrypt_inout_detached(as_nonce::<A>(nonce), &AAD, data, tag).is_ok()
}

fn as_nonce<A: AeadInOut>(nonce: &[u8]) -> &Nonce<A> {
    nonce.try_into().expect("as long as its nonce")
}
