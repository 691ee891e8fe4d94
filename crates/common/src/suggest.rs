//! "Did you mean …?" for a name that is none.

/// The hint behind an error about `word`: ` (did you mean 'sha3'?)`, or nothing where none of `names` is like it.
pub fn did_you_mean<S: AsRef<str>>(word: &str, names: &[S]) -> String {
    let near = names.iter().map(|name| (distance(word, name.as_ref()), name.as_ref()));
    // Of names as near as each other, the first.
    let best = near.min_by_key(|(edits, _)| *edits);
    let alike = |(edits, _): &(usize, &str)| *edits <= (word.chars().count() / 3).clamp(1, 3);
    best.filter(alike).map(|(_, name)| hint(name)).unwrap_or_default()
}

/// The hint that `name` was meant.
pub fn hint(name: &str) -> String {
    format!(" (did you mean '{name}'?)")
}

/// How many characters must be inserted, deleted, replaced, or swapped with their neighbour, to make `b` of `a`. Case
/// does not count.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|text| text.to_lowercase().chars().collect::<Vec<char>>());
    // rows[i][j]: the distance of the first i characters of a from the first j of b.
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, edits) | (edits, 0) => edits,
                _ => {
                    let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let swapped = if i > 1 && j > 1 && a[i - 2..i] == [b[j - 1], b[j - 2]] {
                        rows[i - 2][j - 2] + 1
                    } else {
                        usize::MAX
                    };
                    replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(swapped)
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kecak", "keccak", 1),
            ("shaek", "shake", 1),
            ("sm3", "sm4", 1),
            ("AB", "ab", 0),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (edits, edits), "{a} {b}");
        }
    }

    #[test]
    fn only_what_is_alike_is_suggested() {
        let names = ["keccak256/message", "sm3/message", "sm4"];
        assert_eq!(did_you_mean("kecak256/mesage", &names), " (did you mean 'keccak256/message'?)");
        assert_eq!(did_you_mean("sm5", &names), " (did you mean 'sm4'?)");
        assert_eq!(did_you_mean("aes", &names), "");
        assert_eq!(did_you_mean::<&str>("aes", &[]), "");
    }
}
