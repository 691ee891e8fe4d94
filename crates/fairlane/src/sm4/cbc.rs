//! Cipher block chaining (NIST SP 800-38A, section 6.2; GB/T 17964-2021).
//!
//! Each block of a message waits for the one before when it is encrypted, but not when it is decrypted. Messages do not
//! wait for each other: [`encrypt_many`] encrypts many side by side.
//!
//! ```
//! use fairlane::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
//! use fairlane::sm4::{CbcDecryptor, CbcEncryptor};
//!
//! let (key, iv) = ([7; 16].into(), [1; 16].into()); // an IV must be unpredictable
//! let mut blocks = [[3; 16].into(), [3; 16].into()];
//! CbcEncryptor::new(&key, &iv).encrypt_blocks(&mut blocks);
//! assert_ne!(blocks[0], blocks[1]);
//! CbcDecryptor::new(&key, &iv).decrypt_blocks(&mut blocks);
//! assert_eq!(blocks, [[3; 16], [3; 16]]);
//! ```
//!
//! A cipher that serves many messages is borrowed by each, so that its key schedule is computed once:
//!
//! ```
//! use fairlane::cipher::{BlockModeEncrypt, InnerIvInit, KeyInit};
//! use fairlane::sm4::{Sm4, cbc};
//!
//! let cipher = Sm4::new(&[7; 16].into());
//! let mut messages = [[[3; 16].into(); 2]; 3];
//! for (message, iv) in messages.iter_mut().zip([[1; 16], [2; 16], [3; 16]]) {
//!     cbc::Encryptor::inner_iv_init(&cipher, &iv.into()).encrypt_blocks(message);
//! }
//! assert_ne!(messages[0], messages[1]);
//! ```
//!
//! The traits take whole blocks, by their type. Their methods for padded messages (feature `block-padding` of the crate
//! `cipher`) return an error for ciphertext that is not whole blocks. Nothing here detects changed data, and a program
//! that reveals whether the padding was wrong can reveal the message: most programs want an AEAD.

use super::Sm4;
use super::kernels::Cipher;
use super::parallel_cbc::{CbcLane, LANES, SmBlock, encrypt};
use super::rounds::{Keys, from_inner, to_inner, word_sliced};
use crate::modes::cbc::{self, CbcCipher, CbcKeyInit, Decryption};
pub use crate::modes::cbc::{Decryptor, Encryptor};
use crate::{Backend, Unsupported};
use cipher::consts::U16;
use cipher::{Array, Block, InOutBuf, Key};
use core::borrow::Borrow;
use core::fmt;
use core::marker::PhantomData;
use fairlane_lanes::{AnyToken, Kernel, Token, U8x16, U8x16Gfni, U8x16Vl, U8xN};

/// Encryption with SM4 in CBC mode: key of 16 bytes, IV of 16.
pub type CbcEncryptor = Encryptor<Sm4>;
/// Decryption with SM4 in CBC mode, many blocks at once.
pub type CbcDecryptor = Decryptor<Sm4>;

impl CbcKeyInit for Sm4 {
    #[inline]
    fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        Sm4::with_backend(key, backend)
    }
}

