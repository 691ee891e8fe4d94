//! What several tests need; each takes some of it.
#![allow(dead_code)]

use fairlane::Backend;
use rand::{Rng, SeedableRng, rngs::SmallRng};
use std::sync::Once;

/// Those of a primitive's backends that run here; the others are named, once.
pub(crate) fn backends(primitive: &str) -> Vec<Backend> {
    static NAMED: Once = Once::new();
    let known = fairlane::primitives();
    let primitive = known.iter().find(|known| known.name == primitive).expect("a primitive of fairlane::primitives");
    let (here, missing): (Vec<_>, Vec<_>) = primitive.backends.iter().partition(|backend| backend.is_available());
    if !missing.is_empty() {
        NAMED.call_once(|| eprintln!("skipped backends: {missing:?}"));
    }
    here
}

/// Where a test goes through many lengths, it takes each `STRIDE`th: fewer where tests run under an emulator.
pub(crate) const STRIDE: usize = if cfg!(target_arch = "aarch64") { 3 } else { 1 };

/// The next bytes of a generator.
pub(crate) fn random(rng: &mut SmallRng, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    rng.fill_bytes(&mut bytes);
    bytes
}

/// The first bytes of a seed's generator.
pub(crate) fn random_from(seed: usize, length: usize) -> Vec<u8> {
    random(&mut SmallRng::seed_from_u64(seed as u64), length)
}

/// A message that has another length each time it is looked at.
pub(crate) struct Changing {
    bytes: [u8; 700],
    looks: std::cell::Cell<usize>,
}

impl Changing {
    pub(crate) fn new(looks: usize) -> Self {
        Self { bytes: [7; 700], looks: looks.into() }
    }
}

impl AsRef<[u8]> for Changing {
    fn as_ref(&self) -> &[u8] {
        self.looks.set(self.looks.get() + 1);
        &self.bytes[..self.looks.get() * 211 % 700]
    }
}

/// An iterator that promises so many messages, and yields those that it has.
pub(crate) struct Promising(pub(crate) usize, pub(crate) std::vec::IntoIter<&'static [u8]>);

impl Iterator for Promising {
    type Item = &'static [u8];

    fn next(&mut self) -> Option<&'static [u8]> {
        self.1.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0, Some(self.0))
    }
}

impl ExactSizeIterator for Promising {}
