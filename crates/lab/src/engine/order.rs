//! Who runs after whom: a Williams design.
//!
//! Each row is one round's order. Over one cycle of rows every contestant stands in every place equally often, and
//! follows every other one equally often, so that what one leaves behind (a warm cache, a lowered clock) hits all
//! alike.

/// The rows of a cycle for `n` contestants: `n` rows if `n` is even, `2 n` if it is odd.
pub(crate) fn williams(n: usize) -> Vec<Vec<usize>> {
    // 0, 1, n-1, 2, n-2, …: neighbours differ by every distance once.
    let first: Vec<usize> = (0..n).map(|i| if i % 2 == 1 { i.div_ceil(2) } else { (n - i / 2) % n }).collect();
    let mut rows: Vec<Vec<usize>> =
        (0..n).map(|shift| first.iter().map(|place| (place + shift) % n).collect()).collect();
    if n % 2 == 1 && n > 1 {
        // An odd square is balanced only together with its mirror image.
        rows.extend(rows.clone().into_iter().map(|row| row.into_iter().rev().collect::<Vec<_>>()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::williams;

    #[test]
    fn every_place_and_every_predecessor_equally_often() {
        for n in 1..=12 {
            let rows = williams(n);
            let cycles = if n % 2 == 1 && n > 1 { 2 } else { 1 };
            assert_eq!(rows.len(), n * cycles);
            let mut places = vec![vec![0; n]; n];
            let mut follows = vec![vec![0; n]; n];
            for row in &rows {
                for (place, who) in row.iter().enumerate() {
                    places[*who][place] += 1;
                }
                for pair in row.windows(2) {
                    follows[pair[0]][pair[1]] += 1;
                }
            }
            assert!(places.iter().flatten().all(|count| *count == cycles), "{n}: {places:?}");
            for (a, row) in follows.iter().enumerate() {
                for (b, count) in row.iter().enumerate() {
                    assert_eq!(*count, if a == b { 0 } else { cycles }, "{n}: {a} before {b}");
                }
            }
        }
    }
}
