//! Kalyna in its five sizes, alone and in the standard's counter mode.

use super::Entry;
use crate::contest::{Contest, Op};
use crate::contestants::{Make, traits};
use crate::contests::kalyna::{iv, key, variant};
use cipher::{Key, StreamCipher};
use fairlane::Backend;
use fairlane::kalyna::{Ctr, Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use fairlane_reference::kalyna::Variant;

/// Why making a cipher cannot fail here.
const AVAILABLE: &str = "the backend is available";

pub(super) fn entry(contest: &Contest, backend: Backend) -> Option<Entry> {
    let variant = variant(contest)?;
    macro_rules! entry {
        ($cipher:ident) => {
            if contest.job() == "ctr" {
                (concat!("kalyna::Ctr<", stringify!($cipher), ">"), ctr::<$cipher>(variant, backend))
            } else {
                let cipher = move |key: &Key<$cipher>| $cipher::with_backend(key, backend).expect(AVAILABLE);
                (concat!("kalyna::", stringify!($cipher)), traits::block(contest, cipher, key(variant))?)
            }
        };
    }
    Some(match variant {
        Variant::K128_128 => entry!(Kalyna128_128),
        Variant::K128_256 => entry!(Kalyna128_256),
        Variant::K256_256 => entry!(Kalyna256_256),
        Variant::K256_512 => entry!(Kalyna256_512),
        Variant::K512_512 => entry!(Kalyna512_512),
    })
}

/// A message in counter mode. It takes key and IV together, once a message.
fn ctr<C: Kalyna + 'static>(variant: Variant, backend: Backend) -> Make {
    Box::new(move |_| {
        Op::fill(move |message, output| {
            let (key, iv) = (key(variant).try_into(), iv(variant).try_into());
            let (key, iv) = (key.expect("a key of this variant"), iv.expect("an IV of a block"));
            Ctr::<C>::with_backend(key, iv, backend).expect(AVAILABLE).apply_keystream_b2b(message, output);
        })
    })
}
