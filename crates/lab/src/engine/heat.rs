//! One heat: one contest at one size and thread count, from agreement to verdicts.

use super::agreement::Question;
use super::crew::{self, Bench};
use super::pmu::Pmu;
use super::probe::Neighbour;
use super::rounds::{self, Length, Rounds, Tempo};
use super::statistics::{self, Judgement, Rules, Samples};
use super::{Entry, Heat, Plan, Watch, agreement, allocations, backends, callgrind, clock, probe};
use crate::contest::{Contest, Contestant, Function, Kind, Label};
use crate::run::{ContestResult, ContestantResult, Control, Disqualified, RunKind, RunUnit, Verdict};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Clean rounds wanted of everybody, full and quick.
const ROUNDS: u32 = 40;
const QUICK_ROUNDS: u32 = 15;

/// A clock that moves by more than this from before a heat to after it is told.
const CLOCK_MOVED: f64 = 0.05;

/// What all heats of a race share.
pub(super) struct Track<'a> {
    pub(super) plan: &'a Plan,
    /// CPUs to pin workers to, the caller's first.
    pub(super) cpus: Vec<u32>,
    /// What is known of the cores, for each number of threads: one's own threads may be each other's neighbours.
    pub(super) neighbours: HashMap<u32, Vec<Neighbour>>,
    pub(super) pmu: Option<Pmu>,
    /// Whether valgrind was asked for and runs.
    pub(super) callgrind: bool,
    pub(super) stop: &'a AtomicBool,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) warnings: Vec<String>,
}

/// One who agreed, and goes to the start.
struct Runner<'a> {
    contestant: &'a Contestant,
    /// One that it answered rightly.
    question: Rc<Question>,
    ns: f64,
}

/// What the rounds gave, and how they were run.
struct Raced {
    rounds: Rounds,
    ops: u64,
    /// The runner that is entered twice; its twin is the last entrant.
    twin_of: usize,
    mhz: [f64; 2],
    bench: Bench,
}

