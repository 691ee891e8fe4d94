//! What is measured in every search beside the contestants: operations that must be told apart, and one that must not.

use super::secrets::{Classes, Secret};
use crate::contest::{Operation, Size};
use crate::inputs::fill_random;
use std::hint::black_box;

/// Bytes that the controls take: a tag.
const LEN: usize = 16;
/// Lines of the table: more than a message of the controls can ask for.
const TABLE: usize = 4096;

/// An operation of which is known whether its classes can be told apart.
pub(crate) struct Control {
    pub(crate) name: &'static str,
    pub(crate) secret: Secret,
    pub(crate) classes: Classes,
    /// Whether it must be told apart.
    pub(crate) leaks: bool,
    pub(crate) make: fn(Size) -> Operation,
}

/// All of them.
pub(crate) fn controls() -> [Control; 3] {
    let messages = |seeds: std::ops::Range<u64>| -> Vec<Vec<u8>> {
        seeds
            .map(|seed| {
                let mut message = vec![0; LEN];
                fill_random(&mut message, seed);
                message
            })
            .collect()
    };
    let wrong = |at: usize| {
        let mut tag = vec![0; LEN];
        tag[at] = 1;
        vec![tag]
    };
    [
        Control {
            name: "comparison that ends at the first difference",
            secret: Secret::Tag,
            classes: Classes::of_inputs(wrong(0), wrong(LEN - 1)),
            leaks: true,
            make: |_| Operation::to_output(|tag, output| output[0] = u8::from(ends_early(tag, black_box(&[0; LEN])))),
        },
        Control {
            name: "substitution by a table",
            secret: Secret::Message,
            classes: Classes::of_inputs(vec![vec![0; LEN]], messages(1..257)),
            leaks: true,
            make: by_table,
        },
        Control {
            name: "the same with one class twice",
            secret: Secret::Message,
            classes: Classes::of_inputs(messages(1..257), messages(1..257)),
            leaks: false,
            make: by_table,
        },
    ]
}

/// Whether two tags are the same, as nobody should find out.
#[inline(never)]
fn ends_early(a: &[u8], b: &[u8]) -> bool {
    for (a, b) in a.iter().zip(b) {
        // No compiler compares more than one byte at once.
        if black_box(*a) != black_box(*b) {
            return false;
        }
    }
    true
}

/// Each byte goes through a table, and its place depends on the byte before, as in the rounds of a cipher.
fn by_table(_: Size) -> Operation {
    let mut table = vec![0; TABLE];
    fill_random(&mut table, 0);
    Operation::to_output(move |message, output| {
        let mut state = 0;
        for byte in message {
            // An all-zero message stays at one place.
            let at = (state * 17 + usize::from(*byte) * (TABLE / 256)) % TABLE;
            state = usize::from(table[at]) * usize::from(*byte);
        }
        output[0] = state as u8;
    })
}
