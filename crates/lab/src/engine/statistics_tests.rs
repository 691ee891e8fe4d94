//! The estimator on made-up samples whose truth is known. Every test is seeded: it passes or fails for ever.

use super::*;
use std::f64::consts::TAU;

/// Splitmix64: small, and the same on every machine.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().max(1e-300).ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }

    /// Cauchy: so heavy-tailed that it has no mean.
    fn cauchy(&mut self) -> f64 {
        (TAU / 2.0 * (self.uniform() - 0.5)).tan()
    }
}

/// One row a time, `rounds` long; each sample is the time moved by `noise` in logarithm.
fn rows(times: &[f64], rounds: usize, mut noise: impl FnMut() -> f64) -> Vec<Vec<Option<f64>>> {
    let mut rows = vec![Vec::with_capacity(rounds); times.len()];
    for _ in 0..rounds {
        for (row, time) in rows.iter_mut().zip(times) {
            row.push(Some(time * noise().exp()));
        }
    }
    rows
}

/// Judges all rows but the last, which is the twin of `twin_of`.
fn judged(rows: &[Vec<Option<f64>>], twin_of: usize) -> Judgement {
    let (twin, rest) = rows.split_last().unwrap();
    let rest: Vec<&Samples> = rest.iter().map(Vec::as_slice).collect();
    judge(
        &rest,
        rest[twin_of],
        twin,
        &Processes::default(),
        &Rules { confidence: 0.95, control_limit: 0.02, floor_limit: FLOOR_LIMIT, disturbed: false },
    )
}

fn verdicts(judgement: &Judgement) -> Vec<Verdict> {
    judgement.standings.iter().map(|standing| standing.verdict).collect()
}

fn ranks(judgement: &Judgement) -> Vec<u32> {
    judgement.standings.iter().map(|standing| standing.rank).collect()
}

fn ratio(judgement: &Judgement, i: usize) -> Ratio {
    judgement.standings[i].ratio.unwrap()
}

/// Where what a process draws once moves its ratios more than the noise of its rounds, rounds alone promise too much.
#[test]
fn intervals_reach_over_what_processes_differ_by() {
    let mut noise = Noise(20);
    let (mut by_rounds, mut by_processes, mut beyond) = (0, 0, 0);
    for _ in 0..1000 {
        let mut pair = vec![Vec::new(); 2];
        for _ in 0..5 {
            let shift = 0.01 * noise.normal();
            let mut own = rows(&[shift.exp(), 1.0], 20, || 0.001 * noise.normal());
            pair.iter_mut().zip(&mut own).for_each(|(all, own)| all.append(own));
        }
        let holds = |rounds: &[u32], reach| {
            let processes = Processes { rounds: rounds.to_vec(), reach, drift: 0.0 };
            let Ratio { low, high, .. } = Comparison::of(&pair[0], &pair[1], &processes, 0.05).unwrap().ratio;
            low <= 1.0 && 1.0 <= high
        };
        by_rounds += i32::from(holds(&[], 0.0));
        by_processes += i32::from(holds(&[20; 5], 0.0));
        beyond += i32::from(holds(&[20; 5], reach(5)));
    }
    // 1 − 2⁻⁴ = 93.75 % are promised, with a standard error of 0.8 %.
    assert!(by_processes > 915, "{by_processes}");
    assert!(by_rounds < 800, "{by_rounds}");
    // Beyond the medians by half their range, 99 % for a normal distribution.
    assert!(beyond > 975, "{beyond}");
}

/// However few the processes are, a normal spread between them is enclosed as often.
#[test]
fn fewer_processes_reach_further() {
    const TRIALS: usize = 20_000;
    let mut noise = Noise(23);
    for of in 2..=8 {
        let held = (0..TRIALS).filter(|_| {
            let medians = sorted((0..of).map(|_| noise.normal()).collect());
            let (least, most) = (medians[0], medians[of - 1]);
            let beyond = reach(of) * (most - least);
            least - beyond <= 0.0 && 0.0 <= most + beyond
        });
        // Three standard errors of 99 % are 0.2 %.
        let held = held.count() as f64 / TRIALS as f64;
        assert!(held > 0.988, "{of} processes: {held}");
    }
    assert_eq!([0, 1].map(reach), [0.0; 2]);
}

