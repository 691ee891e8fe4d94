//! Poly1305's order of powers, lanes and blocks: the shipped loop over words of blocks, on lanes of whole numbers.
//!
//! A lane is a sum of products of a power of r with a block, or with the sum so far, and r is a variable. In memory a
//! block's halves and the sum are names, and the number 2 is the name of r, from which the body computes the powers.

use crate::mutation;
use crate::proof::{Claim, silently};
use fairlane::poly1305::symbolic::{SHARED_FROM, WholeNumbers, absorb};
use fairlane_lanes::{Pairs, Scalar, U64xN};
use std::array::from_fn;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a power of r is multiplied with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    One,
    /// The sum so far.
    Sum,
    /// The halves of a block, and the whole one.
    Low(u64),
    High(u64),
    Block(u64),
}

/// How often each product occurs.
type Sum = BTreeMap<(usize, Part), u64>;

thread_local! {
    static SUMS: RefCell<Vec<Sum>> = RefCell::default();
    /// The lanes of which numbers were made.
    static RESULT: RefCell<Vec<Sum>> = RefCell::default();
}

/// The name of the sum so far.
const SUM: u64 = 0x9e37_79b9_7f4a_7c15;
/// The name of r.
const R: u64 = 2;

/// `N` lanes, as numbers of `SUMS`.
#[derive(Clone, Copy)]
struct Sums<const N: usize>([usize; N]);

fn keep(sum: Sum) -> usize {
    SUMS.with_borrow_mut(|sums| {
        sums.push(sum);
        sums.len() - 1
    })
}

fn kept(number: usize) -> Sum {
    SUMS.with_borrow(|sums| sums[number].clone())
}

/// What a number stands for.
fn named(x: u64) -> usize {
    keep(match x {
        0 => Sum::new(),
        SUM => [((0, Part::Sum), 1)].into(),
        R => [((1, Part::One), 1)].into(),
        _ => panic!("a number that stands for nothing"),
    })
}

impl<const N: usize> Sums<N> {
    fn zip(self, b: Self, f: impl Fn(Sum, Sum) -> Sum) -> Self {
        Self(from_fn(|i| keep(f(kept(self.0[i]), kept(b.0[i])))))
    }
}

macro_rules! no_operations {
    ($($operation:ident ( $($argument:ident),* )),*) => {$(
        fn $operation(self $(, $argument: Self)*) -> Self {
            panic!("not an operation on whole numbers")
        }
    )*};
}

impl<const N: usize> U64xN<N> for Sums<N> {
    type Token = Scalar;

    fn splat(_: Scalar, x: u64) -> Self {
        Self([named(x); N])
    }
    fn from_array(_: Scalar, x: [u64; N]) -> Self {
        let by = usize::from(mutation::here("lanes in another order"));
        Self(from_fn(|i| named(x[(i + by) % N])))
    }
    /// Lane i becomes 16^i, so that the sum of all lanes, and nothing else, becomes 0x11…1.
    fn to_array(self) -> [u64; N] {
        RESULT.set(self.0.map(kept).to_vec());
        from_fn(|i| 1 << (4 * i))
    }
    fn load(_: Scalar, bytes: &[u8]) -> Self {
        let (numbers, _) = bytes.as_chunks();
        Self(from_fn(|i| {
            let name = u64::from_le_bytes(numbers[i]);
            let part = if name.is_multiple_of(2) { Part::Low(name / 2) } else { Part::High(name / 2) };
            keep([((0, part), 1)].into())
        }))
    }
    fn store(self, _: &mut [u8]) {
        panic!("a kernel wrote to memory")
    }
    fn transpose(_: [Self; N]) -> [Self; N] {
        panic!("only pairs are transposed")
    }
    fn add(self, b: Self) -> Self {
        if mutation::here("a sum left out") {
            return self;
        }
        self.zip(b, |mut x, y| {
            for (product, count) in y {
                *x.entry(product).or_default() += count;
            }
            x
        })
    }
    no_operations!(xor(_b), and(_b), or(_b), not(), sub(_b), mul_u32(_b));
    fn rotl<const K: u32>(self) -> Self {
        panic!("not an operation on whole numbers")
    }
    fn shr<const K: u32>(self) -> Self {
        panic!("not an operation on whole numbers")
    }
    fn shl<const K: u32>(self) -> Self {
        panic!("not an operation on whole numbers")
    }
}

