//! From which batch size on is a GPU faster than the CPU?
//!
//! `cargo run --release --example crossover -- [--seconds S] [--software] [--json FILE] [--svg FILE] [FUNCTION...]`
//!
//! A FUNCTION is a part of a name, such as `sm3`. `--software` takes a driver that computes on the CPU.
//!
//! Four contestants compute the same batch: the library on one core and on all cores, the GPU with bytes that start and
//! end in host memory, and the GPU with bytes that stay on the device. They take turns, in a new order each round, for
//! S seconds a batch size (0.5 without the option) or 15 rounds, whichever is longer; their outputs are compared first.
//! Each works for a while before its sample is taken. Times are medians; a ratio is the median of those of each round,
//! with a 95 % interval from its order statistics.
//!
//! One core takes the same time for each row of a larger batch, so it computes no batch of more than 2¹⁴ rows.

mod batches;
mod report;

use batches::{Batch, Encapsulations, Hashes};
use fairlane::ml_kem::{MlKem512, MlKem768, MlKem1024};
use fairlane::{keccak::Keccak256, keccak::Sha3_256, sm3::Sm3};
use fairlane_gpu::{Gpu, Hash, ParameterSet};
use std::time::{Duration, Instant};
use std::{array, env, fs};

pub(crate) type Error = Box<dyn std::error::Error>;

/// How many milliseconds each contestant works before its sample is taken. A GPU that had nothing to do for some
/// milliseconds needs about 50 to raise its clock again.
const WARM_UP: [u64; CONTESTANTS.len()] = [20, 20, 60, 60];

pub(crate) const CONTESTANTS: [&str; 4] = ["CPU, one core", "CPU, all cores", "GPU, host memory", "GPU, device memory"];
/// Indices of contestants.
pub(crate) const CORE: usize = 0;
pub(crate) const CORES: usize = 1;
pub(crate) const HOST: usize = 2;
pub(crate) const DEVICE: usize = 3;

/// Rows of the largest batch that one core computes.
const MOST_ON_ONE_CORE: usize = 1 << 14;
/// Bytes of the largest batch.
const MOST_BYTES: usize = 1 << 29;
/// Seconds that a sample takes at least.
const SAMPLE: f64 = 3e-3;
const LEAST_ROUNDS: usize = 15;

