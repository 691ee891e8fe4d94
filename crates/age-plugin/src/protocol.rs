//! The two state machines of age's plugin protocol (<https://c2sp.org/age-plugin>).
//!
//! In the first phase the client sends all that it has, in the second one the plugin answers, and the client confirms
//! each answer. A malformed text, key or stanza is told to the client, which shows it to the user; input that is no
//! stanza, and a client that leaves early, end the program.

use crate::keys::{Error, Identity, Recipient};
use crate::stanza::{self, Reader, Stanza};
use crate::wrapped::{FILE_KEY, FileKey, TYPE, Wrapped};
use std::io::{self, Read, Write};
use zeroize::Zeroizing;

/// The label of recipients that withstand quantum computers: a client with labels mixes them with no others.
const LABEL: &str = "postquantum";

/// What is wrong with the client's input: the words after `error`, and a message for the user.
struct Fault {
    about: String,
    message: String,
}

impl Fault {
    fn internal(message: impl Into<String>) -> Self {
        Self { about: "internal".into(), message: message.into() }
    }

    fn malformed(command: &str) -> Self {
        Self::internal(format!("the command {command} has too many or too few arguments, or a wrong body"))
    }

    /// About the recipient or identity with this number.
    fn key(kind: &str, number: usize, error: Error) -> Self {
        Self { about: format!("{kind} {number}"), message: format!("invalid {kind}: {error}") }
    }
}

/// Both directions.
struct Client<R, W> {
    from: Reader<R>,
    to: W,
}

impl<R: Read, W: Write> Client<R, W> {
    /// Sends a command and waits for its confirmation.
    fn tell(&mut self, words: &[&str], body: &[u8]) -> io::Result<()> {
        stanza::write(&mut self.to, words, body)?;
        match self.from.read()?.words()[..] {
            ["ok"] => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, format!("{} was not answered with ok", words[0]))),
        }
    }

    fn report(&mut self, faults: &[Fault]) -> io::Result<()> {
        for Fault { about, message } in faults {
            let words: Vec<_> = ["error"].into_iter().chain(about.split(' ')).collect();
            self.tell(&words, message.as_bytes())?;
        }
        Ok(())
    }

    fn done(&mut self) -> io::Result<()> {
        stanza::write(&mut self.to, &["done"], b"")
    }
}

/// Reads recipients or identities, all of them, and notes those that are none.
fn parsed<T>(
    kind: &str,
    texts: &[Zeroizing<String>],
    parse: impl Fn(&str) -> Result<T, Error>,
    faults: &mut Vec<Fault>,
) -> Vec<T> {
    let mut keys = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        match parse(text) {
            Ok(key) => keys.push(key),
            Err(error) => faults.push(Fault::key(kind, number, error)),
        }
    }
    keys
}

/// `recipient-v1`: encrypts file keys for recipients, and for the recipients of identities.
///
/// # Errors
/// Reading or writing fails, or the client does not follow the protocol.
pub(crate) fn recipient(from: impl Read, to: impl Write) -> io::Result<()> {
    let mut client = Client { from: Reader::new(from), to };
    let (mut recipients, mut identities, mut file_keys) = (Vec::new(), Vec::new(), Vec::new());
    let (mut labels, mut faults) = (false, Vec::new());
    loop {
        let stanza = client.from.read()?;
        match (&stanza.words()[..], stanza.body()) {
            (["add-recipient", text], []) => recipients.push(Zeroizing::new((*text).to_owned())),
            (["add-identity", text], []) => identities.push(Zeroizing::new((*text).to_owned())),
            (["wrap-file-key"], key) => match <[u8; FILE_KEY]>::try_from(key) {
                // A vector that grows leaves what it held behind: boxes stay where they are.
                Ok(key) => file_keys.push(Box::new(FileKey::new(key))),
                Err(_) => faults.push(Fault::internal(format!("a file key has {} bytes, not 16", key.len()))),
            },
            (["extension-labels"], []) => labels = true,
            (["done"], []) => break,
            ([command @ ("add-recipient" | "add-identity" | "wrap-file-key" | "extension-labels"), ..], _) => {
                faults.push(Fault::malformed(command));
            }
            (["done", ..], _) => {
                faults.push(Fault::malformed("done"));
                break;
            }
            // A client may send commands that nobody knows, lest plugins forget that there may be new ones.
            _ => {}
        }
    }

    let mut keys = parsed("recipient", &recipients, Recipient::parse, &mut faults);
    keys.extend(parsed("identity", &identities, |text| Ok(Identity::parse(text)?.recipient()), &mut faults));
    if recipients.is_empty() && identities.is_empty() {
        faults.push(Fault::internal("no recipient is given"));
    }
    if file_keys.is_empty() {
        faults.push(Fault::internal("no file key is given"));
    }
    let mut wrapped = Vec::new();
    // Nothing is sent before all of it has succeeded.
    if faults.is_empty() {
        for (file, file_key) in file_keys.iter().enumerate() {
            for key in &keys {
                match Wrapped::new(file_key, key) {
                    Ok(made) => wrapped.push((file.to_string(), made)),
                    Err(error) => faults.push(Fault::internal(format!("no random numbers: {error}"))),
                }
            }
        }
    }
    if !faults.is_empty() {
        client.report(&faults)?;
        return client.done();
    }
    if labels {
        client.tell(&["labels", LABEL], b"")?;
    }
    for (file, wrapped) in &wrapped {
        client.tell(&["recipient-stanza", file, TYPE, &wrapped.word()], wrapped.body())?;
    }
    client.done()
}

