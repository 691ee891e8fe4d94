//! A state taken apart into squares of lanes, as transpositions want it.

/// Does something for each group of up to `N` words of a state; `from` is the group's first word and `count` their number.
///
/// Spelt out: by a loop's index LLVM would reach into the state, and so keep it in memory.
macro_rules! squares {
    ($n:ident, $words:expr, $from:ident, $count:ident => $body:block) => {
        squares!(@ $n, $words, $from, $count, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24)
    };
    (@ $n:ident, $words:expr, $from:ident, $count:ident, $body:block, $($square:literal)*) => {$(
        if $square * $n < $words {
            let $from = $square * $n;
            let $count = if $words - $from < $n { $words - $from } else { $n };
            $body
        }
    )*};
}
