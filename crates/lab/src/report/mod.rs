//! The reports of a run: every output format of `fairlane race` and `fairlane report`, behind [`Format::write`].
//!
//! | file | content |
//! | --- | --- |
//! | [`json`] | the run itself, after the committed schema: reading and writing, also compressed by gzip |
//! | [`markdown`](mod@markdown) | one run as a Markdown document |
//! | [`side_by_side`] | several runs as one Markdown document: ratios only |
//! | [`html`] | one run or several as an HTML page; the pictures of a run as SVG files |
//! | [`template`] | a Markdown text with figures filled in from runs: the pages of `docs/results` |
//! | [`csv`], [`criterion`](mod@criterion), [`hyperfine`] | for other programs: values, or the files of other benchmarks |
//! | [`verdicts`] | for a terminal: a block of lines for each contest |
//! | [`overview`] | for a terminal: a table with one line for each contest |
//! | [`comparison`] | the result of [`compare`](crate::compare), for a terminal and as Markdown |
//! | [`history`] | a [history](crate::history) of many runs, for a terminal |
//! | [`regressions`] | the same, judged by limits, for programs: JSON, JUnit, annotations of a workflow |
//! | `key_exchange`, `thread_scaling` | sections made of several contests; `section` is their type |
//! | `provenance` | sentences on machine, build, settings and measurement |
//! | `standings` | who leads a contest, and whose margin counts |
//! | `result_columns` | the columns of a table of results |
//! | `bootstrap` | criterion's estimates of one row of samples |
//! | [`numbers`], [`wording`] | how numbers, verdicts and labels are written, the same in every report |
//! | [`origin`] | whether fairlane wrote a file |
//! | [`escape`] | text made safe for Markdown or a shell |

mod bootstrap;
pub mod comparison;
pub mod criterion;
pub mod csv;
pub mod escape;
pub mod history;
pub mod html;
pub mod hyperfine;
pub mod json;
mod key_exchange;
pub mod markdown;
pub mod numbers;
pub mod origin;
pub mod overview;
pub(crate) mod provenance;
pub mod regressions;
mod result_columns;
mod section;
pub mod side_by_side;
mod standings;
pub mod template;
mod thread_scaling;
pub mod verdicts;
pub mod wording;

use crate::run::Run;
use std::io::{self, Write};

/// An output format, with its options.
#[derive(Clone, Copy, Debug)]
pub enum Format<'a> {
    /// The run itself as JSON, after the committed schema; one run only.
    Json {
        /// Whether to compress it by gzip.
        gzip: bool,
    },
    /// A Markdown document: all results of one run, or the ratios of several side by side.
    Markdown,
    /// A Markdown template with its figures filled in: see [`template`].
    Template(&'a str),
    /// An HTML page in one file.
    Html,
    /// One picture of one run, by its name in [`html::figure_names`].
    Svg(&'a str),
    /// Comma-separated values, a line a contestant.
    Csv,
    /// One of the [files](criterion::files) of criterion, of one run.
    Criterion(&'a criterion::File),
    /// Hyperfine's JSON, of one run.
    Hyperfine,
    /// For a terminal of so many columns: a block of lines for each contest.
    Verdicts(usize),
    /// For a terminal of so many columns: one line for each contest, with ANSI colours.
    Overview(usize),
}

impl Format<'_> {
    /// Writes a report of these runs.
    ///
    /// # Errors
    /// Those of `out`. [`InvalidInput`](io::ErrorKind::InvalidInput), before anything is written, if the format takes
    /// one run and several were given, if there is no picture of that name, or if a template has a mistake.
    pub fn write(&self, runs: &[Run], out: &mut dyn Write) -> io::Result<()> {
        let one = || match runs {
            [run] => Ok(run),
            _ => Err(invalid(format!("this format takes one run, not {}", runs.len()))),
        };
        let text = match self {
            Self::Json { gzip: true } => return out.write_all(&json::compressed(one()?)),
            Self::Json { gzip: false } => json::text(one()?),
            Self::Markdown => match runs {
                [] => String::new(),
                [run] => markdown::render(run),
                runs => side_by_side::render(runs),
            },
            Self::Template(text) => template::fill(text, runs).map_err(invalid)?,
            Self::Html => html::render(runs),
            Self::Svg(name) => {
                html::figure(one()?, name).ok_or_else(|| invalid(format!("no picture is called '{name}'")))?
            }
            Self::Csv => csv::render(runs),
            Self::Criterion(file) => {
                criterion::render(one()?, file).ok_or_else(|| invalid(format!("the run makes no '{}'", file.path)))?
            }
            Self::Hyperfine => hyperfine::render(one()?),
            Self::Verdicts(width) => verdicts::run(one()?, *width),
            Self::Overview(width) => overview::run(one()?, *width),
        };
        out.write_all(text.as_bytes())
    }

    /// The report as bytes.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn to_bytes(&self, runs: &[Run]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write(runs, &mut bytes)?;
        Ok(bytes)
    }

    /// The report as text.
    ///
    /// # Errors
    /// As [`Self::write`]; a compressed run is not text.
    pub fn to_text(&self, runs: &[Run]) -> io::Result<String> {
        String::from_utf8(self.to_bytes(runs)?).map_err(|_| invalid("a compressed run is not text"))
    }
}

fn invalid(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why.into())
}
