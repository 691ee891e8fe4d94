"""AEADs and stream ciphers: known answers, the shapes of the package cryptography, and bad input."""

import copy
import pickle
import threading

import numpy
import pytest
import vectors

import fairlane

AEADS = {
    "chacha20-poly1305": fairlane.ChaCha20Poly1305,
    "xchacha20-poly1305": fairlane.XChaCha20Poly1305,
    "kusumi512-poly1305": fairlane.Kusumi512Poly1305,
    "sm4-gcm": fairlane.SM4GCM,
    "sm4-ccm": fairlane.SM4CCM,
}
STREAMS = {
    "xchacha20": fairlane.XChaCha20,
    "chacha20": fairlane.ChaCha20,
    "chacha12": fairlane.ChaCha12,
    "chacha8": fairlane.ChaCha8,
    "kusumi512": fairlane.Kusumi512,
    "sm4-ctr": fairlane.SM4CTR,
    "threefish512-ctr": fairlane.Threefish512CTR,
}
for size in ("128_128", "128_256", "256_256", "256_512", "512_512"):
    kalyna = "kalyna" + size.replace("_", "-")
    AEADS[kalyna + "-gcm"] = getattr(fairlane, f"Kalyna{size}GCM")
    AEADS[kalyna + "-ccm"] = getattr(fairlane, f"Kalyna{size}CCM")
    STREAMS[kalyna + "-ctr"] = getattr(fairlane, f"Kalyna{size}CTR")


def cases(files, classes):
    for file in files:
        for i, case in enumerate(vectors.cases(file)):
            name = case["function"].replace("kalyna-", "kalyna")
            if name in classes:
                yield pytest.param(name, case, id=f"{file}-{i}")


