//! How numbers are written, the same in every report: times, speeds, ratios with their intervals, percentages, sizes.

use crate::contest::Size;
use crate::engine::statistics::Enclosed;
use crate::run::Ratio;

/// A number with four significant digits, never in exponent form: `5.421`, `741.0`, `12345`.
pub fn number(x: f64) -> String {
    let digits = if x.is_finite() && x != 0.0 { x.abs().log10().floor() as i32 + 1 } else { 1 };
    format!("{x:.*}", (4 - digits).clamp(0, 12) as usize)
}

/// A duration given in ns, in the unit that suits it: `812.0 ns`, `1.941 µs`.
pub fn time(ns: f64) -> String {
    let (value, unit) = in_unit(ns);
    format!("{} {unit}", number(value))
}

fn in_unit(ns: f64) -> (f64, &'static str) {
    match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns if ns < 1e9 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    }
}

/// A number and its interval: `5.421 [5.409, 5.433]`.
pub fn enclosed(Enclosed { low, median, high }: Enclosed) -> String {
    format!("{} [{}, {}]", number(median), number(low), number(high))
}

/// A duration given in ns and its interval, in the unit that suits it: `5.421 [5.409, 5.433] µs`.
pub fn enclosed_time(ns: Enclosed) -> String {
    let (value, unit) = in_unit(ns.median);
    format!("{} {unit}", enclosed(ns.times(value / ns.median)))
}

/// A speed in megabytes (10⁶ bytes) a second, without the unit; empty where bytes make no sense.
pub fn megabytes(bytes_per_second: Option<f64>) -> String {
    bytes_per_second.map(|speed| number(speed / 1e6)).unwrap_or_default()
}

/// A ratio and its interval, `1.24× [1.23, 1.26]`, its ends rounded outwards: as many digits as the interval is worth,
/// and enough to see on which side of 1 it lies.
pub fn ratio(ratio: &Ratio) -> String {
    let Ratio { estimate, low, high } = *ratio;
    let coarsest = if estimate < 10.0 { 2 } else { i32::from(estimate < 100.0) };
    let finest = [high - low, low - 1.0, 1.0 - high].into_iter().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
    // The nudges keep 1.001 − 1 = 0.000999… from a fourth digit, and 1.23 × 100 = 122.999… from becoming 1.22.
    let digits = ((-finest.log10() - 1e-6).ceil() as i32).clamp(coarsest, 6) as usize;
    let step = 10f64.powi(digits as i32);
    let low = (low * step + 1e-6).floor() / step;
    let high = (high * step - 1e-6).ceil() / step;
    format!("{estimate:.digits$}× [{low:.digits$}, {high:.digits$}]")
}

/// A fraction as per cent: `0.40 %`.
pub fn percent(fraction: f64) -> String {
    format!("{:.2} %", fraction * 100.0)
}

/// A confidence as per cent without needless digits: `95 %`, `99.5 %`.
pub fn confidence(fraction: f64) -> String {
    let percent = format!("{:.3}", fraction * 100.0);
    format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
}

/// A size as a reader says it: `32 B`, `1 KiB`, `1024 × 32 B`; what is no size is given back as it is.
pub fn size(text: &str) -> String {
    let bytes = |n: usize| match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
        n if n >= 1 << 10 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
        n => format!("{n} B"),
    };
    match text.parse::<Size>() {
        Ok(Size { count: 1, bytes: n }) => bytes(n),
        Ok(Size { count, bytes: n }) => format!("{count} × {}", bytes(n)),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        for (x, text) in
            [(0.0, "0.000"), (0.05421, "0.05421"), (5.4213, "5.421"), (741.04, "741.0"), (12345.4, "12345")]
        {
            assert_eq!(number(x), text);
        }
        assert_eq!(time(812.0), "812.0 ns");
        assert_eq!(time(1941.2), "1.941 µs");
        assert_eq!(time(2.5e9), "2.500 s");
        let ns = Enclosed { low: 998.0, median: 1941.2, high: 2000.0 };
        assert_eq!(enclosed_time(ns), "1.941 [0.9980, 2.000] µs");
    }

    #[test]
    fn ratios_round_outwards() {
        let spell = |estimate, low, high| ratio(&Ratio { estimate, low, high });
        assert_eq!(spell(1.24, 1.23, 1.26), "1.24× [1.23, 1.26]");
        assert_eq!(spell(1.0042, 1.0031, 1.0052), "1.004× [1.003, 1.006]");
        assert_eq!(spell(12.34, 12.01, 12.61), "12.3× [12.0, 12.7]");
        assert_eq!(spell(250.0, 240.0, 260.0), "250× [240, 260]");
        assert_eq!(spell(1.0, 1.0, 1.0), "1.00× [1.00, 1.00]");
    }

    #[test]
    fn ratios_show_their_side_of_one() {
        let spell = |estimate, low, high| ratio(&Ratio { estimate, low, high });
        assert_eq!(spell(1.0042, 1.0013, 1.0159), "1.004× [1.001, 1.016]");
        assert_eq!(spell(1.0042, 1.001, 1.0159), "1.004× [1.001, 1.016]");
        assert_eq!(spell(0.9921, 0.9741, 0.9994), "0.9921× [0.9741, 0.9994]");
        assert_eq!(spell(1.0042, 0.9998, 1.0159), "1.00× [0.99, 1.02]");
    }
}
