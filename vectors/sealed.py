#!/usr/bin/env python3
"""Writes sealed.json: sealed files, made as docs/sealed.md says, with none of fairlane's code.

    venv/bin/python vectors/sealed.py

needs what generate.py needs. HKDF and Argon2id come from cryptography (OpenSSL), the AEADs from ciphers.py.
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
CHUNK = 65536
SALT = bytes(range(100, 132))
KEY = bytes(range(64))
PASSPHRASE = "pässphrase"
COST = {"memory": 64, "passes": 2, "lanes": 4}


def seal(algorithm, plaintext, cost=None):
    number, key_length, nonce_length = ALGORITHMS[algorithm]
    master, fields = KEY, struct.pack(">BBII", 0, 0, 0, 0)
    if cost:
        fields = struct.pack(">BBII", 1, cost["lanes"], cost["memory"], cost["passes"])
        master = Argon2id(
            salt=SALT, length=64, iterations=cost["passes"], lanes=cost["lanes"], memory_cost=cost["memory"]
        ).derive(PASSPHRASE.encode())
    info = b"fairseal" + bytes([1, number]) + fields
    length = 32 + key_length + nonce_length - 5
    derived = HKDF(SHA512(), length, salt=SALT, info=info).derive(master)
    check, key, prefix = derived[:32], derived[32 : 32 + key_length], derived[32 + key_length :]
    chunks = [plaintext[at : at + CHUNK] for at in range(0, len(plaintext), CHUNK)] or [b""]
    sealed = info + SALT + check
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
    origin = f"Computed by vectors/sealed.py with cryptography {cryptography.__version__} and vectors/ciphers.py"
    lines = ",\n".join(f"    {json.dumps(case)}" for case in cases)
    path = pathlib.Path(__file__).parent / "sealed.json"
    path.write_text(f'{{\n  "origin": {json.dumps(origin)},\n  "cases": [\n{lines}\n  ]\n}}\n')
    print(f"{path.name}: {len(cases)} computed")


if __name__ == "__main__":
    main()
