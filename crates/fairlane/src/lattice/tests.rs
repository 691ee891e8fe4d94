//! The ring and the packing over their whole domains, on words of every size, against the reference.

use super::compression::{compress, decompress};
use super::packing::{are_reduced, pack, packed, unpack};
use super::pke::{Machine, Work};
use super::ring::{self, Multiplier, Poly, Q};
use crate::Backend;
use fairlane_lanes::I16xN;
use fairlane_reference::kem::ring as reference;

/// Machines of every backend that is here.
fn machines() -> Vec<Machine> {
    Backend::ALL.iter().filter_map(|backend| Machine::new(*backend).ok()).collect()
}

/// Numbers below q with no pattern.
fn numbers(seed: u64) -> [u16; 256] {
    let mix = |i: u64| {
        (seed << 8 | i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(25).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40
    };
    std::array::from_fn(|i| (mix(i as u64) % Q as u64) as u16)
}

fn poly(numbers: &[u16; 256]) -> Poly {
    Poly(numbers.map(|number| number as i16))
}

/// Bits of a compressed number.
struct Compress<'a>(&'a mut Poly, usize);

impl Work for Compress<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        compress::<W, N>(token, self.0, self.1);
    }
}

struct Decompress<'a>(&'a mut Poly, usize);

impl Work for Decompress<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        decompress::<W, N>(token, self.0, self.1);
    }
}

#[test]
fn compression_of_every_number() {
    for (machine, bits) in
        machines().into_iter().flat_map(|machine| [1, 4, 5, 7, 10, 11, 12].map(|bits| (machine, bits)))
    {
        for first in (0..Q as u16).step_by(256) {
            let numbers = std::array::from_fn(|i| (first + i as u16) % Q as u16);
            let mut compressed = poly(&numbers);
            machine.run(Compress(&mut compressed, bits));
            let mut bytes = vec![0; packed(bits)];
            pack(machine, &compressed, bits, &mut bytes);
            let expected = numbers.map(|number| reference::compress(bits, number));
            assert_eq!(bytes, reference::byte_encode(bits, &expected), "{bits} bits from {first} on, {machine:?}");
        }
        for first in (0..1_u32 << bits).step_by(256) {
            let numbers = std::array::from_fn(|i| ((first + i as u32) % (1 << bits)) as u16);
            let numbers = if bits == 12 { numbers.map(|number: u16| number % Q as u16) } else { numbers };
            let mut unpacked = Poly::ZERO;
            unpack(machine, &reference::byte_encode(bits, &numbers), bits, &mut unpacked);
            machine.run(Decompress(&mut unpacked, bits));
            assert_eq!(
                unpacked.0.map(|number| number as u16),
                numbers.map(|number| reference::decompress(bits, number)),
                "{bits} bits from {first} on, {machine:?}"
            );
        }
    }
}

#[test]
fn numbers_of_12_bits_are_judged_one_by_one() {
    for number in 0..1_u16 << 12 {
        for place in [0, 1, 254, 255] {
            let mut numbers = [0; 256];
            numbers[place] = number;
            let mut bytes = [0; packed(12)];
            for (two, bytes) in numbers.as_chunks::<2>().0.iter().zip(bytes.as_chunks_mut::<3>().0) {
                *bytes = [two[0] as u8, (two[0] >> 8 | two[1] << 4) as u8, (two[1] >> 4) as u8];
            }
            for machine in machines() {
                assert_eq!(are_reduced(machine, &bytes), number < Q as u16);
            }
        }
    }
}

/// Any number plus zero.
struct Add<'a>(&'a mut Poly);

impl Work for Add<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        ring::add::<W, N>(token, self.0, &Poly::ZERO);
    }
}

#[test]
fn reduction_of_every_number() {
    for machine in machines() {
        for first in (i16::MIN..=i16::MAX).step_by(256) {
            let mut poly = Poly(std::array::from_fn(|i| first + i as i16));
            machine.run(Add(&mut poly));
            for (i, number) in poly.0.iter().enumerate() {
                assert_eq!(*number, (first + i as i16).rem_euclid(Q), "{machine:?}");
            }
        }
    }
}

/// To the NTT domain.
struct There<'a>(&'a mut Poly);

impl Work for There<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        ring::ntt::<W, N>(token, self.0);
        ring::reduce::<W, N>(token, self.0);
    }
}

/// The product of polynomials in the NTT domain.
struct Product<'a>(&'a mut Poly, &'a [Poly], &'a [Poly]);

impl Work for Product<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self(sum, a, b) = self;
        let mut multipliers = vec![Multiplier::ZERO; b.len()];
        for (multiplier, poly) in multipliers.iter_mut().zip(b) {
            multiplier.set::<W, N>(token, poly);
        }
        ring::dot::<W, N>(token, sum, a, &multipliers);
        ring::inverse_ntt::<W, N>(token, sum);
        ring::add::<W, N>(token, sum, &Poly::ZERO);
    }
}

#[test]
fn ntt_and_products() {
    for machine in machines() {
        for seed in 0..50 {
            // The extremes among them.
            let first = if seed == 0 { [Q as u16 - 1; 256] } else { numbers(seed) };
            let mut forth = poly(&first);
            machine.run(There(&mut forth));
            assert_eq!(forth.0.map(|number| number as u16), reference::ntt(&first), "{machine:?}");

            let (a, b): (Vec<_>, Vec<_>) = (0..4)
                .map(|i| {
                    (
                        if seed == 0 { first } else { numbers(100 * seed + i) },
                        if seed == 0 { first } else { numbers(1000 * seed + i) },
                    )
                })
                .unzip();
            let mut expected = [0; 256];
            for (a, b) in a.iter().zip(&b) {
                expected = reference::add(&expected, &reference::multiply_ntts(a, b));
            }
            let mut sum = Poly::ZERO;
            let [a, b] = [a, b].map(|polys| polys.iter().map(poly).collect::<Vec<_>>());
            machine.run(Product(&mut sum, &a, &b));
            assert_eq!(sum.0.map(|number| number as u16), reference::inverse_ntt(&expected), "{machine:?}");
        }
    }
}
