//! The Keccak family: hash functions and extendable-output functions (XOFs) over one permutation.
//!
//! | functions | output in bytes | rounds | document |
//! | --- | --- | --- | --- |
//! | [`keccak224`] … [`keccak512`] | 28, 32, 48, 64 | 24 | The Keccak reference, version 3.0 (January 2011) |
//! | [`sha3_224`] … [`sha3_512`] | 28, 32, 48, 64 | 24 | FIPS 202 (August 2015), section 6.1 |
//! | [`shake128`], [`shake256`] | any | 24 | FIPS 202, section 6.2 |
//! | [`cshake128`], [`cshake256`] | any | 24 | NIST SP 800-185 (December 2016), section 3 |
//! | [`parallel_hash128`], [`parallel_hash256`] and their XOFs | any | 24 | NIST SP 800-185, section 6 |
//! | [`turboshake128`], [`turboshake256`] | any | 12 | RFC 9861 (October 2025), section 2 |
//! | [`kt128`], [`kt256`] | any | 12 | RFC 9861, section 3 |
//!
//! Names and steps are those of the documents, so that the two can be read side by side. Messages are whole bytes.
//! An XOF fills the whole output slice; a shorter output is a prefix of a longer one. [`keccak_p`] is the permutation
//! alone.

// ---- Keccak-p[1600, nr], FIPS 202 section 3 ----

/// The width of the permutation, b = 1600 bits, in bytes.
const WIDTH: usize = 200;

/// The number of rounds of Keccak-f\[1600\], 12 + 2l with l = log2(64) = 6.
const ROUNDS: usize = 24;

/// The state array as lanes: `a[x][y]` holds the bits A\[x, y, z\], where z = 0 is the least significant bit.
type Lanes = [[u64; 5]; 5];

/// Applies Keccak-p\[1600, `rounds`\] to `state`: the last `rounds` rounds of Keccak-f\[1600\].
///
/// Lane A\[x, y\] is `state[5 * y + x]`, as FIPS 202 section 3.1.2 and appendix B.1 order the bytes of a string.
///
/// # Panics
///
/// If `rounds` is more than 24.
pub fn keccak_p(state: &mut [u64; 25], rounds: usize) {
    assert!(rounds <= ROUNDS, "Keccak-p[1600] is taken with at most {ROUNDS} rounds, not {rounds}");
    let mut a = Lanes::default();
    for (i, lane) in state.iter().enumerate() {
        a[i % 5][i / 5] = *lane;
    }
    for constant in &ROUND_CONSTANTS[ROUNDS - rounds..] {
        a = iota(chi(pi(rho(theta(a)))), *constant);
    }
    for (i, lane) in state.iter_mut().enumerate() {
        *lane = a[i % 5][i / 5];
    }
}

/// θ, section 3.2.1: XORs each bit with the parities of two neighbouring columns.
fn theta(a: Lanes) -> Lanes {
    let c = a.map(|sheet| sheet.into_iter().fold(0, |parity, lane| parity ^ lane));
    let mut out = Lanes::default();
    for x in 0..5 {
        let d = c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1);
        for y in 0..5 {
            out[x][y] = a[x][y] ^ d;
        }
    }
    out
}

/// ρ, section 3.2.2: rotates each lane by its own offset.
fn rho(a: Lanes) -> Lanes {
    let mut out = Lanes::default();
    for x in 0..5 {
        for y in 0..5 {
            out[x][y] = a[x][y].rotate_left(RHO_OFFSETS[x][y] % 64);
        }
    }
    out
}

/// π, section 3.2.3: permutes the lanes.
fn pi(a: Lanes) -> Lanes {
    let mut out = Lanes::default();
    for x in 0..5 {
        for y in 0..5 {
            out[x][y] = a[(x + 3 * y) % 5][x];
        }
    }
    out
}

/// χ, section 3.2.4: combines the bits of a row. It is the only nonlinear step.
fn chi(a: Lanes) -> Lanes {
    let mut out = Lanes::default();
    for x in 0..5 {
        for y in 0..5 {
            out[x][y] = a[x][y] ^ (!a[(x + 1) % 5][y] & a[(x + 2) % 5][y]);
        }
    }
    out
}

