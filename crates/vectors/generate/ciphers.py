"""Answers for stream ciphers, block ciphers, Poly1305 and AEADs, for generate.py.

ChaCha20, XChaCha20, HChaCha20 and their AEADs come from pycryptodome, Poly1305 from cryptography (OpenSSL), Threefish
from PySkein. No independent program is at hand for ChaCha8, ChaCha12 and Kusumi-512: they are written out here,
plainly, and held to the published answers.
"""

import hashlib
import struct

import Crypto
import cryptography
import skein
from Crypto.Cipher import ChaCha20, ChaCha20_Poly1305
from cryptography.hazmat.primitives.poly1305 import Poly1305

PLAIN = "from the plain implementation in ciphers.py"
PYCRYPTODOME = f"with pycryptodome {Crypto.__version__}"
CRYPTOGRAPHY = f"with cryptography {cryptography.__version__}"

CHACHA_ROUND = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
CHACHA_ROUND += [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
KUSUMI_ROUND = CHACHA_ROUND[:4] + [(16, 20, 0, 4), (17, 21, 1, 5), (18, 22, 2, 6), (19, 23, 3, 7)]
KUSUMI_ROUND += CHACHA_ROUND[4:] + [(16, 21, 2, 7), (17, 22, 3, 4), (18, 23, 0, 5), (19, 20, 1, 6), (19, 24, 0, 5)]


def block(quarter_rounds, words):
    """The words after the quarter rounds, added to what they were before."""
    state = list(words)
    for a, b, c, d in quarter_rounds:
        for x, y, z, rotation in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) % 2**32
            state[z] ^= state[x]
            state[z] = (state[z] << rotation | state[z] >> 32 - rotation) % 2**32
    return struct.pack(f"<{len(words)}I", *((s + w) % 2**32 for s, w in zip(state, words)))


def keystream(quarter_rounds, key, counter, nonce, length):
    """Blocks from `counter` on, which is a format of struct and a number."""
    form, number = counter
    stream = b""
    while len(stream) < length:
        setup = b"expand 32-byte k" + key + struct.pack(form, number) + nonce
        stream += block(quarter_rounds, struct.unpack(f"<{len(setup) // 4}I", setup))
        number += 1
    return stream[:length]


