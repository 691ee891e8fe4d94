"""Answers for SM4, its modes, SM3, HMAC-SM3 and GHASH, for generate.py.

SM4, its modes ECB, CBC, CTR and GCM, SM3 and HMAC come from cryptography (OpenSSL), GHASH from pycryptodome. No
independent program is at hand for XTS, CCM and GCM with nonces shorter than 8 bytes: they are written out here,
plainly, over those; XTS and CCM are held to the published answers.
"""

import Crypto
import cryptography
from Crypto.Cipher._mode_gcm import _GHASH, _ghash_portable
from cryptography.hazmat.primitives import hashes, hmac
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from ciphers import secret, xor

CRYPTOGRAPHY = f"with cryptography {cryptography.__version__}"
PYCRYPTODOME = f"with pycryptodome {Crypto.__version__}"
PLAIN = "with the plain modes in sm.py"


def run(mode, key, text):
    encryptor = Cipher(algorithms.SM4(key), mode).encryptor()
    return encryptor.update(text) + encryptor.finalize()


def ecb(key, text):
    return run(modes.ECB(), key, text)


def sm4(key, text, times):
    encryptor = Cipher(algorithms.SM4(key), modes.ECB()).encryptor()
    for _ in range(times):
        text = encryptor.update(text)
    return text


def times_alpha(t):
    """IEEE 1619-2018, section 5.2."""
    doubled = int.from_bytes(t, "little") << 1
    return (doubled ^ (doubled >> 128) * (2**128 | 0x87)).to_bytes(16, "little")


def times_alpha_gb(t):
    """GB/T 17964-2021: the same, with the bits of each byte and the bytes the other way round."""
    number = int.from_bytes(t, "big")
    return (number >> 1 ^ number % 2 * (0xE1 << 120)).to_bytes(16, "big")


def xts(key, tweak, text, times_alpha):
    """Encryption, IEEE 1619-2018, section 5.3.2."""
    blocks = [text[i : i + 16] for i in range(0, len(text), 16)]
    t = ecb(key[16:], tweak)
    done = []
    for block in blocks:
        if len(block) < 16:
            done[-1:] = [block + done[-1][len(block) :], done[-1][: len(block)]]
            done[-2] = xor(ecb(key[:16], xor(done[-2], t)), t)
        else:
            done.append(xor(ecb(key[:16], xor(block, t)), t))
        t = times_alpha(t)
    return b"".join(done)


