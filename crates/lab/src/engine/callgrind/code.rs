//! The machine code of an operation, from callgrind's files about two runs that differ only in the number of operations.
//!
//! What ran more often in the longer run belongs to the operation. A file says how often each instruction ran, an
//! instruction a line, after lines that name the object file and the function that it is in:
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

use std::collections::HashMap;
use std::io::{BufRead, Read};

/// Bytes of a cache line.
pub(crate) const LINE: u64 = 64;

/// The longest line that is read: C++ and Rust have long names for functions.
const LONGEST: u64 = 1 << 20;

/// The most instructions that are told apart.
const MOST: usize = 1 << 20;

/// How much more often each instruction ran in some runs than in others.
#[derive(Default)]
pub(super) struct Code {
    /// Object files, each with a number.
    objects: HashMap<String, usize>,
    /// By the number of the object file and the address in it.
    more: HashMap<(usize, u64), i64>,
}

impl Code {
    /// Adds a run, each instruction `sign` times as often as it ran. Returns the instructions of the whole run.
    ///
    /// # Errors
    ///
    /// One line, if this is no whole file of callgrind with addresses.
    pub(super) fn add(&mut self, mut file: impl BufRead, sign: i64) -> Result<u64, String> {
        let (mut positions, mut object, mut inclusive, mut sum, mut totals) = (None, 0, false, 0_u64, None);
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
                let next = self.objects.len();
                object = *self.objects.entry(name.to_owned()).or_insert(next);
            } else if line.starts_with("calls=") {
                inclusive = true;
            } else if let Some(digits) = line.strip_prefix("0x") {
                let positions = positions.ok_or("no addresses of instructions")?;
                if std::mem::take(&mut inclusive) {
                    continue;
                }
                let (address, times) = counted(digits, positions).ok_or_else(|| format!("not understood: {line}"))?;
                sum = sum.saturating_add(times);
                *self.more.entry((object, address)).or_default() += sign * times as i64;
                if self.more.len() > MOST {
                    return Err(format!("more than {MOST} instructions"));
                }
            } else if let Some(number) = line.strip_prefix("totals:") {
                totals = number.split_whitespace().next().and_then(|number| number.parse().ok());
            }
        }
        match totals {
            None => Err("its end is missing".to_owned()),
            Some(totals) if totals == sum => Ok(totals),
            Some(totals) => Err(format!("a total of {totals}, but lines for {sum}")),
        }
    }

    /// The bytes of all cache lines with an instruction that ran more often in one run than in the other.
    pub(super) fn bytes(&self) -> u64 {
        let of_operation = self.more.iter().filter(|(_, more)| **more != 0);
        let mut lines: Vec<_> = of_operation.map(|((object, address), _)| (object, address / LINE)).collect();
        lines.sort_unstable();
        lines.dedup();
        LINE * lines.len() as u64
    }
}

/// An address in hexadecimal digits, and how often its instruction ran, which stands behind all positions. Zeros at the
/// end of a line may be missing.
fn counted(line: &str, positions: usize) -> Option<(u64, u64)> {
    let mut words = line.split_whitespace();
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    let times = words.nth(positions - 1).map_or(Ok(0), str::parse).ok()?;
    i64::try_from(times).ok().map(|_| (address, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that calls `encrypt` of a library `ops` times, from a loop.
    fn file(ops: u64) -> String {
        let (loops, blocks) = (3 * ops, 16 * ops);
        let calls = 2 * blocks + ops;
        let totals = 7 + loops + calls;
        format!(
            "# callgrind format\nversion: 1\ncmd:  program one-contestant {ops}\npart: 1\n\n\
             desc: Trigger: Program termination\n\npositions: instr\nevents: Ir\nsummary: {totals}\n\n\
             ob=/program\nfl=???\nfn=main\n0x1000 7\n0x103c {loops}\n\
             cob=/library.so\ncfi=???\ncfn=encrypt\ncalls={ops} 0x5000 \n0x1100 {calls}\n\n\
             ob=/library.so\nfl=???\nfn=encrypt\n0x103c {ops}\n0x507f {blocks}\nfe=inlined.h\n0x5080 {blocks}\n\n\
             totals: {totals}\n"
        )
    }

    fn touched(few: &str, many: &str) -> Result<u64, String> {
        let mut code = Code::default();
        code.add(few.as_bytes(), -1)?;
        code.add(many.as_bytes(), 1)?;
        Ok(code.bytes())
    }

    #[test]
    fn lines_of_the_operation_are_counted_once() {
        // 0x1000 is in the line of 0x103c, which both objects have; 0x507f and 0x5080 are in two; 0x1100 only calls.
        assert_eq!(touched(&file(1), &file(100)), Ok(4 * 64));
        assert_eq!(touched(&file(5), &file(5)), Ok(0));
        let mut code = Code::default();
        assert_eq!(code.add(file(2).as_bytes(), 1), Ok(7 + 6 + 66));
    }

    #[test]
    fn one_instruction_may_have_several_lines() {
        // In another function, or called from another one.
        let file = |first: u64, second: u64| {
            format!(
                "positions: instr line\nob=a\nfn=b\n0x40 7 {first}\nfn=c\n0x40 8 {second}\n0x80 9\ntotals: {}\n",
                first + second
            )
        };
        assert_eq!(touched(&file(1, 2), &file(2, 1)), Ok(0));
        assert_eq!(touched(&file(1, 2), &file(2, 2)), Ok(64));
    }

    #[test]
    fn what_is_no_whole_file_is_refused() {
        let whole = file(3);
        let why = |text: &str| Code::default().add(text.as_bytes(), 1).unwrap_err();
        assert_eq!(why(""), "its end is missing");
        assert_eq!(why(&whole[..whole.len() - 12]), "its end is missing");
        assert_eq!(why(&whole.replace("positions: instr", "positions: line")), "no addresses of instructions");
        assert_eq!(why(&whole.replace("0x507f 48", "0x507f 4x")), "not understood: 0x507f 4x");
        // What a call costs is not taken for an instruction's own count, and the other way round.
        assert!(why(&whole.replace("calls=3", "called=3")).starts_with("a total of 115, but lines for 214"));
        assert!(why(&"x".repeat(LONGEST as usize + 1)).contains("a line of more than"));
    }
}
