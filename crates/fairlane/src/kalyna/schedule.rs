//! The key schedule (DSTU 7624:2014, section 8), written once over rounds of encryption for some states.

use super::state::State;

/// The most round keys with even numbers that a key has.
const EVEN: usize = 10;

/// Rounds (`SubBytes`, `ShiftRows`, `MixColumns`) of several states side by side: the column-wise sum with the states
/// of `add`, a round, the exclusive or with those of `xor`, another round, `add` again, and a third round if `third` is
/// set.
pub(super) struct Rounds<'a, const C: usize> {
    pub(super) states: &'a mut [State<C>],
    pub(super) add: &'a [State<C>],
    pub(super) xor: &'a [State<C>],
    pub(super) third: bool,
}

/// Computes the round keys of `key`, the columns of one or two states.
#[inline(always)]
pub(super) fn schedule<const C: usize>(key: &[[u8; 8]], keys: &mut [State<C>], run: impl Fn(Rounds<'_, C>)) {
    let words = key.len();
    let (halves, _) = key.as_chunks();
    let even = keys.len().div_ceil(2);
    let mut states = [[[0; 8]; C]; EVEN];
    for i in 0..even {
        // A key of two states provides them alternately, and is rotated by a column after each pair.
        for j in 0..C {
            states[i][j] = key[(i / halves.len() + i % halves.len() * C + j) % words];
        }
    }

    // The intermediate key.
    let mut middle = [[[0; 8]; C]];
    middle[0][0] = ((C + words + 1) as u64).to_le_bytes();
    run(Rounds { states: &mut middle, add: &halves[..1], xor: &halves[halves.len() - 1..], third: true });

    let mut sums = [[[0; 8]; C]; EVEN];
    for i in 0..even {
        for j in 0..C {
            let sum = u64::from_le_bytes(middle[0][j]).wrapping_add(0x0001_0001_0001_0001 << i);
            sums[i][j] = sum.to_le_bytes();
        }
    }
    run(Rounds { states: &mut states[..even], add: &sums[..even], xor: &sums[..even], third: false });
    for i in 0..even {
        keys[2 * i] = states[i];
        if let Some(odd) = keys.get_mut(2 * i + 1) {
            rotate(&states[i], odd);
        }
    }

    (middle, sums, states) = ([[[0; 8]; C]], [[[0; 8]; C]; EVEN], [[[0; 8]; C]; EVEN]);
    zeroize::optimization_barrier(&(&middle, &sums, &states));
}

/// A round key with an odd number: the one before, rotated left by `2 * C + 3` bytes.
#[inline(always)]
fn rotate<const C: usize>(even: &State<C>, odd: &mut State<C>) {
    let (words, bits) = ((2 * C + 3) / 8, 8 * ((2 * C + 3) % 8));
    for i in 0..C {
        let [low, high] = [even[(i + words) % C], even[(i + words + 1) % C]].map(u64::from_le_bytes);
        odd[i] = (low >> bits | high << (64 - bits)).to_le_bytes();
    }
}
