//! ML-KEM's and CLWE-KEM's ring: FIPS 203, sections 4.2 and 4.3.
//!
//! For the NTT a lane is a linear form of the 256 coefficients modulo q, and an interval of integers. A sum that could
//! leave 16 bits is an error. A Montgomery multiplication is recognised by its five operations, a Barrett reduction by
//! its four; what they do is proved for all 2^16 integers, and all factors.

use crate::lattice_numbers::{Numbers, range_of, set_coefficients, short_words};
use crate::mutation;
use crate::proof::{Claim, Faults, Random, silently};
use fairlane::ml_kem::symbolic::{
    Polynomial, Products, barrett_reduce, compress, decompress, inverse_ntt, montgomery_mul, ntt, reduce,
};
use fairlane_lanes::{Avx2, Avx512, Avx512Vbmi, CoefficientCoding, I16x2, I16x16, I16x32, I16xN, Scalar, Token};
use fairlane_reference::kem::ring;
use std::array::from_fn;
use std::cell::RefCell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

const Q: i32 = 3329;
/// q⁻¹ modulo 2^16.
const Q_INVERSE: i16 = -3327;

/// Coefficients modulo q of the 256 inputs.
type Form = Rc<[u16; 256]>;

#[derive(Clone)]
enum Lane {
    Constant(i16),
    /// A form, and the least and the greatest integer that it can be.
    Value(Form, i32, i32),
    /// The high half of a value's product by a constant.
    High(Form, i32, i32, i16),
    /// The low half.
    Low(Form, i16),
    /// The high half of the product of that by q.
    HighOfLow(Form, i16),
    /// The high half of a value's product by 20159, divided by 2^10; and that times q.
    Quotient(Form),
    QuotientTimesQ(Form),
}

#[derive(Default)]
struct Memory {
    addresses: Range<usize>,
    lanes: Vec<Lane>,
    /// Intermediate words.
    values: Vec<Lane>,
    sums: usize,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// `N` lanes, as numbers of `Memory::values`.
#[derive(Clone, Copy)]
struct Forms<const N: usize>([usize; N]);

fn keep(lane: Lane) -> usize {
    MEMORY.with_borrow_mut(|memory| {
        memory.values.push(lane);
        memory.values.len() - 1
    })
}

fn kept(number: usize) -> Lane {
    MEMORY.with_borrow(|memory| memory.values[number].clone())
}

fn linear(x: &Form, a: i64, y: &Form, b: i64) -> Form {
    Rc::new(from_fn(|i| (i64::from(x[i]) * a + i64::from(y[i]) * b).rem_euclid(Q.into()) as u16))
}

fn value(form: Form, low: i32, high: i32) -> Lane {
    assert!(low >= i16::MIN.into() && high <= i16::MAX.into(), "a coefficient may leave 16 bits: {low} to {high}");
    MEMORY.with_borrow_mut(|memory| memory.sums += 1);
    Lane::Value(form, low, high)
}

impl<const N: usize> Forms<N> {
    fn zip(self, b: Self, f: impl Fn(Lane, Lane) -> Lane) -> Self {
        Self(from_fn(|i| keep(f(kept(self.0[i]), kept(b.0[i])))))
    }
}

impl<const N: usize> I16xN<N> for Forms<N> {
    type Token = Scalar;
    type Sums = ();

