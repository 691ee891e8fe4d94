//! Hashes many files over the cores and hands the digests back in the order of the files.
//!
//! Each worker takes the next file. It collects small files in a batch, which one call of `hash_many` hashes in the
//! lanes of vector registers; it streams large files through a hasher.

use super::algorithm::Algorithm;
use super::compute;
use super::progress::Progress;
use crate::failure::Outcome;
use crate::standard::stdin;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

/// Files of up to this many bytes are read whole and hashed in a batch.
const SMALL: usize = 64 << 10;
/// A batch is hashed when it holds this many bytes
const BATCH_BYTES: usize = 4 << 20;
/// or this many files.
const BATCH_FILES: usize = 256;
/// The size in bytes of a read from a large file.
const READ: usize = 256 << 10;

/// One file to hash.
pub(crate) struct Job {
    /// The file's name; `-` is standard input.
    pub name: OsString,
    /// The hash function.
    pub algorithm: Algorithm,
    /// The digest's length in bytes.
    pub length: usize,
}

impl Job {
    /// Whether the file is standard input.
    pub(crate) fn is_stdin(&self) -> bool {
        self.name == "-"
    }
}

/// A digest, or why the file could not be read.
pub(crate) type Hashed = io::Result<Vec<u8>>;

/// Hashes all jobs and calls `done` with each job's index and digest, in the order of the jobs, as soon as possible.
///
/// # Errors
///
/// Returns the first failure of `done`, which ends the work.
pub(crate) fn hash_files(jobs: &[Job], mut done: impl FnMut(usize, Hashed) -> Outcome) -> Outcome {
    let shared = Shared { jobs, next: AtomicUsize::new(0), stop: AtomicBool::new(false), progress: Progress::new() };
    // If standard input is named twice, the order of the reads decides which digest is whose.
    let in_order = jobs.iter().filter(|job| job.is_stdin()).count() > 1;
    let workers = if in_order { 1 } else { cores().min(jobs.len()) };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let worker = Worker { shared: &shared, sender: sender.clone(), batch: Vec::new(), bytes: 0 };
            scope.spawn(move || worker.run());
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut next = 0;
        loop {
            match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok((number, hashed)) => {
                    early.insert(number, hashed);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            shared.progress.update(next, jobs.len(), || total_size(jobs));
            while let Some(hashed) = early.remove(&next) {
                if let Err(failure) = shared.progress.suspend(|| done(next, hashed)) {
                    shared.stop.store(true, Relaxed);
                    return Err(failure);
                }
                next += 1;
            }
        }
    })
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The bytes of all files together; `None` if one of them is standard input, a device or a pipe.
fn total_size(jobs: &[Job]) -> Option<u64> {
    jobs.iter()
        .map(|job| match std::fs::metadata(&job.name) {
            Ok(metadata) if metadata.is_file() && !job.is_stdin() => Some(metadata.len()),
            // A file that cannot be read adds nothing to the work.
            Err(_) if !job.is_stdin() => Some(0),
            _ => None,
        })
        .sum()
}

/// The state that all workers share.
struct Shared<'a> {
    jobs: &'a [Job],
    next: AtomicUsize,
    stop: AtomicBool,
    progress: Progress,
}

/// One thread of the pool.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    sender: Sender<(usize, Hashed)>,
    /// The index and content of small files that were read but not yet hashed, all with one algorithm and length.
    batch: Vec<(usize, Vec<u8>)>,
    /// The bytes in the batch.
    bytes: usize,
}

impl Worker<'_> {
    fn run(mut self) {
        loop {
            let number = self.shared.next.fetch_add(1, Relaxed);
            match self.shared.jobs.get(number) {
                Some(job) if !self.shared.stop.load(Relaxed) => self.take(number, job),
                _ => break,
            }
        }
        self.hash_batch();
    }

    fn take(&mut self, number: usize, job: &Job) {
        let hashed = if job.is_stdin() {
            self.hash_batch();
            stdin().and_then(|stdin| self.stream(job, Vec::new(), stdin))
        } else {
            match read_small(job) {
                Ok(Contents::Small(message)) => return self.add(number, job, message),
                Ok(Contents::Large(start, file)) => {
                    // The batch is hashed first, so that its digests do not wait for the large file.
                    self.hash_batch();
                    self.stream(job, start, file)
                }
                Err(error) => Err(error),
            }
        };
        self.send(number, hashed);
    }

    fn add(&mut self, number: usize, job: &Job, message: Vec<u8>) {
        if let Some(&(first, _)) = self.batch.first() {
            let first = &self.shared.jobs[first];
            if (first.algorithm, first.length) != (job.algorithm, job.length) {
                self.hash_batch();
            }
        }
        self.bytes += message.len();
        self.batch.push((number, message));
        if self.bytes >= BATCH_BYTES || self.batch.len() == BATCH_FILES {
            self.hash_batch();
        }
    }

    fn hash_batch(&mut self) {
        let (numbers, messages): (Vec<_>, Vec<_>) = mem::take(&mut self.batch).into_iter().unzip();
        let Some(&first) = numbers.first() else { return };
        let job = &self.shared.jobs[first];
        let digests = compute::hash_many(job.algorithm, job.length, &messages);
        self.shared.progress.add(mem::take(&mut self.bytes));
        for (number, digest) in numbers.into_iter().zip(digests) {
            self.send(number, Ok(digest));
        }
    }

    fn stream(&self, job: &Job, start: Vec<u8>, mut source: impl Read) -> Hashed {
        let mut hasher = compute::hasher(job.algorithm);
        hasher.update(&start);
        self.shared.progress.add(start.len());
        let mut buffer = start;
        buffer.resize(READ, 0);
        while !self.shared.stop.load(Relaxed) {
            match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(n) => {
                    hasher.update(&buffer[..n]);
                    self.shared.progress.add(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(hasher.finish(job.length))
    }

    fn send(&self, number: usize, hashed: Hashed) {
        // The receiver is dropped only after the work was stopped.
        let _ = self.sender.send((number, hashed));
    }
}

enum Contents {
    /// The whole file.
    Small(Vec<u8>),
    /// The beginning of the file, and the file, positioned behind it.
    Large(Vec<u8>, File),
}

/// Reads a small regular file; opens any other file.
fn read_small(job: &Job) -> io::Result<Contents> {
    let mut file = File::open(&job.name)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > SMALL as u64 {
        return Ok(Contents::Large(Vec::new(), file));
    }
    // Reads past the expected end, so that a file that grew meanwhile, or one of /proc, is not cut short.
    let mut message = Vec::with_capacity(metadata.len() as usize + 1);
    Read::by_ref(&mut file).take(SMALL as u64 + 1).read_to_end(&mut message)?;
    if message.len() > SMALL { Ok(Contents::Large(message, file)) } else { Ok(Contents::Small(message)) }
}
