//! Keys that serve many nonces.

use super::stream::{Generator, Stream};
use crate::{Backend, Unsupported};
use cipher::{AlgorithmName, Iv, IvSizeUser, Key, KeyInit, KeySizeUser};
use core::fmt;
use fairlane_lanes::AnyToken;
use zeroize::ZeroizeOnDrop;

/// A key of a stream cipher, for any number of messages: its schedule is computed once, and each message's stream
/// borrows it.
///
/// The streams are the same as those of [`KeyIvInit`](cipher::KeyIvInit), byte for byte, and have the same traits. For
/// short messages under one key this is faster where the cipher has a key schedule: SM4, Kalyna, Threefish. A nonce
/// must never meet two messages under one key.
///
/// The key is erased on drop.
///
#[cfg_attr(feature = "sm4", doc = "```")]
#[cfg_attr(not(feature = "sm4"), doc = "```ignore")]
/// use fairlane::cipher::{KeyInit, StreamCipher};
/// use fairlane::sm4::Sm4CtrKey;
///
/// let key = Sm4CtrKey::new(&[7; 16].into());
/// let mut packets = [*b"one packet", *b"another   "];
/// for (number, packet) in packets.iter_mut().enumerate() {
///     // The counters of the packets must not meet.
///     let iv = (number as u128) << 64;
///     key.stream(&iv.to_be_bytes().into()).apply_keystream(packet);
/// }
/// # assert_ne!(&packets[0], b"one packet");
/// # key.stream(&[0; 16].into()).apply_keystream(&mut packets[0]);
/// # assert_eq!(&packets[0], b"one packet");
/// ```
#[derive(Clone)]
pub struct StreamKey<G: Generator>(G::ReadyKey);

impl<G: Generator> StreamKey<G> {
    /// The key on one backend.
    ///
    /// # Errors
    /// This CPU lacks the backend's features, or the cipher has no kernel for it.
    #[inline]
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, Unsupported> {
        AnyToken::among(G::BACKENDS, backend).map(|token| Self(G::ready_key(token, key)))
    }

    /// The stream of a nonce, or an IV, at its start.
    #[inline]
    pub fn stream(&self, nonce: &Iv<Self>) -> Stream<G::Keyed<'_>> {
        Stream::from_blocks(G::keyed(&self.0, nonce))
    }
}

impl<G: Generator> KeySizeUser for StreamKey<G> {
    type KeySize = G::KeySize;
}

impl<G: Generator> IvSizeUser for StreamKey<G> {
    type IvSize = G::NonceSize;
}

/// On the best backend that this machine has.
impl<G: Generator> KeyInit for StreamKey<G> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self(G::ready_key(AnyToken::best(G::BACKENDS), key))
    }
}

impl<G: Generator> AlgorithmName for StreamKey<G> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(G::NAME)
    }
}

/// Shows no secret.
impl<G: Generator> fmt::Debug for StreamKey<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(G::NAME).finish_non_exhaustive()
    }
}

/// The key erases itself.
impl<G: Generator> ZeroizeOnDrop for StreamKey<G> {}
