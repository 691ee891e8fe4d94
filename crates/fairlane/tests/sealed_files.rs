//! Sealed files appear whole or not at all; keys and costs as text.

use fairlane::sealed::{
    Access, Algorithm, Error, Existing, Key, KeyError, MAX_LENGTH, NewFile, Options, PassphraseCost, Secret, open_file,
    seal_file,
};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[test]
fn whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let key = Key::generate().unwrap();
    let secret = Secret::Key(&key);
    let text = vec![7; 200_000];
    fs::write(at("plain"), &text).unwrap();
    seal_file(&at("plain"), &at("sealed"), Existing::Keep, secret, &Options::default()).unwrap();
    assert_eq!(open_file(&at("sealed"), &at("opened"), Existing::Keep, secret).unwrap(), 200_000);
    assert_eq!(fs::read(at("opened")).unwrap(), text);

    // Damaged in its last chunk: the first ones were written, and are gone.
    let mut damaged = fs::read(at("sealed")).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(at("damaged"), damaged).unwrap();
    let before = names(folder.path());
    for (to, existing) in [("new", Existing::Keep), ("opened", Existing::Replace)] {
        let error = open_file(&at("damaged"), &at(to), existing, secret).unwrap_err();
        assert!(matches!(error, Error::Corrupt { chunk: 3, last: true }), "{error:?}");
    }
    for to in ["opened", "sealed"] {
        let error = open_file(&at("sealed"), &at(to), Existing::Keep, secret).unwrap_err();
        assert!(matches!(&error, Error::Write(error) if error.kind() == io::ErrorKind::AlreadyExists), "{error:?}");
    }
    assert!(matches!(open_file(&at("missing"), &at("new"), Existing::Keep, secret), Err(Error::Read(_))));
    for to in [".", "no/such/folder"] {
        let error = open_file(&at("sealed"), &at(to), Existing::Replace, secret).unwrap_err();
        assert!(matches!(error, Error::Write(_)), "{error:?}");
    }
    assert_eq!(fs::read(at("opened")).unwrap(), text);
    assert_eq!(names(folder.path()), before);
}

