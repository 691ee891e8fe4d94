//! Poly1305 (RFC 8439, section 2.5) in limbs of 26 and of 44 bits, on integers with bounds (`bounds`).

use crate::bounds::{self, Integer, Polynomial};
use crate::lane::Lane;
use crate::mutation;
use crate::proof::{Claim, Faults, Random, silently};
use crate::term::{self, Term};
use crate::word::Word;
use fairlane::poly1305::symbolic::{multiply26, multiply44, split26, split44};
use fairlane_lanes::{Avx2, Avx512, Avx512Ifma, Pairs, Products52, Scalar, Token, U64x4, U64x8, U64x8Ifma, U64xN};
use std::array::from_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl U64xN<1> for Integer<64> {
    type Token = Scalar;
    fn splat(_: Scalar, x: u64) -> Self {
        Self::constant(x.into())
    }
    fn from_array(_: Scalar, [x]: [u64; 1]) -> Self {
        Self::constant(x.into())
    }
    fn to_array(self) -> [u64; 1] {
        panic!("a kernel looked at a value")
    }
    fn load(_: Scalar, _: &[u8]) -> Self {
        panic!("a kernel read memory")
    }
    fn store(self, _: &mut [u8]) {
        panic!("a kernel wrote to memory")
    }
    fn transpose(words: [Self; 1]) -> [Self; 1] {
        words
    }
    fn and(self, mask: Self) -> Self {
        let mask = mask.value().expect("a mask");
        assert_eq!(mask.count_ones(), mask.trailing_ones(), "a mask with holes");
        self.modulo(mask.trailing_ones() + u32::from(mutation::here("a mask one longer")))
    }
    fn add(self, b: Self) -> Self {
        self + b
    }
    fn mul_u32(self, b: Self) -> Self {
        let b = if mutation::here("a square for a product") { self } else { b };
        self.modulo(32).times(b.modulo(32))
    }
    fn shr<const K: u32>(self) -> Self {
        self >> K
    }
    fn shl<const K: u32>(self) -> Self {
        self << K
    }
    fn xor(self, _: Self) -> Self {
        panic!("not an operation on integers")
    }
    fn or(self, _: Self) -> Self {
        panic!("not an operation on integers")
    }
    fn not(self) -> Self {
        panic!("not an operation on integers")
    }
    fn sub(self, _: Self) -> Self {
        panic!("not an operation on integers without sign")
    }
    fn rotl<const K: u32>(self) -> Self {
        panic!("not an operation on integers")
    }
}

impl Pairs<1> for Integer<64> {
    fn transpose_pairs(self, _: Self) -> [Self; 2] {
        panic!("one lane has no pairs")
    }
}

/// The product of the low 52 bits, or of `a` with itself.
fn product52(a: Integer<64>, b: Integer<64>) -> Integer<128> {
    let b = if mutation::here("a square for a product") { a } else { b };
    a.modulo(52).times(b.modulo(52))
}

impl Products52<1> for Integer<64> {
    fn add_low52(self, a: Self, b: Self) -> Self {
        let (low, max) = product52(a, b).modulo(52).parts();
        self.plus(Self::new(low, Some(max)))
    }
    fn add_high52(self, a: Self, b: Self) -> Self {
        let (high, max) = product52(a, b).over(52).parts();
        self.plus(Self::new(high, Some(max)))
    }
}

/// Limbs of a representation.
struct Limbs<const L: usize> {
    name: &'static str,
    bits: u32,
    /// What the factors' limbs are below.
    first: [u128; L],
    second: [u128; L],
    /// What the results' limbs are below.
    result: [u128; L],
    body: Product<Integer<64>, L>,
    /// The kernel on this machine's words, if it has them.
    real: fn(&[u64], usize) -> Option<[u64; L]>,
}

type Product<W, const L: usize> = fn(Scalar, [W; L], &[[[W; L]; 2]]) -> [W; L];

/// The number and the factors of the products.
type Operands<W, const L: usize> = ([W; L], Vec<[[W; L]; 2]>);

