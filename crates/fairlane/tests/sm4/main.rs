//! SM4 and its modes without authentication, on every backend that this machine has: known answers, the reference,
//! independent crates, and lengths around every word. The AEADs are in `sm4_aeads.rs`, and what SM4-CTR has in common
//! with other stream ciphers in `streams.rs`.

mod block;
mod cbc;
#[path = "../common/mod.rs"]
mod common;
mod ctr;
mod xts;

use common::{STRIDE, random};
use fairlane::Backend;
use fairlane::cipher::InOutBuf;
use fairlane_vectors as vectors;
use rand::{SeedableRng, rngs::SmallRng};

fn backends() -> Vec<Backend> {
    common::backends("sm4")
}

/// What SM4 has no kernel for, or this CPU no instructions.
fn not_here() -> impl Iterator<Item = Backend> {
    let here = backends();
    Backend::ALL.iter().copied().filter(move |backend| !here.contains(backend))
}

/// Numbers of blocks: all up to two of the longest batch and more, and many.
fn counts() -> impl Iterator<Item = usize> {
    (0..=130).chain([191, 255, 256, 257, 1000, 4003])
}

fn rng(seed: usize) -> SmallRng {
    SmallRng::seed_from_u64(seed as u64)
}

/// Fails unless `run` makes `expected` of `input`, in place and from one buffer to another (which is 0x5a before), and
/// writes nothing around it.
fn check(context: &str, input: &[u8], expected: &[u8], mut run: impl FnMut(InOutBuf<'_, '_, u8>)) {
    const AROUND: [u8; 70] = [0xa5; 70];
    // At an odd address.
    let within = 1..1 + input.len();
    for in_place in [true, false] {
        let mut buffer = [&AROUND[..1], input, &AROUND].concat();
        let output = &mut buffer[within.clone()];
        if in_place {
            run(output.into());
        } else {
            output.fill(0x5a);
            run(InOutBuf::new(input, output).unwrap());
        }
        assert!(buffer[within.clone()] == *expected, "{context}, in place: {in_place}");
        assert!(buffer[0] == 0xa5 && buffer[within.end..] == AROUND, "{context}: written around the data");
    }
}
