//! Words of 16-bit numbers with faults, in the same places as in the words of forms: for counter-examples.

use crate::mutation;
use fairlane_lanes::{I16xN, Scalar};
use std::array::from_fn;
use std::cell::RefCell;
use std::ops::Range;

thread_local! {
    /// Where a kernel's coefficients are; what it loads from elsewhere are constants.
    static COEFFICIENTS: RefCell<Vec<Range<usize>>> = RefCell::default();
}

/// Where a value lies.
pub(crate) fn range_of<T>(x: &T) -> Range<usize> {
    let start = std::ptr::from_ref(x) as usize;
    start..start + size_of::<T>()
}

/// Says where coefficients are.
pub(crate) fn set_coefficients(ranges: Vec<Range<usize>>) {
    COEFFICIENTS.set(ranges);
}

/// `N` numbers.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<const N: usize>([i16; N]);

impl<const N: usize> Numbers<N> {
    fn zip(self, b: Self, f: impl Fn(i16, i16) -> i16) -> Self {
        Self(from_fn(|i| f(self.0[i], b.0[i])))
    }
}

impl<const N: usize> I16xN<N> for Numbers<N> {
    type Token = Scalar;
    /// Half as many sums as lanes.
    type Sums = [i32; N];

    fn splat(_: Scalar, x: i16) -> Self {
        Self([x; N])
    }
    fn load(_: Scalar, lanes: &[i16; N]) -> Self {
        let at = lanes.as_ptr() as usize;
        if COEFFICIENTS.with_borrow(|ranges| ranges.iter().any(|range| range.contains(&at))) {
            return Self(*lanes);
        }
        let altered = i16::from(mutation::here("a factor one more"));
        Self(lanes.map(|x| x.wrapping_add(altered)))
    }
    fn store(self, lanes: &mut [i16; N]) {
        *lanes = self.0;
    }
    fn add(self, b: Self) -> Self {
        if mutation::here("a sum left out") { self } else { self.zip(b, i16::wrapping_add) }
    }
    fn sub(self, b: Self) -> Self {
        if mutation::here("operands swapped") { b.zip(self, i16::wrapping_sub) } else { self.zip(b, i16::wrapping_sub) }
    }
    fn and(self, b: Self) -> Self {
        self.zip(b, |x, y| x & y)
    }
    fn shr<const K: u32>(self) -> Self {
        Self(self.0.map(|x| x >> K))
    }
    fn mul_low(self, b: Self) -> Self {
        self.zip(b, i16::wrapping_mul)
    }
    fn mul_high(self, b: Self) -> Self {
        self.zip(b, |x, y| ((i32::from(x) * i32::from(y)) >> 16) as i16)
    }
    fn swap_pairs(self) -> Self {
        if mutation::here("pairs not exchanged") { self } else { Self(from_fn(|i| self.0[i ^ 1])) }
    }
    fn mul_pairs(self, b: Self) -> [i32; N] {
        let left_out = mutation::here("a product left out");
        from_fn(|i| {
            let product = |i: usize| i32::from(self.0[i]) * i32::from(b.0[i]);
            match i {
                _ if i >= N / 2 => 0,
                _ if left_out => product(2 * i),
                _ => product(2 * i).wrapping_add(product(2 * i + 1)),
            }
        })
    }
    fn add_sums(a: [i32; N], b: [i32; N]) -> [i32; N] {
        if mutation::here("a sum left out") { a } else { from_fn(|i| a[i].wrapping_add(b[i])) }
    }
    fn split_sums(a: [i32; N], b: [i32; N]) -> [Self; 2] {
        let swapped = usize::from(mutation::here("sums exchanged"));
        let sum = |i: usize| [a, b][(i + swapped) % 2][i / 2];
        [Self(from_fn(|i| sum(i) as i16)), Self(from_fn(|i| (sum(i) >> 16) as i16))]
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

/// Runs `$f` on the best words of 16-bit lanes that this machine has.
macro_rules! short_words {
    ($f:ident ( $($argument:expr),* )) => {
        if let Some(token) = fairlane_lanes::Avx512::new() {
            $f::<fairlane_lanes::I16x32, 32>(token, $($argument),*)
        } else if let Some(token) = fairlane_lanes::Avx2::new() {
            $f::<fairlane_lanes::I16x16, 16>(token, $($argument),*)
        } else {
            $f::<fairlane_lanes::I16x2<Scalar>, 2>(Scalar::PROOF, $($argument),*)
        }
    };
}
pub(crate) use short_words;