/// Inputs in the order of memory.
fn operands<T, W: Copy, const L: usize>(inputs: &[T], count: usize, word: impl Fn(&T) -> W) -> Operands<W, L> {
    let limbs = |i: usize| from_fn(|j| word(&inputs[L * i + j]));
    (limbs(0), (0..count).map(|i| [limbs(2 * i + 1), limbs(2 * i + 2)]).collect())
}

/// A kernel on words.
macro_rules! real {
    ($name:ident, $multiply:ident, $limbs:literal: $($token:ty, $word:ty, $n:literal;)*) => {
        fn $name(inputs: &[u64], count: usize) -> Option<[u64; $limbs]> {
            $(if let Some(token) = <$token>::new() {
                let (number, products) =
                    operands(inputs, count, |x| <$word as U64xN<$n>>::splat(token, *x));
                return Some($multiply::<$word, $n>(token, number, &products).map(|limb| limb.to_array()[$n - 1]));
            })*
            None
        }
    };
}
real!(real26, multiply26, 5: Avx512, U64x8, 8; Avx2, U64x4, 4;);
real!(real44, multiply44, 3: Avx512Ifma, U64x8Ifma, 8;);

impl<const L: usize> Limbs<L> {
    /// What each input is at most, for `count` products.
    fn most(&self, count: usize) -> Vec<u128> {
        let kinds = std::iter::once(self.first).chain((0..count).flat_map(|_| [self.first, self.second]));
        kinds.flat_map(|limits| limits.map(|limit| limit - 1)).collect()
    }

    /// Whether the result is right and in its bounds.
    fn is_right(&self, inputs: &[Integer<64>], count: usize, result: [Integer<64>; L]) -> Result<(), String> {
        let (number, products) = operands::<_, _, L>(inputs, count, |x| *x);
        let mut difference = Polynomial::default();
        for i in 0..L {
            let weight = self.bits * i as u32;
            if result[i].max() >= self.result[i] {
                return Err(format!("limb {i} may be {:#x}", result[i].max()));
            }
            difference = difference.plus_shifted(&result[i].polynomial(), weight);
            difference = difference.minus_shifted(&number[i].polynomial(), weight);
            for [a, b] in &products {
                for j in 0..L {
                    let product = a[i].polynomial().times(&b[j].polynomial());
                    difference = difference.minus_shifted(&product, weight + self.bits * j as u32);
                }
            }
        }
        if difference.is_zero_modulo_p() { Ok(()) } else { Err("another number".into()) }
    }

    /// Runs the body, and says whether its result is right.
    fn check(&self, inputs: impl FnOnce() -> Vec<Integer<64>>, count: usize) -> Result<usize, String> {
        bounds::reset();
        let inputs = inputs();
        let (number, products) = operands(&inputs, count, |x| *x);
        let run = || (self.body)(Scalar::PROOF, number, &products);
        let result = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "a bound is not held".to_string())?;
        self.is_right(&inputs, count, result).map(|()| bounds::reset())
    }

    fn prove(&self, count: usize) -> Result<usize, String> {
        self.check(|| self.most(count).into_iter().map(|max| Integer::variable(max, 1)).collect(), count)
    }

    /// Whether the body with a fault is wrong on some numbers, on which the real kernel is right.
    fn shows(&self, at: usize, random: &mut Random) -> bool {
        let most = self.most(4);
        (0..1000).any(|_| {
            let numbers: Vec<u64> = most.iter().map(|max| random.up_to(*max) as u64).collect();
            let constants = || numbers.iter().map(|x| Integer::constant((*x).into())).collect::<Vec<_>>();
            let (faulty, ..) = mutation::with(Some(at), || self.check(constants, 4));
            if faulty.is_err()
                && let Some(result) = (self.real)(&numbers, 4)
            {
                let result = result.map(|limb| Integer::constant(limb.into()));
                self.is_right(&constants(), 4, result).expect("the real kernel is right");
            }
            faulty.is_err()
        })
    }

    fn claims(&self) -> Vec<Claim> {
        let mut operations = 0;
        let what =
            format!("Poly1305, {}: a number and up to 4 products, carried = the same modulo 2^130 - 5", self.name);
        let proved = Claim::of(what, "integers with bounds", || {
            let mut integers = 0;
            for count in 1..=4 {
                let (proof, counted, _) = mutation::with(None, || self.prove(count).expect("it is proved"));
                (integers, operations) = (proof, counted);
            }
            format!("{integers} integers; limbs below {:x?} from limbs below {:x?}", self.result, self.first)
        });
        let refuted = Claim::of(format!("Poly1305, {}: faults", self.name), "counter-examples, run", || {
            silently(|| {
                let (mut faults, mut random) = (Faults::default(), Random::new());
                for at in (0..operations).step_by(3) {
                    let (proof, _, what) = mutation::with(Some(at), || self.prove(4));
                    let proved = proof.is_ok();
                    faults.note(what, proved, !proved && self.shows(at, &mut random));
                }
                faults
            })
            .figures(10)
        });
        vec![proved, refuted]
    }
}

