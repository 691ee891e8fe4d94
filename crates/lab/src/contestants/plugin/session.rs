//! A job that a plug-in's process does, and the trial of a job before it counts.

use super::Source;
use super::process::Process;
use super::protocol::{Ask, Job, Shape, hex};
use crate::contest::{Foreign, fail};
use std::time::{Duration, Instant};

/// A trial runs a job until it has lasted this long.
const ENOUGH: Duration = Duration::from_millis(2);

/// If so much time has passed and the plug-in's clock shows less than a quarter of it, the clock is wrong.
const LONG: Duration = Duration::from_millis(200);

/// As many operations take longer than a trial, whatever they are.
const MOST: u64 = 1 << 31;

/// One job in a process of its own, which is started when it is first asked: on the thread, and so on the CPU, that
/// asks.
pub(super) struct Session {
    source: Source,
    job: Job,
    process: Option<Process>,
    /// The last input.
    sent: Vec<u8>,
}

impl Session {
    pub(super) fn new(source: Source, job: Job) -> Self {
        Self { source, job, process: None, sent: Vec::new() }
    }

    fn process(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            let mut process = Process::start(self.source.command()?)?;
            process.ask(&Ask::SetUp(self.job.clone()))?;
            self.process = Some(process);
        }
        Ok(self.process.as_mut().expect("one was just started"))
    }

    /// The answer to an input.
    pub(super) fn ask(&mut self, input: &[u8]) -> Result<Vec<u8>, String> {
        let reply = self.process()?.ask(&Ask::Answer { input: input.to_vec() })?;
        self.sent = input.to_vec();
        hex::decode(&reply.output.ok_or("replied without an output")?)
    }

    /// How long so many operations took by the plug-in's own clock.
    pub(super) fn time(&mut self, times: u64) -> Result<Duration, String> {
        let start = Instant::now();
        let reply = self.process()?.ask(&Ask::Run { times })?;
        let own = Duration::from_nanos(reply.ns.ok_or("replied without its ns")?);
        let passed = start.elapsed();
        if own > passed + ENOUGH {
            return Err(format!("says that {times} operations took {own:?}, while {passed:?} passed"));
        }
        Ok(own)
    }
}

impl Foreign for Session {
    fn ready(&mut self) {
        if let Err(why) = self.process() {
            fail(why);
        }
    }

    fn run(&mut self, times: u64, input: &[u8], _: &mut [u8]) -> Option<Duration> {
        // In place, the content of the buffer is no matter.
        let new = self.job.shape != Shape::InPlace && self.sent != input;
        let ran = if new || self.process.is_none() { self.ask(input).map(drop) } else { Ok(()) };
        Some(ran.and_then(|()| self.time(times)).unwrap_or_else(|why| fail(why)))
    }

    fn answer(&mut self, input: &[u8], output: &mut [u8]) {
        let answer = self.ask(input).unwrap_or_else(|why| fail(why));
        if answer.len() != output.len() {
            fail(format!("answered {} bytes where {} are right", answer.len(), output.len()));
        }
        output.copy_from_slice(&answer);
    }
}

/// Does a job in a process of its own: an answer to each input, then more and more operations until they have taken
/// some time.
///
/// # Errors
///
/// What went wrong, in one line: the process died or hung, or its times cannot be.
pub(super) fn trial(source: &Source, job: &Job, inputs: &[Vec<u8>]) -> Result<(), String> {
    let mut session = Session::new(source.clone(), job.clone());
    for input in inputs {
        session.ask(input)?;
    }
    let mut times = 1;
    loop {
        let start = Instant::now();
        let own = session.time(times)?;
        let passed = start.elapsed();
        if own >= ENOUGH {
            return Ok(());
        }
        if passed >= LONG && own < passed / 4 {
            return Err(format!("says that {times} operations took {own:?}, while {passed:?} passed"));
        }
        if times >= MOST {
            return Err(format!("says that {times} operations took {own:?}: it cannot have done each of them"));
        }
        times *= 4;
    }
}
