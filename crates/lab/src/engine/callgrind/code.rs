//! What callgrind's file about a run says: how many instructions ran, and where their machine code is.
//!
//! A file says how often each instruction ran, an instruction a line, after lines that name the object file and the
//! function that it is in:
//!
//! ```text
//! positions: instr
//! ob=/usr/lib/libexample.so
//! fn=example
//! 0x1130 5
//! calls=5 0x2240
//! 0x1134 60
//! totals: 65
//! ```
//!
//! The line after `calls=` has the price of the function that was called, whose own lines are elsewhere: its
//! instructions are no more than these.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, Read};

/// Bytes of a cache line.
pub(crate) const LINE: u64 = 64;

/// The longest line that is read: C++ and Rust have long names for functions.
const LONGEST: u64 = 1 << 20;

/// The most cache lines that are told apart.
const MOST: usize = 1 << 20;

/// The code that ran.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Code {
    /// How many instructions ran, each as often as it did.
    pub(super) instructions: u64,
    /// The bytes of all cache lines with one that ran.
    pub(super) bytes: u64,
}

/// Reads a file.
///
/// # Errors
///
/// One line, if this is no whole file of callgrind with addresses.
pub(super) fn read(mut file: impl BufRead) -> Result<Code, String> {
    // Object files, each with a number, and cache lines by that number and theirs.
    let (mut objects, mut lines) = (HashMap::new(), HashSet::new());
    let (mut positions, mut object, mut inclusive, mut instructions, mut totals) = (None, 0, false, 0_u64, None);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = file.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).map_err(|error| error.to_string())?;
        if read == 0 {
            break;
        }
        if read as u64 == LONGEST {
            return Err(format!("a line of more than {LONGEST} bytes"));
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_end();
        if let Some(names) = line.strip_prefix("positions:") {
            positions = names.trim_start().starts_with("instr").then(|| names.split_whitespace().count());
        } else if let Some(name) = line.strip_prefix("ob=") {
            let next = objects.len();
            object = *objects.entry(name.to_owned()).or_insert(next);
        } else if line.starts_with("calls=") {
            inclusive = true;
        } else if let Some(digits) = line.strip_prefix("0x") {
            let positions = positions.ok_or("no addresses of instructions")?;
            if std::mem::take(&mut inclusive) {
                continue;
            }
            let (address, times) = counted(digits, positions).ok_or_else(|| format!("not understood: {line}"))?;
            instructions = instructions.saturating_add(times);
            if times > 0 {
                lines.insert((object, address / LINE));
            }
            if lines.len() > MOST {
                return Err(format!("more than {MOST} cache lines"));
            }
        } else if let Some(number) = line.strip_prefix("totals:") {
            totals = number.split_whitespace().next().and_then(|number| number.parse::<u64>().ok());
        }
    }
    match totals {
        None => Err("its end is missing".to_owned()),
        Some(totals) if totals == instructions => Ok(Code { instructions, bytes: LINE * lines.len() as u64 }),
        Some(totals) => Err(format!("a total of {totals}, but lines for {instructions}")),
    }
}

/// An address in hexadecimal digits, and how often its instruction ran, which stands behind all positions. Zeros at the
/// end of a line may be missing.
fn counted(line: &str, positions: usize) -> Option<(u64, u64)> {
    let mut words = line.split_whitespace();
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    let times = words.nth(positions - 1).map_or(Ok(0), str::parse).ok()?;
    Some((address, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that calls `encrypt` of a library three times, from a loop.
    const FILE: &str = "\
# callgrind format\nversion: 1\ncmd:  program one-contestant\npart: 1\n
desc: Trigger: Program termination\n\npositions: instr\nevents: Ir\nsummary: 115\n
ob=/program\nfl=???\nfn=main\n0x1000 7\n0x103c 9
cob=/library.so\ncfi=???\ncfn=encrypt\ncalls=3 0x5000 \n0x1100 99\n
ob=/library.so\nfl=???\nfn=encrypt\n0x103c 3\n0x507f 48\nfe=inlined.h\n0x5080 48\n0x9000 0\n
totals: 115\n";

    #[test]
    fn lines_are_counted_once() {
        // 0x1000 is in the line of 0x103c, which both objects have; 0x507f and 0x5080 are in two; 0x1100 only calls,
        // and 0x9000 did not run.
        assert_eq!(read(FILE.as_bytes()), Ok(Code { instructions: 115, bytes: 4 * 64 }));
    }

    #[test]
    fn one_instruction_may_have_several_lines() {
        // In another function, or called from another one.
        let file = "positions: instr line\nob=a\nfn=b\n0x40 7 1\nfn=c\n0x40 8 2\n0x80 9\ntotals: 3\n";
        assert_eq!(read(file.as_bytes()), Ok(Code { instructions: 3, bytes: 64 }));
    }

    #[test]
    fn what_is_no_whole_file_is_refused() {
        let why = |text: &str| read(text.as_bytes()).unwrap_err();
        assert_eq!(why(""), "its end is missing");
        assert_eq!(why(&FILE[..FILE.len() - 12]), "its end is missing");
        assert_eq!(why(&FILE.replace("positions: instr", "positions: line")), "no addresses of instructions");
        assert_eq!(why(&FILE.replace("0x507f 48", "0x507f 4x")), "not understood: 0x507f 4x");
        // What a call costs is not taken for an instruction's own count, and the other way round.
        assert!(why(&FILE.replace("calls=3", "called=3")).starts_with("a total of 115, but lines for 214"));
        assert!(why(&"x".repeat(LONGEST as usize + 1)).contains("a line of more than"));
    }
}
