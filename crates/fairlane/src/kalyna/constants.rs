//! The standard's constants (DSTU 7624:2014), and tables and matrices derived from them.

use crate::inversion::Matrix;
use fairlane_lanes::{Inversion, Table};

/// The four S-boxes, 256 bytes each in hexadecimal; row `i` of a state is substituted by number `i % 4`.
const HEX: [&str; 4] = [
    "\
    a8435f066b756c5971df879517f0d8096df31dcbc94d2caf79e097fd6f4b45393edda34fb4b69a0e1fbf15e149d293c692729e61d163faee\
    f419d5ad58a4bba1dcf2833742e47a329cccab4a8f6e04272ee7e25a9616232bc265660fbca947413448fcb76a88a55386f95bdb387bc31e\
    2233242836c7b23b8e77baf5149f08559b4cfe605cda1846cd7d21b03f1b89ffeb84693a9dd7d3706740b5de5d3091b1781101e5006898a0\
    c502a6742d0ba276b3becebdaee98a311cecf19994aaf6262fefe88c3503d47ffb05c15e90203d82f7ea0a0d7ef8501ac40757b83c62e3c8\
    ac526410d0d9130c122951b9cfd6738d8154c0ed4e44a72a8525e6ca7c8b5680",
    "\
    cebbeb92eacb13c1e93ad6b2d29017f8421556b4651c8843c55c36baf557678d31f664589ef422aa750f02b1df6d734d7c262ef7085d443e\
    9f14c8ae5410d8bc1a6b69f3bd33abfad19b684e169591ee4c638e5bcc3c19a181497bd96f3760cae72b48fd9645fc41120d79e5898ce320\
    30dcb76c4ab53f97d4622d06a4a5835f2adac9007ea255bf11d59ccf0e0a3d517d931bfec44709860b8f9d6a07b9b0981832714bef3b70a0\
    e440ffc3a9e678f98b46801e38e1b8a8e00c23761d252405f16e94289a84e8a34f77d385e252f282507a2f7453b361af3935decd1f99acad\
    722cddd087be5ea6ec04c60334fbdb59b6c201f05aeda766217f8a27c7c029d7",
    "\
    93d99ab5982245fcba6adf029fdc51594a172bc294f4bba362e471d4cd7016e1493cc0d85c9bad8553a17ac82de0d172a62cc4e37678b7b4\
    093b0e414cdeb29025a5d7031100c32e92ef4e129d7dcb3510d54f9e4da955c6d07b1897d336e64856818f77cc9cb9e2acb82f15a47cda38\
    1e0b05d6146e6c7e66fdb1e560af5e3387c9f05d6d3f888dc7f71de9eced802927cf99a8500f3724283095d23e5b4083b369571f071c8abc\
    20ebce8eabee31a273f9ca3a1afb0dc1fefaf26fbd96dd4352b608f3aebe19893226b0ea4b6484826bf579bf015f75631b233d682a65e891\
    f6ff1358f1470a7fc5a7e7615a0646444204a0db398654aa8c34218bf80c7467",
    "\
    688dca4d734b4e2ad45226b3541e191f2203463d2d4a5383138ab7d52579f5bd582f0d02ed519e11f23e555ed1163c66705df34540cce894\
    5608ce1a3ad2e1dfb5386e0ee5f4f986e94fd68523cf32993114aeeec848d330a19241b118c42c71724415fd37be5faa9b88d8ab899cfa60\
    eabc620c24a6a8ec6720db7c28ddac5b347e10f17b8f63a0059a437721bf2709c39fb6d729c2ebc0a48b8c1dfbffc1b2972ef865f6750704\
    4933e4d9b9d042c76c90008e6f5001c5da473fcd69a2e27aa7c6930f0a06e62b96a31caf6a128439e7b082f7fe9d875c8135deb4a5fc80ef\
    cbbb6b76ba5a7d780b95e3ad74983b36646ddcf059a94c177f91b8c9571be061",
];

/// The S-boxes.
pub(super) const S_BOXES: [[u8; 256]; 4] = {
    let (mut boxes, mut i) = ([[0; 256]; 4], 0);
    while i < 4 * 256 {
        let digits = HEX[i / 256].as_bytes();
        boxes[i / 256][i % 256] = digit(digits[2 * (i % 256)]) << 4 | digit(digits[2 * (i % 256) + 1]);
        i += 1;
    }
    boxes
};

const fn digit(hex: u8) -> u8 {
    if hex < b'a' { hex - b'0' } else { hex - b'a' + 10 }
}

/// Their inverses.
pub(super) const INVERSE_S_BOXES: [[u8; 256]; 4] = {
    let (mut boxes, mut i) = ([[0; 256]; 4], 0);
    while i < 4 * 256 {
        boxes[i / 256][S_BOXES[i / 256][i % 256] as usize] = (i % 256) as u8;
        i += 1;
    }
    boxes
};

