//! One heat: one contest at one size and thread count, from agreement to verdicts.

use super::agreement::Question;
use super::cold::{CALLS, Flush};
use super::cores::Cores;
use super::energy::{self, Packages};
use super::placement::{Buffer, Entrant};
use super::pmu::Pmu;
use super::rounds::{self, Failure, Rounds, SampleSize, StopRule};
use super::statistics;
use super::workers::{self, WorkerState};
use super::{
    Entry, Heat, Observer, RaceConfig, agreement, allocations, callgrind, clock, consensus, peak_stack, probe,
};
use crate::contest::{Contest, Contestant, Function, Kind, Label};
use crate::machine;
use crate::run::{
    ContestResult, ContestantResult, Control, Disqualified, Ratio, Remark, RunKind, RunUnit, Settings, Text, Verdict,
    Warning,
};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Clean rounds wanted of each contestant, in a full and in a quick race.
const ROUNDS: u32 = 40;
const QUICK_ROUNDS: u32 = 15;

/// A contestant's ratio to itself.
const ONE: Ratio = Ratio { estimate: 1.0, low: 1.0, high: 1.0 };

/// The state that all heats of a race share.
pub(super) struct Session<'a> {
    pub(super) config: &'a RaceConfig,
    pub(super) settings: Settings,
    pub(super) cores: Cores,
    /// Time that is left to wait for quiet beyond each heat's own.
    pub(super) patience: Duration,
    pub(super) pmu: Option<Pmu>,
    /// Time of an operation that does nothing.
    pub(super) nothing_ns: Option<f64>,
    /// Whether valgrind was asked for and runs.
    pub(super) callgrind: bool,
    /// What makes caches cold, if that was asked for.
    pub(super) flush: Option<Flush>,
    /// The packages whose energy is counted, if that was asked for and can be.
    pub(super) packages: Option<Packages>,
    pub(super) stop: &'a AtomicBool,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) warnings: Vec<Text<Warning>>,
}

/// A contestant whose answers were right.
struct Qualified<'a> {
    contestant: &'a Contestant,
    /// A question that it answered.
    question: Rc<Question>,
    ns: f64,
}

impl Qualified<'_> {
    /// Its result, in which nothing that follows from the samples is filled in yet.
    fn with(&self, samples: Vec<Option<f64>>, ops_per_sample: u64) -> ContestantResult {
        let contestant = self.contestant;
        ContestantResult {
            name: contestant.name.clone(),
            function: contestant.function.to_owned(),
            library: contestant.library.clone(),
            version: contestant.version.clone(),
            backend: contestant.backend.clone(),
            labels: contestant.labels.clone(),
            how_to_use: contestant.how_to_use.clone(),
            ns_per_op: 0.0,
            bytes_per_second: None,
            ratio: ONE,
            verdict: Verdict::Undecided,
            rank: 1,
            allocations: None,
            cycles_per_op: None,
            instructions_per_op: None,
            ops_per_sample,
            samples,
            cold: Vec::new(),
            code_bytes: None,
            microjoules_per_op: None,
            peak_heap_bytes: None,
            peak_stack_bytes: None,
            leak: None,
        }
    }
}

/// The samples, and how they were taken.
struct Measured<'a> {
    rounds: Rounds,
    /// Operations in a sample of each entrant.
    ops: Vec<u64>,
    /// The one that is entered twice; its twin is the last entrant.
    twin_of: usize,
    mhz: [f64; 2],
    seconds: f64,
    stolen: Option<f64>,
    state: WorkerState<'a>,
}

/// Why one of those who qualified does not race.
enum Out {
    /// It failed, and how.
    Failed(usize, String),
    /// Its samples are too short for its clock.
    TooShort(usize),
}

/// Whether a contestant is a reference, and the size is one at which references are not timed.
fn too_slow(heat: &Heat, entry: &Entry, contestant: &Contestant) -> bool {
    contestant.labels.contains(&Label::Reference) && heat.size.total() > entry.contest.reference_limit
}

