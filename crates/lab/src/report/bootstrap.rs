//! Estimates of one row of samples with bootstrapped intervals, as criterion makes them.

/// That of the intervals.
pub(super) const CONFIDENCE: f64 = 0.95;
/// An interval's ends cut ten of these from either side.
const RESAMPLES: usize = 400;
/// What makes the median of absolute deviations comparable with a standard deviation.
const NORMAL_MAD: f64 = 1.4826;

/// What is estimated.
const ALL: [fn(&mut [f64]) -> f64; 4] = [mean, median, median_of_deviations, deviation];

/// An estimate, its interval and its standard error.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    pub(super) point: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) error: f64,
}

/// Mean, median, median of absolute deviations and standard deviation of some samples; no numbers where there are none.
pub(super) fn estimates(samples: &[f64]) -> [Estimate; 4] {
    let mut random = Xorshift(0x2545_f491_4f6c_dd1d);
    let mut resampled: [Vec<f64>; 4] = Default::default();
    let mut drawn = samples.to_vec();
    for _ in 0..RESAMPLES {
        drawn.iter_mut().for_each(|sample| *sample = samples[random.below(samples.len())]);
        resampled.iter_mut().zip(ALL).for_each(|(values, of)| values.push(of(&mut drawn)));
    }
    let outside = (1.0 - CONFIDENCE) / 2.0;
    std::array::from_fn(|at| {
        let (values, mut samples) = (&mut resampled[at], samples.to_vec());
        Estimate {
            point: ALL[at](&mut samples),
            low: percentile(values, outside),
            high: percentile(values, 1.0 - outside),
            error: deviation(values),
        }
    })
}

fn mean(samples: &mut [f64]) -> f64 {
    samples.iter().sum::<f64>() / samples.len() as f64
}

fn median(samples: &mut [f64]) -> f64 {
    percentile(samples, 0.5)
}

fn deviation(samples: &mut [f64]) -> f64 {
    let mean = mean(samples);
    (samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (samples.len() as f64 - 1.0).max(1.0)).sqrt()
}

fn median_of_deviations(samples: &mut [f64]) -> f64 {
    let middle = median(samples);
    NORMAL_MAD * median(&mut samples.iter().map(|x| (x - middle).abs()).collect::<Vec<_>>())
}

/// What so large a share of the samples lies below, between two of them by their distances; changes their order.
pub(super) fn percentile(samples: &mut [f64], share: f64) -> f64 {
    if samples.is_empty() {
        return f64::NAN;
    }
    let place = share * (samples.len() - 1) as f64;
    let (_, low, above) = samples.select_nth_unstable_by(place as usize, f64::total_cmp);
    let low = *low;
    let next = above.iter().copied().fold(f64::INFINITY, f64::min);
    if place.fract() == 0.0 { low } else { low + place.fract() * (next - low) }
}

/// Marsaglia's generator from a fixed seed, so that a run always makes the same file.
struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_of_a_known_row() {
        let samples: Vec<f64> = (1..=101).map(f64::from).collect();
        let [mean, median, mad, deviation] = estimates(&samples);
        assert_eq!((mean.point, median.point, mad.point), (51.0, 51.0, NORMAL_MAD * 25.0));
        assert!((deviation.point - 29.3).abs() < 0.1, "{deviation:?}");
        // The standard error of the mean is the deviation over the root of the number.
        assert!((mean.error / (deviation.point / 101f64.sqrt()) - 1.0).abs() < 0.15, "{mean:?}");
        assert!(mean.low < 51.0 && 51.0 < mean.high && median.low < median.high);
        assert_eq!(percentile(&mut [4.0, 1.0, 2.0], 0.75), 3.0);
        assert!(estimates(&[])[0].point.is_nan());
        assert_eq!(estimates(&[2.0])[3].point, 0.0);
    }
}
