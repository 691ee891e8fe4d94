//! Handshakes with other TLS libraries, by X25519MLKEM768 and ChaCha20-Poly1305: Go's, 1.25 or newer, and OpenSSL, 3.5
//! or newer. What is not on the machine is skipped, and the test says so. `GO` and `OPENSSL` name other programs.

mod common;

use common::{Identity, provider, with_group, with_suites};
use rustls::crypto::CryptoProvider;
use rustls::version::TLS13;
use rustls::{CipherSuite, ClientConnection, NamedGroup, ServerConnection, Stream};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SUITE: CipherSuite = CipherSuite::TLS13_CHACHA20_POLY1305_SHA256;
const TIMEOUT: Duration = Duration::from_secs(60);

/// Fairlane's parts and nothing that could be used instead.
fn ours() -> CryptoProvider {
    with_group(with_suites(provider(true), &[SUITE]), NamedGroup::X25519MLKEM768)
}

/// An identity as files in a folder of the test.
fn identity(name: &str) -> (Identity, PathBuf, PathBuf) {
    let identity = Identity::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [certificate, key] = ["certificate", "key"].map(|what| folder.join(format!("{name}-{what}.pem")));
    std::fs::write(&certificate, &identity.pem[0]).unwrap();
    std::fs::write(&key, &identity.pem[1]).unwrap();
    (identity, certificate, key)
}

/// Connects, and returns the first line of the answer to `sent`.
fn ask(identity: &Identity, address: &str, sent: &[u8]) -> String {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    let config = identity.client(ours(), &[&TLS13]);
    let mut connection = ClientConnection::new(config, "localhost".try_into().unwrap()).unwrap();
    let mut stream = Stream::new(&mut connection, &mut socket);
    stream.write_all(sent).unwrap();
    let mut line = String::new();
    BufReader::new(&mut stream).read_line(&mut line).unwrap();
    connection.send_close_notify();
    while connection.wants_write() {
        connection.write_tls(&mut socket).unwrap();
    }
    assert_eq!(connection.negotiated_key_exchange_group().unwrap().name(), NamedGroup::X25519MLKEM768);
    line
}

/// Serves one client, which sends a line and gets it back in upper case.
fn answer(identity: &Identity, listener: &TcpListener) {
    let (mut socket, _) = listener.accept().unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut connection = ServerConnection::new(identity.server(ours(), &[&TLS13])).unwrap();
    let mut stream = Stream::new(&mut connection, &mut socket);
    let mut line = String::new();
    BufReader::new(&mut stream).read_line(&mut line).unwrap();
    stream.write_all(line.to_uppercase().as_bytes()).unwrap();
    connection.send_close_notify();
    while connection.wants_write() {
        connection.write_tls(&mut socket).unwrap();
    }
}

/// A program that a variable names, or else `name`.
fn program(variable: &str, name: &str) -> Command {
    Command::new(std::env::var(variable).unwrap_or_else(|_| name.to_owned()))
}

/// The numbers of a version, such as 1.26 of `go version go1.26.8 linux/amd64`; none if the program is not here.
fn version(command: &mut Command, before: &str) -> Option<(u32, u32)> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_once(before)?.1.split(|c: char| !c.is_ascii_digit()).map(|n| n.parse().unwrap_or(0));
    Some((numbers.next()?, numbers.next()?))
}

/// The peer of `go/peer.go`, as a program; none if Go is not here.
fn go() -> Option<PathBuf> {
    let found = version(program("GO", "go").arg("version"), "version go");
    if found.is_none_or(|version| version < (1, 25)) {
        eprintln!("skipped: no Go 1.25 here: {found:?}");
        return None;
    }
    let peer = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peer");
    let mut build = program("GO", "go");
    build.args(["build", "-o"]).arg(&peer).arg("peer.go");
    build.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/go"));
    build.env("GOTOOLCHAIN", "local").env("GO111MODULE", "off").env("CGO_ENABLED", "0");
    let built = build.output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(peer)
}

/// The peer as a server or client. Without a module, Go takes the defaults of a version that had no ML-KEM.
fn go_as(role: &str, peer: &Path) -> Command {
    let mut command = Command::new(peer);
    command.arg(role).env("GODEBUG", "tlsmlkem=1").stdout(Stdio::piped());
    command
}

/// The rest of what a program prints until it ends, successfully.
fn rest(mut child: Child, mut stdout: impl Read) -> String {
    let mut text = String::new();
    stdout.read_to_string(&mut text).unwrap();
    assert!(child.wait().unwrap().success(), "{text}");
    text
}

#[test]
fn go_on_the_other_side() {
    let Some(peer) = go() else { return };
    let told = "X25519MLKEM768 TLS_CHACHA20_POLY1305_SHA256\n";
    let (identity, certificate, key) = identity("go");

    let mut server = go_as("server", &peer).args([&certificate, &key]).spawn().unwrap();
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    let mut address = String::new();
    stdout.read_line(&mut address).unwrap();
    assert_eq!(ask(&identity, address.trim(), b"to Go\n"), "to Go\n");
    assert_eq!(rest(server, stdout), told);

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = go_as("client", &peer);
    let mut client = client.arg(&certificate).arg(listener.local_addr().unwrap().to_string()).spawn().unwrap();
    answer(&identity, &listener);
    let stdout = client.stdout.take().unwrap();
    assert_eq!(rest(client, stdout), format!("A LINE FROM GO\n{told}"));
}

#[test]
fn openssl_on_the_other_side() {
    let found = version(program("OPENSSL", "openssl").arg("version"), "OpenSSL ");
    if found.is_none_or(|version| version < (3, 5)) {
        eprintln!("skipped: no OpenSSL 3.5 here: {found:?}");
        return;
    }
    let (identity, certificate, key) = identity("openssl");
    let options = ["-tls1_3", "-groups", "X25519MLKEM768", "-ciphersuites", "TLS_CHACHA20_POLY1305_SHA256"];

    // A port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = program("OPENSSL", "openssl");
    server.args(["s_server", "-rev", "-naccept", "1", "-accept"]).arg(port.to_string()).args(options);
    server.arg("-cert").arg(&certificate).arg("-key").arg(&key).stdout(Stdio::piped()).stdin(Stdio::null());
    let mut server = server.spawn().unwrap();
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("ACCEPT") {
        line.clear();
        assert_ne!(stdout.read_line(&mut line).unwrap(), 0, "s_server has ended");
    }
    assert_eq!(ask(&identity, &format!("127.0.0.1:{port}"), b"to OpenSSL\n"), "LSSnepO ot\n");
    rest(server, stdout);

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = program("OPENSSL", "openssl");
    client.args(["s_client", "-verify_return_error", "-servername", "localhost", "-connect"]);
    client.arg(listener.local_addr().unwrap().to_string()).args(options).arg("-CAfile").arg(&certificate);
    let mut client = client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdin = client.stdin.take().unwrap();
    stdin.write_all(b"a line from OpenSSL\n").unwrap();
    answer(&identity, &listener);
    let stdout = client.stdout.take().unwrap();
    let said = rest(client, stdout);
    assert!(said.contains("A LINE FROM OPENSSL\n") && said.contains("X25519MLKEM768"), "{said}");
}
