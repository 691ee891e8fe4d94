//! ChaCha (D. J. Bernstein, 2008) with RFC 8439's counter of 32 bits and nonce of 12 bytes, `XChaCha20` with a nonce of
//! 24 (draft-irtf-cfrg-xchacha-03), and their AEADs with Poly1305.
//!
//! ```
//! use fairlane::aead::{Aead, KeyInit, Payload};
//! use fairlane::chacha::XChaCha20Poly1305;
//!
//! let cipher = XChaCha20Poly1305::new(&[7; 32].into());
//! let nonce = [9; 24].into(); // random, another one for every message
//! let sealed = cipher.encrypt(&nonce, &b"attack at dawn"[..])?;
//! assert_eq!(cipher.decrypt(&nonce, &sealed[..])?, b"attack at dawn");
//! assert!(cipher.decrypt(&nonce, Payload { msg: &sealed, aad: b"to Bob" }).is_err());
//! # Ok::<(), fairlane::aead::Error>(())
//! ```

mod first;
mod rounds;
mod rows;
#[cfg(feature = "symbolic")]
#[doc(hidden)]
pub mod symbolic;

use crate::Backend;
use crate::keystream;
use crate::keystream::arx::{Arx, KeystreamJob, words};
use crate::keystream::{
    BesideTag, Blocks, FirstBlock, Generator, Sealed, Stream, StreamKey, StreamPoly1305, impl_aead_keystream,
};
use cipher::Array;
use cipher::consts::{U12, U24, U32};
use cipher::inout::InOutBuf;
use core::marker::PhantomData;
use core::ops::Range;
use fairlane_lanes::{
    AnyToken, Avx512, Kernel, Scalar, Token, U32x1, U32x1Bmi2, U32x4, U32x4Vl, U32x8, U32x8Vl, U32x16, U32xN,
    in_one_store, is_zen,
};
use first::{FirstAndColumns, FirstBesideRows, FirstInRows, RowsBesideTag};
use rounds::Rounds;
use zeroize::ZeroizeOnDrop;

/// ChaCha with 8 rounds: key of 32 bytes, nonce of 12. It is unbroken, but its security margin is small.
pub type ChaCha8 = Stream<ChaChaBlocks<8>>;
/// ChaCha with 12 rounds: key of 32 bytes, nonce of 12.
pub type ChaCha12 = Stream<ChaChaBlocks<12>>;
/// ChaCha20 (RFC 8439, section 2.4): key of 32 bytes, nonce of 12. Position 0 is the first byte of block 0; a keystream
/// has 2^32 blocks of 64 bytes, 256 GiB.
pub type ChaCha20 = Stream<ChaChaBlocks<20>>;
/// XChaCha20 (draft-irtf-cfrg-xchacha-03, section 2.3): key of 32 bytes, nonce of 24, which may be random.
pub type XChaCha20 = Stream<XChaChaBlocks>;

/// A key of [`ChaCha8`] for many nonces.
pub type ChaCha8Key = StreamKey<ChaChaBlocks<8>>;
/// A key of [`ChaCha12`] for many nonces.
pub type ChaCha12Key = StreamKey<ChaChaBlocks<12>>;
/// A key of [`ChaCha20`] for many nonces.
pub type ChaCha20Key = StreamKey<ChaChaBlocks<20>>;
/// A key of [`XChaCha20`] for many nonces.
pub type XChaCha20Key = StreamKey<XChaChaBlocks>;

/// ChaCha20-Poly1305 (RFC 8439, section 2.8): key of 32 bytes, nonce of 12, tag of 16; messages up to 2^38 - 64 bytes.
pub type ChaCha20Poly1305 = StreamPoly1305<ChaChaBlocks<20>>;
/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03, section 2.1): key of 32 bytes, nonce of 24, which may be random, tag
/// of 16.
pub type XChaCha20Poly1305 = StreamPoly1305<XChaChaBlocks>;

/// "expand 32-byte k"
pub(crate) const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The backends of ChaCha, best first.
pub(crate) const BACKENDS: &[Backend] = &[Backend::Avx512, Backend::Avx2, Backend::Neon, Backend::Scalar];