    fn splat(_: Scalar, x: i16) -> Self {
        Self([keep(Lane::Constant(x)); N])
    }
    fn load(_: Scalar, lanes: &[i16; N]) -> Self {
        let at = lanes.as_ptr() as usize;
        let inside =
            MEMORY.with_borrow(|memory| memory.addresses.contains(&at).then(|| (at - memory.addresses.start) / 2));
        if let Some(from) = inside {
            return Self(from_fn(|i| keep(MEMORY.with_borrow(|memory| memory.lanes[from + i].clone()))));
        }
        let altered = i16::from(mutation::here("a factor one more"));
        Self(lanes.map(|x| keep(Lane::Constant(x.wrapping_add(altered)))))
    }
    fn store(self, lanes: &mut [i16; N]) {
        let at = lanes.as_ptr() as usize;
        let all = self.0.map(kept);
        MEMORY.with_borrow_mut(|memory| {
            assert!(memory.addresses.contains(&at), "a kernel wrote somewhere else");
            let from = (at - memory.addresses.start) / 2;
            memory.lanes[from..from + N].clone_from_slice(&all);
        });
    }
    fn add(self, b: Self) -> Self {
        if mutation::here("a sum left out") {
            return self;
        }
        self.zip(b, |x, y| match (x, y) {
            (Lane::Value(x, l, h), Lane::Value(y, m, i)) => value(linear(&x, 1, &y, 1), l + m, h + i),
            _ => panic!("a sum of something else"),
        })
    }
    fn sub(self, b: Self) -> Self {
        let (x, y) = if mutation::here("operands swapped") { (b, self) } else { (self, b) };
        x.zip(y, |x, y| match (x, y) {
            (Lane::Value(x, l, h), Lane::Value(y, m, i)) => value(linear(&x, 1, &y, -1), l - i, h - m),
            // Both products agree in their low halves, so the difference of the high ones is exact.
            (Lane::High(x, l, h, f), Lane::HighOfLow(y, g)) if x == y && f.wrapping_mul(Q_INVERSE) == g => {
                let most = (l.abs().max(h.abs()) * i32::from(f).abs() + 32768 * Q) >> 16;
                // 169 is 2^-16 modulo q.
                value(linear(&x, i64::from(f) * 169, &x, 0), -most, most)
            }
            (Lane::Value(x, ..), Lane::QuotientTimesQ(y)) if x == y => value(x, 0, Q),
            _ => panic!("a difference of something else"),
        })
    }
    fn and(self, _: Self) -> Self {
        panic!("the NTT has no masks")
    }
    fn shr<const K: u32>(self) -> Self {
        Self(self.0.map(|x| match kept(x) {
            Lane::High(x, _, _, 20159) if K == 10 => keep(Lane::Quotient(x)),
            _ => panic!("a shift of something else"),
        }))
    }
    fn mul_low(self, b: Self) -> Self {
        self.zip(b, |x, y| match (x, y) {
            (Lane::Value(x, ..), Lane::Constant(c)) => Lane::Low(x, c),
            (Lane::Quotient(x), Lane::Constant(3329)) => Lane::QuotientTimesQ(x),
            _ => panic!("a product of something else"),
        })
    }
    fn mul_high(self, b: Self) -> Self {
        self.zip(b, |x, y| match (x, y) {
            (Lane::Value(x, l, h), Lane::Constant(c)) => Lane::High(x, l, h, c),
            (Lane::Low(x, c), Lane::Constant(3329)) => Lane::HighOfLow(x, c),
            _ => panic!("a product of something else"),
        })
    }
    fn swap_pairs(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 1]))
    }
    fn mul_pairs(self, _: Self) {
        panic!("the NTT has no sums of products")
    }
    fn add_sums((): (), (): ()) {}
    fn split_sums((): (), (): ()) -> [Self; 2] {
        panic!("the NTT has no sums of products")
    }
    fn exchange<const LEN: usize>(self, b: Self) -> [Self; 2] {
        let swapped = usize::from(mutation::here("halves exchanged wrongly"));
        from_fn(|half| {
            let half = half ^ swapped;
            Self(from_fn(|i| {
                let (group, place) = (i / (2 * LEN) * (2 * LEN), i % (2 * LEN));
                if place < LEN { self.0[group + half * LEN + place] } else { b.0[group + half * LEN + place - LEN] }
            }))
        })
    }
}

/// Runs a body on 256 coefficients between -q and q, and returns the forms and the greatest size of a result.
fn run<const N: usize>(body: fn(Scalar, &mut Polynomial)) -> (Vec<Form>, i32, usize) {
    let mut poly = Box::new(Polynomial::new([0; 256]));
    let start = poly.coefficients().as_ptr() as usize;
    let input = |i: usize| Lane::Value(Rc::new(from_fn(|j| u16::from(i == j))), -Q, Q);
    MEMORY.set(Memory { addresses: start..start + 512, lanes: (0..256).map(input).collect(), ..Memory::default() });
    body(Scalar::PROOF, &mut poly);
    let memory = MEMORY.take();
    let mut most = 0;
    let forms = memory.lanes.into_iter().map(|lane| match lane {
        Lane::Value(form, low, high) => {
            most = most.max(low.abs()).max(high.abs());
            form
        }
        _ => panic!("a result that is not a value"),
    });
    (forms.collect(), most, memory.sums)
}

/// The columns of the matrix of a linear map.
fn columns(f: fn(&ring::Polynomial) -> ring::Polynomial) -> Vec<ring::Polynomial> {
    (0..256).map(|j| f(&from_fn(|i| u16::from(i == j)))).collect()
}

