//! A state in the order of memory, and what is done for each of its rows.

/// Eight bytes, row 0 first; as a number, the least significant byte first.
pub(super) type Column = [u8; 8];

/// A block, or a round key.
pub(super) type State<const C: usize> = [Column; C];

/// Repeats `$body` for each of eight rows, columns or bits `$r`, in ascending order or `back`. It is unrolled here,
/// because LLVM would keep the words of a loop in memory.
macro_rules! each {
    ($r:ident => $body:expr) => { each!(@ $r $body; 0 1 2 3 4 5 6 7) };
    (back $r:ident => $body:expr) => { each!(@ $r $body; 7 6 5 4 3 2 1 0) };
    (@ $r:ident $body:expr; $($i:literal)*) => {$({
        const $r: usize = $i;
        $body
    })*};
}
pub(super) use each;
