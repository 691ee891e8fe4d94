//! The header says what the library is: each function with its types, each status, each name and size.
//!
//! `FAIRLANE_BLESS=1 cargo test -p fairlane-capi --test header` writes the parts of the header that are generated.

use fairlane::dynamic::{AeadAlgorithm, BlockModeAlgorithm, CipherAlgorithm, HashAlgorithm, KemAlgorithm};
use fairlane_capi::status::Status;
use fairlane_capi::{ALIGNMENT, aead, block_mode, cipher, hash};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn header() -> String {
    fs::read_to_string(file("include/fairlane.h")).unwrap()
}

/// `authentication`, or `OTHER_ALGORITHM`, of `OtherAlgorithm`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.push(c.to_ascii_uppercase());
    }
    words
}

fn statuses() -> String {
    let mut lines = String::new();
    for &(status, name, message) in Status::ALL {
        let constant = if status == Status::Ok { "OK".into() } else { format!("ERROR_{}", words(name)) };
        let comma = if status == Status::ALL.last().unwrap().0 { ' ' } else { ',' };
        let line = format!("    FAIRLANE_{constant} = {}{comma} /* {message} */", status as i32);
        writeln!(lines, "{line}").unwrap();
    }
    lines
}

/// The constant of a name such as `sha3-256`.
fn constant(name: &str) -> String {
    format!("FAIRLANE_{}", name.replace('-', "_").to_uppercase())
}

fn names_and_sizes() -> String {
    let mut lines = String::new();
    let mut add = |name: &str, description: &str, sizes: &[(&str, usize)]| {
        let constant = constant(name);
        writeln!(lines, "\n/* {} */\n#define {constant} \"{name}\"", description.trim()).unwrap();
        for (what, size) in sizes {
            writeln!(lines, "#define {constant}_{what}SIZE {size}").unwrap();
        }
    };
    for hash in HashAlgorithm::ALL {
        add(hash.name(), hash.description(), &[("", hash.default_output_size()), ("BLOCK_", hash.block_size())]);
    }
    for aead in AeadAlgorithm::ALL {
        let sizes = [("KEY_", aead.key_size()), ("NONCE_", aead.nonce_size()), ("TAG_", aead.tag_size())];
        add(aead.name(), aead.description(), &sizes);
    }
    for cipher in CipherAlgorithm::ALL {
        add(cipher.name(), cipher.description(), &[("KEY_", cipher.key_size()), ("NONCE_", cipher.iv_size())]);
    }
    for mode in BlockModeAlgorithm::ALL {
        let sizes = [("KEY_", mode.key_size()), ("IV_", mode.iv_size()), ("BLOCK_", mode.block_size())];
        add(mode.name(), mode.description(), &sizes);
    }
    for kem in KemAlgorithm::ALL {
        let sizes = [
            ("ENCAPSULATION_KEY_", kem.encapsulation_key_size()),
            ("DECAPSULATION_KEY_", kem.expanded_size()),
            ("CIPHERTEXT_", kem.ciphertext_size()),
            ("SEEDS_", kem.seeds_size()),
            ("RANDOMNESS_", kem.randomness_size()),
        ];
        add(kem.name(), kem.description(), &sizes);
    }
    lines
}