/// Whether the body is the map with these columns, times `factor`, with results of at most `most`.
fn is_map<const N: usize>(
    body: fn(Scalar, &mut Polynomial),
    columns: &[ring::Polynomial],
    factor: u32,
    most: i32,
) -> Result<(usize, i32), String> {
    let (forms, size, sums) =
        catch_unwind(AssertUnwindSafe(|| run::<N>(body))).map_err(|_| "not a linear map within bounds".to_string())?;
    for i in 0..256 {
        let expected = |j: usize| u32::from(columns[j][i]) * factor % Q as u32;
        if (0..256).any(|j| u32::from(forms[i][j]) != expected(j)) {
            return Err(format!("coefficient {i}"));
        }
    }
    if size > most { Err(format!("up to {size}")) } else { Ok((sums, size)) }
}

type Body = fn(Scalar, &mut Polynomial);

/// A transform on numbers, for counter-examples.
struct OnNumbers {
    /// The body on words with faults.
    body: Body,
    real: fn(&mut Polynomial),
    standard: fn(&ring::Polynomial) -> ring::Polynomial,
    factor: i32,
}

impl OnNumbers {
    /// Whether a fault makes coefficients between -q and q wrong, for which the real kernel is right.
    fn shows(&self, at: usize, random: &mut Random) -> bool {
        (0..100).any(|_| {
            let all = random.number();
            let input: [i16; 256] = from_fn(|_| match all % 4 {
                0 => [-Q, Q][random.number() as usize % 2] as i16,
                _ => (random.number() % (2 * Q + 1) as u64) as i16 - Q as i16,
            });
            let standard = (self.standard)(&input.map(|x| i32::from(x).rem_euclid(Q) as u16));
            let is_right = |poly: &Polynomial| {
                let right = |(x, y): (&i16, u16)| (i32::from(*x) - i32::from(y) * self.factor) % Q == 0;
                poly.coefficients().iter().zip(standard).all(right)
            };
            let mut poly = Box::new(Polynomial::new(input));
            set_coefficients(vec![range_of(&*poly)]);
            mutation::with(Some(at), || (self.body)(Scalar::PROOF, &mut poly));
            let shown = !is_right(&poly);
            if shown {
                *poly = Polynomial::new(input);
                (self.real)(&mut poly);
                assert!(is_right(&poly), "the real kernel on a counter-example");
            }
            shown
        })
    }
}

fn transform<const N: usize>() -> Vec<Claim> {
    let numbers =
        OnNumbers { body: ntt::<Numbers<N>, N>, real: |poly| short_words!(ntt(poly)), standard: ring::ntt, factor: 1 };
    let forward = ("NTT", "algorithm 9", ntt::<Forms<N>, N> as Body, numbers, 8 * Q);
    // 2^16 is 2285 modulo q.
    let numbers = OnNumbers {
        body: inverse_ntt::<Numbers<N>, N>,
        real: |poly| short_words!(inverse_ntt(poly)),
        standard: ring::inverse_ntt,
        factor: 2285,
    };
    let inverse = ("inverse NTT", "2^16 times algorithm 10", inverse_ntt::<Forms<N>, N> as Body, numbers, Q);
    let mut claims = Vec::new();
    for (name, algorithm, body, numbers, most) in [forward, inverse] {
        let (columns, factor) = (columns(numbers.standard), numbers.factor as u32);
        let mut operations = 0;
        let what = format!("ML-KEM, {name} in words of {N} = FIPS 203, {algorithm}; no overflow");
        claims.push(Claim::of(what, "linear forms with intervals", || {
            let (proof, count, _) = mutation::with(None, || is_map::<N>(body, &columns, factor, most));
            let (sums, size) = proof.expect("it is proved");
            operations = count;
            format!("{sums} results; outputs within {:.2} q, allowed {} q", f64::from(size) / f64::from(Q), most / Q)
        }));
        let what = format!("ML-KEM, {name} in words of {N}: faults");
        claims.push(Claim::of(what, "counter-examples, run", || {
            let (mut faults, mut random) = (Faults::default(), Random::new());
            let places = mutation::places(40, operations);
            let least = places.len() / 4;
            silently(|| {
                for at in places {
                    let (proof, _, what) =
                        mutation::with(Some(at), || is_map::<N>(body, &columns, factor, most).is_ok());
                    faults.note(what, proof, !proof && numbers.shows(at, &mut random));
                }
            });
            faults.figures(least)
        }));
    }
    claims
}

/// All integers of 16 bits, in polynomials.
fn all_integers(mut f: impl FnMut(&[i16; 256])) {
    for high in 0..256 {
        f(&from_fn(|low| (high << 8 | low) as u16 as i16));
    }
}

fn lanes<W: I16xN<N>, const N: usize>(word: W) -> [i16; N] {
    let mut lanes = [0; N];
    word.store(&mut lanes);
    lanes
}

