"""Answers for Kalyna (DSTU 7624:2014) and its modes, for generate.py.

No independent program is at hand: the cipher and its modes are written out here, plainly, and held to the published
answers. The state is a list of columns; numbers are Python's, so that a sum, a shift or a product is what it is called.
"""

from ciphers import secret, xor

S_BOXES = [
    bytes.fromhex(
        "a8435f066b756c5971df879517f0d8096df31dcbc94d2caf79e097fd6f4b45393edda34fb4b69a0e1fbf15e149d293c692729e61"
        "d163faeef419d5ad58a4bba1dcf2833742e47a329cccab4a8f6e04272ee7e25a9616232bc265660fbca947413448fcb76a88a553"
        "86f95bdb387bc31e2233242836c7b23b8e77baf5149f08559b4cfe605cda1846cd7d21b03f1b89ffeb84693a9dd7d3706740b5de"
        "5d3091b1781101e5006898a0c502a6742d0ba276b3becebdaee98a311cecf19994aaf6262fefe88c3503d47ffb05c15e90203d82"
        "f7ea0a0d7ef8501ac40757b83c62e3c8ac526410d0d9130c122951b9cfd6738d8154c0ed4e44a72a8525e6ca7c8b5680"
    ),
    bytes.fromhex(
        "cebbeb92eacb13c1e93ad6b2d29017f8421556b4651c8843c55c36baf557678d31f664589ef422aa750f02b1df6d734d7c262ef7"
        "085d443e9f14c8ae5410d8bc1a6b69f3bd33abfad19b684e169591ee4c638e5bcc3c19a181497bd96f3760cae72b48fd9645fc41"
        "120d79e5898ce32030dcb76c4ab53f97d4622d06a4a5835f2adac9007ea255bf11d59ccf0e0a3d517d931bfec44709860b8f9d6a"
        "07b9b0981832714bef3b70a0e440ffc3a9e678f98b46801e38e1b8a8e00c23761d252405f16e94289a84e8a34f77d385e252f282"
        "507a2f7453b361af3935decd1f99acad722cddd087be5ea6ec04c60334fbdb59b6c201f05aeda766217f8a27c7c029d7"
    ),
    bytes.fromhex(
        "93d99ab5982245fcba6adf029fdc51594a172bc294f4bba362e471d4cd7016e1493cc0d85c9bad8553a17ac82de0d172a62cc4e3"
        "7678b7b4093b0e414cdeb29025a5d7031100c32e92ef4e129d7dcb3510d54f9e4da955c6d07b1897d336e64856818f77cc9cb9e2"
        "acb82f15a47cda381e0b05d6146e6c7e66fdb1e560af5e3387c9f05d6d3f888dc7f71de9eced802927cf99a8500f3724283095d2"
        "3e5b4083b369571f071c8abc20ebce8eabee31a273f9ca3a1afb0dc1fefaf26fbd96dd4352b608f3aebe19893226b0ea4b648482"
        "6bf579bf015f75631b233d682a65e891f6ff1358f1470a7fc5a7e7615a0646444204a0db398654aa8c34218bf80c7467"
    ),
    bytes.fromhex(
        "688dca4d734b4e2ad45226b3541e191f2203463d2d4a5383138ab7d52579f5bd582f0d02ed519e11f23e555ed1163c66705df345"
        "40cce8945608ce1a3ad2e1dfb5386e0ee5f4f986e94fd68523cf32993114aeeec848d330a19241b118c42c71724415fd37be5faa"
        "9b88d8ab899cfa60eabc620c24a6a8ec6720db7c28ddac5b347e10f17b8f63a0059a437721bf2709c39fb6d729c2ebc0a48b8c1d"
        "fbffc1b2972ef865f67507044933e4d9b9d042c76c90008e6f5001c5da473fcd69a2e27aa7c6930f0a06e62b96a31caf6a128439"
        "e7b082f7fe9d875c8135deb4a5fc80efcbbb6b76ba5a7d780b95e3ad74983b36646ddcf059a94c177f91b8c9571be061"
    ),
]
# The first rows of the circulant matrix and of its inverse.
MATRIX = bytes.fromhex("0101050108060704")
INVERSE = bytes.fromhex("ad9576a82f49d7ca")
# The variants' bytes of block and key, and for CCM the bytes of lengths and tags in the standard's examples.
VARIANTS = {
    "128-128": (16, 16, 4, 16),
    "128-256": (16, 32, 4, 16),
    "256-256": (32, 32, 4, 16),
    "256-512": (32, 64, 6, 32),
    "512-512": (64, 64, 8, 64),
}
POLYNOMIALS = {16: 2**128 | 0x87, 32: 2**256 | 0x425, 64: 2**512 | 0x125}


