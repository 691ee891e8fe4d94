//! The decisions that an input stands for.

/// Bytes of an input, taken one after the other; zeros after its end.
pub(crate) struct Input<'a>(pub &'a [u8]);

impl Input<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `limit`, which is not 0; small ones are more frequent.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let number = usize::from(self.byte()) | usize::from(self.byte()) << 8;
        let small = [8, 200, 5000, usize::MAX][usize::from(self.byte() % 4)];
        // Miri takes a thousand times as long.
        let small = if cfg!(miri) { small.min(70) } else { small };
        number % limit.min(small)
    }

    /// Bytes that are not all alike, however short the input is.
    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.fill(&mut bytes);
        bytes
    }

    /// Bytes as they stand in the rest of the input, at most so many, or as many from a seed. Only in the first case a
    /// fuzzer that watches what an input reaches can change one at a time.
    pub(crate) fn rest_or_bytes(&mut self, len: usize) -> Vec<u8> {
        if self.byte().is_multiple_of(2) { self.0.iter().copied().take(len).collect() } else { self.bytes(len) }
    }

    /// [`bytes`](Self::bytes) in a buffer.
    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        let mut state = u64::from_le_bytes(std::array::from_fn(|_| self.byte()));
        fill(&mut state, bytes);
    }

    /// One of several.
    pub(crate) fn choose<'b, T>(&mut self, from: &'b [T]) -> &'b T {
        &from[usize::from(self.byte()) % from.len()]
    }
}

/// Bytes that follow from the state.
pub fn fill(state: &mut u64, bytes: &mut [u8]) {
    for piece in bytes.chunks_mut(8) {
        piece.copy_from_slice(&next(state).to_le_bytes()[..piece.len()]);
    }
}

/// `SplitMix64`.
pub fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