impl<const N: usize> Pairs<N> for Sums<N> {
    fn transpose_pairs(self, b: Self) -> [Self; 2] {
        let by = usize::from(mutation::here("pairs transposed wrongly"));
        from_fn(|half| Self(from_fn(|i| [self, b][(i + by) % 2].0[i / 2 * 2 + half])))
    }
    fn choose(self, _: Scalar, b: Self, lanes: [usize; N]) -> Self {
        let by = usize::from(mutation::here("another lane chosen"));
        Self(lanes.map(|lane| [self, b][lane / N].0[(lane + by) % N]))
    }
}

impl<const N: usize> WholeNumbers<N> for Sums<N> {
    fn blocks(low: Self, high: Self) -> Self {
        low.zip(high, |low, high| {
            let halves: Vec<_> = low.into_iter().chain(high).collect();
            match halves[..] {
                [((0, Part::Low(i)), 1), ((0, Part::High(j)), 1)] if i == j => [((0, Part::Block(i)), 1)].into(),
                _ => panic!("halves of different blocks"),
            }
        })
    }
    fn times(self, b: Self) -> Self {
        let b = if mutation::here("a square for a product") { self } else { b };
        self.zip(b, |x, y| {
            let mut product = Sum::new();
            for ((i, a), c) in &x {
                for ((j, b), d) in &y {
                    let part = match (a, b) {
                        (Part::One, part) | (part, Part::One) => *part,
                        _ => panic!("a product of blocks"),
                    };
                    *product.entry((i + j, part)).or_default() += c * d;
                }
            }
            product
        })
    }
}

/// Whether `count` words of blocks give what Horner's rule gives. The sum so far joins the first block.
fn check<const N: usize, const PAIRS: usize, const MANY: usize>(count: usize) -> Result<(), String> {
    SUMS.take();
    let total = N * count;
    let mut blocks = vec![[0; 16]; total];
    for (i, block) in blocks.iter_mut().enumerate() {
        let names = [2 * i as u64, 2 * i as u64 + 1].map(u64::to_le_bytes);
        block.copy_from_slice(names.as_flattened());
    }
    let run = || absorb::<Sums<N>, N, PAIRS, MANY>(Scalar::PROOF, R, SUM, &blocks);
    let result = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "another number".to_string())?;
    if result != (0..N).fold(0, |all, i| all | 1 << (4 * i)) {
        return Err("not the sum of all lanes".into());
    }
    let mut sum = Sum::new();
    for (product, count) in RESULT.take().into_iter().flatten() {
        *sum.entry(product).or_default() += count;
    }
    let blocks = (0..total).map(|i| ((total - i, Part::Block(i as u64)), 1));
    let expected: Sum = blocks.chain([((total, Part::Sum), 1)]).collect();
    if sum == expected { Ok(()) } else { Err(format!("{sum:?}")) }
}

fn in_words_of<const N: usize, const PAIRS: usize, const MANY: usize>() -> Vec<Claim> {
    // Beyond the first shared reductions, with all remainders.
    let (mut operations, most) = (0, MANY + 13);
    let what = format!("Poly1305, the order of powers and blocks in words of {N}");
    let proved = Claim::of(format!("{what} = RFC 8439, 2.5.1"), "products of powers and blocks", || {
        for count in 1..=most {
            let (proof, counted, _) = mutation::with(None, || check::<N, PAIRS, MANY>(count));
            proof.expect("it is proved");
            operations = counted;
        }
        format!("1 to {most} words of blocks")
    });
    let refused = Claim::of(format!("{what}: faults"), "no longer provable", || {
        let unnoticed = silently(|| {
            (0..operations)
                .filter(|at| mutation::with(Some(*at), || check::<N, PAIRS, MANY>(most)).0.is_ok())
                .collect::<Vec<_>>()
        });
        // Those that change nothing: zeros in another order, the square of r, a lane of equal ones, and the power that
        // the last step does not use.
        assert!(unnoticed.len() <= 7 && operations > 20, "{unnoticed:?} of {operations}");
        format!("{} refused, {} harmless", operations - unnoticed.len(), unnoticed.len())
    });
    vec![proved, refused]
}

/// Proves the order of powers and blocks.
pub(crate) fn claims() -> Vec<Claim> {
    const { assert!(matches!(SHARED_FROM, [[12, 24], [4, 8]])) }
    [in_words_of::<2, 12, 24>(), in_words_of::<4, 12, 24>(), in_words_of::<8, 12, 24>(), in_words_of::<8, 4, 8>()]
        .concat()
}
