//! The check before timing: all contestants answer the same inputs, and only those whose answers are right are timed.
//!
//! The inputs are random but the same in every run. A contestant is right if it gives the reference's answer to all of
//! them, and gives it again when the first is repeated. In a batch contest it is also given one message less and one
//! more, so that some lanes stay empty. The output is filled with junk before each answer, so that one that writes
//! nothing is found.
//!
//! A contest without a reference takes its answers from `consensus`.
//!
//! A contestant that draws its own randomness cannot give the reference's answer. The reference checks its output
//! instead.

use crate::contest::{Contest, Contestant, Failed, Function, Label, Operation, Size};
use crate::inputs::fill_random;
use crate::run::Disqualified;
use std::any::Any;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Inputs at the contest's size; large ones (over [`LARGE`] bytes) get one.
pub(super) const INPUTS: u64 = 4;
const LARGE: usize = 32 << 20;

/// Bytes of an answer that a report shows.
const SHOWN: usize = 8;

/// An input and its right answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The size asked for.
    pub size: Size,
    /// The input.
    pub input: Vec<u8>,
    /// The reference's answer.
    pub answer: Vec<u8>,
}

/// Computes the right answers with a function's reference: so many inputs at `size`, and in a batch contest one at one
/// message less and one more. The inputs are the same for all functions of a contest.
///
/// # Errors
///
/// What the reference did, in one line, if it panics.
pub fn questions(contest: &Contest, function: &Function, size: Size, inputs: u64) -> Result<Vec<Question>, String> {
    answered(contest, size, inputs, function.reference)
}

/// What somebody's operations answer to the inputs at `size`.
///
/// # Errors
///
/// What they did, in one line, if one fails.
pub(super) fn answered(
    contest: &Contest,
    size: Size,
    inputs: u64,
    make: impl Fn(Size) -> Operation,
) -> Result<Vec<Question>, String> {
    let inputs = if size.total() > LARGE { 1 } else { inputs };
    let mut wanted = vec![(size, inputs)];
    if contest.batch {
        wanted.extend((size.count > 1).then(|| (Size::batch(size.count - 1, size.bytes), 1)));
        wanted.push((Size::batch(size.count + 1, size.bytes), 1));
    }
    let mut questions = Vec::new();
    for (size, inputs) in wanted {
        let mut op = caught(|| make(size))?;
        for number in 0..inputs {
            let input = contest.input(size, number);
            let answer = ask(&mut op, &input, contest.output_bytes(size), number)?;
            questions.push(Question { size, input, answer });
        }
    }
    Ok(questions)
}

/// Checks one contestant on all inputs.
///
/// # Errors
///
/// What it answered where, in one line, if it is not right.
pub fn examine(contest: &Contest, contestant: &Contestant, questions: &[Question]) -> Result<(), String> {
    for same_size in questions.chunk_by(|a, b| a.size == b.size) {
        let size = same_size[0].size;
        let at = |why: String| format!("size {size}: {why}");
        let mut op = caught(|| (contestant.make)(size)).map_err(at)?;
        for (number, question) in same_size.iter().enumerate() {
            let given = ask(&mut op, &question.input, question.answer.len(), number as u64).map_err(at)?;
            right(contest, contestant, question, &given).map_err(at)?;
        }
        again(contest, contestant, &mut op, &same_size[0]).map_err(at)?;
    }
    Ok(())
}

/// Repeats a question to an operation that has run since: no state may be left over.
///
/// # Errors
///
/// What it answered, in one line, if it is not right.
pub fn again(
    contest: &Contest,
    contestant: &Contestant,
    op: &mut Operation,
    question: &Question,
) -> Result<(), String> {
    let given = ask(op, &question.input, question.answer.len(), INPUTS)?;
    right(contest, contestant, question, &given)
        .map_err(|why| format!("{why}, though it answered the same input rightly before"))
}

/// The report's entry for a contestant that is not timed.
pub fn disqualify(contestant: &Contestant, why: String) -> Disqualified {
    let Contestant { name, library, version, .. } = contestant;
    Disqualified { name: name.clone(), library: library.clone(), version: version.clone(), why }
}

