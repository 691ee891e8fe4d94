//! The estimator: who is faster, by how much, and how sure that is.
//!
//! Contestants are compared in pairs and by round. The log-ratio of two samples of one round is free of whatever hit
//! the whole round: drift, clock, load. The estimate is the *median* of the log-ratios over the rounds in which both
//! samples were clean, so that a stray round moves nothing.
//!
//! The interval is that of the *sign test*. If the true median is m, each log-ratio falls below m with probability ½
//! whatever the distribution is, so the number below m is binomial, and two order statistics of the log-ratios enclose
//! m with a probability that is known exactly. Nothing is assumed of the noise but that rounds are independent.
//!
//! The intervals of a heat hold *together*: with m entrants, the control's twin among them, each of the m (m − 1) / 2
//! pairs gets its share of the error (Bonferroni). All pairs, and not only the m − 1 with the fastest, because the
//! fastest is chosen by looking at the same data: where every pair's interval holds, those of any chosen one hold.
//!
//! Rounds of one process are not independent of each other: its addresses and the pages that it got stay, and move all
//! its ratios alike. Where several processes ran the rounds, an interval therefore also reaches over the medians of all
//! processes. For a ratio whose spread between processes is the larger one, n processes enclose the median of all
//! processes that there could be with probability 1 − 2^(1 − n), whatever their distribution is. That is 94 % for five,
//! of one interval alone, so that among the ten of a heat one would often miss. [`reach`] widens them, the more the
//! fewer processes there are. And all processes of a race share its minutes: what the machine is like an hour later no
//! process of it shows, so that intervals are at least as wide as [`DRIFT`] says.
//!
//! Two twins cannot differ, so what their interval allows is the *floor*: no difference within it is called one. Where
//! it is beyond [`FLOOR_LIMIT`], nothing is said at all.

use crate::run::{Ratio, Settings, Verdict};

/// The share of the range of the processes' medians by which an interval reaches beyond them at each end, for so many
/// processes: 0 for one, which has no range.
///
/// Of 240 heats of twelve races of five processes, 38 had an interval that missed the median of all races with 0, 10
/// with 0.4, 8 with 0.5 and 4 with 0.75 (`docs/measuring.md`). Fewer processes show less of their range: a normal
/// spread is enclosed in 99 of 100 cases with these shares, and with 0.5 in 98, 92 and 70 by four, three and two.
pub fn reach(processes: usize) -> f64 {
    match processes {
        0 | 1 => 0.0,
        2 => 31.5,
        3 => 2.55,
        4 => 0.85,
        _ => 0.5,
    }
}

/// By what share intervals of several processes are wider at each end, besides: ratios of whole races differ by more
/// than those of the processes within one. Of 480 heats of 24 races, 38 had an interval that missed the median of all
/// races without it, 24 with 0.003 and 17 with 0.005 (`docs/measuring.md`).
pub const DRIFT: f64 = 0.005;

/// The floor of a heat may be at most this: twins that may differ by more say nothing of others.
pub const FLOOR_LIMIT: f64 = 0.1;

/// A process with fewer rounds in common says nothing of its own, and leaves a pair undecided.
const TELLING: usize = 3;

/// The processes that ran a heat one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Processes {
    /// The rounds of each, in the order of the samples; empty if there was one.
    pub rounds: Vec<u32>,
    /// [`reach`], or what it was when the heat was judged.
    pub reach: f64,
    /// [`DRIFT`], or what it was then.
    pub drift: f64,
}

/// One contestant's samples in round order; `None` where there is no clean one.
pub type Samples = [Option<f64>];

/// What the samples of one heat say.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Who is fastest: an index of the samples judged.
    pub fastest: usize,
    /// One entry for each contestant, in the order of the samples judged.
    pub standings: Vec<Standing>,
    /// The twin's time over the original's; `None` if they never were clean in one round.
    pub control: Option<Ratio>,
    /// The larger distance from 1 of the control's ends; 0 without a control.
    pub floor: f64,
    /// Whether the control is within its limits and all standings are decided.
    pub fit: bool,
}

/// What may be said of one contestant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Time over the fastest's. `None` if the two never were clean in one round.
    pub ratio: Option<Ratio>,
    /// The verdict.
    pub verdict: Verdict,
    /// 1 + the number of contestants that are surely faster. Where nobody has a verdict all share the first place; who
    /// alone has none, for want of rounds, takes the last.
    pub rank: u32,
}

/// What a heat is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// All intervals hold together with this confidence.
    pub confidence: f64,
    /// The heat is unfit if the control's estimate differs from 1 by more than this.
    pub control_limit: f64,
    /// The heat is unfit, too, if the floor is beyond this.
    pub floor_limit: f64,
    /// Disturbed samples may be among those judged: there are ratios, but no verdicts, and the heat is unfit.
    pub disturbed: bool,
}

impl Settings {
    /// What the heats of a run with these settings are judged by.
    pub fn rules(&self) -> Rules {
        Rules {
            confidence: self.confidence,
            control_limit: self.control_limit,
            floor_limit: self.floor_limit.unwrap_or(f64::INFINITY),
            disturbed: self.keep_disturbed,
        }
    }
}

