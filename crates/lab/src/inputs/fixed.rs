//! Keys, IVs and nonces: bytes that every contestant is given beside its input, the same in every run.
//!
//! A contestant reads them when it uses them. In the unit tests of this crate they can be replaced while an operation
//! exists, which shows what it reads again every time (`contestants/conditions_tests.rs`).

use super::counting;
use std::ops::Deref;

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
    bytes: [u8; N],
    #[cfg(test)]
    replacement: ([u8; N], Use),
}

impl<const N: usize> Fixed<N> {
    #[cfg_attr(not(test), allow(unused_variables, reason = "only tests replace one of them"))]
    const fn new(first: u8, of: Use) -> Self {
        Self {
            bytes: counting(first),
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

    /// The same bytes without their number in the type.
    pub const fn given(&'static self) -> Given {
        Given {
            bytes: &self.bytes,
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
        &self.bytes
    }
}

/// Fixed bytes of any number.
#[derive(Clone, Copy)]
pub struct Given {
    bytes: &'static [u8],
    #[cfg(test)]
    replacement: (&'static [u8], Use),
}

impl Given {
    /// The first `len` of them.
    pub(super) fn first(self, len: usize) -> Self {
        Self {
            bytes: &self.bytes[..len],
            #[cfg(test)]
            replacement: (&self.replacement.0[..len], self.replacement.1),
        }
    }

    /// As they are now, for the life of the process.
    #[inline(always)]
    pub fn get(self) -> &'static [u8] {
        #[cfg(test)]
        if replaced::is(self.replacement.1) {
            return self.replacement.0;
        }
        self.bytes
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