#[test]
fn a_file_may_become_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let key = Key::generate().unwrap();
    fs::write(&path, vec![7; 200_000]).unwrap();
    seal_file(&path, &path, Existing::Replace, Secret::Key(&key), &Options::default()).unwrap();
    assert_ne!(fs::read(&path).unwrap().len(), 200_000);
    open_file(&path, &path, Existing::Replace, Secret::Key(&key)).unwrap();
    assert_eq!(fs::read(&path).unwrap(), vec![7; 200_000]);
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn another_file_that_came_meanwhile_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut file = NewFile::create(&path, Existing::Keep, Access::Usual).unwrap();
    file.write_all(b"ours").unwrap();
    fs::write(&path, "theirs").unwrap();
    assert_eq!(file.finish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn a_name_of_a_folder_is_none_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["new/", "new/.", "new//"] {
        let error = NewFile::create(&folder.path().join(name), Existing::Replace, Access::Usual).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory, "{name}: {error}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn what_is_complete_is_kept_if_it_cannot_be_renamed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut file = NewFile::create(&path, Existing::Replace, Access::Usual).unwrap();
    file.write_all(b"ours").unwrap();
    let temporary = file.temporary().to_owned();
    fs::create_dir(&path).unwrap();
    fs::write(path.join("theirs"), "").unwrap();
    let error = file.finish().unwrap_err().to_string();
    assert!(error.contains(temporary.to_str().unwrap()), "{error}");
    assert_eq!(fs::read(temporary).unwrap(), b"ours");
}

#[cfg(unix)]
#[test]
fn links_are_replaced_and_not_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("elsewhere/file"), "old").unwrap();
    fs::set_permissions(at("elsewhere/file"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("elsewhere/file", at("link")).unwrap();
    let mut file = NewFile::create(&at("link"), Existing::Replace, Access::Usual).unwrap();
    file.write_all(b"new").unwrap();
    file.finish().unwrap();
    assert_eq!(fs::read(at("elsewhere/file")).unwrap(), b"old");
    assert_eq!(fs::metadata(at("elsewhere/file")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(at("link")).unwrap().is_file());
    assert_eq!(fs::read(at("link")).unwrap(), b"new");
    for to in ["elsewhere/file", "nowhere"] {
        symlink(to, at(&to.replace('/', "-"))).unwrap();
        let kept = NewFile::create(&at(&to.replace('/', "-")), Existing::Keep, Access::Usual).unwrap_err();
        assert_eq!(kept.kind(), io::ErrorKind::AlreadyExists, "{kept}");
    }
    // A link that is put there while the file is written.
    let file = NewFile::create(&at("late"), Existing::Keep, Access::Usual).unwrap();
    symlink("elsewhere/file", at("late")).unwrap();
    assert!(file.finish().is_err());
    assert_eq!(fs::read(at("elsewhere/file")).unwrap(), b"old");
    let null = NewFile::create(Path::new("/dev/null"), Existing::Replace, Access::Usual).unwrap_err();
    assert!(null.to_string().contains("not a regular file"), "{null}");
}

#[cfg(unix)]
#[test]
fn no_new_file_is_more_open_than_what_it_came_from() {
    use std::os::unix::fs::{PermissionsExt, chown};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
    let change = |name: &str, mode| fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
    let key = Key::generate().unwrap();
    let secret = Secret::Key(&key);
    fs::write(at("plain"), "private").unwrap();
    change("plain", 0o600);
    seal_file(&at("plain"), &at("sealed"), Existing::Keep, secret, &Options::default()).unwrap();
    assert_eq!(mode("sealed"), 0o600);
    // What the umask takes of a new file, it takes here, too.
    fs::write(at("new"), "").unwrap();
    let umask = 0o666 & !mode("new");
    for (given, expected) in [(0o600, 0o600), (0o440, 0o440), (0o4755, 0o755 & !umask), (0o666, 0o666 & !umask)] {
        change("sealed", given);
        open_file(&at("sealed"), &at("opened"), Existing::Keep, secret).unwrap();
        assert_eq!(mode("opened"), expected);
        fs::remove_file(at("opened")).unwrap();
    }

    // What is replaced decides; its set-user-ID bit is not for another content.
    fs::write(at("opened"), "old").unwrap();
    change("opened", 0o4755);
    open_file(&at("sealed"), &at("opened"), Existing::Replace, secret).unwrap();
    assert_eq!(mode("opened"), 0o755);

    NewFile::create(&at("private"), Existing::Keep, Access::Private).unwrap().finish().unwrap();
    assert_eq!(mode("private"), 0o600);

    // Only root can give a file to a group that it is not in.
    if chown(at("opened"), None, Some(12345)).is_ok() {
        change("opened", 0o664);
        open_file(&at("sealed"), &at("opened"), Existing::Replace, secret).unwrap();
        assert_eq!(mode("opened"), 0o604);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_too_long_is_refused_before_the_first_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long");
    // Not every file system has files of such a length, even if nothing is in them.
    if fs::File::create(&path).unwrap().set_len(MAX_LENGTH + 1).is_err() {
        println!("skipped: no file can be so long here");
        return;
    }
    let key = Key::generate().unwrap();
    let to = folder.path().join("sealed");
    let error = seal_file(&path, &to, Existing::Keep, Secret::Key(&key), &Options::default()).unwrap_err();
    assert!(matches!(error, Error::TooLong), "{error:?}");
    assert_eq!(names(folder.path()), ["long"]);
}

#[test]
fn keys_as_text() {
    let key = Key::from_bytes(&std::array::from_fn(|i| i as u8 * 3));
    let text = key.to_text();
    assert!(text.starts_with("fairlane key 1\n00030609"), "{}", *text);
    assert_eq!(text.len(), 15 + 129);
    let parse = |text: &str| text.parse::<Key>().map(|key| *key.as_bytes());
    assert_eq!(parse(&text), Ok(*key.as_bytes()));
    let digits = text.lines().last().unwrap();
    for right in [
        format!("fairlane key 1\r\n{digits}\r\n"),
        format!("fairlane key 1\n{digits}"),
        format!("fairlane key 1\n{}\n\n", digits.to_uppercase()),
    ] {
        assert_eq!(parse(&right), Ok(*key.as_bytes()));
    }
    for (wrong, error) in [
        ("", KeyError::NotAKey),
        ("fairlane", KeyError::NotAKey),
        (digits, KeyError::NotAKey),
        ("fairlane key ", KeyError::UnknownVersion),
        (&format!("fairlane key 2\n{digits}\n"), KeyError::UnknownVersion),
        ("fairlane key 1", KeyError::Length(0)),
        ("fairlane key 1\n", KeyError::Length(0)),
        (&format!("fairlane key 1\n{}\n", &digits[1..]), KeyError::Length(127)),
        (&format!("fairlane key 1\n{digits}0\n"), KeyError::Length(129)),
        (&format!("fairlane key 1\n{digits}\n{digits}\n"), KeyError::Length(257)),
        (&format!("fairlane key 1\ng{}\n", &digits[1..]), KeyError::NotHexadecimal),
        (&format!("fairlane key 1\nö{}\n", &digits[2..]), KeyError::NotHexadecimal),
    ] {
        assert_eq!(parse(wrong), Err(error), "{wrong}");
        assert!(!error.to_string().contains(&digits[..8]));
    }
    assert_eq!(format!("{key:?} {:?}", Secret::Passphrase(b"hush")), "Key(..) Secret::Passphrase(..)");
}

#[test]
fn costs_and_algorithms_as_text() {
    let cost = PassphraseCost::default();
    assert_eq!(cost.to_string(), "m=65536,t=3,p=4");
    assert_eq!(cost.to_string().parse(), Ok(cost));
    for (memory, passes, lanes) in [(8, 1, 1), (2040, 1, 255), (1 << 21, 2, 1), (1 << 12, 1 << 10, 4)] {
        assert!(PassphraseCost::new(memory, passes, lanes).is_ok());
    }
    for (memory, passes, lanes) in [
        (7, 1, 1),
        (8, 0, 1),
        (8, 1, 0),
        (2039, 1, 255),
        ((1 << 21) + 1, 1, 1),
        (1 << 21, 3, 1),
        (u32::MAX, u32::MAX, 255),
    ] {
        assert!(matches!(PassphraseCost::new(memory, passes, lanes), Err(Error::BadCost(..))));
    }
    for wrong in ["", "m=64", "m=64,t=1", "t=1,m=64,p=1", "m=64,t=1,p=1,", "m=-1,t=1,p=1", "m=,t=1,p=1"] {
        assert!(wrong.parse::<PassphraseCost>().unwrap_err().to_string().contains("form m="), "{wrong}");
    }
    for outside in ["m=1,t=1,p=1", "m=4096,t=1,p=256", "m=99999999999999999999,t=1,p=1"] {
        assert!(outside.parse::<PassphraseCost>().unwrap_err().to_string().contains("limits"), "{outside}");
    }
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string().parse(), Ok(*algorithm));
    }
    assert!("rot13".parse::<Algorithm>().unwrap_err().to_string().contains("kusumi512-poly1305"));
    assert_eq!(Algorithm::ALL.iter().filter(|algorithm| !algorithm.reviewed()).count(), 1);
    assert!(Algorithm::default().reviewed());
}