/// ι, section 3.2.5: XORs lane A\[0, 0\] with the round constant.
fn iota(mut a: Lanes, round_constant: u64) -> Lanes {
    a[0][0] ^= round_constant;
    a
}

/// The offsets of ρ, `[x][y]`, not yet reduced modulo the lane size: table 2 of FIPS 202.
const RHO_OFFSETS: [[u32; 5]; 5] = rho_offsets();

/// Algorithm 2 of FIPS 202: visits the lanes other than A\[0, 0\]; the t-th one gets the offset (t + 1)(t + 2) / 2.
const fn rho_offsets() -> [[u32; 5]; 5] {
    let mut offsets = [[0; 5]; 5];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        offsets[x][y] = (t + 1) * (t + 2) / 2;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
}

/// The round constants of ι, by round index ir.
const ROUND_CONSTANTS: [u64; ROUNDS] = round_constants();

/// Algorithm 6 of FIPS 202: bit 2^j - 1 of RC is rc(j + 7 ir), for j from 0 to l = 6; all others are zero.
const fn round_constants() -> [u64; ROUNDS] {
    let mut constants = [0; ROUNDS];
    let mut ir = 0;
    while ir < ROUNDS {
        let mut j = 0;
        while j <= 6 {
            constants[ir] |= rc(j + 7 * ir) << ((1 << j) - 1);
            j += 1;
        }
        ir += 1;
    }
    constants
}

/// Algorithm 5 of FIPS 202: bit t of a linear feedback shift register of 8 bits. Bit i of `r` is R\[i\].
const fn rc(t: usize) -> u64 {
    let mut r = 1;
    let mut i = 0;
    while i < t % 255 {
        r <<= 1;
        if r & (1 << 8) != 0 {
            r ^= 0b1_0111_0001;
        }
        i += 1;
    }
    r & 1
}

// ---- The sponge construction, FIPS 202 section 4 ----

/// SPONGE\[Keccak-p\[1600, `rounds`\], pad10*1, `rate`\], with `rate` in bytes.
///
/// `domain` is the byte that follows the message: the domain separation bits, least significant first, then the first 1
/// of pad10*1 (FIPS 202 appendix B.2; RFC 9861 calls it D). It is between 0x01 and 0x7f.
fn sponge(rounds: usize, rate: usize, message: &[u8], domain: u8, output: &mut [u8]) {
    let mut padded = message.to_vec();
    padded.push(domain);
    padded.resize(padded.len().next_multiple_of(rate), 0);
    let last = padded.len() - 1;
    padded[last] |= 0x80;

    let mut state = [0; 25];
    for block in padded.chunks_exact(rate) {
        for (lane, bytes) in state.iter_mut().zip(block.as_chunks().0) {
            *lane ^= u64::from_le_bytes(*bytes);
        }
        keccak_p(&mut state, rounds);
    }

    for (i, block) in output.chunks_mut(rate).enumerate() {
        if i > 0 {
            keccak_p(&mut state, rounds);
        }
        for (byte, squeezed) in block.iter_mut().zip(state.iter().flat_map(|lane| lane.to_le_bytes())) {
            *byte = squeezed;
        }
    }
}

/// A hash of `N` bytes, whose capacity is 2 `N` bytes.
fn hash<const N: usize>(message: &[u8], domain: u8) -> [u8; N] {
    let mut digest = [0; N];
    sponge(ROUNDS, WIDTH - 2 * N, message, domain, &mut digest);
    digest
}

/// The rate in bytes for a capacity of 256 bits: SHAKE128 and the functions derived from it.
const RATE_128: usize = WIDTH - 2 * 128 / 8;

/// The rate in bytes for a capacity of 512 bits: SHAKE256 and the functions derived from it.
const RATE_256: usize = WIDTH - 2 * 256 / 8;

// ---- Keccak as submitted to NIST: no domain separation bits, so `domain` is the first 1 of the padding ----

/// Keccak-224 with the original padding, rate 144 bytes. Not SHA3-224.
pub fn keccak224(message: &[u8]) -> [u8; 28] {
    hash(message, 0x01)
}

/// Keccak-256 with the original padding, rate 136 bytes, as Ethereum uses it. Not SHA3-256.
pub fn keccak256(message: &[u8]) -> [u8; 32] {
    hash(message, 0x01)
}