impl CbcCipher for Sm4 {
    const MODULE: &'static str = "sm4";
    const DEBUG_NAMES: [&'static str; 2] = ["CbcEncryptor", "CbcDecryptor"];

    // Not inlined, so that the kernels are compiled in this crate, once.
    #[inline(never)]
    fn cbc_encrypt(&self, previous: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let Cipher { token, keys } = &self.0;
        match *token {
            AnyToken::Avx512Gfni(token) => token.run(Encryption::<U8x16Vl>(keys, previous, blocks, PhantomData)),
            AnyToken::Avx2Gfni(token) => token.run(Encryption::<U8x16Gfni>(keys, previous, blocks, PhantomData)),
            AnyToken::NeonAes(token) => token.run(Encryption::<U8x16>(keys, previous, blocks, PhantomData)),
            // On avx2-aes LLVM's code for the kernel has a `vmovq` between registers that valgrind 3.19 does not know.
            _ => cbc::encrypt(&self.0, previous, blocks),
        }
    }

    #[inline(never)]
    fn cbc_decrypt(&self, ciphertext: &mut Decryption<'_, U16>) {
        self.0.run::<true>(ciphertext);
    }
}

/// Encryption of one message, after the ciphertext block before, which becomes the last one.
///
/// From block to block the state stays in registers, word-sliced and in inner bytes: what turns it into ciphertext is
/// not in the chain of dependent operations.
struct Encryption<'a, 'b, W>(&'b Keys, &'b mut SmBlock, InOutBuf<'a, 'a, SmBlock>, PhantomData<W>);

impl<W: U8xN<16>> Kernel<W::Token> for Encryption<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self(keys, previous, blocks, _) = self;
        let zero = W::splat_u32(token, 0);
        let mut x = [W::transpose4([to_inner(W::load(token, previous)), zero, zero, zero])];
        for mut block in blocks {
            let plaintext = W::transpose4([to_inner(W::load(token, block.get_in())), zero, zero, zero]);
            for i in 0..4 {
                x[0][i] = x[0][i].xor(plaintext[i]);
            }
            word_sliced(|r, _| W::splat_u32(token, keys[r]), &mut x);
            let [ciphertext, ..] = W::transpose4(x[0]);
            from_inner(ciphertext).store(block.get_out());
        }
        let [last, ..] = W::transpose4(x[0]);
        from_inner(last).store(previous);
    }
}

/// A message for [`encrypt_many_inout`].
pub struct Message<'a> {
    /// The key.
    pub cipher: &'a Sm4,
    /// The initialization vector, which must be unpredictable.
    pub iv: [u8; 16],
    /// The blocks to encrypt, in place or from one buffer to another.
    pub blocks: InOutBuf<'a, 'a, Array<u8, U16>>,
}

/// Shows no secret.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("blocks", &self.blocks.len()).finish_non_exhaustive()
    }
}

/// The error of [`encrypt_many`] and [`encrypt_many_b2b`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncryptManyError {
    /// The numbers of keys, IVs, messages and outputs differ.
    WrongCount,
    /// A message is not whole blocks of 16 bytes.
    NotWholeBlocks {
        /// Its index.
        index: usize,
        /// Its length in bytes.
        length: usize,
    },
    /// An output is not as long as its message.
    WrongLength {
        /// Its index.
        index: usize,
        /// Its length in bytes.
        length: usize,
        /// The message's length in bytes.
        expected: usize,
    },
}

impl fmt::Display for EncryptManyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount => f.write_str("as many keys, IVs and outputs as messages are needed"),
            Self::NotWholeBlocks { index, length } => {
                write!(f, "message {index} has {length} bytes, which are not whole blocks of 16")
            }
            Self::WrongLength { index, length, expected } => {
                write!(f, "output {index} has {length} bytes, but its message has {expected}")
            }
        }
    }
}

impl core::error::Error for EncryptManyError {}

/// Checks the length of message `index`.
fn check_blocks(index: usize, length: usize) -> Result<(), EncryptManyError> {
    if length.is_multiple_of(16) { Ok(()) } else { Err(EncryptManyError::NotWholeBlocks { index, length }) }
}

/// Encrypts many messages side by side and in place with SM4 in CBC mode: message `i` under `ciphers[i]` and `ivs[i]`.
///
/// Messages are whole blocks and may have any mix of lengths. A message takes as long as it would alone, but up to 32
/// of them take little longer than one. A message whose key is on another backend than the first one's is encrypted
/// alone. Nothing is allocated, and less than 16 KiB of stack are used.
///
/// ```
/// use fairlane::cipher::KeyInit;
/// use fairlane::sm4::{Sm4, cbc};
///
/// let ciphers = [Sm4::new(&[1; 16].into()), Sm4::new(&[2; 16].into())];
/// let ivs = [[4; 16], [5; 16]]; // IVs must be unpredictable
/// let mut messages = [[3; 32]; 2];
/// cbc::encrypt_many(&ciphers, &ivs, &mut messages)?;
/// assert_ne!(messages[0], messages[1]);
/// # Ok::<(), cbc::EncryptManyError>(())
/// ```
///
/// # Errors
/// The slices differ in length, or a message is not whole blocks; nothing is written then.
pub fn encrypt_many<C: Borrow<Sm4>, M: AsMut<[u8]>>(
    ciphers: &[C],
    ivs: &[[u8; 16]],
    messages: &mut [M],
) -> Result<(), EncryptManyError> {
    if ciphers.len() != messages.len() || ivs.len() != messages.len() {
        return Err(EncryptManyError::WrongCount);
    }
    for (index, message) in messages.iter_mut().enumerate() {
        check_blocks(index, message.as_mut().len())?;
    }
    encrypt_many_inout(ciphers.iter().zip(ivs).zip(messages).map(|((cipher, iv), message)| Message {
        cipher: cipher.borrow(),
        iv: *iv,
        blocks: InOutBuf::from(message.as_mut()).into_chunks().0,
    }));
    Ok(())
}

