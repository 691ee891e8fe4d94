//! Kusumi-512: an ARX stream cipher of 2025 with a key of 64 bytes, a nonce of 12 and blocks of 100; and an AEAD of it.
//!
//! The state is 25 numbers of 32 bits: 4 constants, the key, a block counter of 64 bits, the nonce. It goes through ten
//! rounds of 17 of ChaCha's quarter rounds each, and the input is added. Data begins at block 1; block 0 is for the
//! authenticator's key alone.
//!
//! **Nobody but its authors has analysed it.** Use
//! [`XChaCha20Poly1305`](crate::chacha::XChaCha20Poly1305) for secrets that matter.
//!
//! The keystream is the published one. The authors' code has faults that are not repeated here: its streams restart the
//! counter every 4096 bytes, a second message repeats the keystream of the first, and its tag covers neither associated
//! data nor lengths and differs from Poly1305's in an eighth of all cases. This module therefore cannot decrypt what
//! that code's streams and authenticated mode have encrypted.

#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;

use crate::Backend;
use crate::keystream::arx::{Arx, KeystreamJob, quarter_round, quarter_rounds, words};
use crate::keystream::{Blocks, Generator, Sealed, Stream, StreamKey, StreamPoly1305, impl_aead_keystream};
use cipher::Array;
use cipher::consts::{U12, U64};
use cipher::inout::InOutBuf;
use fairlane_lanes::{AnyToken, Scalar, U32x1, U32x4, U32x8, U32x8Vl, U32x16, U32xN};
use zeroize::ZeroizeOnDrop;

/// The Kusumi-512 stream cipher: key of 64 bytes, nonce of 12.
///
/// Position 0 is the first byte of block 1; the last block is 2^64 - 1.
pub type Kusumi512 = Stream<KusumiBlocks>;

/// A key of [`Kusumi512`] for many nonces.
pub type Kusumi512Key = StreamKey<KusumiBlocks>;

/// Kusumi-512 and Poly1305 composed as RFC 8439, section 2.8 does: key of 64 bytes, nonce of 12, tag of 16.
pub type Kusumi512Poly1305 = StreamPoly1305<KusumiBlocks>;

/// Numbers of a state.
const WORDS: usize = 25;

/// The backends of Kusumi-512, best first.
pub(crate) const BACKENDS: &[Backend] = &[Backend::Avx512, Backend::Avx2, Backend::Neon, Backend::Scalar];

/// Kusumi-512's blocks for one key and nonce.
#[derive(Clone)]
pub struct KusumiBlocks {
    token: AnyToken,
    state: [u32; WORDS],
}

impl Generator for KusumiBlocks {
    type KeySize = U64;
    type NonceSize = U12;
    /// The state with a nonce of zeros.
    type ReadyKey = Self;
    type Keyed<'k> = Self;

    const BACKENDS: &'static [Backend] = BACKENDS;

    #[inline]
    fn new(token: AnyToken, key: &Array<u8, U64>, nonce: &Array<u8, U12>) -> Self {
        let mut state = state_of(key);
        words(&mut state[22..], nonce);
        Self { token, state }
    }

    #[inline]
    fn ready_key(token: AnyToken, key: &Array<u8, U64>) -> Self {
        Self { token, state: state_of(key) }
    }

    #[inline]
    fn keyed(key: &Self, nonce: &Array<u8, U12>) -> Self {
        let mut blocks = key.clone();
        words(&mut blocks.state[22..], nonce);
        blocks
    }
}

/// The state of a key, with zeros for counter and nonce.
#[inline(always)]
fn state_of(key: &Array<u8, U64>) -> [u32; WORDS] {
    let mut state = [0; WORDS];
    state[..4].copy_from_slice(&crate::chacha::CONSTANTS);
    words(&mut state[4..20], key);
    state
}

impl Blocks for KusumiBlocks {
    type Block = [u8; 4 * WORDS];

    const NAME: &'static str = "Kusumi512";
    const EMPTY: Self::Block = [0; 4 * WORDS];
    const FIRST: u64 = 1;
    const BLOCKS: u64 = u64::MAX;

    #[inline(never)]
    fn apply(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut Self::Block) {
        let mut job = KeystreamJob { state: &self.state, counter, data, last };
        match self.token {
            AnyToken::Avx512(token) => {
                job.columns::<Rounds, U32x16, 16>(token, 8);
                job.columns::<Rounds, U32x8Vl, 8>(token, 1);
            }
            AnyToken::Avx2(token) => job.columns::<Rounds, U32x8, 8>(token, 1),
            AnyToken::Neon(token) => job.columns::<Rounds, U32x4, 4>(token, 1),
            _ => {}
        }
        // The rest: one block, or all of them on the scalar backend.
        job.columns::<Rounds, U32x1<Scalar>, 1>(Scalar::PROOF, 0);
    }
}

impl_aead_keystream!(KusumiBlocks, "Kusumi512Poly1305");

impl Drop for KusumiBlocks {
    fn drop(&mut self) {
        self.state = [0; WORDS];
        zeroize::optimization_barrier(&self.state);
    }
}

impl Sealed for KusumiBlocks {}

impl ZeroizeOnDrop for KusumiBlocks {}

/// The permutation: 170 quarter rounds.
///
/// With a rotation in one instruction they are 2040; the input's addition is 25 more, and the exclusive ors with the
/// data and the transposition about 150. Cycles on an Emerald Rapids Xeon, the clock taken from a chain of dependent
/// additions:
///
/// | | bound | measured |
/// | --- | --- | --- |
/// | 16 blocks in 512 bits, two ports | 1107 | 1220 |
/// | 8 blocks in 256 bits of AVX-512, three ports | 735 | 905; a round's longest chain is 60, so 600 is another bound |
/// | 8 blocks of AVX2, a rotation being one shuffle or three operations, 16 registers | 980 | 1235 |
/// | one block, integers: four or five ports, of which two rotate | 410 | 715 |
struct Rounds;

impl Arx<WORDS> for Rounds {
    const COUNTER: usize = 20;
    const WIDE: bool = true;

    #[inline(always)]
    fn rounds<W: U32xN<N>, const N: usize>(state: &mut [W; WORDS]) {
        for _ in 0..10 {
            quarter_rounds::<0, W, N, _>(state, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]);
            quarter_rounds::<0, W, N, _>(state, [[16, 17, 18, 19], [20, 21, 22, 23], [0, 1, 2, 3], [4, 5, 6, 7]]);
            quarter_rounds::<0, W, N, _>(state, [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]]);
            quarter_rounds::<0, W, N, _>(state, [[16, 17, 18, 19], [21, 22, 23, 20], [2, 3, 0, 1], [7, 4, 5, 6]]);
            quarter_round(state, [19, 24, 0, 5]);
        }
    }
}
