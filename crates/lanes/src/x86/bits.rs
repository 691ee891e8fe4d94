//! Coefficients from bytes and back, with AVX2 and with AVX-512 VBMI.

use crate::shorts::CoefficientCoding;
use crate::token::{Avx2, Avx512Vbmi};
use core::arch::x86_64::*;

/// The `vpshufb` pattern that moves the two bytes that hold each number of 12 bits into a word of 16 bits; three bytes
/// hold two numbers, the first three being those from byte `first` on.
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

/// For each value of 4 bits, the sum of the first two bits minus that of the others.
static BINOMIAL_2: [i8; 16] = [0, 1, 1, 2, -1, 0, 0, 1, -1, 0, 0, 1, -2, -1, -1, 0];

/// The `vpshufb` pattern that moves 12 bytes, by threes, into four lanes of 32 bits: in the lower half those from
/// byte 0 on, in the upper half those from byte 4 on.
static THREES: [u8; 32] = {
    let (mut from, mut i) = ([0; 32], 0);
    while i < 32 {
        let first = if i < 16 { 0 } else { 4 };
        from[i] = if i % 4 == 3 { 0x80 } else { first + (i % 16 / 4 * 3 + i % 4) as u8 };
        i += 1;
    }
    from
};

/// The 16 bytes from `first` on in the lower half, and those from `second` on in the upper half.
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

/// Sign-extends 32 bytes to 16 bits each.
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

impl CoefficientCoding for Avx2 {
    #[inline(always)]
    fn rejection_sample(self, bytes: &[u8; 48], limit: i16, numbers: &mut [i16]) -> usize {
        static WORDS: [[u8; 16]; 2] = [halves_of_3(0), halves_of_3(4)];
        let (enough, mut own) = (numbers.len() >= 32, [0; 32]);
        let mut kept = 0;
        // SAFETY: the token proves AVX2; the order is two arrays of 16 bytes, and so are a shuffle and the room for
        // eight numbers.
        unsafe {
            let room = if enough { &mut numbers[..32] } else { &mut own };
            let order = _mm256_loadu_si256(WORDS.as_ptr().cast());
            for half in 0..2 {
                let words = _mm256_shuffle_epi8(two(bytes, 24 * half, 24 * half + 8), order);
                let words = _mm256_blend_epi16::<0b1010_1010>(words, _mm256_srli_epi16::<4>(words));
                let words = _mm256_and_si256(words, _mm256_set1_epi16(0xfff));
                let below = _mm256_cmpgt_epi16(_mm256_set1_epi16(limit), words);
                let words = [_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words)];
                let sets = _mm_packs_epi16(_mm256_castsi256_si128(below), _mm256_extracti128_si256::<1>(below));
                let sets = _mm_movemask_epi8(sets) as usize;
                for i in 0..2 {
                    let set = sets >> (8 * i) & 255;
                    let front = _mm_loadu_si128(FRONT[set].as_ptr().cast());
                    let room = &mut room[kept..kept + 8];
                    _mm_storeu_si128(room.as_mut_ptr().cast(), _mm_shuffle_epi8(words[i], front));
                    kept += set.count_ones() as usize;
                }
            }
        }
        if enough {
            return kept;
        }
        for i in 0..numbers.len() {
            numbers[i] = own[i & 31];
        }
        kept.min(numbers.len())
    }

    #[inline(always)]
    fn centered_binomial_2(self, bytes: &[u8; 16], numbers: &mut [i16; 32]) {
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
    fn centered_binomial_3(self, bytes: &[u8; 24], numbers: &mut [i16; 32]) {
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
            // Six bits go to each byte.
            let sixes = |at: i32, shifted| _mm256_and_si256(shifted, _mm256_set1_epi32(0x3f << at));
            let low = _mm256_or_si256(sixes(0, sums), sixes(8, _mm256_slli_epi32::<2>(sums)));
            let high =
                _mm256_or_si256(sixes(16, _mm256_slli_epi32::<4>(sums)), sixes(24, _mm256_slli_epi32::<6>(sums)));
            let sixes = _mm256_or_si256(low, high);
            let seven = _mm256_set1_epi8(7);
            let second = _mm256_and_si256(_mm256_srli_epi32::<3>(sixes), seven);
            widen(_mm256_sub_epi8(_mm256_and_si256(sixes, seven), second), numbers);
        }
    }
}

/// Unpacks 32 numbers of `BITS` bits.
///
/// # Safety
/// The CPU has VBMI and BW, and there are 4 `BITS` bytes.
#[inline]
#[target_feature(enable = "avx512vbmi,avx512bw")]
unsafe fn unpacked<const BITS: usize>(bytes: &[u8]) -> __m512i {
    // SAFETY: arrays are as long as registers, and the mask keeps the load within the bytes.
    unsafe {
        let packed = _mm512_maskz_loadu_epi8(Layout::<BITS>::BYTES, bytes.as_ptr().cast());
        let fours = _mm512_loadu_si512(const { &Layout::<BITS>::FOURS }.as_ptr().cast());
        let shifts = _mm512_loadu_si512(const { &Layout::<BITS>::SHIFTS }.as_ptr().cast());
        let numbers = _mm512_multishift_epi64_epi8(shifts, _mm512_permutexvar_epi8(fours, packed));
        _mm512_and_si512(numbers, _mm512_set1_epi16((1 << BITS) - 1))
    }
}