/// What the header of a file has for this plugin.
struct File {
    number: u64,
    /// Stanzas so far, those for others included.
    stanzas: usize,
    wrapped: Vec<Wrapped>,
    faults: Vec<Fault>,
}

/// `identity-v1`: decrypts file keys.
///
/// # Errors
/// Reading or writing fails, or the client does not follow the protocol.
pub(crate) fn identity(from: impl Read, to: impl Write) -> io::Result<()> {
    let mut client = Client { from: Reader::new(from), to };
    let (mut identities, mut files, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let stanza = client.from.read()?;
        match (&stanza.words()[..], stanza.body()) {
            (["add-identity", text], []) => identities.push(Zeroizing::new((*text).to_owned())),
            (["recipient-stanza", file, kind, arguments @ ..], _) => {
                add_stanza(&mut files, file, kind, arguments, &stanza, &mut faults);
            }
            (["done"], []) => break,
            ([command @ ("add-identity" | "recipient-stanza"), ..], _) => faults.push(Fault::malformed(command)),
            (["done", ..], _) => {
                faults.push(Fault::malformed("done"));
                break;
            }
            _ => {}
        }
    }

    let identities = parsed("identity", &identities, Identity::parse, &mut faults);
    if !faults.is_empty() {
        client.report(&faults)?;
        return client.done();
    }
    for file in &files {
        client.report(&file.faults)?;
        // A header with a malformed stanza was not made by age: no other of its stanzas is opened.
        if file.faults.is_empty() {
            let pairs = identities.iter().flat_map(|identity| file.wrapped.iter().map(move |one| (identity, one)));
            if let Some(file_key) = pairs.into_iter().find_map(|(identity, wrapped)| wrapped.open(identity)) {
                client.tell(&["file-key", &file.number.to_string()], &*file_key)?;
            }
        }
    }
    client.done()
}

/// Notes a stanza of a file's header.
fn add_stanza(
    files: &mut Vec<File>,
    number: &str,
    kind: &str,
    arguments: &[&str],
    stanza: &Stanza,
    faults: &mut Vec<Fault>,
) {
    let digits = number.bytes().all(|c| c.is_ascii_digit());
    let Some(number) = number.parse().ok().filter(|_| digits) else {
        faults.push(Fault::internal("the number of a file is none"));
        return;
    };
    match files.last() {
        Some(last) if last.number > number => {
            faults.push(Fault::internal("the numbers of the files decrease"));
            return;
        }
        Some(last) if last.number == number => {}
        _ => files.push(File { number, stanzas: 0, wrapped: Vec::new(), faults: Vec::new() }),
    }
    let file = files.last_mut().expect("there is one now");
    if kind == TYPE {
        match Wrapped::parse(arguments, stanza.body()) {
            Ok(wrapped) => file.wrapped.push(wrapped),
            Err(message) => file.faults.push(Fault {
                about: format!("stanza {number} {}", file.stanzas),
                message: format!("invalid {TYPE} stanza: {message}"),
            }),
        }
    }
    file.stanzas += 1;
}
