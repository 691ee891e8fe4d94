//! `fairlane kem`: key pairs, shared secrets, and encapsulation keys as images.

mod demo;
mod image;
mod keys;
mod preview;

pub(crate) use keys::{read_identity, read_recipient};

use crate::endpoints::{Content, Destination, Input, existing};
use crate::failure::{Failure, Outcome};
use crate::files::{each_its_own, keep_apart};
use crate::interrupt;
use crate::names::quote;
use crate::output::print;
use crate::secret_files::SecretFile;
use clap::Subcommand;
use fairlane::sealed::{Access, DEFAULT_KEM, Identity, Kem, Recipient};
use keys::{Form, digits, kem_parser, read_short};
use preview::preview;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Generate key pairs and agree on secrets with X-Wing or ML-KEM, or with CLWE-KEM for comparison
///
/// The owner of a key pair keeps the identity secret and publishes the encapsulation key. Whoever has the encapsulation
/// key can generate a secret of 32 bytes and a ciphertext from which only the owner of the identity gets the same
/// secret. fairlane encrypt --recipient does all that and encrypts a file under the secret.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Keygen(KeygenArgs),
    Encaps(EncapsArgs),
    Decaps(DecapsArgs),
    Export(ExportArgs),
    Show(ShowArgs),
    Demo(demo::Args),
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    match &args.command {
        Command::Keygen(args) => keygen(args),
        Command::Encaps(args) => encaps(args),
        Command::Decaps(args) => decaps(args),
        Command::Export(args) => export(args),
        Command::Show(args) => show(args),
        Command::Demo(args) => demo::run(args),
    }
}

/// Write a new key pair: an identity and its encapsulation key
///
/// The identity holds 32 random bytes (64 with ML-KEM) as text, and only its owner may read it: whoever has it can
/// decapsulate every secret that was ever encapsulated for it. An existing identity is never overwritten.
#[derive(clap::Args, Debug)]
struct KeygenArgs {
    /// The identity to write
    #[arg(value_name = "IDENTITY")]
    identity: PathBuf,
    /// The KEM; x-wing is ML-KEM-768 and X25519 in one. clwe, which nobody but its authors has analysed, needs
    /// --experimental
    #[arg(short, long, value_name = "NAME", default_value_t = DEFAULT_KEM, value_parser = kem_parser())]
    algo: Kem,
    /// Allow a KEM that nobody but its authors has analysed
    #[arg(long)]
    experimental: bool,
    /// The encapsulation key to write; - is standard output. The default is IDENTITY with .pub, .png or .raw appended
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
    /// Replace the encapsulation key if it exists
    #[arg(short, long)]
    force: bool,
}

/// Generate a secret shared with the owner of an encapsulation key, and the ciphertext to send
#[derive(clap::Args, Debug)]
struct EncapsArgs {
    /// The encapsulation key: text, image or bare bytes
    #[arg(value_name = "KEY")]
    recipient: PathBuf,
    /// The KEM, for a key that does not name it; the default is the ML-KEM, or X-Wing, whose keys have this length
    #[arg(short, long, value_name = "NAME", value_parser = kem_parser())]
    algo: Option<Kem>,
    /// The ciphertext to write; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The secret to write, 32 bytes that only its owner may read; - is standard output
    #[arg(short, long, value_name = "FILE")]
    secret: PathBuf,
    /// Replace existing files
    #[arg(short, long)]
    force: bool,
}

/// Get the secret from a ciphertext
///
/// A ciphertext that was changed, or was made for another key, gives another secret and no error, by the design of
/// these KEMs (implicit rejection). So data encrypted under the secret must be authenticated, as fairlane encrypt does.
#[derive(clap::Args, Debug)]
struct DecapsArgs {
    /// The identity, from fairlane kem keygen; only its owner may have access to it
    #[arg(value_name = "IDENTITY")]
    identity: PathBuf,
    /// The ciphertext; - is standard input
    #[arg(value_name = "CIPHERTEXT")]
    ciphertext: PathBuf,
    /// The KEM that the identity must have
    #[arg(short, long, value_name = "NAME", value_parser = kem_parser())]
    algo: Option<Kem>,
    /// The secret to write, 32 bytes that only its owner may read; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(short, long)]
    force: bool,
}

/// Write an encapsulation key, or the one of an identity, as text, image or bare bytes
#[derive(clap::Args, Debug)]
struct ExportArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The file to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    form: FormArgs,
    /// Replace the output if it exists
    #[arg(short, long)]
    force: bool,
}

/// Show an encapsulation key: its KEM, its fingerprint and, on a terminal with true colour, its image
#[derive(clap::Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    source: SourceArgs,
}

#[derive(clap::Args, Debug)]
struct SourceArgs {
    /// The encapsulation key: text, image or bare bytes
    #[arg(value_name = "KEY", required_unless_present = "identity")]
    recipient: Option<PathBuf>,
    /// Use the encapsulation key of this identity
    #[arg(short, long, value_name = "FILE", conflicts_with = "recipient")]
    identity: Option<PathBuf>,
    /// The KEM, for a key that does not name it; the default is the ML-KEM, or X-Wing, whose keys have this length
    #[arg(short, long, value_name = "NAME", value_parser = kem_parser())]
    algo: Option<Kem>,
}

