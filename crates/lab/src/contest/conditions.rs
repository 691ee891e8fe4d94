//! Which parts of a contest's work are timed: a field for each part, so that a reader and a test can check it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where each part of a contest's work stands, for all contestants but those whose labels say otherwise.
///
/// A field that is missing in a file is unknown: in runs of earlier versions, and in contests of others that do not
/// say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Conditions {
    /// Reading a key, checking it and computing its schedule.
    pub key: Place,
    /// Setting an IV, a nonce or a tweak.
    pub iv: Place,
    /// Making contexts, handles and scratch memory, and looking up algorithms by name.
    pub context: Place,
    /// Allocating the memory of the output.
    pub allocation: Place,
    /// Choosing the code for this CPU: outside where a key or a context that is kept can remember it.
    pub dispatch: Place,
    /// Whether an operation waits for the one before.
    pub pace: Pace,
}

/// Where a part of the work stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In every timed operation.
    Inside,
    /// Before what is timed, once.
    Outside,
    /// Nowhere: the job has no such part.
    None,
    /// Nobody said.
    #[default]
    Unknown,
}

/// Whether an operation waits for the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// No: a CPU may begin the next one before the last one ends.
    Throughput,
    /// Yes: each works on what the last one left.
    Latency,
    /// Nobody said.
    #[default]
    Unknown,
}

impl Conditions {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        key: Place::Unknown,
        iv: Place::Unknown,
        context: Place::Unknown,
        allocation: Place::Unknown,
        dispatch: Place::Unknown,
        pace: Pace::Unknown,
    };

    /// A function of a message alone, such as a hash, to a given output.
    pub const KEYLESS: Self = Self {
        key: Place::None,
        iv: Place::None,
        context: Place::Outside,
        allocation: Place::Outside,
        dispatch: Place::Outside,
        pace: Pace::Throughput,
    };

    /// A message or many blocks under a key that is ready, to a given output.
    pub const READY_KEY: Self = Self { key: Place::Outside, ..Self::KEYLESS };

    /// The same with an IV, a nonce or a tweak that belongs to the message.
    pub const READY_KEY_NEW_IV: Self = Self { iv: Place::Inside, ..Self::READY_KEY };

    /// A message that begins with its key, or the expansion of a key alone.
    pub const NEW_KEY: Self = Self { key: Place::Inside, dispatch: Place::Inside, ..Self::KEYLESS };

    /// A message that begins with its key and its IV or nonce.
    pub const NEW_KEY_AND_IV: Self = Self { iv: Place::Inside, ..Self::NEW_KEY };

    /// The same work where the data lies, each operation on what the last one left.
    pub const fn in_place(self) -> Self {
        Self { pace: Pace::Latency, ..self }
    }

    /// The parts with their places, by name.
    pub fn places(&self) -> [(&'static str, Place); 5] {
        let Self { key, iv, context, allocation, dispatch, .. } = *self;
        [("key", key), ("IV", iv), ("context", context), ("allocation", allocation), ("dispatch", dispatch)]
    }
}

/// In a line: `inside: IV; outside: key, context, allocation, dispatch; throughput`. Empty if nothing is known.
impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |place| {
            let names = self.places().into_iter().filter(move |(_, at)| *at == place).map(|(name, _)| name);
            names.collect::<Vec<_>>().join(", ")
        };
        let pace = match self.pace {
            Pace::Throughput => "throughput",
            Pace::Latency => "latency: each works on what the last one left",
            Pace::Unknown => "",
        };
        let parts = [("inside", at(Place::Inside)), ("outside", at(Place::Outside)), ("", pace.to_owned())];
        let mut first = true;
        for (place, names) in parts.iter().filter(|(_, names)| !names.is_empty()) {
            let (before, colon) = (if first { "" } else { "; " }, if place.is_empty() { "" } else { ": " });
            write!(f, "{before}{place}{colon}{names}")?;
            first = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_timed() {
        assert_eq!(
            Conditions::READY_KEY_NEW_IV.to_string(),
            "inside: IV; outside: key, context, allocation, dispatch; throughput"
        );
        assert_eq!(
            Conditions::KEYLESS.in_place().to_string(),
            "outside: context, allocation, dispatch; latency: each works on what the last one left"
        );
        assert_eq!(Conditions::UNKNOWN.to_string(), "");
        assert_eq!(Conditions::default(), Conditions::UNKNOWN);
        assert_eq!(Conditions { key: Place::Inside, ..Conditions::UNKNOWN }.to_string(), "inside: key");
    }
}
