//! Logarithmic scales: where a value stands, and which values an axis names.

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

    /// Round values, ascending, whose marks stand at least `apart` pixels from each other.
    pub(super) fn ticks(&self, apart: f64) -> Vec<f64> {
        let candidates = if self.high / self.low < 4.0 { self.steps() } else { self.decades() };
        let mut ticks: Vec<f64> = Vec::new();
        // Round ones go first: 1, 10, then 2, 5; of a fine scale 1 itself.
        for x in candidates {
            let clear = |other: &f64| self.distance(x, *other) >= apart;
            if self.at(x).is_some() && ticks.iter().all(clear) {
                ticks.push(x);
            }
        }
        ticks.sort_by(f64::total_cmp);
        ticks
    }

    fn distance(&self, x: f64, y: f64) -> f64 {
        self.at(x).zip(self.at(y)).map_or(f64::INFINITY, |(x, y)| (x - y).abs())
    }

    /// 1, 2 and 5 of every decade.
    fn decades(&self) -> Vec<f64> {
        let powers = self.low.log10().floor() as i32..=self.high.log10().ceil() as i32;
        [1.0, 5.0, 2.0]
            .into_iter()
            .flat_map(|digit| powers.clone().map(move |power| digit * 10f64.powi(power)))
            .collect()
    }

    /// Even steps of 1, 2 or 5 in some decimal place.
    fn steps(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 4.0;
        let decade = 10f64.powi(rough.log10().floor() as i32);
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * decade);
        let all = (self.low / step).ceil() as i64..=(self.high / step).floor() as i64;
        std::iter::once(1.0).chain(all.map(|n| n as f64 * step)).collect()
    }
}

/// Whether a value can stand on a logarithmic scale. Beyond these ends no race measures, and a scale has no end: a file may
/// say what it likes.
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

/// A tick of large numbers: `500`, `50k`, `1.5M`.
pub(super) fn short(x: f64) -> String {
    match x {
        x if x >= 1e6 => format!("{}M", tick(x / 1e6)),
        x if x >= 1e3 => format!("{}k", tick(x / 1e3)),
        x => tick(x),
    }
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
    fn ticks_are_round_and_apart() {
        let ticks =
            |low, high| Scale::over([low, high], 0.0, 240.0).ticks(34.0).into_iter().map(tick).collect::<Vec<_>>();
        assert_eq!(ticks(1.0, 9.0), ["1", "2", "5"]);
        assert_eq!(ticks(1.0, 120.0), ["1", "10", "100"]);
        assert_eq!(ticks(0.99, 1.06), ["1", "1.02", "1.04", "1.06"]);
        assert_eq!(ticks(1.0, 3.0), ["1", "2", "3"]);
    }

    #[test]
    fn pixels_are_short() {
        assert_eq!([pixel(12.0), pixel(12.54)], ["12", "12.5"]);
        assert_eq!([short(500.0), short(50_000.0), short(1.5e6)], ["500", "50k", "1.5M"]);
    }
}
