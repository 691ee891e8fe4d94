//! Handshakes and records between rustls with fairlane's parts and rustls without them.

mod common;

use common::{Identity, provider, with_group, with_suites};
use rustls::crypto::CryptoProvider;
use rustls::version::{TLS12, TLS13};
use rustls::{CipherSuite, Connection, Error, NamedGroup, SupportedProtocolVersion};
use std::io::{Read, Write};

const CHACHA13: CipherSuite = CipherSuite::TLS13_CHACHA20_POLY1305_SHA256;
const CHACHA12: CipherSuite = CipherSuite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256;

/// A client and a server that have nothing sent yet.
fn pair(client: CryptoProvider, server: CryptoProvider, version: &'static SupportedProtocolVersion) -> [Connection; 2] {
    let identity = Identity::new();
    let name = "localhost".try_into().unwrap();
    let client = rustls::ClientConnection::new(identity.client(client, &[version]), name).unwrap();
    let server = rustls::ServerConnection::new(identity.server(server, &[version])).unwrap();
    [client.into(), server.into()]
}

/// What `from` has to send.
fn sent(from: &mut Connection) -> Vec<u8> {
    let mut bytes = Vec::new();
    while from.wants_write() {
        from.write_tls(&mut bytes).unwrap();
    }
    bytes
}

/// `to` gets these bytes.
fn receive(to: &mut Connection, mut bytes: &[u8]) -> Result<(), Error> {
    while !bytes.is_empty() {
        to.read_tls(&mut bytes).unwrap();
        to.process_new_packets()?;
    }
    Ok(())
}

/// Completes the handshake; returns the bytes of the client's first flight.
fn shake([client, server]: &mut [Connection; 2]) -> Result<usize, Error> {
    let mut first = 0;
    while client.is_handshaking() || server.is_handshaking() {
        let bytes = sent(client);
        first = if first == 0 { bytes.len() } else { first };
        receive(server, &bytes)?;
        let bytes = sent(server);
        receive(client, &bytes)?;
    }
    Ok(first)
}

/// Messages of many lengths arrive on the other side, in both directions.
fn exchange(both: &mut [Connection; 2]) {
    for _ in 0..2 {
        both.swap(0, 1);
        let [from, to] = both;
        for length in [0, 1, 15, 16, 17, 63, 64, 65, 1000, 16383, 16384, 16385, 50_000] {
            let message: Vec<u8> = (0..length).map(|i| (i * 31 + length) as u8).collect();
            let mut received = Vec::new();
            for part in message.chunks(20_000) {
                from.writer().write_all(part).unwrap();
                let bytes = sent(from);
                receive(to, &bytes).unwrap();
                let mut some = vec![0; part.len()];
                to.reader().read_exact(&mut some).unwrap();
                received.extend(some);
            }
            assert!(received == message, "{length}");
        }
    }
}

fn group(connection: &Connection) -> NamedGroup {
    connection.negotiated_key_exchange_group().unwrap().name()
}

#[test]
fn with_and_without_fairlane_on_either_side() {
    for (suite, version) in [(CHACHA13, &TLS13), (CHACHA12, &TLS12)] {
        for [client, server] in [[true, true], [true, false], [false, true], [false, false]] {
            let [client_has, server_has] = [client, server].map(|ours| with_suites(provider(ours), &[suite]));
            let mut both = pair(client_has, server_has, version);
            shake(&mut both).unwrap();
            exchange(&mut both);
            for side in &both {
                assert_eq!(side.negotiated_cipher_suite().unwrap().suite(), suite);
                // Ring has no ML-KEM.
                let hybrid = client && server && version.version == TLS13.version;
                let expected = if hybrid { NamedGroup::X25519MLKEM768 } else { NamedGroup::X25519 };
                assert_eq!(group(side), expected, "{client} {server}");
            }
        }
    }
}