impl SourceArgs {
    fn recipient(&self) -> Result<Recipient, Failure> {
        match (&self.recipient, &self.identity) {
            (Some(path), _) => read_recipient(path, self.algo),
            (None, Some(path)) => Ok(read_identity(path, self.algo)?.recipient()),
            (None, None) => unreachable!("clap asks for one"),
        }
    }
}

#[derive(clap::Args, Debug)]
struct FormArgs {
    /// Write the encapsulation key as an image
    #[arg(long)]
    png: bool,
    /// Write the encapsulation key as bare bytes, the encoding that other programs use
    #[arg(long, conflicts_with = "png")]
    raw: bool,
}

impl FormArgs {
    fn form(&self) -> Form {
        match (self.png, self.raw) {
            (true, _) => Form::Png,
            (_, true) => Form::Raw,
            _ => Form::Text,
        }
    }
}

fn keygen(args: &KeygenArgs) -> Outcome {
    if !args.algo.reviewed() && !args.experimental {
        return Err(Failure::experimental(args.algo.name()));
    }
    interrupt::install()?;
    let form = args.form.form();
    let output = args.output.clone().unwrap_or_else(|| {
        let mut name = args.identity.as_os_str().to_owned();
        name.push(form.suffix());
        name.into()
    });
    each_its_own(&[(Some(&output), "the encapsulation key"), (Some(&args.identity), "the identity")])?;
    let file = SecretFile::begin(&args.identity)?;
    let mut public = Destination::begin(&output, existing(args.force), Access::Usual, form.content())?;
    let identity = Identity::generate(args.algo).map_err(Failure::failed)?;
    let recipient = identity.recipient();
    file.write(&identity.to_text())?;
    let written = write(&mut public, &form.bytes(&recipient)).and_then(|()| public.finish());
    written.map_err(|failure| failure.with(&is_there(&args.identity)))?;
    if output.as_os_str() == "-" { Ok(()) } else { print(&preview(&recipient)) }
}

/// What to do if only the identity could be written.
fn is_there(identity: &Path) -> String {
    let name = quote(identity.as_os_str());
    format!("; the identity {name} is there: fairlane kem export -i {name} writes its encapsulation key")
}

fn encaps(args: &EncapsArgs) -> Outcome {
    interrupt::install()?;
    let recipient = read_recipient(&args.recipient, args.algo)?;
    let key = [(Some(&*args.recipient), "the encapsulation key")];
    keep_apart(&args.output, &key)?;
    keep_apart(&args.secret, &key)?;
    each_its_own(&[(Some(&args.output), "the output"), (Some(&args.secret), "the secret")])?;
    let mut sent = Destination::begin(&args.output, existing(args.force), Access::Usual, Content::Binary)?;
    let mut kept = Destination::begin(&args.secret, existing(args.force), Access::Private, Content::Binary)?;
    let (ciphertext, secret) = recipient.encapsulate().map_err(Failure::failed)?;
    write(&mut sent, &ciphertext)?;
    write(&mut kept, &*secret)?;
    kept.finish()?;
    sent.finish()
}

fn decaps(args: &DecapsArgs) -> Outcome {
    interrupt::install()?;
    let sent = Some(&*args.ciphertext).filter(|path| path.as_os_str() != "-");
    let input = Input::open(sent)?;
    input.keep_apart(&[(Some(&args.identity), "the identity")])?;
    let identity = read_identity(&args.identity, args.algo)?;
    let (name, reader) = input.reader(false);
    let ciphertext = read_short(&name, reader)?;
    keep_apart(&args.output, &[(Some(&args.identity), "the identity"), (sent, "the ciphertext")])?;
    let mut output = Destination::begin(&args.output, existing(args.force), Access::Private, Content::Binary)?;
    let secret = identity.decapsulate(&ciphertext);
    write(&mut output, &*secret.map_err(|error| Failure::Failed(format!("{name}: {error}")))?)?;
    output.finish()
}

fn export(args: &ExportArgs) -> Outcome {
    interrupt::install()?;
    let form = args.form.form();
    let recipient = args.source.recipient()?;
    keep_apart(&args.output, &[(args.source.identity.as_deref(), "the identity")])?;
    let mut output = Destination::begin(&args.output, existing(args.force), Access::Usual, form.content())?;
    write(&mut output, &form.bytes(&recipient))?;
    output.finish()
}

fn show(args: &ShowArgs) -> Outcome {
    let recipient = args.source.recipient()?;
    let (kem, size) = (recipient.kem(), recipient.as_bytes().len());
    let fingerprint = digits(&recipient.fingerprint());
    print(&format!("{kem}, {size} bytes\nfingerprint {fingerprint}\n{}", preview(&recipient)))
}

fn write(output: &mut Destination, bytes: &[u8]) -> Outcome {
    output.write_all(bytes).map_err(|error: io::Error| Failure::Failed(output.cannot_write(&error)))
}
