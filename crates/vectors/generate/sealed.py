#!/usr/bin/env python3
"""Writes sealed.json: sealed files, made as docs/sealed.md says, with none of fairlane's code.

    venv/bin/python crates/vectors/generate/sealed.py

needs what generate.py needs. HKDF, Argon2id and the AEAD of stanzas come from cryptography (OpenSSL), the other AEADs
from ciphers.py; what a KEM gives is known from ml_kem.json, clwe.json and x_wing.json.
"""

import hashlib
import json
import pathlib
import struct

import cryptography
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import ciphers

# Number in the header, bytes of key and nonce.
ALGORITHMS = {
    "xchacha20-poly1305": (1, 32, 24),
    "chacha20-poly1305": (2, 32, 12),
    "kusumi512-poly1305": (3, 64, 12),
}
# Number in the header.
KEMS = {"ml-kem-512": 1, "ml-kem-768": 2, "ml-kem-1024": 3, "clwe-512": 4, "clwe-768": 5, "clwe-1024": 6, "x-wing": 7}
# Files of these recipients alone are as older versions wrote them.
OLD_KEMS = list(KEMS)[:6]
CHUNK = 65536
SALT = bytes(range(100, 132))
KEY = bytes(range(64))
PASSPHRASE = "pässphrase"
FILE_KEY = bytes(range(200, 232))
COST = {"memory": 64, "passes": 2, "lanes": 4}


def kem_case(kem):
    """An answer that has everything: seeds, hash of the key, ciphertext and secret."""
    folder = pathlib.Path(__file__).parent.parent / "answers"
    names = ("ml_kem", "clwe", "x_wing")
    sources = [source for name in names for source in json.loads((folder / f"{name}.json").read_text())]
    cases = (case for source in sources for case in source["cases"])
    wanted = (case for case in cases if case["function"] == kem and "ciphertext" in case)
    return next(case for case in wanted if "d" in case or "seed" in case)


def identity(kem):
    case = kem_case(kem)
    return case["seed"] if kem == "x-wing" else case["d"] + case["z"]


def hash_of_key(case):
    """H(ek)."""
    return bytes.fromhex(case.get("ek_sha3_256") or hashlib.sha3_256(bytes.fromhex(case["ek"])).hexdigest())


def stanza(kem):
    """The file key for a recipient."""
    case = kem_case(kem)
    number, ciphertext = bytes([KEMS[kem]]), bytes.fromhex(case["ciphertext"])
    info = b"fairlane stanza 1" + number + hash_of_key(case) + ciphertext
    key = HKDF(SHA512(), 32, salt=SALT, info=info).derive(bytes.fromhex(case["secret"]))
    return number + ciphertext + ChaCha20Poly1305(key).encrypt(bytes(12), FILE_KEY, None)


def seal(algorithm, plaintext, cost=None, kem=None, kems=()):
    number, key_length, nonce_length = ALGORITHMS[algorithm]
    master, fields, ciphertext, context = KEY, struct.pack(">BBII", 0, 0, 0, 0), b"", b""
    if kem:
        case = kem_case(kem)
        fields = struct.pack(">BBII", 2, KEMS[kem], 0, 0)
        master, ciphertext = bytes.fromhex(case["secret"]), bytes.fromhex(case["ciphertext"])
        context = hash_of_key(case) + ciphertext
    if kems:
        fields = struct.pack(">BBII", 3, len(kems), 0, 0)
        master, ciphertext = FILE_KEY, b"".join(map(stanza, kems))
        context = ciphertext
    if cost:
        fields = struct.pack(">BBII", 1, cost["lanes"], cost["memory"], cost["passes"])
        master = Argon2id(
            salt=SALT, length=64, iterations=cost["passes"], lanes=cost["lanes"], memory_cost=cost["memory"]
        ).derive(PASSPHRASE.encode())
    info = b"fairseal" + bytes([1, number]) + fields
    length = 32 + key_length + nonce_length - 5
    derived = HKDF(SHA512(), length, salt=SALT, info=info + context).derive(master)
    check, key, prefix = derived[:32], derived[32 : 32 + key_length], derived[32 + key_length :]
    chunks = [plaintext[at : at + CHUNK] for at in range(0, len(plaintext), CHUNK)] or [b""]
    sealed = info + SALT + check + ciphertext
    for i, chunk in enumerate(chunks):
        nonce = prefix + struct.pack(">IB", i, i == len(chunks) - 1)
        case = {"function": algorithm, "key": key.hex(), "nonce": nonce.hex(), "plaintext": chunk.hex()}
        answer = ciphers.answer(case, bytes.fromhex)
        sealed += answer["ciphertext"] + answer["tag"]
    return sealed


def main():
    cases = []
    for algorithm in ALGORITHMS:
        for cost in (None, COST):
            for plaintext in (b"", b"a sealed file"):
                secret = {"passphrase": PASSPHRASE} if cost else {"key": KEY.hex()}
                sealed = seal(algorithm, plaintext, cost).hex()
                cases.append({"algorithm": algorithm} | secret | {"plaintext": plaintext.hex(), "sealed": sealed})
    algorithm, plaintext = "xchacha20-poly1305", b"a sealed file"
    for kem in OLD_KEMS:
        secret = {"kem": kem, "identity": identity(kem)}
        sealed = seal(algorithm, plaintext, kem=kem).hex()
        cases.append({"algorithm": algorithm} | secret | {"plaintext": plaintext.hex(), "sealed": sealed})
    for kem, kems in (
        ("x-wing", ["x-wing"]),
        ("x-wing", ["ml-kem-768", "clwe-512", "x-wing"]),
        ("ml-kem-768", ["ml-kem-768", "clwe-512", "x-wing"]),
    ):
        secret = {"kem": kem, "kems": kems, "identity": identity(kem)}
        sealed = seal(algorithm, plaintext, kems=kems).hex()
        cases.append({"algorithm": algorithm} | secret | {"plaintext": plaintext.hex(), "sealed": sealed})
    origin = f"Computed by sealed.py with cryptography {cryptography.__version__} and ciphers.py"
    lines = ",\n".join(f"    {json.dumps(case)}" for case in cases)
    path = pathlib.Path(__file__).parent.parent / "answers" / "sealed.json"
    path.write_text(f'{{\n  "origin": {json.dumps(origin)},\n  "cases": [\n{lines}\n  ]\n}}\n')
    print(f"{path.name}: {len(cases)} computed")


if __name__ == "__main__":
    main()
