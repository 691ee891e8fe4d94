//! The key schedule (DSTU 7624:2014, section 8), written once over rounds of encryption for some states.

use crate::integer::Integer;

/// The most round keys with even numbers that a key has.
const EVEN: usize = 10;

/// Rounds (`SubBytes`, `ShiftRows`, `MixColumns`) of several states side by side: the column-wise sum with the states
/// of `add`, a round, the exclusive or with those of `xor`, another round, `add` again, and a third round if `third` is
/// set.
#[cfg_attr(not(feature = "symbolic"), allow(unreachable_pub, reason = "the proofs run it"))]
pub struct Rounds<'a, B, const C: usize> {
    pub(super) states: &'a mut [[B; C]],
    pub(super) add: &'a [[B; C]],
    pub(super) xor: &'a [[B; C]],
    pub(super) third: bool,
}

/// Computes the round keys of `key`, the columns of one or two states.
#[inline(always)]
pub(super) fn schedule<T: Integer, const C: usize>(
    key: &[T::Bytes],
    keys: &mut [[T::Bytes; C]],
    run: impl Fn(Rounds<'_, T::Bytes, C>),
) {
    let zero = T::of(0).to_bytes();
    let words = key.len();
    let (halves, _) = key.as_chunks();
    let even = keys.len().div_ceil(2);
    let mut states = [[zero; C]; EVEN];
    for i in 0..even {
        // A key of two states provides them alternately, and is rotated by a column after each pair.
        for j in 0..C {
            states[i][j] = key[(i / halves.len() + i % halves.len() * C + j) % words];
        }
    }

    // The intermediate key.
    let mut middle = [[zero; C]];
    middle[0][0] = T::of((C + words + 1) as u64).to_bytes();
    run(Rounds { states: &mut middle, add: &halves[..1], xor: &halves[halves.len() - 1..], third: true });

    let mut sums = [[zero; C]; EVEN];
    for i in 0..even {
        for j in 0..C {
            sums[i][j] = T::from_bytes(middle[0][j]).wrapping_add(T::of(0x0001_0001_0001_0001 << i)).to_bytes();
        }
    }
    run(Rounds { states: &mut states[..even], add: &sums[..even], xor: &sums[..even], third: false });
    for i in 0..even {
        keys[2 * i] = states[i];
        if let Some(odd) = keys.get_mut(2 * i + 1) {
            rotate::<T, C>(&states[i], odd);
        }
    }

    (middle, sums, states) = ([[zero; C]], [[zero; C]; EVEN], [[zero; C]; EVEN]);
    zeroize::optimization_barrier(&(&middle, &sums, &states));
}

/// A round key with an odd number: the one before, rotated left by `2 * C + 3` bytes.
#[inline(always)]
fn rotate<T: Integer, const C: usize>(even: &[T::Bytes; C], odd: &mut [T::Bytes; C]) {
    let (words, bits) = ((2 * C + 3) / 8, 8 * ((2 * C + 3) % 8) as u32);
    for i in 0..C {
        let [low, high] = [even[(i + words) % C], even[(i + words + 1) % C]].map(T::from_bytes);
        odd[i] = (low >> bits | high << (64 - bits)).to_bytes();
    }
}