def chacha(rounds, key, nonce, counter, length):
    return keystream(CHACHA_ROUND * (rounds // 2), key, ("<I", counter), nonce, length)


def kusumi512(key, nonce, counter, length):
    return keystream(KUSUMI_ROUND * 10, key, ("<Q", counter), nonce, length)


def kusumi512_poly1305(key, nonce, aad, plaintext):
    """RFC 8439 section 2.8, with Kusumi-512 in ChaCha20's place."""
    ciphertext = xor(plaintext, kusumi512(key, nonce, 1, len(plaintext)))
    padded = b"".join(part + bytes(-len(part) % 16) for part in (aad, ciphertext))
    lengths = struct.pack("<QQ", len(aad), len(ciphertext))
    return ciphertext, Poly1305.generate_tag(kusumi512(key, nonce, 0, 32), padded + lengths)


def threefish512_ctr(key, iv, length):
    """The first 8 bytes of the block count up, little-endian."""
    cipher = skein.threefish(key, bytes(16))
    start = int.from_bytes(iv[:8], "little")
    counters = (((start + i) % 2**64).to_bytes(8, "little") for i in range(-(-length // 64)))
    return b"".join(cipher.encrypt_block(counter + iv[8:]) for counter in counters)[:length]


def xor(data, stream):
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))


def answer(case, data):
    """All that an independent implementation gives for the case; `data` turns a value of the case into bytes."""
    function, counter = case["function"], case.get("counter", 0)
    key, nonce, tweak, aad, text, message = (
        data(case.get(name, "")) for name in ("key", "nonce", "tweak", "aad", "plaintext", "message")
    )
    if function == "poly1305":
        return {"output": Poly1305.generate_tag(key, message)}
    if function == "hchacha20":
        return {"output": ChaCha20._HChaCha20(key, message)}
    if function in ("chacha20", "xchacha20"):
        cipher = ChaCha20.new(key=key, nonce=nonce)
        cipher.seek(64 * counter)
        return {"ciphertext": cipher.encrypt(text)}
    if function in ("chacha8", "chacha12"):
        return {"ciphertext": xor(text, chacha(int(function[6:]), key, nonce, counter, len(text)))}
    if function == "kusumi512":
        return {"ciphertext": xor(text, kusumi512(key, nonce, counter, len(text)))}
    if function == "threefish512-ctr":
        return {"ciphertext": xor(text, threefish512_ctr(key, nonce, len(text)))}
    if function.startswith("threefish"):
        return {"ciphertext": skein.threefish(key, tweak or bytes(16)).encrypt_block(text)}
    if function in ("chacha20-poly1305", "xchacha20-poly1305"):
        cipher = ChaCha20_Poly1305.new(key=key, nonce=nonce)
        cipher.update(aad)
        ciphertext, tag = cipher.encrypt_and_digest(text)
    elif function == "kusumi512-poly1305":
        ciphertext, tag = kusumi512_poly1305(key, nonce, aad, text)
    else:
        raise ValueError(f"unknown function {function}")
    return {"ciphertext": ciphertext, "tag": tag}


def secret(what, length):
    """Bytes without a pattern, the same every time."""
    return hashlib.shake_256(f"fairlane {what}".encode()).hexdigest(length)


def lengths(block_size):
    """Around one and two blocks, around as many as there are lanes, and a few thousand bytes."""
    return [0, 1, *(n * block_size + d for n in (1, 2, 4, 8, 16) for d in (-1, 0, 1)), 1000, 5000]


def stream(function, key, nonce, block_size, first, last):
    """Messages from block `first` on, of any length; the last blocks; across 2^32 blocks where there are more."""
    where = {"function": function, "key": secret(f"{function} key", key), "nonce": secret(f"{function} nonce", nonce)}
    cases = [(first, n) for n in lengths(block_size)] + [(last - 1, 2 * block_size), (last, block_size - 1)]
    if last >= 2**32:
        cases += [(2**32 - 2, 4 * block_size), (2**32 - 17, 40 * block_size + 1)]
    return [where | {"counter": counter, "plaintext": {"pattern": n}} for counter, n in cases]


def aead(function, key, nonce, block_size):
    """Lengths around Poly1305's blocks and the cipher's; a key and nonce for each."""
    sizes = [(0, 0), (0, 1), (1, 0), (12, 15), (15, 16), (16, 17), (17, 31), (0, 32), (20, block_size - 1)]
    sizes += [(0, block_size), (32, block_size + 1), (5, 8 * block_size), (255, 1000), (1000, 16 * block_size + 1)]
    sizes += [(13, 5000)]
    return [
        {
            "function": function,
            "key": secret(f"{function} key {aad} {text}", key),
            "nonce": secret(f"{function} nonce {aad} {text}", nonce),
            "aad": {"pattern": aad},
            "plaintext": {"pattern": text},
        }
        for aad, text in sizes
    ]


def threefish():
    def one(size, i):
        sizes = {"key": size, "tweak": 16, "plaintext": size}
        name = f"threefish{8 * size}"
        return {"function": name} | {part: secret(f"{name} {part} {i}", n) for part, n in sizes.items()}

    blocks = [one(size, i) for size in (32, 64, 128) for i in range(6)]
    key, iv = secret("threefish512-ctr key", 64), secret("threefish512-ctr iv", 64)
    where = {"function": "threefish512-ctr", "key": key}
    counting = [where | {"nonce": iv, "plaintext": {"pattern": n}} for n in lengths(64)]
    # The counter, the first 8 bytes, goes on from its largest value to zero and carries nothing.
    largest = [first + "ff" * 63 for first in ("f0", "fe", "ff")]
    wrapping = [where | {"nonce": iv, "plaintext": {"pattern": 2000}} for iv in largest]
    return blocks + counting + wrapping


def poly1305():
    # r as large as it can be, and messages of ones, make the largest numbers.
    ones = [{"function": "poly1305", "key": "ff" * 32, "message": {"repeat": ["ff", n]}} for n in (16, 17, 64, 1000)]
    patterns = [
        {"function": "poly1305", "key": secret(f"poly1305 {n}", 32), "message": {"pattern": n}}
        for n in (0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 5000)
    ]
    return ones + patterns


def hchacha20():
    parts = {"key": 32, "message": 16}
    return [
        {"function": "hchacha20"} | {part: secret(f"hchacha20 {part} {i}", n) for part, n in parts.items()}
        for i in range(4)
    ]


def families():
    """For each file: how the computed answers were made, and the cases."""
    last = 2**32 - 1
    chacha20 = [case for rounds in (8, 12, 20) for case in stream(f"chacha{rounds}", 32, 12, 64, 0, last)]
    return {
        "chacha20": (f"{PYCRYPTODOME}; chacha8 and chacha12 {PLAIN}", chacha20),
        "xchacha20": (PYCRYPTODOME, stream("xchacha20", 32, 24, 64, 0, last)),
        "hchacha20": (PYCRYPTODOME, hchacha20()),
        "kusumi512": (PLAIN, stream("kusumi512", 64, 12, 100, 1, 2**64 - 1)),
        "threefish": (f"with PySkein {skein.__version__}", threefish()),
        "poly1305": (CRYPTOGRAPHY, poly1305()),
        "chacha20_poly1305": (PYCRYPTODOME, aead("chacha20-poly1305", 32, 12, 64)),
        "xchacha20_poly1305": (PYCRYPTODOME, aead("xchacha20-poly1305", 32, 24, 64)),
        "kusumi512_poly1305": (f"{PLAIN}, Poly1305 {CRYPTOGRAPHY}", aead("kusumi512-poly1305", 64, 12, 100)),
    }
