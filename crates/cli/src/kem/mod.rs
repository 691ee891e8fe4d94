//! `fairlane kem`: key pairs, shared secrets, and encapsulation keys as colours.

mod demo;
mod image;
mod keys;
mod preview;

pub(crate) use keys::{read_identity, read_recipient};

use crate::failure::{Failure, Outcome};
use crate::files::keep_apart;
use crate::output::print;
use crate::sealed::places::{Content, Destination, Input, existing};
use crate::sealed::{SecretFile, interrupt};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use fairlane::sealed::{Access, Identity, Kem, Recipient};
use keys::{Form, read_short};
use preview::preview;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

/// Make key pairs and agree on secrets: ML-KEM, and CLWE-KEM to compare with
///
/// The owner of a key pair keeps the identity and gives away the encapsulation key. Whoever has that makes a secret of
/// 32 bytes, and a ciphertext from which the identity's owner, and nobody else, gets the same secret. fairlane encrypt --recipient
/// does all that, and encrypts a file under the secret.
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

/// Write a new key pair: an identity, and its encapsulation key
///
/// The identity holds 64 random bytes as text, and only its owner may read it: whoever has it gets every secret that
/// was ever encapsulated for it. One that is there is never overwritten.
#[derive(clap::Args, Debug)]
struct KeygenArgs {
    /// The identity to write
    #[arg(value_name = "IDENTITY")]
    identity: PathBuf,
    /// The KEM; nobody outside its authors has analysed clwe
    #[arg(short, long, value_name = "NAME", default_value_t, value_parser = kem_parser())]
    algo: Kem,
    /// The encapsulation key to write; - is standard output. If not given: IDENTITY with .pub, .png or .raw appended
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    form: FormArgs,
    /// Replace the encapsulation key if it is there already
    #[arg(short, long)]
    force: bool,
}

/// Make a secret for the owner of an encapsulation key, and the ciphertext to send
#[derive(clap::Args, Debug)]
struct EncapsArgs {
    /// The encapsulation key: text, image or bare bytes
    #[arg(value_name = "KEY")]
    recipient: PathBuf,
    /// The KEM, if the key does not say it: without this, the ML-KEM that has keys of its length
    #[arg(short, long, value_name = "NAME", value_parser = kem_parser())]
    algo: Option<Kem>,
    /// The ciphertext to write; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The secret to write, 32 bytes that only its owner may read; - is standard output
    #[arg(short, long, value_name = "FILE")]
    secret: PathBuf,
    /// Replace files that are there already
    #[arg(short, long)]
    force: bool,
}

/// Get the secret out of a ciphertext
///
/// A ciphertext that was changed, or was made for another key, gives another secret, and no error: that is how these
/// KEMs are made. What was encrypted under the secret must be authenticated, as fairlane encrypt does.
#[derive(clap::Args, Debug)]
struct DecapsArgs {
    /// The identity, from fairlane kem keygen; nobody else may have rights to it
    #[arg(value_name = "IDENTITY")]
    identity: PathBuf,
    /// The ciphertext; - is standard input
    #[arg(value_name = "CIPHERTEXT")]
    ciphertext: PathBuf,
    /// The KEM that the identity must be of
    #[arg(short, long, value_name = "NAME", value_parser = kem_parser())]
    algo: Option<Kem>,
    /// The secret to write, 32 bytes that only its owner may read; - is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it is there already
    #[arg(short, long)]
    force: bool,
}

/// Write an encapsulation key in another form, or that of an identity
#[derive(clap::Args, Debug)]
struct ExportArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// What to write; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    form: FormArgs,
    /// Replace the output if it is there already
    #[arg(short, long)]
    force: bool,
}

/// Show an encapsulation key: its KEM, its fingerprint and, on a terminal that has them, its colours
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
    /// Take the encapsulation key of this identity
    #[arg(short, long, value_name = "FILE", conflicts_with = "recipient")]
    identity: Option<PathBuf>,
    /// The KEM, if the key does not say it: without this, the ML-KEM that has keys of its length
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
    /// Write the encapsulation key as bare bytes, as other programs do
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

fn kem_parser() -> impl TypedValueParser<Value = Kem> {
    PossibleValuesParser::new(Kem::ALL.iter().map(|kem| kem.name())).try_map(|name| name.parse::<Kem>())
}

fn keygen(args: &KeygenArgs) -> Outcome {
    interrupt::install()?;
    let form = args.form.form();
    let output = args.output.clone().unwrap_or_else(|| {
        let mut name = args.identity.as_os_str().to_owned();
        name.push(form.suffix());
        name.into()
    });
    keep_apart(&output, &[(Some(&args.identity), "the identity")])?;
    let file = SecretFile::begin(&args.identity)?;
    let mut public = Destination::begin(&output, existing(args.force), Access::Usual, form.content())?;
    let identity = Identity::generate(args.algo).map_err(Failure::failed)?;
    let recipient = identity.recipient();
    file.write(&identity.to_text())?;
    write(&mut public, &form.bytes(&recipient))?;
    public.finish()?;
    if output.as_os_str() == "-" { Ok(()) } else { print(&preview(&recipient)) }
}

fn encaps(args: &EncapsArgs) -> Outcome {
    interrupt::install()?;
    let recipient = read_recipient(&args.recipient, args.algo)?;
    let key = (Some(&*args.recipient), "the encapsulation key");
    keep_apart(&args.output, &[key, (Some(&args.secret), "the secret")])?;
    keep_apart(&args.secret, &[key])?;
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
    let identity = read_identity(&args.identity, args.algo)?;
    let sent = Some(&*args.ciphertext).filter(|path| path.as_os_str() != "-");
    let (name, reader) = Input::open(sent)?.watched(false);
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

/// Hexadecimal digits.
fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
