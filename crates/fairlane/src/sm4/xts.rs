//! XTS: data units of 16 bytes and more, such as a disk's sectors, each under a tweak, without room for a tag.

use super::kernels::{BACKENDS, Cipher, Mode, bytes};
use crate::{Backend, Unsupported, ct};
use cipher::InOutBuf;
use core::fmt;
use fairlane_lanes::{AnyToken, BlocksN};
use zeroize::ZeroizeOnDrop;

/// SM4 in XTS mode as IEEE 1619 has it (NIST SP 800-38E): two keys, 32 bytes in all, and a tweak of 16.
pub type Sm4Xts = Xts<false>;
/// SM4 in XTS mode as GB/T 17964-2021 has it, where the bits of a tweak count from the other end of each byte:
/// OpenSSL's SM4-XTS by default. From the second block on it gives other ciphertext than [`Sm4Xts`].
pub type Sm4XtsGb = Xts<true>;

/// SM4 in XTS mode: name it as [`Sm4Xts`] or [`Sm4XtsGb`].
///
/// A data unit has 16 bytes to 16 MiB, in whole blocks or not. XTS shows which blocks of a unit stay the same when it
/// is written again, and does not notice changed data: a block that was changed is a random one after decryption. It is
/// for disks, where ciphertext must not be longer. The keys are erased on drop.
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

/// Why a key or a data unit is not one for XTS.
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
    /// The mode with the data's key, 16 bytes, and the tweaks' key after it.
    ///
    /// # Errors
    /// The two are the same.
    #[inline]
    pub fn new(key: &[u8; 32]) -> Result<Self, XtsError> {
        Self::with_token(key, AnyToken::best(BACKENDS))
    }

    /// As [`new`](Self::new), on one backend.
    ///
    /// # Errors
    /// The two keys are the same, this CPU lacks the backend's features, or SM4 has no kernel for it.
    pub fn with_backend(key: &[u8; 32], backend: Backend) -> Result<Self, XtsError> {
        let token = AnyToken::among(BACKENDS, backend).map_err(XtsError::Unsupported)?;
        Self::with_token(key, token)
    }

    fn with_token(key: &[u8; 32], token: AnyToken) -> Result<Self, XtsError> {
        let (halves, _) = key.as_chunks();
        if ct::equal(&halves[0], &halves[1]) {
            return Err(XtsError::EqualKeys);
        }
        Ok(Self { data: Cipher::new(token, &halves[0]), tweak: Cipher::new(token, &halves[1]) })
    }

    /// Encrypts a data unit, in place or from one buffer to another. As tweaks IEEE 1619 has the units' numbers,
    /// little-endian.
    ///
    /// # Errors
    /// The unit is shorter than 16 bytes or longer than 16 MiB; nothing is written then.
    pub fn encrypt(&self, tweak: &[u8; 16], data: InOutBuf<'_, '_, u8>) -> Result<(), XtsError> {
        self.run::<false>(tweak, data)
    }

    /// The converse of [`encrypt`](Self::encrypt).
    ///
    /// # Errors
    /// As there.
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
        let mut tweak = *tweak;
        self.tweak.block::<false>(&mut tweak);
        let mut tweak = u128::from_le_bytes(tweak);
        if GB {
            tweak = reversed(tweak);
        }

        // With a part of a block at the end, that and the whole block before it are done apart.
        let part = len % 16;
        let whole = if part == 0 { len } else { len - part - 16 };
        let (data, last) = data.split_at(whole);
        let mut units = Units::<GB> { tweak: 0, data, tweaks: [0; 1024] };
        units.start(tweak);
        self.data.run::<DECRYPT>(&mut units);
        tweak = units.tweak;
        // With a known plaintext, a tweak gives the cipher's own input and output away.
        units.tweaks = [0; 1024];
        zeroize::optimization_barrier(&units.tweaks);
        if part > 0 {
            self.steal::<DECRYPT>(tweak, last);
        }
        Ok(())
    }

    /// The last whole block and the part of one after it (ciphertext stealing, IEEE 1619, section 5.3.2).
    fn steal<const DECRYPT: bool>(&self, tweak: u128, last: InOutBuf<'_, '_, u8>) {
        let mut last = last;
        let crypt = |tweak: u128, block: &mut [u8; 16]| {
            let tweak = if GB { reversed(tweak) } else { tweak };
            *block = (u128::from_le_bytes(*block) ^ tweak).to_le_bytes();
            self.data.block::<DECRYPT>(block);
            *block = (u128::from_le_bytes(*block) ^ tweak).to_le_bytes();
        };
        let next = times_x(tweak);
        let (first, second) = if DECRYPT { (next, tweak) } else { (tweak, next) };
        let mut block = [0; 16];
        block.copy_from_slice(&last.get_in()[..16]);
        crypt(first, &mut block);
        // What the block's beginning gives is the part; the part's own bytes take its place.
        let mut stolen = block;
        let part = last.len() - 16;
        stolen[..part].copy_from_slice(&last.get_in()[16..]);
        crypt(second, &mut stolen);
        let out = last.get_out();
        out[..16].copy_from_slice(&stolen);
        out[16..].copy_from_slice(&block[..part]);
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

/// Whole blocks, with their tweaks added before and after.
struct Units<'a, const GB: bool> {
    /// The next block's, in IEEE 1619's order of bits.
    tweak: u128,
    data: InOutBuf<'a, 'a, u8>,
    /// Those of a batch, in the same order; before it, those of its first four blocks.
    tweaks: [u8; 1024],
}

impl<const GB: bool> Units<'_, GB> {
    #[inline(always)]
    fn start(&mut self, tweak: u128) {
        self.tweak = tweak;
        let (tweaks, _) = self.tweaks.as_chunks_mut();
        let mut next = tweak;
        for i in 0..4 {
            tweaks[i] = next.to_le_bytes();
            next = times_x(next);
        }
    }
}

impl<const GB: bool> Mode for Units<'_, GB> {
    #[inline(always)]
    fn blocks(&self) -> usize {
        self.data.len() / 16
    }

    #[inline(always)]
    fn load<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize) -> W {
        let before = |words: usize| W::load(token, &self.tweaks[16 * from - N * words..][..N]);
        let tweak = match from / (N / 16) {
            0 => W::load(token, &self.tweaks[..N]),
            // By as many powers of x as a word has blocks; where four words can go side by side, by as many as they
            // have.
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
        tweak.store(&mut self.tweaks[16 * from..][..N]);
        W::load(token, &self.data.get_in()[bytes::<N>(from, count)]).xor(shown::<W, N, GB>(tweak))
    }

    #[inline(always)]
    fn store<W: BlocksN<N>, const N: usize>(&mut self, token: W::Token, from: usize, count: usize, output: W) {
        let tweak = W::load(token, &self.tweaks[16 * from..][..N]);
        output.xor(shown::<W, N, GB>(tweak)).store(&mut self.data.get_out()[bytes::<N>(from, count)]);
    }

    #[inline(always)]
    fn advance(&mut self, count: usize) {
        let (tweaks, _) = self.tweaks.as_chunks();
        self.start(times_x(u128::from_le_bytes(tweaks[count - 1])));
        let rest = core::mem::replace(&mut self.data, (&mut [][..]).into());
        self.data = rest.split_at(16 * count).1;
    }
}

/// Tweaks as they are added.
#[inline(always)]
fn shown<W: BlocksN<N>, const N: usize, const GB: bool>(tweaks: W) -> W {
    if GB { tweaks.reverse_bits() } else { tweaks }
}
