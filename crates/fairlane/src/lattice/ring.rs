//! The ring Z<sub>q</sub>\[X\] / (X<sup>256</sup> + 1) with q = 3329 (FIPS 203, sections 2.4.4 and 4.3), written once over words of 16-bit numbers.
//!
//! A product by a constant is Montgomery's, which divides by 2^16: constants come with that factor. Numbers stay signed and are not
//! reduced further than the next step needs; what each step takes and leaves is said in multiples of q.
//!
//! The last layers of the transform pair numbers that lie in one word, so two words exchange halves before each of them; at the end they
//! exchange them back. For a transform that is 32 shuffles of 512 bits, and less than to bring the matrix, which is as many polynomials as
//! the rank squared, to the transform's own order.

use fairlane_lanes::I16xN;

/// The prime q.
pub(super) const Q: i16 = 3329;
/// Its inverse modulo 2^16.
const Q_INVERSE: i16 = -3327;
/// 2^16 modulo q, the factor that Montgomery's product takes away.
const R: u32 = (1 << 16) % Q as u32;
/// The 256th root of unity.
const ZETA: u32 = 17;

/// 256 numbers modulo q: coefficients, or in the NTT domain 128 pairs, one after the other.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Poly(pub(super) [i16; 256]);

impl Poly {
    pub(super) const ZERO: Self = Self([0; 256]);
}

/// Constants with the factor 2^16, and those times the inverse of q.
struct Factors<const COUNT: usize> {
    factor: [i16; COUNT],
    low: [i16; COUNT],
}

impl<const COUNT: usize> Factors<COUNT> {
    const ZERO: Self = Self { factor: [0; COUNT], low: [0; COUNT] };

    const fn with(mut self, i: usize, x: u32) -> Self {
        let x = (x * R % Q as u32) as i16;
        // From -q/2 to q/2.
        self.factor[i] = if x > Q / 2 { x - Q } else { x };
        self.low[i] = self.factor[i].wrapping_mul(Q_INVERSE);
        self
    }
}

/// A power of [`ZETA`].
const fn zeta(exponent: u32) -> u32 {
    let (mut power, mut i) = (1, 0);
    while i < exponent {
        power = power * ZETA % Q as u32;
        i += 1;
    }
    power
}

/// Where numbers lie, in words of `N`: index `i` has number `order[i]`.
type Order = [usize; 256];

/// The order after two neighbouring words have exchanged halves of `len`.
const fn exchanged<const N: usize>(order: &Order, len: usize) -> Order {
    let (mut new, mut i) = ([0; 256], 0);
    while i < 256 {
        let (pair, second, lane) = (i / (2 * N) * (2 * N), i / N % 2, i % N);
        let (group, place) = (lane / (2 * len) * (2 * len), lane % (2 * len));
        // A group's first half comes from the first word, its second half from the second one.
        let from = if place < len { group + place } else { N + group + place - len };
        new[i] = order[pair + from + second * len];
        i += 1;
    }
    new
}

/// The order of layer `len`.
const fn order<const N: usize>(len: usize) -> Order {
    let (mut order, mut i) = ([0; 256], 0);
    while i < 256 {
        order[i] = i;
        i += 1;
    }
    let mut half = N / 2;
    while half >= len && half > 0 {
        order = exchanged::<N>(&order, half);
        half /= 2;
    }
    order
}

/// The factors of words of `N` numbers, as they lie.
struct Tables<const N: usize>;

impl<const N: usize> Tables<N> {
    /// Of layer 128, 64, …, 2: one for each butterfly.
    const FORTH: [Factors<128>; 7] = layers::<N>(false);
    /// Those of the inverse.
    const BACK: [Factors<128>; 7] = layers::<N>(true);
}

/// For each pair 1 and what the square of X is, in the standard's order.
const PAIRS: Factors<256> = {
    let (mut factors, mut i) = (Factors::ZERO, 0);
    while i < 128 {
        factors = factors.with(2 * i, 1).with(2 * i + 1, zeta(2 * reversed(i as u32) + 1));
        i += 1;
    }
    factors
};

