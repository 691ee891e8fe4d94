//! Checks that fairlane's parts of rustls and those of AWS-LC understand each other, then compares them:
//!
//! ```sh
//! cargo run --release --manifest-path examples/programs/rustls/Cargo.toml
//! ```
//!
//! Everything but the parts is AWS-LC's on both sides: certificates, signatures, hashes.

use rustls::crypto::{CryptoProvider, SupportedKxGroup, aws_lc_rs};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::version::TLS13;
use rustls::{CipherSuite, ClientConfig, Connection, NamedGroup, RootCertStore, ServerConfig};
use std::hint::black_box;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let theirs = limited(aws_lc_rs::default_provider());
    let ours = limited(fairlane_rustls::provider(aws_lc_rs::default_provider()));
    let groups: [&dyn SupportedKxGroup; 2] = [ours.kx_groups[0], theirs.kx_groups[0]];
    for client in groups {
        for server in groups {
            exchange(client, server);
        }
    }
    let sides = [Side::new(ours.clone()), Side::new(theirs.clone())];
    println!("secrets agree in all four combinations");

    time("key exchange", 20, 400, &|which| exchange(groups[which], groups[which]));
    time("handshake", 5, 400, &|which| drop(sides[which].handshake()));
    for length in [64, 1024, 16384] {
        let pairs = [0, 1].map(|which| std::cell::RefCell::new(sides[which].handshake()));
        let message = vec![7; length];
        let calls = 200_000 / (length + 500);
        time(&format!("record of {length} bytes"), calls, 400, &|which| {
            send(&mut pairs[which].borrow_mut(), &message);
        });
    }
}

/// The same provider with ChaCha20-Poly1305 and X25519MLKEM768 only.
fn limited(mut provider: CryptoProvider) -> CryptoProvider {
    provider.cipher_suites.retain(|suite| suite.suite() == CipherSuite::TLS13_CHACHA20_POLY1305_SHA256);
    provider.kx_groups.retain(|group| group.name() == NamedGroup::X25519MLKEM768);
    provider
}

/// One exchange, by the groups of both sides.
fn exchange(client: &dyn SupportedKxGroup, server: &dyn SupportedKxGroup) {
    let offer = client.start().unwrap();
    let answer = server.start_and_complete(offer.pub_key()).unwrap();
    let secret = offer.complete(&answer.pub_key).unwrap();
    assert_eq!(secret.secret_bytes(), answer.secret.secret_bytes());
    black_box(secret);
}

/// The configurations of one provider.
struct Side {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
}

impl Side {
    fn new(provider: CryptoProvider) -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let certificate: CertificateDer<'static> = made.cert.der().clone();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(provider);
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).unwrap();
        let client = ClientConfig::builder_with_provider(provider.clone()).with_protocol_versions(&[&TLS13]).unwrap();
        let mut client = client.with_root_certificates(roots).with_no_client_auth();
        // Every handshake is a full one.
        client.resumption = rustls::client::Resumption::disabled();
        let server = ServerConfig::builder_with_provider(provider).with_protocol_versions(&[&TLS13]).unwrap();
        let mut server = server.with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
        server.send_tls13_tickets = 0;
        Self { client: client.into(), server: server.into() }
    }

    /// A client and a server that have shaken hands.
    fn handshake(&self) -> [Connection; 2] {
        let name = "localhost".try_into().unwrap();
        let mut client: Connection = rustls::ClientConnection::new(self.client.clone(), name).unwrap().into();
        let mut server: Connection = rustls::ServerConnection::new(self.server.clone()).unwrap().into();
        while client.is_handshaking() || server.is_handshaking() {
            transfer(&mut client, &mut server);
            transfer(&mut server, &mut client);
        }
        [client, server]
    }
}

/// Moves what `from` has to send.
fn transfer(from: &mut Connection, to: &mut Connection) {
    let mut bytes = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut bytes).unwrap();
    }
    let mut bytes = &bytes[..];
    while !bytes.is_empty() {
        to.read_tls(&mut bytes).unwrap();
        to.process_new_packets().unwrap();
    }
}

/// Sends a message from the client to the server.
fn send([client, server]: &mut [Connection; 2], message: &[u8]) {
    client.writer().write_all(message).unwrap();
    transfer(client, server);
    let mut received = [0; 16384];
    let received = &mut received[..message.len()];
    server.reader().read_exact(received).unwrap();
    black_box(received);
}

/// Prints the median times of both, and the median and the middle half of their ratios, from rounds in which they take
/// turns.
fn time(what: &str, calls: usize, rounds: usize, job: &dyn Fn(usize)) {
    let microseconds = |which: usize| {
        let start = Instant::now();
        for _ in 0..calls {
            job(which);
        }
        start.elapsed().as_secs_f64() * 1e6 / calls as f64
    };
    let times: Vec<[f64; 2]> = (0..rounds)
        .map(|round| {
            // Each comes first in every other round.
            if round % 2 == 0 {
                let ours = microseconds(0);
                [ours, microseconds(1)]
            } else {
                let theirs = microseconds(1);
                [microseconds(0), theirs]
            }
        })
        .collect();
    let quantile = |share: f64, value: &dyn Fn(&[f64; 2]) -> f64| {
        let mut values: Vec<f64> = times.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values[(share * (values.len() - 1) as f64) as usize]
    };
    let ratio = |times: &[f64; 2]| times[1] / times[0];
    println!(
        "{what:22} fairlane {:7.2} µs, AWS-LC {:7.2} µs, ratio {:.3} [{:.3}, {:.3}]",
        quantile(0.5, &|times| times[0]),
        quantile(0.5, &|times| times[1]),
        quantile(0.5, &ratio),
        quantile(0.25, &ratio),
        quantile(0.75, &ratio),
    );
}