/// ChaCha's blocks for one key and nonce.
#[derive(Clone)]
pub struct ChaChaBlocks<const ROUNDS: usize> {
    token: AnyToken,
    state: [u32; 16],
}

/// Implements [`Generator`] for a number of rounds. The type has no parameters: its kernels are compiled in this crate,
/// and not in each user's.
macro_rules! generator {
    ($($rounds:literal $name:literal)*) => {$(
        impl Blocks for ChaChaBlocks<$rounds> {
            type Block = [u8; 64];

            const NAME: &'static str = $name;
            const EMPTY: Self::Block = [0; 64];
            const FIRST: u64 = 0;
            const BLOCKS: u64 = 1 << 32;

            #[inline(never)]
            fn apply(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut Self::Block) {
                self.run(KeystreamJob { state: &self.state, counter, data, last });
            }
        }

        impl Generator for ChaChaBlocks<$rounds> {
            type KeySize = U32;
            type NonceSize = U12;
            /// The state with a nonce of zeros.
            type ReadyKey = Self;
            type Keyed<'k> = Self;

            const BACKENDS: &'static [Backend] = BACKENDS;

            #[inline]
            fn new(token: AnyToken, key: &Array<u8, U32>, nonce: &Array<u8, U12>) -> Self {
                Self { token, state: state_of(key, nonce) }
            }

            #[inline]
            fn ready_key(token: AnyToken, key: &Array<u8, U32>) -> Self {
                Self { token, state: state_of(key, &Array::default()) }
            }

            #[inline]
            fn keyed(key: &Self, nonce: &Array<u8, U12>) -> Self {
                let mut blocks = key.clone();
                blocks.state[12..].copy_from_slice(&nonce_row(nonce));
                blocks
            }
        }
    )*};
}
generator!(8 "ChaCha8" 12 "ChaCha12" 20 "ChaCha20");

/// The state of a key and a nonce, with zero for the counter.
#[inline(always)]
fn state_of(key: &Array<u8, U32>, nonce: &Array<u8, U12>) -> [u32; 16] {
    // An expression, which LLVM makes where it is to lie: a copy of what was just stored in parts would wait for that.
    let k = |i| number(key, i);
    let [c0, c1, c2, c3] = CONSTANTS;
    let [counter, n0, n1, n2] = nonce_row(nonce);
    [c0, c1, c2, c3, k(0), k(1), k(2), k(3), k(4), k(5), k(6), k(7), counter, n0, n1, n2]
}

/// The state's last row, with zero for the counter.
#[inline(always)]
fn nonce_row(nonce: &Array<u8, U12>) -> [u32; 4] {
    in_one_store([0, number(nonce, 0), number(nonce, 1), number(nonce, 2)])
}

/// Number `i` of the little-endian ones in `bytes`.
#[inline(always)]
fn number(bytes: &[u8], i: usize) -> u32 {
    u32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]])
}

impl<const ROUNDS: usize> ChaChaBlocks<ROUNDS> {
    #[inline(always)]
    fn run(&self, mut job: KeystreamJob<'_, 16>) {
        match self.token {
            AnyToken::Avx512(token) => {
                job.columns::<Rounds<ROUNDS>, U32x16, 16>(token, 8);
                job.columns::<Rounds<ROUNDS>, U32x8Vl, 8>(token, 4);
                job.rows::<U32x16, 16, 1, ROUNDS>(token, 2);
                job.rows::<U32x8Vl, 8, 1, ROUNDS>(token, 1);
                job.rows::<U32x4Vl, 4, 1, ROUNDS>(token, 0);
            }
            AnyToken::Avx2(token) => {
                job.columns::<Rounds<ROUNDS>, U32x8, 8>(token, 4);
                job.rows::<U32x8, 8, 2, ROUNDS>(token, 2);
                job.rows::<U32x8, 8, 1, ROUNDS>(token, 0);
            }
            AnyToken::Neon(token) => {
                job.columns::<Rounds<ROUNDS>, U32x4, 4>(token, 1);
                job.rows::<U32x4, 4, 1, ROUNDS>(token, 0);
            }
            _ => job.columns::<Rounds<ROUNDS>, U32x1<Scalar>, 1>(Scalar::PROOF, 0),
        }
    }
}