/// The 7 bits of `x` in the opposite order.
const fn reversed(x: u32) -> u32 {
    x.reverse_bits() >> 25
}

const fn layers<const N: usize>(back: bool) -> [Factors<128>; 7] {
    let (mut layers, mut layer) = ([const { Factors::ZERO }; 7], 0);
    while layer < 7 {
        let len = 128 >> layer;
        let order = order::<N>(len);
        let (mut factors, mut i) = (Factors::ZERO, 0);
        while i < 128 {
            // The first word of butterfly `i / N`: neighbours within words, or `len` apart.
            let distance = if len > N { len } else { N };
            let first = i / distance * 2 * distance + i % distance;
            let block = (order[first] / (2 * len)) as u32;
            let k = if back { 256 / len as u32 - 1 - block } else { 128 / len as u32 + block };
            factors = factors.with(i, zeta(reversed(k)));
            i += 1;
        }
        layers[layer] = factors;
        layer += 1;
    }
    layers
}

/// `x * factor / 2^16` modulo q, between -q and q, for a factor below q and its product with the inverse of q.
#[inline(always)]
fn times<W: I16xN<N>, const N: usize>(token: W::Token, x: W, factor: W, low: W) -> W {
    x.mul_high(factor).sub(x.mul_low(low).mul_high(W::splat(token, Q)))
}

/// Any number modulo q, from 0 to q.
#[inline(always)]
fn reduced<W: I16xN<N>, const N: usize>(token: W::Token, x: W) -> W {
    // 2^26 / q is 20158.7.
    let quotient = x.mul_high(W::splat(token, 20159)).shr::<10>();
    x.sub(quotient.mul_low(W::splat(token, Q)))
}

/// Any number modulo q, below q.
#[inline(always)]
fn canonical<W: I16xN<N>, const N: usize>(token: W::Token, x: W) -> W {
    let q = W::splat(token, Q);
    let below = reduced(token, x).sub(q);
    below.add(below.shr::<15>().and(q))
}

/// Neighbouring words exchange halves of `LEN`, if they are as long.
#[inline(always)]
fn exchange<W: I16xN<N>, const N: usize, const LEN: usize>(token: W::Token, words: &mut [[i16; N]]) {
    if LEN < N {
        for b in 0..128 / N {
            let [x, y] = W::load(token, &words[2 * b]).exchange::<LEN>(W::load(token, &words[2 * b + 1]));
            x.store(&mut words[2 * b]);
            y.store(&mut words[2 * b + 1]);
        }
    }
}

/// Does something for each layer of whole words, and something else for each within words, in the order of the lengths.
macro_rules! layers {
    ($n:ident, $len:ident, $layer:ident: $whole:expr, $within:expr; $($length:literal $number:literal),*) => {$({
        const $len: usize = $length;
        const $layer: usize = $number;
        if $len >= $n { $whole } else { $within }
    })*};
}

/// Numbers below q in size to the NTT domain (FIPS 203, algorithm 9), and below 8 q.
#[inline(always)]
pub(super) fn ntt<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly) {
    let (words, _) = poly.0.as_chunks_mut::<N>();
    macro_rules! butterfly {
        ($layer:ident, $b:expr, $x:expr, $y:expr) => {{
            let factors = const { &Tables::<N>::FORTH[$layer] };
            let (factor, low) = (&factors.factor.as_chunks::<N>().0[$b], &factors.low.as_chunks::<N>().0[$b]);
            let t = times(token, $y, W::load(token, factor), W::load(token, low));
            [$x.add(t), $x.sub(t)]
        }};
    }
    layers!(N, LEN, LAYER:
        for b in 0..128 / N {
            let i = b / (LEN / N) * 2 * (LEN / N) + b % (LEN / N);
            let [x, y] = butterfly!(LAYER, b, W::load(token, &words[i]), W::load(token, &words[i + LEN / N]));
            x.store(&mut words[i]);
            y.store(&mut words[i + LEN / N]);
        },
        for b in 0..128 / N {
            let [x, y] = W::load(token, &words[2 * b]).exchange::<LEN>(W::load(token, &words[2 * b + 1]));
            let [x, y] = butterfly!(LAYER, b, x, y);
            x.store(&mut words[2 * b]);
            y.store(&mut words[2 * b + 1]);
        };
        128 0, 64 1, 32 2, 16 3, 8 4, 4 5, 2 6);
    exchange::<W, N, 2>(token, words);
    exchange::<W, N, 4>(token, words);
    exchange::<W, N, 8>(token, words);
    exchange::<W, N, 16>(token, words);
}