/// The layout of numbers of `BITS` bits in bytes.
struct Layout<const BITS: usize>;

impl<const BITS: usize> Layout<BITS> {
    const BYTES: u64 = (1 << (4 * BITS)) - 1;
    /// For every four numbers, the eight bytes from the one on in which the first of them begins.
    const FOURS: [u8; 64] = {
        let (mut from, mut i) = ([0; 64], 0);
        while i < 64 {
            from[i] = ((i / 8 * BITS / 2 + i % 8) & 63) as u8;
            i += 1;
        }
        from
    };
    /// The bit of those eight bytes at which each byte of the numbers begins.
    const SHIFTS: [u8; 64] = {
        let (mut from, mut i) = ([0; 64], 0);
        while i < 64 {
            from[i] = (i / 8 * BITS * 4 % 8 + i % 8 / 2 * BITS + i % 2 * 8) as u8;
            i += 1;
        }
        from
    };
    /// The permutations for packing, with their masks. Every four numbers have been packed into 64 bits. The first
    /// permutation moves the bytes of the even groups of four. The second moves those of the odd groups, which are
    /// shifted by 4 bits before where `BITS` is odd, since they then begin within a byte.
    const BACK: [([u8; 64], u64); 2] = {
        let (mut back, mut i) = ([([0; 64], 0); 2], 0);
        while i < 4 * BITS {
            // Eight numbers of `BITS` bits take `BITS` bytes.
            let (eight, byte) = (i / BITS, i % BITS);
            if 2 * byte < BITS {
                back[0].0[i] = (16 * eight + byte) as u8;
                back[0].1 |= 1 << i;
            }
            let begin = BITS / 2;
            if byte >= begin {
                back[1].0[i] = (16 * eight + 8 + byte - begin) as u8;
                back[1].1 |= 1 << i;
            }
            i += 1;
        }
        back
    };
}

impl CoefficientCoding for Avx512Vbmi {
    #[inline(always)]
    fn pack<const BITS: usize>(self, numbers: &[i16; 32], bytes: &mut [u8]) {
        const { assert!(0 < BITS && BITS <= 12) };
        assert_eq!(bytes.len(), 4 * BITS);
        // SAFETY: the token proves VBMI and BW; arrays are as long as registers, and the mask keeps the store within
        // the bytes.
        unsafe {
            let numbers = _mm512_loadu_epi16(numbers.as_ptr());
            let twos = _mm512_madd_epi16(numbers, _mm512_set1_epi32(1 | 1 << (16 + BITS)));
            let gap = (32 - 2 * BITS) as i64;
            let fours = _mm512_srlv_epi64(_mm512_sllv_epi32(twos, _mm512_set1_epi64(gap)), _mm512_set1_epi64(gap));
            let [(even, evens), (odd, odds)] = const { &Layout::<BITS>::BACK };
            let shifted = if BITS.is_multiple_of(2) { fours } else { _mm512_slli_epi64::<4>(fours) };
            let even = _mm512_maskz_permutexvar_epi8(*evens, _mm512_loadu_si512(even.as_ptr().cast()), fours);
            let odd = _mm512_maskz_permutexvar_epi8(*odds, _mm512_loadu_si512(odd.as_ptr().cast()), shifted);
            let all = _mm512_or_si512(even, odd);
            _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), Layout::<BITS>::BYTES, all);
        }
    }

    #[inline(always)]
    fn unpack<const BITS: usize>(self, bytes: &[u8], numbers: &mut [i16; 32]) {
        const { assert!(0 < BITS && BITS <= 12) };
        assert_eq!(bytes.len(), 4 * BITS);
        // SAFETY: the token proves VBMI and BW; there are so many bytes, and the array is as long as the register.
        unsafe { _mm512_storeu_epi16(numbers.as_mut_ptr(), unpacked::<BITS>(bytes)) }
    }

    #[inline(always)]
    fn all_below(self, bytes: &[u8; 48], limit: i16) -> bool {
        // SAFETY: the token proves VBMI and BW; the bytes are 48.
        unsafe { _mm512_cmplt_epi16_mask(unpacked::<12>(bytes), _mm512_set1_epi16(limit)) == u32::MAX }
    }

    #[inline(always)]
    fn rejection_sample(self, bytes: &[u8; 48], limit: i16, numbers: &mut [i16]) -> usize {
        // SAFETY: the token proves VBMI, VBMI2, BW and BMI2; the numbers have room for a register, or the mask keeps the
        // store within them.
        unsafe {
            let all = unpacked::<12>(bytes);
            let below = _mm512_cmplt_epi16_mask(all, _mm512_set1_epi16(limit));
            let (kept, count) = (_mm512_maskz_compress_epi16(below, all), below.count_ones() as usize);
            if numbers.len() >= 32 {
                _mm512_storeu_epi16(numbers.as_mut_ptr(), kept);
                return count;
            }
            let mask = _bzhi_u32(u32::MAX, numbers.len() as u32);
            _mm512_mask_storeu_epi16(numbers.as_mut_ptr(), mask, kept);
            count.min(numbers.len())
        }
    }

    #[inline(always)]
    fn centered_binomial_2(self, bytes: &[u8; 16], numbers: &mut [i16; 32]) {
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
    fn centered_binomial_3(self, bytes: &[u8; 24], numbers: &mut [i16; 32]) {
        Avx2::from(self).centered_binomial_3(bytes, numbers);
    }
}
