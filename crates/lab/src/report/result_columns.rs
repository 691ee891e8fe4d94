//! The columns of a table of results, a row a contestant, as plain text.

use super::{numbers, wording};
use crate::leak::wording as leaks;
use crate::run::{ContestResult, ContestantResult};

/// What stands in a contestant's row.
type Cell = fn(&ContestResult, &ContestantResult) -> String;

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
    pub(super) cell: Cell,
}

/// Every column, in order.
pub(super) const COLUMNS: [Column; 20] = [
    number("rank", |_, c| c.rank.to_string()).stays(),
    text("contestant", |_, c| c.name.clone()),
    text("library", |_, c| format!("{} {}", c.library, c.version)).identity(),
    text("path", |_, c| c.backend.clone()).identity(),
    number("MB/s", |heat, c| numbers::megabytes(heat.speed_of(c))),
    number("time/op", |heat, c| numbers::time(heat.time_of(c))).stays(),
    number("ratio", |_, c| wording::ratio_cell(c)).stays(),
    text("verdict", |_, c| wording::verdict(c.verdict).to_owned()),
    number("p99 of samples", |_, c| time_if_cold(c, c.sample_within(0.99))),
    number("cold, median", |_, c| time_if_cold(c, c.cold_within(0.5))),
    number("cold, p99", |_, c| time_if_cold(c, c.cold_within(0.99))),
    number("allocations/op", |_, c| wording::allocations(c.allocations)).stays(),
    number("cycles/op", |_, c| c.cycles_per_op.map(numbers::number).unwrap_or_default()),
    number("instructions/op", |_, c| c.instructions_per_op.map(numbers::number).unwrap_or_default()),
    number("code bytes", |_, c| wording::bytes(c.code_bytes)),
    number("heap bytes", |_, c| wording::heap(c)),
    number("stack bytes", |_, c| wording::bytes(c.peak_stack_bytes)),
    number("µJ/op", |_, c| c.microjoules_per_op.map(numbers::number).unwrap_or_default()),
    text("labels", |_, c| wording::labels(&c.labels)).identity(),
    text("secrets by time", |_, c| leaks::cell(c.leak.as_ref())).if_any(),
];

/// A time, where single calls with cold caches were asked for.
fn time_if_cold(c: &ContestantResult, ns: Option<f64>) -> String {
    ns.filter(|_| !c.cold.is_empty()).map(numbers::time).unwrap_or_default()
}

const fn number(name: &'static str, cell: Cell) -> Column {
    Column { name, number: true, stays: false, identity: false, cell }
}

const fn text(name: &'static str, cell: Cell) -> Column {
    Column { name, number: false, stays: true, identity: false, cell }
}

impl Column {
    const fn stays(self) -> Self {
        Self { stays: true, ..self }
    }

    const fn if_any(self) -> Self {
        Self { stays: false, ..self }
    }

    const fn identity(self) -> Self {
        Self { identity: true, ..self }
    }

    /// The columns that say something of the contestants of a heat.
    pub(super) fn shown(heat: &ContestResult) -> Vec<Self> {
        let says = |column: &Self| column.stays || heat.contestants.iter().any(|c| !(column.cell)(heat, c).is_empty());
        COLUMNS.into_iter().filter(says).collect()
    }
}
