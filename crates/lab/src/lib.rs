//! The laboratory: a *race* puts every implementation of a primitive side by side on this machine.
//!
//! | room | what it holds |
//! | --- | --- |
//! | [`contest`] | the words: [`Contest`](contest::Contest), [`Contestant`](contest::Contestant), [`Size`](contest::Size), [`Operation`](contest::Operation) |
//! | [`contests`] | one file a contest family: which job, which sizes, which answer is right |
//! | [`contestants`] | one small file a library that can enter |
//! | [`inputs`] | random messages, and the keys, nonces and IVs of the contests |
//! | [`engine`] | how a race is run: agreement, rounds, probe, statistics |
//! | [`run`] | what a race found, as plain data (the JSON of `fairlane race --json`) |
//! | [`validate`], [`compare`] | is a run what it says; two runs of the same contests |
//! | [`report`] | one file an output format |

pub mod compare;
pub mod contest;
pub mod contestants;
pub mod contests;
pub mod engine;
pub mod inputs;
pub mod machine;
pub mod report;
pub mod run;
pub mod validate;
