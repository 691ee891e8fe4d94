//! Kalyna in its five sizes.

use super::Entry;
use crate::contest::Contest;
use crate::contestants::{Make, traits};
use crate::contests::kalyna::{key, variant};
use cipher::{BlockCipherDecrypt, BlockCipherEncrypt, Key, KeySizeUser};
use fairlane::kalyna::{Kalyna128_128, Kalyna128_256, Kalyna256_256, Kalyna256_512, Kalyna512_512};
use fairlane::{Backend, Unsupported};
use fairlane_reference::kalyna::Variant;

pub(super) fn entry(contest: &Contest, backend: Backend) -> Option<Entry> {
    let (cipher, make) = match variant(contest)? {
        Variant::K128_128 => ("kalyna::Kalyna128_128", jobs(contest, Kalyna128_128::with_backend, backend)),
        Variant::K128_256 => ("kalyna::Kalyna128_256", jobs(contest, Kalyna128_256::with_backend, backend)),
        Variant::K256_256 => ("kalyna::Kalyna256_256", jobs(contest, Kalyna256_256::with_backend, backend)),
        Variant::K256_512 => ("kalyna::Kalyna256_512", jobs(contest, Kalyna256_512::with_backend, backend)),
        Variant::K512_512 => ("kalyna::Kalyna512_512", jobs(contest, Kalyna512_512::with_backend, backend)),
    };
    Some((cipher, make?))
}

/// What a contest asks of one of them.
fn jobs<C>(contest: &Contest, cipher: fn(&Key<C>, Backend) -> Result<C, Unsupported>, backend: Backend) -> Option<Make>
where
    C: BlockCipherEncrypt + BlockCipherDecrypt + KeySizeUser + Send + 'static,
{
    let cipher = move |key: &Key<C>| cipher(key, backend).expect("the backend is available");
    traits::block(contest, cipher, key(variant(contest)?))
}
