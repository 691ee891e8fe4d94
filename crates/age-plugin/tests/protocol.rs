//! The plugin protocol, spoken with the program through pipes.

mod common;

use base64ct::{Base64Unpadded, Encoding};
use common::{new_identity, printed, program, refused};
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read, Write};

/// What the program sends: a line without its arrow, and the body.
#[derive(Debug, PartialEq, Eq)]
struct Stanza {
    line: String,
    body: Vec<u8>,
}

impl Stanza {
    fn text(&self) -> (&str, &str) {
        (&self.line, str::from_utf8(&self.body).unwrap())
    }

    /// As a client would send it for a file.
    fn of_file(&self, file: usize) -> String {
        let (_, words) = self.line.strip_prefix("recipient-stanza ").unwrap().split_once(' ').unwrap();
        format!("-> recipient-stanza {file} {words}\n{}\n", Base64Unpadded::encode_string(&self.body))
    }
}

/// Sends the first phase, confirms everything in the second one, and returns what came before `done`.
fn talk(machine: &str, input: &str) -> Vec<Stanza> {
    let mut child = program().arg(format!("--age-plugin={machine}")).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    to.write_all(input.as_bytes()).unwrap();
    to.write_all(b"-> done\n\n").unwrap();
    let mut sent = Vec::new();
    loop {
        let line = lines.next().unwrap().strip_prefix("-> ").unwrap().to_owned();
        let mut text = String::new();
        loop {
            let line = lines.next().unwrap();
            text.push_str(&line);
            if line.len() < 64 {
                break;
            }
        }
        if line == "done" {
            assert_eq!(lines.next(), None);
            break;
        }
        sent.push(Stanza { line, body: Base64Unpadded::decode_vec(&text).unwrap() });
        to.write_all(b"-> ok\n\n").unwrap();
    }
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(error, "");
    assert!(child.wait().unwrap().success());
    sent
}

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

const FIRST: &str = "-> wrap-file-key\nWUVMTE9XIFNVQk1BUklORQ\n";
const SECOND: &str = "-> wrap-file-key\nQUFBQUFBQUFBQUFBQUFBQQ\n";

fn file_key(file: usize) -> Stanza {
    let body = if file == 0 { b"YELLOW SUBMARINE" } else { b"AAAAAAAAAAAAAAAA" };
    Stanza { line: format!("file-key {file}"), body: body.to_vec() }
}

/// A stanza for another plugin.
const OTHER: &str = "-> recipient-stanza 0 X25519 ajtqAvDEkVNr2B7zUOtq2mAQXDSBlNrVAuM/dKb5sT4
0evrK/HQXVsQ4YaDe+659l5OQzvAzD2ytLGHQLQiqxg
";

#[test]
fn file_keys_go_to_recipients_and_identities_and_come_back() {
    let people = [(); 3].map(|()| new_identity());
    let [(_, first), (second, _), (_, third)] = &people;
    let keys = format!("{FIRST}-> add-recipient {first}\n\n-> add-identity {second}\n\n{SECOND}");
    let labels = Stanza { line: "labels postquantum".into(), body: vec![] };
    let sent = talk("recipient-v1", &format!("{keys}-> extension-labels\n\n-> add-recipient {third}\n\n"));
    assert_eq!(sent[0], labels);
    let sent = &sent[1..];
    assert_eq!(sent.len(), 6);
    for (at, stanza) in sent.iter().enumerate() {
        assert!(stanza.line.starts_with(&format!("recipient-stanza {} mlkem768x25519 ", at / 3)));
        assert_eq!(stanza.line.split(' ').count(), 4);
        assert_eq!(stanza.body.len(), 32);
    }

    let headers: String = (0..6).map(|at| sent[at].of_file(at / 3)).collect();
    for (identity, _) in &people {
        let sent = talk("identity-v1", &format!("-> add-identity {identity}\n\n{OTHER}{headers}"));
        assert_eq!(sent, [file_key(0), file_key(1)]);
    }
    let (stranger, _) = new_identity();
    assert_eq!(talk("identity-v1", &format!("{headers}-> add-identity {stranger}\n\n")), []);
    // The second identity is the right one.
    let both = format!("-> add-identity {stranger}\n\n{headers}-> add-identity {}\n\n", people[0].0);
    assert_eq!(talk("identity-v1", &both), [file_key(0), file_key(1)]);

    // A client without labels is sent none.
    let sent = talk("recipient-v1", &keys);
    assert_eq!(sent.len(), 4);
    assert!(sent.iter().all(|stanza| stanza.line.starts_with("recipient-stanza ")));
}

