//! The laboratory: a *race* puts every implementation of a primitive side by side on this machine.
//!
//! | room | what it holds |
//! | --- | --- |
//! | [`contest`] | the words: [`Contest`](contest::Contest), [`Contestant`](contest::Contestant), [`Size`](contest::Size), [`Op`](contest::Op) |
//! | [`contests`] | one file a contest family: which job, which sizes, which answer is right |
//! | [`contestants`] | one small file a library that can enter |
//! | [`engine`] | how a race is run: agreement, rounds, probe, statistics |
//! | [`run`] | what a race found, as plain data (the JSON of `fairlane race --json`) |
//! | [`validate`], [`compare`] | is a run what it says; two runs of the same contests |
//! | [`report`] | one file an output format |

pub mod compare;
pub mod contest;
pub mod contestants;
pub mod contests;
pub mod engine;
pub mod machine;
pub mod report;
pub mod run;
pub mod validate;