#[test]
fn one_process_adds_nothing() {
    let mut noise = Noise(21);
    let pair = rows(&[1.1, 1.0], 40, || 0.01 * noise.normal());
    let ratio = |rounds: &[u32]| {
        let processes = Processes { rounds: rounds.to_vec(), reach: reach(5), drift: DRIFT };
        Comparison::of(&pair[0], &pair[1], &processes, 0.05).unwrap().ratio
    };
    assert_eq!(ratio(&[40]), ratio(&[]));
}

#[test]
fn a_process_with_too_few_rounds_leaves_a_pair_undecided() {
    let mut noise = Noise(24);
    let pair = rows(&[1.1, 1.0], 60, || 0.01 * noise.normal());
    let enough = |rounds: &[u32]| {
        let processes = Processes { rounds: rounds.to_vec(), reach: reach(rounds.len()), drift: DRIFT };
        Comparison::of(&pair[0], &pair[1], &processes, 0.05).unwrap().enough
    };
    assert!(enough(&[60]) && enough(&[30, 30]) && enough(&[57, 3]));
    assert!(!enough(&[58, 2]) && !enough(&[30, 0, 30]));
}

#[test]
fn intervals_of_several_processes_leave_room_for_drift() {
    let mut noise = Noise(22);
    let pair = rows(&[1.1, 1.0], 40, || 0.01 * noise.normal());
    let ratio = |drift| {
        let processes = Processes { rounds: vec![20; 2], reach: reach(2), drift };
        Comparison::of(&pair[0], &pair[1], &processes, 0.05).unwrap().ratio
    };
    let (without, with) = (ratio(0.0), ratio(0.01));
    assert_eq!(with.estimate, without.estimate);
    assert!((without.low / with.low - 1.01).abs() < 1e-9 && (with.high / without.high - 1.01).abs() < 1e-9);
}

#[test]
fn an_injected_difference_of_one_percent_is_found() {
    for seed in 0..100 {
        let mut noise = Noise(seed);
        let rows = rows(&[101.0, 100.0, 130.0, 100.0], 60, || 0.005 * noise.normal());
        let judgement = judged(&rows, 1);
        assert_eq!(judgement.fastest, 1, "seed {seed}");
        assert_eq!(verdicts(&judgement), [Verdict::Slower, Verdict::Fastest, Verdict::Slower], "seed {seed}");
        assert!((ratio(&judgement, 0).estimate - 1.01).abs() < 0.004, "seed {seed}");
        assert_eq!(ranks(&judgement), [2, 1, 3], "seed {seed}");
        assert!(judgement.fit);
    }
}

#[test]
fn equal_contestants_tie_in_at_least_95_of_100_runs() {
    for (name, width) in [("normal", 0.005), ("wide", 0.02), ("cauchy", 0.002)] {
        let tied = (0..100)
            .filter(|seed| {
                let mut noise = Noise(1000 + seed);
                let draw = || width * if name == "cauchy" { noise.cauchy() } else { noise.normal() };
                let judgement = judged(&rows(&[100.0, 100.0, 100.0], 40, draw), 0);
                judgement.standings.iter().all(|s| matches!(s.verdict, Verdict::Fastest | Verdict::Tie) && s.rank == 1)
            })
            .count();
        assert!(tied >= 95, "{name}: {tied}");
    }
}

#[test]
fn what_hits_all_alike_moves_no_ratio() {
    type Factor = fn(usize) -> f64;
    let disturbances: [(&str, Factor); 4] = [
        ("drift", |round| 1.0 + round as f64 / 50.0),
        ("periodic", |round| 1.0 + 0.4 * (TAU * round as f64 / 7.0).sin()),
        ("step", |round| if round > 20 { 1.9 } else { 1.0 }),
        ("spikes", |round| if round % 9 == 0 { 30.0 } else { 1.0 }),
    ];
    let mut noise = Noise(7);
    let calm = rows(&[100.0, 101.5, 120.0, 100.0], 50, || 0.003 * noise.normal());
    let expected = judged(&calm, 0);
    for (name, factor) in disturbances {
        let mut disturbed = calm.clone();
        for row in &mut disturbed {
            for (round, sample) in row.iter_mut().enumerate() {
                *sample = sample.map(|time| time * factor(round));
            }
        }
        let found = judged(&disturbed, 0);
        assert_eq!(verdicts(&found), verdicts(&expected), "{name}");
        for i in 0..3 {
            let (found, expected) = (ratio(&found, i), ratio(&expected, i));
            for (a, b) in [(found.estimate, expected.estimate), (found.low, expected.low), (found.high, expected.high)]
            {
                assert!((a - b).abs() < 1e-12, "{name}: {found:?} is not {expected:?}");
            }
        }
    }
}

