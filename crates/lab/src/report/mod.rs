//! How a run is written down and read again: one file an output format, none of them prints.
//!
//! | file | what it gives |
//! | --- | --- |
//! | [`json`] | the run itself, after the committed schema: read, spelled |
//! | [`markdown`](mod@markdown) | one run as a document |
//! | `chapter` | what a report makes of several contests: tables under a title |
//! | `exchange` | the chapter on key exchange: a table of the parts for each parameter set |
//! | `scaling` | the chapter on threads |
//! | [`side_by_side`] | several runs as one document: ratios only |
//! | [`html`] | either as one page that needs nothing else; the pictures of a run as files |
//! | [`verdicts`] | the terminal's short form |
//! | [`overview`] | the terminal's one screen, a line a contest |
//! | [`comparison`] | what [`compare`](crate::compare) found, as text and as Markdown |
//! | [`columns`] | text that stands in columns and breaks at a width |
//! | `facts` | what documents say of a run as a whole, and the columns of their tables |
//! | [`words`] | how a size, a speed, a ratio or a verdict is spelled, the same everywhere |

mod chapter;
pub mod columns;
pub mod comparison;
mod exchange;
mod facts;
pub mod html;
pub mod json;
pub mod markdown;
pub mod overview;
mod scaling;
pub mod side_by_side;
pub mod verdicts;
pub mod words;

use crate::run::Run;

/// One run, or several side by side, as a Markdown document; nothing for none.
pub fn markdown(runs: &[Run]) -> String {
    match runs {
        [] => String::new(),
        [run] => markdown::render(run),
        runs => side_by_side::render(runs),
    }
}
