//! Output feedback (DSTU 7624:2014, clause 11).

/// Kalyna in OFB mode (DSTU 7624:2014, clause 11; NIST SP 800-38A, section 6.4): a stream cipher with an IV of one block, by the crate
/// [`ofb`](mod@::ofb).
///
/// Each block of keystream is the encryption of the one before, so [`Ctr`](super::Ctr), which makes many at once, is many times as
/// fast. An IV must never meet two messages under one key. Key and IV are erased on drop.
///
/// ```
/// use fairlane::cipher::{KeyIvInit, StreamCipher};
/// use fairlane::kalyna::{Kalyna128_256, Ofb};
///
/// let mut data = *b"a message";
/// Ofb::<Kalyna128_256>::new(&[7; 32].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_ne!(&data, b"a message");
/// Ofb::<Kalyna128_256>::new(&[7; 32].into(), &[1; 16].into()).apply_keystream(&mut data);
/// assert_eq!(&data, b"a message");
/// ```
pub type Ofb<C> = ::ofb::Ofb<C>;
