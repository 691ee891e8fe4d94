//! Keys, IVs and nonces: bytes that every contestant is given beside its input, the same in every run.
//!
//! A contestant reads them when it uses them. The search for leaks writes other keys in their place, so that both of
//! its classes are read at one address. In the unit tests of this crate they can be replaced while an operation exists,
//! which shows what it reads again every time (`contestants/conditions_tests.rs`).

use super::counting;
use std::cell::UnsafeCell;
use std::ops::Deref;

/// Bytes that are read by all, and written only by [`Fixed::write`].
struct Shared<T: ?Sized>(UnsafeCell<T>);

// SAFETY: who writes promises that nobody reads meanwhile.
unsafe impl<T: Sync + ?Sized> Sync for Shared<T> {}

impl<T: ?Sized> Shared<T> {
    #[inline(always)]
    fn get(&self) -> &T {
        // SAFETY: who writes promises that no such reference is alive then.
        unsafe { &*self.0.get() }
    }
}

/// What fixed bytes are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(test), allow(dead_code, reason = "only tests replace one of them"))]
pub(crate) enum Use {
    /// A key.
    Key,
    /// An IV, a nonce or a tweak.
    Iv,
}

/// `N` fixed bytes.
pub struct Fixed<const N: usize> {
    bytes: Shared<[u8; N]>,
    #[cfg(test)]
    replacement: ([u8; N], Use),
}

impl<const N: usize> Fixed<N> {
    #[cfg_attr(not(test), allow(unused_variables, reason = "only tests replace one of them"))]
    const fn new(first: u8, of: Use) -> Self {
        Self {
            bytes: Shared(UnsafeCell::new(counting(first))),
            #[cfg(test)]
            replacement: (counting(first ^ 0x40), of),
        }
    }

    /// A key, which counts from 0.
    pub(super) const fn key() -> Self {
        Self::new(0, Use::Key)
    }

    /// An IV or a nonce, which counts from 0x80.
    pub(super) const fn iv() -> Self {
        Self::new(0x80, Use::Iv)
    }

    /// Writes other bytes.
    ///
    /// # Safety
    ///
    /// Nobody reads the bytes meanwhile, and no reference to them that was taken before is used again.
    pub(super) unsafe fn write(&self, bytes: &[u8; N]) {
        // SAFETY: the caller promises that this is the only access.
        unsafe { *self.bytes.0.get() = *bytes };
    }

    /// The same bytes without their number in the type.
    pub const fn given(&'static self) -> Given {
        Given {
            bytes: &self.bytes,
            len: N,
            #[cfg(test)]
            replacement: (&self.replacement.0, self.replacement.1),
        }
    }
}

impl<const N: usize> Deref for Fixed<N> {
    type Target = [u8; N];

    #[inline(always)]
    fn deref(&self) -> &[u8; N] {
        #[cfg(test)]
        if replaced::is(self.replacement.1) {
            return &self.replacement.0;
        }
        self.bytes.get()
    }
}

/// Fixed bytes of any number.
#[derive(Clone, Copy)]
pub struct Given {
    bytes: &'static Shared<[u8]>,
    len: usize,
    #[cfg(test)]
    replacement: (&'static [u8], Use),
}

impl Given {
    /// The first `len` of them.
    pub(super) fn first(self, len: usize) -> Self {
        assert!(len <= self.len, "no more than there are");
        Self {
            len,
            #[cfg(test)]
            replacement: (&self.replacement.0[..len], self.replacement.1),
            ..self
        }
    }

    /// As they are now: not to be kept from one operation to the next.
    #[inline(always)]
    pub fn get(self) -> &'static [u8] {
        #[cfg(test)]
        if replaced::is(self.replacement.1) {
            return self.replacement.0;
        }
        &self.bytes.get()[..self.len]
    }
}

impl Deref for Given {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        self.get()
    }
}

/// Which bytes a thread finds replaced.
#[cfg(test)]
pub(crate) mod replaced {
    use super::Use;
    use std::cell::Cell;

    thread_local! {
        static REPLACED: Cell<Option<Use>> = const { Cell::new(None) };
    }

    pub(super) fn is(of: Use) -> bool {
        REPLACED.get() == Some(of)
    }

    /// Runs `work` on this thread with other keys, or with other IVs.
    pub(crate) fn with<T>(of: Use, work: impl FnOnce() -> T) -> T {
        REPLACED.set(Some(of));
        let done = work();
        REPLACED.set(None);
        done
    }
}