/// Judges a heat.
///
/// `samples` holds one row a contestant; `twin` are the samples of the control, and `original` those of the contestant
/// that it is, in each process another.
///
/// # Panics
///
/// If `samples` is empty.
pub fn judge(
    samples: &[&Samples],
    original: &Samples,
    twin: &Samples,
    processes: &Processes,
    rules: &Rules,
) -> Judgement {
    let error = share(samples.len() + 1, rules.confidence);
    let compare = |a: &Samples, b: &Samples| Comparison::of(a, b, processes, error);

    let control = compare(twin, original);
    let floor = control.map_or(0.0, |c| (c.ratio.high - 1.0).max(1.0 - c.ratio.low));
    let within = |c: Comparison| c.enough && (c.ratio.estimate - 1.0).abs() <= rules.control_limit;
    let sound = control.is_some_and(within) && floor <= rules.floor_limit && !rules.disturbed;

    let fastest = fastest(samples);
    let against_fastest: Vec<Option<Comparison>> = samples.iter().map(|row| compare(row, samples[fastest])).collect();
    let differ = |c: &Comparison| sound && c.enough && c.ratio.low > 1.0 && c.ratio.estimate - 1.0 > floor;
    // All intervals hold together: two that do not overlap decide a pair that shares too few rounds itself.
    let apart = |slow: usize, fast: usize| match (&against_fastest[slow], &against_fastest[fast]) {
        (Some(a), Some(b)) => sound && a.enough && b.enough && a.ratio.low / b.ratio.high - 1.0 > floor,
        _ => false,
    };
    let surely_slower = |slow: usize, fast: usize| {
        compare(samples[slow], samples[fast]).is_some_and(|c| differ(&c)) || apart(slow, fast)
    };
    let standings: Vec<Standing> = (0..samples.len())
        .map(|i| {
            if i == fastest {
                let verdict = if sound { Verdict::Fastest } else { Verdict::Undecided };
                let one = Ratio { estimate: 1.0, low: 1.0, high: 1.0 };
                return Standing { ratio: Some(one), verdict, rank: 1 };
            }
            let verdict = match &against_fastest[i] {
                Some(c) if differ(c) => Verdict::Slower,
                Some(c) if sound && c.enough => Verdict::Tie,
                _ => Verdict::Undecided,
            };
            let rank = match verdict {
                Verdict::Slower => 1 + (0..samples.len()).filter(|other| surely_slower(i, *other)).count() as u32,
                Verdict::Undecided if sound => samples.len() as u32,
                _ => 1,
            };
            Standing { ratio: against_fastest[i].map(|c| c.ratio), verdict, rank }
        })
        .collect();
    let fit = standings.iter().all(|standing| standing.verdict != Verdict::Undecided);
    Judgement { fastest, standings, control: control.map(|c| c.ratio), floor, fit }
}

/// Median of the samples that are there.
pub fn median(samples: &Samples) -> Option<f64> {
    middle(&sorted(samples.iter().flatten().copied().collect()))
}

/// A median, and what encloses the true one: the interval of a single row.
///
/// Rows of different contests have no rounds in common, so what is made of several is no ratio paired by round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosed {
    /// The lower end.
    pub low: f64,
    /// The median of the samples.
    pub median: f64,
    /// The upper end.
    pub high: f64,
}

impl Enclosed {
    /// Of a row of samples of these processes; `None` if there are too few to be wrong with probability `error` at
    /// most.
    pub fn of(samples: &Samples, processes: &Processes, error: f64) -> Option<Self> {
        // Against ones, the paired estimator is that of the median itself.
        let ones = vec![Some(1.0); samples.len()];
        let Comparison { ratio, .. } = Comparison::of(samples, &ones, processes, error).filter(|c| c.enough)?;
        Some(Self { low: ratio.low, median: ratio.estimate, high: ratio.high })
    }

    /// The sum of two.
    pub fn plus(self, other: Self) -> Self {
        Self { low: self.low + other.low, median: self.median + other.median, high: self.high + other.high }
    }

    /// So many times as much.
    pub fn times(self, factor: f64) -> Self {
        Self { low: factor * self.low, median: factor * self.median, high: factor * self.high }
    }

    /// It, times a ratio: what both intervals allow.
    pub fn by(self, ratio: Ratio) -> Self {
        Self { low: self.low * ratio.low, median: self.median * ratio.estimate, high: self.high * ratio.high }
    }

    /// One over it.
    pub fn inverse(self) -> Self {
        Self { low: 1.0 / self.high, median: 1.0 / self.median, high: 1.0 / self.low }
    }

    /// This over another: what both intervals allow.
    pub fn over(self, other: Self) -> Ratio {
        Ratio { estimate: self.median / other.median, low: self.low / other.high, high: self.high / other.low }
    }
}

/// The fewest rounds from which `entrants` (the twin among them) can be compared with `confidence`.
pub fn rounds_needed(entrants: usize, confidence: f64) -> usize {
    let error = share(entrants, confidence);
    (1..).find(|n| cut(*n, error).is_some()).unwrap_or(usize::MAX)
}

