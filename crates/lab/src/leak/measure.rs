//! Times one operation with inputs of two classes, drawn for each sample.
//!
//! A block is some tens of samples between two probes of the core. Before it, its inputs are drawn and laid out one
//! after the other. Before each sample, its input is copied from there to the one place where the operation reads it,
//! whatever its class; the same is done with its key. So no address, no cache and no branch of this harness depends on
//! a class; only what the operation does with the bytes can. For half of the samples, drawn by another coin, the first
//! cache is emptied of data before.

use super::secrets::{Classes, Given};
use super::statistics::{FEWEST, Samples};
use crate::contest::{Operation, Size};
use crate::engine::clock;
use crate::engine::probe::{Neighbour, Reading, probe};
use crate::inputs::{LONGEST_KEY, write_keys};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most samples of a block.
const MOST: usize = 64;
/// The fewest.
const LEAST: usize = 8;
/// Clean samples that give a verdict: in each state of the cache, about twice the [`FEWEST`] of each class.
const ENOUGH: usize = 8 * FEWEST;
/// How many times longer it may take until there are [`ENOUGH`]: a neighbour may keep the core busy for seconds.
const PATIENCE: u32 = 10;
/// A block's operations take about this long, so that few blocks are lost to a neighbour.
const BLOCK: Duration = Duration::from_micros(500);
/// An operation that takes longer to make is not made anew for every block, but as often as keeps to this on average.
const BEARABLE: Duration = Duration::from_micros(20);
/// What is read to empty the first cache of data: more than it holds on any machine at hand.
const ROOM: usize = 128 << 10;
/// Bytes of a cache line, or fewer.
const LINE: usize = 64;
/// Buffers move by less than this from block to block.
const PAGE: usize = 4096;
/// By multiples of this.
const STEP: usize = 16;

/// What is measured.
pub(crate) struct Subject<'a> {
    pub(crate) make: &'a dyn Fn(Size) -> Operation,
    pub(crate) size: Size,
    pub(crate) classes: &'a Classes,
    pub(crate) output_len: usize,
    /// Whether the operation reads its key only when it is made, so that it is made anew for every sample.
    pub(crate) key_outside: bool,
}

/// When to stop.
#[derive(Clone, Copy)]
pub(crate) struct Until<'a> {
    /// Clean samples.
    pub(crate) samples: usize,
    /// Time after which fewer will do, if they are [`ENOUGH`]; without those, [`PATIENCE`] times as long.
    pub(crate) time: Duration,
    /// The user.
    pub(crate) stop: &'a AtomicBool,
}

/// The clean samples, by the state of the cache.
#[derive(Default)]
pub(crate) struct Measured {
    /// With the cache as the sample before left it, and emptied.
    pub(crate) states: [Samples; 2],
    /// Samples that were dropped.
    pub(crate) dropped: usize,
}

/// Random numbers that need not be secret: `SplitMix64`.
pub(crate) struct Coins(pub(crate) u64);

impl Coins {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        // Limits are small, so that the bias is.
        (self.next() >> 32) as usize % limit
    }
}

/// One sample.
#[derive(Clone, Copy)]
struct Sample {
    second: bool,
    emptied: bool,
    ns: f64,
}

/// A block, and what tells whether it was clean.
struct Block {
    samples: Vec<Sample>,
    around: [Reading; 2],
    preempted: bool,
}

/// Measures until there are as many clean samples as wanted.
///
/// # Errors
///
/// That the operation panicked.
pub(crate) fn measure(
    subject: &Subject<'_>,
    until: Until<'_>,
    neighbour: &mut Neighbour,
    coins: &mut Coins,
) -> Result<Measured, String> {
    let start = Instant::now();
    let mut bench = catch(|| Bench::new(subject))?;
    // The first blocks warm up code, and are not kept; they say how long a block may be.
    let one = catch(|| {
        let start = Instant::now();
        bench.run(LEAST, coins);
        start.elapsed() / LEAST as u32
    })?;
    let len = (BLOCK.as_nanos() / one.as_nanos().max(1)).clamp(LEAST as u128, MOST as u128) as usize;
    let mut blocks: Vec<Block> = Vec::new();
    let mut before = probe();
    neighbour.learn(before);
    let (mut clean, mut warm_up) = (0, true);
    loop {
        let elapsed = start.elapsed();
        let wanted = until.samples.min(if elapsed < until.time { usize::MAX } else { ENOUGH });
        if clean >= wanted {
            // A block that seemed clean may not be one by what is known of the core now.
            let limit = neighbour.limit();
            clean = blocks.iter().filter(|block| block.is_clean(limit)).map(|block| block.samples.len()).sum();
        }
        if clean >= wanted || elapsed >= until.time.saturating_mul(PATIENCE) || until.stop.load(Ordering::Relaxed) {
            break;
        }
        let preemptions = clock::preemptions();
        let samples = catch(|| bench.run(len, coins))?;
        let preempted = clock::preemptions() != preemptions;
        let after = probe();
        neighbour.learn(after);
        let block = Block { samples, around: [before, after], preempted };
        before = after;
        if std::mem::take(&mut warm_up) {
            continue;
        }
        if block.is_clean(neighbour.limit()) {
            clean += block.samples.len();
        }
        blocks.push(block);
    }
    let limit = neighbour.limit();
    let mut measured = Measured::default();
    for block in blocks {
        if !block.is_clean(limit) {
            measured.dropped += block.samples.len();
            continue;
        }
        for (emptied, samples) in [false, true].into_iter().zip(&mut measured.states) {
            let of = block.samples.iter().filter(|sample| sample.emptied == emptied);
            samples.extend(of.map(|sample| (sample.ns, sample.second)));
        }
    }
    Ok(measured)
}

