//! Rows of 100 bytes a second of fairlane's functions and of DataFusion's own, on two partitions: the medians of nine
//! rounds, in which the functions run in turns, with the slowest and the fastest.

use arrow_array::{ArrayRef, BinaryArray, RecordBatch};
use datafusion::datasource::MemTable;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;
use std::time::Instant;

const ROWS: usize = 8192;
const BATCHES: usize = 256;
const ROUNDS: usize = 9;

fn main() -> datafusion::error::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build()?;
    runtime.block_on(async {
        let batch = |number: usize| -> datafusion::error::Result<RecordBatch> {
            let message = |i: usize| (0..100).map(|j| (i * 7 + j * 13 + i / 256) as u8).collect::<Vec<u8>>();
            let column = (number * ROWS..(number + 1) * ROWS).map(|i| Some(message(i))).collect::<BinaryArray>();
            Ok(RecordBatch::try_from_iter_with_nullable([("d", Arc::new(column) as ArrayRef, true)])?)
        };
        let partition = |first: usize| (first..first + BATCHES / 2).map(batch).collect::<Result<Vec<_>, _>>();
        let partitions = vec![partition(0)?, partition(BATCHES / 2)?];
        let schema = partitions[0][0].schema();
        let mut context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(2));
        fairlane_datafusion::register_all(&mut context)?;
        context.register_table("t", Arc::new(MemTable::try_new(schema, partitions)?))?;
        let functions = ["sha256", "md5", "fairlane_keccak256", "fairlane_sha3_256", "fairlane_sm3"];
        let mut rates = functions.map(|_| Vec::new());
        for _ in 0..ROUNDS {
            for (function, rates) in functions.iter().zip(&mut rates) {
                let start = Instant::now();
                context.sql(&format!("SELECT count({function}(d)) FROM t")).await?.collect().await?;
                rates.push((ROWS * BATCHES) as f64 / start.elapsed().as_secs_f64() / 1e6);
            }
        }
        for (function, mut rates) in functions.iter().zip(rates) {
            rates.sort_by(f64::total_cmp);
            let (slowest, median, fastest) = (rates[0], rates[ROUNDS / 2], rates[ROUNDS - 1]);
            println!("{function:20} {median:6.1} [{slowest:.1}, {fastest:.1}] M rows/s");
        }
        Ok(())
    })
}