def number(block):
    return int.from_bytes(block, "little")


def product(a, b, polynomial):
    """Of polynomials over one bit."""
    degree = polynomial.bit_length() - 1
    result = 0
    for i in reversed(range(degree)):
        result = result << 1 ^ (a if b >> i & 1 else 0)
        result ^= polynomial if result >> degree else 0
    return result


TIMES = {c: bytes(product(c, x, 0x11D) for x in range(256)) for c in {*MATRIX, *INVERSE}}


def mix(state, first_row):
    """Each column times the matrix whose rows are the first one, rotated to the right."""
    mixed = bytearray()
    for at in range(0, len(state), 8):
        for row in range(8):
            byte = 0
            for i in range(8):
                byte ^= TIMES[first_row[(i - row) % 8]][state[at + i]]
            mixed.append(byte)
    return bytes(mixed)


def moves(length):
    """Where the byte of each place comes from when the rows are shifted."""
    return [(at - at % 8 * length // 64 * 8) % length for at in range(length)]


def a_round(state):
    state = bytes(S_BOXES[at % 4][byte] for at, byte in enumerate(state))
    return mix(bytes(state[at] for at in moves(len(state))), MATRIX)


def inverse_round(state):
    state = mix(state, INVERSE)
    back = sorted(range(len(state)), key=moves(len(state)).__getitem__)
    return bytes(S_BOXES[at % 4].index(state[back[at]]) for at in range(len(state)))


def add(state, key, sign=1):
    """Each column as a number of 64 bits."""
    columns = range(0, len(state), 8)
    sums = [number(state[i : i + 8]) + sign * number(key[i : i + 8]) for i in columns]
    return b"".join((s % 2**64).to_bytes(8, "little") for s in sums)


def three_rounds(state, alpha, omega):
    return add(a_round(xor(a_round(add(state, alpha)), omega)), alpha)


def round_keys(key, length):
    alpha, omega = key[:length], key[-length:]
    first = bytes([(length + len(key) + 8) // 8]) + bytes(length - 1)
    sigma = a_round(three_rounds(first, alpha, omega))
    keys = []
    for i in range(0, {16: 10, 32: 14, 64: 18}[len(key)] + 1, 2):
        phi = add(sigma, (1 << i // 2).to_bytes(2, "little") * (length // 2))
        words = i // 2 if len(key) == length else i // 4
        words = words % (len(key) // 8)
        turned = key[8 * words :] + key[: 8 * words]
        even = three_rounds(turned[:length] if len(key) == length or i % 4 == 0 else turned[length:], phi, phi)
        turn = length // 4 + 3
        keys += [even, even[turn:] + even[:turn]]
    return keys[:-1]


class Kalyna:
    def __init__(self, key, length):
        self.length = length
        self.keys = round_keys(key, length)

    def encrypt(self, block):
        block = add(block, self.keys[0])
        for key in self.keys[1:-1]:
            block = xor(a_round(block), key)
        return add(a_round(block), self.keys[-1])

    def decrypt(self, block):
        block = inverse_round(add(block, self.keys[-1], -1))
        for key in self.keys[-2:0:-1]:
            block = inverse_round(xor(block, key))
        return add(block, self.keys[0], -1)

    def blocks(self, text):
        return [text[i : i + self.length] for i in range(0, len(text), self.length)]

    def padded(self, text):
        return self.blocks(text + (b"\x80" + bytes(-(len(text) + 1) % self.length)) * bool(len(text) % self.length))

    def ecb(self, text):
        return b"".join(map(self.encrypt, self.blocks(text)))

    def cbc(self, iv, text):
        done = [iv]
        for block in self.blocks(text):
            done.append(self.encrypt(xor(block, done[-1])))
        return b"".join(done[1:])

    def ctr(self, iv, text, counted=None):
        counted = counted or self.length
        start = self.encrypt(iv)
        low, high = number(start[:counted]), start[counted:]
        counts = ((low + i) % 256**counted for i in range(1, len(self.blocks(text)) + 1))
        return xor(text, self.ecb(b"".join(i.to_bytes(counted, "little") + high for i in counts))[: len(text)])

    def ofb(self, iv, text):
        stream = b""
        while len(stream) < len(text):
            iv = self.encrypt(iv)
            stream += iv
        return xor(text, stream[: len(text)])

    def cfb(self, iv, text, q):
        done = b""
        for part in (text[i : i + q] for i in range(0, len(text), q)):
            gamma = self.encrypt(iv)
            done += xor(part, gamma[-len(part) :])
            iv = gamma[: -len(part)] + done[-len(part) :]
        return done

    def xts(self, iv, text):
        tweak = number(self.encrypt(iv))
        done = []
        for block in self.blocks(text):
            tweak = product(tweak, 2, POLYNOMIALS[self.length])
            gamma = tweak.to_bytes(self.length, "little")
            if len(block) < self.length:
                done[-1:] = [block + done[-1][len(block) :], done[-1][: len(block)]]
                done[-2] = xor(self.encrypt(xor(done[-2], gamma)), gamma)
            else:
                done.append(xor(self.encrypt(xor(block, gamma)), gamma))
        return b"".join(done)

    def cbc_mac(self, blocks):
        return self.cbc(bytes(self.length), b"".join(blocks))[-self.length :]

    def cmac(self, text):
        *blocks, last = self.padded(text)
        short = len(text) % self.length != 0
        mask = self.encrypt(bytes([short]) + bytes(self.length - 1))
        return self.cbc_mac([*blocks, xor(last, mask)])

    def hash(self, aad, text):
        h = number(self.encrypt(bytes(self.length)))
        total = 0
        for block in self.padded(aad) + self.padded(text):
            total = product(total ^ number(block), h, POLYNOMIALS[self.length])
        lengths = 8 * len(aad) | 8 * len(text) << 4 * self.length
        return self.encrypt((total ^ lengths).to_bytes(self.length, "little"))

    def gcm(self, iv, aad, text):
        text = self.ctr(iv, text, self.length // 2)
        return text, self.hash(aad, text)

    def ccm(self, iv, aad, text, nb, size):
        code = {8: 2, 16: 3, 32: 4, 48: 5, 64: 6}[size]
        flags = 128 * bool(aad) | code << 4 | nb - 1
        head = iv[: self.length - nb - 1] + len(text).to_bytes(nb, "little") + bytes([flags])
        if aad:
            head += len(aad).to_bytes(nb, "little") + bytes(-(nb + len(aad)) % self.length) + aad
        tag = self.cbc_mac([head, *self.padded(text)])[:size]
        done = self.ctr(iv, text + tag, self.length // 2)
        return done[: len(text)], done[len(text) :]

    def kw(self, text):
        half = self.length // 2
        text += bytes(self.length)
        halves = [text[i : i + half] for i in range(0, len(text), half)]
        for i in range(1, 6 * (len(halves) - 1) + 1):
            block = self.encrypt(halves[0] + halves[1])
            number_of_round = i.to_bytes(half, "little")
            halves = [xor(block[half:], number_of_round), *halves[2:], block[:half]]
        return b"".join(halves)

    def kw_padded(self, text):
        text += (8 * len(text)).to_bytes(self.length // 2, "little") + b"\x80"
        return self.kw(text + bytes(-len(text) % self.length))


# How the names of the functions that are answered here begin.
PREFIXES = ("kalyna",)


def answer(case, length, data):
    """All that this gives for the case; `length` is the tag's or the output's, unless it is in the case."""
    _, block, bits, *mode = case["function"].split("-", 3)
    parts = ("key", "nonce", "aad", "plaintext", "message")
    key, nonce, aad, text, message = (data(case.get(part, "")) for part in parts)
    cipher = Kalyna(key, int(block) // 8)
    assert 8 * len(key) == int(bits)
    length = length or len(case.get("tag", "")) // 2
    match mode:
        case [] | ["ecb"]:
            return {"ciphertext": cipher.ecb(text)}
        case ["cfb"]:
            return {"ciphertext": cipher.cfb(nonce, text, case["q"])}
        case ["ctr" | "cbc" | "ofb" | "xts"]:
            return {"ciphertext": getattr(cipher, mode[0])(nonce, text)}
        case ["gcm"]:
            ciphertext, tag = cipher.gcm(nonce, aad, text)
            return {"ciphertext": ciphertext, "tag": tag[:length]}
        case ["ccm"]:
            ciphertext, tag = cipher.ccm(nonce, aad, text, case["nb"], length)
            return {"ciphertext": ciphertext, "tag": tag}
        case ["cmac"]:
            return {"output": cipher.cmac(message)[:length]}
        case ["gmac"]:
            return {"output": cipher.hash(message, b"")[:length]}
        case ["kw"]:
            return {"output": cipher.kw(message)}
        case ["kw-p"]:
            return {"output": cipher.kw_padded(message)}
    raise ValueError(f"unknown function {case['function']}")


def cases(variant, mode, texts, nonce=False, **fields):
    """A case for each length of text, with a key and, if it takes one, an IV of its own."""
    block, key, _, _ = VARIANTS[variant]
    function = f"kalyna-{variant}{mode and '-'}{mode}"
    text = "message" if mode in ("cmac", "gmac", "kw", "kw-p") else "plaintext"
    for n in texts:
        name = f"{function} {n}"
        secrets = {"key": secret(f"{name} key", key)} | ({"nonce": secret(f"{name} iv", block)} if nonce else {})
        yield {"function": function} | secrets | fields | {text: {"pattern": n}}


def start(variant, key, low):
    """An IV from which counting starts near the end: its encryption has these low bytes."""
    block = VARIANTS[variant][0]
    high = bytes.fromhex(secret(f"kalyna-{variant} start {len(low)}", block))[len(low) :]
    return Kalyna(bytes.fromhex(key), block).decrypt(low + high).hex()


def carries(variant, mode, **fields):
    """Counters that carry into more and more bytes, and start again from zero."""
    block = VARIANTS[variant][0]
    for width in (1, 8, block // 2, block):
        for case in cases(variant, mode, [4 * block + 1], **fields):
            low = (256**width - 3).to_bytes(width, "little")
            yield case | {"nonce": start(variant, case["key"], low)}


def modes_cases(variant):
    block = VARIANTS[variant][0]
    yield from cases(variant, "ctr", [1, block - 1, block, 2 * block + 1, 65 * block + 3], nonce=True)
    yield from carries(variant, "ctr")
    for q in (1, 8, 16, 32, 64):
        if q <= block:
            lengths = sorted({q, 2 * q + q // 2, block + 1, 3 * block + 5})
            yield from cases(variant, "cfb", lengths, nonce=True, q=q)
    yield from cases(variant, "cbc", [block, 2 * block, 33 * block], nonce=True)
    yield from cases(variant, "ofb", [1, block, 2 * block + 1], nonce=True)
    lengths = [block, block + 1, 2 * block - 1, 2 * block, 5 * block + 1, 33 * block, 66 * block - 5]
    yield from cases(variant, "xts", lengths, nonce=True)


def aead_cases(variant):
    """With the length of the tag."""
    block, _, nb, size = VARIANTS[variant]
    sizes = [(0, 1), (0, block), (1, block - 1), (block - nb, block + 1), (block - nb + 1, 2 * block)]
    sizes += [(block, 2 * block - 1), (2 * block - 1, 3), (3 * block + 5, 5 * block + 7), (70, 17 * block)]
    for aad, text in sizes:
        for mode, fields, length in (("gcm", {}, block), ("ccm", {"nb": nb}, size)):
            for case in cases(variant, mode, [text], nonce=True, aad={"pattern": aad}, **fields):
                yield case, length
    for case in cases(variant, "gcm", [0], nonce=True, aad={"pattern": block + 1}):
        yield case, block
    for case in carries(variant, "gcm"):
        yield case, 8
    for other, length in ((1, 8), (5, 16), (8, block)):
        for case in cases(variant, "ccm", [2 * block + 3], nonce=True, aad={"pattern": 9}, nb=other):
            yield case, length
    for case in carries(variant, "ccm", nb=nb):
        yield case, 8


def mac_cases(variant):
    block = VARIANTS[variant][0]
    lengths = [1, *(n * block + d for n in (1, 2, 5) for d in (-1, 0, 1)), 17 * block + 9]
    for mode in ("cmac", "gmac"):
        for case in cases(variant, mode, lengths):
            yield case, block


def kw_cases(variant):
    """Up to more than 255 rounds; with padding also where it begins a block of its own."""
    block = VARIANTS[variant][0]
    yield from cases(variant, "kw", [block, 2 * block, 3 * block, 21 * block])
    yield from cases(variant, "kw-p", [block + 1, 3 * block // 2, 2 * block - 1, 3 * block + 5])


def families():
    """For each file: how the computed answers were made, and the cases with the lengths of their tags."""
    plain = "with the plain cipher and modes in kalyna.py"
    blocks = [1, 2, 3, 7, 9, 15, 17, 31, 33, 63, 65, 130]
    return {
        "kalyna": (plain, [(c,) for v, (l, *_) in VARIANTS.items() for c in cases(v, "ecb", [l * n for n in blocks])]),
        "kalyna_modes": (plain, [(case,) for variant in VARIANTS for case in modes_cases(variant)]),
        "kalyna_aeads": (plain, [case for variant in VARIANTS for case in aead_cases(variant)]),
        "kalyna_macs": (plain, [case for variant in VARIANTS for case in mac_cases(variant)]),
        "kalyna_kw": (plain, [(case,) for variant in VARIANTS for case in kw_cases(variant)]),
    }
