//! XTS: data units of 16 bytes or more, such as a disk's sectors, each under a tweak, without room for a tag.

use super::kernels::{BACKENDS, Cipher};
use crate::modes::xts::{self, Tweaks};
use crate::{Backend, Unsupported, ct};
use cipher::consts::U16;
use cipher::{Array, Block, BlockSizeUser, InOutBuf};
use core::fmt;
use fairlane_lanes::{AnyToken, BlocksN};
use zeroize::ZeroizeOnDrop;

/// SM4 in XTS mode as IEEE 1619 defines it (NIST SP 800-38E): two keys, 32 bytes in all, and a tweak of 16.
pub type Sm4Xts = Xts<false>;
/// SM4 in XTS mode as GB/T 17964-2021 defines it, with the bits of each byte of a tweak in the opposite order:
/// OpenSSL's SM4-XTS by default. From the second block on its ciphertext differs from that of [`Sm4Xts`].
pub type Sm4XtsGb = Xts<true>;

/// SM4 in XTS mode: name it as [`Sm4Xts`] or [`Sm4XtsGb`].
///
/// A data unit has 16 bytes to 16 MiB, in whole blocks or not. XTS reveals which blocks of a unit stay the same when it
/// is written again, and does not detect changed data: a changed block decrypts to a random one. It is for disks, where
/// ciphertext must not be longer than plaintext. The keys are erased on drop.
///
/// ```
/// use fairlane::sm4::Sm4Xts;
///
/// let key: [u8; 32] = core::array::from_fn(|i| i as u8);
/// let xts = Sm4Xts::new(&key)?;
/// let sector = 5_u128.to_le_bytes();
/// let mut data = *b"20 bytes in a sector";
/// xts.encrypt(&sector, data.as_mut_slice().into())?;
/// xts.decrypt(&sector, data.as_mut_slice().into())?;
/// assert_eq!(&data, b"20 bytes in a sector");
/// # Ok::<(), fairlane::sm4::XtsError>(())
/// ```
#[derive(Clone)]
pub struct Xts<const GB: bool> {
    data: Cipher,
    tweak: Cipher,
}

/// Bytes of the longest data unit: 2^20 blocks (IEEE 1619, section 5.1).
const LONGEST: usize = 16 << 20;

/// The error of a key or a data unit that XTS does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum XtsError {
    /// Both halves of the key are the same.
    EqualKeys,
    /// A data unit has fewer than 16 bytes.
    TooShort,
    /// A data unit has more than 2^20 blocks, 16 MiB.
    TooLong,
    /// The backend is not available.
    Unsupported(Unsupported),
}

impl fmt::Display for XtsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EqualKeys => f.write_str("the two halves of an XTS key must differ"),
            Self::TooShort => f.write_str("a data unit of XTS has at least 16 bytes"),
            Self::TooLong => f.write_str("a data unit of XTS has at most 16 MiB"),
            Self::Unsupported(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for XtsError {}

impl<const GB: bool> Xts<GB> {
    /// The mode with two keys of 16 bytes, first that for the data and then that for the tweaks.
    ///
    /// # Errors
    /// The two are the same.
    #[inline]
    pub fn new(key: &[u8; 32]) -> Result<Self, XtsError> {
        Self::with_distinct_keys(key, AnyToken::best(BACKENDS))
    }

    /// As [`new`](Self::new), on one backend.
    ///
    /// # Errors
    /// The two keys are the same, this CPU lacks the backend's features, or SM4 has no kernel for it.
    pub fn with_backend(key: &[u8; 32], backend: Backend) -> Result<Self, XtsError> {
        let token = AnyToken::among(BACKENDS, backend).map_err(XtsError::Unsupported)?;
        Self::with_distinct_keys(key, token)
    }

    fn with_distinct_keys(key: &[u8; 32], token: AnyToken) -> Result<Self, XtsError> {
        let (halves, _) = key.as_chunks();
        if ct::equal(&halves[0], &halves[1]) {
            return Err(XtsError::EqualKeys);
        }
        Ok(Self { data: Cipher::new(token, &halves[0]), tweak: Cipher::new(token, &halves[1]) })
    }

    /// Encrypts a data unit, in place or from one buffer to another. In IEEE 1619 the tweaks are the units' numbers,
    /// little-endian.
    ///
    /// # Errors
    /// The unit is shorter than 16 bytes or longer than 16 MiB; nothing is written then.
    pub fn encrypt(&self, tweak: &[u8; 16], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        self.run::<false>(tweak, data)
    }

    /// The inverse of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// Those of [`encrypt`](Self::encrypt).
    pub fn decrypt(&self, tweak: &[u8; 16], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        self.run::<true>(tweak, data)
    }

    fn run<const DECRYPT: bool>(&self, tweak: &[u8; 16], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        let len = data.len();
        if len < 16 {
            return Err(XtsError::TooShort);
        }
        if len > LONGEST {
            return Err(XtsError::TooLong);
        }
        let mut tweak = Array(*tweak);
        self.tweak.encrypt_one(&mut tweak);
        process(&self.data, GB, DECRYPT, u128::from_le_bytes(tweak.into()), data);
        tweak.fill(0);
        zeroize::optimization_barrier(&tweak);
        Ok(())
    }
}

/// Encrypts or decrypts a data unit whose first block has this tweak.
// Neither generic nor inlined, so that the kernels are compiled in this crate, once.
#[inline(never)]
fn process(cipher: &Cipher, gb: bool, decrypt: bool, first: u128, data: InOutBuf<'_, '_, u8>) {
    match (gb, decrypt) {
        (false, false) => xts::process::<_, PowersOfX<false>, false>(cipher, first, data),
        (false, true) => xts::process::<_, PowersOfX<false>, true>(cipher, first, data),
        (true, false) => xts::process::<_, PowersOfX<true>, false>(cipher, first, data),
        (true, true) => xts::process::<_, PowersOfX<true>, true>(cipher, first, data),
    }
}

/// The bits of each byte in reverse order.
#[inline(always)]
fn reversed(tweak: u128) -> u128 {
    tweak.reverse_bits().swap_bytes()
}

/// The next block's tweak.
#[inline(always)]
fn times_x(tweak: u128) -> u128 {
    (tweak << 1) ^ ((tweak >> 127) * 0x87)
}

/// Shows no secret.
impl<const GB: bool> fmt::Debug for Xts<GB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(if GB { "Sm4XtsGb" } else { "Sm4Xts" }).finish_non_exhaustive()
    }
}