#[test]
fn one_interval_holds_as_often_as_it_says() {
    for (n, confidence) in [(15, 0.95), (40, 0.95), (101, 0.99)] {
        let held = (0..2000)
            .filter(|seed| {
                let mut noise = Noise(seed * 77);
                let rows = rows(&[105.0, 100.0], n, || 0.01 * noise.normal());
                let found = Comparison::of(&rows[0], &rows[1], &Processes::default(), 1.0 - confidence).unwrap();
                assert!(found.enough);
                found.ratio.low <= 1.05 && 1.05 <= found.ratio.high
            })
            .count();
        // Order statistics are discrete: the interval may hold more often than asked, never noticeably less often.
        assert!(held as f64 >= 2000.0 * confidence - 25.0, "{n}: {held}");
    }
}

#[test]
fn all_intervals_hold_together_whoever_is_chosen_as_the_fastest() {
    let times = [100.0, 100.2, 100.4, 103.0, 110.0, 100.0];
    let held = (0..500)
        .filter(|seed| {
            let mut noise = Noise(seed * 31 + 5);
            let judgement = judged(&rows(&times, 40, || 0.01 * noise.normal()), 0);
            (0..5).all(|i| {
                let (truth, found) = (times[i] / times[judgement.fastest], ratio(&judgement, i));
                found.low <= truth + 1e-12 && truth <= found.high + 1e-12
            })
        })
        .count();
    assert!(held >= 475, "{held}");
}

#[test]
fn contaminated_samples_do_not_hide_a_difference() {
    let mut held = 0;
    for seed in 0..100 {
        let mut noise = Noise(seed);
        let rows = rows(&[100.0, 103.0, 100.0], 80, || {
            let stranger = if noise.uniform() < 0.2 { 0.7 * noise.uniform() } else { 0.0 };
            0.003 * noise.normal() + stranger
        });
        let judgement = judged(&rows, 0);
        assert_eq!(judgement.fastest, 0, "seed {seed}");
        let found = ratio(&judgement, 1);
        assert!((found.estimate - 1.03).abs() < 0.01 && found.low > 1.0, "seed {seed}: {found:?}");
        held += usize::from(found.low <= 1.03 && 1.03 <= found.high);
    }
    assert!(held >= 95, "{held}");
}

#[test]
fn heavy_tails_do_not_hide_a_difference() {
    for seed in 0..50 {
        let mut noise = Noise(seed);
        let judgement = judged(&rows(&[100.0, 102.0, 100.0], 100, || 0.001 * noise.cauchy()), 0);
        assert_eq!(verdicts(&judgement), [Verdict::Fastest, Verdict::Slower], "seed {seed}");
    }
}

#[test]
fn dropped_samples_are_left_out_by_pairs() {
    // The clock halves after half of the rounds, and the faster contestant's samples are kept mostly after that.
    let mut noise = Noise(3);
    let mut rows = rows(&[100.0, 110.0, 100.0], 120, || 0.003 * noise.normal());
    for (i, row) in rows.iter_mut().enumerate() {
        for (round, sample) in row.iter_mut().enumerate() {
            let late = round >= 60;
            *sample = sample.map(|time| if late { 2.0 * time } else { time });
            let drop = match i {
                1 => late && round % 4 != 0,
                _ => !late && round % 4 != 0,
            };
            if drop {
                *sample = None;
            }
        }
    }
    assert!(median(&rows[1]) < median(&rows[0]), "the medians alone mislead");
    let judgement = judged(&rows, 0);
    assert_eq!(verdicts(&judgement), [Verdict::Fastest, Verdict::Slower]);
    assert!((ratio(&judgement, 1).estimate - 1.1).abs() < 0.005);
}

