//! What the command and the laboratory share.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`terminal`] | text that steers no terminal, wrapped lines, aligned columns |
//! | [`suggest`] | what was meant by a name that is none |
//! | [`machine`] | what the system tells of the machine |

#![forbid(unsafe_code)]

pub mod machine;
pub mod suggest;
pub mod terminal;
