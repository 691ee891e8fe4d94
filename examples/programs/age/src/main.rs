//! Encrypts standard input to recipients, or decrypts it with a file of identities, as any program does that is built
//! on the crate `age`: `encrypt RECIPIENT...` or `decrypt FILE`.

use age::plugin::{self, RecipientPluginV1};
use age::{Decryptor, Encryptor, IdentityFile, NoCallbacks, Recipient, x25519};
use std::error::Error;
use std::io;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["encrypt", ref recipients @ ..] => encrypt(recipients),
        ["decrypt", file] => decrypt(file),
        _ => Err("Usage: program-age encrypt RECIPIENT... | decrypt FILE".into()),
    }
}

fn encrypt(texts: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut recipients: Vec<Box<dyn Recipient>> = Vec::new();
    for text in texts {
        if let Ok(recipient) = text.parse::<x25519::Recipient>() {
            recipients.push(Box::new(recipient));
        } else {
            let recipient: plugin::Recipient = text.parse()?;
            let name = recipient.plugin().to_owned();
            recipients.push(Box::new(RecipientPluginV1::new(&name, &[recipient], &[], NoCallbacks)?));
        }
    }
    let mut writer = Encryptor::with_recipients(recipients.iter().map(|one| &**one))?.wrap_output(io::stdout())?;
    io::copy(&mut io::stdin(), &mut writer)?;
    writer.finish()?;
    Ok(())
}

fn decrypt(file: &str) -> Result<(), Box<dyn Error>> {
    let identities = IdentityFile::from_file(file.to_owned())?.with_callbacks(NoCallbacks).into_identities()?;
    let identities = identities.iter().map(|one| &**one as &dyn age::Identity);
    let mut reader = Decryptor::new(io::stdin())?.decrypt(identities)?;
    io::copy(&mut reader, &mut io::stdout())?;
    Ok(())
}