/// What each S-box is but for 39 to 41 entries.
///
/// The standard does not say so: its S-boxes look random. Their authors describe a search that changes entries of a
/// function like this one (Kazymyrov, Kazymyrova and Oliynykov, IACR ePrint 2013/578). Such a function satisfies 24
/// independent equations that are linear in the bits of x, those of y, and their products: random choices of 66 entries
/// of an S-box that satisfy them, one in tens of thousands, gave these constants.
pub(super) const INVERSIONS: [Inversion; 4] = [
    Inversion { zero: 0xd4, before: 0xc908_30b4_46be_aac6, after: 0x1621_b76a_424a_5a03, plus: 0x7e },
    Inversion { zero: 0xc3, before: 0x091c_e85c_3288_d084, after: 0x88b6_bd61_5bf7_348e, plus: 0xa8 },
    Inversion { zero: 0x97, before: 0xe386_7a9c_c06a_3ac2, after: 0x6bc5_a0b8_a9ba_3468, plus: 0x24 },
    Inversion { zero: 0x9b, before: 0x87d8_ae86_2ed6_d412, after: 0x04db_8a57_809f_b136, plus: 0x1d },
];

/// The inverse functions of [`INVERSIONS`].
pub(super) const INVERSE_INVERSIONS: [Inversion; 4] = {
    let (mut inverses, mut i) = (INVERSIONS, 0);
    while i < 4 {
        let Inversion { zero, before, after, plus } = INVERSIONS[i];
        let [before, after] = [Matrix(after.to_be_bytes()).inverse(), Matrix(before.to_be_bytes()).inverse()];
        inverses[i] = Inversion { zero: plus, before: before.instruction(), after: after.instruction(), plus: zero };
        i += 1;
    }
    inverses
};

/// The S-boxes for words of bytes.
pub(super) static TABLES: [Table; 4] = tables(&S_BOXES, INVERSIONS);
pub(super) static INVERSE_TABLES: [Table; 4] = tables(&INVERSE_S_BOXES, INVERSE_INVERSIONS);

const fn tables(boxes: &[[u8; 256]; 4], [a, b, c, d]: [Inversion; 4]) -> [Table; 4] {
    [Table::new(boxes[0], a), Table::new(boxes[1], b), Table::new(boxes[2], c), Table::new(boxes[3], d)]
}

/// The first row of the circulant matrix of `MixColumns`: byte `i` of a column becomes the sum of `MIX[k]` times byte
/// `(i + k) % 8`.
pub(super) const MIX: [u8; 8] = [0x01, 0x01, 0x05, 0x01, 0x08, 0x06, 0x07, 0x04];
/// The first row of the inverse matrix.
pub(super) const UNMIX: [u8; 8] = [0xad, 0x95, 0x76, 0xa8, 0x2f, 0x49, 0xd7, 0xca];

/// The product in GF(2)\[x\] modulo x<sup>8</sup> + x<sup>4</sup> + x<sup>3</sup> + x<sup>2</sup> + 1.
pub(super) const fn product(a: u8, b: u8) -> u8 {
    let (mut product, mut a, mut i) = (0, a, 0);
    while i < 8 {
        product ^= (b >> i & 1) * a;
        a = (a << 1) ^ ((a >> 7) * 0x1d);
        i += 1;
    }
    product
}

/// Multiplication by a constant as a matrix (see `U8xN`).
pub(super) const fn times(constant: u8) -> u64 {
    let (mut matrix, mut i) = (0, 0);
    while i < 64 {
        // Bit `i / 8` of the product by a byte with bit `i % 8` alone.
        let bit = product(constant, 1 << (i % 8)) >> (i / 8) & 1;
        matrix |= (bit as u64) << (8 * (7 - i / 8) + i % 8);
        i += 1;
    }
    matrix
}

/// The number of columns by which `ShiftRows` moves a row to the right in a state of `columns` columns.
#[inline(always)]
pub(super) const fn shift(row: usize, columns: usize) -> usize {
    row * columns / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_boxes_are_permutations() {
        for (s_box, inverse) in S_BOXES.iter().zip(&INVERSE_S_BOXES) {
            for x in 0..=255 {
                assert_eq!(inverse[usize::from(s_box[usize::from(x)])], x);
            }
        }
    }

    #[test]
    fn the_matrices_are_inverse() {
        for i in 0..8 {
            let entry = (0..8).fold(0, |sum, k| sum ^ product(MIX[k], UNMIX[(8 + i - k) % 8]));
            assert_eq!(entry, u8::from(i == 0));
        }
    }
}