def made(classes, name):
    """An object of a class under any key, and with any nonce."""
    base = classes[name].__mro__[1]
    sizes = {"sm4": (16, 16), "threefish512": (64, 64), "kusumi512": (64, 12), "xchacha20": (32, 24)}
    key, nonce = sizes.get(name.split("-")[0], (32, 12))
    if name.startswith("kalyna"):
        nonce, key = (int(bits) // 8 for bits in name.removeprefix("kalyna").split("-")[:2])
    return classes[name](bytes(range(key))) if base is fairlane.Aead else classes[name](bytes(key), bytes(nonce))


def aead_cases():
    files = ["chacha20_poly1305", "xchacha20_poly1305", "kusumi512_poly1305", "sm4_gcm", "sm4_ccm", "kalyna_aeads"]
    # Kalyna's have shorter tags, nonces and CCM's lengths in the library, too.
    return [
        chosen
        for chosen in cases(files, AEADS)
        if len(chosen.values[1]["nonce"]) // 2 == made(AEADS, chosen.values[0]).nonce_size
        and len(chosen.values[1]["tag"]) // 2 == made(AEADS, chosen.values[0]).tag_size
        and chosen.values[1].get("nb", 4) == 4
    ]


def test_every_algorithm_is_here():
    text = "an unknown name"
    for base, classes, args in ((fairlane.Aead, AEADS, (b"",)), (fairlane.StreamCipher, STREAMS, (b"", b""))):
        with pytest.raises(ValueError, match=f"is called '{text}'; there are ") as raised:
            base(text, *args)
        assert set(str(raised.value).split("there are ")[1].split(", ")) == set(classes)


@pytest.mark.parametrize("name, case", aead_cases())
def test_aead_known_answers(name, case):
    key, nonce, plain = bytes.fromhex(case["key"]), bytes.fromhex(case["nonce"]), vectors.data(case["plaintext"])
    aad, skip = vectors.data(case.get("aad", "")), case.get("skip", 0)
    expected = bytes.fromhex(case["ciphertext"]) + bytes.fromhex(case["tag"])
    aead = fairlane.Aead(name, key)
    if name.startswith("kalyna") and not plain:
        pytest.skip("Kalyna's AEADs are not defined for empty messages")
    for aead in (aead, AEADS[name](key)):
        sealed = aead.encrypt(nonce, plain, aad)
        assert sealed[skip:] == expected
        assert aead.decrypt(nonce, sealed, aad) == plain


@pytest.mark.parametrize("name", AEADS)
def test_aeads(name):
    aead = made(AEADS, name)
    assert isinstance(aead, fairlane.Aead) and aead.name == name and type(aead).__doc__
    nonce, aad = bytes(aead.nonce_size), b"associated"
    assert len(type(aead).generate_key()) == aead.key_size
    assert type(aead).generate_key() != type(aead).generate_key()
    for length in (1, 15, 16, 17, 100, 2047, 2048, 70_000):
        plain = bytes(i % 255 for i in range(length))
        sealed = aead.encrypt(nonce, plain, aad)
        assert len(sealed) == length + aead.tag_size
        assert aead.decrypt(nonce, sealed, aad) == plain
        assert aead.encrypt(nonce=nonce, data=bytearray(plain), associated_data=memoryview(aad)) == sealed
        assert aead.encrypt(nonce, plain) == aead.encrypt(nonce, plain, None) == aead.encrypt(nonce, plain, b"")
        out = bytearray(len(sealed))
        assert aead.encrypt_into(nonce, plain, aad, out) == len(sealed) and out == sealed
        back = numpy.zeros(length, numpy.uint8)
        assert aead.decrypt_into(nonce, sealed, aad, back) == length and back.tobytes() == plain
    for wrong in (sealed[:-1], sealed[1:], sealed + b"x", b"", sealed[: aead.tag_size - 1], bytes(len(sealed))):
        with pytest.raises(fairlane.InvalidTag, match="^the tag is not that of the message$"):
            aead.decrypt(nonce, wrong, aad)
    changed = bytearray(sealed)
    for place in (0, length // 2, len(sealed) - 1):
        changed[place] ^= 1
        back[:] = 7
        with pytest.raises(fairlane.InvalidTag):
            aead.decrypt_into(nonce, changed, aad, back)
        assert (back == 7).all(), "the output is unchanged"
        changed[place] ^= 1
    others = [(nonce, b"other"), (nonce, None), (b"\1" * len(nonce), aad)]
    # The tag of Kalyna's GCM does not cover the nonce.
    for other_nonce, other_aad in others[:2] if name.startswith("kalyna") and name.endswith("gcm") else others:
        with pytest.raises(fairlane.InvalidTag):
            aead.decrypt(other_nonce, sealed, other_aad)
    if name.startswith("kalyna"):
        with pytest.raises(ValueError, match="not defined for empty messages"):
            aead.encrypt(nonce, b"")
    else:
        assert aead.decrypt(nonce, aead.encrypt(nonce, b"")) == b""


@pytest.mark.parametrize("name", AEADS)
def test_empty_messages_are_authenticated(name):
    aead = made(AEADS, name)
    nonce, back = bytes(aead.nonce_size), bytearray()
    for tag in (bytes(aead.tag_size), b"\xff" * aead.tag_size):
        with pytest.raises((fairlane.InvalidTag, ValueError)):
            aead.decrypt(nonce, tag, b"a")
        with pytest.raises((fairlane.InvalidTag, ValueError)):
            aead.decrypt_into(nonce, tag, b"a", back)
    if name.startswith("kalyna"):
        return
    sealed = aead.encrypt(nonce, b"", b"a")
    assert aead.decrypt(nonce, sealed, b"a") == b"" and aead.decrypt_into(nonce, sealed, b"a", back) == 0
    for bit in range(8 * len(sealed)):
        changed = bytearray(sealed)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(fairlane.InvalidTag):
            aead.decrypt(nonce, changed, b"a")
    for other_nonce, other_aad in ((nonce, b"b"), (nonce, None), (b"\1" * len(nonce), b"a")):
        with pytest.raises(fairlane.InvalidTag):
            aead.decrypt(other_nonce, sealed, other_aad)
    with pytest.raises(ValueError, match="^the length of the nonce is"):
        aead.decrypt(nonce + b"x", sealed, b"a")


@pytest.mark.parametrize("name", AEADS)
def test_aeads_with_bad_input(name):
    aead = made(AEADS, name)
    make, nonce = type(aead), bytes(aead.nonce_size)
    for length in (0, 1, aead.key_size - 1, aead.key_size + 1):
        with pytest.raises(ValueError, match=f"^the length of the key is {length} bytes instead of {aead.key_size}$"):
            make(bytes(length))
    for length in (0, aead.nonce_size - 1, aead.nonce_size + 1):
        for call in (aead.encrypt, aead.decrypt):
            with pytest.raises(ValueError, match=f"^the length of the nonce is {length} bytes instead of"):
                call(bytes(length), bytes(100))
    for wrong in (None, "text", 3, [1]):
        with pytest.raises(TypeError):
            make(wrong)
        for call in (aead.encrypt, aead.decrypt):
            with pytest.raises(TypeError):
                call(wrong, bytes(100))
            with pytest.raises(TypeError):
                call(nonce, wrong)
    with pytest.raises(TypeError):
        aead.encrypt(nonce, bytes(100), "text")
    with pytest.raises(BufferError, match="not contiguous"):
        aead.encrypt(nonce, memoryview(bytes(100))[::3])
    with pytest.raises(ValueError, match="unknown backend"):
        make(bytes(aead.key_size), backend="sse9")
    both = bytearray(200)
    with pytest.raises(BufferError, match="overlaps"):
        aead.encrypt_into(nonce, memoryview(both)[:50], None, memoryview(both)[10 : 60 + aead.tag_size])
    parts = memoryview(both)
    sealed, plain = parts[: 50 + aead.tag_size], parts[:50]
    for call, data, output in ((aead.encrypt_into, bytes(50), sealed), (aead.decrypt_into, bytes(sealed), plain)):
        with pytest.raises(BufferError, match="overlaps"):
            call(nonce, data, parts[49:60], output)
        with pytest.raises(BufferError, match="overlaps"):
            call(parts[: aead.nonce_size], data, None, output)
    assert both == bytes(200)
    with pytest.raises(BufferError, match="read-only"):
        aead.encrypt_into(nonce, b"abc", None, bytes(3 + aead.tag_size))
    for call in (aead.encrypt_into, aead.decrypt_into):
        with pytest.raises(ValueError, match="^the length of the output is 3 bytes instead of"):
            call(nonce, bytes(100), None, bytearray(3))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match=f"cannot pickle '{make.__name__}' object: it holds a secret"):
            pickle.dumps(aead, protocol)
    with pytest.raises(TypeError):
        copy.deepcopy(aead)
    assert repr(aead) == f"<fairlane.{make.__name__} {name}>"


@pytest.mark.parametrize("name", AEADS)
def test_aead_backends(name):
    aead, tried = made(AEADS, name), 0
    key, nonce = bytes(range(aead.key_size)), bytes(aead.nonce_size)
    for backend in fairlane.cpu()["backends"]:
        try:
            other = type(aead)(key, backend=backend)
        except ValueError as error:
            assert "no kernel" in str(error)
            continue
        tried += 1
        assert other.encrypt(nonce, bytes(1000), b"a") == aead.encrypt(nonce, bytes(1000), b"a")
    assert tried


def test_as_the_package_cryptography():
    aead = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead")
    key, nonce = fairlane.ChaCha20Poly1305.generate_key(), bytes(12)
    ours, theirs = fairlane.ChaCha20Poly1305(key), aead.ChaCha20Poly1305(key)
    for length in (0, 1, 100, 5000):
        assert ours.encrypt(nonce, bytes(length), b"a") == theirs.encrypt(nonce, bytes(length), b"a")
        assert ours.encrypt(nonce, bytes(length), None) == theirs.encrypt(nonce, bytes(length), None)


def stream_cases():
    return list(cases(["chacha20", "xchacha20", "kusumi512", "sm4_ctr", "threefish", "kalyna_modes"], STREAMS))


@pytest.mark.parametrize("name, case", stream_cases())
def test_stream_known_answers(name, case):
    key, nonce, plain = bytes.fromhex(case["key"]), bytes.fromhex(case["nonce"]), vectors.data(case["plaintext"])
    expected, skip = bytes.fromhex(case["ciphertext"]), case.get("skip", 0)
    cipher = STREAMS[name](key, nonce)
    # Kusumi-512's messages begin at block 1, the others' at block 0.
    size, first = (100, 1) if name == "kusumi512" else (64, 0)
    position = size * (case.get("counter", first) - first)
    if not 0 <= position < 1 << 64:
        pytest.skip("not a position of 64 bits")
    cipher.seek(position)
    assert cipher.update(plain)[skip:] == expected
    assert fairlane.StreamCipher(name, key, nonce).name == name


@pytest.mark.parametrize("name", STREAMS)
def test_streams(name):
    cipher = made(STREAMS, name)
    data = bytes(i % 250 for i in range(10_000))
    whole = cipher.update(data)
    assert cipher.tell() == 10_000
    for start in (0, 1, 63, 64, 5000):
        cipher.seek(start)
        assert cipher.tell() == start and cipher.update(data[start:]) == whole[start:]
    cipher.seek(0)
    assert b"".join(cipher.update(data[i : i + 77]) for i in range(0, len(data), 77)) == whole
    cipher.seek(0)
    out = numpy.empty(len(data), numpy.uint8)
    assert cipher.update_into(data, out) == len(data) and out.tobytes() == whole
    cipher.seek(0)
    assert cipher.update_in_place(out) is None and out.tobytes() == data
    assert cipher.update(b"") == b""


@pytest.mark.parametrize("name", STREAMS)
def test_streams_with_bad_input(name):
    cipher = made(STREAMS, name)
    make, key, nonce = type(cipher), bytes(cipher.key_size), bytes(cipher.nonce_size)
    with pytest.raises(ValueError, match="^the length of the key is 5 bytes instead of"):
        make(bytes(5), nonce)
    with pytest.raises(ValueError, match="^the length of the (IV|nonce) is 5 bytes instead of"):
        make(key, bytes(5))
    for wrong in (None, "text", 3):
        for call in (lambda x: make(x, nonce), lambda x: make(key, x), cipher.update, cipher.update_in_place):
            with pytest.raises(TypeError):
                call(wrong)
    with pytest.raises(BufferError, match="read-only"):
        cipher.update_in_place(bytes(10))
    same = bytearray(10)
    with pytest.raises(BufferError, match="overlaps"):
        cipher.update_into(same, same)
    with pytest.raises(ValueError, match="^the length of the output is 9 bytes instead of 10$"):
        cipher.update_into(bytes(10), bytearray(9))
    for position in (-1, 1 << 64):
        with pytest.raises(OverflowError):
            cipher.seek(position)
    with pytest.raises(TypeError):
        cipher.seek(1.5)
    with pytest.raises(TypeError, match="it holds a secret"):
        pickle.dumps(cipher)
    assert cipher.tell() == 0, "nothing was used"
    with pytest.raises(TypeError, match="it holds a secret"):
        copy.copy(cipher)


def test_the_end_of_a_keystream():
    cipher = fairlane.ChaCha20(bytes(32), bytes(12))
    cipher.seek((64 << 32) - 10)
    with pytest.raises(ValueError, match="^longer than the algorithm is defined for$"):
        cipher.update(bytes(100))
    with pytest.raises(ValueError, match="^longer than"):
        cipher.seek((64 << 32) + 1)


def test_one_stream_in_many_threads():
    cipher, pieces = fairlane.ChaCha20(bytes(32), bytes(12)), []

    def work():
        for size in (100, 5000):
            for _ in range(20):
                pieces.append(cipher.update(bytes(size)))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cipher.tell() == sum(map(len, pieces)) == 6 * 20 * 5100
    whole = fairlane.ChaCha20(bytes(32), bytes(12)).update(bytes(cipher.tell()))
    assert len(set(pieces)) == len(pieces) and all(piece in whole for piece in pieces)


def test_one_key_in_many_threads():
    # A key has no state: what one thread does is seen by no other.
    aead, wrong = fairlane.XChaCha20Poly1305(bytes(32)), []
    nonces = [bytes([i]) * 24 for i in range(6)]
    expected = [[aead.encrypt(nonce, bytes(size), b"") for size in (100, 5000)] for nonce in nonces]

    def work(nonce, sealed):
        for _ in range(40):
            for size, each in zip((100, 5000), sealed, strict=True):
                if aead.encrypt(nonce, bytes(size), b"") != each or aead.decrypt(nonce, each, b"") != bytes(size):
                    wrong.append(nonce)
                try:
                    aead.decrypt(nonce, each[:-1] + bytes([each[-1] ^ 1]), b"")
                    wrong.append(nonce)
                except fairlane.InvalidTag:
                    pass

    threads = [threading.Thread(target=work, args=arguments) for arguments in zip(nonces, expected, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