/// Encrypts as [`encrypt_many`] does, from one slice of buffers to another.
///
/// # Errors
/// The slices differ in length, a message is not whole blocks, or an output is not as long as its message; nothing is
/// written then.
pub fn encrypt_many_b2b<C: Borrow<Sm4>, M: AsRef<[u8]>, O: AsMut<[u8]>>(
    ciphers: &[C],
    ivs: &[[u8; 16]],
    messages: &[M],
    outputs: &mut [O],
) -> Result<(), EncryptManyError> {
    if [ciphers.len(), ivs.len(), outputs.len()] != [messages.len(); 3] {
        return Err(EncryptManyError::WrongCount);
    }
    for (index, (message, output)) in messages.iter().zip(&mut *outputs).enumerate() {
        let (expected, length) = (message.as_ref().len(), output.as_mut().len());
        check_blocks(index, expected)?;
        if length != expected {
            return Err(EncryptManyError::WrongLength { index, length, expected });
        }
    }
    let buffers = messages.iter().zip(outputs);
    encrypt_many_inout(ciphers.iter().zip(ivs).zip(buffers).filter_map(|((cipher, iv), (message, output))| {
        // The lengths were checked: this fails only for an `as_ref` that changes between calls.
        let data: InOutBuf<'_, '_, u8> = InOutBuf::new(message.as_ref(), output.as_mut()).ok()?;
        Some(Message { cipher: cipher.borrow(), iv: *iv, blocks: data.into_chunks().0 })
    }));
    Ok(())
}

/// Encrypts as [`encrypt_many`] does messages from an iterator, each in place or from one buffer to another.
///
/// A message is whole blocks by its type, so there is no error. The iterator is advanced as messages end.
///
/// ```
/// use fairlane::cipher::KeyInit;
/// use fairlane::sm4::{Sm4, cbc};
///
/// let keys = [Sm4::new(&[1; 16].into()), Sm4::new(&[2; 16].into())];
/// let mut messages = [[[3; 16].into(); 2]; 2];
/// cbc::encrypt_many_inout(keys.iter().zip(&mut messages).map(|(cipher, blocks)| cbc::Message {
///     cipher,
///     iv: [4; 16],
///     blocks: blocks.as_mut_slice().into(),
/// }));
/// assert_ne!(messages[0], messages[1]);
/// ```
pub fn encrypt_many_inout<'a>(messages: impl IntoIterator<Item = Message<'a>>) {
    let mut messages = messages.into_iter().filter(|message| !message.blocks.is_empty()).fuse();
    let mut lanes = [const { None }; LANES];
    let mut busy = 0;
    // All lanes are on the first message's backend; a message on another one is encrypted alone.
    let mut token = None;
    loop {
        while busy < LANES
            && let Some(Message { cipher: Sm4(cipher), iv, blocks }) = messages.next()
        {
            let lane = Some(CbcLane { keys: &cipher.keys, previous: iv, blocks });
            if token.get_or_insert(cipher.token).backend() == cipher.token.backend() {
                lanes[busy] = lane;
                busy += 1;
            } else {
                encrypt(cipher.token, &mut [lane]);
            }
        }
        let Some(token) = token.filter(|_| busy > 0) else { return };
        encrypt(token, &mut lanes[..busy]);
        // Messages that have not ended move to the first lanes.
        let mut unfinished = 0;
        for i in 0..busy {
            if let Some(lane) = lanes[i].take()
                && !lane.blocks.is_empty()
            {
                lanes[unfinished] = Some(lane);
                unfinished += 1;
            }
        }
        busy = unfinished;
    }
}
