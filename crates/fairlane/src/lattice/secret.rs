//! Values that are erased on drop, whatever the crate's features.

/// A type with a value of zeros.
pub(super) trait Zero {
    const ZERO: Self;
}

impl Zero for u8 {
    const ZERO: Self = 0;
}

impl Zero for u64 {
    const ZERO: Self = 0;
}

impl<T: Zero, const N: usize> Zero for [T; N] {
    const ZERO: Self = [const { T::ZERO }; N];
}

/// A value that is erased on drop.
#[derive(Clone)]
pub(super) struct Secret<T: Zero>(pub(super) T);

impl<T: Zero> Secret<T> {
    /// Zeros.
    pub(super) const ZERO: Self = Self(T::ZERO);

    /// Zeros.
    #[inline(always)]
    pub(super) fn zero() -> Self {
        Self::ZERO
    }

    /// Overwrites the value with zeros.
    #[inline]
    pub(super) fn erase(&mut self) {
        self.0 = T::ZERO;
        zeroize::optimization_barrier(&self.0);
    }
}

impl<T: Zero> Drop for Secret<T> {
    #[inline]
    fn drop(&mut self) {
        self.erase();
    }
}
