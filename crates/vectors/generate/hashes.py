"""Answers of the Keccak family, for generate.py: SHA-3 and SHAKE from hashlib, which is OpenSSL's, all else from
pycryptodome.
"""

import hashlib
import ssl

import Crypto
from Crypto.Hash import KangarooTwelve, TurboSHAKE128, TurboSHAKE256, cSHAKE128, cSHAKE256, keccak

HASHLIB = f"with Python's hashlib ({' '.join(ssl.OPENSSL_VERSION.split()[:2])})"
PYCRYPTODOME = f"with pycryptodome {Crypto.__version__}"
MESSAGE = {"text": "fairlane"}


def answer(case, length, data):
    """The first `length` bytes of output for the case; `data` turns a value of the case into bytes."""
    function = case["function"]
    message, name, custom = (data(case.get(key, "")) for key in ("message", "name", "customization"))
    if function.startswith("keccak"):
        return keccak.new(digest_bits=int(function[6:]), data=message).digest()
    if function.startswith("sha3-"):
        return hashlib.new(function, message).digest()
    if function.startswith("shake"):
        return hashlib.new(function.replace("shake", "shake_"), message).digest(length)
    if function.startswith("cshake"):
        # `_new` is how pycryptodome's own KMAC passes a function name.
        return {"128": cSHAKE128, "256": cSHAKE256}[function[6:]]._new(message, custom, name).read(length)
    if function.startswith("turboshake"):
        module = {"128": TurboSHAKE128, "256": TurboSHAKE256}[function[10:]]
        return module.new(domain=case["domain"], data=message).read(length)
    if function == "kt128":
        return KangarooTwelve.new(message, custom).read(length)
    raise ValueError(f"unknown function {function}")


def lengths(rate):
    """Around a lane, around one and two blocks, and a few thousand bytes."""
    return [0, 1, 7, 8, 9, *(n * rate + d for n in (1, 2) for d in (-1, 0, 1)), 1000, 4096, 5000]


def messages(function, rate, **more):
    return [({"function": function, "message": {"pattern": n}, **more}, 32) for n in lengths(rate)]


def outputs(function, rate, **more):
    """Outputs as long as the messages above, but for the empty one."""
    return [({"function": function, "message": MESSAGE, **more}, n) for n in lengths(rate)[1:]]


def shake(function, rate):
    return messages(function, rate) + outputs(function, rate)


def cshake(function, rate):
    # Neither string (plain SHAKE), either, both; lengths of one, two and three bytes; a prefix of just one block.
    full = rate - 2 - 3 - 2
    strings = [(0, 0), (4, 0), (0, 4), (4, 4), (31, 0), (32, 0), (0, 31), (0, 32), (0, 8191), (0, 8192), (200, 300)]
    strings += [(0, full - 1), (0, full), (0, full + 1)]
    prefixed = [
        ({"function": function, "message": MESSAGE, "name": {"pattern": n}, "customization": {"pattern": s}}, 32)
        for n, s in strings
    ]
    both = {"name": {"text": "name"}, "customization": {"text": "customization"}}
    return prefixed + messages(function, rate, **both) + outputs(function, rate, **both)


def turboshake(function, rate):
    domains = [({"function": function, "message": MESSAGE, "domain": d}, 32) for d in (0x01, 0x06, 0x7F)]
    return domains + messages(function, rate, domain=0x1F) + outputs(function, rate, domain=0x1F)


def kt128():
    # C is empty: the node is the message and one byte, so that chunk boundaries come one byte earlier too.
    chunk = 8192
    sizes = [0, 1, *range(166, 171), 1000, 4096, *range(chunk - 2, chunk + 2)]
    sizes += [n * chunk + d for n in (2, 3, 4, 5, 8, 9, 16, 17) for d in (-1, 0, 1)]
    # 256 and 257 chunks: the count of those after the first takes one byte, then two.
    sizes += [256 * chunk - 1, 256 * chunk]
    plain = [({"function": "kt128", "message": {"pattern": n}}, 32) for n in sizes]
    # The message ends in one chunk and C, or the length of C, in the next; lengths of C of one to three bytes.
    pairs = [(0, 1), (100, 255), (100, 256), (0, 8189), (0, 8190), (8000, 189), (8000, 190), (8000, 191), (8192, 41)]
    pairs += [(8191, 1), (16383, 1), (16384, 8191), (1, 65535), (1, 65536), (70000, 70000)]
    custom = [({"function": "kt128", "message": {"pattern": m}, "customization": {"pattern": c}}, 32) for m, c in pairs]
    tree = [({"function": "kt128", "message": {"pattern": 3 * chunk}}, n) for n in (167, 168, 169, 1000)]
    return plain + custom + outputs("kt128", 168) + tree


def families():
    """For each file: how the computed answers are made, and cases with the lengths of their outputs."""
    rates = {"128": 168, "256": 136}
    fixed = {
        family: [case for bits in (224, 256, 384, 512) for case in messages(f"{name}{bits}", 200 - bits // 4)]
        for family, name in (("keccak", "keccak"), ("sha3", "sha3-"))
    }
    extendable = {
        name: [case for strength, rate in rates.items() for case in family(f"{name}{strength}", rate)]
        for name, family in (("shake", shake), ("cshake", cshake), ("turboshake", turboshake))
    }
    cases = fixed | extendable | {"kt128": kt128()}
    return {name: (HASHLIB if name in ("sha3", "shake") else PYCRYPTODOME, c) for name, c in cases.items()}
