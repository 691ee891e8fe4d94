//! Every contestant of every contest gives the reference's answer, and the roster says who is who.

use fairlane_lab::contest::{Algorithm, Contest, Contestant, Function, Label, Lengths, Size, Unit};
use fairlane_lab::contestants::{Roster, roster};
use fairlane_lab::contests;
use std::process::Command;

/// Around the blocks of the sponge (136 and 168 bytes), of ChaCha and SM3 (64, padded from 56 on) and of Kusumi (100),
/// around 4, 8 and 16 of these, and some that are nothing special.
const LENGTHS: &[usize] = &[
    1, 8, 31, 32, 55, 56, 63, 64, 65, 99, 100, 101, 135, 136, 137, 167, 168, 169, 255, 256, 257, 271, 272, 273, 335,
    336, 337, 399, 401, 511, 513, 799, 801, 1000, 1023, 1025, 1599, 1601, 5000,
];

/// For hashes that divide a message into chunks of 8 KiB: around one, around those that the lanes of vectors take at a
/// time, and more of them.
const CHUNKED_LENGTHS: &[usize] =
    &[8191, 8192, 8193, 16_384, 24_577, 40_959, 65_536, 73_727, 73_728, 73_729, 131_073, 139_264, 300_000];

/// Around the lanes of a vector: fewer messages or blocks, as many, more.
const COUNTS: &[usize] = &[1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 65, 130];

fn sizes(contest: &Contest) -> Vec<Size> {
    let lengths = match contest.lengths {
        Lengths::Any => match contest.algorithm() {
            Algorithm::Kt128 | Algorithm::Kt256 | Algorithm::ParallelHash128 => [LENGTHS, CHUNKED_LENGTHS].concat(),
            _ => LENGTHS.to_vec(),
        },
        Lengths::AtLeast(bytes) => LENGTHS.iter().copied().filter(|&length| length >= bytes).collect(),
        Lengths::Blocks(bytes) => COUNTS.iter().map(|count| count * bytes).collect(),
        Lengths::Only(bytes) => vec![bytes],
    };
    let counts = match contest.unit {
        _ if !contest.batch => &[1],
        Unit::Bytes => COUNTS,
        // Their references take their time.
        Unit::Operations => &[1, 2, 7, 8, 9, 17],
    };
    counts.iter().flat_map(|&count| lengths.iter().map(move |&bytes| Size::batch(count, bytes))).collect()
}

/// What is right.
fn expected(contest: &Contest, function: &Function, size: Size, input: &[u8]) -> Vec<u8> {
    (function.reference)(size).answer(input, vec![0; (contest.output_len)(size)])
}

/// Whether an answer to an input is the expected one, or as good.
fn is_right(
    contest: &Contest,
    contestant: &Contestant,
    size: Size,
    (input, expected): (&[u8], &[u8]),
    answer: &[u8],
) -> bool {
    match contestant.labels.contains(&Label::DrawsRandomness) {
        true => answer.len() == expected.len() && (contest.accepts)(size, input, answer),
        false => answer == expected,
    }
}

#[test]
fn every_contestant_agrees_with_the_reference() {
    for contest in contests::all() {
        let Roster { contestants, absent } = roster(&contest);
        for size in sizes(&contest) {
            let mut ops: Vec<_> = contestants.iter().map(|contestant| (contestant, (contestant.make)(size))).collect();
            // Twice, since what is used again must begin afresh.
            for seed in 1..=2 {
                let input = contest.input(size, seed);
                for function in contest.functions() {
                    let expected = expected(&contest, function, size, &input);
                    for (contestant, op) in ops.iter_mut().filter(|(c, _)| c.function == function.name) {
                        let answer = op.answer(&input, vec![0xa5; expected.len()]);
                        let right = is_right(&contest, contestant, size, (&input, &expected), &answer);
                        assert!(right, "{} in {} at {size}", contestant.name, contest.id);
                    }
                }
            }
        }
        for Contestant { name, version, backend, labels, .. } in &contestants {
            println!("{}: {name} {version}, {backend}, {labels:?}", contest.id);
        }
        for line in &absent {
            println!("{}: absent {}: {}", contest.id, line.library, line.why);
        }
    }
}