/// Keccak-384 with the original padding, rate 104 bytes. Not SHA3-384.
pub fn keccak384(message: &[u8]) -> [u8; 48] {
    hash(message, 0x01)
}

/// Keccak-512 with the original padding, rate 72 bytes. Not SHA3-512.
pub fn keccak512(message: &[u8]) -> [u8; 64] {
    hash(message, 0x01)
}

// ---- SHA-3, FIPS 202 section 6.1: the domain separation bits are 01 ----

/// SHA3-224, rate 144 bytes.
pub fn sha3_224(message: &[u8]) -> [u8; 28] {
    hash(message, 0x06)
}

/// SHA3-256, rate 136 bytes.
pub fn sha3_256(message: &[u8]) -> [u8; 32] {
    hash(message, 0x06)
}

/// SHA3-384, rate 104 bytes.
pub fn sha3_384(message: &[u8]) -> [u8; 48] {
    hash(message, 0x06)
}

/// SHA3-512, rate 72 bytes.
pub fn sha3_512(message: &[u8]) -> [u8; 64] {
    hash(message, 0x06)
}

// ---- SHAKE, FIPS 202 section 6.2: the domain separation bits are 1111 ----

/// SHAKE128, rate 168 bytes.
pub fn shake128(message: &[u8], output: &mut [u8]) {
    sponge(ROUNDS, RATE_128, message, 0x1f, output);
}

/// SHAKE256, rate 136 bytes.
pub fn shake256(message: &[u8], output: &mut [u8]) {
    sponge(ROUNDS, RATE_256, message, 0x1f, output);
}

// ---- cSHAKE, SP 800-185 section 3: the domain separation bits are 00 ----

/// cSHAKE128 with function name N and customization string S, rate 168 bytes. It is SHAKE128 if both are empty.
pub fn cshake128(message: &[u8], name: &[u8], customization: &[u8], output: &mut [u8]) {
    cshake(RATE_128, message, name, customization, output);
}

/// cSHAKE256 with function name N and customization string S, rate 136 bytes. It is SHAKE256 if both are empty.
pub fn cshake256(message: &[u8], name: &[u8], customization: &[u8], output: &mut [u8]) {
    cshake(RATE_256, message, name, customization, output);
}

fn cshake(rate: usize, message: &[u8], name: &[u8], customization: &[u8], output: &mut [u8]) {
    if name.is_empty() && customization.is_empty() {
        return sponge(ROUNDS, rate, message, 0x1f, output);
    }
    let prefix = bytepad([encode_string(name), encode_string(customization)].concat(), rate);
    sponge(ROUNDS, rate, &[&prefix, message].concat(), 0x04, output);
}

/// SP 800-185 section 2.3.1: the number n of bytes, then `x` as n big-endian bytes, with the smallest n of at least 1.
fn left_encode(x: u64) -> Vec<u8> {
    let n = x.max(1).ilog2() / 8 + 1;
    let bytes = &x.to_be_bytes()[8 - n as usize..];
    [&[n as u8], bytes].concat()
}

/// SP 800-185 section 2.3.2: the length in bits, then the string.
fn encode_string(s: &[u8]) -> Vec<u8> {
    [&left_encode(8 * s.len() as u64), s].concat()
}

/// SP 800-185 section 2.3.3: `w`, then the string, then zeros up to a multiple of `w` bytes.
fn bytepad(x: Vec<u8>, w: usize) -> Vec<u8> {
    let mut padded = [left_encode(w as u64), x].concat();
    padded.resize(padded.len().next_multiple_of(w), 0);
    padded
}

// ---- ParallelHash, SP 800-185 section 6 ----

/// `ParallelHash128` with block length B in bytes and customization string S.
///
/// # Panics
///
/// If `block` is 0.
pub fn parallel_hash128(message: &[u8], block: usize, customization: &[u8], output: &mut [u8]) {
    let bits = 8 * output.len() as u64;
    parallel_hash::<32>(cshake128, message, block, bits, customization, output);
}

