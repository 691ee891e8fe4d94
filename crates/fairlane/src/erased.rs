//! What may be secret and is erased when it is dropped, with the feature `zeroize`.

#[cfg(feature = "zeroize")]
pub(crate) use digest::zeroize::Zeroize as Erase;

/// What can be erased: everything, where nothing is.
#[cfg(not(feature = "zeroize"))]
pub(crate) trait Erase {}
#[cfg(not(feature = "zeroize"))]
impl<T> Erase for T {}

/// A value that is erased when it is dropped.
#[derive(Clone)]
pub(crate) struct Erased<T: Erase>(pub(crate) T);

#[cfg(feature = "zeroize")]
impl<T: Erase> Drop for Erased<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}