/// Whether all contestants agree with each other, those that draw their own randomness aside. If none agrees with the
/// reference either, the reference may be wrong.
pub fn agree_with_each_other(contestants: &[&Contestant], question: &Question) -> bool {
    let answer = |contestant: &Contestant| {
        let mut op = caught(|| (contestant.make)(question.size)).ok()?;
        ask(&mut op, &question.input, question.answer.len(), 0).ok()
    };
    let mut answers = contestants.iter().filter(|contestant| !draws(contestant)).map(|contestant| answer(contestant));
    let Some(Some(first)) = answers.next() else { return false };
    let mut others = answers.peekable();
    others.peek().is_some() && others.all(|other| other.as_ref() == Some(&first))
}

/// One answer. What is given to be filled holds junk.
fn ask(op: &mut Operation, input: &[u8], len: usize, number: u64) -> Result<Vec<u8>, String> {
    let mut junk = vec![0; len];
    fill_random(&mut junk, !number);
    let given = caught(|| op.answer(input, junk.clone()))?;
    if given == junk && len >= SHOWN {
        return Err(format!("wrote nothing into its {len} bytes of output"));
    }
    Ok(given)
}

fn draws(contestant: &Contestant) -> bool {
    contestant.labels.contains(&Label::DrawsRandomness)
}

fn right(contest: &Contest, contestant: &Contestant, question: &Question, given: &[u8]) -> Result<(), String> {
    let Question { size, input, answer } = question;
    if given.len() == answer.len() && draws(contestant) {
        let tried = caught(|| (contest.accepts)(*size, input, given))?;
        let wrong = "answered, with its own randomness, what the reference cannot use";
        return if tried { Ok(()) } else { Err(wrong.to_owned()) };
    }
    if given == answer {
        return Ok(());
    }
    if given.len() != answer.len() {
        return Err(format!("answered {} bytes where {} are right", given.len(), answer.len()));
    }
    let at = given.iter().zip(answer).position(|(a, b)| a != b).unwrap_or_default();
    Err(format!("answered {} where {} is right (from byte {at} of {})", hex(given, at), hex(answer, at), answer.len()))
}

fn hex(bytes: &[u8], from: usize) -> String {
    let mut text = String::new();
    for byte in bytes.iter().skip(from).take(SHOWN) {
        let _ = write!(text, "{byte:02x}"); // a String takes everything
    }
    if bytes.len() > from + SHOWN {
        text.push('…');
    }
    text
}

