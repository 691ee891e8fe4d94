//! A contest as a TOML file describes it.

use super::{Own, contest, sizes};
use crate::contest::{Conditions, Contest, Lengths, Place, Size, Unit};
use fairlane_common::terminal::reason;
use serde::Deserialize;
use std::fs;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

/// The contests that were loaded in this process.
static LOADED: RwLock<Vec<Contest>> = RwLock::new(Vec::new());

/// The most bytes of a key, an IV or additional data.
const LONGEST: usize = 1 << 16;

/// Reads a contest from a file. From then on it is among [`all`](crate::contests::all), in this process.
///
/// # Errors
/// One line that says what is wrong.
pub fn load(path: &Path) -> Result<(), String> {
    let at = |why: String| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| at(reason(&error)))?;
    let contest = parse(&text).map_err(at)?;
    let mut loaded = LOADED.write().unwrap_or_else(PoisonError::into_inner);
    if loaded.iter().any(|other| other.id == contest.id) {
        return Err(at(format!("{} is there twice", contest.id)));
    }
    loaded.push(contest);
    Ok(())
}

/// The contests that were loaded in this process.
pub fn loaded() -> Vec<Contest> {
    LOADED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    contest: String,
    function: String,
    about: String,
    sizes: Vec<String>,
    quick_sizes: Option<Vec<String>>,
    output: Output,
    #[serde(default)]
    in_place: bool,
    #[serde(default)]
    batch: bool,
    #[serde(default)]
    unit: FileUnit,
    /// Messages are whole blocks of so many bytes.
    block: Option<usize>,
    #[serde(default)]
    key: usize,
    #[serde(default)]
    iv: usize,
    #[serde(default)]
    aad: usize,
    #[serde(default)]
    inside: Vec<Part>,
    #[serde(default)]
    outside: Vec<Part>,
}

/// A part of the work of which only the file can say where it stands: the rest is known here.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Part {
    Key,
    Iv,
    Context,
    Dispatch,
}

impl Part {
    fn of(self, conditions: &mut Conditions) -> (&'static str, &mut Place) {
        match self {
            Self::Key => ("key", &mut conditions.key),
            Self::Iv => ("iv", &mut conditions.iv),
            Self::Context => ("context", &mut conditions.context),
            Self::Dispatch => ("dispatch", &mut conditions.dispatch),
        }
    }
}

/// Adds where the file says that parts of the work stand.
fn place(parts: &[Part], at: Place, conditions: &mut Conditions) -> Result<(), String> {
    for part in parts {
        let (name, place) = part.of(conditions);
        match place {
            Place::Unknown => *place = at,
            Place::None => return Err(format!("{name} is inside or outside, but the contest has none")),
            _ => return Err(format!("{name} is inside or outside once")),
        }
    }
    Ok(())
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FileUnit {
    #[default]
    Bytes,
    Operations,
}

/// Bytes of output for each message.
#[derive(Deserialize)]
#[serde(untagged)]
enum Output {
    Number(usize),
    Formula(String),
}

fn parse(text: &str) -> Result<Contest, String> {
    // The first line is what is wrong; the others draw where.
    let said = |error: toml::de::Error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        format!("line {line}: {}", error.message().lines().next().unwrap_or_default())
    };
    let file: File = toml::from_str(text).map_err(said)?;
    let key_len = [file.key, file.iv, file.aad];
    if key_len.iter().any(|len| *len > LONGEST) {
        return Err(format!("key, iv and aad are at most {LONGEST} bytes"));
    }
    if file.block == Some(0) {
        return Err("block is 0 bytes".to_owned());
    }
    for (name, text) in [("function", &file.function), ("about", &file.about)] {
        if text.trim().is_empty() || text.contains(char::is_control) {
            return Err(format!("{name} must be one line of text"));
        }
    }
    let formula = match file.output {
        Output::Number(bytes) => Formula { per_byte: 0, plus: bytes as i64 },
        Output::Formula(text) => text.parse()?,
    };
    let own = Own {
        output_len: Box::new(move |bytes| formula.of(bytes).unwrap_or_default()),
        in_place: file.in_place,
        key_len,
    };
    let listed = |texts: &[String]| texts.iter().map(|text| text.parse()).collect::<Result<Vec<Size>, _>>();
    let full = listed(&file.sizes)?;
    let quick = file.quick_sizes.map_or_else(|| Ok(full.clone()), |texts| listed(&texts))?;
    let contest = contest(&file.contest, &file.function, file.about, own)?;
    let mut conditions = contest.conditions;
    place(&file.inside, Place::Inside, &mut conditions)?;
    place(&file.outside, Place::Outside, &mut conditions)?;
    let contest = Contest {
        conditions,
        unit: match file.unit {
            FileUnit::Bytes => Unit::Bytes,
            FileUnit::Operations => Unit::Operations,
        },
        batch: file.batch,
        lengths: file.block.map_or(Lengths::Any, Lengths::Blocks),
        ..contest
    };
    if full.is_empty() || quick.is_empty() {
        return Err("a contest needs a size".to_owned());
    }
    for &size in full.iter().chain(&quick) {
        if !contest.takes(size) {
            return Err(format!("size {size}: the contest takes {}", contest.takes_what()));
        }
        if file.in_place && formula.of(size.bytes) != Some(size.bytes) {
            return Err(format!("size {size}: in place, the output is as long as the input"));
        }
    }
    Ok(Contest { sizes: sizes(full), quick_sizes: sizes(quick), ..contest })
}

