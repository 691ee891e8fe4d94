//! `fairlane kem`, and `encrypt` and `decrypt` with its keys: every KEM, every form of a key, refusals and images.

mod common;

use common::{code, fairlane, feed, folder, refused, run, stderr, stdout};
use png::{BitDepth, ColorType, Encoder};
use std::fs;
use std::path::Path;

/// Each KEM with the sizes in bytes of its encapsulation key and its ciphertext.
const KEMS: &[(&str, usize, usize)] = &[
    ("ml-kem-512", 800, 768),
    ("ml-kem-768", 1184, 1088),
    ("ml-kem-1024", 1568, 1568),
    ("x-wing", 1216, 1120),
    ("clwe-512", 800, 992),
    ("clwe-768", 1184, 1376),
    ("clwe-1024", 1568, 1760),
];

#[track_caller]
fn ok(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!((code(&output), stderr(&output).as_str()), (0, ""), "{args:?}");
    stdout(&output)
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// A folder with the key pair `me` and `me.pub` of ML-KEM-768.
fn prepared() -> tempfile::TempDir {
    let folder = folder();
    assert_eq!(ok(folder.path(), &["kem", "keygen", "me", "--algo", "ml-kem-768"]), "");
    folder
}

fn write_private(path: &Path, text: impl AsRef<[u8]>) {
    fs::write(path, text).unwrap();
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

#[test]
fn both_sides_get_the_same_secret() {
    for &(kem, key, ciphertext) in KEMS {
        let folder = folder();
        let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
        ok(folder.path(), &["kem", "keygen", "--algo", kem, "me", "--experimental"]);
        for form in ["--png", "--raw"] {
            ok(folder.path(), &["kem", "export", "me.pub", form, "-o", &format!("me{form}")]);
        }
        assert_eq!(read("me--raw").len(), key);
        for key in ["me.pub", "me--png", "me--raw"] {
            ok(folder.path(), &["kem", "encaps", "--algo", kem, key, "-o", "sent", "-s", "kept"]);
            assert_eq!((read("sent").len(), read("kept").len()), (ciphertext, 32));
            ok(folder.path(), &["kem", "decaps", "me", "sent", "-o", "got", "--algo", kem]);
            assert_eq!(read("got"), read("kept"));
            // Implicit rejection: another secret, the same each time, and no error.
            let mut changed = read("sent");
            changed[ciphertext / 2] ^= 1;
            fs::write(folder.path().join("sent"), changed).unwrap();
            ok(folder.path(), &["kem", "decaps", "me", "sent", "-o", "got", "--force"]);
            let rejected = ok(folder.path(), &["kem", "decaps", "me", "sent", "-o", "-"]);
            assert!(read("got") != read("kept") && String::from_utf8_lossy(&read("got")) == rejected);
            let piped = feed(fairlane(folder.path()).args(["kem", "decaps", "me", "-", "-o", "-"]), &read("sent"));
            assert_eq!((code(&piped), stderr(&piped).as_str()), (0, ""));
            assert!(piped.stdout == read("got"));
            for name in ["sent", "kept", "got"] {
                fs::remove_file(folder.path().join(name)).unwrap();
            }
        }
    }
}

#[test]
fn every_form_of_a_key_is_the_same_key() {
    for &(kem, ..) in KEMS {
        let folder = folder();
        ok(folder.path(), &["kem", "keygen", "-a", kem, "me", "--png", "--experimental"]);
        assert_eq!(names(folder.path()), ["me", "me.png"]);
        let text = ok(folder.path(), &["kem", "export", "-i", "me"]);
        assert!(text.starts_with(&format!("fairlane recipient 1\n{kem}\n")), "{text}");
        assert_eq!(ok(folder.path(), &["kem", "export", "me.png"]), text);
        ok(folder.path(), &["kem", "export", "me.png", "--raw", "-o", "raw"]);
        assert_eq!(ok(folder.path(), &["kem", "export", "raw", "--algo", kem]), text);
        ok(folder.path(), &["kem", "export", "-i", "me", "--png", "-o", "again"]);
        assert_eq!(fs::read(folder.path().join("again")).unwrap(), fs::read(folder.path().join("me.png")).unwrap());
        let shown = ok(folder.path(), &["kem", "show", "me.png"]);
        assert_eq!(shown, ok(folder.path(), &["kem", "show", "-i", "me"]));
        // The last line of the text is the fingerprint.
        assert!(shown.starts_with(kem) && shown.contains(text.lines().last().unwrap()), "{shown}");
    }
}

#[test]
fn files_are_sealed_to_keys() {
    for &(kem, _, ciphertext) in KEMS {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        let text = b"0123456789".repeat(20_000);
        fs::write(at("text"), &text).unwrap();
        ok(folder.path(), &["kem", "keygen", "--algo", kem, "me", "--experimental"]);
        ok(folder.path(), &["kem", "export", "me.pub", "--png", "-o", "me.png"]);
        for key in ["me.pub", "me.png"] {
            ok(folder.path(), &["encrypt", "--experimental", "--recipient", key, "text"]);
            let stanza = 1 + ciphertext + 48;
            assert_eq!(fs::read(at("text.sealed")).unwrap().len(), 84 + stanza + text.len() + 4 * 16);
            ok(folder.path(), &["decrypt", "--experimental", "--identity", "me", "text.sealed", "-o", "again"]);
            assert!(fs::read(at("again")).unwrap() == text);
            fs::remove_file(at("text.sealed")).unwrap();
            fs::remove_file(at("again")).unwrap();
        }
        let sealed = feed(fairlane(folder.path()).args(["encrypt", "-r", "me.pub", "--experimental"]), b"piped");
        let open = ["decrypt", "-i", "me", "--experimental"];
        assert_eq!(feed(fairlane(folder.path()).args(open), &sealed.stdout).stdout, b"piped");
    }
}

#[test]
fn a_new_key_is_of_x_wing() {
    let folder = folder();
    ok(folder.path(), &["kem", "keygen", "me"]);
    let identity = fs::read_to_string(folder.path().join("me")).unwrap();
    assert!(identity.starts_with("fairlane identity 1\nx-wing\n") && identity.lines().count() == 4, "{identity}");
    assert!(ok(folder.path(), &["kem", "show", "me.pub"]).starts_with("x-wing, 1216 bytes\n"));
    // Bare bytes and images that do not name their KEM are known by their size.
    ok(folder.path(), &["kem", "export", "me.pub", "--raw", "-o", "raw"]);
    assert_eq!(ok(folder.path(), &["kem", "show", "raw"]), ok(folder.path(), &["kem", "show", "me.pub"]));
    let raw = fs::read(folder.path().join("raw")).unwrap();
    let mut pixels = vec![0; 48 * 9 * 3];
    for (at, byte) in raw.iter().enumerate() {
        // Tiles of 16 x 8 pixels, and the rest below them.
        let place = if at < 1152 { at % 384 / 48 * 144 + at / 384 * 48 + at % 48 } else { at };
        pixels[place] = *byte;
    }
    fs::write(folder.path().join("bare.png"), png((48, 9), ColorType::Rgb, BitDepth::Eight, &pixels, "")).unwrap();
    assert_eq!(ok(folder.path(), &["kem", "show", "bare.png"]), ok(folder.path(), &["kem", "show", "me.pub"]));
    fs::write(folder.path().join("text"), "hello").unwrap();
    ok(folder.path(), &["encrypt", "-r", "bare.png", "text"]);
    assert_eq!(ok(folder.path(), &["decrypt", "-i", "me", "text.sealed", "-o", "-"]), "hello");
}

#[test]
fn each_of_several_recipients_opens() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    for (name, kem) in [("a", "x-wing"), ("b", "x-wing"), ("c", "ml-kem-768"), ("d", "x-wing"), ("e", "ml-kem-512")] {
        ok(folder.path(), &["kem", "keygen", name, "--algo", kem]);
    }
    fs::write(at("text"), "for three").unwrap();
    ok(folder.path(), &["encrypt", "-r", "a.pub", "-r", "b.pub", "--recipient", "c.pub", "text"]);
    for name in ["a", "b", "c"] {
        assert_eq!(ok(folder.path(), &["decrypt", "-i", name, "text.sealed", "-o", "-"]), "for three");
    }
    refused(&run(folder.path(), ["decrypt", "-i", "d", "text.sealed", "-f"]), 1, &["text.sealed", "wrong identity"]);
    refused(&run(folder.path(), ["decrypt", "-i", "e", "text.sealed", "-f"]), 1, &["x-wing", "ml-kem-512"]);
    refused(
        &run(folder.path(), ["encrypt", "-r", "a.pub", "-r", "b.pub", "text", "-o", "b.pub", "-f"]),
        2,
        &["b.pub", "a recipient's key"],
    );
    let mut many = vec!["encrypt", "text", "-o", "many"];
    many.extend(["-r", "a.pub"].repeat(64));
    ok(folder.path(), &many);
    many.extend(["-r", "b.pub"]);
    refused(&run(folder.path(), &many), 2, &["65 times", "at most 64"]);
    // A header that was changed anywhere opens for nobody.
    let file = fs::read(at("text.sealed")).unwrap();
    for place in [9, 11, 15, 30, 60, 84, 700, 84 + 1169, file.len() - 30] {
        let mut damaged = file.clone();
        damaged[place] ^= 1;
        fs::write(at("damaged.sealed"), damaged).unwrap();
        let output = run(folder.path(), ["decrypt", "-i", "a", "damaged.sealed"]);
        assert_eq!((code(&output), at("damaged").exists()), (1, false), "byte {place}: {}", stderr(&output));
    }
}

#[test]
fn experimental_ones_need_the_flag() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let why = "has not been analysed by anyone but its authors";
    refused(
        &run(folder.path(), ["kem", "keygen", "me", "--algo", "clwe-768"]),
        2,
        &["clwe-768", why, "--experimental"],
    );
    assert_eq!(names(folder.path()), [""; 0]);
    ok(folder.path(), &["kem", "keygen", "me", "--algo", "clwe-768", "--experimental"]);
    ok(folder.path(), &["kem", "keygen", "safe"]);
    fs::write(at("text"), "text").unwrap();
    let words = &["me.pub: clwe-768", why, "--experimental"];
    refused(&run(folder.path(), ["encrypt", "-r", "safe.pub", "-r", "me.pub", "text"]), 2, words);
    let words = &["kusumi512-poly1305", why, "--experimental"];
    let kusumi = ["encrypt", "-r", "safe.pub", "text", "--algo", "kusumi512-poly1305", "-o", "kusumi.sealed"];
    refused(&run(folder.path(), kusumi), 2, words);
    ok(folder.path(), &[&kusumi[..], &["--experimental"]].concat());
    refused(&run(folder.path(), ["decrypt", "-i", "safe", "kusumi.sealed"]), 2, words);
    ok(folder.path(), &["decrypt", "-i", "safe", "kusumi.sealed", "--experimental"]);
}

