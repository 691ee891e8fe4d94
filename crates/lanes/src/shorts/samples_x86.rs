//! Samples with AVX2 and AVX-512.

use super::Samples;
use crate::token::{Avx2, Avx512Vbmi};
use core::arch::x86_64::*;

/// Where a register takes its words from: of the two bytes that hold a number of 12 bits, for each number of three bytes' two.
const fn halves_of_3<const N: usize>(first: u8) -> [u8; N] {
    let (mut from, mut i) = ([0; N], 0);
    while i < N / 2 {
        let byte = first + (i / 2 * 3 + i % 2) as u8;
        (from[2 * i], from[2 * i + 1]) = (byte, byte + 1);
        i += 1;
    }
    from
}

/// For each set of eight words, a byte shuffle that moves them to the front.
static FRONT: [[u8; 16]; 256] = {
    let (mut shuffles, mut set) = ([[0; 16]; 256], 0);
    while set < 256 {
        let (mut word, mut kept) = (0, 0);
        while word < 8 {
            if set >> word & 1 == 1 {
                (shuffles[set][2 * kept], shuffles[set][2 * kept + 1]) = (2 * word, 2 * word + 1);
                kept += 1;
            }
            word += 1;
        }
        set += 1;
    }
    shuffles
};

/// The sum of the first two bits less that of the others, of 4.
static BINOMIAL_2: [i8; 16] = [0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0];

/// Two halves of 12 bytes: from the first byte on, and from the fifth.
static THREES: [u8; 32] = {
    let (mut from, mut i) = ([0; 32], 0);
    while i < 32 {
        let first = if i < 16 { 0 } else { 4 };
        from[i] = if i % 4 == 3 { 0x80 } else { first + (i % 16 / 4 * 3 + i % 4) as u8 };
        i += 1;
    }
    from
};

/// Two registers' worth of 16 bytes, of which the second begins at `second`.
///
/// # Safety
/// The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn two(bytes: &[u8], first: usize, second: usize) -> __m256i {
    let (first, second) = (&bytes[first..first + 16], &bytes[second..second + 16]);
    // SAFETY: the slices are 16 bytes each.
    unsafe { _mm256_loadu2_m128i(second.as_ptr().cast(), first.as_ptr().cast()) }
}

/// 32 signed bytes as numbers.
///
/// # Safety
/// The CPU has AVX2.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn widen(bytes: __m256i, numbers: &mut [i16; 32]) {
    let (first, second) = (_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes));
    let (halves, _) = numbers.as_chunks_mut::<16>();
    // SAFETY: each half is 32 bytes.
    unsafe {
        _mm256_storeu_si256(halves[0].as_mut_ptr().cast(), _mm256_cvtepi8_epi16(first));
        _mm256_storeu_si256(halves[1].as_mut_ptr().cast(), _mm256_cvtepi8_epi16(second));
    }
}

impl Samples for Avx2 {
    #[inline(always)]
    fn keep_below(self, bytes: &[u8; 48], limit: i16, numbers: &mut [i16; 32]) -> usize {
        /// # Safety
        /// The CPU has AVX2 and `popcnt`.
        #[inline]
        #[target_feature(enable = "avx2,popcnt")]
        unsafe fn go(bytes: &[u8; 48], limit: i16, numbers: &mut [i16; 32]) -> usize {
            static WORDS: [[u8; 16]; 2] = [halves_of_3(0), halves_of_3(4)];
            // SAFETY: two arrays of 16 bytes.
            let order = unsafe { _mm256_loadu_si256(WORDS.as_ptr().cast()) };
            let mut kept = 0;
            for half in 0..2 {
                // SAFETY: as promised.
                let words = _mm256_shuffle_epi8(unsafe { two(bytes, 24 * half, 24 * half + 8) }, order);
                let words = _mm256_blend_epi16::<0b1010_1010>(words, _mm256_srli_epi16::<4>(words));
                let words = _mm256_and_si256(words, _mm256_set1_epi16(0xfff));
                let below = _mm256_cmpgt_epi16(_mm256_set1_epi16(limit), words);
                let sets = _mm_packs_epi16(_mm256_castsi256_si128(below), _mm256_extracti128_si256::<1>(below));
                let sets = _mm_movemask_epi8(sets) as usize;
                for (words, set) in
                    [(_mm256_castsi256_si128(words), sets & 255), (_mm256_extracti128_si256::<1>(words), sets >> 8)]
                {
                    let room = &mut numbers[kept..kept + 8];
                    // SAFETY: a shuffle is 16 bytes, and so is the room.
                    unsafe {
                        let front = _mm_loadu_si128(FRONT[set].as_ptr().cast());
                        _mm_storeu_si128(room.as_mut_ptr().cast(), _mm_shuffle_epi8(words, front));
                    }
                    kept += set.count_ones() as usize;
                }
            }
            kept
        }
        // SAFETY: the token proves AVX2 and `popcnt`.
        unsafe { go(bytes, limit, numbers) }
    }

