//! The sponge of one message, in pieces of any length.

use super::kernels::Keccak;
use super::permutation::State;
use crate::zeroizing::Zeroizing;

/// A sponge with a rate of `RATE` bytes over Keccak-p[1600, `ROUNDS`].
///
/// First it absorbs; after [`finish`](Self::finish) it is squeezed. Rate and rounds are parameters of
/// the type, because values would make vectors' kernels for one state 3 % slower. What calls these methods must not be
/// inlined or generic, so that the kernels are compiled in this crate only.
#[derive(Clone)]
pub(super) struct Sponge<const RATE: usize, const ROUNDS: usize> {
    keccak: Keccak,
    state: Zeroizing<State<u64>>,
    /// Bytes of the current block that are absorbed or squeezed; less than `RATE` while absorbing.
    position: usize,
}

impl<const RATE: usize, const ROUNDS: usize> Sponge<RATE, ROUNDS> {
    #[inline]
    pub(super) fn new(keccak: Keccak) -> Self {
        Self { keccak, state: Zeroizing([0; 25]), position: 0 }
    }

    /// The backend, to make other sponges with.
    pub(super) fn keccak(&self) -> Keccak {
        self.keccak
    }

    /// The state, for a kernel that absorbs whole blocks into it.
    pub(super) fn state_mut(&mut self) -> &mut State<u64> {
        &mut self.state.0
    }

    #[inline]
    pub(super) fn reset(&mut self) {
        self.state.0 = [0; 25];
        self.position = 0;
    }

    #[inline]
    pub(super) fn absorb(&mut self, mut data: &[u8]) {
        if self.position > 0 {
            let (head, rest) = data.split_at(data.len().min(RATE - self.position));
            xor_bytes(&mut self.state.0, self.position, head);
            self.position += head.len();
            data = rest;
            if self.position < RATE {
                return;
            }
            self.permute();
        }
        let (blocks, tail) = data.as_chunks::<RATE>();
        if !blocks.is_empty() {
            self.keccak.absorb::<RATE, ROUNDS>(&mut self.state.0, blocks);
        }
        xor_bytes(&mut self.state.0, 0, tail);
        self.position = tail.len();
    }

    /// Fills the current block with zeros if it has begun: the `bytepad` of SP 800-185.
    pub(super) fn pad_block(&mut self) {
        if self.position > 0 {
            self.permute();
            self.position = 0;
        }
    }

    /// Absorbs `domain` (domain bits and the first bit of the padding) and the last bit of the padding: no more data
    /// follows.
    #[inline]
    pub(super) fn finish(&mut self, domain: u8) {
        xor_byte(&mut self.state.0, self.position, domain);
        xor_byte(&mut self.state.0, RATE - 1, 0x80);
        // The first squeeze permutes.
        self.position = RATE;
    }

    /// Absorbs `domain` and the padding as [`finish`](Self::finish) does, and writes the digest of a hash, of 28 to 64
    /// bytes. Only [`reset`](Self::reset) may follow.
    #[inline]
    pub(super) fn digest(&mut self, domain: u8, digest: &mut [u8]) {
        self.finish(domain);
        self.keccak.permute_last::<ROUNDS>(&mut self.state.0);
        copy_bytes(&self.state.0, 0, digest);
    }

    /// Absorbs `domain` and the padding as [`finish`](Self::finish) does, and fills `out`. Only
    /// [`reset`](Self::reset) may follow.
    #[inline]
    pub(super) fn output(&mut self, domain: u8, out: &mut [u8]) {
        self.finish(domain);
        if out.len() <= 64 {
            self.keccak.permute_last::<ROUNDS>(&mut self.state.0);
            copy_bytes(&self.state.0, 0, out);
        } else {
            self.squeeze(out);
        }
    }

    #[inline]
    pub(super) fn squeeze(&mut self, mut out: &mut [u8]) {
        if self.position < RATE {
            let (head, rest) = out.split_at_mut(out.len().min(RATE - self.position));
            copy_bytes(&self.state.0, self.position, head);
            self.position += head.len();
            out = rest;
        }
        let (blocks, tail) = out.as_chunks_mut::<RATE>();
        if !blocks.is_empty() {
            self.keccak.squeeze::<RATE, ROUNDS>(&mut self.state.0, blocks);
        }
        if !tail.is_empty() {
            self.permute();
            copy_bytes(&self.state.0, 0, tail);
            self.position = tail.len();
        }
    }

    #[inline]
    fn permute(&mut self) {
        self.keccak.permute::<ROUNDS>(&mut self.state.0);
    }
}

// Inlined: where the digest's length is known, it saves ten of 220 ns for 32 bytes (Zen 4).
/// Writes the digest of one message, of 28 to 64 bytes.
#[inline(always)]
pub(super) fn digest<const RATE: usize, const ROUNDS: usize>(
    keccak: Keccak,
    domain: u8,
    message: &[u8],
    digest: &mut [u8],
) {
    let mut sponge = Sponge::<RATE, ROUNDS>::new(keccak);
    sponge.absorb(message);
    sponge.digest(domain, digest);
}

/// Fills `out` with an extendable-output function of one message.
#[inline(always)]
pub(super) fn fill<const RATE: usize, const ROUNDS: usize>(keccak: Keccak, domain: u8, message: &[u8], out: &mut [u8]) {
    let mut sponge = Sponge::<RATE, ROUNDS>::new(keccak);
    sponge.absorb(message);
    sponge.output(domain, out);
}

/// Adds a byte to the state's byte at `position`.
///
/// With a constant slice of one byte [`xor_bytes`] can keep LLVM 22 busy for ten seconds: it follows a load of eight
/// bytes from the constant, which never happens, over all offsets below 2^32.
#[inline]
pub(super) fn xor_byte(state: &mut State<u64>, position: usize, byte: u8) {
    state[position / 8] ^= u64::from(byte) << (8 * (position % 8));
}

/// Adds `data` to the state's bytes from `position` on.
#[inline]
pub(super) fn xor_bytes(state: &mut State<u64>, position: usize, data: &[u8]) {
    let (mut lane, offset) = (position / 8, position % 8);
    let (head, rest) = data.split_at(if offset == 0 { 0 } else { data.len().min(8 - offset) });
    if !head.is_empty() {
        state[lane] ^= partial(head) << (8 * offset);
        lane += 1;
    }
    let (lanes, tail) = rest.as_chunks::<8>();
    for (lane, bytes) in state[lane..].iter_mut().zip(lanes) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
    if !tail.is_empty() {
        state[lane + lanes.len()] ^= partial(tail);
    }
}

/// Fewer than eight bytes as a little-endian number.
#[inline]
fn partial(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |lane, byte| lane << 8 | u64::from(*byte))
}

/// Copies the state's bytes from `position` on.
#[inline]
pub(super) fn copy_bytes(state: &State<u64>, position: usize, out: &mut [u8]) {
    let (mut lane, offset) = (position / 8, position % 8);
    let at = if offset == 0 { 0 } else { out.len().min(8 - offset) };
    let (head, rest) = out.split_at_mut(at);
    if !head.is_empty() {
        head.copy_from_slice(&state[lane].to_le_bytes()[offset..offset + head.len()]);
        lane += 1;
    }
    for (bytes, lane) in rest.chunks_mut(8).zip(&state[lane..]) {
        bytes.copy_from_slice(&lane.to_le_bytes()[..bytes.len()]);
    }
}
