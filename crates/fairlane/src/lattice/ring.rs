//! The rings R<sub>q</sub> = ℤ<sub>q</sub>\[X\] / (X<sup>256</sup> + 1), q = 3329, and T<sub>q</sub>, into which the
//! NTT maps it (FIPS 203, sections 2.4.4 and 4.3), written once over words of 16-bit integers.
//!
//! A product by a constant is a Montgomery multiplication, which divides by 2^16: constants are stored with that
//! factor. Coefficients are signed and only reduced as far as the next step needs; each function states its bounds in
//! multiples of q.
//!
//! The last layers of the NTT pair coefficients that lie in one word. Two words exchange halves before each of these
//! layers, and exchange them back at the end, so that elements of T<sub>q</sub> are in the standard's order. For one
//! NTT these are 32 shuffles of 512 bits, fewer than it would take to bring the k<sup>2</sup> polynomials of Â to an
//! order of our own.

use super::secret::Zero;
use core::hint::black_box;
use fairlane_lanes::I16xN;

/// The prime q.
pub(super) const Q: i16 = 3329;
/// The inverse of q modulo 2^16.
const Q_INVERSE: i16 = -3327;
/// 2^16 modulo q, the factor that a Montgomery multiplication removes.
const R: u32 = (1 << 16) % Q as u32;
/// ζ, a primitive 256th root of unity modulo q.
const ZETA: u32 = 17;

/// An element of R<sub>q</sub>, or of T<sub>q</sub>: 128 polynomials of degree 1, one after the other.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Poly(pub(super) [i16; 256]);

impl Zero for Poly {
    const ZERO: Self = Self([0; 256]);
}

/// Constants for Montgomery multiplications.
struct Factors<const COUNT: usize> {
    /// The constants times 2^16 modulo q.
    factor: [i16; COUNT],
    /// `factor` / q modulo 2^16.
    over_q: [i16; COUNT],
}

impl<const COUNT: usize> Factors<COUNT> {
    const ZERO: Self = Self { factor: [0; COUNT], over_q: [0; COUNT] };

    const fn with(mut self, i: usize, x: u32) -> Self {
        let x = (x * R % Q as u32) as i16;
        // From -q/2 to q/2.
        self.factor[i] = if x > Q / 2 { x - Q } else { x };
        self.over_q[i] = self.factor[i].wrapping_mul(Q_INVERSE);
        self
    }
}

/// ζ to the power of `exponent`, modulo q.
const fn zeta(exponent: u32) -> u32 {
    let (mut power, mut i) = (1, 0);
    while i < exponent {
        power = power * ZETA % Q as u32;
        i += 1;
    }
    power
}

/// Where coefficients lie while words exchange halves: coefficient `order[i]` is at index `i`.
type Order = [usize; 256];

/// The order after [`exchange`] of neighbouring words with groups of `len`.
const fn exchanged<const N: usize>(order: &Order, len: usize) -> Order {
    let (mut new, mut i) = ([0; 256], 0);
    while i < 256 {
        let (pair, second, lane) = (i / (2 * N) * (2 * N), i / N % 2, i % N);
        let (group, place) = (lane / (2 * len) * (2 * len), lane % (2 * len));
        // The first half of a group comes from the first word, the second half from the second word.
        let from = if place < len { group + place } else { N + group + place - len };
        new[i] = order[pair + from + second * len];
        i += 1;
    }
    new
}

/// The order in which layer `len` finds the coefficients.
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

/// The powers of ζ in the order in which words of `N` coefficients need them.
struct Tables<const N: usize>;

impl<const N: usize> Tables<N> {
    /// Those of the NTT's layers 128, 64, …, 2: one for each butterfly.
    const NTT: [Factors<128>; 7] = layers::<N>(false);
    /// Those of the inverse.
    const INVERSE_NTT: [Factors<128>; 7] = layers::<N>(true);
}

/// For each pair of an element of T<sub>q</sub>: 1, and γ = ζ^(2 BitRev7(i) + 1), which X² is.
const GAMMAS: Factors<256> = {
    let (mut factors, mut i) = (Factors::ZERO, 0);
    while i < 128 {
        factors = factors.with(2 * i, 1).with(2 * i + 1, zeta(2 * bit_rev_7(i as u32) + 1));
        i += 1;
    }
    factors
};

/// `BitRev7`: the 7 bits of `x` in reverse order.
const fn bit_rev_7(x: u32) -> u32 {
    x.reverse_bits() >> 25
}

const fn layers<const N: usize>(inverse: bool) -> [Factors<128>; 7] {
    let (mut layers, mut layer) = ([const { Factors::ZERO }; 7], 0);
    while layer < 7 {
        let len = 128 >> layer;
        let order = order::<N>(len);
        let (mut factors, mut i) = (Factors::ZERO, 0);
        while i < 128 {
            // The butterfly's first coefficient. Its words are neighbours, or `len` coefficients apart where `len` is
            // more than a word.
            let distance = if len > N { len } else { N };
            let first = i / distance * 2 * distance + i % distance;
            let block = (order[first] / (2 * len)) as u32;
            let k = if inverse { 256 / len as u32 - 1 - block } else { 128 / len as u32 + block };
            factors = factors.with(i, zeta(bit_rev_7(k)));
            i += 1;
        }
        layers[layer] = factors;
        layer += 1;
    }
    layers
}