/// Numbers below q in size from the NTT domain (FIPS 203, algorithm 10), times 2^16, below q in size.
#[inline(always)]
pub(super) fn inverse_ntt<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly) {
    let (words, _) = poly.0.as_chunks_mut::<N>();
    exchange::<W, N, 16>(token, words);
    exchange::<W, N, 8>(token, words);
    exchange::<W, N, 4>(token, words);
    exchange::<W, N, 2>(token, words);
    macro_rules! butterfly {
        ($layer:ident, $b:expr, $x:expr, $y:expr) => {{
            let factors = const { &Tables::<N>::BACK[$layer] };
            let (factor, low) = (&factors.factor.as_chunks::<N>().0[$b], &factors.low.as_chunks::<N>().0[$b]);
            let sum = $x.add($y);
            // Sums double from layer to layer: below 8 q.
            let sum = if matches!($layer, 4 | 1) { reduced(token, sum) } else { sum };
            [sum, times(token, $y.sub($x), W::load(token, factor), W::load(token, low))]
        }};
    }
    layers!(N, LEN, LAYER:
        for b in 0..128 / N {
            let i = b / (LEN / N) * 2 * (LEN / N) + b % (LEN / N);
            let [x, y] = butterfly!(LAYER, b, W::load(token, &words[i]), W::load(token, &words[i + LEN / N]));
            x.store(&mut words[i]);
            y.store(&mut words[i + LEN / N]);
        },
        for b in 0..128 / N {
            let [x, y] = butterfly!(LAYER, b, W::load(token, &words[2 * b]), W::load(token, &words[2 * b + 1]));
            let [x, y] = x.exchange::<LEN>(y);
            x.store(&mut words[2 * b]);
            y.store(&mut words[2 * b + 1]);
        };
        2 6, 4 5, 8 4, 16 3, 32 2, 64 1, 128 0);
    // 2^16 / 128.
    const LAST: Factors<1> = Factors::ZERO.with(0, R * 3303 % Q as u32);
    let (factor, low) = (W::splat(token, LAST.factor[0]), W::splat(token, LAST.low[0]));
    for word in words {
        times(token, W::load(token, word), factor, low).store(word);
    }
}

/// Any numbers to those below q.
#[inline(always)]
pub(super) fn reduce<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly) {
    let (words, _) = poly.0.as_chunks_mut::<N>();
    for word in words {
        canonical(token, W::load(token, word)).store(word);
    }
}

/// A polynomial in the NTT domain that others are multiplied by: of each pair what gives the product's first number, and its second one.
#[derive(Clone, Copy)]
pub(super) struct Multiplier {
    first: Poly,
    second: Poly,
}

impl Multiplier {
    pub(super) const ZERO: Self = Self { first: Poly::ZERO, second: Poly::ZERO };

