//! Maps of bytes that are linear over GF(2): the matrices of `gf2p8affineqb`, and tables that replace them.

/// `M x`
pub(crate) const fn product(matrix: u64, x: u8) -> u8 {
    let rows = matrix.to_be_bytes();
    let (mut y, mut i) = (0, 0);
    while i < 8 {
        y |= ((rows[i] & x).count_ones() as u8 & 1) << i;
        i += 1;
    }
    y
}

/// `M x + C` for the bytes x from 0 to 15, and `M x` for 16 times these: the map of a byte is the sum of two
/// look-ups, of its low and its high four bits, by `vpshufb` or `tbl`.
pub(crate) const fn halves(matrix: u64, constant: u8) -> [[u8; 16]; 2] {
    let mut tables = [[0; 16]; 2];
    let mut i = 0;
    while i < 16 {
        tables[0][i] = product(matrix, i as u8) ^ constant;
        tables[1][i] = product(matrix, (i << 4) as u8);
        i += 1;
    }
    tables
}

/// [`halves`] of the map from `SubBytes(x)` of AES to `M x⁻¹ + C`.
pub(crate) const fn halves_after_sub_bytes(matrix: u64, constant: u8) -> [[u8; 16]; 2] {
    // The inverse of the affine map of `SubBytes` (FIPS 197, section 5.3.2): bits i + 2, i + 5 and i + 7, plus 5.
    let mut tables = [[0; 16]; 2];
    let mut i = 0;
    while i < 16 {
        let (low, high) = (i as u8, (i << 4) as u8);
        tables[0][i] = product(matrix, before_sub_bytes(low) ^ 5) ^ constant;
        tables[1][i] = product(matrix, before_sub_bytes(high));
        i += 1;
    }
    tables
}

const fn before_sub_bytes(x: u8) -> u8 {
    x.rotate_left(1) ^ x.rotate_left(3) ^ x.rotate_left(6)
}
