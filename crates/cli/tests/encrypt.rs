//! `fairlane encrypt`, `decrypt` and `keygen`: files, pipes, keys, passphrases, damage, terminals and interrupts.

mod common;

use common::{code, fairlane, feed, folder, refused, run, stderr, stdout};
use std::fs;
use std::io::{Seek, Write};
use std::path::Path;
use std::process::Output;

/// A passphrase with a cheap key derivation, for tests only.
const QUICK: &[&str] = &["--passphrase-file", "pass", "--argon2", "m=8192,t=1,p=1"];

/// The names of all files in the folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Writes a file that only its owner may read.
fn write_private(path: &Path, text: impl AsRef<[u8]>) {
    fs::write(path, text).unwrap();
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

/// A folder with the key file `key`, the passphrase file `pass` and `text` of 200000 bytes.
fn prepared() -> tempfile::TempDir {
    let folder = folder();
    assert_eq!(code(&run(folder.path(), ["keygen", "key"])), 0);
    write_private(&folder.path().join("pass"), "correct horse\nbattery\n");
    fs::write(folder.path().join("text"), b"0123456789".repeat(20_000)).unwrap();
    folder
}

#[track_caller]
fn ok(folder: &Path, args: &[&str]) {
    let output = run(folder, args);
    assert_eq!((code(&output), stderr(&output).as_str(), stdout(&output).as_str()), (0, "", ""));
}

/// Runs the command with a file of these bytes as its standard input, which cannot block as a pipe can.
fn through(folder: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(input).unwrap();
    file.rewind().unwrap();
    fairlane(folder).args(args).stdin(file).output().unwrap()
}

#[test]
fn files_come_back() {
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    let text = fs::read(at("text")).unwrap();
    for algorithm in ["xchacha20-poly1305", "chacha20-poly1305", "kusumi512-poly1305"] {
        ok(folder.path(), &["encrypt", "--key", "key", "--algo", algorithm, "--experimental", "text"]);
        let sealed = fs::read(at("text.sealed")).unwrap();
        assert_eq!(sealed.len(), 84 + text.len() + 4 * 16);
        fs::remove_file(at("text")).unwrap();
        ok(folder.path(), &["decrypt", "-k", "key", "text.sealed", "--experimental"]);
        assert!(fs::read(at("text")).unwrap() == text);
        ok(folder.path(), &["decrypt", "-k", "key", "text.sealed", "-o", "other", "--experimental"]);
        assert!(fs::read(at("other")).unwrap() == text);
        fs::remove_file(at("other")).unwrap();
        fs::remove_file(at("text.sealed")).unwrap();
    }
    ok(folder.path(), &[&["encrypt", "text"], QUICK].concat());
    ok(folder.path(), &["decrypt", "text.sealed", "--passphrase-file", "pass", "--force"]);
    assert!(fs::read(at("text")).unwrap() == text);
    assert_eq!(names(folder.path()), ["key", "pass", "text", "text.sealed"]);
}

#[test]
fn pipes_come_back() {
    let folder = prepared();
    for text in [&b""[..], b"short", &[b'x'; 65536], &[0; 200_000]] {
        for (seal, open) in [
            (&["encrypt", "--key", "key"][..], &["decrypt", "--key", "key"][..]),
            (&["encrypt", "--key", "key", "-", "-o", "-"], &["decrypt", "--key", "key", "-o", "-", "-"]),
            (&[&["encrypt"], QUICK].concat(), &["decrypt", "--passphrase-file", "pass"]),
        ] {
            let sealed = through(folder.path(), seal, text);
            assert_eq!((code(&sealed), stderr(&sealed).as_str()), (0, ""));
            let opened = through(folder.path(), open, &sealed.stdout);
            assert_eq!((code(&opened), stderr(&opened).as_str()), (0, ""));
            assert!(opened.stdout == text);
        }
    }
}

#[test]
fn a_file_may_become_itself() {
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    let text = fs::read(at("text")).unwrap();
    refused(&run(folder.path(), ["encrypt", "-k", "key", "text", "-o", "text"]), 2, &["text", "--force"]);
    ok(folder.path(), &["encrypt", "-k", "key", "text", "-o", "text", "-f"]);
    assert_eq!(fs::read(at("text")).unwrap()[..8], *b"fairseal");
    ok(folder.path(), &["decrypt", "-k", "key", "text", "-o", "text", "-f"]);
    assert!(fs::read(at("text")).unwrap() == text);
}

#[test]
fn what_is_refused() {
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    ok(folder.path(), &["encrypt", "-k", "key", "text", "-o", "by-key.sealed"]);
    ok(folder.path(), &[&["encrypt", "text", "-o", "by-pass.sealed"], QUICK].concat());
    ok(folder.path(), &["keygen", "other"]);
    write_private(&at("wrong"), "incorrect horse\n");
    write_private(&at("empty"), "");
    write_private(&at("long"), "x".repeat(5000));
    let sealed = fs::read(at("by-key.sealed")).unwrap();
    fs::write(at("cut.sealed"), &sealed[..sealed.len() - 20_000]).unwrap();
    fs::write(at("ended.sealed"), &sealed[..84 + 65552]).unwrap();
    let mut changed = sealed.clone();
    changed[70_000] ^= 4;
    fs::write(at("changed.sealed"), changed).unwrap();
    fs::create_dir(at("folder")).unwrap();
    let before = names(folder.path());
    let cases: &[(&[&str], i32, &[&str])] = &[
        // Failed checks.
        (&["decrypt", "-k", "other", "by-key.sealed"], 1, &["by-key.sealed", "wrong key"]),
        (
            &["decrypt", "--passphrase-file", "wrong", "by-pass.sealed"],
            1,
            &["by-pass.sealed", "wrong key or passphrase"],
        ),
        (&["decrypt", "-k", "key", "cut.sealed"], 1, &["cut.sealed", "chunk 2", "cut short"]),
        (&["decrypt", "-k", "key", "ended.sealed"], 1, &["ended.sealed", "cut short"]),
        (&["decrypt", "-k", "key", "changed.sealed"], 1, &["changed.sealed", "chunk 1", "changed"]),
        (&["decrypt", "-k", "key", "text", "-o", "new"], 1, &["text", "not a sealed file"]),
        (&["decrypt", "-k", "key", "empty", "-o", "new"], 1, &["empty", "not a sealed file"]),
        // Files that cannot be read.
        (&["encrypt", "-k", "key", "missing"], 1, &["missing", "No such file"]),
        (&["encrypt", "-k", "missing", "text"], 1, &["missing", "No such file"]),
        (&["encrypt", "-k", "key", "folder"], 1, &["folder", "directory"]),
        // Files that are not keys or passphrases.
        (&["encrypt", "-k", "pass", "text"], 1, &["pass", "not a key"]),
        (&["encrypt", "-k", "long", "text"], 1, &["long", "4096"]),
        (&["encrypt", "--passphrase-file", "empty", "text"], 1, &["empty"]),
        // Misuse.
        (&["encrypt", "-k", "key", "text", "-o", "pass"], 2, &["pass", "--force"]),
        (&["encrypt", "-k", "key", "text", "-o", "folder", "--force"], 2, &["folder", "directory"]),
        (&["encrypt", "-k", "key", "text", "-o", "no/such"], 2, &["no/such", "No such file"]),
        (&["encrypt", "-k", "key", "--passphrase-file", "pass", "text"], 2, &["--key", "--passphrase-file"]),
        (&["encrypt", "-k", "key", "--argon2", "m=8192,t=1,p=1", "text"], 2, &["--argon2", "--key"]),
        (&["encrypt", "--argon2", "m=1,t=1,p=1", "text"], 2, &["m=1,t=1,p=1", "limits"]),
        (&["encrypt", "--argon2", "m=8,t=1,p=1", "text"], 2, &["8 KiB", "at least 8192"]),
        (&["encrypt", "--argon2", "fast", "text"], 2, &["fast", "m=65536,t=3,p=4"]),
        (&["encrypt", "-k", "key", "--algo", "rot13", "text"], 2, &["rot13", "xchacha20-poly1305"]),
        (&["decrypt", "-k", "key", "by-pass.sealed"], 2, &["by-pass.sealed", "passphrase", "--key"]),
        (&["decrypt", "--passphrase-file", "pass", "by-key.sealed"], 2, &["by-key.sealed", "--key"]),
        (&["decrypt", "by-key.sealed"], 2, &["by-key.sealed", "--key"]),
        (&["decrypt", "-k", "key", "text"], 2, &["text", ".sealed", "-o"]),
        (&["keygen", "key"], 2, &["key", "never overwritten"]),
        (&["keygen"], 2, &["FILE"]),
        (&["keygen", "-"], 2, &["standard output"]),
    ];
    for (args, expected, words) in cases {
        refused(&run(folder.path(), *args), *expected, words);
        assert_eq!(names(folder.path()), before, "{args:?}");
    }
    refused(&run(folder.path(), ["keygen", "no/such/key"]), 1, &["no/such/key"]);

    // On failure an existing output stays as it was; a pipe has received the verified beginning.
    let text = fs::read(at("text")).unwrap();
    fs::write(at("cut"), "old").unwrap();
    refused(&run(folder.path(), ["decrypt", "-k", "key", "cut.sealed", "-f"]), 1, &["cut short"]);
    assert_eq!(fs::read(at("cut")).unwrap(), b"old");
    let piped = run(folder.path(), ["decrypt", "-k", "key", "changed.sealed", "-o", "-"]);
    refused(&piped, 1, &["chunk 1", "discard"]);
    assert!(piped.stdout == text[..65536]);
}

#[test]
fn no_secret_is_overwritten() {
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    ok(folder.path(), &["encrypt", "-k", "key", "text", "-o", "key.sealed"]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("key", at("link")).unwrap();
    let contents = || ["key", "pass"].map(|name| fs::read(at(name)).unwrap());
    let before = contents();
    let mut cases = vec![
        (vec!["encrypt", "-k", "key", "text", "-o", "key"], "the key file"),
        (vec!["encrypt", "-k", "./key", "text", "-o", "key", "--force"], "the key file"),
        (vec!["decrypt", "-k", "key", "key.sealed", "--force"], "the key file"),
        ([&["encrypt", "text", "-o", "pass", "--force"], QUICK].concat(), "the passphrase file"),
    ];
    if cfg!(unix) {
        cases.push((vec!["encrypt", "-k", "key", "text", "-o", "link", "--force"], "the key file"));
        cases.push((vec!["encrypt", "-k", "link", "text", "-o", "key", "--force"], "the key file"));
    }
    for (args, what) in cases {
        refused(&run(folder.path(), args), 2, &[what, "choose another output"]);
    }
    assert!(contents() == before);
}

#[test]
fn a_passphrase_is_bytes() {
    let folder = prepared();
    write_private(&folder.path().join("latin1"), b"gr\xfc\xdfe\r\nx");
    write_private(&folder.path().join("other"), b"gr\xf6\xdfe\n");
    ok(folder.path(), &["encrypt", "text", "--passphrase-file", "latin1", "--argon2", "m=8192,t=1,p=1"]);
    let args = ["decrypt", "text.sealed", "-f", "--passphrase-file"];
    refused(&run(folder.path(), [&args[..], &["other"]].concat()), 1, &["wrong key or passphrase"]);
    ok(folder.path(), &[&args[..], &["latin1"]].concat());
}

#[test]
fn a_costly_passphrase_is_refused_before_it_is_tried() {
    let folder = prepared();
    ok(folder.path(), &[&["encrypt", "text"], QUICK].concat());
    let args = ["decrypt", "text.sealed", "-o", "again", "--passphrase-file", "pass", "--max-memory"];
    refused(&run(folder.path(), [&args[..], &["7"]].concat()), 1, &["m=8192,t=1,p=1", "--max-memory 7", "8 would do"]);
    assert!(!folder.path().join("again").exists());
    ok(folder.path(), &[&args[..], &["8"]].concat());
}

#[cfg(unix)]
#[test]
fn what_was_private_stays_so() {
    use std::os::unix::fs::PermissionsExt;
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    fs::set_permissions(at("text"), fs::Permissions::from_mode(0o600)).unwrap();
    ok(folder.path(), &["encrypt", "-k", "key", "text"]);
    ok(folder.path(), &["decrypt", "-k", "key", "text.sealed", "-o", "again"]);
    for name in ["text.sealed", "again"] {
        assert_eq!(fs::metadata(at(name)).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[cfg(unix)]
#[test]
fn keys_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    assert_eq!(fs::metadata(at("key")).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(at("key")).unwrap();
    assert!(text.starts_with("fairlane key 1\n") && text.len() == 144, "{text}");
    assert_eq!(code(&run(folder.path(), ["keygen", "other"])), 0);
    assert_ne!(fs::read_to_string(at("other")).unwrap(), text);
    for (file, option) in [("key", "--key"), ("pass", "--passphrase-file")] {
        for mode in [0o640, 0o604, 0o620] {
            fs::set_permissions(at(file), fs::Permissions::from_mode(mode)).unwrap();
            let mode = format!("{mode:04o}");
            refused(&run(folder.path(), ["encrypt", option, file, "text"]), 1, &[file, &mode, "chmod 600"]);
        }
        fs::set_permissions(at(file), fs::Permissions::from_mode(0o400)).unwrap();
    }
    // A key may come through a pipe.
    let piped = &["encrypt", "--key", "/dev/stdin", "text", "-o", "piped"];
    let sealed = feed(fairlane(folder.path()).args(piped), text.as_bytes());
    assert_eq!((code(&sealed), stderr(&sealed).as_str()), (0, ""));
    // A link is replaced and not followed; a device is written to and stays a device.
    std::os::unix::fs::symlink("piped", at("link")).unwrap();
    let before = fs::read(at("piped")).unwrap();
    ok(folder.path(), &["encrypt", "-k", "key", "text", "-o", "link", "--force"]);
    assert!(fs::symlink_metadata(at("link")).unwrap().is_file() && fs::read(at("piped")).unwrap() == before);
    ok(folder.path(), &["decrypt", "-k", "key", "link", "-o", "/dev/null"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing() {
    let folder = prepared();
    let before = names(folder.path());
    let output = run(folder.path(), ["encrypt", "-k", "key", "text", "-o", "/dev/full"]);
    refused(&output, 1, &["/dev/full", "No space left"]);
    assert!(!stderr(&output).contains("discard"));
    assert_eq!(names(folder.path()), before);
}

#[cfg(unix)]
mod interrupted {
    use super::*;
    use std::io::Read;
    use std::process::{Child, Command, Stdio};

    fn piped(command: &mut Command) -> Child {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits until the child has written a number of bytes to `.fairlane-….part`.
    fn until_written(folder: &Path, least: u64) {
        for _ in 0..1000 {
            let parts = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
            // The file may be gone again.
            let long = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|found| found.len() >= least);
            if parts.into_iter().any(|entry| entry.file_name().as_encoded_bytes().ends_with(b".part") && long(&entry)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        panic!("nothing is written");
    }

    #[test]
    fn leaves_nothing() {
        if common::interrupts_are_ignored() {
            return;
        }
        let folder = prepared();
        let before = names(folder.path());
        for signal in ["-INT", "-TERM", "-HUP"] {
            let mut child = piped(fairlane(folder.path()).args(["encrypt", "-k", "key", "-o", "out"]));
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&[0; 300_000]).unwrap();
            until_written(folder.path(), 84 + 3 * 65552);
            assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            drop(stdin);
            refused(&output, 130, &["interrupted"]);
            assert_eq!(names(folder.path()), before, "{signal}");
        }
    }

    /// The command, sealing its standard input, with SIGHUP ignored.
    fn without_hangups(folder: &Path) -> Child {
        let shell = "trap '' HUP; exec \"$FAIRLANE\" encrypt -k key -o out";
        let mut command = Command::new("sh");
        piped(command.current_dir(folder).env("FAIRLANE", env!("CARGO_BIN_EXE_fairlane")).args(["-c", shell]))
    }

    #[test]
    fn that_is_ignored_stays_ignored() {
        let folder = prepared();
        let mut child = without_hangups(folder.path());
        child.stdin.as_mut().unwrap().write_all(&[0; 300_000]).unwrap();
        until_written(folder.path(), 84 + 3 * 65552);
        assert!(Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!((code(&output), stderr(&output).as_str()), (0, ""));
        ok(folder.path(), &["decrypt", "-k", "key", "out", "-o", "opened"]);
    }

    /// On other systems than Linux none is handled then.
    #[test]
    #[cfg(target_os = "linux")]
    fn that_is_not_ignored_leaves_nothing_though_another_is() {
        if common::interrupts_are_ignored() {
            return;
        }
        let folder = prepared();
        let before = names(folder.path());
        let mut child = without_hangups(folder.path());
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&[0; 300_000]).unwrap();
        until_written(folder.path(), 84 + 3 * 65552);
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        refused(&output, 130, &["interrupted"]);
        assert_eq!(names(folder.path()), before);
    }

    /// Runs the command on a terminal of its own with util-linux's `script`; `None` if that is not installed.
    fn on_a_terminal(folder: &Path, shell: &str) -> Option<Child> {
        if !Command::new("script")
            .arg("--version")
            .output()
            .is_ok_and(|output| output.stdout.starts_with(b"script from"))
        {
            println!("skipped: no util-linux script here");
            return None;
        }
        let mut command = Command::new("script");
        command.current_dir(folder).env("FAIRLANE", env!("CARGO_BIN_EXE_fairlane")).env("SHELL", "/bin/sh");
        Some(piped(command.args(["--quiet", "--return", "--command", shell, "/dev/null"])))
    }

    /// The output of the terminal up to the first `end`, or all of it.
    fn shown(child: &mut Child, end: &str) -> String {
        let mut text = Vec::new();
        let stdout = child.stdout.as_mut().unwrap();
        let mut byte = [0];
        while !text.ends_with(end.as_bytes()) || end.is_empty() {
            if stdout.read(&mut byte).unwrap() == 0 {
                break;
            }
            text.push(byte[0]);
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    #[test]
    fn a_passphrase_is_asked_for_twice_and_not_shown() {
        let folder = prepared();
        for (again, expected) in [("wrong", 1), ("hush", 0)] {
            // Input typed before the prompt is discarded.
            let shell = "read line; $FAIRLANE encrypt --argon2 m=8192,t=1,p=1 text; echo code=$?";
            let Some(mut child) = on_a_terminal(folder.path(), shell) else { return };
            child.stdin.as_mut().unwrap().write_all(b"go\nearly").unwrap();
            let mut text = String::new();
            for (prompt, answer) in [("Passphrase: ", "hush"), ("Passphrase again: ", again)] {
                text += &shown(&mut child, prompt);
                child.stdin.as_mut().unwrap().write_all(format!("{answer}\n").as_bytes()).unwrap();
            }
            text += &shown(&mut child, "");
            assert!(text.contains(&format!("code={expected}")) && !text.contains("hush"), "{text}");
            assert_eq!(folder.path().join("text.sealed").exists(), expected == 0);
            child.wait().unwrap();
        }
        write_private(&folder.path().join("pass"), "hush");
        ok(folder.path(), &["decrypt", "text.sealed", "--passphrase-file", "pass", "--force"]);
    }

    #[test]
    fn while_asking_leaves_the_terminal_as_it_was() {
        if common::interrupts_are_ignored() {
            return;
        }
        let folder = prepared();
        fs::write(folder.path().join("pid"), "").unwrap();
        let before = names(folder.path());
        // The terminal sends the SIGINT of ^C to the shell, too.
        for signal in ["^C", "-INT", "-TERM"] {
            let shell = "trap : INT; sh -c 'echo $$ > pid; exec $FAIRLANE encrypt text -o out'; echo code=$?; stty -a";
            let Some(mut child) = on_a_terminal(folder.path(), shell) else { return };
            shown(&mut child, "Passphrase: ");
            if signal == "^C" {
                child.stdin.as_mut().unwrap().write_all(b"\x03").unwrap();
            } else {
                let pid = fs::read_to_string(folder.path().join("pid")).unwrap();
                assert!(Command::new("kill").args([signal, pid.trim()]).status().unwrap().success());
            }
            let text = shown(&mut child, "");
            assert!(text.contains("code=130") && text.contains(" echo ") && text.contains(" icanon "), "{text}");
            assert_eq!(names(folder.path()), before);
            child.wait().unwrap();
        }
    }

    #[test]
    fn a_terminal_gets_text_only() {
        let folder = prepared();
        fs::write(folder.path().join("bell"), "\x1b]0;title\x07").unwrap();
        fs::write(folder.path().join("c1"), "\u{9b}31m").unwrap();
        for file in ["text", "bell", "c1"] {
            ok(folder.path(), &["encrypt", "-k", "key", file]);
        }
        for (shell, words) in [
            ("$FAIRLANE encrypt -k key text -o -; echo code=$?", &["not for a terminal", "-o FILE", "code=2"][..]),
            ("$FAIRLANE encrypt -k key text -o /dev/tty; echo code=$?", &["not for a terminal", "code=2"]),
            ("$FAIRLANE decrypt -k key text.sealed -o -; echo code=$?", &["0123456789", "code=0"]),
            ("$FAIRLANE decrypt -k key bell.sealed -o -; echo code=$?", &["not text", "-o FILE", "code=1"]),
            ("$FAIRLANE decrypt -k key c1.sealed -o -; echo code=$?", &["not text", "-o FILE", "code=1"]),
        ] {
            let Some(mut child) = on_a_terminal(folder.path(), shell) else { return };
            let text = shown(&mut child, "");
            assert!(words.iter().all(|word| text.contains(word)) && !text.contains('\x1b'), "{text}");
            child.wait().unwrap();
        }
    }

    #[test]
    fn without_a_terminal_nothing_is_asked() {
        let folder = prepared();
        let before = names(folder.path());
        // A new session has no controlling terminal, even if the tests run on one.
        let mut command = Command::new("setsid");
        command.current_dir(folder.path()).args(["--wait", env!("CARGO_BIN_EXE_fairlane"), "encrypt", "text"]);
        match command.stdin(Stdio::null()).output() {
            Ok(output) => refused(&output, 2, &["cannot ask for a passphrase", "--key", "--passphrase-file"]),
            Err(_) => println!("skipped: no setsid here"),
        }
        assert_eq!(names(folder.path()), before);
    }
}
