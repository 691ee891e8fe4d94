//! SHA-256 (FIPS 180-4), as an example of a hash by [`CompressionFunction`]; only the tests have it.

use crate::block_hash::{self, BLOCK, ByteOrder, CompressionFunction, HashCore};
use crate::hash_many::{HashManyKernels, Messages, Rows};
use crate::{Backend, HashMany, Unsupported};
use digest::block_api::Buffer;
use digest::consts::U32;
use fairlane_lanes::{AnyToken, Scalar, Sm3Word, U32x1};

/// Bit `i` of the square or cube root of the `n`-th prime, for the first 32 bits of its fractional part (section
/// 4.2.2).
const fn root<const N: usize>(power: u32) -> [u32; N] {
    let (mut roots, mut prime, mut n) = ([0; N], 2_u128, 0);
    while n < N {
        let mut divisor = 2;
        while divisor * divisor <= prime && prime % divisor != 0 {
            divisor += 1;
        }
        if divisor * divisor > prime {
            // The greatest x with x^power <= prime * 2^(32 * power), bit by bit.
            let (mut x, mut bit) = (0_u128, 1 << 37);
            while bit > 0 {
                if (x | bit).pow(power) <= prime << (32 * power) {
                    x |= bit;
                }
                bit >>= 1;
            }
            roots[n] = x as u32;
            n += 1;
        }
        prime += 1;
    }
    roots
}

/// The constants of the rounds: cube roots of the first 64 primes.
const K: [u32; 64] = root(3);

#[derive(Clone, Copy, Debug)]
pub(super) struct Sha256Function;

impl CompressionFunction<8> for Sha256Function {
    const NAME: &'static str = "SHA-256";
    const BACKENDS: &'static [Backend] = &[Backend::Avx512, Backend::Avx2, Backend::Neon, Backend::Scalar];
    const INITIAL: [u32; 8] = root(2);
    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
    type OutputSize = U32;

    #[inline(always)]
    fn compress<W: Sm3Word<N>, const N: usize>(token: W::Token, state: &mut [W; 8], mut w: [W; 16]) {
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
        for t in 0..64 {
            if t >= 16 {
                // Shifts to the right are rotations without the bits that come round.
                let (w2, w15) = (w[(t + 14) % 16], w[(t + 1) % 16]);
                let shr3 = w15.rotl::<29>().and(W::splat(token, u32::MAX >> 3));
                let shr10 = w2.rotl::<22>().and(W::splat(token, u32::MAX >> 10));
                let (sigma0, sigma1) =
                    (w15.rotl::<25>().xor3(w15.rotl::<14>(), shr3), w2.rotl::<15>().xor3(w2.rotl::<13>(), shr10));
                w[t % 16] = w[t % 16].add(sigma0).add(w[(t + 9) % 16]).add(sigma1);
            }
            let sum1 = e.rotl::<26>().xor3(e.rotl::<21>(), e.rotl::<7>());
            let t1 = h.add(sum1).add(e.select(f, g)).add(W::splat(token, K[t])).add(w[t % 16]);
            let sum0 = a.rotl::<30>().xor3(a.rotl::<19>(), a.rotl::<10>());
            (h, g, f, e, d, c, b, a) = (g, f, e, d.add(t1), c, b, a, t1.add(sum0).add_majority(a, b, c));
        }
        for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.add(new);
        }
    }

    fn absorb(token: AnyToken, state: &mut [u32; 8], blocks: &[[u8; BLOCK]]) {
        match token {
            AnyToken::Avx512(token) => block_hash::absorb_in::<Self, U32x1<_>, 8>(token, state, blocks),
            AnyToken::Avx2(token) => block_hash::absorb_in::<Self, U32x1<_>, 8>(token, state, blocks),
            _ => block_hash::absorb_in::<Self, U32x1<_>, 8>(Scalar::PROOF, state, blocks),
        }
    }
}

digest::buffer_fixed!(
    /// SHA-256 (FIPS 180-4).
    pub(super) struct Sha256(HashCore<Sha256Function, 8>);
    impl: BaseFixedTraits AlgorithmName Default Clone HashMarker Reset FixedOutputReset ZeroizeOnDrop;
);

impl Sha256 {
    pub(super) fn with_backend(backend: Backend) -> Result<Self, Unsupported> {
        Ok(Self { core: HashCore::with_backend(backend)?, buffer: Buffer::<HashCore<Sha256Function, 8>>::default() })
    }
}

pub(super) fn sha256(message: &[u8]) -> [u8; 32] {
    let mut digest = [0; 32];
    block_hash::hash_message::<Sha256Function, 8>(AnyToken::best(Sha256Function::BACKENDS), message, &mut digest);
    digest
}

impl HashManyKernels for Sha256 {
    const BACKENDS: &'static [Backend] = Sha256Function::BACKENDS;
    const OUTPUT_SIZE: Option<usize> = Some(32);

    #[inline(never)]
    fn hash_message(token: AnyToken, message: &[u8], output: &mut [u8]) {
        block_hash::hash_message::<Sha256Function, 8>(token, message, output);
    }

    fn hash_messages(token: AnyToken, messages: &mut dyn Messages) {
        block_hash::hash_messages::<Sha256Function, 8>(token, messages);
    }

    #[inline(never)]
    fn hash_groups(token: AnyToken, rows: &mut Rows<'_>) {
        block_hash::hash_groups::<Sha256Function, 8>(token, rows);
    }
}

impl HashMany for Sha256 {}
