//! Blocks of several messages are added to the states in their lanes.

use super::parameters::MAX_RATE;
use super::permutation::State;
use fairlane_lanes::KeccakWord;

/// Adds a block of each row to the state in its lane, and takes it off the row.
#[inline(always)]
pub(super) fn add_blocks<W: KeccakWord<N>, const N: usize>(
    token: W::Token,
    a: &mut State<W>,
    rows: &mut [&[u8]; N],
    rate: usize,
) {
    // Transpositions of a constant number of lanes.
    match rate {
        72 => add_rows::<W, N, 9>(token, a, rows),
        104 => add_rows::<W, N, 13>(token, a, rows),
        136 => add_rows::<W, N, 17>(token, a, rows),
        144 => add_rows::<W, N, 18>(token, a, rows),
        _ => add_rows::<W, N, { MAX_RATE / 8 }>(token, a, rows),
    }
    for row in rows {
        *row = &row[rate..];
    }
}

/// Adds the first `LANES` lanes of each row to the state in its lane.
#[inline(always)]
fn add_rows<W: KeccakWord<N>, const N: usize, const LANES: usize>(
    token: W::Token,
    a: &mut State<W>,
    rows: &[&[u8]; N],
) {
    for_each_tile!(N, LANES, from, count => {
        add_words(a, from, count, W::load_rows(token, rows, from, count));
    });
}

/// Adds the first `count` words to the state's lanes, in words, from `from` on.
#[inline(always)]
pub(super) fn add_words<W: KeccakWord<N>, const N: usize>(a: &mut State<W>, from: usize, count: usize, words: [W; N]) {
    for i in 0..count {
        a[from + i] = a[from + i].xor(words[i]);
    }
}