#[test]
fn files_of_an_older_version_open() {
    let folder = folder();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/old");
    for name in ["ml-kem-768.identity", "clwe-768.identity", "passphrase"] {
        write_private(&folder.path().join(name), fs::read(old.join(name)).unwrap());
    }
    let path = |name: &str| old.join(name).to_str().unwrap().to_owned();
    for (file, option, secret, experimental) in [
        ("ml-kem-768.sealed", "-i", "ml-kem-768.identity", false),
        ("passphrase.sealed", "--passphrase-file", "passphrase", false),
        ("clwe-768.sealed", "-i", "clwe-768.identity", true),
        ("kusumi512.sealed", "-i", "ml-kem-768.identity", true),
    ] {
        let file = path(file);
        let mut args = vec!["decrypt", option, secret, &*file, "-o", "-"];
        if experimental {
            refused(&run(folder.path(), &args), 2, &["--experimental"]);
            args.push("--experimental");
        }
        assert_eq!(ok(folder.path(), &args), "a file of an older fairlane\n");
    }
}

/// A PNG of these pixels.
fn png(size: (u32, u32), color: ColorType, depth: BitDepth, pixels: &[u8], kem: &str) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, size.0, size.1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if !kem.is_empty() {
        encoder.add_text_chunk("KEM".to_owned(), kem.to_owned()).unwrap();
    }
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    file
}

