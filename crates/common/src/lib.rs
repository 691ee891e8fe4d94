//! What the command, the laboratory and age's plugin share.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`terminal`] | text that steers no terminal, wrapped lines, aligned columns |
//! | [`suggest`] | what was meant by a name that is none |
//! | [`machine`] | what the system tells of the machine |
//! | [`time`] | the time of day, as text |

#![forbid(unsafe_code)]

pub mod machine;
pub mod suggest;
pub mod terminal;
pub mod time;
