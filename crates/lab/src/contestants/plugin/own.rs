//! This build's own contestants as a plug-in, for a race of two builds: both are then timed in the same way, each in
//! processes of its own.

use super::host::converse;
use super::job::shape;
use super::protocol::{Ask, Offer, Reply, VERSION, hex};
use super::{LABELS, label_name};
use crate::contest::{Contest, Contestant, Operation, Size};
use crate::contestants::{Roster, fairlane};
use crate::contests;
use std::io;
use std::time::Instant;

/// The sub-command that must call [`serve_own`].
pub const SERVE: &str = "serve-contestants";

/// Answers questions about fairlane's contestants of this build, from standard input to standard output, until there
/// are no more.
///
/// # Errors
///
/// If a question cannot be read or a reply not be written.
pub fn serve_own() -> io::Result<()> {
    let mut own = Own::default();
    converse(|ask| own.reply(ask))
}

/// What is set up.
#[derive(Default)]
struct Own {
    operation: Option<Operation>,
    input: Vec<u8>,
    output: Vec<u8>,
}

impl Own {
    fn reply(&mut self, ask: Ask) -> Result<Reply, String> {
        let mut reply = Reply::default();
        match ask {
            Ask::Hello { .. } => {
                reply.version = Some(VERSION);
                reply.contestants = Some(contestants().iter().map(|(contest, own)| offer(contest, own)).collect());
            }
            Ask::SetUp(job) => {
                let all = contestants();
                let (contest, own) = all.get(job.contestant).ok_or("there is no such contestant")?;
                if contest.id.to_string() != job.contest {
                    return Err(format!("its contest is {}, not {}", contest.id, job.contest));
                }
                self.operation = Some((own.make)(Size { count: job.count, bytes: job.bytes }));
                self.output = vec![0; job.output_len];
            }
            Ask::Answer { input } => {
                let operation = self.operation.as_mut().ok_or("nothing is set up")?;
                self.output = operation.answer(&input, std::mem::take(&mut self.output));
                self.input = input;
                reply.output = Some(hex::encode(&self.output));
            }
            Ask::Run { times } => {
                let operation = self.operation.as_mut().ok_or("nothing is set up")?;
                let start = Instant::now();
                operation.repeat(times, &self.input, &mut self.output);
                reply.ns = u64::try_from(start.elapsed().as_nanos()).ok();
            }
        }
        Ok(reply)
    }
}

/// fairlane's contestants of all contests that plug-ins can enter.
fn contestants() -> Vec<(Contest, Contestant)> {
    let entered = |contest: Contest| {
        let mut roster = Roster::default();
        if contest.functions().iter().all(|function| shape(&contest, function).is_ok()) {
            fairlane::enter(&contest, &mut roster);
        }
        roster.contestants.into_iter().map(move |own| (contest.clone(), own))
    };
    contests::all().into_iter().flat_map(entered).collect()
}

fn offer(contest: &Contest, own: &Contestant) -> Offer {
    let commit: String = env!("FAIRLANE_COMMIT").chars().take(7).collect();
    Offer {
        contest: contest.id.to_string(),
        name: own.implementation().to_owned(),
        function: own.function.to_owned(),
        library: own.library.clone(),
        version: format!("{} {commit}", own.version).trim_end().to_owned(),
        backend: own.backend.clone(),
        labels: own.labels.iter().filter(|label| LABELS.contains(label)).map(|label| label_name(*label)).collect(),
        how_to_use: own.how_to_use.clone(),
    }
}