/// Each pair's share of the error when the intervals of all pairs of `entrants`, the twin among them, hold together
/// with `confidence`.
pub fn share(entrants: usize, confidence: f64) -> f64 {
    (1.0 - confidence) / (entrants * (entrants - 1) / 2).max(1) as f64
}

/// Two contestants compared.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// `a`'s time over `b`'s.
    pub ratio: Ratio,
    /// Whether there were rounds enough, in each of several processes too, for the interval to hold with the confidence
    /// asked for.
    pub enough: bool,
}

impl Comparison {
    /// `a`'s time over `b`'s; `None` if there is no round with both. The interval fails with probability `error` at
    /// most, and reaches over the medians of all `processes` and for their drift beyond; no or one process adds
    /// nothing.
    pub fn of(a: &Samples, b: &Samples, processes: &Processes, error: f64) -> Option<Self> {
        let logs = sorted(log_ratios(a, b));
        let n = logs.len();
        let estimate = middle(&logs)?;
        // With too few rounds the widest interval that there is.
        let outside = cut(n, error);
        let at = outside.unwrap_or(0);
        let (mut low, mut high) = (logs[at], logs[n - 1 - at]);
        let medians = medians(a, b, &processes.rounds);
        let all_tell = medians.iter().all(Option::is_some);
        if let [least, .., most] = *sorted(medians.into_iter().flatten().collect()) {
            let beyond = processes.reach * (most - least);
            let drift = processes.drift.ln_1p();
            (low, high) = (low.min(least - beyond) - drift, high.max(most + beyond) + drift);
        }
        let ratio = Ratio { estimate: estimate.exp(), low: low.exp(), high: high.exp() };
        Some(Self { ratio, enough: outside.is_some() && all_tell })
    }
}

/// The median of the log-ratios of each of several processes, `None` of one with too few of them.
fn medians(a: &Samples, b: &Samples, processes: &[u32]) -> Vec<Option<f64>> {
    let mut start = 0;
    let mut medians = Vec::new();
    for rounds in processes.iter().filter(|_| processes.len() > 1) {
        let part = start..(start + *rounds as usize).min(a.len().min(b.len()));
        start = part.end;
        let logs = sorted(log_ratios(&a[part.clone()], &b[part]));
        medians.push(middle(&logs).filter(|_| logs.len() >= TELLING));
    }
    medians
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// `ln(a / b)` of each round that has both.
fn log_ratios(a: &Samples, b: &Samples) -> Vec<f64> {
    a.iter().zip(b).filter_map(|(a, b)| Some(((*a)? / (*b)?).ln())).collect()
}

/// The contestant whose worst pair is best: the one that no other beats in their own pair.
///
/// The medians alone would compare different rounds where different samples were dropped. Where medians of ratios go
/// round in a circle, nobody of it is surely faster, and this takes the one that is beaten least.
fn fastest(samples: &[&Samples]) -> usize {
    let worst = |i: usize| {
        let others = samples.iter().enumerate().filter(|(j, _)| *j != i);
        let against = others.filter_map(|(_, other)| middle(&sorted(log_ratios(samples[i], other))));
        let worst = against.max_by(f64::total_cmp);
        // Alone, a contestant has no pair; never clean beside another, it has nothing to show.
        worst.unwrap_or(if samples.len() == 1 { 0.0 } else { f64::INFINITY })
    };
    let key = |i: &usize| (worst(*i), median(samples[*i]).unwrap_or(f64::INFINITY));
    let keys: Vec<(f64, f64)> = (0..samples.len()).map(|i| key(&i)).collect();
    let order = |a: &usize, b: &usize| keys[*a].0.total_cmp(&keys[*b].0).then(keys[*a].1.total_cmp(&keys[*b].1));
    (0..samples.len()).min_by(order).expect("at least one contestant")
}

/// How many order statistics may be cut from each end of `n`, so that the rest encloses the median but for `error`:
/// the largest k with 2 P(Binomial(n, ½) ≤ k) ≤ `error`. `None` if even k = 0 leaves too much.
fn cut(n: usize, error: f64) -> Option<usize> {
    let mut ln_term = -(n as f64) * std::f64::consts::LN_2; // ln of (n over k) / 2^n, at k = 0
    let mut below = 0.0;
    let mut cut = None;
    for k in 0..n.div_ceil(2) {
        below += ln_term.exp();
        if 2.0 * below > error {
            break;
        }
        cut = Some(k);
        ln_term += ((n - k) as f64).ln() - ((k + 1) as f64).ln();
    }
    cut
}

/// The median of sorted values.
fn middle(sorted: &[f64]) -> Option<f64> {
    let n = sorted.len();
    match n {
        0 => None,
        _ if n % 2 == 1 => Some(sorted[n / 2]),
        _ => Some(f64::midpoint(sorted[n / 2 - 1], sorted[n / 2])),
    }
}

#[cfg(test)]
#[path = "statistics_tests.rs"]
mod tests;
