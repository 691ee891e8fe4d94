//! The `dstu-core` crate: a type for each variant with its round keys, and one for each in counter mode.

use super::c_cipher::{BlockCipher, enter_block_cipher};
use super::{About, Roster};
use crate::contest::{Contest, Job, Label, Operation};
use crate::inputs::kalyna::{iv, key};
use crate::inputs::sm4::BLOCK;
use dstu_core::hazmat::kalyna::{
    Kalyna128_128ExpandedKey, Kalyna128_256ExpandedKey, Kalyna256_256ExpandedKey, Kalyna256_512ExpandedKey,
    Kalyna512_512ExpandedKey,
};
use dstu_core::hazmat::kalyna_ctr::{
    Kalyna128_128Ctr, Kalyna128_256Ctr, Kalyna256_256Ctr, Kalyna256_512Ctr, Kalyna512_512Ctr,
};
use fairlane_reference::kalyna::Variant;

pub(super) fn enter(contest: &Contest, roster: &mut Roster) {
    let Some(variant) = contest.algorithm().variant() else { return };
    let about = About {
        name: "dstu-core",
        library: "dstu-core",
        version: "0.7.0",
        backend: "portable Rust, look-ups in tables of 64-bit words",
        labels: &[Label::NotConstantTime],
        how_to_use: "crate dstu-core: hazmat::kalyna::Kalyna128_128ExpandedKey and so on, encrypt_block",
    };
    if contest.job() == Job::Ctr {
        let about = About {
            // A cipher with its counter is made of the key: the round keys cannot be kept for the next message.
            labels: &[Label::NotConstantTime, Label::KeyScheduleInside, Label::CopiesFirst],
            how_to_use: "crate dstu-core: hazmat::kalyna_ctr::Kalyna128_128Ctr and so on, apply_in_place",
            ..about
        };
        roster.operation(contest, &about, move |_| {
            // It works only where the data lies.
            Operation::to_output(move |message, output| {
                output.copy_from_slice(message);
                apply_ctr(variant, output);
            })
        });
        return;
    }
    match variant {
        Variant::K128_128 => enter_block_cipher(contest, roster, &about, Cipher::<Kalyna128_128ExpandedKey, 16>::new),
        Variant::K128_256 => enter_block_cipher(contest, roster, &about, Cipher::<Kalyna128_256ExpandedKey, 16>::new),
        Variant::K256_256 => enter_block_cipher(contest, roster, &about, Cipher::<Kalyna256_256ExpandedKey, 32>::new),
        Variant::K256_512 => enter_block_cipher(contest, roster, &about, Cipher::<Kalyna256_512ExpandedKey, 32>::new),
        Variant::K512_512 => enter_block_cipher(contest, roster, &about, Cipher::<Kalyna512_512ExpandedKey, 64>::new),
    }
}

/// From the key to the last byte.
fn apply_ctr(variant: Variant, data: &mut [u8]) {
    const FITS: &str = "as long as this variant has it";
    let (key, iv) = (key(variant).get(), iv(variant).get());
    macro_rules! apply {
        ($cipher:ident) => {
            $cipher::new(key.try_into().expect(FITS), iv.try_into().expect(FITS)).apply_in_place(data)
        };
    }
    match variant {
        Variant::K128_128 => apply!(Kalyna128_128Ctr),
        Variant::K128_256 => apply!(Kalyna128_256Ctr),
        Variant::K256_256 => apply!(Kalyna256_256Ctr),
        Variant::K256_512 => apply!(Kalyna256_512Ctr),
        Variant::K512_512 => apply!(Kalyna512_512Ctr),
    }
}

/// What the round keys of a variant with blocks of `N` bytes can do; the crate has no trait for it.
trait RoundKeys<const N: usize>: Send + 'static {
    fn new(key: &[u8]) -> Self;
    fn encrypt(&self, block: &[u8; N]) -> [u8; N];
    fn decrypt(&self, block: &[u8; N]) -> [u8; N];
}

macro_rules! round_keys {
    ($($keys:ident: $block:literal,)*) => {
        $(impl RoundKeys<$block> for $keys {
            fn new(key: &[u8]) -> Self {
                Self::new(key.try_into().expect("a key of this variant"))
            }

            fn encrypt(&self, block: &[u8; $block]) -> [u8; $block] {
                self.encrypt_block(block)
            }

            fn decrypt(&self, block: &[u8; $block]) -> [u8; $block] {
                self.decrypt_block(block)
            }
        })*
    };
}
round_keys! {
    Kalyna128_128ExpandedKey: 16,
    Kalyna128_256ExpandedKey: 16,
    Kalyna256_256ExpandedKey: 32,
    Kalyna256_512ExpandedKey: 32,
    Kalyna512_512ExpandedKey: 64,
}

/// Round keys, once there is a key, and the way that they are used.
struct Cipher<K, const N: usize> {
    keys: Option<K>,
    decrypt: bool,
}

impl<K, const N: usize> Cipher<K, N> {
    fn new(decrypt: bool) -> Self {
        Self { keys: None, decrypt }
    }
}

impl<K: RoundKeys<N>, const N: usize> BlockCipher for Cipher<K, N> {
    fn set_key(&mut self, key: &[u8]) {
        self.keys = Some(K::new(key));
    }

    fn process(&mut self, _: Option<&[u8; BLOCK]>, from: Option<&[u8]>, to: &mut [u8]) {
        let keys = self.keys.as_ref().expect("a key was set");
        let crypt = |block: &[u8; N]| if self.decrypt { keys.decrypt(block) } else { keys.encrypt(block) };
        let (blocks, _) = to.as_chunks_mut();
        match from {
            Some(from) => from.as_chunks().0.iter().zip(blocks).for_each(|(from, to)| *to = crypt(from)),
            None => blocks.iter_mut().for_each(|block| *block = crypt(block)),
        }
    }
}