/// What is computed: its name, the bytes of an input, and how to make a batch.
type Function = (&'static str, usize, fn(&Gpu, usize) -> Result<Box<dyn Batch>, Error>);

const FUNCTIONS: [Function; 9] = [
    ("Keccak-256 of 32 bytes", 32, |gpu, count| Hashes::<Keccak256>::batch(gpu, Hash::Keccak256, 32, count)),
    ("Keccak-256 of 100 bytes", 100, |gpu, count| Hashes::<Keccak256>::batch(gpu, Hash::Keccak256, 100, count)),
    ("Keccak-256 of 1 KiB", 1024, |gpu, count| Hashes::<Keccak256>::batch(gpu, Hash::Keccak256, 1024, count)),
    ("SHA3-256 of 1 KiB", 1024, |gpu, count| Hashes::<Sha3_256>::batch(gpu, Hash::Sha3_256, 1024, count)),
    ("SM3 of 64 bytes", 64, |gpu, count| Hashes::<Sm3>::batch(gpu, Hash::Sm3, 64, count)),
    ("SM3 of 1 KiB", 1024, |gpu, count| Hashes::<Sm3>::batch(gpu, Hash::Sm3, 1024, count)),
    ("ML-KEM-512 encapsulation", 800, |gpu, n| Encapsulations::<MlKem512>::batch(gpu, ParameterSet::MlKem512, n)),
    ("ML-KEM-768 encapsulation", 1184, |gpu, n| Encapsulations::<MlKem768>::batch(gpu, ParameterSet::MlKem768, n)),
    ("ML-KEM-1024 encapsulation", 1568, |gpu, n| Encapsulations::<MlKem1024>::batch(gpu, ParameterSet::MlKem1024, n)),
];

/// The times of a batch size.
pub(crate) struct Cell {
    pub(crate) count: usize,
    pub(crate) rounds: usize,
    /// Median seconds a batch of each contestant, if it took part.
    pub(crate) seconds: [Option<f64>; CONTESTANTS.len()],
    /// How many times as fast as all cores of the CPU each is, and a 95 % interval.
    pub(crate) ratios: [Option<[f64; 3]>; CONTESTANTS.len()],
}

fn measure(gpu: &Gpu, batch: &mut dyn Batch, count: usize, seconds: f64) -> Result<Cell, Error> {
    let contestants = if count > MOST_ON_ONE_CORE { CORES } else { CORE }..CONTESTANTS.len();
    let mut repeats = [1; CONTESTANTS.len()];
    for contestant in contestants.clone() {
        // The first call compiles kernels and takes memory.
        batch.run(gpu, contestant)?;
        let start = Instant::now();
        batch.run(gpu, contestant)?;
        repeats[contestant] = (SAMPLE / start.elapsed().as_secs_f64()).ceil().clamp(1., 1e4) as usize;
    }
    let expected = batch.output(gpu, CORES)?;
    for contestant in contestants.clone() {
        if batch.output(gpu, contestant)? != expected {
            return Err(format!("{} computes something else", CONTESTANTS[contestant]).into());
        }
    }
    let mut samples = [const { Vec::new() }; CONTESTANTS.len()];
    let (begin, mut rounds) = (Instant::now(), 0);
    while rounds < LEAST_ROUNDS || begin.elapsed().as_secs_f64() < seconds {
        for turn in 0..contestants.len() {
            let contestant = contestants.start + (turn + rounds) % contestants.len();
            let warm = Instant::now();
            while warm.elapsed() < Duration::from_millis(WARM_UP[contestant]) {
                batch.run(gpu, contestant)?;
            }
            let start = Instant::now();
            for _ in 0..repeats[contestant] {
                batch.run(gpu, contestant)?;
            }
            samples[contestant].push(start.elapsed().as_secs_f64() / repeats[contestant] as f64);
        }
        rounds += 1;
    }
    let sorted = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values
    };
    // The ranks between which the median lies in 95 of 100 cases, by the normal approximation of the sign test.
    let below = (rounds as f64 / 2. - 0.98 * (rounds as f64).sqrt()).floor() as usize;
    let ratio = |contestant: usize| {
        let pairs = samples[CORES].iter().zip(&samples[contestant]);
        let ratios = sorted(pairs.map(|(cores, other)| cores / other).collect());
        [ratios[rounds / 2], ratios[below], ratios[rounds - 1 - below]]
    };
    let took_part = |contestant: usize| contestants.contains(&contestant).then_some(contestant);
    Ok(Cell {
        count,
        rounds,
        seconds: array::from_fn(|i| took_part(i).map(|i| sorted(samples[i].clone())[rounds / 2])),
        ratios: array::from_fn(|i| took_part(i).map(ratio)),
    })
}

/// What is measured: the devices and, for each function, its batches.
pub(crate) struct Results {
    pub(crate) gpu: String,
    pub(crate) driver: String,
    pub(crate) cpu: String,
    pub(crate) functions: Vec<(&'static str, Vec<Cell>)>,
}

fn main() -> Result<(), Error> {
    let (mut seconds, mut software, mut json, mut svg, mut wanted) = (0.5, false, None, None, Vec::new());
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--seconds" => seconds = arguments.next().ok_or("--seconds needs a number")?.parse()?,
            "--software" => software = true,
            "--json" => json = Some(arguments.next().ok_or("--json needs a file")?),
            "--svg" => svg = Some(arguments.next().ok_or("--svg needs a file")?),
            name => wanted.push(name.to_lowercase()),
        }
    }
    let gpu = if software { Gpu::open_software()? } else { Gpu::open()? };
    let (cpu, threads) = (report::cpu(), rayon::current_num_threads());
    let mut results = Results {
        gpu: gpu.name().into(),
        driver: gpu.driver(),
        cpu: format!("{cpu}, {threads} threads"),
        functions: vec![],
    };
    println!("GPU: {} ({})\nCPU: {}", results.gpu, results.driver, results.cpu);
    for (name, row, new) in FUNCTIONS {
        if !wanted.is_empty() && !wanted.iter().any(|wanted| name.to_lowercase().contains(wanted)) {
            continue;
        }
        println!("\n{}", report::heading(name));
        let most = if software { 1 << 22 } else { MOST_BYTES };
        let mut cells = Vec::new();
        for count in (8..=22).step_by(2).map(|log| 1 << log).filter(|count| row * count <= most) {
            let cell = measure(&gpu, &mut *new(&gpu, count)?, count, seconds)?;
            println!("{}", report::row(&cell));
            cells.push(cell);
        }
        results.functions.push((name, cells));
    }
    if let Some(file) = json {
        fs::write(file, report::json(&results))?;
    }
    if let Some(file) = svg {
        fs::write(file, report::svg(&results))?;
    }
    Ok(())
}