    /// Of numbers below q.
    #[inline(always)]
    pub(super) fn set<W: I16xN<N>, const N: usize>(&mut self, token: W::Token, poly: &Poly) {
        let (words, _) = poly.0.as_chunks::<N>();
        let ((first, _), (second, _)) = (self.first.0.as_chunks_mut::<N>(), self.second.0.as_chunks_mut::<N>());
        let ((factor, _), (low, _)) = (PAIRS.factor.as_chunks::<N>(), PAIRS.low.as_chunks::<N>());
        for i in 0..256 / N {
            let word = W::load(token, &words[i]);
            times(token, word, W::load(token, &factor[i]), W::load(token, &low[i])).store(&mut first[i]);
            word.swap_pairs().store(&mut second[i]);
        }
    }
}

/// Word `i` of the sum of products of up to four polynomials in the NTT domain (FIPS 203, algorithms 11 and 12), over 2^16, below q
/// in size; numbers are below q in size. There is at least one.
#[inline(always)]
fn dot_word<W: I16xN<N>, const N: usize>(token: W::Token, a: &[Poly], b: &[Multiplier], i: usize) -> W {
    // Products of 32 bits are added up before they are reduced: four times two of q squared are below 2^15 q.
    let products = |a: &Poly, b: &Multiplier| {
        let a = W::load(token, &a.0.as_chunks::<N>().0[i]);
        let (first, second) = (&b.first.0.as_chunks::<N>().0[i], &b.second.0.as_chunks::<N>().0[i]);
        [a.mul_pairs(W::load(token, first)), a.mul_pairs(W::load(token, second))]
    };
    // From a product on, and not from zero, which would be a call of memset where there is no product.
    let [mut first, mut second] = products(&a[0], &b[0]);
    for j in 1..a.len() {
        let [x, y] = products(&a[j], &b[j]);
        (first, second) = (W::add_sums(first, x), W::add_sums(second, y));
    }
    let [low, high] = W::halves(first, second);
    high.sub(low.mul_low(W::splat(token, Q_INVERSE)).mul_high(W::splat(token, Q)))
}

/// The sum of products over 2^16, below q in size.
#[inline(always)]
pub(super) fn dot<W: I16xN<N>, const N: usize>(token: W::Token, sum: &mut Poly, a: &[Poly], b: &[Multiplier]) {
    let (sums, _) = sum.0.as_chunks_mut::<N>();
    for i in 0..256 / N {
        dot_word::<W, N>(token, a, b, i).store(&mut sums[i]);
    }
}

/// Adds the sum of products to numbers of [`ntt`]; below q then.
#[inline(always)]
pub(super) fn add_dot<W: I16xN<N>, const N: usize>(token: W::Token, sum: &mut Poly, a: &[Poly], b: &[Multiplier]) {
    const SCALE: Factors<1> = Factors::ZERO.with(0, R);
    let (factor, low) = (W::splat(token, SCALE.factor[0]), W::splat(token, SCALE.low[0]));
    let (sums, _) = sum.0.as_chunks_mut::<N>();
    for i in 0..256 / N {
        let scaled = times(token, dot_word::<W, N>(token, a, b, i), factor, low);
        canonical(token, W::load(token, &sums[i]).add(scaled)).store(&mut sums[i]);
    }
}

/// `x + y`, below q, for numbers whose sums have 16 bits.
#[inline(always)]
pub(super) fn add<W: I16xN<N>, const N: usize>(token: W::Token, x: &mut Poly, y: &Poly) {
    let ((x, _), (y, _)) = (x.0.as_chunks_mut::<N>(), y.0.as_chunks::<N>());
    for i in 0..256 / N {
        canonical(token, W::load(token, &x[i]).add(W::load(token, &y[i]))).store(&mut x[i]);
    }
}

/// `x - y`, below q, for numbers whose differences have 16 bits.
#[inline(always)]
pub(super) fn subtract<W: I16xN<N>, const N: usize>(token: W::Token, x: &mut Poly, y: &Poly) {
    let ((x, _), (y, _)) = (x.0.as_chunks_mut::<N>(), y.0.as_chunks::<N>());
    for i in 0..256 / N {
        canonical(token, W::load(token, &x[i]).sub(W::load(token, &y[i]))).store(&mut x[i]);
    }
}
