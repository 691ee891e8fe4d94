//! A file that is encrypted to a recipient and authenticated: `cargo run --example sealed_file --features sealed`

use fairlane::sealed::{DEFAULT_KEM, Existing, Identity, Options, Secret, open_file, seal_file};
use std::fs;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("fairlane-example-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (plain, sealed, again) = (folder.join("plain"), folder.join("sealed"), folder.join("again"));
    fs::write(&plain, "a text that nobody else shall read\n".repeat(10_000))?;

    // Files appear under their names when they are complete and, where they were opened, verified.
    let own = Identity::generate(DEFAULT_KEM)?;
    seal_file(&plain, &sealed, Existing::Keep, Secret::Recipient(&own.recipient()), &Options::default())?;
    let length = open_file(&sealed, &again, Existing::Keep, Secret::Identity(&own))?;
    assert_eq!(fs::read(&plain)?, fs::read(&again)?);
    println!("{length} bytes in {}", sealed.display());
    fs::remove_dir_all(&folder)?;
    Ok(())
}