impl FirstBlock for ChaChaBlocks<20> {
    #[inline]
    fn has_first_block(token: AnyToken) -> bool {
        matches!(token, AnyToken::Avx512(_))
    }

    #[inline(never)]
    fn apply_after_first(&self, first: &mut [u8; 64], data: InOutBuf<'_, '_, u8>, last: &mut [u8; 64]) {
        let AnyToken::Avx512(token) = self.token else { unreachable!("asked before") };
        let blocks = data.len().div_ceil(64);
        let job = KeystreamJob { state: &self.state, counter: 1, data, last };
        macro_rules! rows {
            ($word:ty, $lanes:literal, $groups:literal) => {
                token.run(FirstInRows::<$word, $lanes, $groups, 20> { first, job, words: PhantomData })
            };
        }
        macro_rules! beside {
            ($groups:literal) => {
                token.run(FirstBesideRows::<U32x1Bmi2<Avx512>, U32x16, 16, $groups, 20> {
                    first,
                    job,
                    words: PhantomData,
                })
            };
        }
        match blocks {
            0 | 1 => rows!(U32x8Vl, 8, 1),
            2 | 3 => rows!(U32x16, 16, 1),
            4..=7 => rows!(U32x16, 16, 2),
            8 => beside!(2),
            _ if is_zen() => {
                token.run(FirstAndColumns::<U32x4Vl, U32x16, 16, 20> { first, job, words: PhantomData });
            }
            9..=11 => rows!(U32x16, 16, 3),
            12 => beside!(3),
            13..=15 => rows!(U32x16, 16, 4),
            _ => beside!(4),
        }
    }
}

impl BesideTag for ChaChaBlocks<20> {
    /// More than one word of rows, and fewer than lanes take for the tag.
    const SEALED: Range<usize> = 3 * 64 + 1..24 * 16;
    /// Fewer than lanes take for the tag.
    const OPENED: Range<usize> = 0..24 * 16;

    #[inline(never)]
    fn seal(&self, [first, last]: [&mut [u8; 64]; 2], data: InOutBuf<'_, '_, u8>, associated_data: &[u8]) -> [u8; 16] {
        let AnyToken::Avx512(token) = self.token else { unreachable!("asked before") };
        let job = KeystreamJob { state: &self.state, counter: 1, data, last };
        // Less ciphertext is there while the second word has its rounds than for decryption.
        let tag = token.run(RowsBesideTag::<U32x16, 16, 5> {
            first,
            job,
            associated_data,
            expected: None,
            words: PhantomData,
        });
        tag.expect("only an expected tag can be a wrong one")
    }

    #[inline(never)]
    fn open(
        &self,
        [first, last]: [&mut [u8; 64]; 2],
        data: InOutBuf<'_, '_, u8>,
        associated_data: &[u8],
        tag: &[u8; 16],
    ) -> bool {
        let AnyToken::Avx512(token) = self.token else { unreachable!("asked before") };
        let (short, expected, words) = (data.len() <= 64, Some(tag), PhantomData);
        let job = KeystreamJob { state: &self.state, counter: 1, data, last };
        let opened = if short {
            token.run(RowsBesideTag::<U32x8Vl, 8, 1> { first, job, associated_data, expected, words })
        } else {
            token.run(RowsBesideTag::<U32x16, 16, 1> { first, job, associated_data, expected, words: PhantomData })
        };
        opened.is_some()
    }
}

impl_aead_keystream!(ChaChaBlocks<20>, "ChaCha20Poly1305", keystream::seal_beside, keystream::open_beside);

impl<const ROUNDS: usize> Drop for ChaChaBlocks<ROUNDS> {
    fn drop(&mut self) {
        self.state = [0; 16];
        zeroize::optimization_barrier(&self.state);
    }
}

impl<const ROUNDS: usize> Sealed for ChaChaBlocks<ROUNDS> {}

impl<const ROUNDS: usize> ZeroizeOnDrop for ChaChaBlocks<ROUNDS> {}

/// XChaCha20's blocks for one key and nonce.
#[derive(Clone)]
pub struct XChaChaBlocks(ChaChaBlocks<20>);

impl Blocks for XChaChaBlocks {
    type Block = [u8; 64];

