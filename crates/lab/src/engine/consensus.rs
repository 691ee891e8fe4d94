//! The right answers of a contest without a reference: those that more contestants give than any others.

use super::agreement::{INPUTS, Question, answered};
use crate::contest::{Contest, Contestant, Size};

/// The answers that at least two contestants give to all inputs, or those of the only one that gives any.
///
/// # Errors
///
/// Why each of the contestants is not believed, if no answers are given more often than others.
pub(super) fn questions(
    contest: &Contest,
    contestants: &[&Contestant],
    size: Size,
) -> Result<Vec<Question>, Vec<String>> {
    let answers: Vec<Result<Vec<Question>, String>> =
        contestants.iter().map(|contestant| answered(contest, size, INPUTS, &contestant.make)).collect();
    let votes: Vec<usize> =
        answers.iter().map(|own| answers.iter().filter(|other| own.is_ok() && alike(own, other)).count()).collect();
    let most = votes.iter().copied().max().unwrap_or_default();
    let at = votes.iter().position(|count| *count == most);
    let winner = at.map(|at| &answers[at]).filter(|winner| {
        let contested = answers.iter().zip(&votes).any(|(other, count)| *count == most && !alike(winner, other));
        !contested && (most > 1 || winner.is_ok())
    });
    if let Some(Ok(questions)) = winner {
        return Ok(questions.clone());
    }
    let reason = |answer: Result<_, String>| {
        answer.err().unwrap_or_else(|| "no answers are given by more contestants than any others".to_owned())
    };
    Err(answers.into_iter().map(reason).collect())
}

/// Whether both have the same answers.
fn alike(one: &Result<Vec<Question>, String>, other: &Result<Vec<Question>, String>) -> bool {
    let (Ok(one), Ok(other)) = (one, other) else { return false };
    one.iter().map(|question| &question.answer).eq(other.iter().map(|question| &question.answer))
}

/// The remark about a contestant that is alone.
pub(super) fn nobody_else(name: &str) -> String {
    format!("{name} has nobody to agree with: its answers are unchecked")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Operation;
    use crate::contests;

    /// Answers with a byte; with none it panics.
    fn contestant(byte: Option<u8>) -> Contestant {
        let make = move |_| {
            Operation::to_output(move |_, output| output.fill(byte.expect("a byte (its lack is wanted by this test)")))
        };
        Contestant {
            name: "x".into(),
            function: "x",
            library: "x".into(),
            version: "1".into(),
            backend: "x".into(),
            labels: vec![],
            how_to_use: "x".into(),
            valgrind: false,
            make: Box::new(make),
        }
    }

    fn answer(bytes: &[Option<u8>]) -> Result<u8, Vec<String>> {
        let contest = &contests::select(&["sha3-256/message"]).unwrap()[0];
        let contestants: Vec<Contestant> = bytes.iter().copied().map(contestant).collect();
        let contestants: Vec<&Contestant> = contestants.iter().collect();
        questions(contest, &contestants, Size::one(8)).map(|questions| questions[0].answer[0])
    }

    #[test]
    fn the_majority_is_right() {
        assert_eq!(answer(&[Some(1), Some(2), Some(2)]), Ok(2));
        assert_eq!(answer(&[Some(3), None, Some(3)]), Ok(3));
        assert_eq!(answer(&[Some(1), Some(2), Some(2), Some(3), Some(2), Some(1)]), Ok(2));
    }

    #[test]
    fn one_alone_is_believed_and_two_who_differ_are_not() {
        assert_eq!(answer(&[Some(1)]), Ok(1));
        assert_eq!(answer(&[None, Some(1)]), Ok(1));
        for split in [&[Some(1), Some(2)][..], &[Some(1), Some(2), Some(2), Some(1)]] {
            let reasons = answer(split).unwrap_err();
            assert_eq!(reasons.len(), split.len());
            assert!(reasons[0].starts_with("no answers"), "{reasons:?}");
        }
        assert!(answer(&[Some(1), None, Some(2)]).unwrap_err()[1].starts_with("panicked: "));
        assert!(answer(&[None]).unwrap_err()[0].starts_with("panicked: "));
    }
}
