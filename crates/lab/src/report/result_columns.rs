//! The columns of a table of results, a row a contestant, as plain text.

use super::{numbers, wording};
use crate::run::ContestantResult;

/// A column of the table of contestants.
pub(super) struct Column {
    /// What stands above it.
    pub(super) name: &'static str,
    /// Whether its cells are numbers.
    pub(super) number: bool,
    /// Whether it stays when it is blank throughout.
    pub(super) stays: bool,
    /// Whether it describes the contestant and not its result.
    pub(super) identity: bool,
    /// What stands in it.
    pub(super) cell: fn(&ContestantResult) -> String,
}

/// Every column, in order.
pub(super) const COLUMNS: [Column; 12] = [
    number("rank", |c| c.rank.to_string()).stays(),
    text("contestant", |c| c.name.clone()),
    text("library", |c| format!("{} {}", c.library, c.version)).identity(),
    text("path", |c| c.backend.clone()).identity(),
    number("MB/s", |c| numbers::megabytes(c.bytes_per_second)),
    number("time/op", |c| numbers::time(c.ns_per_op)).stays(),
    number("ratio", wording::ratio_cell).stays(),
    text("verdict", |c| wording::verdict(c.verdict).to_owned()),
    number("allocations/op", |c| wording::allocations(c.allocations)).stays(),
    number("cycles/op", |c| c.cycles_per_op.map(numbers::number).unwrap_or_default()),
    number("instructions/op", |c| c.instructions_per_op.map(numbers::number).unwrap_or_default()),
    text("labels", |c| wording::labels(&c.labels)).identity(),
];

const fn number(name: &'static str, cell: fn(&ContestantResult) -> String) -> Column {
    Column { name, number: true, stays: false, identity: false, cell }
}

const fn text(name: &'static str, cell: fn(&ContestantResult) -> String) -> Column {
    Column { name, number: false, stays: true, identity: false, cell }
}

impl Column {
    const fn stays(self) -> Self {
        Self { stays: true, ..self }
    }

    const fn identity(self) -> Self {
        Self { identity: true, ..self }
    }

    /// The columns that say something of these contestants.
    pub(super) fn shown(all: &[ContestantResult]) -> Vec<Self> {
        let says = |column: &Self| column.stays || all.iter().any(|c| !(column.cell)(c).is_empty());
        COLUMNS.into_iter().filter(says).collect()
    }
}
