//! What may be secret and is erased when it is dropped, with the feature `zeroize`.

#[cfg(feature = "zeroize")]
pub(super) use digest::zeroize::Zeroize as Erase;

/// What can be erased: everything, where nothing is.
#[cfg(not(feature = "zeroize"))]
pub(super) trait Erase {}
#[cfg(not(feature = "zeroize"))]
impl<T> Erase for T {}

/// A value that is erased when it is dropped.
#[derive(Clone)]
pub(super) struct Erased<T: Erase>(pub(super) T);

#[cfg(feature = "zeroize")]
impl<T: Erase> Drop for Erased<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
