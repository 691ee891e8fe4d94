//! The run itself as JSON, after the committed schema `schema/race-1.json`: reading and writing, also compressed by
//! gzip.

use super::escape;
use crate::run::{Run, SCHEMA};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// A file that is not a run this version can read.
#[derive(Debug)]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: Wrong,
}

/// What is wrong with a file that should hold a run.
#[derive(Debug)]
pub enum Wrong {
    /// The system does not let it be read, or it is not text.
    Unreadable(io::Error),
    /// More bytes, unpacked, than the limit given here.
    TooLong(u64),
    /// More of something than any race has: of what, and how many.
    TooMany(&'static str, usize),
    /// Compressed by gzip, but damaged or cut short.
    DamagedGzip(io::Error),
    /// The JSON stops before its end.
    Truncated(serde_json::Error),
    /// Not JSON.
    NotJson(serde_json::Error),
    /// JSON that says it is of another schema.
    OtherSchema(String),
    /// JSON that says nothing of a schema.
    NotARun,
    /// A run by its schema, but a field is missing, unknown or of the wrong kind.
    Malformed(serde_json::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = escape::plain(&self.path.to_string_lossy());
        match &self.why {
            Wrong::Unreadable(error) if error.kind() == io::ErrorKind::InvalidData => {
                write!(f, "'{path}' is not JSON, nor text (UTF-8); give what `fairlane race --json` wrote")
            }
            Wrong::Unreadable(error) => write!(f, "cannot read '{path}': {}", escape::reason(error)),
            Wrong::TooLong(most) => {
                write!(f, "'{path}' has more than {} MiB of text; --max-size MIB reads longer runs", most >> 20)
            }
            Wrong::TooMany(what, count) => write!(f, "'{path}' has {count} {what}, more than any race has"),
            Wrong::DamagedGzip(_) => {
                write!(f, "'{path}' is compressed by gzip, but damaged or cut short; copy the file again")
            }
            Wrong::Truncated(error) => write!(
                f,
                "'{path}' is cut short: its JSON stops at line {}, column {}; copy the file again or run the race \
                 again",
                error.line(),
                error.column()
            ),
            Wrong::NotJson(error) if error.is_eof() => {
                write!(f, "'{path}' is empty; give what `fairlane race --json` wrote")
            }
            Wrong::NotJson(error) => {
                write!(f, "'{path}' is not JSON ({error}); give what `fairlane race --json` wrote")
            }
            Wrong::OtherSchema(found) => write!(
                f,
                "'{path}' is of schema '{}', but this version reads '{SCHEMA}'; use the fairlane that wrote it",
                escape::short(&found.escape_debug().to_string())
            ),
            Wrong::NotARun => {
                write!(f, "'{path}' is JSON but not a race; give a file that `fairlane race --json` wrote")
            }
            // The message may quote the file.
            Wrong::Malformed(error) => {
                let said = escape::short(&error.to_string());
                write!(f, "'{path}' is not a valid race: {}", escape::plain(&said))
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// The most bytes of text that a run has, unless the caller says more: ten times the longest race so far.
pub const MOST: u64 = 32 << 20;

/// Reads a run from a file, which may be compressed by gzip, of at most [`MOST`] bytes of text.
///
/// # Errors
/// A file that cannot be read, is too long or cut short, is not JSON, is of another schema or does not follow it.
pub fn read(path: &Path) -> Result<Run, ReadError> {
    read_at_most(path, MOST)
}

/// [`read`] with another limit.
///
/// # Errors
/// As [`read`].
pub fn read_at_most(path: &Path, most: u64) -> Result<Run, ReadError> {
    let run = File::open(path).map_err(Wrong::Unreadable).and_then(|file| read_from(file, most));
    run.map_err(|why| ReadError { path: path.to_owned(), why })
}

/// What a gzip file begins with.
pub(super) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a run of at most `most` bytes of text, which may be compressed by gzip.
///
/// # Errors
/// As [`read`], without the file.
pub fn read_from(reader: impl Read, most: u64) -> Result<Run, Wrong> {
    let mut reader = BufReader::new(reader);
    let is_gzip = reader.fill_buf().map_err(Wrong::Unreadable)?.starts_with(&GZIP);
    let bytes = if is_gzip {
        // Several members are one text, as for gzip; what follows the last and is none is an error.
        at_most(MultiGzDecoder::new(reader), most, Wrong::DamagedGzip)?
    } else {
        at_most(reader, most, Wrong::Unreadable)?
    };
    let not_text = |error| Wrong::Unreadable(io::Error::new(io::ErrorKind::InvalidData, error));
    parse(std::str::from_utf8(&bytes).map_err(not_text)?)
}

/// Reads a run from the bytes of a file, which may be compressed by gzip, of at most [`MOST`] bytes of text.
///
/// # Errors
/// As [`read`], without the file.
pub fn decode(bytes: &[u8]) -> Result<Run, Wrong> {
    read_from(bytes, MOST)
}

fn at_most(reader: impl Read, most: u64, wrong: fn(io::Error) -> Wrong) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::new();
    reader.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() as u64 > most { Err(Wrong::TooLong(most)) } else { Ok(bytes) }
}

/// What is read of any JSON before it is taken as a run.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
}

/// Reads a run from its text.
///
/// # Errors
/// As [`read`], without the file.
pub fn parse(text: &str) -> Result<Run, Wrong> {
    // Any JSON first: another schema is to be named, not complained about field by field. Nothing of it is kept.
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| match error.classify() {
        Category::Eof if !text.trim().is_empty() => Wrong::Truncated(error),
        _ => Wrong::NotJson(error),
    })?;
    let head = text.trim_start().starts_with('{').then(|| serde_json::from_str(text));
    match head {
        Some(Ok(Head { schema: Some(found) })) if found == SCHEMA => {}
        Some(Ok(Head { schema: Some(found) })) => return Err(Wrong::OtherSchema(found)),
        _ => return Err(Wrong::NotARun),
    }
    let mut run: Run = serde_json::from_str(text).map_err(Wrong::Malformed)?;
    is_race_sized(&run)?;
    if run.seal.is_some() {
        run.was_read_from(&serde_json::from_str(text).map_err(Wrong::Malformed)?);
    }
    Ok(run)
}

/// Limits far above any race, so that what grows faster than the file stays small.
fn is_race_sized(run: &Run) -> Result<(), Wrong> {
    let entered = || run.contests.iter().map(|contest| contest.contestants.len() + contest.disqualified.len());
    let processes = run.contests.iter().map(|contest| contest.processes.len());
    for (what, count, limit) in [
        ("contests", run.contests.len(), 4096),
        ("warnings", run.warnings.len(), 4096),
        ("contestants in all", entered().sum::<usize>(), 65_536),
        ("contestants in one contest", entered().max().unwrap_or_default(), 256),
        ("processes in one contest", processes.max().unwrap_or_default(), 99),
    ] {
        if count > limit {
            return Err(Wrong::TooMany(what, count));
        }
    }
    Ok(())
}

/// A run as JSON that a person can read and `diff`: indented, short arrays of plain values on one line.
///
/// # Panics
/// For no run: plain data with string keys can always be written.
pub fn text(run: &Run) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, Lines::default());
    run.serialize(&mut serializer).expect("plain data with string keys, into memory");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("serde_json writes UTF-8")
}

