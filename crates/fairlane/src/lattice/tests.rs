//! Arithmetic, compression and encoding over their whole domains, in words of every size, against the reference.

use super::coding::{are_reduced, byte_decode, byte_encode, compress, decompress};
use super::engine::{Engine, RingKernel};
use super::parameters::encoded_size;
use super::ring::{self, Multiplicand, Poly, Q};
use super::secret::Zero;
use crate::Backend;
use fairlane_lanes::I16xN;
use fairlane_reference::kem::ring as reference;

/// Every backend that this machine has.
fn engines() -> Vec<Engine> {
    Backend::ALL.iter().filter_map(|backend| Engine::new(*backend).ok()).collect()
}

/// Pseudorandom coefficients below q.
fn numbers(seed: u64) -> [u16; 256] {
    let mix = |i: u64| {
        (seed << 8 | i).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(25).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40
    };
    std::array::from_fn(|i| (mix(i as u64) % Q as u64) as u16)
}

fn poly(numbers: &[u16; 256]) -> Poly {
    Poly(numbers.map(|number| number as i16))
}

struct Compress<'a>(&'a mut Poly, usize);

impl RingKernel for Compress<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        compress::<W, N>(token, self.0, self.1);
    }
}

struct Decompress<'a>(&'a mut Poly, usize);

impl RingKernel for Decompress<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        decompress::<W, N>(token, self.0, self.1);
    }
}

#[test]
fn compression_of_every_number() {
    for (engine, bits) in engines().into_iter().flat_map(|engine| [1, 4, 5, 7, 10, 11, 12].map(|bits| (engine, bits))) {
        for first in (0..Q as u16).step_by(256) {
            let numbers = std::array::from_fn(|i| (first + i as u16) % Q as u16);
            let mut compressed = poly(&numbers);
            engine.run_ring(Compress(&mut compressed, bits));
            let mut bytes = vec![0; encoded_size(bits)];
            byte_encode(engine, &compressed, bits, &mut bytes);
            let expected = numbers.map(|number| reference::compress(bits, number));
            assert_eq!(bytes, reference::byte_encode(bits, &expected), "{bits} bits from {first} on, {engine:?}");
        }
        for first in (0..1_u32 << bits).step_by(256) {
            let numbers = std::array::from_fn(|i| ((first + i as u32) % (1 << bits)) as u16);
            let numbers = if bits == 12 { numbers.map(|number: u16| number % Q as u16) } else { numbers };
            let mut unpacked = Poly::ZERO;
            byte_decode(engine, &reference::byte_encode(bits, &numbers), bits, &mut unpacked);
            engine.run_ring(Decompress(&mut unpacked, bits));
            assert_eq!(
                unpacked.0.map(|number| number as u16),
                numbers.map(|number| reference::decompress(bits, number)),
                "{bits} bits from {first} on, {engine:?}"
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
            let mut bytes = [0; encoded_size(12)];
            for (two, bytes) in numbers.as_chunks::<2>().0.iter().zip(bytes.as_chunks_mut::<3>().0) {
                *bytes = [two[0] as u8, (two[0] >> 8 | two[1] << 4) as u8, (two[1] >> 4) as u8];
            }
            for engine in engines() {
                assert_eq!(are_reduced(engine, &bytes), number < Q as u16);
            }
        }
    }
}

/// Reduces any integer: adds zero.
struct Add<'a>(&'a mut Poly);

impl RingKernel for Add<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        ring::add::<W, N>(token, self.0, &Poly::ZERO);
    }
}

#[test]
fn reduction_of_every_number() {
    for engine in engines() {
        for first in (i16::MIN..=i16::MAX).step_by(256) {
            let mut poly = Poly(std::array::from_fn(|i| first + i as i16));
            engine.run_ring(Add(&mut poly));
            for (i, number) in poly.0.iter().enumerate() {
                assert_eq!(*number, (first + i as i16).rem_euclid(Q), "{engine:?}");
            }
        }
    }
}

/// NTT, reduced.
struct Ntt<'a>(&'a mut Poly);

impl RingKernel for Ntt<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        ring::ntt::<W, N>(token, self.0);
        ring::reduce::<W, N>(token, self.0);
    }
}

/// NTT⁻¹ of a sum of products of elements of T<sub>q</sub>.
struct Product<'a>(&'a mut Poly, &'a [Poly], &'a [Poly]);

impl RingKernel for Product<'_> {
    fn run<W: I16xN<N>, const N: usize>(self, token: W::Token) {
        let Self(sum, a, b) = self;
        let mut multiplicands = vec![Multiplicand::ZERO; b.len()];
        for (multiplicand, poly) in multiplicands.iter_mut().zip(b) {
            multiplicand.set::<W, N>(token, poly);
        }
        ring::dot::<W, N>(token, sum, a, &multiplicands);
        ring::inverse_ntt::<W, N>(token, sum);
        ring::add::<W, N>(token, sum, &Poly::ZERO);
    }
}

#[test]
fn ntt_and_products() {
    for engine in engines() {
        for seed in 0..50 {
            // Seed 0 stands for the largest coefficients.
            let first = if seed == 0 { [Q as u16 - 1; 256] } else { numbers(seed) };
            let mut forth = poly(&first);
            engine.run_ring(Ntt(&mut forth));
            assert_eq!(forth.0.map(|number| number as u16), reference::ntt(&first), "{engine:?}");

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
            engine.run_ring(Product(&mut sum, &a, &b));
            assert_eq!(sum.0.map(|number| number as u16), reference::inverse_ntt(&expected), "{engine:?}");
        }
    }
}
