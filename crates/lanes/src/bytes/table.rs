//! Tables of 256 bytes that differ from an inversion in few entries, as Kalyna's S-boxes do.
//!
//! AVX2 has no look-up in 256 bytes, and sixteen in 16 bytes are 46 operations. An inversion between two affine maps
//! is 4 with GFNI. The exceptions stand in three small tables, each at a place that four bits of the byte or of the
//! inversion's result determine, and are 18 operations more.

use super::affine::{halves, halves_after_sub_bytes, product};

/// A function of a byte x, an inversion between two affine maps: `after (before (x + zero))⁻¹ + plus`, in AES's field,
/// where 0 is its own inverse. Matrices are as in [`U8xN`](super::U8xN).
#[derive(Clone, Copy, Debug)]
pub struct Inversion {
    /// The byte for which the inverted element is 0.
    pub zero: u8,
    /// The matrix before the inversion.
    pub before: u64,
    /// The matrix after the inversion.
    pub after: u64,
    /// The function of [`zero`](Self::zero).
    pub plus: u8,
}

impl Inversion {
    /// The function of a byte.
    pub const fn of(&self, x: u8) -> u8 {
        product(self.after, INVERSES[product(self.before, x ^ self.zero) as usize]) ^ self.plus
    }
}

/// The inverses in AES's field, GF(2)\[x\] modulo x<sup>8</sup> + x<sup>4</sup> + x<sup>3</sup> + x + 1; of 0, 0.
const INVERSES: [u8; 256] = {
    let (mut inverses, mut power, mut inverse) = ([0; 256], 1_u8, 1_u8);
    loop {
        inverses[power as usize] = inverse;
        // Times x + 1, of which all elements but 0 are powers, and divided by it.
        power ^= (power << 1) ^ ((power >> 7) * 0x1b);
        inverse ^= inverse << 1;
        inverse ^= inverse << 2;
        inverse ^= inverse << 4;
        inverse ^= (inverse >> 7) * 0x09;
        if power == 1 {
            break inverses;
        }
    }
};

/// The number of small tables of exceptions. With y for the inversion's result, the place of a byte x is given by its
/// low bits in the first table, by its high bits in the second, and by the low bits of y in the third.
pub(crate) const SMALL_TABLES: usize = 3;

/// A table of 256 bytes, laid out for the words' look-ups.
#[derive(Clone, Debug)]
#[repr(align(64))]
#[allow(dead_code, reason = "only vector words use it")]
pub struct Table {
    pub(crate) entries: [u8; 256],
    pub(crate) inversion: Inversion,
    /// The maps before and after AES's `SubBytes` that make it the inversion, by half bytes.
    pub(crate) around_sub_bytes: [[[u8; 16]; 2]; 2],
    /// In each small table, which byte is an exception there; at free places one that does not belong there.
    pub(crate) exceptions: [[u8; 16]; SMALL_TABLES],
    /// What the exceptions differ by.
    pub(crate) differences: [[u8; 16]; SMALL_TABLES],
}

impl Table {
    /// The table of these entries, most of which are those of an inversion.
    ///
    /// # Panics
    /// If more than about 40 entries are not, or if the inversion's maps have no inverse.
    pub const fn new(entries: [u8; 256], inversion: Inversion) -> Self {
        let Inversion { zero, before, after, plus } = inversion;
        let around_sub_bytes = [halves(before, product(before, zero)), halves_after_sub_bytes(after, plus)];
        let mut exceptions = [[0; 16]; SMALL_TABLES];
        let mut differences = [[0; 16]; SMALL_TABLES];
        let mut place = 0;
        while place < 16 {
            let elsewhere = (place + 1) % 16;
            let mut x: u8 = 0;
            while inversion.of(x) & 15 != elsewhere {
                assert!(x < 255, "the inversion's maps have no inverse");
                x += 1;
            }
            (exceptions[0][place as usize], exceptions[1][place as usize]) = (elsewhere, elsewhere << 4);
            exceptions[2][place as usize] = x;
            place += 1;
        }
        let (mut x, mut moves) = (0, 0);
        while x < 256 {
            let mut exception = x as u8;
            // If all places are taken, the exception takes one, and that which was there moves on.
            while inversion.of(exception) != entries[exception as usize] {
                let y = inversion.of(exception);
                let places = [exception & 15, exception >> 4, y & 15];
                let mut table = 0;
                while table < SMALL_TABLES && differences[table][places[table] as usize] != 0 {
                    table += 1;
                }
                if table == SMALL_TABLES {
                    assert!(moves < 10_000, "too many entries are not those of the inversion");
                    moves += 1;
                    table = moves % SMALL_TABLES;
                }
                let place = places[table] as usize;
                let free = differences[table][place] == 0;
                let moved = exceptions[table][place];
                exceptions[table][place] = exception;
                differences[table][place] = y ^ entries[exception as usize];
                if free {
                    break;
                }
                exception = moved;
            }
            x += 1;
        }
        Self { entries, inversion, around_sub_bytes, exceptions, differences }
    }

    /// The entries.
    pub const fn entries(&self) -> &[u8; 256] {
        &self.entries
    }
}
