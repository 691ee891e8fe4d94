//! What a user calls: new identities, their recipients, and their two forms. An error is one line.

use crate::keys::Identity;
use crate::options::Form;
use fairlane_common::terminal::{plain, reason};
use fairlane_common::time;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
use zeroize::Zeroizing;

/// The most bytes of a file with identities: some hundred of them with their recipients as comments.
const MAX_INPUT: usize = 1 << 20;

/// `--generate`
pub(crate) fn generate(output: Option<&Path>) -> Result<(), String> {
    let identity = Identity::generate().map_err(|error| format!("no random numbers: {error}"))?;
    let recipient = identity.recipient().text();
    let comments = format!("# created: {}\n# public key: {recipient}", time::now());
    write(output, true, &[Zeroizing::new(comments), identity.for_plugins()])?;
    // Whoever sends the identity elsewhere wants to see its recipient, as with age-keygen.
    if output.is_some() {
        eprintln!("Public key: {recipient}");
    }
    Ok(())
}

/// `--recipients`, `--identity` and `--native`
pub(crate) fn convert(to: Form, input: Option<&Path>, output: Option<&Path>) -> Result<(), String> {
    let name = input.map_or("standard input".into(), shown);
    let text = match input {
        Some(path) => File::open(path).and_then(read),
        None => read(io::stdin().lock()),
    };
    let text = text.map_err(|error| format!("cannot read {name}: {}", reason(&error)))?;
    if text.len() > MAX_INPUT {
        return Err(format!("{name} is longer than {MAX_INPUT} bytes: not a file with identities"));
    }
    // A comment may be in any encoding.
    let lines = text.split(|&c| c == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut converted = Vec::new();
    for (number, line) in (1..).zip(lines).filter(|(_, line)| !line.is_empty() && line[0] != b'#') {
        let identity = str::from_utf8(line).ok().and_then(|line| Identity::parse_any(line).ok());
        let identity = identity.ok_or_else(|| {
            format!("{name}, line {number}: neither an identity AGE-SECRET-KEY-PQ-1... nor AGE-PLUGIN-PQ-1...")
        })?;
        converted.push(match to {
            Form::Recipient => Zeroizing::new(identity.recipient().text()),
            Form::Plugin => identity.for_plugins(),
            Form::Native => identity.for_age(),
        });
    }
    if converted.is_empty() {
        return Err(format!("{name} has no identity"));
    }
    write(output, to != Form::Recipient, &converted)
}

/// All that there is, if it is not too long.
fn read(from: impl Read) -> io::Result<Zeroizing<Vec<u8>>> {
    // The capacity exceeds what is read, so that the vector never grows and leaves no copy behind.
    let mut text = Zeroizing::new(Vec::with_capacity(MAX_INPUT + 2));
    from.take(MAX_INPUT as u64 + 1).read_to_end(&mut text)?;
    Ok(text)
}

/// Writes lines to a new file or to standard output.
fn write(output: Option<&Path>, secret: bool, lines: &[Zeroizing<String>]) -> Result<(), String> {
    let mut text = Zeroizing::new(String::with_capacity(lines.iter().map(|line| line.len() + 1).sum()));
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    let Some(path) = output else {
        if secret && others_may_read_stdout() {
            eprintln!("age-plugin-pq: warning: others may read the file that the identity is written to");
        }
        return print(&text);
    };
    let mut file = create(path, secret).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{} already exists, and is not overwritten", shown(path)),
        _ => format!("cannot write {}: {}", shown(path), reason(&error)),
    })?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(|error| {
        // A part of an identity is none.
        let _ = std::fs::remove_file(path);
        format!("cannot write {}: {}", shown(path), reason(&error))
    })
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| format!("cannot write to standard output: {}", reason(&error)))
}

/// A new file, which only its owner may read if it is `secret`.
fn create(path: &Path, secret: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if secret {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = secret;
    options.open(path)
}

/// Whether standard output is a file that everybody may read.
#[cfg(unix)]
fn others_may_read_stdout() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let found = io::stdout().as_fd().try_clone_to_owned().and_then(|stdout| File::from(stdout).metadata());
    found.is_ok_and(|found| found.is_file() && found.mode() & 0o004 != 0)
}

#[cfg(not(unix))]
fn others_may_read_stdout() -> bool {
    false
}

/// A path in a message.
fn shown(path: &Path) -> String {
    plain(&path.display().to_string())
}
