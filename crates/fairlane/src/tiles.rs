//! Splits a state into the square tiles that transpositions between rows of bytes and words of `N` lanes work on.

/// Runs `$body` for each tile of up to `$n` words of a state of `$words` words (at most 25 tiles); `$from` is the
/// tile's first word and `$count` the number of its words.
///
/// The loop is unrolled in the source: indices that are not constants would make LLVM keep the state in memory.
macro_rules! for_each_tile {
    ($n:ident, $words:expr, $from:ident, $count:ident => $body:block) => {
        for_each_tile!(
            @ $n, $words, $from, $count, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
        )
    };
    (@ $n:ident, $words:expr, $from:ident, $count:ident, $body:block, $($tile:literal)*) => {$(
        if $tile * $n < $words {
            let $from = $tile * $n;
            let $count = if $words - $from < $n { $words - $from } else { $n };
            $body
        }
    )*};
}