#[test]
fn each_file_is_opened_by_itself() {
    let [(first, its), (second, others)] = [(); 2].map(|()| new_identity());
    let stanza = |recipient: &str, key: &str| {
        let sent = talk("recipient-v1", &format!("-> add-recipient {recipient}\n\n{key}"));
        sent.into_iter().next().unwrap()
    };
    let (a, b) = (stanza(&its, FIRST), stanza(&others, SECOND));
    let identities = format!("-> add-identity {first}\n\n-> add-identity {second}\n\n");
    let files = a.of_file(0) + &b.of_file(1);
    assert_eq!(talk("identity-v1", &format!("{identities}{files}")), [file_key(0), file_key(1)]);
    assert_eq!(talk("identity-v1", &format!("-> add-identity {second}\n\n{files}")), [file_key(1)]);

    // A malformed stanza closes its own file only, and is counted with those for others.
    let malformed = a.of_file(0).replace(" mlkem768x25519 ", " mlkem768x25519 x ");
    let sent = talk("identity-v1", &format!("{identities}{OTHER}{}{malformed}{}", a.of_file(0), b.of_file(1)));
    assert_eq!(sent.len(), 2);
    let message = "invalid mlkem768x25519 stanza: it has not exactly one argument";
    assert_eq!(sent[0].text(), ("error stanza 0 2", message));
    assert_eq!(sent[1], file_key(1));

    let sent = talk("identity-v1", &format!("{identities}{}{}", b.of_file(1), a.of_file(0)));
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].text(), ("error internal", "the numbers of the files decrease"));
    for number in ["x", "+1", "-1", "99999999999999999999"] {
        let header = a.of_file(0).replace("stanza 0", &format!("stanza {number}"));
        let sent = talk("identity-v1", &format!("{identities}{header}"));
        assert_eq!(sent[0].text(), ("error internal", "the number of a file is none"));
    }
}

#[test]
fn unknown_commands_and_stanzas_are_ignored() {
    let (identity, recipient) = new_identity();
    let grease = "-> grease-9 some words\nAAAA\n";
    let sent = talk("recipient-v1", &format!("{grease}-> add-recipient {recipient}\n\n{grease}{FIRST}{grease}"));
    assert_eq!(sent.len(), 1);
    let header = sent[0].of_file(0);
    let input = format!("{grease}{OTHER}-> add-identity {identity}\n\n{grease}{header}{grease}");
    assert_eq!(talk("identity-v1", &input), [file_key(0)]);
    assert_eq!(talk("identity-v1", &format!("-> add-identity {identity}\n\n{OTHER}")), []);
    assert_eq!(talk("identity-v1", &format!("-> add-identity {identity}\n\n")), []);
}

#[test]
fn malformed_keys_are_named_and_nothing_else_is_sent() {
    let (identity, recipient) = new_identity();
    let native = printed(&["--native"], &identity);
    let native = native.trim_end();
    let upper = recipient.to_uppercase();
    let input = format!(
        "-> add-recipient {recipient}\n\n-> add-recipient {upper}\n\n-> add-identity {native}\n\n{FIRST}\
         -> add-recipient {}\n\n-> extension-labels\n\n",
        &recipient[..1958]
    );
    let sent = talk("recipient-v1", &input);
    assert_eq!(
        sent.iter().map(Stanza::text).collect::<Vec<_>>(),
        [
            ("error recipient 1", "invalid recipient: it is a key of another kind"),
            ("error recipient 2", "invalid recipient: its length is wrong"),
            ("error identity 0", "invalid identity: it is a key of another kind"),
        ]
    );

    let header = talk("recipient-v1", &format!("-> add-recipient {recipient}\n\n{FIRST}"))[0].of_file(0);
    let wrong = identity.replace("PQ-1", "PQ-1Q");
    let changed = format!("{}{}", &identity[..72], if identity.ends_with('Q') { 'P' } else { 'Q' });
    let input =
        format!("-> add-identity {identity}\n\n-> add-identity {wrong}\n\n-> add-identity {changed}\n\n{header}");
    let sent = talk("identity-v1", &input);
    assert_eq!(
        sent.iter().map(Stanza::text).collect::<Vec<_>>(),
        [
            ("error identity 1", "invalid identity: its length is wrong"),
            ("error identity 2", "invalid identity: its checksum is wrong"),
        ]
    );
    // What age has for `-j pq`: an identity without a key.
    let sent = talk("identity-v1", &format!("-> add-identity AGE-PLUGIN-PQ-1AAAAAA\n\n{header}"));
    assert_eq!(sent[0].text(), ("error identity 0", "invalid identity: its length is wrong"));
}

