//! Algorithms that are chosen at run time: `cargo run --example by_name sha3-256 "a message"`

use fairlane::dynamic::{Error, HashAlgorithm};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "sha3-256".to_owned());
    let message = arguments.next().unwrap_or_default();
    match digest(&name, message.as_bytes()) {
        Ok(digest) => {
            println!("{digest:02x?}");
            ExitCode::SUCCESS
        }
        // For an unknown name, the error lists the names that there are.
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The hash of a message on every backend that this machine has, which is the same on each.
fn digest(name: &str, message: &[u8]) -> Result<Vec<u8>, Error> {
    let algorithm: HashAlgorithm = name.parse()?;
    let mut digest = vec![0; algorithm.default_output_size()];
    algorithm.hash_many(&[message], &mut digest, None)?;
    for &backend in algorithm.backends().iter().filter(|backend| backend.is_available()) {
        let mut hasher = algorithm.hasher(Some(backend))?;
        hasher.update(message);
        let mut same = vec![0; digest.len()];
        hasher.finalize_into(&mut same)?;
        assert_eq!(same, digest);
        eprintln!("{algorithm} on {backend}: {} bytes", digest.len());
    }
    Ok(digest)
}
