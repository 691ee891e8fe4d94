//! Kalyna in its five sizes, alone and in the standard's counter mode.

use super::Entry;
use crate::contest::{Contest, Job, Operation};
use crate::contestants::{Make, traits};
use crate::inputs::kalyna::{iv, key};
use cipher::{Key, StreamCipher};
use fairlane::Backend;
use fairlane::kalyna::{CtrKey, Kalyna, Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use fairlane_reference::kalyna::Variant;

/// Why making a cipher cannot fail here.
const AVAILABLE: &str = "the backend is available";

pub(super) fn entry(contest: &Contest, backend: Backend) -> Option<Entry> {
    let variant = contest.algorithm().variant()?;
    macro_rules! entry {
        ($cipher:ident) => {
            if contest.job() == Job::Ctr {
                (concat!("kalyna::CtrKey::<", stringify!($cipher), ">::stream"), ctr::<$cipher>(variant, backend))
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

/// A message in counter mode, under a key that is ready.
fn ctr<C: Kalyna + Send>(variant: Variant, backend: Backend) -> Make {
    Box::new(move |_| {
        let key = key(variant).get().try_into().expect("a key of this variant");
        let key = CtrKey::<C>::with_backend(key, backend).expect(AVAILABLE);
        let iv = iv(variant);
        Operation::to_output(move |message, output| {
            let iv = iv.get().try_into().expect("an IV of a block");
            key.stream(iv).apply_keystream_b2b(message, output);
        })
    })
}