impl<const GB: bool> ZeroizeOnDrop for Xts<GB> {}

/// The tweaks: the first one times powers of x, modulo x<sup>128</sup> + x<sup>7</sup> + x<sup>2</sup> + x + 1. They
/// are aligned, so that no word lies in two cache lines.
#[repr(align(64))]
struct PowersOfX<const GB: bool> {
    /// Those of a batch, in IEEE 1619's order of bits. Before it, those of its first four blocks.
    tweaks: [u8; 1024],
}

impl<const GB: bool> PowersOfX<GB> {
    /// Makes the tweaks of a batch's first four blocks.
    #[inline(always)]
    fn begin_batch(&mut self, first: u128) {
        let (tweaks, _) = self.tweaks.as_chunks_mut();
        let mut next = first;
        for i in 0..4 {
            tweaks[i] = next.to_le_bytes();
            next = times_x(next);
        }
    }

    /// Tweaks in the standard's order of bits.
    #[inline(always)]
    fn ordered<W: BlocksN<N>, const N: usize>(tweaks: W) -> W {
        if GB { tweaks.reverse_bits() } else { tweaks }
    }
}

impl<const GB: bool> BlockSizeUser for PowersOfX<GB> {
    type BlockSize = U16;
}

impl<const GB: bool> Tweaks for PowersOfX<GB> {
    /// The first tweak, in the standard's order of bits.
    type First = u128;

    #[inline(always)]
    fn empty() -> Self {
        Self { tweaks: [0; 1024] }
    }

    #[inline(always)]
    fn begin(&mut self, first: u128, _: usize) {
        self.begin_batch(if GB { reversed(first) } else { first });
    }

    #[inline(always)]
    fn make<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize) -> W {
        let before = |words: usize| W::load(token, &self.tweaks[from - N * words..][..N]);
        let tweaks = match from / N {
            0 => W::load(token, &self.tweaks[..N]),
            // Times the power of x by which the tweaks of two words differ. The words of a group of four can be made
            // side by side from those of the group before.
            1..4 => match N {
                16 => before(1).mul_x::<1>(),
                32 => before(1).mul_x::<2>(),
                _ => before(1).mul_x::<4>(),
            },
            _ => match N {
                16 => before(4).mul_x::<4>(),
                32 => before(4).mul_x::<8>(),
                _ => before(4).mul_x::<16>(),
            },
        };
        tweaks.store(&mut self.tweaks[from..][..N]);
        Self::ordered(tweaks)
    }

    #[inline(always)]
    fn made<W: BlocksN<N>, const N: usize>(&self, token: W::Token, from: usize) -> W {
        Self::ordered(W::load(token, &self.tweaks[from..][..N]))
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        let (tweaks, _) = self.tweaks.as_chunks();
        self.begin_batch(times_x(u128::from_le_bytes(tweaks[len / 16 - 1])));
    }

    #[inline(always)]
    fn next_two(&self) -> [Block<Self>; 2] {
        let (tweaks, _) = self.tweaks.as_chunks();
        let tweak = |i: usize| {
            let tweak = u128::from_le_bytes(tweaks[i]);
            Array(if GB { reversed(tweak) } else { tweak }.to_le_bytes())
        };
        [tweak(0), tweak(1)]
    }
}

impl<const GB: bool> Drop for PowersOfX<GB> {
    #[inline(always)]
    fn drop(&mut self) {
        // With a known plaintext, a tweak reveals the cipher's own input and output.
        self.tweaks = [0; 1024];
        zeroize::optimization_barrier(&self.tweaks);
    }
}