impl Session<'_> {
    /// Reports a warning to the observer and keeps it for the run.
    pub(super) fn warn(&mut self, warning: Warning) {
        let warning = Text::of(warning);
        self.observer.note(&warning);
        self.warnings.push(warning);
    }

    /// The same of what happened in a heat.
    fn remark(&mut self, heat: &Heat, what: Remark) {
        self.warn(Warning::of(heat.id, heat.size, what));
    }

    /// Runs a heat; `None` if `stop` came before its first round was over. Where nobody could be raced, the result has
    /// no contestants, and a warning says why.
    pub(super) fn run(&mut self, heat: &Heat, entry: &Entry) -> Option<ContestResult> {
        self.cores.choose_anew();
        let left_out = entry.contestants.iter().filter(|c| too_slow(heat, entry, c));
        let names: Vec<String> = left_out.map(|c| c.name.clone()).collect();
        if !names.is_empty() {
            self.remark(heat, Remark::ReferencesLeftOut { names });
        }
        let (mut qualified, mut disqualified) = (Vec::new(), Vec::new());
        for function in entry.contest.functions() {
            match self.qualify(heat, entry, function, &mut disqualified)? {
                Ok(right) => qualified.extend(right),
                Err(why) => {
                    self.remark(heat, Remark::ReferenceFailed { function: function.name.to_owned(), why });
                    return Some(self.result(heat, entry, Vec::new()));
                }
            }
        }
        let measured = loop {
            if qualified.is_empty() {
                return Some(self.result(heat, entry, disqualified));
            }
            match self.race(heat, &entry.contest, &mut qualified) {
                Ok(measured) => break measured,
                Err(Out::Failed(who, why)) => {
                    disqualified.push(agreement::disqualify(qualified.remove(who).contestant, why));
                }
                Err(Out::TooShort(who)) => {
                    let name = qualified.remove(who).contestant.name.clone();
                    self.remark(heat, Remark::ContestantTooShort { name });
                }
            }
        };
        if measured.rounds.count == 0 {
            return None;
        }
        let result = self.result(heat, entry, disqualified);
        Some(self.judge(heat, entry, &qualified, measured, result))
    }

    /// Checks the answers of all contestants that compute `function`; an error if its reference fails, `None` if `stop`
    /// is set.
    fn qualify<'c>(
        &mut self,
        heat: &Heat,
        entry: &'c Entry,
        function: &Function,
        disqualified: &mut Vec<Disqualified>,
    ) -> Option<Result<Vec<Qualified<'c>>, String>> {
        let of_function = entry.contestants.iter().filter(|c| c.function == function.name);
        let entered: Vec<&Contestant> = of_function.filter(|c| !too_slow(heat, entry, c)).collect();
        if entered.is_empty() {
            return Some(Ok(Vec::new()));
        }
        let questions = match entry.contest.kind {
            Kind::Own(_) => match consensus::questions(&entry.contest, &entered, heat.size) {
                Ok(questions) => questions,
                Err(reasons) => {
                    let out = entered.iter().zip(reasons).map(|(one, why)| agreement::disqualify(one, why));
                    disqualified.extend(out);
                    return Some(Ok(Vec::new()));
                }
            },
            _ => match agreement::questions(&entry.contest, function, heat.size, self.inputs()) {
                Ok(questions) => questions,
                Err(why) => return Some(Err(why)),
            },
        };
        let first = Rc::new(questions[0].clone());
        let mut qualified = Vec::new();
        for contestant in &entered {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            match agreement::examine(&entry.contest, contestant, &questions) {
                Ok(()) => qualified.push(Qualified { contestant, question: Rc::clone(&first), ns: 0.0 }),
                Err(why) => disqualified.push(agreement::disqualify(contestant, why)),
            }
        }
        if let (Kind::Own(_), [alone]) = (&entry.contest.kind, qualified.as_slice()) {
            self.remark(heat, Remark::Other(consensus::nobody_else(&alone.contestant.name)));
        }
        if qualified.is_empty() && agreement::agree_with_each_other(&entered, &first) {
            self.remark(heat, Remark::ReferenceSuspected);
        }
        Some(Ok(qualified))
    }

    /// How many inputs a contestant answers. What all answered in the first process is not asked again in the others.
    fn inputs(&self) -> u64 {
        if self.config.process.index == 0 { agreement::INPUTS } else { 1 }
    }

    /// Calibrates and runs the rounds. An error is one that must go before the others can race.
    fn race<'c>(
        &mut self,
        heat: &Heat,
        contest: &Contest,
        qualified: &mut [Qualified<'c>],
    ) -> Result<Measured<'c>, Out> {
        let panicked = |who| Out::Failed(who, format!("size {}: panicked while it was timed", heat.size));
        let threads = heat.threads as usize;
        let question = Rc::clone(&qualified[0].question);
        let enter = |one: &Qualified<'c>| Entrant::new(&*one.contestant.make, heat.size);
        let mut states: Vec<WorkerState<'c>> = (0..threads)
            .map(|_| WorkerState {
                entrants: qualified.iter().map(enter).collect(),
                input: Buffer::new(&question.input),
                output: Buffer::new(&vec![0; question.answer.len()]),
            })
            .collect();
        for (i, one) in qualified.iter_mut().enumerate() {
            one.ns = rounds::estimate_ns(&mut states[0], i).ok_or_else(|| panicked(i))?;
        }
        let twin_of = whose_twin(qualified, self.config.process.index);
        for state in &mut states {
            state.entrants.push(enter(&qualified[twin_of]));
        }
        let ns: Vec<f64> = qualified.iter().map(|one| one.ns).chain([qualified[twin_of].ns]).collect();
        let config = self.config;
        let sample_size = SampleSize::new(&ns, threads, clock::granularity()).with(config.counts);
        let length = StopRule {
            time: Duration::try_from_secs_f64(config.seconds_per_contest).unwrap_or_default(),
            more: self.patience,
            rounds: wanted_rounds(config, ns.len()),
            keep_disturbed: config.keep_disturbed,
        };
        let mut neighbours = self.cores.neighbours(heat.threads);
        let (start, ticks) = (Instant::now(), machine::ticks());
        let before = probe::measured_mhz();
        let names: Vec<&str> = qualified.iter().map(|one| one.contestant.name.as_str()).collect();
        let mut told = |done, of, ns: &[f64]| {
            self.observer.round(done, of);
            // The twin comes last, and has no name of its own.
            self.observer.sampled(&mut names.iter().copied().zip(ns.iter().copied()));
        };
        let (rounds, mut state) = workers::with(states, self.cores.cpus(), |workers| {
            rounds::run(workers, &sample_size, length, &mut neighbours, self.stop, &mut told)
        });
        self.cores.learnt(neighbours);
        let elapsed = start.elapsed();
        self.patience = self.patience.saturating_sub(elapsed.saturating_sub(length.patience()));
        let stolen = ticks.zip(machine::ticks()).and_then(|(before, after)| stolen(before, after));
        let original = |entrant| if entrant == qualified.len() { twin_of } else { entrant };
        let rounds = rounds.map_err(|failure| match failure {
            Failure::Panicked(entrant) => panicked(original(entrant)),
            Failure::TooShort(entrant) => Out::TooShort(original(entrant)),
        })?;
        let mhz = [before, probe::measured_mhz()];
        for (who, one) in qualified.iter().enumerate() {
            let after = |why| Out::Failed(who, format!("size {}: {why}", heat.size));
            agreement::again(contest, one.contestant, &mut state.entrants[who].op, &one.question).map_err(after)?;
        }
        Ok(Measured { rounds, ops: sample_size.ops, twin_of, mhz, seconds: elapsed.as_secs_f64(), stolen, state })
    }

    /// A result without samples.
    fn result(&self, heat: &Heat, entry: &Entry, disqualified: Vec<Disqualified>) -> ContestResult {
        let contest = &entry.contest;
        let bytes = match heat.unit {
            RunUnit::Bytes => heat.size.total() as u64,
            RunUnit::Operations => 0,
        };
        ContestResult {
            id: Text::of(contest.id),
            suite: contest.suite.to_owned(),
            about: contest.about.to_owned(),
            conditions: contest.conditions,
            kind: match contest.kind {
                Kind::OneFunction(_) | Kind::Own(_) => RunKind::OneFunction,
                Kind::OneJob(_) => RunKind::OneJob,
            },
            size: Text::of(heat.size),
            threads: heat.threads,
            unit: heat.unit,
            bytes_per_op: bytes,
            ops_per_sample: 0,
            rounds: 0,
            dropped: 0,
            disturbed: 0,
            mhz: [probe::measured_mhz(); 2],
            seconds: None,
            stolen: None,
            pinned_cpu: self.cores.pinned(),
            nothing_ns: self.nothing_ns,
            processes: Vec::new(),
            reach: 0.0,
            drift: 0.0,
            control: None,
            fit: false,
            contestants: Vec::new(),
            backends: Vec::new(),
            disqualified,
        }
    }

    /// Adds verdicts, and what is counted outside the samples.
    fn judge(
        &mut self,
        heat: &Heat,
        entry: &Entry,
        qualified: &[Qualified<'_>],
        mut measured: Measured<'_>,
        result: ContestResult,
    ) -> ContestResult {
        let mut rows = std::mem::take(&mut measured.rounds.samples);
        let twin = rows.pop().expect("the twin's samples");
        let mut judged = ContestResult {
            rounds: measured.rounds.count,
            mhz: measured.mhz,
            seconds: Some(measured.seconds),
            stolen: measured.stolen,
            control: Some(Control {
                contestant: qualified[measured.twin_of].contestant.name.clone(),
                ratio: ONE,
                floor: 0.0,
                samples: twin,
            }),
            contestants: qualified
                .iter()
                .zip(rows)
                .zip(&measured.ops)
                .map(|((q, row), ops)| q.with(row, *ops))
                .collect(),
            ..result.clone()
        };
        let Some(left_out) = judged.judge(&self.settings) else {
            self.remark(heat, Remark::ControlDisturbed { rounds: measured.rounds.count });
            return result;
        };
        for name in left_out {
            self.remark(heat, Remark::ContestantDisturbed { name });
        }
        judged.ops_per_sample = judged.contestants.first().map_or(0, |fastest| fastest.ops_per_sample);
        let disturbed = &measured.rounds.disturbed;
        judged.disturbed = disturbed.last().copied().unwrap_or_default();
        for own in &mut judged.contestants {
            let who = place(qualified, own);
            let contestant = qualified[who].contestant;
            judged.disturbed += disturbed[who];
            self.count(heat, entry, contestant, who, own, &mut measured.state);
            own.cold = self.cold_calls(heat, contestant, who, &mut measured.state);
            self.count_memory(contestant, who, own, &mut measured.state);
        }
        self.count_energy(heat, qualified, &mut judged.contestants, &mut measured.state);
        self.doubts(heat, &judged);
        judged
    }

    /// Counts allocations, and the most memory in use at once, if that was asked for. What another process does is not
    /// seen here.
    fn count_memory(
        &self,
        contestant: &Contestant,
        who: usize,
        own: &mut ContestantResult,
        state: &mut WorkerState<'_>,
    ) {
        if times_itself(contestant) {
            return;
        }
        let counted = allocations::of(|| {
            state.run(who, 1);
        });
        own.allocations = counted.map(|counted| counted.made);
        if self.config.memory {
            own.peak_heap_bytes = counted.map(|counted| counted.peak);
            let WorkerState { entrants, input, output } = state;
            own.peak_stack_bytes = peak_stack::of(&mut entrants[who].op, input.bytes(), output.bytes_mut());
        }
    }

    /// Counts the energy of an operation, if that was asked for. Contestants alternate, so that drift hits all alike.
    fn count_energy(
        &self,
        heat: &Heat,
        qualified: &[Qualified<'_>],
        contestants: &mut [ContestantResult],
        state: &mut WorkerState<'_>,
    ) {
        let Some(packages) = self.packages.as_ref().filter(|_| heat.threads == 1) else { return };
        let mut found = vec![Vec::new(); contestants.len()];
        for _ in 0..energy::RUNS {
            for (own, found) in contestants.iter().zip(&mut found) {
                let who = place(qualified, own);
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                if !times_itself(qualified[who].contestant) {
                    found.push(packages.per_op(energy::TIME, own.ns_per_op, |times| {
                        state.run(who, times);
                    }));
                }
            }
        }
        for (own, found) in contestants.iter_mut().zip(found) {
            own.microjoules_per_op = statistics::median(&found);
        }
    }

    /// Times single calls with cold caches, if that was asked for: this process's share of them.
    fn cold_calls(
        &mut self,
        heat: &Heat,
        contestant: &Contestant,
        who: usize,
        state: &mut WorkerState<'_>,
    ) -> Vec<f64> {
        let calls = CALLS.div_ceil(self.config.process.of.max(1));
        match &mut self.flush {
            Some(flush) if heat.threads == 1 && !times_itself(contestant) => flush.times(calls, || {
                state.run(who, 1);
            }),
            _ => Vec::new(),
        }
    }

    /// Counts cycles and instructions of an operation, and the code that it executes.
    fn count(
        &mut self,
        heat: &Heat,
        entry: &Entry,
        contestant: &Contestant,
        who: usize,
        own: &mut ContestantResult,
        state: &mut WorkerState<'_>,
    ) {
        if times_itself(contestant) {
            return;
        }
        let times = (1e6 / own.ns_per_op).clamp(1.0, 1e6) as u64;
        let run = |times| {
            state.run(who, times);
        };
        if let Some(counts) = self.pmu.as_mut().and_then(|pmu| pmu.per_op(times, run)) {
            [own.cycles_per_op, own.instructions_per_op] = counts.map(Some);
        }
        if !(self.callgrind && contestant.valgrind && heat.threads == 1) || self.stop.load(Ordering::Relaxed) {
            return;
        }
        match callgrind::count(&entry.contest, contestant, heat.size, own.ns_per_op) {
            Ok(counted) => {
                own.instructions_per_op = own.instructions_per_op.or(Some(counted.instructions_per_op));
                own.code_bytes = Some(counted.code_bytes);
            }
            Err(why) => self.warn(Warning::Other(why)),
        }
    }

    /// Adds the warnings about a heat.
    fn doubts(&mut self, heat: &Heat, result: &ContestResult) {
        let stopped = self.stop.load(Ordering::Relaxed);
        let doubts = result.doubts(&self.settings, stopped);
        doubts.into_iter().for_each(|doubt| self.remark(heat, doubt));
    }
}

/// The share of all ticks in between that the host gave to others; `None` if there was no tick.
fn stolen([before, stolen_before]: [u64; 2], [after, stolen_after]: [u64; 2]) -> Option<f64> {
    let all = after.checked_sub(before).filter(|ticks| *ticks > 0)?;
    Some(stolen_after.checked_sub(stolen_before)? as f64 / all as f64)
}

/// The place among the entrants of the contestant whose result this is.
fn place(qualified: &[Qualified<'_>], own: &ContestantResult) -> usize {
    let found = qualified.iter().position(|one| one.contestant.name == own.name);
    found.expect("every result is that of a contestant")
}

/// Whether a contestant runs in a process of its own.
fn times_itself(contestant: &Contestant) -> bool {
    contestant.labels.contains(&Label::TimedByItself)
}

/// The contestant that is entered twice as the control: the fastest so far that is not a reference. Of several
/// processes, each takes the next one, so that the floor is not that of one contestant alone.
fn whose_twin(qualified: &[Qualified<'_>], process: u32) -> usize {
    let slow = |i: usize| qualified[i].contestant.labels.contains(&Label::Reference);
    let mut order: Vec<usize> = (0..qualified.len()).collect();
    order.sort_by(|a, b| slow(*a).cmp(&slow(*b)).then(qualified[*a].ns.total_cmp(&qualified[*b].ns)));
    let fast = order.iter().filter(|i| !slow(**i)).count().max(1);
    order.get(process as usize % fast).copied().unwrap_or_default()
}

/// The number of clean rounds to aim at, at least as many as the intervals need: this process's share.
fn wanted_rounds(config: &RaceConfig, entrants: usize) -> u32 {
    let wanted = if config.quick { QUICK_ROUNDS } else { ROUNDS };
    wanted.max(statistics::rounds_needed(entrants, config.confidence) as u32).div_ceil(config.process.of.max(1))
}
