//! The terms of `fairlane-proofs`, in a package of their own so that they are optimised and the proofs, which are a
//! large program that runs once, are not.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`lane`] | what the operations of words do, said once, for terms and for numbers |
//! | [`term`] | what a kernel computes, as a function of its inputs |

pub mod lane;
pub mod term;
