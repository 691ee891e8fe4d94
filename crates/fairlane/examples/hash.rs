//! The SHA3-256 digest of a file, read in pieces: `cargo run --example hash FILE`

use fairlane::digest::Digest;
use fairlane::keccak::Sha3_256;
use std::fs::File;
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| file!().to_owned());
    let mut file = File::open(&path)?;
    let mut hasher = Sha3_256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    for byte in hasher.finalize() {
        print!("{byte:02x}");
    }
    println!("  {path}");
    Ok(())
}
