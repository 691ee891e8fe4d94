//! The laboratory: a *race* puts every implementation of a primitive side by side on this machine.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`contest`] | the terms: a [`Contest`](contest::Contest) and a [`Contestant`](contest::Contestant) |
//! | [`contests`] | one file per family of contests: jobs, sizes, references |
//! | [`contestants`] | one small file per library |
//! | [`inputs`] | random messages, and the keys, nonces and IVs of the contests |
//! | [`engine`] | how a race is run: check of answers, rounds, probe, statistics |
//! | [`leak`] | the search for leaks: do two classes of secrets take different times |
//! | [`run`] | what a race found, as plain data (the JSON of `fairlane race --json`) |
//! | [`Bench`] | a race of a project's own functions, under `cargo bench` |
//! | [`validate`], [`compare`], [`regression`] | is a run consistent; two runs of one set of contests; what is slower |
//! | [`history`] | many runs of the same contests in the order of time |
//! | [`report`] | one file per output format |

mod bench;
pub mod compare;
pub mod contest;
pub mod contestants;
pub mod contests;
pub mod engine;
pub mod history;
pub mod inputs;
pub mod leak;
pub mod machine;
pub mod regression;
pub mod report;
pub mod run;
pub mod validate;

pub use bench::Bench;