#[test]
fn generated_parts_are_up_to_date() {
    let mut text = header();
    for (part, expected) in [("statuses", statuses()), ("names and sizes", names_and_sizes())] {
        let begin = text.find(&format!("/* BEGIN {part}")).unwrap();
        let start = begin + text[begin..].find('\n').unwrap() + 1;
        let end = start + text[start..].find(&format!("/* END {part}")).unwrap();
        // The indentation of the end.
        let end = text[..end].rfind('\n').unwrap() + 1;
        if std::env::var_os("FAIRLANE_BLESS").is_some() {
            text.replace_range(start..end, &expected);
        } else {
            assert_eq!(text[start..end], expected, "run this test with FAIRLANE_BLESS=1");
        }
    }
    if std::env::var_os("FAIRLANE_BLESS").is_some() {
        fs::write(file("include/fairlane.h"), text).unwrap();
    }
    let rooms = [
        ("HASHER", hash::HASHER_SIZE),
        ("AEAD", aead::AEAD_SIZE),
        ("CIPHER", cipher::CIPHER_SIZE),
        ("BLOCK_MODE", block_mode::BLOCK_MODE_SIZE),
    ];
    for (kind, size) in rooms {
        for (what, bytes) in [("SIZE", size), ("ALIGNMENT", ALIGNMENT)] {
            let constant = format!("#define FAIRLANE_{kind}_{what} {bytes}\n");
            assert!(header().contains(&constant), "{constant}");
        }
    }
    let version = format!("#define FAIRLANE_VERSION \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(header().contains(&version), "{version}");
    let constants: Vec<_> = header().lines().filter_map(|l| l.strip_prefix("#define ")).map(str::to_owned).collect();
    let names: BTreeSet<_> = constants.iter().map(|line| line.split(' ').next()).collect();
    assert_eq!(names.len(), constants.len(), "two constants have one name");
}

/// A type of Rust in C; parameters' names are not compared.
fn in_c(rust: &str) -> String {
    if let Some(to) = rust.strip_prefix("*const ") {
        return match to.strip_prefix("*mut ") {
            Some(inner) => format!("{} *const *", in_c(inner)),
            None => format!("const {} *", in_c(to)),
        };
    }
    if let Some(to) = rust.strip_prefix("*mut ") {
        let to = in_c(to);
        return if to.ends_with('*') { format!("{to}*") } else { format!("{to} *") };
    }
    match rust {
        "c_char" => "char".into(),
        "c_void" => "void".into(),
        "usize" => "size_t".into(),
        "bool" => "bool".into(),
        "u8" | "u64" | "i32" => format!("{}int{}_t", if rust == "i32" { "" } else { "u" }, &rust[1..]),
        "Status" => "fairlane_status".into(),
        "" => "void".into(),
        object => format!("fairlane{}", words(&format!("X{object}"))[1..].to_lowercase()),
    }
}

/// Each exported function and its types in C, the result first, from the sources. Those that macros define have the
/// types of their macro.
fn exported() -> BTreeMap<String, Vec<String>> {
    let mut functions = BTreeMap::new();
    for source in fs::read_dir(file("src")).unwrap() {
        let text = fs::read_to_string(source.unwrap().path()).unwrap();
        let mut of_macros = Vec::new();
        for part in text.split("extern \"C\" fn ").skip(1) {
            let (name, rest) = part.split_once('(').unwrap();
            let (parameters, rest) = rest.split_once(')').unwrap();
            let result = rest.split_once('{').unwrap().0.trim().trim_start_matches("->").trim();
            let parameters = parameters.split(',').map(str::trim).filter(|p| !p.is_empty());
            let types = parameters.map(|p| p.split_once(": ").unwrap().1);
            let types: Vec<_> = [result].into_iter().chain(types).map(in_c).collect();
            if name == "$function" {
                of_macros.push(types);
            } else {
                functions.insert(name.to_owned(), types);
            }
        }
        // Uses of the macros `names` and `sizes`, in this order.
        for (uses, types) in ["\nnames! {", "\nsizes! {"].iter().zip(of_macros) {
            let block = text.split_once(uses).unwrap().1.split_once("\n}").unwrap().0;
            for line in block.lines().filter(|line| line.trim().starts_with("fairlane_")) {
                functions.insert(line.trim().split(',').next().unwrap().to_owned(), types.clone());
            }
        }
    }
    functions
}

/// Each function of the header and its types, the result first.
fn declared() -> BTreeMap<String, Vec<String>> {
    let mut text = header();
    while let Some(start) = text.find("/*") {
        let end = start + text[start..].find("*/").unwrap() + 2;
        text.replace_range(start..end, "");
    }
    let code: String = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
    let mut functions = BTreeMap::new();
    for statement in code.split(';').filter(|statement| statement.contains('(')) {
        // What precedes is the end of a struct or the language's linkage.
        let statement = statement.rsplit(['}', '{']).next().unwrap().trim();
        let (head, parameters) = statement.split_once('(').unwrap();
        let parameters = parameters.strip_suffix(')').unwrap().split(',').map(str::trim).filter(|p| *p != "void");
        let [result, name] = split_name(head);
        let types = parameters.map(|parameter| split_name(parameter)[0].clone());
        functions.insert(name, [result].into_iter().chain(types).collect());
    }
    functions
}

/// `const char *name` as type and name.
fn split_name(declaration: &str) -> [String; 2] {
    let at = declaration.rfind([' ', '*']).unwrap() + 1;
    let spaces: Vec<_> = declaration[..at].split_whitespace().collect();
    [spaces.join(" "), declaration[at..].to_owned()]
}

#[test]
fn functions_are_those_of_the_library() {
    let (exported, declared) = (exported(), declared());
    assert!(exported.len() > 50);
    for (name, types) in &exported {
        assert_eq!(declared.get(name), Some(types), "{name}: first the header, then the library");
    }
    assert_eq!(exported.len(), declared.len());
}

/// The committed list of exported symbols. To remove one, or to change its types, breaks programs.
#[test]
fn symbols_are_recorded() {
    let expected: String = exported().into_iter().fold(String::new(), |mut lines, (name, types)| {
        writeln!(lines, "{name}: {}", types.join(", ")).unwrap();
        lines
    });
    if std::env::var_os("FAIRLANE_BLESS").is_some() {
        fs::write(file("abi/symbols"), &expected).unwrap();
    }
    assert_eq!(fs::read_to_string(file("abi/symbols")).unwrap(), expected, "run this test with FAIRLANE_BLESS=1");
}
