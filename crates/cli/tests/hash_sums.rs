//! `fairlane hash` gives the right digests, for files of every kind and number, and in order.
//!
//! The digests of the SHA-3 family were computed with Python 3.11's hashlib, Keccak-256's are those that Ethereum
//! documents (empty input, "abc"), those of RFC 9861's functions are from that document, section 5, SM3's is from
//! GB/T 32905-2016, appendix A; SHA-2's are of FIPS 180-4's examples, BLAKE3's of its own b3sum.

mod common;

use common::{code, fairlane, feed, folder, refused, run, stderr, stdout};

const ABC: &[(&str, &str)] = &[
    ("keccak256", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
    ("sha3-224", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
    ("sha3-256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
    ("sha3-384", "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25"),
    (
        "sha3-512",
        "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
    ),
    ("shake128", "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8"),
    (
        "shake256",
        "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4",
    ),
    ("sm3", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    ("sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
        "sha512",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ),
    ("blake3", "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"),
];

const EMPTY: &[(&str, &str)] = &[
    ("keccak256", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
    ("turboshake128", "1e415f1c5983aff2169217277d17bb538cd945a397ddec541f1ce41af2c1b74c"),
    (
        "turboshake256",
        "367a329dafea871c7802ec67f905ae13c57695dc2c6663c61035f59a18f8e7db11edc0e12e91ea60eb6b32df06dd7f002fbafabb6e13ec1cc20d995547600db0",
    ),
    ("kt128", "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5"),
    (
        "kt256",
        "b23d2e9cea9f4904e02bec06817fc10ce38ce8e93ef4c89e6537076af8646404e3e8b68107b8833a5d30490aa33482353fd4adc7148ecb782855003aaebde4a9",
    ),
    ("sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("blake3", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
];

#[test]
fn digests() {
    let folder = folder();
    for (message, answers) in [(&b"abc"[..], ABC), (b"", EMPTY)] {
        std::fs::write(folder.path().join("message"), message).unwrap();
        for (algorithm, digest) in answers {
            let by_name = run(folder.path(), ["hash", "--algo", algorithm, "message"]);
            assert_eq!(stdout(&by_name), format!("{digest}  message\n"), "{algorithm}: {}", stderr(&by_name));
            let by_stdin = feed(fairlane(folder.path()).args(["hash", "--algo", algorithm]), message);
            assert_eq!(stdout(&by_stdin), format!("{digest}  -\n"));
        }
    }
}

#[test]
fn keccak256_says_that_it_is_not_sha3_256() {
    let help = stdout(&run(folder().path(), ["hash", "--help"]));
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("NOT SHA3-256"), "{help}");
}

#[test]
fn lengths() {
    let folder = folder();
    let abc = |args: &[&str]| feed(fairlane(folder.path()).arg("hash").args(args), b"abc");
    assert_eq!(stdout(&abc(&["-a", "shake128", "--length", "128"])), "5881092dd818bf5cf8a3ddb793fbcba7  -\n");
    assert_eq!(stdout(&abc(&["-a", "shake128", "-l", "64", "--tag"])), "SHAKE128 (-) = 5881092dd818bf5c\n");
    for length in ["0", "7", "-8", "many", "8388616"] {
        refused(&abc(&["-a", "shake128", &format!("--length={length}")]), 2, &["length"]);
    }
    assert_eq!(stdout(&abc(&["-a", "blake3", "-l", "64", "--tag"])), "BLAKE3 (-) = 6437b3ac38465133\n");
    refused(&abc(&["-a", "sha256", "-l", "128"]), 2, &["SHA256 digests have 256 bits"]);
    refused(&abc(&["-a", "sha3-256", "-l", "128"]), 2, &["SHA3-256 digests have 256 bits"]);
}

/// Small files, which are hashed in batches, and large ones, which are streamed, get the right digests in order.
#[test]
fn many_files() {
    let folder = folder();
    let sizes = (0..700).map(|i| match i % 50 {
        7 => 65_535 + i % 4,
        23 => 300_000 + i,
        _ => i * i % 2000,
    });
    let mut names = Vec::new();
    let mut alone = String::new();
    for (i, size) in sizes.enumerate() {
        let name = format!("file{i}");
        let content: Vec<u8> = (0..size).map(|j| (i * 31 + j * 7) as u8).collect();
        std::fs::write(folder.path().join(&name), &content).unwrap();
        if i % 50 == 7 || i % 50 == 23 || i % 97 == 0 {
            let one = feed(fairlane(folder.path()).args(["hash", "-a", "sha3-256"]), &content);
            alone.push_str(&stdout(&one).replace("  -", &format!("  {name}")));
        }
        names.push(name);
    }
    let output = run(folder.path(), ["hash", "-a", "sha3-256"].into_iter().chain(names.iter().map(String::as_str)));
    assert_eq!(code(&output), 0);
    let all = stdout(&output);
    let order: Vec<&str> = all.lines().map(|line| line.split_once("  ").unwrap().1).collect();
    assert_eq!(order, names);
    for line in alone.lines() {
        assert!(all.lines().any(|other| other == line), "{line}");
    }
    std::fs::write(folder.path().join("sums"), &all).unwrap();
    let check = run(folder.path(), ["hash", "-a", "sha3-256", "--check", "sums"]);
    assert_eq!(code(&check), 0, "{}", stderr(&check));
    assert_eq!(stdout(&check).lines().filter(|line| line.ends_with(": OK")).count(), names.len());
}

#[test]
fn standard_input_named_twice_is_read_once() {
    let folder = folder();
    let twice = feed(fairlane(folder.path()).args(["hash", "-a", "keccak256", "-", "-"]), b"abc");
    assert_eq!(stdout(&twice), format!("{}  -\n{}  -\n", ABC[0].1, EMPTY[0].1));
}

#[test]
fn one_list_of_many_algorithms() {
    let folder = folder();
    std::fs::write(folder.path().join("a"), "abc").unwrap();
    let mut sums = String::new();
    for (algorithm, digest) in ABC {
        let line = stdout(&run(folder.path(), ["hash", "--tag", "-a", algorithm, "a"]));
        assert!(line.ends_with(&format!(" (a) = {digest}\n")), "{line}");
        sums.push_str(&line);
    }
    std::fs::write(folder.path().join("sums"), &sums).unwrap();
    let check = run(folder.path(), ["hash", "-c", "--strict", "sums"]);
    assert_eq!((code(&check), stdout(&check)), (0, "a: OK\n".repeat(ABC.len())));
    let one = run(folder.path(), ["hash", "-c", "-a", "sha3-256", "sums"]);
    assert_eq!((code(&one), stdout(&one).as_str()), (0, "a: OK\n"));
    assert_eq!(stderr(&one), format!("fairlane: WARNING: {} lines are improperly formatted\n", ABC.len() - 1));
}

#[test]
fn lines_without_a_tag_need_an_algorithm() {
    let folder = folder();
    std::fs::write(folder.path().join("sums"), format!("{}  a\n", ABC[2].1)).unwrap();
    refused(&run(folder.path(), ["hash", "--check", "sums"]), 1, &["sums", "--algo"]);
    refused(&run(folder.path(), ["hash", "a"]), 2, &["--algo"]);
    refused(&run(folder.path(), ["hash", "--algo", "md5", "a"]), 2, &["md5", "sha3-256"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_not() {
    use std::process::Stdio;
    let folder = folder();
    std::fs::write(folder.path().join("a"), "abc").unwrap();
    for args in
        [&["hash", "-a", "sha3-256", "a"][..], &["hash", "--help"], &["cpu"], &["completions", "bash"], &["man"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = fairlane(folder.path()).args(args).stdout(full).output().unwrap();
        refused(&output, 1, &["write error: No space left on device"]);

        let mut child =
            fairlane(folder.path()).args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_verdict_does_not_need_a_reader() {
    use std::process::Stdio;
    let folder = folder();
    std::fs::write(folder.path().join("a"), "abc").unwrap();
    let sums = stdout(&run(folder.path(), ["hash", "-a", "sha3-256", "a"]));
    std::fs::write(folder.path().join("good"), &sums).unwrap();
    std::fs::write(folder.path().join("bad"), sums.replace("3a", "3b").replace("98", "99")).unwrap();
    for (args, expected) in [
        (&["hash", "--check", "-a", "sha3-256", "good"][..], 0),
        (&["hash", "--check", "-a", "sha3-256", "bad"], 1),
        (&["hash", "-a", "sha3-256", "a", "nothing"], 1),
        // Misuse without the race.
        (&["validate", "a"], if cfg!(feature = "race") { 1 } else { 2 }),
    ] {
        let mut child =
            fairlane(folder.path()).args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(code(&child.wait_with_output().unwrap()), expected, "{args:?}");
    }
}
