//! Polynomials that are to be sampled (FIPS 203, section 4.2.2): what Keccak absorbs for each and how many blocks it
//! needs, and `SampleNTT` and `SamplePolyCBD_η` of the bytes that Keccak gives.

use super::ring::{Poly, Q};
use crate::keccak::{RATE_128, RATE_256 as BLOCK, Row, StateInput as Input};
use core::array;
use fairlane_lanes::CoefficientCoding;

/// The first bit of the padding of SHAKE, with the bits before it.
pub(super) const SHAKE_SUFFIX: u8 = 0x1f;

/// The blocks of SHAKE128 that `SampleNTT` nearly always finds 256 coefficients in.
pub(super) const UNIFORM_BLOCKS: usize = 3;

/// A polynomial that is to be sampled. Two numbers, so that it is passed in registers: as a structure of more it went
/// through memory, and the CPU waited for it (1 % of an encapsulation).
#[derive(Clone, Copy)]
pub(super) struct Sample<'a> {
    seed: &'a [u8; 32],
    /// From the low end: four bytes that follow the seed, which are one or two of input, [`SHAKE_SUFFIX`] and zeros;
    /// the [`Place`]; the [`Distribution`].
    packed: u64,
}

/// A polynomial's place in a [`Destination`]: the vector, and the index there.
pub(super) type Place = [u8; 2];

/// Where samples go: up to eight vectors.
pub(super) type Destination<'a> = [&'a mut [Poly]; 8];

/// The destination of these vectors.
pub(super) fn destination<'a>(vectors: impl IntoIterator<Item = &'a mut [Poly]>) -> Destination<'a> {
    let mut vectors = vectors.into_iter();
    array::from_fn(|_| vectors.next().unwrap_or_default())
}

/// How coefficients are distributed: what samples them.
#[derive(Clone, Copy)]
pub(super) enum Distribution {
    /// `SampleNTT`.
    Uniform,
    /// `SamplePolyCBD_2`.
    Binomial2,
    /// `SamplePolyCBD_3`.
    Binomial3,
}

impl<'a> Sample<'a> {
    /// Â\[i, j\] ← `SampleNTT`(ρ ‖ j ‖ i) (Algorithm 7).
    pub(super) fn uniform(rho: &'a [u8; 32], [j, i]: [u8; 2], to: Place) -> Self {
        Self::new(rho, [j, i, SHAKE_SUFFIX], Distribution::Uniform, to)
    }

    /// `SamplePolyCBD_η`(`PRF_η`(`seed`, `n`)) (Algorithm 8) for η = 2 or 3.
    pub(super) fn binomial(seed: &'a [u8; 32], n: u8, eta: u8, to: Place) -> Self {
        let distribution = if eta == 2 { Distribution::Binomial2 } else { Distribution::Binomial3 };
        Self::new(seed, [n, SHAKE_SUFFIX, 0], distribution, to)
    }

    fn new(seed: &'a [u8; 32], [a, b, c]: [u8; 3], distribution: Distribution, [vector, index]: Place) -> Self {
        Self { seed, packed: u64::from_le_bytes([a, b, c, 0, vector, index, distribution as u8, 0]) }
    }

    pub(super) fn distribution(&self) -> Distribution {
        match (self.packed >> 48) as u8 {
            0 => Distribution::Uniform,
            1 => Distribution::Binomial2,
            _ => Distribution::Binomial3,
        }
    }

    /// The place in the destination.
    pub(super) fn to<'d>(&self, destination: &'d mut Destination<'_>) -> &'d mut Poly {
        &mut destination[(self.packed >> 32) as usize & 7][(self.packed >> 40) as usize & 7]
    }

    pub(super) fn input(&self) -> Input<'a> {
        let shake_128 = matches!(self.distribution(), Distribution::Uniform);
        Input::Short { seed: self.seed, rest: self.packed as u32, shake_128 }
    }

    /// Bytes of a block.
    pub(super) fn rate(&self) -> usize {
        if matches!(self.distribution(), Distribution::Uniform) { RATE_128 } else { BLOCK }
    }

    /// How many lanes of a state it needs at most.
    pub(super) fn words(&self) -> usize {
        match self.distribution() {
            Distribution::Uniform => RATE_128 / 8,
            Distribution::Binomial2 => 128 / 8,
            Distribution::Binomial3 => BLOCK / 8,
        }
    }

    /// How many blocks it may need after `squeezed` ones.
    pub(super) fn most_blocks_left(&self, squeezed: usize) -> usize {
        match self.distribution() {
            Distribution::Uniform => usize::MAX,
            _ => self.blocks_left(squeezed),
        }
    }

    /// How many blocks it needs after `squeezed` ones. `SampleNTT` may need more.
    pub(super) fn blocks_left(&self, squeezed: usize) -> usize {
        self.distribution().blocks().saturating_sub(squeezed).max(1)
    }
}

