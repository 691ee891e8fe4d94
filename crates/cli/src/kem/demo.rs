//! `fairlane kem demo`: shows a key exchange step by step.

use super::keys::{digits, kem_parser};
use super::preview::preview;
use crate::failure::{Failure, Outcome};
use crate::output::{print, width};
use fairlane::sealed::{DEFAULT_KEM, Error, Identity, Kem, SharedSecret};
use fairlane_common::terminal::wrap;

/// Show a key exchange step by step: sizes, fingerprints, secrets, and the result of a damaged ciphertext
///
/// The keys and secrets are generated for the demonstration and not kept.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The KEM; clwe has not been analysed by anyone but its authors
    #[arg(short, long, value_name = "NAME", default_value_t = DEFAULT_KEM, value_parser = kem_parser())]
    algo: Kem,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Outcome {
    print(&exchange(args.algo).map_err(Failure::failed)?)
}

fn exchange(kem: Kem) -> Result<String, Error> {
    let alice = Identity::generate(kem)?;
    let recipient = alice.recipient();
    let (mut ciphertext, bobs_secret) = recipient.encapsulate()?;
    let alices_secret = alice.decapsulate(&ciphertext)?;
    let sent = ciphertext.len();
    ciphertext[sent / 2] ^= 1;
    let rejected = alice.decapsulate(&ciphertext)?;
    let again = alice.decapsulate(&ciphertext)?;

    let say = |words: &str| wrap(words, width(), 0);
    let show = |what: &str, bytes: &[u8]| format!("  {what:<11} {}\n", digits(bytes));
    let mut text = say(kem.name());
    if !kem.reviewed() {
        text += &say("This KEM has not been analysed by anyone but its authors: use x-wing instead.");
    }
    text += "\n";
    text += &say(&format!(
        "Alice generates a key pair: {} bytes of seeds, which she keeps, and an encapsulation key of {} bytes, which \
         she publishes.",
        alice.as_bytes().len(),
        recipient.as_bytes().len()
    ));
    text += &show("fingerprint", &recipient.fingerprint());
    text += &preview(&recipient);
    text += "\n";
    text += &say(&format!(
        "Bob encapsulates with that key. He gets a ciphertext of {sent} bytes, which he sends, and a secret of {} \
         bytes.",
        bobs_secret.len()
    ));
    text += &show("his secret", &*bobs_secret);
    text += "\n";
    text += &say("Alice decapsulates the ciphertext with her seeds, and gets a secret, too.");
    text += &show(compared(&alices_secret, &bobs_secret), &*alices_secret);
    text += "\n";
    text += &say(
        "If one bit of the ciphertext is changed on its way, Alice gets no error that an attacker could learn from. \
         She gets a secret that nobody else has, the same one each time (implicit rejection), and data encrypted \
         under Bob's secret does not decrypt.",
    );
    text += &show(compared(&rejected, &bobs_secret), &*rejected);
    text += &show(compared(&again, &rejected), &*again);
    Ok(text)
}

fn compared(one: &SharedSecret, other: &SharedSecret) -> &'static str {
    if one == other { "the same" } else { "another" }
}