    #[inline(always)]
    fn binomial_2(self, bytes: &[u8; 16], numbers: &mut [i16; 32]) {
        // SAFETY: the token proves AVX2; the arrays are 16 bytes.
        unsafe {
            let words = _mm256_cvtepu8_epi16(_mm_loadu_si128(bytes.as_ptr().cast()));
            let fours = _mm256_or_si256(words, _mm256_slli_epi16::<4>(words));
            let fours = _mm256_and_si256(fours, _mm256_set1_epi8(15));
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(BINOMIAL_2.as_ptr().cast()));
            widen(_mm256_shuffle_epi8(table, fours), numbers);
        }
    }

    #[inline(always)]
    fn binomial_3(self, bytes: &[u8; 24], numbers: &mut [i16; 32]) {
        // SAFETY: the token proves AVX2; the order is 32 bytes.
        unsafe {
            let order = _mm256_loadu_si256(THREES.as_ptr().cast());
            let bits = _mm256_shuffle_epi8(two(bytes, 0, 8), order);
            let every_third = _mm256_set1_epi32(0x24_9249);
            let sum = _mm256_add_epi32(
                _mm256_and_si256(bits, every_third),
                _mm256_and_si256(_mm256_srli_epi32::<1>(bits), every_third),
            );
            let sums = _mm256_add_epi32(sum, _mm256_and_si256(_mm256_srli_epi32::<2>(bits), every_third));
            // Six bits to each byte.
            let sixes = |at: i32, shifted| _mm256_and_si256(shifted, _mm256_set1_epi32(0x3f << at));
            let low = _mm256_or_si256(sixes(0, sums), sixes(8, _mm256_slli_epi32::<2>(sums)));
            let high = _mm256_or_si256(
                sixes(16, _mm256_slli_epi32::<4>(sums)),
                sixes(24, _mm256_slli_epi32::<6>(sums)),
            );
            let sixes = _mm256_or_si256(low, high);
            let seven = _mm256_set1_epi8(7);
            let second = _mm256_and_si256(_mm256_srli_epi32::<3>(sixes), seven);
            widen(_mm256_sub_epi8(_mm256_and_si256(sixes, seven), second), numbers);
        }
    }
}

impl Samples for Avx512Vbmi {
    #[inline(always)]
    fn keep_below(self, bytes: &[u8; 48], limit: i16, numbers: &mut [i16; 32]) -> usize {
        static WORDS: [u8; 64] = halves_of_3(0);
        // SAFETY: the token proves VBMI, VBMI2, BW; masks and arrays keep loads and stores within what is given.
        unsafe {
            let packed = _mm512_maskz_loadu_epi8((1 << 48) - 1, bytes.as_ptr().cast());
            let words = _mm512_permutexvar_epi8(_mm512_loadu_si512(WORDS.as_ptr().cast()), packed);
            let words = _mm512_srlv_epi16(words, _mm512_set1_epi32(4 << 16));
            let words = _mm512_and_si512(words, _mm512_set1_epi16(0xfff));
            let below = _mm512_cmplt_epi16_mask(words, _mm512_set1_epi16(limit));
            _mm512_storeu_epi16(numbers.as_mut_ptr(), _mm512_maskz_compress_epi16(below, words));
            below.count_ones() as usize
        }
    }

    #[inline(always)]
    fn binomial_2(self, bytes: &[u8; 16], numbers: &mut [i16; 32]) {
        // SAFETY: the token proves BW and VL; the arrays are as long as the registers.
        unsafe {
            let words = _mm256_cvtepu8_epi16(_mm_loadu_si128(bytes.as_ptr().cast()));
            let fours = _mm256_or_si256(words, _mm256_slli_epi16::<4>(words));
            let fours = _mm256_and_si256(fours, _mm256_set1_epi8(15));
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(BINOMIAL_2.as_ptr().cast()));
            _mm512_storeu_epi16(numbers.as_mut_ptr(), _mm512_cvtepi8_epi16(_mm256_shuffle_epi8(table, fours)));
        }
    }

    #[inline(always)]
    fn binomial_3(self, bytes: &[u8; 24], numbers: &mut [i16; 32]) {
        Avx2::from(self).binomial_3(bytes, numbers);
    }
}
