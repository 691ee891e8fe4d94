//! What is erased on drop.

use super::ring::{Multiplier, Poly};

/// What has a value that says nothing.
pub(super) trait Blank {
    const BLANK: Self;
}

impl Blank for u8 {
    const BLANK: Self = 0;
}

impl Blank for u64 {
    const BLANK: Self = 0;
}

impl Blank for Poly {
    const BLANK: Self = Self::ZERO;
}

impl Blank for Multiplier {
    const BLANK: Self = Self::ZERO;
}

impl<T: Blank, const N: usize> Blank for [T; N] {
    const BLANK: Self = [const { T::BLANK }; N];
}

/// A value that is erased on drop.
#[derive(Clone)]
pub(super) struct Secret<T: Blank>(pub(super) T);

impl<T: Blank> Secret<T> {
    #[inline(always)]
    pub(super) fn blank() -> Self {
        Self(T::BLANK)
    }
}

impl<T: Blank> Drop for Secret<T> {
    #[inline]
    fn drop(&mut self) {
        self.0 = T::BLANK;
        zeroize::optimization_barrier(&self.0);
    }
}
