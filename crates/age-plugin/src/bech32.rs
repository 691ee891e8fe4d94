//! Bech32 (BIP 173) without its limit on length: the text form of age's keys.
//!
//! Identities are secret, so that neither a branch nor an address depends on the characters: each of them is compared
//! with the whole alphabet.

use std::fmt;
use zeroize::Zeroizing;

/// The characters of the values from 0 to 31.
const ALPHABET: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Characters of the checksum.
const CHECKSUM: usize = 6;

/// What the checksum's polynomial is reduced by, for each of the five bits that leave it.
const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];

/// Why a text is not the one that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Error {
    /// It begins otherwise.
    Prefix,
    /// It is shorter or longer than a key of this kind.
    Length,
    /// A character does not belong into it, be it only for its case.
    Character,
    /// The checksum is wrong, or a bit after the bytes is set.
    Checksum,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prefix => "it is a key of another kind",
            Self::Length => "its length is wrong",
            Self::Character => "it has a wrong character",
            Self::Checksum => "its checksum is wrong",
        })
    }
}

/// The text of `bytes`: `prefix`, a 1, and characters in the prefix's case.
pub(crate) fn encode(prefix: &str, bytes: &[u8]) -> Zeroizing<String> {
    let data = bytes.len() * 8 / 5 + usize::from(!bytes.len().is_multiple_of(5));
    let mut text = Zeroizing::new(String::with_capacity(prefix.len() + 1 + data + CHECKSUM));
    text.push_str(prefix);
    text.push('1');
    let upper = prefix.bytes().any(|c| c.is_ascii_uppercase());
    let mut checksum = Checksum::of(prefix);
    let mut put = |value: u8| {
        let c = character(value);
        text.push(char::from(if upper { c.to_ascii_uppercase() } else { c }));
    };
    let (mut pending, mut bits) = (0, 0);
    for &byte in bytes {
        pending = pending << 8 | u32::from(byte);
        bits += 8;
        while bits >= 5 {
            bits -= 5;
            let value = (pending >> bits & 31) as u8;
            checksum.add(value);
            put(value);
        }
    }
    if bits > 0 {
        let value = (pending << (5 - bits) & 31) as u8;
        checksum.add(value);
        put(value);
    }
    checksum.end().into_iter().for_each(put);
    text
}

/// The bytes of a text that must have this prefix and this number of bytes.
pub(crate) fn decode<const N: usize>(prefix: &str, text: &str) -> Result<Zeroizing<[u8; N]>, Error> {
    let data = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('1')).ok_or(Error::Prefix)?;
    if data.len() != (8 * N).div_ceil(5) + CHECKSUM {
        return Err(Error::Length);
    }
    let upper = prefix.bytes().any(|c| c.is_ascii_uppercase());
    let mut checksum = Checksum::of(prefix);
    let mut bytes = Zeroizing::new([0; N]);
    let (mut pending, mut bits, mut filled, mut wrong) = (0, 0, 0, 0);
    for (at, c) in data.bytes().enumerate() {
        let lower = c.to_ascii_lowercase();
        wrong |= u8::from(((c == lower) == upper) & lower.is_ascii_lowercase());
        let (value, known) = value(lower);
        wrong |= !known & 1;
        checksum.add(value);
        if at < data.len() - CHECKSUM {
            pending = pending << 5 | u32::from(value);
            bits += 5;
            if bits >= 8 {
                bits -= 8;
                bytes[filled] = (pending >> bits) as u8;
                filled += 1;
            }
        }
    }
    if wrong != 0 {
        return Err(Error::Character);
    }
    let behind = pending & ((1 << bits) - 1);
    if checksum.0 != 1 || behind != 0 {
        return Err(Error::Checksum);
    }
    Ok(bytes)
}

/// All ones if both are equal, otherwise zero.
fn equal(a: u8, b: u8) -> u8 {
    (u16::from(a ^ b).wrapping_sub(1) >> 8) as u8
}

/// The character of a value.
fn character(value: u8) -> u8 {
    (0..).zip(ALPHABET).fold(0, |found, (of, &c)| found | equal(of, value) & c)
}

/// The value of a character, and all ones if it has one.
fn value(character: u8) -> (u8, u8) {
    (0..).zip(ALPHABET).fold((0, 0), |(value, known), (of, &c)| {
        let same = equal(c, character);
        (value | same & of, known | same)
    })
}

/// BIP 173's checksum of the values so far.
struct Checksum(u32);

impl Checksum {
    /// Of the prefix, in lower case.
    fn of(prefix: &str) -> Self {
        let mut checksum = Self(1);
        let lower = || prefix.bytes().map(|c| c.to_ascii_lowercase());
        lower().for_each(|c| checksum.add(c >> 5));
        checksum.add(0);
        lower().for_each(|c| checksum.add(c & 31));
        checksum
    }

