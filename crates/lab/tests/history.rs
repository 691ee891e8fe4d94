//! Many runs in the order of time.

mod synthetic;

use fairlane_lab::history::{History, follow};
use fairlane_lab::report::history::text;
use fairlane_lab::report::html::render_history;
use fairlane_lab::run::Run;
use synthetic::{rejudge, run};

/// A run of another day and commit, in which fairlane takes so many times as long.
fn later(day: u32, slower: f64) -> Run {
    let mut run = run();
    run.started = format!("2026-02-{day:02}T12:00:00Z");
    run.build.commit = format!("{day:040x}");
    for contest in &mut run.contests {
        for own in contest.contestants.iter_mut().filter(|c| c.library == "fairlane") {
            own.samples.iter_mut().flatten().for_each(|ns| *ns *= slower);
        }
        rejudge(contest, 0.95);
    }
    run
}

fn all(runs: Vec<Run>) -> History {
    follow(runs, |_| true, |c| c.library == "fairlane")
}

#[test]
fn positions_are_followed_from_the_earliest_run_on() {
    let history = all(vec![later(20, 0.9), later(3, 1.0), later(11, 0.8)]);
    let days: Vec<&str> = history.runs.iter().map(|stamp| stamp.day.as_str()).collect();
    assert_eq!(days, ["2026-02-03", "2026-02-11", "2026-02-20"]);
    assert_eq!((history.runs[0].commit.as_str(), history.tracks.len(), history.elsewhere), ("0000000", 3, 0));
    for track in &history.tracks {
        assert_eq!(track.base, "keccak-asm");
        assert_eq!(track.lines.len(), 2);
        for line in &track.lines {
            let at: Vec<f64> = line.points.iter().map(|point| point.position.estimate).collect();
            for (at, slower) in at.iter().zip([1.0, 0.8, 0.9]) {
                assert!((at * 1.24 / slower - 1.0).abs() < 0.01, "{}: {at}", line.name);
            }
        }
    }
}

#[test]
fn what_cannot_be_followed_is_left_out() {
    let mut elsewhere = later(5, 1.0);
    elsewhere.machine.cpu = "Another CPU".to_owned();
    let mut other_work = later(7, 1.0);
    other_work.contests[0].about = "something else".to_owned();
    let mut other_base = later(9, 1.0);
    for c in other_base.contests.iter_mut().flat_map(|contest| &mut contest.contestants) {
        if c.name == "keccak-asm" {
            c.version = "9".to_owned();
        }
    }
    let history = all(vec![later(2, 1.0), elsewhere, other_work, other_base, later(12, 1.0), later(14, 1.0)]);
    assert_eq!((history.runs.len(), history.elsewhere), (5, 1));
    let points = |track: usize| history.tracks[track].lines[0].points.iter().map(|p| p.run).collect::<Vec<_>>();
    let first = history.tracks.iter().position(|track| track.contest.size == "32").unwrap();
    // tiny-keccak is the same in all five, keccak-asm in four.
    assert_eq!(history.tracks[first].base, "tiny-keccak");
    assert_eq!(points(first), [0, 2, 3, 4]);
    assert!(all(vec![later(2, 1.0)]).tracks.is_empty(), "one run is no history");
    assert!(all(Vec::new()).runs.is_empty());
}

#[test]
fn a_terminal_and_a_page_show_it() {
    let history = all(vec![later(3, 1.0), later(11, 0.8), later(20, 0.9)]);
    let shown = text(&history, 80);
    assert!(shown.starts_with("3 runs\n\nkeccak256/message, 32 B, over keccak-asm\n  fairlane/"), "{shown}");
    assert!(shown.contains("2026-02-11  0000000"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(text(&history, 56).lines().all(|line| line.chars().count() <= 56));
    let page = render_history(&history);
    assert_eq!(page.matches("<svg class=chart").count(), 3);
    assert!(page.contains("over the best of all runs") && page.contains("keccak256/message, 1 KiB, over keccak-asm"));
    assert!(render_history(&all(Vec::new())).contains("No two runs"));
}
