//! Every known answer in `vectors/`, against the reference.

#[path = "../../../vectors/loader.rs"]
mod vectors;

use fairlane_reference::keccak::*;

#[test]
fn keccak() {
    for case in vectors::load("keccak.json") {
        match case.function.as_str() {
            "keccak224" => case.check(&keccak224(&case.message)),
            "keccak256" => case.check(&keccak256(&case.message)),
            "keccak384" => case.check(&keccak384(&case.message)),
            "keccak512" => case.check(&keccak512(&case.message)),
            other => panic!("unknown function {other}"),
        }
    }
}

#[test]
fn sha3() {
    for case in vectors::load("sha3.json") {
        match case.function.as_str() {
            "sha3-224" => case.check(&sha3_224(&case.message)),
            "sha3-256" => case.check(&sha3_256(&case.message)),
            "sha3-384" => case.check(&sha3_384(&case.message)),
            "sha3-512" => case.check(&sha3_512(&case.message)),
            other => panic!("unknown function {other}"),
        }
    }
}

#[test]
fn shake() {
    for case in vectors::load("shake.json") {
        case.check_xof(|output| match case.function.as_str() {
            "shake128" => shake128(&case.message, output),
            "shake256" => shake256(&case.message, output),
            other => panic!("unknown function {other}"),
        });
    }
}

#[test]
fn cshake() {
    for case in vectors::load("cshake.json") {
        case.check_xof(|output| match case.function.as_str() {
            "cshake128" => cshake128(&case.message, &case.name, &case.customization, output),
            "cshake256" => cshake256(&case.message, &case.name, &case.customization, output),
            other => panic!("unknown function {other}"),
        });
    }
}

#[test]
fn turboshake() {
    for case in vectors::load("turboshake.json") {
        case.check_xof(|output| match case.function.as_str() {
            "turboshake128" => turboshake128(&case.message, case.domain, output),
            "turboshake256" => turboshake256(&case.message, case.domain, output),
            other => panic!("unknown function {other}"),
        });
    }
}

#[test]
fn kangaroo_twelve() {
    for case in vectors::load("kt128.json") {
        case.check_xof(|output| kt128(&case.message, &case.customization, output));
    }
    for case in vectors::load("kt256.json") {
        case.check_xof(|output| kt256(&case.message, &case.customization, output));
    }
}