    const NAME: &'static str = "XChaCha20";
    const EMPTY: Self::Block = [0; 64];
    const FIRST: u64 = <ChaChaBlocks<20>>::FIRST;
    const BLOCKS: u64 = <ChaChaBlocks<20>>::BLOCKS;

    fn apply(&self, counter: u64, data: InOutBuf<'_, '_, u8>, last: &mut Self::Block) {
        self.0.apply(counter, data, last);
    }
}

impl Generator for XChaChaBlocks {
    type KeySize = U32;
    type NonceSize = U24;
    type ReadyKey = ChaChaBlocks<20>;
    type Keyed<'k> = Self;

    const BACKENDS: &'static [Backend] = BACKENDS;

    fn new(token: AnyToken, key: &Array<u8, U32>, nonce: &Array<u8, U24>) -> Self {
        Self::keyed(&Self::ready_key(token, key), nonce)
    }

    #[inline]
    fn ready_key(token: AnyToken, key: &Array<u8, U32>) -> ChaChaBlocks<20> {
        <ChaChaBlocks<20>>::ready_key(token, key)
    }

    /// The subkey is HChaCha20's output for the first 16 bytes of the nonce; the others are ChaCha20's nonce.
    fn keyed(key: &ChaChaBlocks<20>, nonce: &Array<u8, U24>) -> Self {
        let (first, rest) = nonce.split_ref::<cipher::consts::U16>();
        let mut blocks = key.clone();
        words(&mut blocks.state[12..], first);
        hchacha(blocks.token, &mut blocks.state);
        blocks.state.copy_within(..4, 4);
        blocks.state.copy_within(12.., 8);
        blocks.state[..4].copy_from_slice(&CONSTANTS);
        blocks.state[12..].copy_from_slice(&in_one_store([0, 0, number(rest, 0), number(rest, 1)]));
        Self(blocks)
    }
}

impl FirstBlock for XChaChaBlocks {
    #[inline]
    fn has_first_block(token: AnyToken) -> bool {
        <ChaChaBlocks<20>>::has_first_block(token)
    }

    #[inline]
    fn apply_after_first(&self, first: &mut [u8; 64], data: InOutBuf<'_, '_, u8>, last: &mut [u8; 64]) {
        self.0.apply_after_first(first, data, last);
    }
}

impl BesideTag for XChaChaBlocks {
    const SEALED: Range<usize> = <ChaChaBlocks<20>>::SEALED;
    const OPENED: Range<usize> = <ChaChaBlocks<20>>::OPENED;

    #[inline]
    fn seal(&self, blocks: [&mut [u8; 64]; 2], data: InOutBuf<'_, '_, u8>, associated_data: &[u8]) -> [u8; 16] {
        BesideTag::seal(&self.0, blocks, data, associated_data)
    }

    #[inline]
    fn open(
        &self,
        blocks: [&mut [u8; 64]; 2],
        data: InOutBuf<'_, '_, u8>,
        associated_data: &[u8],
        tag: &[u8; 16],
    ) -> bool {
        BesideTag::open(&self.0, blocks, data, associated_data, tag)
    }
}

impl_aead_keystream!(XChaChaBlocks, "XChaCha20Poly1305", keystream::seal_beside, keystream::open_beside);

impl Sealed for XChaChaBlocks {}

impl ZeroizeOnDrop for XChaChaBlocks {}

/// The 20 rounds without the addition of the input.
fn hchacha(token: AnyToken, state: &mut [u32; 16]) {
    match token {
        AnyToken::Avx512(token) => token.run(rows::PermuteRows::<U32x4Vl>::new(state)),
        AnyToken::Neon(token) => token.run(rows::PermuteRows::<U32x4>::new(state)),
        _ => Scalar::PROOF.run(Permute(state)),
    }
}

struct Permute<'a>(&'a mut [u32; 16]);

impl<T: Token> Kernel<T> for Permute<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self, token: T) {
        let mut state = [U32x1::splat(token, 0); 16];
        for i in 0..16 {
            state[i] = U32x1::splat(token, self.0[i]);
        }
        Rounds::<20>::rounds(&mut state);
        for i in 0..16 {
            [self.0[i]] = state[i].to_array();
        }
    }
}