/// `ParallelHash256`, as [`parallel_hash128`].
///
/// # Panics
///
/// If `block` is 0.
pub fn parallel_hash256(message: &[u8], block: usize, customization: &[u8], output: &mut [u8]) {
    let bits = 8 * output.len() as u64;
    parallel_hash::<64>(cshake256, message, block, bits, customization, output);
}

/// `ParallelHashXOF128`, section 6.3.1: of whose outputs the length is no part.
///
/// # Panics
///
/// If `block` is 0.
pub fn parallel_hash_xof128(message: &[u8], block: usize, customization: &[u8], output: &mut [u8]) {
    parallel_hash::<32>(cshake128, message, block, 0, customization, output);
}

/// `ParallelHashXOF256`, as [`parallel_hash_xof128`].
///
/// # Panics
///
/// If `block` is 0.
pub fn parallel_hash_xof256(message: &[u8], block: usize, customization: &[u8], output: &mut [u8]) {
    parallel_hash::<64>(cshake256, message, block, 0, customization, output);
}

/// One of the two cSHAKEs: message, function name, customization, output.
type CShake = fn(&[u8], &[u8], &[u8], &mut [u8]);

/// Sections 6.3 and 6.3.1. `Z` is the size of the blocks' hashes, twice the security level.
fn parallel_hash<const Z: usize>(
    cshake: CShake,
    message: &[u8],
    block: usize,
    bits: u64,
    customization: &[u8],
    output: &mut [u8],
) {
    let blocks = message.chunks(block);
    let n = blocks.len() as u64;
    let mut z = left_encode(block as u64);
    for x_i in blocks {
        let mut hash = [0; Z];
        cshake(x_i, b"", b"", &mut hash);
        z.extend(hash);
    }
    z.extend(right_encode(n));
    z.extend(right_encode(bits));
    cshake(&z, b"ParallelHash", customization, output);
}

/// SP 800-185 section 2.3.1: as [`left_encode`], with the number of bytes last.
fn right_encode(x: u64) -> Vec<u8> {
    let mut encoded = left_encode(x);
    encoded.rotate_left(1);
    encoded
}

// ---- TurboSHAKE, RFC 9861 section 2 ----

/// `TurboSHAKE128` with domain separation byte D, rate 168 bytes.
///
/// # Panics
///
/// If `domain` is not between 0x01 and 0x7f.
pub fn turboshake128(message: &[u8], domain: u8, output: &mut [u8]) {
    turboshake(RATE_128, message, domain, output);
}

/// `TurboSHAKE256` with domain separation byte D, rate 136 bytes.
///
/// # Panics
///
/// If `domain` is not between 0x01 and 0x7f.
pub fn turboshake256(message: &[u8], domain: u8, output: &mut [u8]) {
    turboshake(RATE_256, message, domain, output);
}

fn turboshake(rate: usize, message: &[u8], domain: u8, output: &mut [u8]) {
    assert!((0x01..=0x7f).contains(&domain), "TurboSHAKE's domain byte is 0x01 to 0x7f, not {domain:#04x}");
    sponge(12, rate, message, domain, output);
}

// ---- KangarooTwelve, RFC 9861 section 3 ----

/// KT128, once called K12, with customization string C: a tree over [`turboshake128`].
pub fn kt128(message: &[u8], customization: &[u8], output: &mut [u8]) {
    kangaroo_twelve::<32>(RATE_128, message, customization, output);
}

/// KT256 with customization string C: a tree over [`turboshake256`].
pub fn kt256(message: &[u8], customization: &[u8], output: &mut [u8]) {
    kangaroo_twelve::<64>(RATE_256, message, customization, output);
}

/// RFC 9861 sections 3.2 and 3.4: KT128 and KT256 differ only in the rate and the size `CV` of the chaining values.
fn kangaroo_twelve<const CV: usize>(rate: usize, message: &[u8], customization: &[u8], output: &mut [u8]) {
    const CHUNK: usize = 8192;
    let s = [message, customization, &length_encode(customization.len())].concat();
    if s.len() <= CHUNK {
        return turboshake(rate, &s, 0x07, output);
    }
    let (s_0, rest) = s.split_at(CHUNK);
    let mut final_node = [s_0, &[0x03, 0, 0, 0, 0, 0, 0, 0]].concat();
    let chunks = rest.chunks(CHUNK);
    let count = chunks.len();
    for s_i in chunks {
        let mut chaining_value = [0; CV];
        turboshake(rate, s_i, 0x0b, &mut chaining_value);
        final_node.extend(chaining_value);
    }
    final_node.extend(length_encode(count));
    final_node.extend([0xff, 0xff]);
    turboshake(rate, &final_node, 0x06, output);
}

