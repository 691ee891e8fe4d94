//! `age-plugin-pq`: age's post-quantum recipients for programs that have age's plugins, but not these recipients.
//!
//! | file | what it has |
//! | --- | --- |
//! | `options` | the command line |
//! | `commands` | new identities, and conversions |
//! | `protocol`, `stanza` | what age and a plugin say to each other, and its lines |
//! | `wrapped` | the stanza of a file's header that holds the file key for one recipient |
//! | `hpke` | the encryption of that key |
//! | `keys`, `bech32` | recipients and identities, and their text |
//!
//! X-Wing and ChaCha20-Poly1305 are fairlane's. Exit codes: 0 for success, 1 for failure, 2 for misuse.

#![forbid(unsafe_code)]

mod bech32;
mod commands;
mod hpke;
mod keys;
mod options;
mod protocol;
mod stanza;
mod wrapped;

use fairlane_common::terminal::{plain, reason};
use options::Request;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let request = match options::parse(std::env::args_os().skip(1)) {
        Ok(request) => request,
        Err(error) => {
            eprintln!("age-plugin-pq: {}; see age-plugin-pq --help", plain(&error));
            return ExitCode::from(2);
        }
    };
    let to_client = |result: io::Result<()>| result.map_err(|error| reason(&error));
    let result = match request {
        Request::Help => commands::print(options::HELP),
        Request::Version => commands::print(concat!("age-plugin-pq ", env!("CARGO_PKG_VERSION"), " (fairlane)\n")),
        Request::Recipient => to_client(protocol::recipient(io::stdin().lock(), io::stdout().lock())),
        Request::Identity => to_client(protocol::identity(io::stdin().lock(), io::stdout().lock())),
        Request::Generate { output } => commands::generate(output.as_deref()),
        Request::Convert { to, input, output } => commands::convert(to, input.as_deref(), output.as_deref()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("age-plugin-pq: {}", plain(&error));
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    /// A file of `tests`.
    pub(crate) fn read<T: DeserializeOwned>(name: &str) -> T {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// The bytes of hexadecimal digits.
    pub(crate) fn hex(digits: &str) -> Vec<u8> {
        (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
    }
}
