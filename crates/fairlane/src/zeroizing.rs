//! Hash states and parts of messages, zeroized on drop if the feature `zeroize` is on.

#[cfg(feature = "zeroize")]
pub(crate) use digest::zeroize::Zeroize as MaybeZeroize;

/// What [`Zeroizing`] can hold: any type, as nothing is zeroized without the feature.
#[cfg(not(feature = "zeroize"))]
pub(crate) trait MaybeZeroize {}
#[cfg(not(feature = "zeroize"))]
impl<T> MaybeZeroize for T {}

/// A value that is zeroized on drop if the feature `zeroize` is on.
#[derive(Clone)]
pub(crate) struct Zeroizing<T: MaybeZeroize>(pub(crate) T);

#[cfg(feature = "zeroize")]
impl<T: MaybeZeroize> Drop for Zeroizing<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