/// The text of a run, compressed by gzip: the same bytes for the same run.
///
/// # Panics
/// For no run, as [`text`].
pub fn compressed(run: &Run) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text(run).as_bytes()).expect("into memory");
    encoder.finish().expect("into memory")
}

/// The JSON schema of a run: what is committed as `schema/race-1.json`.
pub fn schema() -> Value {
    let mut schema = schemars::schema_for!(Run);
    if let Some(name) = schema.pointer_mut("/properties/schema").and_then(Value::as_object_mut) {
        name.insert("const".to_owned(), SCHEMA.into());
    }
    schema.to_value()
}

/// The fields whose values are many or short: each stands on one line.
const ON_ONE_LINE: [&[u8]; 3] = [b"labels", b"mhz", b"samples"];

/// Indented JSON, but with the arrays of [`ON_ONE_LINE`] on one line each.
#[derive(Default)]
struct Lines {
    pretty: PrettyFormatter<'static>,
    /// The key written last.
    key: Vec<u8>,
    in_key: bool,
    in_line: bool,
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.in_line = ON_ONE_LINE.contains(&self.key.as_slice());
        if self.in_line { w.write_all(b"[") } else { self.pretty.begin_array(w) }
    }

    fn end_array<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        if std::mem::take(&mut self.in_line) { w.write_all(b"]") } else { self.pretty.end_array(w) }
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        match (self.in_line, first) {
            (true, true) => Ok(()),
            (true, false) => w.write_all(b", "),
            (false, _) => self.pretty.begin_array_value(w, first),
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        if self.in_line { Ok(()) } else { self.pretty.end_array_value(w) }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.pretty.begin_object(w)
    }

    fn end_object<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.pretty.end_object(w)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, w: &mut W, first: bool) -> io::Result<()> {
        self.key.clear();
        self.in_key = true;
        self.pretty.begin_object_key(w, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.in_key = false;
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.pretty.begin_object_value(w)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, w: &mut W) -> io::Result<()> {
        self.pretty.end_object_value(w)
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, w: &mut W, fragment: &str) -> io::Result<()> {
        if self.in_key {
            self.key.extend_from_slice(fragment.as_bytes());
        }
        w.write_all(fragment.as_bytes())
    }
}