#[test]
fn images_that_are_refused() {
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    ok(folder.path(), &["kem", "export", "me.pub", "--png", "-o", "me.png"]);
    let file = fs::read(at("me.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
    let mut pixels = vec![0; 48 * 9 * 3];
    reader.next_frame(&mut pixels).unwrap();
    let rgb = |size, pixels: &[u8], kem| png(size, ColorType::Rgb, BitDepth::Eight, pixels, kem);
    let with = |at: usize, byte, kem| {
        let mut pixels = pixels.clone();
        pixels[at] = byte;
        rgb((48, 9), &pixels, kem)
    };
    let mut damaged = file.clone();
    damaged[file.len() - 100] ^= 1;
    // An image that names no KEM is taken as a key of ML-KEM.
    fs::write(at("bare.png"), rgb((48, 9), &pixels, "")).unwrap();
    assert_eq!(ok(folder.path(), &["kem", "show", "bare.png"]), ok(folder.path(), &["kem", "show", "me.pub"]));
    assert!(ok(folder.path(), &["kem", "show", "bare.png", "--algo", "clwe-768"]).starts_with("clwe-768"));
    for (wrong, words) in [
        (rgb((9, 48), &pixels, ""), &["9 x 48 pixels", "32, 48 or 64 x 9"][..]),
        (rgb((48, 8), &pixels[..48 * 8 * 3], ""), &["48 x 8 pixels"]),
        (rgb((16, 9), &pixels[..16 * 9 * 3], ""), &["16 x 9 pixels"]),
        (rgb((80, 9), &vec![0; 80 * 9 * 3], ""), &["80 x 9 pixels"]),
        (rgb((49, 9), &vec![0; 49 * 9 * 3], ""), &["49 x 9 pixels"]),
        (png((48, 9), ColorType::Rgba, BitDepth::Eight, &[255; 48 * 9 * 4], ""), &["Rgba of 8 bits", "RGB"]),
        (png((48, 9), ColorType::Rgb, BitDepth::Sixteen, &[0; 48 * 9 * 6], ""), &["Rgb of 16 bits"]),
        (png((48, 9), ColorType::Grayscale, BitDepth::Eight, &[0; 48 * 9], ""), &["Grayscale of 8 bits"]),
        // The last row ends with 112 bytes of zeros, or 80 after a key of X25519.
        (with(48 * 8 * 3 + 32, 1, "ml-kem-768"), &["does not end with zeros"]),
        (with(48 * 8 * 3 + 64, 1, "x-wing"), &["does not end with zeros"]),
        (with(48 * 8 * 3 + 64, 1, ""), &["does not end with zeros"]),
        (with(48 * 9 * 3 - 1, 1, ""), &["does not end with zeros"]),
        (rgb((48, 9), &[&[255; 3], &pixels[3..]].concat(), ""), &["not below 3329"]),
        (rgb((48, 9), &pixels, "ml-kem-1024"), &["1184 bytes of key", "1568", "ml-kem-1024"]),
        (rgb((48, 9), &pixels, "rot13"), &["newer fairlane"]),
        (damaged, &["damaged PNG"]),
        (file[..file.len() / 2].to_vec(), &["damaged PNG"]),
        (file[..8].to_vec(), &["damaged PNG"]),
    ] {
        fs::write(at("wrong.png"), wrong).unwrap();
        for args in [
            &["kem", "show", "wrong.png"][..],
            &["encrypt", "--recipient", "wrong.png", "me.pub"],
            &["kem", "encaps", "wrong.png", "-o", "sent", "-s", "kept"],
        ] {
            refused(&run(folder.path(), args), 1, &[&["wrong.png"], words].concat());
        }
    }
    assert_eq!(names(folder.path()), ["bare.png", "me", "me.png", "me.pub", "wrong.png"]);
}

#[test]
fn what_is_refused() {
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    ok(folder.path(), &["kem", "keygen", "other", "--algo", "ml-kem-768"]);
    ok(folder.path(), &["kem", "keygen", "clwe", "--algo", "clwe-768", "--experimental"]);
    ok(folder.path(), &["keygen", "key"]);
    fs::write(at("text"), "a text").unwrap();
    write_private(&at("pass"), "hush\n");
    ok(folder.path(), &["encrypt", "-r", "me.pub", "text"]);
    ok(folder.path(), &["encrypt", "-k", "key", "text", "-o", "by-key.sealed"]);
    let quick = ["--passphrase-file", "pass", "--argon2", "m=8192,t=1,p=1"];
    ok(folder.path(), &[&["encrypt", "text", "-o", "by-pass.sealed"], &quick[..]].concat());
    ok(folder.path(), &["kem", "encaps", "me.pub", "-o", "sent", "-s", "kept"]);
    ok(folder.path(), &["kem", "export", "me.pub", "--raw", "-o", "raw"]);
    ok(folder.path(), &["kem", "export", "me.pub", "--png", "-o", "public.png"]);
    let raw = fs::read(at("raw")).unwrap();
    fs::write(at("short"), &raw[1..]).unwrap();
    fs::write(at("large"), [&[0xff; 2], &raw[2..]].concat()).unwrap();
    fs::write(at("cut"), &fs::read(at("sent")).unwrap()[1..]).unwrap();
    fs::write(at("long"), vec![0; (1 << 20) + 1]).unwrap();
    let text = fs::read_to_string(at("me")).unwrap();
    // Another digit on the third line.
    let flipped = |text: &str| {
        let other = if &text[50..51] == "0" { "1" } else { "0" };
        [&text[..50], other, &text[51..]].concat()
    };
    write_private(&at("damaged"), flipped(&text));
    write_private(&at("halved"), &text[..100]);
    fs::write(at("damaged.pub"), flipped(&fs::read_to_string(at("me.pub")).unwrap())).unwrap();
    let before = names(folder.path());
    let cases: &[(&[&str], i32, &[&str])] = &[
        // The wrong key pair, KEM or kind of secret.
        (&["decrypt", "-i", "other", "text.sealed", "-f"], 1, &["text.sealed", "wrong identity"]),
        (&["decrypt", "-i", "clwe", "text.sealed", "-f", "--experimental"], 1, &["ml-kem-768", "clwe-768"]),
        (&["decrypt", "-k", "key", "text.sealed", "-f"], 2, &["text.sealed", "--identity"]),
        (&["decrypt", "text.sealed", "-f"], 2, &["text.sealed", "--identity"]),
        (&["decrypt", "-i", "me", "by-key.sealed"], 2, &["by-key.sealed", "--key"]),
        (&["decrypt", "-i", "me", "by-pass.sealed"], 2, &["by-pass.sealed", "passphrase", "--identity"]),
        (&["encrypt", "-r", "me.pub", "-k", "key", "text"], 2, &["--recipient", "--key"]),
        (&["encrypt", "-r", "me.pub", "--argon2", "m=8192,t=1,p=1", "text"], 2, &["--recipient", "--argon2"]),
        (&["decrypt", "-i", "me", "--passphrase-file", "pass", "text.sealed"], 2, &["--identity", "--passphrase-file"]),
        (&["kem", "decaps", "clwe", "sent", "-o", "got"], 1, &["sent", "1088 bytes", "1376", "clwe-768"]),
        (&["kem", "decaps", "me", "cut", "-o", "got"], 1, &["cut", "1087 bytes", "1088"]),
        (&["kem", "decaps", "me", "sent", "-o", "got", "--algo", "clwe-768"], 2, &["me", "ml-kem-768", "clwe-768"]),
        (&["kem", "show", "me.pub", "--algo", "clwe-768"], 2, &["me.pub", "ml-kem-768", "clwe-768"]),
        // Files that are not keys.
        (&["kem", "show", "short"], 1, &["short", "1183 bytes"]),
        (&["kem", "show", "short", "--algo", "clwe-768"], 1, &["short", "1183 bytes", "1184", "clwe-768"]),
        (&["kem", "show", "raw", "--algo", "ml-kem-512"], 1, &["raw", "1184 bytes", "800", "ml-kem-512"]),
        (&["kem", "show", "large"], 1, &["large", "not below 3329"]),
        (&["kem", "show", "long"], 1, &["long", "1048576 bytes"]),
        (&["kem", "show", "damaged.pub"], 1, &["damaged.pub", "damaged", "hash"]),
        (&["kem", "show", "me"], 2, &["me", "not an encapsulation key", "kem export -i me"]),
        (&["kem", "export", "me"], 2, &["me", "not an encapsulation key", "kem export -i me"]),
        (&["encrypt", "-r", "me", "text", "-f"], 2, &["me", "not an encapsulation key", "kem export -i me"]),
        (&["decrypt", "-i", "me.pub", "text.sealed", "-f"], 2, &["me.pub", "public key", "identity"]),
        (&["decrypt", "-i", "public.png", "text.sealed", "-f"], 2, &["public.png", "public key", "identity"]),
        (&["encrypt", "-k", "me.pub", "text", "-f"], 2, &["me.pub", "public key", "identity"]),
        (&["kem", "decaps", "me.pub", "sent", "-o", "got"], 2, &["me.pub", "public key", "identity"]),
        (&["kem", "show", "missing"], 1, &["missing", "No such file"]),
        (&["kem", "show", "."], 1, &["directory"]),
        (&["kem", "decaps", "damaged", "sent", "-o", "got"], 1, &["damaged", "hash"]),
        (&["kem", "decaps", "halved", "sent", "-o", "got"], 1, &["halved"]),
        (&["kem", "decaps", "key", "sent", "-o", "got"], 1, &["key", "not an identity"]),
        (&["decrypt", "-i", "me.png", "text.sealed", "-f"], 1, &["me.png", "No such file"]),
        (&["encrypt", "-k", "me", "text", "-f"], 1, &["me", "not a key"]),
        (&["kem", "decaps", "me", "long", "-o", "got"], 1, &["long", "1048576 bytes"]),
        // Misuse.
        (&["kem", "keygen", "me"], 2, &["me", "never overwritten"]),
        (&["kem", "keygen", "me", "--force"], 2, &["me", "never overwritten"]),
        (&["kem", "keygen", "-"], 2, &["standard output"]),
        (&["kem", "keygen", "new", "-o", "me.pub"], 2, &["me.pub", "--force"]),
        (&["kem", "keygen", "new", "-o", "new", "--force"], 2, &["new is the identity"]),
        (&["kem", "keygen", "new", "--png", "--raw"], 2, &["--png", "--raw"]),
        (&["kem", "keygen", "new", "--algo", "rot13"], 2, &["rot13", "ml-kem-768", "clwe-1024"]),
        (&["kem", "keygen", "new", "-o", "no/such"], 2, &["no/such"]),
        (&["kem", "encaps", "me.pub", "-o", "sent", "-s", "new"], 2, &["sent", "--force"]),
        (&["kem", "encaps", "me.pub", "-o", "new", "-s", "kept"], 2, &["kept", "--force"]),
        (&["kem", "encaps", "me.pub", "-o", "new", "-s", "new"], 2, &["new is the secret"]),
        (&["kem", "encaps", "me.pub", "-o", "-", "-s", "-"], 2, &["is the secret"]),
        (&["kem", "encaps", "me.pub", "-o", "./me.pub", "-s", "new", "-f"], 2, &["the encapsulation key"]),
        (&["kem", "encaps", "me.pub", "-s", "new"], 2, &["--output"]),
        (&["kem", "decaps", "me", "sent", "-o", "me", "-f"], 2, &["me is the identity"]),
        (&["kem", "decaps", "me", "sent", "-o", "kept"], 2, &["kept", "--force"]),
        (&["kem", "export", "-i", "me", "-o", "me", "-f"], 2, &["me is the identity"]),
        (&["kem", "export", "me.pub", "-o", "raw"], 2, &["raw", "--force"]),
        (&["kem", "show"], 2, &["<KEY>"]),
        (&["kem", "show", "me.pub", "-i", "me"], 2, &["--identity"]),
        (&["encrypt", "-r", "me.pub", "text", "-o", "me.pub", "-f"], 2, &["a recipient's key"]),
        (&["decrypt", "-i", "me", "text.sealed", "-o", "me", "-f"], 2, &["me is the identity"]),
    ];
    for (args, expected, words) in cases {
        refused(&run(folder.path(), *args), *expected, words);
        assert_eq!(names(folder.path()), before, "{args:?}");
    }
    assert_eq!(fs::read_to_string(at("me")).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn secrets_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = prepared();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    ok(folder.path(), &["kem", "encaps", "me.pub", "-o", "sent", "-s", "kept"]);
    ok(folder.path(), &["kem", "decaps", "me", "sent", "-o", "got"]);
    assert_eq!(["me", "kept", "got"].map(mode), [0o600; 3]);
    assert_ne!(mode("me.pub") & 0o044, 0, "an encapsulation key is for everybody, if the umask lets them");
    // The permissions of a replaced file do not apply to a secret.
    fs::set_permissions(at("got"), fs::Permissions::from_mode(0o644)).unwrap();
    ok(folder.path(), &["kem", "decaps", "me", "sent", "-o", "got", "--force"]);
    assert_eq!(mode("got"), 0o600);
    fs::set_permissions(at("me"), fs::Permissions::from_mode(0o640)).unwrap();
    for args in [
        &["kem", "decaps", "me", "sent", "-o", "new"][..],
        &["kem", "show", "-i", "me"],
        &["decrypt", "-i", "me", "text.sealed"],
    ] {
        if args[0] == "decrypt" {
            ok(folder.path(), &["encrypt", "-r", "me.pub", "me.pub", "-o", "text.sealed"]);
        }
        refused(&run(folder.path(), args), 1, &["me", "0640", "chmod 600"]);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    use std::process::{Command, Stdio};
    if common::interrupts_are_ignored() {
        return;
    }
    let folder = prepared();
    // The pipe for the secret has no reader, so the command waits after it has begun the ciphertext's file.
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    let before = names(folder.path());
    for signal in ["-INT", "-TERM", "-HUP"] {
        let mut command = fairlane(folder.path());
        let child = command.args(["kem", "encaps", "me.pub", "-o", "sent", "-s", "pipe"]).stderr(Stdio::piped());
        let child = child.spawn().unwrap();
        let begun = || names(folder.path()).iter().any(|name| name.ends_with(".part"));
        for _ in (0..1000).take_while(|_| !begun()) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(begun() && Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        refused(&child.wait_with_output().unwrap(), 130, &["interrupted"]);
        assert_eq!(names(folder.path()), before, "{signal}");
    }
}

#[test]
fn the_demonstration() {
    let folder = folder();
    for &(kem, key, ciphertext) in KEMS {
        let said = ok(folder.path(), &["kem", "demo", "--algo", kem]);
        let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in [kem, &format!("{key} bytes"), &format!("{ciphertext} bytes"), "fingerprint"] {
            assert!(words.contains(word), "{said}");
        }
        assert_eq!(said.matches("\n  the same ").count(), 2, "{said}");
        assert_eq!(said.matches("\n  another ").count(), 1, "{said}");
        assert_eq!(said.contains("use x-wing instead"), kem.starts_with("clwe"), "{said}");
        assert!(!said.contains('\x1b'), "no colours in a pipe");
        assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    }
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Runs the command on a terminal of its own with util-linux's `script`; `None` if that is not installed.
#[cfg(unix)]
fn on_a_terminal(folder: &Path, shell: &str, variables: [(&str, &str); 2]) -> Option<String> {
    use std::process::{Command, Stdio};
    let mut command = Command::new("script");
    command.current_dir(folder).env("FAIRLANE", env!("CARGO_BIN_EXE_fairlane")).env("SHELL", "/bin/sh").envs(variables);
    command.args(["--quiet", "--return", "--command", shell, "/dev/null"]).stdin(Stdio::null());
    match Command::new("script").arg("--version").output() {
        Ok(output) if output.stdout.starts_with(b"script from") => Some(stdout(&command.output().unwrap())),
        _ => {
            println!("skipped: no util-linux script here");
            None
        }
    }
}

#[cfg(unix)]
#[test]
fn colours_where_the_terminal_has_them() {
    let folder = prepared();
    ok(folder.path(), &["kem", "export", "me.pub", "--png", "-o", "me.png"]);
    for (shell, coloured) in [
        ("$FAIRLANE kem show me.png; echo code=$?", true),
        ("$FAIRLANE kem demo; echo code=$?", true),
        ("$FAIRLANE kem keygen new; echo code=$?; rm new new.pub", true),
        ("$FAIRLANE kem export me.pub; echo code=$?", false),
        ("$FAIRLANE kem show me.png > shown; echo code=$?", false),
    ] {
        for (variables, allowed) in [
            ([("COLORTERM", "truecolor"), ("NO_COLOR", "")], true),
            ([("COLORTERM", "24bit"), ("NO_COLOR", "")], true),
            ([("COLORTERM", "truecolor"), ("NO_COLOR", "1")], false),
            ([("COLORTERM", ""), ("NO_COLOR", "")], false),
        ] {
            let Some(text) = on_a_terminal(folder.path(), shell, variables) else { return };
            assert!(text.contains("code=0"), "{text}");
            assert_eq!(text.contains("\x1b[38;2;"), coloured && allowed, "{shell}, {variables:?}: {text}");
            assert_eq!(text.matches("\x1b[0m").count(), if coloured && allowed { 5 } else { 0 }, "{text}");
        }
    }
    let variables = [("COLORTERM", "truecolor"), ("NO_COLOR", "")];
    for shell in
        ["$FAIRLANE kem export me.pub --png; echo code=$?", "$FAIRLANE kem encaps me.pub -o new -s -; echo code=$?"]
    {
        let Some(text) = on_a_terminal(folder.path(), shell, variables) else { return };
        assert!(text.contains("not for a terminal") && text.contains("code=2"), "{text}");
    }
    assert!(!folder.path().join("new").exists());
}