impl Track<'_> {
    /// Tells the watch a line and keeps it for the run.
    pub(super) fn warn(&mut self, line: String) {
        self.watch.note(&line);
        self.warnings.push(line);
    }

    /// Runs a heat; `None` if `stop` came before its first round was over. Where nobody could be raced, the result has
    /// no contestants, and a warning says why.
    pub(super) fn run(&mut self, heat: &Heat, entry: &Entry) -> Option<ContestResult> {
        let (mut runners, mut disqualified) = (Vec::new(), Vec::new());
        for function in entry.contest.functions() {
            match self.qualify(heat, entry, function, &mut disqualified)? {
                Ok(qualified) => runners.extend(qualified),
                Err(why) => {
                    self.warn(why);
                    return Some(self.result(heat, entry, Vec::new()));
                }
            }
        }
        let raced = loop {
            if runners.is_empty() {
                return Some(self.result(heat, entry, disqualified));
            }
            match self.race(heat, &entry.contest, &mut runners) {
                Ok(raced) => break raced,
                Err((who, why)) => disqualified.push(agreement::disqualify(runners.remove(who).contestant, why)),
            }
        };
        if raced.rounds.count == 0 {
            return None;
        }
        let result = self.result(heat, entry, disqualified);
        Some(self.judge(heat, entry, &runners, raced, result))
    }

    /// Asks all who compute `function` everything; an error if its reference fails, `None` if `stop` cut it.
    fn qualify<'c>(
        &mut self,
        heat: &Heat,
        entry: &'c Entry,
        function: &Function,
        disqualified: &mut Vec<Disqualified>,
    ) -> Option<Result<Vec<Runner<'c>>, String>> {
        let too_slow =
            |c: &&Contestant| c.labels.contains(&Label::Reference) && heat.size.total() > entry.contest.reference_limit;
        let of_function = entry.contestants.iter().filter(|c| c.function == function.name);
        let (left_out, entered): (Vec<&Contestant>, Vec<&Contestant>) = of_function.partition(too_slow);
        if !left_out.is_empty() {
            let names: Vec<&str> = left_out.iter().map(|c| c.name.as_str()).collect();
            self.warn(format!("{} {}: too large to time references: {}", heat.id, heat.size, names.join(", ")));
        }
        if entered.is_empty() {
            return Some(Ok(Vec::new()));
        }
        let questions = match agreement::questions(&entry.contest, function, heat.size) {
            Ok(questions) => questions,
            Err(why) => return Some(Err(why)),
        };
        let first = Rc::new(questions[0].clone());
        let mut runners = Vec::new();
        for contestant in &entered {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            match agreement::examine(&entry.contest, contestant, &questions) {
                Ok(()) => runners.push(Runner { contestant, question: Rc::clone(&first), ns: 0.0 }),
                Err(why) => disqualified.push(agreement::disqualify(contestant, why)),
            }
        }
        if runners.is_empty() && agreement::agree_with_each_other(&entered, &first) {
            self.warn(format!(
                "{} {}: all contestants agree with each other, but not with the reference: is it wrong?",
                heat.id, heat.size
            ));
        }
        Some(Ok(runners))
    }

    /// Calibrates and runs the rounds. An error is a runner that failed, and how.
    fn race(&mut self, heat: &Heat, contest: &Contest, runners: &mut [Runner<'_>]) -> Result<Raced, (usize, String)> {
        let panicked = |who| (who, format!("size {}: panicked while it was timed", heat.size));
        let threads = heat.threads as usize;
        let question = Rc::clone(&runners[0].question);
        let mut benches: Vec<Bench> = (0..threads)
            .map(|_| Bench {
                ops: runners.iter().map(|runner| (runner.contestant.make)(heat.size)).collect(),
                input: question.input.clone(),
                output: vec![0; question.answer.len()],
            })
            .collect();
        for (i, runner) in runners.iter_mut().enumerate() {
            runner.ns = rounds::estimate_ns(&mut benches[0], i).ok_or_else(|| panicked(i))?;
        }
        let twin_of = whose_twin(runners);
        for bench in &mut benches {
            bench.ops.push((runners[twin_of].contestant.make)(heat.size));
        }
        let ns: Vec<f64> = runners.iter().map(|runner| runner.ns).chain([runners[twin_of].ns]).collect();
        let plan = self.plan;
        let tempo = Tempo::new(&ns, threads, clock::granularity()).with(plan.counts);
        let length = Length {
            time: Duration::try_from_secs_f64(plan.seconds_per_contest).unwrap_or_default(),
            rounds: wanted_rounds(plan, ns.len()),
            keep_disturbed: plan.keep_disturbed,
        };
        let neighbours = self.neighbours.entry(heat.threads).or_insert_with(|| vec![Neighbour::default(); threads]);
        let before = probe::measured_mhz();
        let mut told = |done, of| self.watch.round(done, of);
        let (rounds, mut bench) =
            crew::with(benches, &self.cpus, |crew| rounds::run(crew, &tempo, length, neighbours, self.stop, &mut told));
        let rounds = rounds.map_err(|who| panicked(if who == runners.len() { twin_of } else { who }))?;
        let mhz = [before, probe::measured_mhz()];
        for (who, runner) in runners.iter().enumerate() {
            let after = |why| (who, format!("size {}: {why}", heat.size));
            agreement::again(contest, runner.contestant, &mut bench.ops[who], &runner.question).map_err(after)?;
        }
        Ok(Raced { rounds, ops: tempo.ops, twin_of, mhz, bench })
    }

    /// What is known before anything is timed.
    fn result(&self, heat: &Heat, entry: &Entry, disqualified: Vec<Disqualified>) -> ContestResult {
        let contest = &entry.contest;
        let bytes = match heat.unit {
            RunUnit::Bytes => heat.size.total() as u64,
            RunUnit::Operations => 0,
        };
        ContestResult {
            id: contest.id.to_owned(),
            suite: contest.suite.to_owned(),
            about: contest.about.to_owned(),
            kind: match contest.kind {
                Kind::OneFunction(_) => RunKind::OneFunction,
                Kind::OneJob(_) => RunKind::OneJob,
            },
            size: heat.size.to_string(),
            threads: heat.threads,
            unit: heat.unit,
            bytes_per_op: bytes,
            ops_per_sample: 0,
            rounds: 0,
            dropped: 0,
            disturbed: 0,
            mhz: [probe::measured_mhz(); 2],
            control: None,
            fit: false,
            contestants: Vec::new(),
            backends: Vec::new(),
            disqualified,
        }
    }

    /// Verdicts, and what is counted outside the samples.
    fn judge(
        &mut self,
        heat: &Heat,
        entry: &Entry,
        runners: &[Runner<'_>],
        mut raced: Raced,
        mut result: ContestResult,
    ) -> ContestResult {
        let title = format!("{} {}", heat.id, heat.size);
        let samples = std::mem::take(&mut raced.rounds.samples);
        let (twin, rows) = samples.split_last().expect("the twin's samples");
        let (judgement, judged) = self.comparable(rows, twin, raced.twin_of);
        let Some(control) = judgement.control.filter(|_| judged.contains(&raced.twin_of)) else {
            self.warn(format!("{title}: left out: the control was disturbed in every round of {}", raced.rounds.count));
            return result;
        };
        for (_, runner) in runners.iter().enumerate().filter(|(i, _)| !judged.contains(i)) {
            self.warn(format!("{title}: {} is left out: it was disturbed in every round", runner.contestant.name));
        }

        result.ops_per_sample = raced.ops;
        result.rounds = raced.rounds.count;
        result.mhz = raced.mhz;
        result.fit = judgement.fit;
        let rows_told = judged.iter().map(|i| &rows[*i]).chain([twin]);
        result.dropped = rows_told.flatten().filter(|sample| sample.is_none()).count() as u32;
        let disturbed = &raced.rounds.disturbed;
        result.disturbed = judged.iter().map(|i| disturbed[*i]).chain(disturbed.last().copied()).sum();
        result.control = Some(Control {
            contestant: runners[raced.twin_of].contestant.name.clone(),
            ratio: control,
            floor: judgement.floor,
            samples: twin.clone(),
        });

        let mut order: Vec<usize> = (0..judged.len()).collect();
        let estimate = |at: usize| judgement.standings[at].ratio.map_or(f64::INFINITY, |ratio| ratio.estimate);
        order.sort_by(|a, b| {
            let rank = |at: usize| (judgement.standings[at].rank, at != judgement.fastest);
            rank(*a).cmp(&rank(*b)).then(estimate(*a).total_cmp(&estimate(*b)))
        });
        for at in order {
            let who = judged[at];
            let standing = judgement.standings[at];
            let (Some(ratio), Some(ns_per_op)) = (standing.ratio, statistics::median(&rows[who])) else { continue };
            let contestant = runners[who].contestant;
            let [cycles_per_op, instructions_per_op] =
                self.count(heat, entry, contestant, who, ns_per_op, &mut raced.bench);
            let speed = 1e9 * result.bytes_per_op as f64 / ns_per_op * f64::from(heat.threads);
            result.contestants.push(ContestantResult {
                name: contestant.name.clone(),
                function: contestant.function.to_owned(),
                library: contestant.library.clone(),
                version: contestant.version.clone(),
                backend: contestant.backend.clone(),
                labels: contestant.labels.clone(),
                how_to_use: contestant.how_to_use.clone(),
                ns_per_op,
                bytes_per_second: (result.unit == RunUnit::Bytes).then_some(speed),
                ratio,
                verdict: standing.verdict,
                rank: standing.rank,
                allocations: allocations::of(|| {
                    raced.bench.run(who, 1);
                }),
                cycles_per_op,
                instructions_per_op,
                samples: rows[who].clone(),
            });
        }
        result.backends = backends::against(&result.contestants, self.plan.confidence);
        self.doubts(&title, &result);
        result
    }

    /// Judges those that were clean beside the fastest at least once: the judgement, and whom it is of.
    fn comparable(&self, rows: &[Vec<Option<f64>>], twin: &Samples, twin_of: usize) -> (Judgement, Vec<usize>) {
        let Plan { confidence, control_limit, keep_disturbed, .. } = *self.plan;
        let rules = Rules { confidence, control_limit, disturbed: keep_disturbed };
        let mut judged: Vec<usize> = (0..rows.len()).collect();
        loop {
            let samples: Vec<&Samples> = judged.iter().map(|i| rows[*i].as_slice()).collect();
            let control = judged.iter().position(|i| *i == twin_of).unwrap_or_default();
            let judgement = statistics::judge(&samples, control, twin, &rules);
            let lost = judgement.standings.iter().position(|standing| standing.ratio.is_none());
            match lost {
                Some(at) => judged.remove(at),
                None => return (judgement, judged),
            };
        }
    }

    /// Cycles and instructions an operation.
    fn count(
        &mut self,
        heat: &Heat,
        entry: &Entry,
        contestant: &Contestant,
        who: usize,
        ns: f64,
        bench: &mut Bench,
    ) -> [Option<f64>; 2] {
        let times = (1e6 / ns).clamp(1.0, 1e6) as u64;
        let run = |times| {
            bench.run(who, times);
        };
        if let Some(counts) = self.pmu.as_mut().and_then(|pmu| pmu.per_op(times, run)) {
            return counts.map(Some);
        }
        if !(self.callgrind && contestant.valgrind && heat.threads == 1) || self.stop.load(Ordering::Relaxed) {
            return [None, None];
        }
        match callgrind::instructions_per_op(&entry.contest, contestant, heat.size, ns) {
            Ok(instructions) => [None, Some(instructions)],
            Err(why) => {
                self.warn(why);
                [None, None]
            }
        }
    }

    /// Says what a reader should know of a heat before believing it.
    fn doubts(&mut self, title: &str, result: &ContestResult) {
        let stopped = self.stop.load(Ordering::Relaxed);
        let limit = self.plan.control_limit;
        if let Some(control) = result.control.as_ref().filter(|control| (control.ratio.estimate - 1.0).abs() > limit) {
            let (name, off) = (&control.contestant, 100.0 * (control.ratio.estimate - 1.0));
            let limit = 100.0 * limit;
            self.warn(format!("{title}: unfit: {name} and its twin differ by {off:+.1} %, the limit is {limit} %"));
        } else if !stopped
            && !self.plan.keep_disturbed
            && result.contestants.iter().any(|c| c.verdict == Verdict::Undecided)
        {
            let (dropped, rounds) = (result.dropped, result.rounds);
            self.warn(format!(
                "{title}: undecided: {dropped} samples of {rounds} rounds were disturbed and too few are left; \
                 try a quieter time, or --time"
            ));
        }
        let [before, after] = result.mhz;
        if (after / before - 1.0).abs() > CLOCK_MOVED {
            self.warn(format!("{title}: the clock moved from {before:.0} to {after:.0} MHz"));
        }
    }
}

/// Who is entered twice: the fastest so far that is not a reference.
fn whose_twin(runners: &[Runner<'_>]) -> usize {
    let slow = |runner: &Runner<'_>| runner.contestant.labels.contains(&Label::Reference);
    let key = |i: &usize| (slow(&runners[*i]), runners[*i].ns);
    let order = |a: &usize, b: &usize| key(a).0.cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1));
    (0..runners.len()).min_by(order).unwrap_or_default()
}

/// Clean rounds to aim at: as many as the mode wants, and no fewer than the intervals need.
fn wanted_rounds(plan: &Plan, entrants: usize) -> u32 {
    let wanted = if plan.quick { QUICK_ROUNDS } else { ROUNDS };
    wanted.max(statistics::rounds_needed(entrants, plan.confidence) as u32)
}
