//! From the samples of a contest to what is said of them: once for a heat, for what several processes measured, and for
//! tests.

use super::backends;
use super::statistics::{self, DRIFT, FLOOR_LIMIT, Judgement, Processes, Samples, reach};
use crate::run::{ContestResult, ContestantResult, Remark, Run, RunUnit, Settings, Text, Warning};

impl Run {
    /// Judges all contests by today's rules, whatever rules they were judged by, and seals the run anew, without a
    /// signature. What was measured stays as it is.
    pub fn judge_anew(&mut self) {
        self.settings.floor_limit = Some(FLOOR_LIMIT);
        let contests = &self.contests;
        let of_judgement = |warning: &Text<Warning>| match warning.value() {
            Some(Warning::Contest { id, size, what: Remark::ClockMoved { .. } }) => {
                // Earlier versions looked only at the first process before, and at the last one after.
                let of_several = |contest: &ContestResult| !contest.processes.is_empty();
                contests.iter().any(|contest| contest.id == *id && contest.size == *size && of_several(contest))
            }
            Some(Warning::Contest { what, .. }) => {
                matches!(what, Remark::Unfit { .. } | Remark::Noisy { .. } | Remark::Undecided { .. })
            }
            _ => false,
        };
        self.warnings.retain(|warning| !of_judgement(warning));
        for contest in &mut self.contests {
            if !contest.processes.is_empty() {
                (contest.reach, contest.drift) = (reach(contest.processes.len()), DRIFT);
            }
            let left_out = contest.judge(&self.settings).unwrap_or_default();
            let left_out = left_out.into_iter().map(|name| Remark::ContestantDisturbed { name });
            for what in left_out.chain(contest.doubts(&self.settings, self.interrupted)) {
                let (id, size) = (contest.id.clone(), contest.size.clone());
                let warning = Text::of(Warning::Contest { id, size, what });
                if !self.warnings.contains(&warning) {
                    self.warnings.push(warning);
                }
            }
        }
        self.seal();
    }
}

impl ContestResult {
    /// The processes that ran the rounds, as the estimator takes them.
    pub fn by_process(&self) -> Processes {
        let rounds = self.processes.iter().map(|process| process.rounds).collect();
        Processes { rounds, reach: self.reach, drift: self.drift }
    }

    /// Operations in each sample of a contestant of this contest.
    pub fn ops_of(&self, contestant: &ContestantResult) -> u64 {
        if contestant.ops_per_sample == 0 { self.ops_per_sample } else { contestant.ops_per_sample }
    }

    /// The samples of the contestants that the control is the twin of, in each process another; nulls where that
    /// contestant is not here. `None` without a control, and if none of them is here.
    pub fn originals(&self) -> Option<Vec<Option<f64>>> {
        let control = self.control.as_ref()?;
        let find = |name: &str| self.contestants.iter().find(|contestant| contestant.name == name);
        if self.processes.is_empty() {
            return find(&control.contestant).map(|original| original.samples.clone());
        }
        let mut row = Vec::with_capacity(control.samples.len());
        for process in &self.processes {
            let end = row.len() + process.rounds as usize;
            match find(&process.control).and_then(|original| original.samples.get(row.len()..end)) {
                Some(samples) => row.extend_from_slice(samples),
                None => row.resize(end, None),
            }
        }
        row.iter().any(Option::is_some).then_some(row)
    }

    /// What the samples say; `None` without a control.
    pub(crate) fn judged(&self, settings: &Settings) -> Option<Judgement> {
        let original = self.originals()?;
        let rows: Vec<&Samples> = self.contestants.iter().map(|contestant| contestant.samples.as_slice()).collect();
        let twin = &self.control.as_ref()?.samples;
        Some(statistics::judge(&rows, &original, twin, &self.by_process(), &settings.rules()))
    }

    /// Fills in whatever follows from the samples of the contestants and of the control: times, ratios, verdicts,
    /// ranks, the order, the control, what backends bring, and whether the contest is fit.
    ///
    /// Contestants that share no clean round with the fastest are left out, and named. `None` if the control shares
    /// none with its original; then nothing is changed but for those left out.
    pub fn judge(&mut self, settings: &Settings) -> Option<Vec<String>> {
        let mut left_out = Vec::new();
        let judgement = loop {
            let judgement = self.judged(settings)?;
            match judgement.standings.iter().position(|standing| standing.ratio.is_none()) {
                Some(at) => left_out.push(self.contestants.remove(at).name),
                None => break judgement,
            }
        };
        let control = self.control.as_mut()?;
        control.ratio = judgement.control?;
        control.floor = judgement.floor;
        self.fit = judgement.fit;
        let fastest = self.contestants.get(judgement.fastest)?.name.clone();
        for (contestant, standing) in self.contestants.iter_mut().zip(&judgement.standings) {
            contestant.ratio = standing.ratio?;
            contestant.verdict = standing.verdict;
            contestant.rank = standing.rank;
            contestant.ns_per_op = statistics::median(&contestant.samples)?;
            let speed = 1e9 * self.bytes_per_op as f64 / contestant.ns_per_op * f64::from(self.threads);
            contestant.bytes_per_second = (self.unit == RunUnit::Bytes).then_some(speed);
        }
        self.contestants.sort_by(|a, b| {
            let rank = a.rank.cmp(&b.rank).then((a.name != fastest).cmp(&(b.name != fastest)));
            rank.then(a.ratio.estimate.total_cmp(&b.ratio.estimate))
        });
        let unfit = self.unfit(settings);
        self.backends = if unfit.is_some() {
            Vec::new()
        } else {
            backends::against(&self.contestants, &self.by_process(), settings.confidence)
        };
        let control = self.control.iter().map(|control| &control.samples);
        let rows = self.contestants.iter().map(|contestant| &contestant.samples).chain(control);
        self.dropped = rows.flatten().filter(|sample| sample.is_none()).count() as u32;
        Some(left_out)
    }
}
