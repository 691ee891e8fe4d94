//! Messages of one length side by side, from their first block to the last of their outputs: states stay in registers,
//! and the padding is the same in every lane.
//!
//! On a Granite Rapids eight blocks side by side take 1200 cycles, of which the permutation is 1130, and messages of 32
//! bytes 1240: 2 % less than when their blocks were transposed by shuffles only, and 5 % less than when each group was
//! a call of its own, with all loads of its last blocks masked. When padded blocks, states and digests went through
//! memory they took 9 ns more on an EPYC (Zen 4), 64 instead of 55. Copying the next block's lanes with integer
//! instructions during the permutation, in place of transposing vectors after it, was no faster (0.995 to 1.003 of the
//! time).

use super::blocks::{add_blocks, add_words};
use super::parameters::{MAX_RATE, SpongeFunction};
use super::permutation::{State, permute_in_loop};
use crate::hash_many::Groups;
use core::marker::PhantomData;
use fairlane_lanes::{KeccakWord, Kernel, Token};

/// Hashes messages of one length into outputs of one length, group after group.
#[inline(never)]
pub(super) fn hash_groups<W: KeccakWord<N>, const N: usize>(
    token: W::Token,
    function: SpongeFunction,
    groups: &mut dyn Groups<N>,
) {
    macro_rules! run {
        ($rate:literal) => {
            token.run(HashGroups::<W, N, $rate> { function, groups, word: PhantomData })
        };
    }
    // With a constant rate LLVM moves fewer lanes to and from the stack (2 % of the cycles). The other rates share one
    // kernel.
    match function.rate {
        136 => run!(136),
        168 => run!(168),
        _ => run!(0),
    }
}

/// [`hash_groups`] for a `RATE` in bytes, or 0 for that of `function`.
struct HashGroups<'a, W, const N: usize, const RATE: usize> {
    function: SpongeFunction,
    groups: &'a mut dyn Groups<N>,
    word: PhantomData<W>,
}

impl<W: KeccakWord<N>, const N: usize, const RATE: usize> Kernel<W::Token> for HashGroups<'_, W, N, RATE> {
    type Output = ();
    const SPILLS: bool = true;

    #[inline(always)]
    fn call(self, token: W::Token) {
        let Self { function, groups, .. } = self;
        let rate = if RATE == 0 { function.rate } else { RATE };
        while let Some((mut rows, mut outputs)) = groups.next_group() {
            let output_length = outputs[0].len();
            let (mut absorbed, mut squeezed) = (false, 0);
            let mut a = [W::splat(token, 0); 25];
            // One permutation in the code, whether it follows a block, the last block, or a block of output.
            loop {
                if !absorbed {
                    absorbed = rows[0].len() < rate;
                    if absorbed {
                        add_last_blocks(token, &mut a, &rows, function.domain, rate);
                    } else {
                        add_blocks(token, &mut a, &mut rows, rate);
                    }
                }
                permute_in_loop::<W, N>(token, &mut a, function.rounds);
                if absorbed {
                    let end = output_length.min(squeezed + rate);
                    store_rows(&a, &mut outputs, squeezed, end);
                    squeezed = end;
                    if squeezed == output_length {
                        break;
                    }
                }
            }
        }
    }
}

/// Zeros around the byte at index 64, whose bits are ones.
static ONE_BYTE: [u8; 128] = {
    let mut bytes = [0; 128];
    bytes[64] = 0xff;
    bytes
};

/// Adds the last block of each row, which is shorter than `rate` bytes, with its padding to the state in its lane.
#[inline(always)]
fn add_last_blocks<W: KeccakWord<N>, const N: usize>(
    token: W::Token,
    a: &mut State<W>,
    rows: &[&[u8]; N],
    domain: u8,
    rate: usize,
) {
    let length = rows[0].len();
    for_each_tile!(N, MAX_RATE / 8, from, count => {
        let start = 8 * from;
        if start <= length && start < rate {
            // Where numbers are whole, loads need no masks, and half of the shuffles at most.
            match length - start {
                0 => a[from] = a[from].xor(W::splat(token, domain.into())),
                rest if rest >= 8 * count => add_words(a, from, count, W::load_rows(token, rows, from, count)),
                // The ends of 32, 96 and 160 bytes.
                32 if const { N == 8 } && count > 4 => {
                    add_words(a, from, 4, W::load_rows(token, rows, from, 4));
                    a[from + 4] = a[from + 4].xor(W::splat(token, domain.into()));
                }
                rest => {
                    // Part of a table, so that the byte which follows the message need not be stored and loaded as a
                    // vector.
                    let padding = W::load(token, &ONE_BYTE[64 - rest.min(8 * N)..][..8 * N]);
                    let padding = padding.and(W::splat(token, u64::from_ne_bytes([domain; 8])));
                    let mut words = [padding; N];
                    for lane in 0..N {
                        words[lane] = padding.xor(W::load_padded(token, &rows[lane][start..length.min(start + 8 * N)]));
                    }
                    add_words(a, from, count, W::transpose(words));
                }
            }
        }
    });
    // The last bit of the padding. The state's indices are constants, or LLVM would keep the state in memory.
    let last = W::splat(token, 1 << 63);
    match rate {
        72 => a[8] = a[8].xor(last),
        104 => a[12] = a[12].xor(last),
        136 => a[16] = a[16].xor(last),
        144 => a[17] = a[17].xor(last),
        _ => a[20] = a[20].xor(last),
    }
}

/// Writes the state in each lane to the bytes from `start` to `end` of the lane's row.
#[inline(always)]
fn store_rows<W: KeccakWord<N>, const N: usize>(a: &State<W>, rows: &mut [&mut [u8]; N], start: usize, end: usize) {
    if end - start == 32 {
        // Half of the shuffles, and stores without masks.
        let digests = W::transpose_four([a[0], a[1], a[2], a[3]]);
        for lane in 0..N {
            rows[lane][start..end].copy_from_slice(&digests[lane]);
        }
        return;
    }
    for_each_tile!(N, MAX_RATE / 8, from, count => {
        let start = start + 8 * from;
        if start < end {
            let mut tile = [a[from]; N];
            for i in 1..count {
                tile[i] = a[from + i];
            }
            let words = W::transpose(tile);
            for lane in 0..N {
                words[lane].store_truncated(&mut rows[lane][start..end.min(start + 8 * count)]);
            }
        }
    });
}
