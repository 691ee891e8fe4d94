//! The permutation alone, for constructions that this module does not have.

use super::eight_states::{Run, StateInput};
use super::kernels::Keccak;

/// Keccak-f\[1600\] of FIPS 202, section 3.4: lane A\[x, y\] of the state is at index 5y + x.
///
/// ```
/// let mut state = [0; 25];
/// fairlane::keccak::keccak_f1600(&mut state);
/// assert_eq!(state[0], 0xf125_8f79_40e1_dde7);
/// ```
#[inline(never)]
pub fn keccak_f1600(state: &mut [u64; 25]) {
    Keccak::best().permute::<24>(state);
}

/// Keccak-f\[1600\] of eight states: lane A\[x, y\] of state j is at index \[5y + x\]\[j\].
#[inline(never)]
pub fn keccak_f1600_eight(states: &mut [[u64; 8]; 25]) {
    let inputs = &[StateInput::None; 8];
    let run = Run { active: u8::MAX, inputs, permutations: 1, goes_on: true, squeezed: None };
    Keccak::best().permute_eight(states, run);
}