/// Bytes of output: so many for each byte of the message, and so many more.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Formula {
    per_byte: usize,
    plus: i64,
}

impl Formula {
    fn of(self, bytes: usize) -> Option<usize> {
        bytes.checked_mul(self.per_byte)?.checked_add_signed(isize::try_from(self.plus).ok()?)
    }
}

/// Takes `bytes`, `bytes + 16`, `2 * bytes - 8`.
impl std::str::FromStr for Formula {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("output '{text}' is neither a number nor a formula such as 'bytes + 16' or '2 * bytes'");
        let text = text.replace(char::is_whitespace, "");
        let at = text.find("bytes").ok_or_else(bad)?;
        let (factor, rest) = (&text[..at], &text[at + "bytes".len()..]);
        let per_byte = match factor.strip_suffix('*') {
            Some(number) => number.parse().map_err(|_| bad())?,
            None if factor.is_empty() => 1,
            None => return Err(bad()),
        };
        let plus = match rest.strip_prefix('+').or_else(|| rest.strip_prefix('-')) {
            Some(number) => i64::from(number.parse::<u32>().map_err(|_| bad())?),
            None if rest.is_empty() => 0,
            None => return Err(bad()),
        };
        Ok(Self { per_byte, plus: if rest.starts_with('-') { -plus } else { plus } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLAKE3: &str = "contest = 'blake3/message'\nfunction = 'BLAKE3'\nabout = 'BLAKE3 of one message'\n\
                          sizes = ['64', '1KiB']\noutput = 32\n";

    fn why(text: &str) -> String {
        parse(text).err().unwrap()
    }

    #[test]
    fn a_file_is_a_contest() {
        let hash = parse(BLAKE3).unwrap();
        assert_eq!((hash.id.to_string().as_str(), hash.suite), ("blake3/message", "blake3"));
        assert_eq!(hash.quick_sizes, [Size::one(64), Size::one(1024)]);
        assert_eq!((hash.input(Size::one(64), 0).len(), hash.output_bytes(Size::one(64))), (64, 32));
        let sealing = BLAKE3.replace("32", "'bytes + 16'").replace("/message", "/seal-many");
        let sealing =
            parse(&format!("{sealing}key = 32\niv = 12\naad = 13\nbatch = true\nunit = 'operations'")).unwrap();
        assert_eq!(sealing.output_bytes(Size::batch(3, 64)), 3 * 80);
        assert_eq!((sealing.id.to_string().as_str(), sealing.unit), ("blake3/seal-many", Unit::Operations));
    }

    /// What a file does not say is unknown, but for what the laboratory does itself.
    #[test]
    fn a_file_says_what_is_inside() {
        let said = |text: &str| parse(text).unwrap().conditions.to_string();
        let pace = "throughput";
        assert_eq!(said(BLAKE3), format!("outside: allocation; {pace}"));
        let keyed = format!("{BLAKE3}key = 32\niv = 12\ninside = ['iv', 'context']\noutside = ['key', 'dispatch']\n");
        assert_eq!(said(&keyed), format!("inside: IV, context; outside: key, allocation, dispatch; {pace}"));
        let in_place = BLAKE3.replace("= 32", "= 'bytes'") + "in-place = true";
        let latency = "latency: each works on what the last one left";
        assert_eq!(said(&in_place), format!("outside: allocation; {latency}"));
    }

    #[test]
    fn formulas() {
        for (text, bytes) in [("bytes", 10), ("bytes + 16", 26), ("2*bytes-8", 12), ("3 * bytes", 30)] {
            assert_eq!(text.parse::<Formula>().unwrap().of(10), Some(bytes), "{text}");
        }
        for text in ["", "byte", "bytes * 2", "-bytes", "bytes + -1", "2 bytes", "bytes + 1 + 1"] {
            assert!(text.parse::<Formula>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_one_line() {
        for (from, to, said) in [
            ("blake3/message", "sha3-256/message", "'sha3-256' is an algorithm of this laboratory"),
            ("blake3/message", "blake3", "no name of a contest"),
            ("blake3/message", "Blake 3/message", "no name of a contest"),
            ("output = 32", "output = 'bytes - 100'", "size 64: the contest takes one message"),
            ("output = 32", "output = '99999999 * bytes'", "less than 4 GiB of output"),
            ("output = 32", "output = 32\nin-place = true", "size 64: in place"),
            ("output = 32", "output = 32\nblock = 60", "size 64: the contest takes one message"),
            ("output = 32", "output = 32\nkeys = 1", "line 6: unknown field"),
            ("output = 32", "", "missing field `output`"),
            ("'1KiB'", "'8x1KiB'", "size 8x1024: the contest takes one message at a time"),
            ("'64', '1KiB'", "", "a contest needs a size"),
            ("'64'", "'0'", "zero"),
            ("'BLAKE3'", "''", "function must be"),
            ("output = 32", "output = 32\ninside = ['key']", "key is inside or outside, but the contest has none"),
            ("output = 32", "output = 32\ninside = ['context']\noutside = ['context']", "inside or outside once"),
            ("output = 32", "output = 32\ninside = ['buffer']", "line 6: unknown variant"),
        ] {
            let text = BLAKE3.replace(from, to);
            assert_ne!(text, BLAKE3);
            let why = why(&text);
            assert!(why.contains(said) && !why.contains('\n'), "{why:?}, not {said:?}");
        }
    }
}
