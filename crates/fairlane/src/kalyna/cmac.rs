//! CMAC (DSTU 7624:2014, clause 9).

use super::blocks::Kalyna;
use super::keyed::{keyed_mode, mac};
use super::lengths::LengthError;
use crate::authenticated::cbc_mac::CbcMac;
use cipher::Block;
use digest::{CtOutput, Output, Reset, Update};
use zeroize::Zeroize;

/// CMAC of one message with Kalyna, which comes in pieces of any length through the traits of [`digest`](mod@digest),
/// `Mac` among them: a tag of one block, of which the standard takes as many of the first bytes as the user chooses
/// (`Mac::verify_truncated_left`).
///
/// **Not NIST's**: the last block is masked with an encrypted 0 or 1. A key for CMAC must serve for nothing else, since
/// a tag can be one block of any other mode.
///
/// The standard has no tag for an empty message. [`try_finalize`](Self::try_finalize) refuses one; the traits, which
/// cannot, pad it to a block, as they pad the end of a longer one. No other message has that tag.
///
/// Each block of a message depends on the one before: [`Gmac`](super::Gmac) is many times faster. Constant time where
/// the cipher is. The key and the state are erased on drop.
///
/// ```
/// use fairlane::digest::{KeyInit, Mac};
/// use fairlane::kalyna::{Cmac, Kalyna128_256};
///
/// let mut mac = Cmac::<Kalyna128_256>::new(&[7; 32].into());
/// mac.update(b"in ");
/// mac.update(b"pieces");
/// let tag = mac.finalize().into_bytes();
///
/// let mac = Cmac::<Kalyna128_256>::new(&[7; 32].into()).chain_update(b"in pieces");
/// assert!(mac.verify(&tag).is_ok());
/// ```
#[derive(Clone)]
pub struct Cmac<C: Kalyna> {
    cipher: C,
    /// The encryptions of 0, for messages of whole blocks, and of 1.
    masks: [Block<C>; 2],
    mac: CbcMac<C::BlockSize>,
}

impl<C: Kalyna> Cmac<C> {
    fn with_cipher(cipher: C) -> Self {
        let mut masks = [Block::<C>::default(), Block::<C>::default()];
        masks[1][0] = 1;
        cipher.encrypt_blocks(&mut masks);
        Self { cipher, masks, mac: CbcMac::new() }
    }

    /// The tag, which is compared in constant time.
    ///
    /// # Errors
    /// There was no byte.
    pub fn try_finalize(mut self) -> Result<CtOutput<Self>, LengthError> {
        if self.mac.is_empty() { Err(LengthError::Empty) } else { Ok(CtOutput::new(self.tag())) }
    }

    fn tag(&mut self) -> Output<Self> {
        let [whole, padded] = &self.masks;
        self.mac.pad_and_mask(&self.cipher, |is_whole| Some(if is_whole { whole.clone() } else { padded.clone() }));
        self.mac.state().clone()
    }
}

impl<C: Kalyna> Drop for Cmac<C> {
    fn drop(&mut self) {
        self.masks.iter_mut().for_each(|mask| mask.zeroize());
    }
}

impl<C: Kalyna> Update for Cmac<C> {
    fn update(&mut self, data: &[u8]) {
        self.mac.update(&self.cipher, data);
    }
}

/// Resets the message, but not the key.
impl<C: Kalyna> Reset for Cmac<C> {
    fn reset(&mut self) {
        self.mac = CbcMac::new();
    }
}

keyed_mode!(Cmac, "KalynaCmac");
mac!(Cmac);
