//! Scales: where a value stands, and which values an axis names. Sizes stand on a logarithmic scale; ratios to the
//! fastest on a linear one that begins at 1 and ends at [`MOST`] at the latest, so that a factor of 1.2 can be seen.

/// A logarithmic scale from `low` to `high` onto pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// The scale that shows every value, with a little air, from pixel `from` to pixel `to`. What cannot stand on a
    /// logarithmic scale (0, negative, not a number) is not shown.
    pub(super) fn over(values: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Self {
        let fit = values.into_iter().filter(|x| drawable(*x));
        let (low, high) = fit.fold((f64::INFINITY, 0.0), |(low, high), x| (x.min(low), x.max(high)));
        let (low, high) = if low > high { (1.0, 1.0) } else { (low, high) };
        // Values that hardly differ are to look like that.
        let air = (high / low).max(1.05).powf(0.04);
        Self { low: low / air, high: high * air, from, to }
    }

    /// The pixel of a value; none outside the scale.
    pub(super) fn at(&self, x: f64) -> Option<f64> {
        let share = (x / self.low).ln() / (self.high / self.low).ln();
        // The slack is for values that rounding puts just outside.
        (drawable(x) && (-1e-9..=1.0 + 1e-9).contains(&share)).then_some(self.from + share * (self.to - self.from))
    }
}

/// The largest ratio that a scale shows; larger ones are clipped.
pub(super) const MOST: f64 = 3.0;
/// The ends that a scale of ratios may have.
const ENDS: [f64; 6] = [1.1, 1.25, 1.5, 2.0, 2.5, MOST];

/// A linear scale of ratios, from 1 (or a little below) to `end`, onto pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratios {
    begin: f64,
    end: f64,
    from: f64,
    to: f64,
}

impl Ratios {
    /// The scale that shows every ratio up to [`MOST`], from pixel `from` to pixel `to`.
    pub(super) fn over(ratios: impl IntoIterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut least, mut most) = (1.0_f64, 1.0_f64);
        for ratio in ratios.into_iter().filter(|ratio| drawable(*ratio) && *ratio <= MOST) {
            (least, most) = (least.min(ratio), most.max(ratio));
        }
        let end = ENDS.into_iter().find(|end| *end >= most).unwrap_or(MOST);
        Self { begin: least.clamp(1.0 - 0.5 * (end - 1.0), 1.0), end, from, to }
    }

    /// The largest ratio on the scale.
    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// The pixel of a ratio; `None` outside the scale.
    pub(super) fn at(&self, ratio: f64) -> Option<f64> {
        let share = (ratio - self.begin) / (self.end - self.begin);
        (-1e-9..=1.0 + 1e-9).contains(&share).then_some(self.from + share * (self.to - self.from))
    }

    /// The pixel of a ratio, which is clipped to the scale.
    pub(super) fn clipped(&self, ratio: f64) -> Option<f64> {
        if drawable(ratio) { self.at(ratio.clamp(self.begin, self.end)) } else { None }
    }

    /// Round ratios, ascending from 1, whose marks stand at least `apart` pixels from each other.
    pub(super) fn ticks(&self, apart: f64) -> Vec<f64> {
        let pixels = (self.to - self.from).abs() / (self.end - self.begin);
        let wide = |step: &f64| step * pixels >= apart;
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5].into_iter().find(wide).unwrap_or(1.0);
        (0..).map(|n| 1.0 + f64::from(n) * step).take_while(|ratio| *ratio <= self.end + 1e-9).collect()
    }
}

/// Whether a value can stand on a logarithmic scale. Beyond these ends no race measures, and a scale has no end: a file
/// may say what it likes.
pub(super) fn drawable(x: f64) -> bool {
    (1e-30..=1e30).contains(&x)
}

/// A pixel with one decimal, as short as it goes: `12`, `12.5`.
pub(super) fn pixel(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A tick without needless digits: `1`, `0.5`, `1.05`, `1000`.
pub(super) fn tick(x: f64) -> String {
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_have_air_and_nothing_stands_outside() {
        let scale = Scale::over([1.0, 100.0, f64::NAN, 0.0, -3.0, f64::INFINITY, 1e308, 5e-324], 0.0, 200.0);
        let middle = scale.at(10.0).expect("inside");
        assert!((middle - 100.0).abs() < 1e-9, "{middle}");
        assert!(scale.at(1.0).is_some_and(|x| x > 0.0) && scale.at(100.0).is_some_and(|x| x < 200.0));
        for odd in [0.5, 1e4, 0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(scale.at(odd), None, "{odd}");
        }
        assert!(Scale::over([], 0.0, 10.0).at(1.0).is_some());
    }

    #[test]
    fn a_scale_of_ratios_shows_small_factors() {
        let ticks = |most: f64| -> Vec<String> {
            Ratios::over([1.0, most], 0.0, 240.0).ticks(34.0).into_iter().map(tick).collect()
        };
        assert_eq!(
            ticks(120.0),
            ["1", "1.02", "1.04", "1.06", "1.08", "1.1"],
            "what is clipped does not widen the scale"
        );
        assert_eq!(ticks(1.9), ["1", "1.2", "1.4", "1.6", "1.8", "2"]);
        assert_eq!(ticks(2.9), ["1", "1.5", "2", "2.5", "3"]);
        let scale = Ratios::over([0.98, 2.6, 18.0, f64::NAN], 0.0, 100.0);
        assert!(scale.at(0.98).is_some() && scale.at(18.0).is_none() && scale.clipped(f64::NAN).is_none());
        assert_eq!((scale.end(), scale.clipped(18.0)), (3.0, Some(100.0)));
    }

    #[test]
    fn pixels_are_short() {
        assert_eq!([pixel(12.0), pixel(12.54)], ["12", "12.5"]);
    }
}