/// Runs `f`; a panic becomes one line.
fn caught<R>(f: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| {
        if let Some(Failed(why)) = panic.downcast_ref() {
            return why.clone();
        }
        let words = message(&*panic).lines().next().unwrap_or_default();
        if words.is_empty() { "panicked".to_owned() } else { format!("panicked: {words}") }
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Algorithm, ContestId, Job, Kind, Lengths, Unit};

    /// Each message's answer is 8 bytes in which every byte of it counts.
    fn sums(size: Size) -> Operation {
        Operation::to_output(move |input, output| {
            for (message, answer) in input.chunks(size.bytes).zip(output.chunks_mut(8)) {
                let sum = message.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(*byte));
                answer.copy_from_slice(&sum.to_le_bytes());
            }
        })
    }

    const SUM: Function = Function { name: "sum", primitive: "", labels: &[], reference: sums };

    fn contest(batch: bool) -> Contest {
        Contest {
            id: ContestId::new(Algorithm::Custom("sum"), Job::Message),
            suite: "sum",
            about: "adds bytes",
            conditions: crate::contest::Conditions::KEYLESS,
            kind: Kind::OneFunction(SUM),
            unit: Unit::Bytes,
            batch,
            lengths: Lengths::Any,
            sizes: &[],
            quick_sizes: &[],
            reference_limit: usize::MAX,
            input_len: Size::total,
            output_len: |size| 8 * size.count,
            prepare: |_, _| (),
            accepts: |_, _, _| false,
        }
    }

    fn contestant(make: impl Fn(Size) -> Operation + Send + Sync + 'static) -> Contestant {
        Contestant {
            name: "x".into(),
            function: "sum",
            library: "x".into(),
            version: "1".into(),
            backend: "x".into(),
            labels: vec![],
            how_to_use: "x".into(),
            valgrind: true,
            make: Box::new(make),
        }
    }

    fn why(batch: bool, size: Size, make: impl Fn(Size) -> Operation + Send + Sync + 'static) -> String {
        let contest = contest(batch);
        examine(&contest, &contestant(make), &questions(&contest, &SUM, size, INPUTS).unwrap()).unwrap_err()
    }

    #[test]
    fn who_is_right_passes() {
        for (batch, size) in [(false, Size::one(5)), (true, Size::batch(3, 5)), (true, Size::batch(1, 1))] {
            let contest = contest(batch);
            let questions = questions(&contest, &SUM, size, INPUTS).unwrap();
            assert_eq!(examine(&contest, &contestant(sums), &questions), Ok(()));
            assert_eq!(questions[0].size, size);
            assert_ne!(questions[0].input, questions[1].input);
        }
    }

    #[test]
    fn who_is_wrong_is_told_where() {
        let wrong = |size| {
            let mut op = sums(size);
            Operation::to_output(move |input, output| {
                op.run(input, output);
                output[3] ^= 1;
            })
        };
        let why = why(false, Size::one(100), wrong);
        assert!(why.starts_with("size 100: answered ") && why.contains(" is right (from byte 3 of 8)"), "{why}");
    }

    #[test]
    fn who_writes_nothing_is_seen() {
        let why = why(false, Size::one(9), |_| Operation::to_output(|_, _| ()));
        assert_eq!(why, "size 9: wrote nothing into its 8 bytes of output");
    }

    #[test]
    fn who_panics_is_caught() {
        let making = why(false, Size::one(9), |_| panic!("no key (wanted by this test)"));
        assert_eq!(making, "size 9: panicked: no key (wanted by this test)");
        let running = why(false, Size::one(9), |_| {
            Operation::to_output(|input, _| panic!("bad {} (wanted by this test)", input.len()))
        });
        assert_eq!(running, "size 9: panicked: bad 9 (wanted by this test)");
    }

    #[test]
    fn whose_state_leaks_is_seen() {
        let leaking = |size| {
            let (mut op, mut calls) = (sums(size), 0);
            Operation::to_output(move |input, output| {
                op.run(input, output);
                output[0] ^= u8::from(calls == INPUTS);
                calls += 1;
            })
        };
        let why = why(false, Size::one(9), leaking);
        assert!(why.ends_with("though it answered the same input rightly before"), "{why}");
    }

    #[test]
    fn a_batch_is_asked_with_empty_lanes_too() {
        let only_full = |size: Size| {
            let mut op = sums(size);
            Operation::to_output(move |input, output| {
                op.run(input, output);
                output[0] ^= u8::from(!size.count.is_multiple_of(4));
            })
        };
        let why = why(true, Size::batch(8, 9), only_full);
        assert!(why.starts_with("size 7x9: answered "), "{why}");
    }

    /// A nonce of its own before the sum.
    #[test]
    fn who_draws_randomness_is_tried() {
        let sealed = |mask: u8| {
            move |_| {
                let mut nonce = 0_u8;
                Operation::to_output(move |input: &[u8], output: &mut [u8]| {
                    nonce = nonce.wrapping_add(77);
                    output.fill(nonce);
                    output[7] = input[0] ^ nonce ^ mask;
                })
            }
        };
        let opens = |_, input: &[u8], output: &[u8]| output[7] ^ output[0] == input[0];
        let contest = Contest { accepts: opens, ..contest(true) };
        let questions = questions(&contest, &SUM, Size::one(5), INPUTS).unwrap();
        let drawing = |mask| Contestant { labels: vec![Label::DrawsRandomness], ..contestant(sealed(mask)) };
        assert_eq!(examine(&contest, &drawing(0), &questions), Ok(()));
        let why = examine(&contest, &drawing(1), &questions).unwrap_err();
        assert_eq!(why, "size 5: answered, with its own randomness, what the reference cannot use");
        // Nobody else gets off so lightly, and those who do are not asked whether they agree.
        assert!(examine(&contest, &contestant(sealed(0)), &questions).is_err());
        let (one, other) = (contestant(sums), contestant(sums));
        assert!(agree_with_each_other(&[&drawing(0), &one, &other], &questions[0]));
    }

    #[test]
    fn a_wrong_reference_is_suspected() {
        let question = Question { size: Size::one(3), input: vec![1, 2, 3], answer: vec![0; 8] };
        let (one, other, silent) =
            (contestant(sums), contestant(sums), contestant(|_| Operation::to_output(|_, _| ())));
        assert!(agree_with_each_other(&[&one, &other], &question));
        assert!(!agree_with_each_other(&[&one], &question));
        assert!(!agree_with_each_other(&[&one, &silent], &question));
    }
}
