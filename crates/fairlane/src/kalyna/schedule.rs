//! The key schedule (DSTU 7624:2014, section 8), written once over "a round of encryption for some states".

use super::state::State;

/// The most round keys with even numbers that a key has.
const EVEN: usize = 10;

/// Makes the round keys of `key`, the columns of one or two states. `round` does SubBytes, ShiftRows and MixColumns of several
/// states, which for all even round keys go side by side.
#[inline(always)]
pub(super) fn schedule<const C: usize>(key: &[[u8; 8]], keys: &mut [State<C>], mut round: impl FnMut(&mut [State<C>])) {
    let words = key.len();
    let (first, last) = (&key[..C], &key[words - C..]);

    // The intermediate key.
    let mut sigma = [[[0; 8]; C]];
    sigma[0][0] = ((C + words + 1) as u64).to_le_bytes();
    each(&mut sigma[0], first, u64::wrapping_add);
    round(&mut sigma);
    each(&mut sigma[0], last, |a, b| a ^ b);
    round(&mut sigma);
    each(&mut sigma[0], first, u64::wrapping_add);
    round(&mut sigma);

    let mut sums = [[[0; 8]; C]; EVEN];
    let mut states = [[[0; 8]; C]; EVEN];
    let even = keys.len().div_ceil(2);
    for i in 0..even {
        let add = (0x0001_0001_0001_0001_u64 << i).to_le_bytes();
        sums[i] = sigma[0];
        each(&mut sums[i], &[add; C], u64::wrapping_add);
        // A key of two states gives them by turns. It is turned by a column then.
        let halves = words / C;
        for j in 0..C {
            states[i][j] = key[(i / halves + i % halves * C + j) % words];
        }
        each(&mut states[i], &sums[i], u64::wrapping_add);
    }
    round(&mut states[..even]);
    for i in 0..even {
        each(&mut states[i], &sums[i], |a, b| a ^ b);
    }
    round(&mut states[..even]);
    for i in 0..even {
        each(&mut states[i], &sums[i], u64::wrapping_add);
        keys[2 * i] = states[i];
        if let Some(odd) = keys.get_mut(2 * i + 1) {
            turn(&states[i], odd);
        }
    }

    (sigma, sums, states) = ([[[0; 8]; C]], [[[0; 8]; C]; EVEN], [[[0; 8]; C]; EVEN]);
    zeroize::optimization_barrier(&(&sigma, &sums, &states));
}

/// Column by column, as numbers.
#[inline(always)]
fn each<const C: usize>(state: &mut State<C>, other: &[[u8; 8]], f: impl Fn(u64, u64) -> u64) {
    for i in 0..C {
        state[i] = f(u64::from_le_bytes(state[i]), u64::from_le_bytes(other[i])).to_le_bytes();
    }
}

/// A round key with an odd number: the one before, turned by `2 * C + 3` bytes to the left.
#[inline(always)]
fn turn<const C: usize>(even: &State<C>, odd: &mut State<C>) {
    let (words, bits) = ((2 * C + 3) / 8, 8 * ((2 * C + 3) % 8));
    for i in 0..C {
        let [low, high] = [even[(i + words) % C], even[(i + words + 1) % C]].map(u64::from_le_bytes);
        odd[i] = (low >> bits | high << (64 - bits)).to_le_bytes();
    }
}