impl Distribution {
    /// How many blocks a sample needs. `SampleNTT` may need more.
    pub(super) fn blocks(self) -> usize {
        match self {
            Self::Uniform => UNIFORM_BLOCKS,
            Self::Binomial2 => 1,
            Self::Binomial3 => 2,
        }
    }
}

/// How many blocks samples need that have not begun: how many samples there are of each distribution.
#[derive(Clone, Copy, Default)]
pub(super) struct Blocks([usize; 3]);

impl Blocks {
    /// Those of so many elements of Â.
    pub(super) const fn uniform(count: usize) -> Self {
        Self([count, 0, 0])
    }

    /// Those of so many elements of noise.
    pub(super) const fn binomial(count: usize, eta: u8) -> Self {
        if eta == 2 { Self([0, count, 0]) } else { Self([0, 0, count]) }
    }

    /// Those of both.
    pub(super) fn and(self, other: Self) -> Self {
        Self(array::from_fn(|i| self.0[i] + other.0[i]))
    }

    /// A sample has begun.
    pub(super) fn take(&mut self, sample: &Sample<'_>) {
        let left = &mut self.0[sample.distribution() as usize];
        *left = left.saturating_sub(1);
    }

    /// All of them together, if none is rejected too often.
    pub(super) fn all(self) -> usize {
        let [uniform, binomial_2, binomial_3] = self.0;
        UNIFORM_BLOCKS * uniform + binomial_2 + 2 * binomial_3
    }

    /// Those of the sample that needs most.
    pub(super) fn longest(self) -> usize {
        match self.0 {
            [0, 0, 0] => 0,
            [0, _, 0] => 1,
            [0, ..] => 2,
            _ => UNIFORM_BLOCKS,
        }
    }
}

/// The loop of `SampleNTT` over the first three blocks, 48 bytes at a time: writes the integers of 12 bits that are
/// below q, until the polynomial is full. Returns how many.
#[inline(always)]
pub(super) fn sample_ntt<T: CoefficientCoding>(token: T, row: &Row, coefficients: &mut [i16; 256]) -> usize {
    let (chunks, _) = row.as_chunks::<48>();
    let mut accepted = 0;
    // There is room for all of the first eight chunks: no branch, which the CPU would have to predict.
    for i in 0..8 {
        accepted += token.rejection_sample(&chunks[i], Q, &mut coefficients[accepted..accepted + 32]);
    }
    for i in 8..11 {
        accepted += token.rejection_sample(&chunks[i], Q, &mut coefficients[accepted..]);
    }
    accepted
}

/// The same over one more block, from the index `accepted` on. Returns where it stopped.
#[inline(always)]
pub(super) fn sample_ntt_more<T: CoefficientCoding>(
    token: T,
    block: &[u8],
    coefficients: &mut [i16; 256],
    mut accepted: usize,
) -> usize {
    for chunk in block.as_chunks::<48>().0 {
        accepted += token.rejection_sample(chunk, Q, &mut coefficients[accepted..]);
    }
    accepted
}

/// `SamplePolyCBD_2` of the first 128 bytes.
#[inline(always)]
pub(super) fn sample_poly_cbd_2<T: CoefficientCoding>(token: T, row: &Row, poly: &mut Poly) {
    let ((bytes, _), (coefficients, _)) = (row.as_chunks::<16>(), poly.0.as_chunks_mut());
    for i in 0..8 {
        token.centered_binomial_2(&bytes[i], &mut coefficients[i]);
    }
}

/// `SamplePolyCBD_3` of the first 192 bytes.
#[inline(always)]
pub(super) fn sample_poly_cbd_3<T: CoefficientCoding>(token: T, row: &Row, poly: &mut Poly) {
    let ((bytes, _), (coefficients, _)) = (row.as_chunks::<24>(), poly.0.as_chunks_mut());
    for i in 0..8 {
        token.centered_binomial_3(&bytes[i], &mut coefficients[i]);
    }
}