#[test]
fn too_few_rounds_decide_nothing() {
    let needed = rounds_needed(3, 0.95);
    assert_eq!(needed, 7); // 2 / 2^7 < 0.05 / 3
    let mut noise = Noise(1);
    let full = rows(&[100.0, 150.0, 100.0], needed, || 0.003 * noise.normal());
    assert_eq!(verdicts(&judged(&full, 0)), [Verdict::Fastest, Verdict::Slower]);
    let short: Vec<_> = full.iter().map(|row| row[1..].to_vec()).collect();
    let judgement = judged(&short, 0);
    assert_eq!(verdicts(&judgement), [Verdict::Undecided; 2]);
    assert!(!judgement.fit);
    assert!(ratio(&judgement, 1).low > 1.4, "what was measured is still told");

    // One contestant alone lacks rounds: the others keep their verdicts.
    let mut one = full.clone();
    one.insert(1, full[1].iter().enumerate().map(|(i, sample)| sample.filter(|_| i < 2)).collect());
    one.iter_mut().for_each(|row| row.extend_from_within(..));
    one[1].truncate(2);
    let judgement = judged(&one, 0);
    assert_eq!(verdicts(&judgement), [Verdict::Fastest, Verdict::Undecided, Verdict::Slower]);
    assert_eq!(ranks(&judgement), [1, 3, 2]);
    assert!(!judgement.fit);
}

#[test]
fn never_clean_in_one_round_is_no_ratio() {
    let rows = [vec![Some(1.0), None], vec![None, Some(2.0)], vec![None, None]];
    let judgement = judged(&rows, 0);
    assert_eq!(judgement.standings[1], Standing { ratio: None, verdict: Verdict::Undecided, rank: 1 });
    assert_eq!(judgement.control, None);
    assert!(!judgement.fit);
}

#[test]
fn a_control_beyond_the_limit_makes_the_heat_unfit() {
    let mut noise = Noise(9);
    let judgement = judged(&rows(&[100.0, 150.0, 103.0], 50, || 0.001 * noise.normal()), 0);
    assert!(!judgement.fit);
    assert_eq!(verdicts(&judgement), [Verdict::Undecided; 2]);
    assert_eq!(ranks(&judgement), [1, 1]);
}

/// Twins whose medians agree, and who still may differ by a third: nothing is known of the others either.
#[test]
fn a_floor_beyond_the_limit_makes_the_heat_unfit() {
    let mut noise = Noise(15);
    let spread = |width: f64, noise: &mut Noise| {
        let mut rows = rows(&[100.0, 150.0, 100.0], 40, || 0.001 * noise.normal());
        let half = |round: usize| if round.is_multiple_of(2) { width } else { -width };
        rows[2].iter_mut().enumerate().for_each(|(n, sample)| *sample = sample.map(|ns| ns * half(n).exp()));
        judged(&rows, 0)
    };
    let (narrow, wide) = (spread(0.05, &mut noise), spread(0.3, &mut noise));
    assert!(narrow.fit && narrow.floor > 0.04 && narrow.floor < FLOOR_LIMIT, "{}", narrow.floor);
    assert!((wide.control.unwrap().estimate - 1.0).abs() < 0.02 && wide.floor > FLOOR_LIMIT, "{wide:?}");
    assert!(!wide.fit);
    assert_eq!(verdicts(&wide), [Verdict::Undecided; 2]);
}

#[test]
fn no_verdict_is_finer_than_the_floor() {
    // The twins differ by 1 %, surely: then 0.8 % between others is no difference, and 3 % is one.
    let mut noise = Noise(11);
    let judgement = judged(&rows(&[100.0, 100.8, 103.0, 101.0], 50, || 0.0005 * noise.normal()), 0);
    assert!((0.01..0.012).contains(&judgement.floor), "{}", judgement.floor);
    assert!(ratio(&judgement, 1).low > 1.0);
    assert_eq!(verdicts(&judgement), [Verdict::Fastest, Verdict::Tie, Verdict::Slower]);
}

#[test]
fn those_that_cannot_be_told_apart_share_a_rank() {
    let mut noise = Noise(13);
    let judgement = judged(&rows(&[110.0, 100.0, 105.0, 100.0, 105.0, 100.0], 60, || 0.002 * noise.normal()), 1);
    assert_eq!(ranks(&judgement), [5, 1, 3, 1, 3]);
}

