//! What a user calls.

mod common;

use common::{new_identity, printed, refused};
use std::fs;
use std::path::PathBuf;

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn an_identity_is_printed() {
    let text = printed(&["--generate"], "");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    let time = lines[0].strip_prefix("# created: ").unwrap();
    assert!(time.len() == 20 && time.starts_with("20") && time.ends_with('Z'), "{time}");
    let recipient = lines[1].strip_prefix("# public key: ").unwrap();
    assert!(recipient.starts_with("age1pq1") && recipient.len() == 1959, "{recipient}");
    assert!(lines[2].starts_with("AGE-PLUGIN-PQ-1") && lines[2].len() == 73, "{}", lines[2].len());
    assert_eq!(printed(&["--recipients"], &text), format!("{recipient}\n"));
    assert_ne!(printed(&["-generate"], "").lines().last(), lines.last().copied());
}

#[test]
fn an_identity_is_written_for_its_owner_alone() {
    let folder = folder("written");
    let path = folder.join("key.txt");
    let name = path.to_str().unwrap();
    let made = common::run(&["--generate", "-o", name], b"");
    assert!(made.status.success() && made.stdout.is_empty());
    let recipient = printed(&["--recipients", name], "");
    assert_eq!(String::from_utf8(made.stderr).unwrap(), format!("Public key: {recipient}"));
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(printed(&["--recipients", "-"], &text), recipient);

    let converted = folder.join("native.txt");
    assert_eq!(printed(&["--native", "-o", converted.to_str().unwrap(), name], ""), "");
    assert_eq!(fs::read_to_string(&converted).unwrap(), printed(&["--native", name], ""));
    #[cfg(unix)]
    for path in [&path, &converted] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    for arguments in [&["--generate", "-o", name][..], &["--recipients", "-o", name]] {
        let error = refused(arguments, text.as_bytes(), 1);
        assert_eq!(error, format!("{name} already exists, and is not overwritten"));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), text);

    // What cannot be converted leaves no file.
    let path = folder.join("none");
    let _ = refused(&["--identity", "-o", path.to_str().unwrap()], b"no identity\n", 1);
    assert!(!path.exists());
    let error = refused(&["--generate", "-o", folder.join("missing/key").to_str().unwrap()], b"", 1);
    assert!(error.starts_with("cannot write ") && error.ends_with(": No such file or directory"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_read_is_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let path = folder("warned").join("key.txt");
    let warned = |mode| {
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let file = fs::File::create(&path).unwrap();
        let output = common::program().arg("--generate").stdout(file).output().unwrap();
        assert!(output.status.success());
        assert!(fs::read_to_string(&path).unwrap().contains("AGE-PLUGIN-PQ-1"));
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(warned(0o600), "");
    let warning = "age-plugin-pq: warning: others may read the file that the identity is written to\n";
    assert_eq!(warned(0o644), warning);
}

#[test]
fn identities_are_converted_both_ways() {
    let [(first, its), (second, others)] = [(); 2].map(|()| new_identity());
    let native = printed(&["--native"], &format!("# two\n{first}\r\n\n{second}"));
    let lines: Vec<_> = native.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line.starts_with("AGE-SECRET-KEY-PQ-1") && line.len() == 77));
    assert_eq!(printed(&["--identity"], &native), format!("{first}\n{second}\n"));
    assert_eq!(printed(&["-identity"], &first), format!("{first}\n"));
    assert_eq!(printed(&["--recipients"], &format!("{first}\n{}\n", lines[1])), format!("{its}\n{others}\n"));
    // A comment in another encoding.
    let output = common::run(&["--recipients"], &[b"# \xe9\n", first.as_bytes()].concat());
    assert_eq!(output.stdout, format!("{its}\n").as_bytes());
}

#[test]
fn other_files_are_refused() {
    let (identity, recipient) = new_identity();
    let wrong = "standard input, line 2: neither an identity AGE-SECRET-KEY-PQ-1... nor AGE-PLUGIN-PQ-1...";
    for line in [
        &recipient,
        &identity.to_lowercase(),
        &identity[1..],
        &identity[..identity.len() - 1],
        &format!(" {identity}"),
        "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX",
    ] {
        for command in ["--recipients", "--identity", "--native"] {
            assert_eq!(refused(&[command], format!("{identity}\n{line}\n").as_bytes(), 1), wrong);
        }
    }
    assert_eq!(refused(&["--identity"], b"#\n\xff\n", 1), wrong);
    assert_eq!(refused(&["--identity"], b"", 1), "standard input has no identity");
    assert_eq!(refused(&["--identity"], b"# comment\n\n", 1), "standard input has no identity");
    let long = vec![b'#'; (1 << 20) + 1];
    let error = "standard input is longer than 1048576 bytes: not a file with identities";
    assert_eq!(refused(&["--identity"], &long, 1), error);
    let error = "cannot read no such file: No such file or directory";
    assert_eq!(refused(&["--identity", "no such file"], b"", 1), error);
}

#[test]
fn misuse() {
    for arguments in [&[][..], &["--keygen"], &["file"], &["--age-plugin=recipient-v2"], &["--generate", "a\nb"]] {
        let error = refused(arguments, b"", 2);
        assert!(error.ends_with("; see age-plugin-pq --help"), "{error}");
    }
    assert!(printed(&["--help"], "").contains("Usage:\n    age-plugin-pq --generate"));
    assert_eq!(printed(&["--version"], ""), format!("age-plugin-pq {} (fairlane)\n", env!("CARGO_PKG_VERSION")));
}