#[test]
fn every_contestant_says_who_it_is() {
    for contest in contests::all() {
        let Roster { contestants, absent } = roster(&contest);
        for (at, contestant) in contestants.iter().enumerate() {
            let Contestant { name, library, version, backend, labels, how_to_use, .. } = contestant;
            assert!(contestants[..at].iter().all(|other| other.name != *name), "{name} twice in {}", contest.id);
            for text in [name, library, version, backend, how_to_use] {
                assert!(!text.trim().is_empty() && !text.contains('\n'), "{name}: {text:?}");
            }
            assert!(labels.is_sorted(), "{name}: {labels:?}");
            let one_by_one = labels.contains(&Label::OneByOne);
            assert!(!one_by_one || contest.batch, "{name} in {}", contest.id);
            // It has no batch call, so it gets the label by itself; another library may bring a batch call of its own.
            assert!(one_by_one || !contest.batch || library != "tiny-keccak", "{name} in {}", contest.id);
        }
        for line in absent {
            assert!(!line.library.is_empty() && !line.why.is_empty(), "{line:?}");
        }
    }
}

#[test]
fn operations_may_move_to_another_thread() {
    for contest in contests::all() {
        let size = contest.quick_sizes[0];
        let input = contest.input(size, 3);
        std::thread::scope(|scope| {
            for contestant in roster(&contest).contestants {
                let function = contest.function(contestant.function).expect("one of the contest's");
                let expected = expected(&contest, function, size, &input);
                let (contest, input, mut op) = (&contest, &input, (contestant.make)(size));
                scope.spawn(move || {
                    let answer = op.answer(input, vec![0; expected.len()]);
                    let right = is_right(contest, &contestant, size, (input, &expected), &answer);
                    assert!(right, "{} in {}", contestant.name, contest.id);
                });
            }
        });
    }
}

/// The versions that contestants' files say are those that Cargo.toml pins.
#[test]
fn versions_are_the_pinned_ones() {
    let manifest = include_str!("../Cargo.toml");
    let pinned = |library: &str| {
        let line = manifest.lines().find(|line| line.starts_with(&format!("{library} =")))?;
        line.split('"').find_map(|text| text.strip_prefix('='))
    };
    let mut checked = 0;
    for contest in contests::all() {
        for Contestant { library, version, .. } in roster(&contest).contestants {
            if let Some(pin) = pinned(&library) {
                assert_eq!(version, pin, "{library}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 8, "only {checked} found");
}

/// `FAIRLANE_BACKEND` is read once a process, so another process looks.
#[test]
fn the_allow_list_restricts_fairlane_and_nobody_else() {
    const CHILD: &str = "FAIRLANE_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        for contest in contests::all() {
            let Roster { contestants, absent } = roster(&contest);
            let ours = contestants.iter().filter(|contestant| contestant.library == "fairlane");
            // In a mode crate of others, the block cipher is one more.
            let (via, ours): (Vec<_>, Vec<_>) = ours.partition(|contestant| contestant.backend.contains(" via "));
            // AES-256 is others' only.
            let names: Vec<&str> = fairlane::primitives().iter().map(|primitive| primitive.name).collect();
            let own = contest.functions().iter().filter(|function| names.contains(&function.primitive)).count();
            assert_eq!(ours.len(), own, "{}", contest.id);
            assert!(ours.iter().all(|contestant| contestant.backend == "scalar"), "{}", contest.id);
            assert!(via.iter().all(|contestant| contestant.backend.starts_with("scalar via ")), "{}", contest.id);
            assert!(contestants.iter().any(|contestant| contestant.library != "fairlane"));
            let barred = absent.iter().filter(|line| line.why.contains("FAIRLANE_BACKEND")).count();
            let racing = |backend| {
                let computes = |p: &fairlane::Primitive| contest.functions().iter().any(|f| f.primitive == p.name);
                fairlane::primitives().iter().any(|p| computes(p) && p.backends.contains(backend))
            };
            let here = fairlane::Backend::ALL.iter().filter(|backend| backend.is_available());
            assert_eq!(barred, here.filter(|backend| racing(backend)).count() - 1, "{}", contest.id);
        }
        return;
    }
    let test = std::env::current_exe().expect("a test knows where it lies");
    let status = Command::new(test)
        .args(["--exact", "the_allow_list_restricts_fairlane_and_nobody_else"])
        .env(CHILD, "1")
        .env("FAIRLANE_BACKEND", "scalar")
        .status();
    assert!(status.expect("the test starts").success());
}