def ccm(key, nonce, aad, text):
    """NIST SP 800-38C, section 6.1 and appendix A, with a tag of 16 bytes."""
    q = 15 - len(nonce)

    def padded(part):
        return part + bytes(-len(part) % 16)

    def counter(i):
        return bytes([q - 1]) + nonce + i.to_bytes(q, "big")

    if len(aad) >= 0xFF00:
        aad = b"\xff\xfe" + len(aad).to_bytes(4, "big") + aad
    elif aad:
        aad = len(aad).to_bytes(2, "big") + aad
    flags = 64 * bool(aad) + 8 * 7 + q - 1
    first = bytes([flags]) + nonce + len(text).to_bytes(q, "big")
    mac = run(modes.CBC(bytes(16)), key, first + padded(aad) + padded(text))[-16:]
    stream = ecb(key, b"".join(counter(i) for i in range(-(-len(text) // 16) + 1)))
    return xor(text, stream[16 : 16 + len(text)]), xor(mac, stream[:16])


def ghash(h, blocks):
    return _GHASH(h, _ghash_portable).update(blocks).digest()


def ghash_of_strings(h, aad, text):
    """The strings padded to whole blocks, and their lengths in bits."""
    padded = b"".join(part + bytes(-len(part) % 16) for part in (aad, text))
    return ghash(h, padded + b"".join((8 * len(part)).to_bytes(8, "big") for part in (aad, text)))


def gcm(key, nonce, aad, text):
    if len(nonce) < 8:
        # cryptography refuses such nonces. NIST SP 800-38D, section 7.1; the counter must not carry.
        h = ecb(key, bytes(16))
        j0 = ghash_of_strings(h, b"", nonce)
        assert int.from_bytes(j0[12:], "big") + len(text) // 16 + 2 < 2**32
        stream = run(modes.CTR(j0), key, bytes(16) + text)
        return stream[16:], xor(stream[:16], ghash_of_strings(h, aad, stream[16:]))
    encryptor = Cipher(algorithms.SM4(key), modes.GCM(nonce)).encryptor()
    encryptor.authenticate_additional_data(aad)
    return encryptor.update(text) + encryptor.finalize(), encryptor.tag


def sm3(message):
    digest = hashes.Hash(hashes.SM3())
    digest.update(message)
    return digest.finalize()


def hmac_sm3(key, message):
    mac = hmac.HMAC(key, hashes.SM3())
    mac.update(message)
    return mac.finalize()


# How the names of the functions that are answered here begin.
PREFIXES = ("sm3", "sm4", "hmac-sm3", "ghash")


def answer(case, data):
    """All that an independent implementation gives for the case; `data` turns a value of the case into bytes."""
    function = case["function"]
    key, nonce, tweak, aad, text, message = (
        data(case.get(name, "")) for name in ("key", "nonce", "tweak", "aad", "plaintext", "message")
    )
    if function == "sm3":
        return {"output": sm3(message)}
    if function == "hmac-sm3":
        return {"output": hmac_sm3(key, message)}
    if function == "ghash":
        return {"output": ghash(key, message)}
    if function == "sm4":
        return {"ciphertext": sm4(key, text, case.get("times", 1))}
    if function == "sm4-ecb":
        return {"ciphertext": ecb(key, text)}
    if function == "sm4-cbc":
        return {"ciphertext": run(modes.CBC(nonce), key, text)}
    if function == "sm4-ctr":
        return {"ciphertext": run(modes.CTR(nonce), key, text)}
    if function == "sm4-xts":
        return {"ciphertext": xts(key, tweak, text, times_alpha)}
    if function == "sm4-xts-gb":
        return {"ciphertext": xts(key, tweak, text, times_alpha_gb)}
    ciphertext, tag = {"sm4-gcm": gcm, "sm4-ccm": ccm}[function](key, nonce, aad, text)
    return {"ciphertext": ciphertext, "tag": tag}


# As many blocks as kernels take at a time, and one fewer or more.
BLOCKS = [1, 2, 3, *(n + d for n in (4, 8, 16, 32, 64, 128) for d in (-1, 0, 1) if n + d != 3)]
# The same in bytes, with parts of blocks.
BYTES = sorted({n * 16 + d for n in (1, 2, 4, 8, 16, 32, 64, 128) for d in (-1, 0, 1, 16)})


def cases(function, texts, **sizes):
    """A case for each length of plaintext, with its own key and whatever else is to have so many bytes."""
    return [
        {"function": function}
        | {part: secret(f"{function} {part} {n}", size) for part, size in sizes.items()}
        | {"plaintext": {"pattern": n}}
        for n in texts
    ]


def ctr_cases():
    """Any length; and counters that carry into more and more bytes, at the second block and in the midst of many."""
    key = secret("sm4-ctr key", 16)
    carries = []
    for bits in (8, 16, 32, 64, 128):
        high = int(secret(f"sm4-ctr iv {bits}", 16), 16) >> bits << bits
        for blocks, length in ((1, 5 * 16), (37, 80 * 16 + 1)):
            iv = f"{high + 2**bits - blocks:032x}"
            carries.append({"function": "sm4-ctr", "key": key, "nonce": iv, "plaintext": {"pattern": length}})
    return cases("sm4-ctr", [0, 1, *BYTES], key=16, nonce=16) + carries


def xts_cases(function):
    """From one block on; tweaks as numbers of sectors, and sizes of sectors."""
    sectors = [
        {"function": function, "key": secret(f"{function} key", 32), "tweak": tweak, "plaintext": {"pattern": n}}
        for tweak, n in (("00" * 16, 512), ("01" + "00" * 15, 520), ("ff" * 16, 4096), ("ffffffff" + "00" * 12, 4099))
    ]
    return cases(function, sorted({*range(16, 34), *BYTES} - {15}), key=32, tweak=16) + sectors


def aead_case(function, key, nonce, aad, text):
    parts = {"function": function, "key": key, "nonce": nonce}
    return parts | {"aad": {"pattern": aad}, "plaintext": {"pattern": text}}


def aead_cases(function, nonce, sizes):
    def one(aad, text):
        name = f"{function} {nonce} {aad} {text}"
        return aead_case(function, secret(f"{name} key", 16), secret(f"{name} nonce", nonce), aad, text)

    return [one(aad, text) for aad, text in sizes]


# Associated data around blocks, also after the two bytes of its length that CCM puts first.
SIZES = [(0, 0), (0, 1), (1, 0), (13, 15), (14, 16), (15, 17), (16, 31), (17, 32), (20, 33), (29, 47), (30, 48)]
SIZES += [(31, 49), *((0, n * 16 + d) for n in (4, 8, 16, 32, 64, 128) for d in (-1, 0, 1))]
SIZES += [(n * 16 + d, 64) for n in (4, 8, 16, 32, 64) for d in (-1, 0, 1)]
SIZES += [(1000, 5000)]


def power(h, exponent):
    """By squaring; GHASH of one block is its product with H."""
    product = bytes([0x80]) + bytes(15)
    for bit in f"{exponent:b}":
        product = ghash(product, product)
        if bit == "1":
            product = ghash(product, h)
    return product


def nonce_of(key, j0):
    """The nonce of 16 bytes whose J0 is this: J0 = (nonce H + length) H, solved with 1/H = H^(2^128 - 2)."""
    h = ecb(key, bytes(16))
    inverse = power(h, 2**128 - 2)
    nonce = ghash(inverse, xor(ghash(inverse, j0), (128).to_bytes(16, "big")))
    assert ghash_of_strings(h, b"", nonce) == j0
    return nonce


def nonce_cases():
    """Nonces of other lengths than 12 bytes; for GCM, ones whose counter of 32 bits starts again from zero."""
    sizes = [(0, 0), (20, 100), (33, 1041)]
    lengths = [case for n in (1, 8, 11, 13, 15, 16, 17, 60, 128) for case in aead_cases("sm4-gcm", n, sizes)]
    key = secret("sm4-gcm key", 16)
    wraps = []
    for blocks, text in ((1, 80), (2, 80), (3, 80), (37, 1281), (72, 2500)):
        j0 = secret(f"sm4-gcm j0 {blocks}", 12) + f"{2**32 - blocks:08x}"
        wraps.append(aead_case("sm4-gcm", key, nonce_of(bytes.fromhex(key), bytes.fromhex(j0)).hex(), 20, text))
    return lengths + wraps + [case for n in (7, 8, 11, 13) for case in aead_cases("sm4-ccm", n, sizes)]


def hash_cases():
    """Around the padding, 55 and 56 bytes into a block; around one block and several, and a few thousand bytes."""
    sizes = [0, 1, 3, 4, *(64 * n + d for n in (1, 2, 4, 8, 16) for d in (-9, -8, -7, -1, 0, 1)), 1000, 5000]
    messages = [{"function": "sm3", "message": {"pattern": n}} for n in sizes]
    # Keys around a block, beyond which they are hashed.
    keys = [(n, 100) for n in (0, 1, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200)] + [(32, n) for n in sizes]
    macs = [{"function": "hmac-sm3", "key": secret(f"hmac-sm3 {k}", k), "message": {"pattern": n}} for k, n in keys]
    return messages, macs


def ghash_cases():
    patterns = [
        {"function": "ghash", "key": secret(f"ghash {n}", 16), "message": {"pattern": 16 * n}} for n in [0, *BLOCKS]
    ]
    # H = 0, 1, x^127 and all ones, with messages of ones.
    ones = [
        {"function": "ghash", "key": h, "message": {"repeat": ["ff", 16 * n]}}
        for h in ("00" * 16, "80" + "00" * 15, "00" * 15 + "01", "ff" * 16)
        for n in (1, 2, 33)
    ]
    return patterns + ones


def families():
    """For each file: how the computed answers were made, and the cases."""
    plain = f"{CRYPTOGRAPHY}, {PLAIN}"
    messages, macs = hash_cases()
    blocks = [16 * n for n in BLOCKS]
    # The length of associated data takes two bytes in CCM, then six.
    long = [(n, 17) for n in (255, 256, 0xFEFF, 0xFF00, 70000)]
    return {
        "sm3": (CRYPTOGRAPHY, messages),
        "hmac_sm3": (CRYPTOGRAPHY, macs),
        "ghash": (PYCRYPTODOME, ghash_cases()),
        "sm4": (CRYPTOGRAPHY, cases("sm4-ecb", blocks, key=16)),
        "sm4_cbc": (CRYPTOGRAPHY, cases("sm4-cbc", [0, *blocks], key=16, nonce=16)),
        "sm4_ctr": (CRYPTOGRAPHY, ctr_cases()),
        "sm4_xts": (plain, xts_cases("sm4-xts") + xts_cases("sm4-xts-gb")),
        "sm4_gcm": (CRYPTOGRAPHY, aead_cases("sm4-gcm", 12, SIZES)),
        "sm4_ccm": (plain, aead_cases("sm4-ccm", 12, SIZES + long)),
        "sm4_nonces": (f"{CRYPTOGRAPHY}; CCM, and GCM with 1 byte of nonce, {PLAIN}", nonce_cases()),
    }
