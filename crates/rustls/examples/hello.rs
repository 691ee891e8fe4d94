//! A client and a server of TLS 1.3 in one program, with fairlane's key exchange and suite:
//! `cargo run -p fairlane-rustls --example hello`.

use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{CipherSuite, ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, Stream};
use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

fn main() -> Result<(), Box<dyn Error>> {
    // Ring has all but what fairlane brings. Without the second line ring's AES-GCM would be chosen.
    let mut provider = fairlane_rustls::provider(ring::default_provider());
    provider.cipher_suites.retain(|suite| suite.suite() == CipherSuite::TLS13_CHACHA20_POLY1305_SHA256);
    provider.install_default().expect("no other is installed yet");

    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let certificate = made.cert.der().clone();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der())?;
    let server = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate.clone()], key)?;
    let mut roots = RootCertStore::empty();
    roots.add(certificate)?;
    let client = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();

    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let served = thread::spawn(move || serve(&listener, server));

    let mut connection = ClientConnection::new(Arc::new(client), "localhost".try_into()?)?;
    let mut socket = TcpStream::connect(address)?;
    let mut text = String::new();
    Stream::new(&mut connection, &mut socket).read_to_string(&mut text)?;
    let group = connection.negotiated_key_exchange_group().ok_or("no handshake")?.name();
    let suite = connection.negotiated_cipher_suite().ok_or("no handshake")?.suite();
    println!("{text}, by {group:?} and {suite:?}");
    served.join().expect("the server does not panic")?;
    Ok(())
}

fn serve(listener: &TcpListener, config: ServerConfig) -> std::io::Result<()> {
    let (mut socket, _) = listener.accept()?;
    let mut connection = ServerConnection::new(Arc::new(config)).map_err(std::io::Error::other)?;
    Stream::new(&mut connection, &mut socket).write_all(b"hello")?;
    connection.send_close_notify();
    while connection.wants_write() {
        connection.write_tls(&mut socket)?;
    }
    Ok(())
}