/// Runs contestants' code.
fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| "it panicked".to_owned())
}

impl Block {
    /// Whether both probes around it saw a quiet core, and the system took the CPU from nobody.
    fn is_clean(&self, limit: f64) -> bool {
        !self.preempted && self.around.iter().all(|reading| reading.0 <= limit)
    }
}

/// An operation, and the places where it reads and writes.
struct Bench<'a> {
    subject: &'a Subject<'a>,
    op: Option<Operation>,
    /// It is made anew for every so manieth block, unless for every sample.
    every: u32,
    blocks: u32,
    input: Vec<u8>,
    output: Vec<u8>,
    /// The inputs of a block, and its keys, one after the other.
    inputs: Vec<u8>,
    keys: Vec<[u8; LONGEST_KEY]>,
    room: Vec<u8>,
}

impl<'a> Bench<'a> {
    fn new(subject: &'a Subject<'a>) -> Self {
        let (input_len, output_len) = (subject.classes.input_len(), subject.output_len);
        let start = Instant::now();
        let op = Some((subject.make)(subject.size));
        let every = start.elapsed().as_nanos().div_ceil(BEARABLE.as_nanos()).clamp(1, 1 << 20) as u32;
        Self {
            subject,
            op,
            every,
            blocks: 0,
            input: vec![0; input_len + PAGE],
            output: vec![0; output_len + PAGE],
            inputs: Vec::with_capacity(MOST * input_len),
            keys: Vec::with_capacity(MOST),
            room: vec![1; ROOM],
        }
    }

    /// Takes a block of samples.
    fn run(&mut self, len: usize, coins: &mut Coins) -> Vec<Sample> {
        let mut samples = self.draw(len, coins);
        let Self { subject, op, every, blocks, input, output, inputs, keys, room } = self;
        if blocks.is_multiple_of(*every) {
            // First the old one goes, so that its place is free.
            drop(op.take());
            *op = Some((subject.make)(subject.size));
        }
        *blocks += 1;
        let (input_len, output_len) = (subject.classes.input_len(), subject.output_len);
        let [input, output] = [(input, input_len), (output, output_len)].map(|(buffer, len)| {
            let at = coins.below(PAGE / STEP) * STEP;
            &mut buffer[at..at + len]
        });
        for (i, sample) in samples.iter_mut().enumerate() {
            let given = &inputs[i * input_len..][..input_len];
            if let Some(key) = keys.get(i) {
                // SAFETY: the search for leaks holds its lock; an operation that keeps its key is made anew below.
                unsafe { write_keys(key) };
                if subject.key_outside {
                    drop(op.take());
                    *op = Some((subject.make)(subject.size));
                }
            }
            let op = op.as_mut().expect("it was made");
            if matches!(op, Operation::InPlace(_)) {
                output.copy_from_slice(given);
            } else {
                input.copy_from_slice(given);
            }
            if sample.emptied {
                empty_first_cache(room);
            }
            sample.ns = time(op, input, output);
        }
        samples
    }

    /// Draws classes, states and inputs of a block, and lays the inputs out.
    fn draw(&mut self, len: usize, coins: &mut Coins) -> Vec<Sample> {
        self.inputs.clear();
        self.keys.clear();
        let mut samples = Vec::with_capacity(len);
        for _ in 0..len {
            let coin = coins.next();
            let (second, emptied) = (coin >> 63 == 1, coin >> 62 & 1 == 1);
            let class = &self.subject.classes.0[usize::from(second)];
            let Given { key, input } = &class[coins.below(class.len())];
            self.inputs.extend_from_slice(input);
            self.keys.extend(key);
            samples.push(Sample { second, emptied, ns: 0.0 });
        }
        samples
    }
}

/// Nanoseconds of one operation, by the clock of the race.
#[inline(never)]
fn time(op: &mut Operation, input: &[u8], output: &mut [u8]) -> f64 {
    let start = Instant::now();
    let own = op.repeat(1, black_box(input), black_box(output));
    let time = start.elapsed();
    own.unwrap_or(time).as_nanos() as f64
}

/// Reads more than the first cache holds.
#[inline(never)]
fn empty_first_cache(room: &[u8]) {
    let sum = room.iter().step_by(LINE).fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    black_box(sum);
}
