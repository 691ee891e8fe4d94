//! The meaning of one lane: what the operations of words do, said once, for terms, for numbers and for SMT-LIB.

/// A vector of up to 128 bits.
///
/// Operations that are not given here are made of these, so that all kinds of lanes agree on them. Terms give some of
/// them, too, without the terms between, and are run against numbers wherever there are faults.
pub trait Lane: Copy + 'static {
    /// Whether faults may be put into its operations.
    const HAS_FAULTS: bool = true;

    /// Whether it has a value that can be stored in memory.
    fn is_number(self) -> bool {
        false
    }
    /// A number of `bits` bits.
    fn constant(bits: u32, x: u128) -> Self;
    /// How many bits it has.
    fn width(self) -> u32;
    /// Exclusive or.
    fn xor(self, b: Self) -> Self;
    /// And.
    fn and(self, b: Self) -> Self;
    /// Or.
    fn or(self, b: Self) -> Self;
    /// Complement.
    fn not(self) -> Self;
    /// The sum modulo 2^width.
    fn add(self, b: Self) -> Self;
    /// The difference modulo 2^width.
    fn sub(self, b: Self) -> Self;
    /// `bits` bits, the lowest being bit `from`.
    fn slice(self, from: u32, bits: u32) -> Self;
    /// These bits, and above them those of `high`.
    fn concat(self, high: Self) -> Self;
    /// The entry of a table for a byte.
    fn entry(self, table: &[u8; 256]) -> Self;
    /// The number that stands for it where a kernel takes plain numbers.
    fn number(self) -> u128;
    /// Lets the number `name`, where a kernel takes a plain number of as many bits, stand for this lane.
    ///
    /// # Panics
    /// If another lane has that name, or it is a number and has another value.
    fn stands_behind(self, name: u128) {
        assert_eq!(self.number(), name, "a number has no other name");
    }

    /// All of these, the first one lowest.
    fn join(parts: &[Self]) -> Self {
        parts[1..].iter().fold(parts[0], |low, high| low.concat(*high))
    }
    /// Rotated left.
    #[inline(never)]
    fn rotl(self, by: u32) -> Self {
        let (width, by) = (self.width(), by % self.width());
        if by == 0 { self } else { self.slice(width - by, by).concat(self.slice(0, width - by)) }
    }
    /// Shifted left.
    #[inline(never)]
    fn shl(self, by: u32) -> Self {
        if by == 0 { self } else { Self::constant(by, 0).concat(self.slice(0, self.width() - by)) }
    }
    /// Shifted right.
    #[inline(never)]
    fn shr(self, by: u32) -> Self {
        if by == 0 { self } else { self.slice(by, self.width() - by).concat(Self::constant(by, 0)) }
    }
    /// The product of polynomials over GF(2), as long as this lane.
    #[inline(never)]
    fn carryless_product(self, b: Self) -> Self {
        let width = self.width();
        let mut product = Self::constant(width, 0);
        for i in 0..width {
            // Bit i of b in every place.
            let mut bit = b.slice(i, 1);
            while bit.width() < width {
                bit = bit.concat(bit);
            }
            product = product.xor(self.shl(i).and(bit));
        }
        product
    }
    /// The product by a matrix over GF(2), as `U8xN` defines it, and a constant added.
    #[inline(never)]
    fn affine(self, matrix: u64, constant: u8) -> Self {
        let mut bits: Option<Self> = None;
        for i in 0..8 {
            let row = (matrix >> (8 * (7 - i))) as u8;
            let mut sum = Self::constant(1, (constant >> i & 1).into());
            for j in (0..8).filter(|j| row >> j & 1 == 1) {
                sum = sum.xor(self.slice(j, 1));
            }
            bits = Some(bits.map_or(sum, |low| low.concat(sum)));
        }
        bits.expect("eight bits")
    }
}

/// The low `bits` bits.
pub fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain {
    bits: u32,
    x: u128,
}

impl Plain {
    /// Its value.
    pub fn value(self) -> u128 {
        self.x
    }

    fn with(self, x: u128) -> Self {
        Self { x: x & mask(self.bits), ..self }
    }
}

impl Lane for Plain {
    fn is_number(self) -> bool {
        true
    }
    fn constant(bits: u32, x: u128) -> Self {
        Self { bits, x: x & mask(bits) }
    }
    fn width(self) -> u32 {
        self.bits
    }
    fn xor(self, b: Self) -> Self {
        self.with(self.x ^ b.x)
    }
    fn and(self, b: Self) -> Self {
        self.with(self.x & b.x)
    }
    fn or(self, b: Self) -> Self {
        self.with(self.x | b.x)
    }
    fn not(self) -> Self {
        self.with(!self.x)
    }
    fn add(self, b: Self) -> Self {
        self.with(self.x.wrapping_add(b.x))
    }
    fn sub(self, b: Self) -> Self {
        self.with(self.x.wrapping_sub(b.x))
    }
    fn slice(self, from: u32, bits: u32) -> Self {
        assert!(from + bits <= self.bits);
        Self::constant(bits, self.x >> from)
    }
    fn concat(self, high: Self) -> Self {
        Self { bits: self.bits + high.bits, x: self.x | high.x << self.bits }
    }
    fn entry(self, table: &[u8; 256]) -> Self {
        Self::constant(8, table[self.x as usize].into())
    }
    fn number(self) -> u128 {
        self.x
    }
}

/// A number that is only laid out in memory, without faults.
#[derive(Clone, Copy, Debug)]
pub struct Layout(Plain);

impl Lane for Layout {
    const HAS_FAULTS: bool = false;

    fn is_number(self) -> bool {
        true
    }
    fn constant(bits: u32, x: u128) -> Self {
        Self(Plain::constant(bits, x))
    }
    fn width(self) -> u32 {
        self.0.width()
    }
    fn xor(self, b: Self) -> Self {
        Self(self.0.xor(b.0))
    }
    fn and(self, b: Self) -> Self {
        Self(self.0.and(b.0))
    }
    fn or(self, b: Self) -> Self {
        Self(self.0.or(b.0))
    }
    fn not(self) -> Self {
        Self(self.0.not())
    }
    fn add(self, b: Self) -> Self {
        Self(self.0.add(b.0))
    }
    fn sub(self, b: Self) -> Self {
        Self(self.0.sub(b.0))
    }
    fn slice(self, from: u32, bits: u32) -> Self {
        Self(self.0.slice(from, bits))
    }
    fn concat(self, high: Self) -> Self {
        Self(self.0.concat(high.0))
    }
    fn entry(self, table: &[u8; 256]) -> Self {
        Self(self.0.entry(table))
    }
    fn number(self) -> u128 {
        self.0.number()
    }
}