/// A table whose contents the compiler does not see. Where a kernel transforms several polynomials, LLVM would take the
/// constants out of the loop, for high products extended to 32 bits, and narrow them there: 190 instructions a call.
#[inline(always)]
fn opaque<T>(table: &'static T) -> &'static T {
    black_box(table)
}

/// Montgomery multiplication: `x * factor / 2^16` modulo q, between -q and q, for a factor below q; `over_q` is
/// `factor` / q modulo 2^16.
#[inline(always)]
pub(super) fn montgomery_mul<W: I16xN<N>, const N: usize>(token: W::Token, x: W, factor: W, over_q: W) -> W {
    x.mul_high(factor).sub(x.mul_low(over_q).mul_high(W::splat(token, Q)))
}

/// Barrett reduction of any integer: from 0 to q, both included.
#[inline(always)]
pub(super) fn barrett_reduce<W: I16xN<N>, const N: usize>(token: W::Token, x: W) -> W {
    // 2^26 / q is 20158.7.
    let quotient = x.mul_high(W::splat(token, 20159)).shr::<10>();
    x.sub(quotient.mul_low(W::splat(token, Q)))
}

/// Any integer modulo q: from 0 to q - 1.
#[inline(always)]
fn canonical<W: I16xN<N>, const N: usize>(token: W::Token, x: W) -> W {
    let q = W::splat(token, Q);
    let below = barrett_reduce(token, x).sub(q);
    below.add(below.shr::<15>().and(q))
}

/// Exchanges halves of groups of 2 `LEN` between neighbouring words, if a word holds such a group.
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

/// Runs `$whole` for each layer that pairs whole words, and `$within` for each that pairs coefficients within words.
macro_rules! layers {
    ($n:ident, $len:ident, $layer:ident: $whole:expr, $within:expr; $($length:literal $number:literal),*) => {$({
        const $len: usize = $length;
        const $layer: usize = $number;
        if $len >= $n { $whole } else { $within }
    })*};
}

/// NTT (Algorithm 9). Takes coefficients between -q and q, leaves them between -8 q and 8 q.
#[inline(always)]
pub(super) fn ntt<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly) {
    let (words, _) = poly.0.as_chunks_mut::<N>();
    let tables = opaque(const { &Tables::<N>::NTT });
    macro_rules! butterfly {
        ($layer:ident, $b:expr, $x:expr, $y:expr) => {{
            let factors = &tables[$layer];
            let (factor, over_q) = (&factors.factor.as_chunks::<N>().0[$b], &factors.over_q.as_chunks::<N>().0[$b]);
            let t = montgomery_mul(token, $y, W::load(token, factor), W::load(token, over_q));
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

/// NTT⁻¹ (Algorithm 10), times 2^16, which [`dot`] has divided by. Takes coefficients between -q and q, and leaves them
/// so.
#[inline(always)]
pub(super) fn inverse_ntt<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly) {
    let (words, _) = poly.0.as_chunks_mut::<N>();
    exchange::<W, N, 16>(token, words);
    exchange::<W, N, 8>(token, words);
    exchange::<W, N, 4>(token, words);
    exchange::<W, N, 2>(token, words);
    macro_rules! butterfly {
        ($layer:ident, $b:expr, $x:expr, $y:expr) => {{
            let factors = const { &Tables::<N>::INVERSE_NTT[$layer] };
            let (factor, over_q) = (&factors.factor.as_chunks::<N>().0[$b], &factors.over_q.as_chunks::<N>().0[$b]);
            let sum = $x.add($y);
            // Sums double from layer to layer. They stay below 8 q.
            let sum = if matches!($layer, 4 | 1) { barrett_reduce(token, sum) } else { sum };
            [sum, montgomery_mul(token, $y.sub($x), W::load(token, factor), W::load(token, over_q))]
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
    // 3303 is 1 / 128; times 2^16.
    const LAST: Factors<1> = Factors::ZERO.with(0, R * 3303 % Q as u32);
    let (factor, over_q) = (W::splat(token, LAST.factor[0]), W::splat(token, LAST.over_q[0]));
    for word in words {
        montgomery_mul(token, W::load(token, word), factor, over_q).store(word);
    }
}

/// Reduces any coefficients to 0 … q - 1.
#[inline(always)]
pub(super) fn reduce<W: I16xN<N>, const N: usize>(token: W::Token, poly: &mut Poly) {
    let (words, _) = poly.0.as_chunks_mut::<N>();
    for word in words {
        canonical(token, W::load(token, word)).store(word);
    }
}

/// An element b of T<sub>q</sub> as the second factor of `MultiplyNTTs`, with all that `BaseCaseMultiply` needs of it
/// alone.
#[derive(Clone, Copy)]
pub(super) struct Multiplicand {
    /// For each pair b₀ and γ b₁: the product's c₀ is a₀ b₀ + a₁ γ b₁.
    for_c0: Poly,
    /// For each pair b₁ and b₀: c₁ is a₀ b₁ + a₁ b₀.
    for_c1: Poly,
}

impl Zero for Multiplicand {
    const ZERO: Self = Self { for_c0: Poly::ZERO, for_c1: Poly::ZERO };
}

impl Multiplicand {
    /// Sets it to an element with coefficients between -q and q.
    #[inline(always)]
    pub(super) fn set<W: I16xN<N>, const N: usize>(&mut self, token: W::Token, poly: &Poly) {
        let (words, _) = poly.0.as_chunks::<N>();
        let ((for_c0, _), (for_c1, _)) = (self.for_c0.0.as_chunks_mut::<N>(), self.for_c1.0.as_chunks_mut::<N>());
        let gammas = opaque(&GAMMAS);
        let ((factor, _), (over_q, _)) = (gammas.factor.as_chunks::<N>(), gammas.over_q.as_chunks::<N>());
        for i in 0..256 / N {
            let word = W::load(token, &words[i]);
            montgomery_mul(token, word, W::load(token, &factor[i]), W::load(token, &over_q[i])).store(&mut for_c0[i]);
            word.swap_pairs().store(&mut for_c1[i]);
        }
    }
}

/// Word `i` of the sum of up to four products in T<sub>q</sub> (`MultiplyNTTs`, Algorithms 11 and 12), divided by 2^16.
/// Takes coefficients between -q and q, and gives such. There is at least one product.
#[inline(always)]
fn dot_word<W: I16xN<N>, const N: usize>(token: W::Token, a: &[Poly], b: &[Multiplicand], i: usize) -> W {
    // Products of 32 bits are added before they are reduced: four times two products are below 8 q², which is below
    // 2^15 q.
    let products = |a: &Poly, b: &Multiplicand| {
        let a = W::load(token, &a.0.as_chunks::<N>().0[i]);
        let (for_c0, for_c1) = (&b.for_c0.0.as_chunks::<N>().0[i], &b.for_c1.0.as_chunks::<N>().0[i]);
        [a.mul_pairs(W::load(token, for_c0)), a.mul_pairs(W::load(token, for_c1))]
    };
    // Begins with a product: with zeros, LLVM would call memset for the case of no products.
    let [mut c0, mut c1] = products(&a[0], &b[0]);
    for j in 1..a.len() {
        let [x, y] = products(&a[j], &b[j]);
        (c0, c1) = (W::add_sums(c0, x), W::add_sums(c1, y));
    }
    let [low, high] = W::split_sums(c0, c1);
    high.sub(low.mul_low(W::splat(token, Q_INVERSE)).mul_high(W::splat(token, Q)))
}

/// The sum of up to four products in T<sub>q</sub>, divided by 2^16: from coefficients between -q and q to such.
#[inline(always)]
pub(super) fn dot<W: I16xN<N>, const N: usize>(token: W::Token, sum: &mut Poly, a: &[Poly], b: &[Multiplicand]) {
    let (sums, _) = sum.0.as_chunks_mut::<N>();
    for i in 0..256 / N {
        dot_word::<W, N>(token, a, b, i).store(&mut sums[i]);
    }
}

/// Adds the sum of up to four products in T<sub>q</sub> to an output of [`ntt`], and reduces it to 0 … q - 1.
#[inline(always)]
pub(super) fn add_dot<W: I16xN<N>, const N: usize>(token: W::Token, sum: &mut Poly, a: &[Poly], b: &[Multiplicand]) {
    const SCALE: Factors<1> = Factors::ZERO.with(0, R);
    let (factor, over_q) = (W::splat(token, SCALE.factor[0]), W::splat(token, SCALE.over_q[0]));
    let (sums, _) = sum.0.as_chunks_mut::<N>();
    for i in 0..256 / N {
        let scaled = montgomery_mul(token, dot_word::<W, N>(token, a, b, i), factor, over_q);
        canonical(token, W::load(token, &sums[i]).add(scaled)).store(&mut sums[i]);
    }
}

/// `x + y`, reduced to 0 … q - 1, for coefficients whose sums fit in 16 bits.
#[inline(always)]
pub(super) fn add<W: I16xN<N>, const N: usize>(token: W::Token, x: &mut Poly, y: &Poly) {
    let ((x, _), (y, _)) = (x.0.as_chunks_mut::<N>(), y.0.as_chunks::<N>());
    for i in 0..256 / N {
        canonical(token, W::load(token, &x[i]).add(W::load(token, &y[i]))).store(&mut x[i]);
    }
}

/// `x - y`, reduced to 0 … q - 1, for coefficients whose differences fit in 16 bits.
#[inline(always)]
pub(super) fn subtract<W: I16xN<N>, const N: usize>(token: W::Token, x: &mut Poly, y: &Poly) {
    let ((x, _), (y, _)) = (x.0.as_chunks_mut::<N>(), y.0.as_chunks::<N>());
    for i in 0..256 / N {
        canonical(token, W::load(token, &x[i]).sub(W::load(token, &y[i]))).store(&mut x[i]);
    }
}
