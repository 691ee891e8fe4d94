//! `fairlane kem demo`: an exchange, step by step.

use super::preview::preview;
use super::{digits, kem_parser};
use crate::failure::{Failure, Outcome};
use crate::output::{print, width};
use fairlane::sealed::{Error, Identity, Kem, SharedSecret};
use fairlane_lab::report::terminal::wrap;

/// Show an exchange step by step: sizes, fingerprints, secrets, and what becomes of a damaged ciphertext
///
/// Keys and secrets are new ones, and are forgotten at the end.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The KEM; nobody outside its authors has analysed clwe
    #[arg(short, long, value_name = "NAME", default_value_t, value_parser = kem_parser())]
    algo: Kem,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    print(&exchange(args.algo).map_err(Failure::failed)?)
}

fn exchange(kem: Kem) -> Result<String, Error> {
    let alice = Identity::generate(kem)?;
    let recipient = alice.recipient();
    let (mut ciphertext, of_bob) = recipient.encapsulate()?;
    let of_alice = alice.decapsulate(&ciphertext)?;
    let sent = ciphertext.len();
    ciphertext[sent / 2] ^= 1;
    let rejected = alice.decapsulate(&ciphertext)?;
    let again = alice.decapsulate(&ciphertext)?;

    let say = |words: &str| wrap(words, width(), 0);
    let show = |what: &str, bytes: &[u8]| format!("  {what:<11} {}\n", digits(bytes));
    let mut text = say(kem.name());
    if !kem.reviewed() {
        text += &say("Nobody outside its authors has analysed it: ml-kem-768 is what to use.");
    }
    text += "\n";
    text += &say(&format!(
        "Alice makes a key pair: {} bytes of seeds, which she keeps, and an encapsulation key of {} bytes.",
        alice.as_bytes().len(),
        recipient.as_bytes().len()
    ));
    text += &show("fingerprint", &recipient.fingerprint());
    text += &preview(&recipient);
    text += "\n";
    text += &say(&format!(
        "Bob takes that key, and gets a ciphertext of {sent} bytes, which he sends, and a secret of {} bytes.",
        of_bob.len()
    ));
    text += &show("his secret", &*of_bob);
    text += "\n";
    text += &say("Alice takes the ciphertext and her seeds, and gets a secret, too.");
    text += &show(compared(&of_alice, &of_bob), &*of_alice);
    text += "\n";
    text += &say(
        "On another day one bit of the ciphertext is changed on its way. There is no error to learn from: she gets a \
         secret that nobody else has, the same each time, and what was encrypted under Bob's does not open.",
    );
    text += &show(compared(&rejected, &of_bob), &*rejected);
    text += &show(compared(&again, &rejected), &*again);
    Ok(text)
}

fn compared(one: &SharedSecret, other: &SharedSecret) -> &'static str {
    if one == other { "the same" } else { "another" }
}
