//! The process in which a shared library is tried: it speaks the line protocol for it.
//!
//! The laboratory runs this very program again, as `PROGRAM plugin-host LIBRARY`, which must call [`serve`].

use super::abi::{Library, Running};
use super::protocol::{Ask, Reply, VERSION, hex};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Instant;

/// The sub-command that must call [`serve`].
pub const SUBCOMMAND: &str = "plugin-host";

/// Answers questions about a shared library, from standard input to standard output, until there are no more.
///
/// # Errors
///
/// If a question cannot be read or a reply not be written. What the library does wrong is a reply.
pub fn serve(path: &Path) -> io::Result<()> {
    let mut host = Host { library: Library::load(path), running: None, input: Vec::new(), output: Vec::new() };
    converse(|ask| host.reply(ask))
}

/// Replies to all questions on standard input.
pub(super) fn converse(mut reply: impl FnMut(Ask) -> Result<Reply, String>) -> io::Result<()> {
    for question in io::stdin().lock().lines() {
        let reply = match serde_json::from_str(&question?) {
            Ok(ask) => reply(ask).unwrap_or_else(|why| Reply { error: Some(why), ..Reply::default() }),
            Err(error) => return Err(error.into()),
        };
        let mut line = serde_json::to_string(&reply)?;
        line.push('\n');
        let mut stdout = io::stdout().lock();
        stdout.write_all(line.as_bytes())?;
        stdout.flush()?;
    }
    Ok(())
}

struct Host {
    library: Result<Library, String>,
    running: Option<Running>,
    input: Vec<u8>,
    output: Vec<u8>,
}

impl Host {
    fn reply(&mut self, ask: Ask) -> Result<Reply, String> {
        let library = self.library.clone()?;
        let mut reply = Reply::default();
        match ask {
            Ask::Hello { .. } => {
                reply.version = Some(VERSION);
                reply.contestants = Some(library.offers());
            }
            Ask::SetUp(job) => {
                self.output = vec![0; job.output_len];
                self.running = Some(library.set_up(&job)?);
            }
            Ask::Answer { input } => {
                let running = self.running.as_mut().ok_or("nothing is set up")?;
                running.first(&input, &mut self.output)?;
                self.input = input;
                reply.output = Some(hex::encode(&self.output));
            }
            Ask::Run { times } => {
                let running = self.running.as_mut().ok_or("nothing is set up")?;
                let output = running.timed(&mut self.output);
                let start = Instant::now();
                running.call(times, &self.input, output)?;
                reply.ns = u64::try_from(start.elapsed().as_nanos()).ok();
            }
        }
        Ok(reply)
    }
}
