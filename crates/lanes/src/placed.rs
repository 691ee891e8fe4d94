//! Objects in memory that the caller provides, on the stack for example.

use core::fmt;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};

/// An object in memory that the caller lends: dropping this drops the object and gives the memory back.
pub struct Placed<'m, T: ?Sized>(&'m mut T);

impl<'m, T> Placed<'m, T> {
    /// Bytes that are enough at any address.
    pub const SIZE: usize = size_of::<T>() + align_of::<T>() - 1;

    /// Moves an object to the first aligned address in `memory`. If that is too small, which [`SIZE`](Self::SIZE) bytes
    /// never are, the object is dropped.
    pub fn new(memory: &'m mut [MaybeUninit<u8>], object: T) -> Option<Self> {
        let start = memory.as_ptr().align_offset(align_of::<T>());
        let place = memory.get_mut(start..)?.get_mut(..size_of::<T>())?.as_mut_ptr().cast::<T>();
        // SAFETY: the place is aligned, as long as the object, and borrowed for as long as the reference lives.
        Some(Self(unsafe {
            place.write(object);
            &mut *place
        }))
    }
}

impl<'m, T: ?Sized> Placed<'m, T> {
    /// The same object as another type, such as that of a trait's objects. `coerce` must return the object itself:
    /// `|object| object`.
    ///
    /// # Panics
    /// If `coerce` returns anything else, such as what the object borrows, which is not ours to drop. The object is
    /// then not dropped.
    pub fn unsized_as<U: ?Sized>(self, coerce: fn(&mut T) -> &mut U) -> Placed<'m, U> {
        let (pointer, size) = (&raw mut *self.0, size_of_val(self.0));
        core::mem::forget(self);
        // SAFETY: this is what `new` borrowed, and nothing else uses it now.
        let object = coerce(unsafe { &mut *pointer });
        assert!(core::ptr::addr_eq(object, pointer) && size_of_val(object) == size, "another object");
        Placed(object)
    }
}

impl<T: ?Sized> Drop for Placed<'_, T> {
    fn drop(&mut self) {
        // SAFETY: the object belongs to this alone, which does not use it again; what stays behind is plain memory.
        unsafe { core::ptr::drop_in_place(self.0) };
    }
}

impl<T: ?Sized> Deref for Placed<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T: ?Sized> DerefMut for Placed<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Placed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Display;
    use std::rc::Rc;

    #[test]
    fn objects_are_aligned_and_dropped_once() {
        #[repr(align(32))]
        struct Wide(Rc<u64>);
        impl Display for Wide {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        let (count, mut memory) = (Rc::new(77), [MaybeUninit::uninit(); 200]);
        for at in 0..64 {
            let memory = &mut memory[at..];
            let wide = Placed::new(&mut memory[..Placed::<Wide>::SIZE], Wide(count.clone())).unwrap();
            assert!((&raw const *wide).is_aligned());
            assert_eq!(Rc::strong_count(&count), 2);
            let text = wide.unsized_as(|wide| wide as &mut dyn Display);
            assert_eq!(text.to_string(), "77");
            drop(text);
            assert_eq!(Rc::strong_count(&count), 1);
            assert!(Placed::new(&mut memory[..size_of::<Wide>() - 1], Wide(count.clone())).is_none());
            assert_eq!(Rc::strong_count(&count), 1);
        }
        assert_eq!(*Placed::new(&mut [], ()).unwrap(), ());
    }

    #[test]
    #[should_panic(expected = "another object")]
    fn what_an_object_borrows_is_not_dropped() {
        let (mut text, mut memory) = (String::from("kept"), [MaybeUninit::uninit(); 64]);
        Placed::new(&mut memory, &mut text).unwrap().unsized_as(|text| &mut **text);
    }
}