/// RFC 9861 section 3.3: `x` as n big-endian bytes with the smallest n, which is 0 for zero; then n.
fn length_encode(x: usize) -> Vec<u8> {
    let mut encoded: Vec<u8> = x.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
    encoded.push(encoded.len() as u8);
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rho_offsets_are_those_of_fips_202_table_2() {
        let by_x = [
            [0, 36, 3, 105, 210],
            [1, 300, 10, 45, 66],
            [190, 6, 171, 15, 253],
            [28, 55, 153, 21, 120],
            [91, 276, 231, 136, 78],
        ];
        assert_eq!(RHO_OFFSETS, by_x);
    }

    /// The constants are listed in the Keccak Team's summary of the specifications.
    #[test]
    fn round_constants_are_those_of_the_keccak_team() {
        let first = [0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000];
        let last = [0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008];
        assert_eq!(ROUND_CONSTANTS[..4], first);
        assert_eq!(ROUND_CONSTANTS[20..], last);
    }

    /// The first lanes after one and two permutations of zeros, from the Keccak Team's intermediate values.
    #[test]
    fn permutation_of_zeros() {
        let mut state = [0; 25];
        keccak_p(&mut state, 24);
        assert_eq!(state[..3], [0xf125_8f79_40e1_dde7, 0x84d5_ccf9_33c0_478a, 0xd598_261e_a65a_a9ee]);
        keccak_p(&mut state, 24);
        assert_eq!(state[..2], [0x2d5c_954d_f96e_cb3c, 0x6a33_2cd0_7057_b56d]);
    }

    #[test]
    fn no_rounds_change_nothing() {
        let before: [u64; 25] = std::array::from_fn(|i| i as u64);
        let mut state = before;
        keccak_p(&mut state, 0);
        assert_eq!(state, before);
    }

    #[test]
    #[should_panic(expected = "at most 24 rounds")]
    fn too_many_rounds() {
        keccak_p(&mut [0; 25], 25);
    }

    #[test]
    fn left_encode_takes_the_fewest_bytes() {
        assert_eq!(left_encode(0), [1, 0]);
        assert_eq!(left_encode(255), [1, 255]);
        assert_eq!(left_encode(256), [2, 1, 0]);
        assert_eq!(left_encode(65_535), [2, 255, 255]);
        assert_eq!(left_encode(65_536), [3, 1, 0, 0]);
        assert_eq!(left_encode(u64::MAX), [8, 255, 255, 255, 255, 255, 255, 255, 255]);
    }

    #[test]
    fn strings_are_encoded_and_padded() {
        assert_eq!(encode_string(b""), [1, 0]);
        assert_eq!(encode_string(b"abc"), [1, 24, b'a', b'b', b'c']);
        assert_eq!(bytepad(vec![7], 4), [1, 4, 7, 0]);
        assert_eq!(bytepad(vec![7, 8], 4), [1, 4, 7, 8]);
        assert_eq!(bytepad(vec![7, 8, 9], 4), [1, 4, 7, 8, 9, 0, 0, 0]);
    }

    /// The examples of RFC 9861 section 3.3.
    #[test]
    fn length_encode_is_that_of_rfc_9861() {
        assert_eq!(length_encode(0), [0x00]);
        assert_eq!(length_encode(12), [0x0c, 0x01]);
        assert_eq!(length_encode(65_538), [0x01, 0x00, 0x02, 0x03]);
    }

    #[test]
    #[should_panic(expected = "domain byte is 0x01 to 0x7f, not 0x00")]
    fn domain_zero() {
        turboshake128(b"", 0x00, &mut []);
    }

    #[test]
    #[should_panic(expected = "domain byte is 0x01 to 0x7f, not 0x80")]
    fn domain_with_the_last_bit() {
        turboshake256(b"", 0x80, &mut []);
    }
}
