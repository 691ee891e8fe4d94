//! The line protocol: one JSON object a line, a question on the plug-in's standard input, its reply on its standard
//! output. `docs/plugins.md` is its document.

use serde::{Deserialize, Serialize};

/// The version of the protocol, and of the C ABI.
pub(super) const VERSION: u32 = 1;

/// A question.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub(super) enum Ask {
    /// Which contestants are there?
    Hello {
        /// The version that is spoken.
        version: u32,
    },
    /// Make ready for this job. Asked at most once.
    SetUp(Job),
    /// Do it once on this input, and answer.
    Answer {
        /// The input.
        #[serde(with = "hex")]
        input: Vec<u8>,
    },
    /// Do it so many times on the last input.
    Run {
        /// How many times.
        times: u64,
    },
}

/// A reply to any question: what was asked for, or an error.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Reply {
    /// Why the question was not answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    /// To `hello`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<u32>,
    /// To `hello`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) contestants: Option<Vec<Offer>>,
    /// To `answer`, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<String>,
    /// To `run`: the nanoseconds that it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ns: Option<u64>,
}

/// One contestant of one contest, as the plug-in describes it. Only the first two are needed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Offer {
    /// `sha3-256/message`.
    pub(super) contest: String,
    /// What tables call it.
    pub(super) name: String,
    /// Which of the functions, in a contest of one job.
    pub(super) function: String,
    /// The library that it is of.
    pub(super) library: String,
    /// Its version.
    pub(super) version: String,
    /// The path that it takes.
    pub(super) backend: String,
    /// What a reader must know.
    pub(super) labels: Vec<String>,
    /// How a program takes this path.
    pub(super) how_to_use: String,
}

/// What is to be set up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Job {
    /// The contestant's place in the reply to `hello`.
    pub(super) contestant: usize,
    /// The contest's id.
    pub(super) contest: String,
    /// The function's name.
    pub(super) function: String,
    /// What is done with the buffers.
    pub(super) shape: Shape,
    /// Messages an operation.
    pub(super) count: usize,
    /// Bytes of each.
    pub(super) bytes: usize,
    /// Bytes of input of one operation.
    pub(super) input_len: usize,
    /// Bytes of output.
    pub(super) output_len: usize,
    /// The contest's key; empty if it has none.
    #[serde(with = "hex")]
    pub(super) key: Vec<u8>,
    /// Its IV, nonce, counter block or tweak.
    #[serde(with = "hex")]
    pub(super) iv: Vec<u8>,
    /// Its additional data.
    #[serde(with = "hex")]
    pub(super) aad: Vec<u8>,
}

/// What an operation does with its buffers. The numbers are those of the C ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Shape {
    /// Reads the input, fills the output.
    ToOutput = 0,
    /// Changes a buffer where it lies.
    InPlace = 1,
    /// Expands the key that is the input.
    KeySetup = 2,
}

/// Bytes as hexadecimal text.
pub(super) mod hex {
    use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(in super::super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&HEXLOWER.encode(bytes))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        decode(&String::deserialize(from)?).map_err(D::Error::custom)
    }

    pub(in super::super) fn encode(bytes: &[u8]) -> String {
        HEXLOWER.encode(bytes)
    }

    pub(in super::super) fn decode(text: &str) -> Result<Vec<u8>, String> {
        HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|error| format!("no hexadecimal text: {error}"))
    }
}