#[test]
fn the_suites_are_fairlanes() {
    let before = provider(false);
    let after = provider(true);
    let names = |provider: &CryptoProvider| -> Vec<CipherSuite> {
        provider.cipher_suites.iter().map(rustls::SupportedCipherSuite::suite).collect()
    };
    assert_eq!(names(&before), names(&after));
    let keeps = |suite: CipherSuite| {
        let of = |provider: &CryptoProvider| match provider.cipher_suites.iter().find(|its| its.suite() == suite) {
            Some(rustls::SupportedCipherSuite::Tls13(suite)) => std::ptr::from_ref(*suite).addr(),
            Some(rustls::SupportedCipherSuite::Tls12(suite)) => std::ptr::from_ref(*suite).addr(),
            None => panic!("{suite:?} is gone"),
        };
        of(&before) == of(&after)
    };
    let replaced: Vec<CipherSuite> = names(&before).into_iter().filter(|suite| !keeps(*suite)).collect();
    assert_eq!(replaced, [CHACHA13, CHACHA12, CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256]);
    assert_eq!(after.kx_groups.len(), before.kx_groups.len() + 1);
    assert_eq!(after.kx_groups[0].name(), NamedGroup::X25519MLKEM768);
    // A second time nothing is added.
    assert_eq!(fairlane_rustls::provider(after.clone()).kx_groups.len(), after.kx_groups.len());
}

#[test]
fn a_provider_without_chacha_gets_it() {
    let bare = || with_suites(provider(false), &[CipherSuite::TLS13_AES_128_GCM_SHA256]);
    let mut client = fairlane_rustls::provider(bare());
    assert_eq!(client.cipher_suites.len(), 2);
    client.cipher_suites.remove(0);
    let mut both = pair(client, with_suites(provider(false), &[CHACHA13]), &TLS13);
    shake(&mut both).unwrap();
    exchange(&mut both);
    // Without SHA-256 there is nothing to make it of.
    let bare = with_suites(provider(false), &[CipherSuite::TLS13_AES_256_GCM_SHA384]);
    assert_eq!(fairlane_rustls::provider(bare).cipher_suites.len(), 1);
}

#[test]
fn changed_records_are_refused() {
    for (suite, version) in [(CHACHA13, &TLS13), (CHACHA12, &TLS12)] {
        // The first byte after the header, one of the message, the last of the tag; and a record cut to nothing.
        for at in [Some(5), Some(20), None] {
            let [client, server] = [true, true].map(|ours| with_suites(provider(ours), &[suite]));
            let [mut client, mut server] = {
                let mut both = pair(client, server, version);
                shake(&mut both).unwrap();
                both
            };
            client.writer().write_all(&[7; 100]).unwrap();
            let mut bytes = sent(&mut client);
            let at = at.unwrap_or(bytes.len() - 1);
            bytes[at] ^= 1;
            assert_eq!(receive(&mut server, &bytes), Err(Error::DecryptError), "{suite:?} {at}");
            assert_eq!(server.reader().read(&mut [0; 1]).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
        }
        for length in [1, 15, 16] {
            let mut both = pair(with_suites(provider(true), &[suite]), with_suites(provider(true), &[suite]), version);
            shake(&mut both).unwrap();
            let record = [&[23, 3, 3, 0, length][..], &[0; 16][..length.into()]].concat();
            assert_eq!(receive(&mut both[1], &record), Err(Error::DecryptError), "{suite:?} {length}");
        }
    }
}

#[test]
fn changed_key_shares_end_the_handshake() {
    let hybrid = || with_group(provider(true), NamedGroup::X25519MLKEM768);
    let mut both = pair(hybrid(), hybrid(), &TLS13);
    let hello = sent(&mut both[0]);
    assert!(hello.len() > 1216);
    // The share begins after its group and length; the first coefficients become 4095.
    let share = hello.windows(4).position(|bytes| bytes == [0x11, 0xec, 0x04, 0xc0]).unwrap() + 4;
    let mut changed = hello.clone();
    changed[share..share + 3].fill(0xff);
    let error = receive(&mut both[1], &changed).unwrap_err();
    assert_eq!(error, rustls::PeerMisbehaved::InvalidKeyShare.into());
    // Wrong secrets: the client cannot read what follows.
    let mut both = pair(hybrid(), hybrid(), &TLS13);
    let hello = sent(&mut both[0]);
    receive(&mut both[1], &hello).unwrap();
    let mut answer = sent(&mut both[1]);
    let share = answer.windows(4).position(|bytes| bytes == [0x11, 0xec, 0x04, 0x60]).unwrap() + 4;
    answer[share] ^= 1;
    assert_eq!(receive(&mut both[0], &answer), Err(Error::DecryptError));
}

#[test]
fn keys_may_be_updated() {
    let mut both = pair(with_suites(provider(true), &[CHACHA13]), with_suites(provider(false), &[CHACHA13]), &TLS13);
    shake(&mut both).unwrap();
    for side in 0..2 {
        both[side].refresh_traffic_keys().unwrap();
        exchange(&mut both);
    }
}