/// The limbs of a block are its bits, and the bit 2^128.
fn split<const L: usize>(name: &str, bits: u32, f: fn(Scalar, Lanes, Lanes) -> [Lanes; L]) -> Claim {
    Claim::of(
        format!("Poly1305, {name}: the limbs of a block = the block + 2^128"),
        "terms: every bit followed",
        || {
            term::reset();
            let [low, high] = [Term::input(64), Term::input(64)];
            let one = Term::constant(1, 1);
            let mut rest = low.concat(high.slice(0, 63)).concat(high.slice(63, 1));
            for (i, limb) in f(Scalar::PROOF, Word([low]), Word([high])).into_iter().enumerate() {
                let len = if i + 1 == L { rest.width() } else { bits };
                let mut expected = rest.slice(0, len);
                if i + 1 == L {
                    expected = expected.concat(one);
                } else {
                    rest = rest.slice(len, rest.width() - len);
                }
                let zeros = Term::constant(64 - expected.width(), 0);
                assert_eq!(limb.0[0], expected.concat(zeros), "limb {i}");
            }
            "128 bits".into()
        },
    )
}

type Lanes = Word<Term, 64, 1>;

/// The real kernels on messages of zeros, of ones, and without a pattern, against the reference.
fn real() -> Claim {
    Claim::of("Poly1305 on every backend = fairlane-reference", "extreme and random messages, tested", || {
        let (mut random, mut cases) = (Random::new(), 0);
        for backend in fairlane::Backend::ALL {
            for blocks in 0..=60 {
                for fill in [Some(0), Some(0xff), None] {
                    let mut byte = || fill.unwrap_or_else(|| random.number() as u8);
                    let key = from_fn(|_| byte());
                    let message: Vec<u8> = (0..16 * blocks).map(|_| byte()).collect();
                    let Ok(mut mac) = fairlane::poly1305::Poly1305::with_backend(&key, *backend) else { continue };
                    mac.update(&message);
                    assert_eq!(mac.finalize(), fairlane_reference::poly1305::poly1305(&key, &message));
                    cases += 1;
                }
            }
        }
        format!("{cases} messages")
    })
}

/// Proves Poly1305's arithmetic in words.
fn in_words() -> Vec<Claim> {
    let limbs26 = Limbs::<5> {
        name: "limbs of 26 bits",
        bits: 26,
        first: [1 << 27; 5],
        second: [5 << 24; 5],
        result: [(1 << 26) + (1 << 10); 5],
        body: multiply26,
        real: real26,
    };
    let limbs44 = Limbs::<3> {
        name: "limbs of 44 bits",
        bits: 44,
        first: [1 << 45, 1 << 45, 1 << 43],
        second: [(1 << 44) + (1 << 17), (1 << 44) + (1 << 17), (1 << 42) + (1 << 17)],
        result: [(1 << 44) + (1 << 17), (1 << 44) + (1 << 17), (1 << 42) + (1 << 17)],
        body: multiply44,
        real: real44,
    };
    [limbs26.claims(), limbs44.claims()].concat()
}

/// Proves Poly1305.
pub fn claims() -> Vec<Claim> {
    [
        vec![split("limbs of 26 bits", 26, split26), split("limbs of 44 bits", 44, split44)],
        in_words(),
        crate::poly1305_number::claims(),
        crate::poly1305_order::claims(),
        vec![real()],
    ]
    .concat()
}
