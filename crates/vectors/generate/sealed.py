#!/usr/bin/env python3
"""Writes sealed.json: sealed files, made as docs/sealed.md says, with none of fairlane's code.

    venv/bin/python crates/vectors/generate/sealed.py

needs what generate.py needs. HKDF and Argon2id come from cryptography (OpenSSL), the AEADs from ciphers.py; what a KEM
gives is known from ml_kem.json and clwe.json.
"""

import json
import pathlib
import struct

import cryptography
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
KEMS = {"ml-kem-512": 1, "ml-kem-768": 2, "ml-kem-1024": 3, "clwe-512": 4, "clwe-768": 5, "clwe-1024": 6}
CHUNK = 65536
SALT = bytes(range(100, 132))
KEY = bytes(range(64))
PASSPHRASE = "pässphrase"
COST = {"memory": 64, "passes": 2, "lanes": 4}


def kem_case(kem):
    """An answer that has everything: seeds, hash of the key, ciphertext and secret."""
    folder = pathlib.Path(__file__).parent.parent / "answers"
    sources = [source for name in ("ml_kem", "clwe") for source in json.loads((folder / f"{name}.json").read_text())]
    cases = (case for source in sources for case in source["cases"])
    return next(case for case in cases if case["function"] == kem and "d" in case and "ciphertext" in case)


def seal(algorithm, plaintext, cost=None, kem=None):
    number, key_length, nonce_length = ALGORITHMS[algorithm]
    master, fields, ciphertext, context = KEY, struct.pack(">BBII", 0, 0, 0, 0), b"", b""
    if kem:
        case = kem_case(kem)
        fields = struct.pack(">BBII", 2, KEMS[kem], 0, 0)
        master, ciphertext = bytes.fromhex(case["secret"]), bytes.fromhex(case["ciphertext"])
        context = bytes.fromhex(case["ek_sha3_256"]) + ciphertext
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
    for kem in KEMS:
        algorithm, plaintext, case = "xchacha20-poly1305", b"a sealed file", kem_case(kem)
        secret = {"kem": kem, "identity": case["d"] + case["z"]}
        sealed = seal(algorithm, plaintext, kem=kem).hex()
        cases.append({"algorithm": algorithm} | secret | {"plaintext": plaintext.hex(), "sealed": sealed})
    origin = f"Computed by sealed.py with cryptography {cryptography.__version__} and ciphers.py"
    lines = ",\n".join(f"    {json.dumps(case)}" for case in cases)
    path = pathlib.Path(__file__).parent.parent / "answers" / "sealed.json"
    path.write_text(f'{{\n  "origin": {json.dumps(origin)},\n  "cases": [\n{lines}\n  ]\n}}\n')
    print(f"{path.name}: {len(cases)} computed")


if __name__ == "__main__":
    main()