fn exhaustive<W: I16xN<N>, const N: usize>(token: W::Token, name: &str) -> Vec<Claim> {
    let reductions =
        Claim::of(format!("ML-KEM, reductions on {name} = FIPS 203's numbers"), "all 2^16 integers", || {
            all_integers(|x| {
                let mut poly = Polynomial::new(*x);
                reduce::<W, N>(token, &mut poly);
                for (x, y) in x.iter().zip(poly.coefficients()) {
                    assert_eq!(i32::from(*y), i32::from(*x).rem_euclid(Q));
                }
                for chunk in x.as_chunks::<N>().0 {
                    let reduced = lanes::<W, N>(barrett_reduce(token, W::load(token, chunk)));
                    for (x, y) in chunk.iter().zip(reduced) {
                        assert!((0..=Q).contains(&i32::from(y)) && (i32::from(*x) - i32::from(y)) % Q == 0);
                    }
                }
            });
            "65536 × 2 cases".into()
        });
    let montgomery = Claim::of(
        format!("ML-KEM, Montgomery multiplication on {name}: exact, below q"),
        "all 2^16 integers × all 3329 factors",
        || {
            for factor in -1664_i16..=1664 {
                let (f, over) = (W::splat(token, factor), W::splat(token, factor.wrapping_mul(Q_INVERSE)));
                all_integers(|x| {
                    for chunk in x.as_chunks::<N>().0 {
                        let product = lanes::<W, N>(montgomery_mul(token, W::load(token, chunk), f, over));
                        for (x, y) in chunk.iter().zip(product) {
                            let (x, y) = (i32::from(*x), i32::from(y));
                            // 2^16 is 2285 modulo q.
                            assert!(y.abs() < Q && (x * i32::from(factor) - y * 2285) % Q == 0);
                        }
                    }
                });
            }
            format!("{} cases", 3329 * 65536)
        },
    );
    let compression = Claim::of(
        format!("ML-KEM, CLWE-KEM: compression on {name} = FIPS 203, 4.2.1"),
        "all coefficients, d = 1, 4, 5, 7, 10, 11",
        || {
            let mut cases = 0;
            for d in [1, 4, 5, 7, 10, 11] {
                for from in (0..3329).step_by(256) {
                    let x: [i16; 256] = from_fn(|i| (from + i as i16).min(3328));
                    let mut poly = Polynomial::new(x);
                    compress::<W, N>(token, &mut poly, d);
                    for (x, y) in x.iter().zip(poly.coefficients()) {
                        assert_eq!(*y as u16, ring::compress(d, *x as u16));
                        cases += 1;
                    }
                }
                for from in (0..1 << d).step_by(256) {
                    let x: [i16; 256] = from_fn(|i| (from + i as i16).min((1 << d) - 1));
                    let mut poly = Polynomial::new(x);
                    decompress::<W, N>(token, &mut poly, d);
                    for (x, y) in x.iter().zip(poly.coefficients()) {
                        assert_eq!(*y as u16, ring::decompress(d, *x as u16));
                        cases += 1;
                    }
                }
            }
            format!("{cases} cases")
        },
    );
    let products = Claim::of(
        format!("ML-KEM, products in T_q on {name} = FIPS 203, algorithm 11"),
        "basis × basis, and extremes; tested",
        || {
            let mut cases = 0;
            let mut check = |a: [i16; 256], b: [i16; 256], count: usize| {
                let mut all = Products::default();
                for i in 0..count {
                    all.set_first(i, &Polynomial::new(a));
                    all.set_second::<W, N>(token, i, &Polynomial::new(b));
                }
                let product = *all.dot::<W, N>(token, count);
                let positive = |x: [i16; 256]| x.map(|x| i32::from(x).rem_euclid(Q) as u16);
                let expected = ring::multiply_ntts(&positive(a), &positive(b));
                for (x, y) in product.iter().zip(expected) {
                    assert!(i32::from(*x).abs() <= Q);
                    assert_eq!((i32::from(*x) * 2285).rem_euclid(Q), i32::from(y) * count as i32 % Q);
                }
                cases += 1;
            };
            let unit = |j: usize, x: i16| from_fn(|i| if i == j { x } else { 0 });
            for i in 0..256 {
                // Elements of other pairs do not meet.
                for j in [i & !1, i | 1, (i + 2) % 256] {
                    check(unit(i, 1), unit(j, 1), 1);
                    check(unit(i, 3329), unit(j, -3329), 4);
                }
            }
            for (a, b) in [(3329, 3329), (-3329, 3329), (-3329, -3329), (3328, 1), (1664, -1665)] {
                check([a; 256], [b; 256], 4);
            }
            format!("{cases} products")
        },
    );
    vec![reductions, montgomery, compression, products]
}