#[test]
fn estimates_lie_in_their_intervals() {
    for seed in 0..200 {
        let mut noise = Noise(seed);
        let n = 1 + (noise.uniform() * 60.0) as usize;
        let judgement = judged(&rows(&[100.0, 101.0, 99.0, 100.0], n, || 0.05 * noise.cauchy()), 0);
        for Ratio { estimate, low, high } in judgement.standings.iter().filter_map(|s| s.ratio) {
            assert!(low <= estimate && estimate <= high, "seed {seed}: {low} {estimate} {high}");
        }
    }
}

#[test]
fn order_statistics_are_those_of_the_tables() {
    // Ends of the 95 % sign-test interval, as order statistics from 1: none below 6, then 1 and 6, 6 and 15, 40 and 61.
    assert_eq!(cut(5, 0.05), None);
    assert_eq!(cut(6, 0.05), Some(0));
    assert_eq!(cut(20, 0.05), Some(5));
    assert_eq!(cut(100, 0.05), Some(39));
    assert_eq!(cut(0, 0.05), None);
    // No underflow where 2^-n has none of its digits left: the normal approximation, within one.
    let n: f64 = 5000.0;
    let normal = (n / 2.0 - 1.96 * n.sqrt() / 2.0 - 1.0) as usize;
    assert!(cut(5000, 0.05).unwrap().abs_diff(normal) <= 1);
}

#[test]
fn a_pair_that_shares_no_round_is_told_apart_by_the_fastest() {
    let mut noise = Noise(31);
    let mut rows = rows(&[1.0, 2.0, 7.0, 1.0], 60, || 0.001 * noise.normal());
    for round in 0..60 {
        rows[1 + round % 2][round] = None;
    }
    let judgement = judged(&rows, 0);
    assert_eq!(ranks(&judgement), [1, 2, 3]);
    assert!(judgement.fit);
}

/// As often as it says, the interval of one row holds the true median, whatever the noise.
#[test]
fn a_row_encloses_its_median() {
    let mut noise = Noise(11);
    let held = (0..2000).filter(|_| {
        let rows = rows(&[7.0], 40, || noise.cauchy());
        let found = Enclosed::of(&rows[0], &Processes::default(), 0.05).expect("40 samples are enough");
        assert!(found.low <= found.median && found.median <= found.high);
        found.low <= 7.0 && 7.0 <= found.high
    });
    assert!((1900..=1980).contains(&held.count()));
    assert_eq!(Enclosed::of(&[Some(1.0); 5], &Processes::default(), 0.05), None, "five samples are too few");
}

/// Two heats of several processes share no rounds, and each has its own spread between processes.
#[test]
fn a_row_reaches_over_what_processes_differ_by() {
    let mut noise = Noise(12);
    let row: Vec<Option<f64>> = [1.00, 1.02, 0.99, 1.03, 1.01]
        .iter()
        .flat_map(|of| rows(&[7.0 * of], 20, || 0.001 * noise.normal()).remove(0))
        .collect();
    let processes = Processes { rounds: vec![20; 5], reach: 0.5, drift: 0.0 };
    let found = Enclosed::of(&row, &processes, 0.05).unwrap();
    let pooled = Enclosed::of(&row, &Processes::default(), 0.05).unwrap();
    assert!(found.low < 7.0 * 0.98 && found.high > 7.0 * 1.04, "{found:?}");
    assert!(pooled.low > found.low && pooled.high < found.high);
    let drift = Enclosed::of(&row, &Processes { drift: 0.01, ..processes }, 0.05).unwrap();
    assert!((found.low / drift.low - 1.01).abs() < 1e-9 && (drift.high / found.high - 1.01).abs() < 1e-9);
}

#[test]
fn what_is_made_of_several_rows_takes_in_all_that_they_allow() {
    let (a, b) = (Enclosed { low: 1.0, median: 2.0, high: 4.0 }, Enclosed { low: 8.0, median: 10.0, high: 16.0 });
    assert_eq!(a.plus(b), Enclosed { low: 9.0, median: 12.0, high: 20.0 });
    assert_eq!(a.over(b), Ratio { estimate: 0.2, low: 0.0625, high: 0.5 });
    assert_eq!(a.inverse().times(8.0), Enclosed { low: 2.0, median: 4.0, high: 8.0 });
}
