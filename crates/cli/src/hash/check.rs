//! `fairlane hash --check FILE…`: reads checksum lines and verifies the files that they name.

use super::algorithm::Algorithm;
use super::format::{Parser, escape};
use super::pool::{Hashed, Job, hash_files};
use crate::failure::{Failure, Outcome, complain, reason, unless_closed};
use crate::names::{for_terminal, from_bytes, quote, to_bytes};
use crate::output::Output;
use crate::standard;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};

/// The options of a check: what is printed, and what counts as a failure.
pub(crate) struct Check {
    /// The algorithm of untagged lines.
    pub algorithm: Option<Algorithm>,
    /// The length in bytes that every digest must have.
    pub length: Option<usize>,
    /// Files that do not exist are ignored.
    pub ignore_missing: bool,
    /// `OK` lines are not printed.
    pub quiet: bool,
    /// Neither lines about files nor warnings are printed.
    pub status: bool,
    /// A malformed line fails the check.
    pub strict: bool,
    /// Every malformed line is warned of.
    pub warn: bool,
}

/// The results of one checksum file's lines.
#[derive(Default)]
struct Tally {
    malformed: usize,
    unreadable: usize,
    matched: usize,
    mismatched: usize,
}

/// The lines of one checksum file.
struct List {
    /// The file's name, for messages.
    title: String,
    jobs: Vec<Job>,
    /// The expected digest of each job.
    expected: Vec<Vec<u8>>,
    /// The numbers of malformed lines, each with the number of jobs before it.
    malformed: Vec<(usize, usize)>,
}

impl Check {
    /// Checks every checksum file.
    pub(crate) fn run(&self, lists: &[OsString]) -> Outcome {
        let mut output = Output::new()?;
        let mut good = true;
        for name in lists {
            match self.read(name) {
                Ok(list) => good &= self.check(&list, &mut output)?,
                Err(error) => {
                    complain(format_args!("{}: {}", quote(name), reason(&error)));
                    good = false;
                }
            }
        }
        unless_closed(output.finish())?;
        if good { Ok(()) } else { Err(Failure::Reported) }
    }

    fn read(&self, name: &OsStr) -> io::Result<List> {
        let stdin = name == "-";
        let mut text = Vec::new();
        let title = if stdin {
            standard::stdin()?.read_to_end(&mut text)?;
            "'standard input'".to_owned()
        } else {
            text = std::fs::read(name)?;
            quote(name)
        };
        let mut list = List { title, jobs: Vec::new(), expected: Vec::new(), malformed: Vec::new() };
        let mut parser = Parser::new(self.algorithm, self.length);
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            // Standard input cannot hold both the checksum lines and a file to check.
            let claim = parser.parse(line).filter(|claim| !(stdin && claim.name == b"-"));
            match claim.and_then(|claim| Some((from_bytes(claim.name)?, claim.algorithm, claim.digest))) {
                Some((name, algorithm, digest)) => {
                    list.jobs.push(Job { name, algorithm, length: digest.len() });
                    list.expected.push(digest);
                }
                None => list.malformed.push((number, list.jobs.len())),
            }
        }
        Ok(list)
    }

    fn check(&self, list: &List, output: &mut Output) -> Result<bool, Failure> {
        let mut tally = Tally { malformed: list.malformed.len(), ..Tally::default() };
        let mut malformed = list.malformed.iter().peekable();
        hash_files(&list.jobs, |number, hashed| {
            while let Some((line, _)) = malformed.next_if(|(_, before)| *before <= number) {
                self.warn_of(list, *line);
            }
            self.judge(&list.jobs[number], &list.expected[number], hashed, &mut tally, output)
        })?;
        malformed.for_each(|(line, _)| self.warn_of(list, *line));
        Ok(self.sum_up(list, &tally))
    }

    fn warn_of(&self, list: &List, line: usize) {
        if self.warn {
            let tag = self.algorithm.map_or(String::new(), |algorithm| format!("{} ", algorithm.tag()));
            complain(format_args!("{}: {line}: improperly formatted {tag}checksum line", list.title));
        }
    }

    fn judge(&self, job: &Job, expected: &[u8], hashed: Hashed, tally: &mut Tally, output: &mut Output) -> Outcome {
        let verdict = match hashed {
            Ok(digest) if digest == expected => {
                tally.matched += 1;
                if self.quiet {
                    return Ok(());
                }
                "OK"
            }
            Ok(_) => {
                tally.mismatched += 1;
                "FAILED"
            }
            Err(error) if self.ignore_missing && error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                tally.unreadable += 1;
                complain(format_args!("{}: {}", quote(&job.name), reason(&error)));
                "FAILED open or read"
            }
        };
        if self.status {
            return Ok(());
        }
        // The name is the file's author's choice, and a terminal would obey it.
        let (mark, name) =
            if output.is_terminal() { (&b""[..], for_terminal(&job.name)) } else { escape(to_bytes(&job.name)) };
        unless_closed(output.write(&[mark, &name, b": ", verdict.as_bytes(), b"\n"].concat()))
    }

    /// Prints the warnings at the end, and returns whether the check succeeded.
    fn sum_up(&self, list: &List, tally: &Tally) -> bool {
        if list.jobs.is_empty() {
            let hint = if self.algorithm.is_none() { "; lines without a tag need --algo NAME" } else { "" };
            complain(format_args!("{}: no properly formatted checksum lines found{hint}", list.title));
            return false;
        }
        if !self.status {
            let warn = |count: usize, one: &str, many: &str| {
                if count > 0 {
                    complain(format_args!("WARNING: {count} {}", if count == 1 { one } else { many }));
                }
            };
            warn(tally.malformed, "line is improperly formatted", "lines are improperly formatted");
            warn(tally.unreadable, "listed file could not be read", "listed files could not be read");
            warn(tally.mismatched, "computed checksum did NOT match", "computed checksums did NOT match");
            if self.ignore_missing && tally.matched == 0 {
                complain(format_args!("{}: no file was verified", list.title));
            }
        }
        tally.matched > 0 && tally.unreadable == 0 && tally.mismatched == 0 && !(self.strict && tally.malformed > 0)
    }
}