macro_rules! packings {
    ($token:ident, $random:ident: $($d:literal)*) => {$(
        for position in 0..32 {
            // Every number at every position, beside all zeros and all ones.
            for beside in [0, (1 << $d) - 1] {
                for x in 0..1 << $d {
                    let mut numbers = [beside; 32];
                    numbers[position] = x;
                    let mut bytes = [0; 4 * $d];
                    $token.pack::<$d>(&numbers, &mut bytes);
                    for (i, number) in numbers.iter().enumerate() {
                        for bit in 0..$d {
                            let at = $d * i + bit;
                            assert_eq!(i16::from(bytes[at / 8] >> (at % 8) & 1), number >> bit & 1);
                        }
                    }
                    let mut back = [-1; 32];
                    $token.unpack::<$d>(&bytes, &mut back);
                    assert_eq!(back, numbers);
                    $random += 1;
                }
            }
        }
    )*};
}

fn coding<T: CoefficientCoding>(token: T, name: &str) -> Vec<Claim> {
    let packing = Claim::of(
        format!("ML-KEM, CLWE-KEM: packing on {name} = FIPS 203, algorithms 5 and 6"),
        "every number at every position, d = 1, 4, 5, 7, 10, 11, 12",
        || {
            let mut cases = 0;
            packings!(token, cases: 1 4 5 7 10 11 12);
            format!("{cases} cases")
        },
    );
    let rejection =
        Claim::of(format!("ML-KEM, rejection sampling on {name} = FIPS 203, algorithm 7"), "all three bytes", || {
            for first in (0..1_u32 << 24).step_by(16) {
                let triple = |i: usize| (first + i as u32).to_le_bytes();
                let bytes: [u8; 48] = from_fn(|i| triple(i / 3)[i % 3]);
                let mut expected = Vec::with_capacity(32);
                for i in 0..16 {
                    let [c0, c1, c2, _] = triple(i).map(i16::from);
                    expected.extend([c0 + 256 * (c1 % 16), c1 / 16 + 16 * c2].iter().filter(|d| **d < 3329));
                }
                let mut numbers = [0; 32];
                let count = token.rejection_sample(&bytes, 3329, &mut numbers);
                assert_eq!(numbers[..count], expected);
            }
            format!("{} cases", 1 << 24)
        });
    let binomial = Claim::of(
        format!("ML-KEM, binomial sampling on {name} = FIPS 203, algorithm 8"),
        "every byte, every three bytes",
        || {
            for x in 0..=255_u8 {
                let bytes = from_fn(|i| x.wrapping_add(i as u8));
                let mut numbers = [0; 32];
                token.centered_binomial_2(&bytes, &mut numbers);
                for (i, number) in numbers.iter().enumerate() {
                    let bits = bytes[i / 2] >> (4 * (i % 2));
                    assert_eq!(
                        *number,
                        i16::from((bits & 1) + (bits >> 1 & 1)) - i16::from((bits >> 2 & 1) + (bits >> 3 & 1))
                    );
                }
            }
            for first in (0..1_u32 << 24).step_by(8) {
                let bytes = from_fn(|i| (first + i as u32 / 3).to_le_bytes()[i % 3]);
                let mut numbers = [0; 32];
                token.centered_binomial_3(&bytes, &mut numbers);
                for (i, number) in numbers.iter().enumerate() {
                    let bits = (first + i as u32 / 4) >> (6 * (i % 4));
                    let ones = |bits: u32| (bits & 7).count_ones() as i16;
                    assert_eq!(*number, ones(bits) - ones(bits >> 3));
                }
            }
            format!("{} cases", (1 << 24) + 256)
        },
    );
    vec![packing, rejection, binomial]
}

/// Proves the ring.
pub fn claims() -> Vec<Claim> {
    let mut claims = [transform::<2>(), transform::<16>(), transform::<32>()].concat();
    claims.extend(exhaustive::<I16x2<Scalar>, 2>(Scalar::PROOF, "integers"));
    claims.extend(coding(Scalar::PROOF, "integers"));
    if let Some(token) = Avx2::new() {
        claims.extend(exhaustive::<I16x16, 16>(token, "AVX2"));
        claims.extend(coding(token, "AVX2"));
    }
    if let Some(token) = Avx512::new() {
        claims.extend(exhaustive::<I16x32, 32>(token, "AVX-512"));
    }
    if let Some(token) = Avx512Vbmi::new() {
        claims.extend(coding(token, "AVX-512 VBMI"));
    }
    claims
}