    fn add(&mut self, value: u8) {
        let top = self.0 >> 25;
        self.0 = (self.0 & 0x01ff_ffff) << 5 ^ u32::from(value);
        for (bit, reduced) in GENERATOR.into_iter().enumerate() {
            self.0 ^= (top >> bit & 1).wrapping_neg() & reduced;
        }
    }

    /// The values that follow the data.
    fn end(mut self) -> [u8; CHECKSUM] {
        (0..CHECKSUM).for_each(|_| self.add(0));
        let end = self.0 ^ 1;
        std::array::from_fn(|i| (end >> (5 * (CHECKSUM - 1 - i)) & 31) as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The crate's Bech32, without the limit on length.
    enum Unlimited {}

    impl bech32::Checksum for Unlimited {
        type MidstateRepr = u32;
        const CODE_LENGTH: usize = usize::MAX;
        const CHECKSUM_LENGTH: usize = bech32::Bech32::CHECKSUM_LENGTH;
        const GENERATOR_SH: [u32; 5] = bech32::Bech32::GENERATOR_SH;
        const TARGET_RESIDUE: u32 = bech32::Bech32::TARGET_RESIDUE;
    }

    fn round<const N: usize>(prefix: &str) {
        for seed in 0..20 {
            let bytes: [u8; N] = std::array::from_fn(|i| (i * 167 + seed * 59 + i * i) as u8);
            let text = encode(prefix, &bytes);
            let hrp = bech32::Hrp::parse(prefix).unwrap();
            let theirs = bech32::encode_lower::<Unlimited>(hrp, &bytes).unwrap();
            let upper = prefix.to_uppercase() == prefix;
            assert_eq!(*text, if upper { theirs.to_uppercase() } else { theirs });
            assert_eq!(decode::<N>(prefix, &text).map(|bytes| *bytes), Ok(bytes));
        }
    }

    #[test]
    fn another_implementation_agrees() {
        for prefix in ["age1pq", "AGE-PLUGIN-PQ-", "a"] {
            round::<0>(prefix);
            round::<1>(prefix);
            round::<2>(prefix);
            round::<3>(prefix);
            round::<4>(prefix);
            round::<5>(prefix);
            round::<32>(prefix);
            round::<1216>(prefix);
        }
    }

    #[test]
    fn every_value_has_its_character() {
        for code in 0..=u8::MAX {
            let place = ALPHABET.iter().position(|&c| c == code);
            assert_eq!(value(code), place.map_or((0, 0), |of| (of as u8, 255)));
        }
        assert!((0..32).map(character).eq(ALPHABET.iter().copied()));
    }

    #[test]
    fn every_other_character_is_refused() {
        for prefix in ["age1pq", "AGE-PLUGIN-PQ-"] {
            let text = encode(prefix, &[0x5a; 32]);
            for at in prefix.len() + 1..text.len() {
                for c in (0x20..0x7f).map(char::from).filter(|&c| !text[at..].starts_with(c)) {
                    let changed = format!("{}{c}{}", &text[..at], &text[at + 1..]);
                    let in_case = if prefix == "age1pq" { !c.is_ascii_uppercase() } else { !c.is_ascii_lowercase() };
                    let known = in_case && ALPHABET.contains(&(c.to_ascii_lowercase() as u8));
                    let error = if known { Error::Checksum } else { Error::Character };
                    assert_eq!(decode::<32>(prefix, &changed), Err(error), "{changed}");
                }
            }
        }
    }

    #[test]
    fn other_lengths_and_prefixes_are_refused() {
        let text = encode("age1pq", &[1; 32]);
        assert_eq!(decode::<31>("age1pq", &text), Err(Error::Length));
        assert_eq!(decode::<32>("age1pq", &text[..text.len() - 1]), Err(Error::Length));
        assert_eq!(decode::<32>("age1pq", &text[..7]), Err(Error::Length));
        assert_eq!(decode::<32>("age1pq", "age1pq"), Err(Error::Prefix));
        assert_eq!(decode::<32>("age1pq", ""), Err(Error::Prefix));
        assert_eq!(decode::<32>("age1p", &text), Err(Error::Prefix));
        assert_eq!(decode::<32>("AGE1PQ", &text), Err(Error::Prefix));
        assert_eq!(decode::<32>("age1pq", &text.to_uppercase()), Err(Error::Prefix));
        // Characters of more than one byte.
        let wide = format!("age1pq1{}", "é".repeat(29));
        assert_eq!(decode::<32>("age1pq", &wide), Err(Error::Character));
    }

    #[test]
    fn bits_behind_the_bytes_are_zero() {
        // 32 bytes are 51 characters and one of which one bit counts.
        let mut values = [0; 52];
        values[51] = 8;
        let mut checksum = Checksum::of("age1pq");
        values.iter().for_each(|&value| checksum.add(value));
        let end = checksum.end();
        let data: String = values.iter().chain(&end).map(|&value| char::from(character(value))).collect();
        assert_eq!(decode::<32>("age1pq", &format!("age1pq1{data}")), Err(Error::Checksum));
    }
}
