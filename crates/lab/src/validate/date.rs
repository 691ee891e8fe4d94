//! Dates as a run spells them: RFC 3339, UTC.

/// Whether `text` is such as `2026-01-31T12:00:00Z`: a day that the calendar has, a time of day, a fraction perhaps.
pub(super) fn is_utc(text: &str) -> bool {
    parts(text).is_some_and(|[year, month, day, hour, minute, second]| {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 => 28 + u32::from(leap),
            _ => 31,
        };
        // 60 is a leap second.
        (1..=12).contains(&month) && (1..=days).contains(&day) && hour < 24 && minute < 60 && second <= 60
    })
}

fn parts(text: &str) -> Option<[u32; 6]> {
    let text = text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00"))?;
    let (date, time) = text.split_once('T')?;
    let time = match time.split_once('.') {
        Some((time, fraction)) if !fraction.is_empty() && fraction.bytes().all(|c| c.is_ascii_digit()) => time,
        Some(_) => return None,
        None => time,
    };
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(time, ':', [2, 2, 2])?;
    Some([year, month, day, hour, minute, second])
}

fn numbers(text: &str, between: char, digits: [usize; 3]) -> Option<[u32; 3]> {
    let mut numbers = [0; 3];
    let mut parts = text.split(between);
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let part = parts.next().filter(|part| part.len() == digits && part.bytes().all(|c| c.is_ascii_digit()))?;
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::is_utc;

    #[test]
    fn dates() {
        for good in ["2026-01-31T12:00:00Z", "2024-02-29T23:59:60.125Z", "2026-12-01T00:00:00+00:00"] {
            assert!(is_utc(good), "{good}");
        }
        for bad in ["", "yesterday", "2026-02-29T12:00:00Z", "2026-13-01T12:00:00Z", "2026-01-01T24:00:00Z"] {
            assert!(!is_utc(bad), "{bad}");
        }
        for bad in ["2026-01-31 12:00:00Z", "2026-01-31T12:00:00", "2026-1-31T12:00:00Z", "2026-01-31T12:00:00.Z"] {
            assert!(!is_utc(bad), "{bad}");
        }
    }
}