#[test]
fn malformed_commands_are_told_to_the_client() {
    let (identity, recipient) = new_identity();
    let good = format!("-> add-recipient {recipient}\n\n{FIRST}");
    let told = |machine: &str, input: &str| {
        let sent = talk(machine, input);
        assert!(sent.iter().all(|stanza| stanza.line == "error internal"), "{input}");
        sent.into_iter().map(|stanza| String::from_utf8(stanza.body).unwrap()).collect::<Vec<_>>()
    };
    let malformed = |command| vec![format!("the command {command} has too many or too few arguments, or a wrong body")];
    for (command, rest) in [
        ("add-recipient", ""),
        ("add-recipient", " a b"),
        ("add-identity", ""),
        ("extension-labels", " a"),
        ("wrap-file-key", " 0"),
    ] {
        assert_eq!(told("recipient-v1", &format!("{good}-> {command}{rest}\n\n")), malformed(command));
    }
    assert_eq!(
        told("recipient-v1", &format!("{good}-> add-recipient {recipient}\nAAAA\n")),
        malformed("add-recipient")
    );
    let identity = format!("-> add-identity {identity}\n\n");
    for (command, rest) in [("add-identity", ""), ("recipient-stanza", ""), ("recipient-stanza", " 0")] {
        assert_eq!(told("identity-v1", &format!("{identity}-> {command}{rest}\n\n")), malformed(command));
    }
    for (key, bytes) in [("", 0), ("AAAA", 3), ("AAAAAAAAAAAAAAAAAAAAAAA", 17)] {
        let wrong = vec![format!("a file key has {bytes} bytes, not 16")];
        assert_eq!(told("recipient-v1", &format!("{good}-> wrap-file-key\n{key}\n")), wrong);
    }
    assert_eq!(told("recipient-v1", FIRST), ["no recipient is given"]);
    assert_eq!(told("recipient-v1", &format!("-> add-recipient {recipient}\n\n")), ["no file key is given"]);
}

#[test]
fn what_is_no_protocol_ends_the_program() {
    for machine in ["recipient-v1", "identity-v1"] {
        let machine = format!("--age-plugin={machine}");
        let ends = |input: &[u8]| refused(&[&machine], input, 1);
        assert_eq!(ends(b""), "the input ends before its last command");
        assert_eq!(ends(b"-> grease\n\n-> done"), "the input ends before its last command");
        assert_eq!(ends(b"hello\n"), "the input has a line that begins no stanza");
        assert_eq!(ends(b"-> done\nA\n"), "the input has a body that is not canonical base64");
        let unprintable = "the input has a stanza with an empty argument or a character that is not printable";
        assert_eq!(ends(b"-> \xff\n\n"), unprintable);
        let _ = ends(&[0; 100_000]);
    }
    let (_, recipient) = new_identity();
    for (answer, error) in [
        ("-> fail\n\n", "recipient-stanza was not answered with ok"),
        ("-> ok yes\n\n", "recipient-stanza was not answered with ok"),
        ("", "the input ends before its last command"),
    ] {
        let input = format!("-> add-recipient {recipient}\n\n{FIRST}-> done\n\n{answer}");
        let output = common::run(&["--age-plugin=recipient-v1"], input.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("age-plugin-pq: {error}\n"));
    }
}

#[test]
fn the_test_vectors_of_age() {
    #[derive(Deserialize)]
    struct Testkit {
        cases: Vec<Case>,
    }
    #[derive(Deserialize)]
    struct Case {
        name: String,
        expect: String,
        file_key: String,
        identity: String,
        stanzas: Vec<String>,
    }
    let text = include_str!("testkit.json");
    let testkit: Testkit = serde_json::from_str(text).unwrap();
    assert_eq!(testkit.cases.len(), 17);
    for Case { name, expect, file_key, identity, stanzas } in testkit.cases {
        let identity = printed(&["--identity"], &identity);
        let header: String = stanzas.iter().map(|stanza| stanza.replacen("-> ", "-> recipient-stanza 0 ", 1)).collect();
        let input = format!("-> add-identity {identity}\n{header}");
        // That body is no base64, so that age itself refuses the file before it calls a plugin.
        if name == "hybrid_not_canonical_body" {
            let error = refused(&["--age-plugin=identity-v1"], input.as_bytes(), 1);
            assert_eq!(error, "the input has a body that is not canonical base64");
            continue;
        }
        let sent = talk("identity-v1", &input);
        match &*expect {
            "success" => {
                let found = Stanza { line: "file-key 0".into(), body: hex(&file_key) };
                assert_eq!(sent, [found], "{name}");
            }
            "no match" => assert_eq!(sent, [], "{name}"),
            "header failure" => {
                assert_eq!(sent.len(), 1, "{name}");
                assert!(sent[0].line.starts_with("error stanza 0 "), "{name}: {sent:?}");
            }
            other => panic!("{name}: {other}"),
        }
    }
}
