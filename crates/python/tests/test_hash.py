"""Hashes: known answers, and the manners of hashlib."""

import copy
import hashlib
import hmac
import io
import pickle
import subprocess
import sys
import sysconfig
import threading

import pytest
import vectors

import fairlane

LENGTHS = [0, 1, 31, 32, 33, 71, 72, 135, 136, 137, 143, 144, 145, 168, 500, 2047, 2048, 2049, 8192, 100_000]
XOFS = {"shake_128", "shake_256", "turboshake_128", "turboshake_256", "kt128", "kt256"}
NAMES = sorted(fairlane.algorithms_available)


def length_of(name):
    return (40,) if name in XOFS else ()


def message(length):
    return bytes(i * 7 % 251 for i in range(length))


def hash_cases():
    for file in ["keccak", "sha3", "shake", "turboshake", "kt128", "kt256", "sm3"]:
        for i, case in enumerate(vectors.cases(file)):
            if case.get("domain", 31) == 31 and not case.get("customization"):
                yield pytest.param(case, id=f"{file}-{i}")


@pytest.mark.parametrize("case", list(hash_cases()))
def test_known_answers(case):
    text, output, skip = vectors.data(case["message"]), bytes.fromhex(case["output"]), case.get("skip", 0)
    hasher = fairlane.new(case["function"])
    hasher.update(text[:77])
    hasher.update(memoryview(text)[77:])
    length = (skip + len(output),) if hasher.name in XOFS else ()
    assert hasher.digest(*length)[skip:] == output
    assert hasher.hexdigest(*length)[2 * skip :] == output.hex()
    assert fairlane.new(case["function"], text).digest(*length)[skip:] == output
    assert fairlane.digest(case["function"], text, length=length[0] if length else None)[skip:] == output


@pytest.mark.parametrize("name", ["sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake_128", "shake_256"])
def test_as_hashlib(name):
    ours, theirs = getattr(fairlane, name), getattr(hashlib, name)
    for length in LENGTHS:
        data = message(length)
        assert ours(data).digest(*length_of(name)) == theirs(data).digest(*length_of(name))
        assert ours(data).hexdigest(*length_of(name)) == theirs(data).hexdigest(*length_of(name))
    for attribute in ["name", "digest_size", "block_size"]:
        assert getattr(ours(), attribute) == getattr(theirs(), attribute)
    assert ours(b"abc", usedforsecurity=False).digest(*length_of(name)) == theirs(b"abc").digest(*length_of(name))
    assert ours(data=b"abc").digest(*length_of(name)) == theirs(b"abc").digest(*length_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_pieces_and_copies(name):
    n = length_of(name)
    for length in LENGTHS:
        data = message(length)
        whole = getattr(fairlane, name)(data).digest(*n)
        for step in (1, 50, 136, 5000):
            if length // step > 1000:
                continue
            hasher = fairlane.new(name)
            for start in range(0, length, step):
                hasher.update(data[start : start + step])
            assert hasher.digest(*n) == whole
            assert hasher.digest(*n) == whole, "a digest ends nothing"
        half = fairlane.new(name, data[: length // 2])
        for other in (half.copy(), copy.copy(half)):
            other.update(data[length // 2 :])
            assert other.digest(*n) == whole
        assert half.digest(*n) == fairlane.new(name, data[: length // 2]).digest(*n)


@pytest.mark.parametrize("name", NAMES)
def test_backends(name):
    n, backends = length_of(name), fairlane.cpu()["backends"]
    chosen = 0
    for backend in backends:
        try:
            hasher = fairlane.new(name, backend=backend)
        except ValueError as error:
            assert "no kernel" in str(error)
            continue
        chosen += 1
        hasher.update(message(500))
        assert hasher.digest(*n) == fairlane.new(name, message(500)).digest(*n)
        assert getattr(fairlane, name)(b"abc", backend=backend).digest(*n) == fairlane.new(name, b"abc").digest(*n)
        expected = fairlane.digest(name, b"abc", length=n[0] if n else None)
        assert fairlane.digest(name, b"abc", length=n[0] if n else None, backend=backend) == expected
    assert chosen
    with pytest.raises(ValueError, match="^unknown backend; backends are scalar"):
        fairlane.new(name, backend="sse9")


def test_hmac():
    cases = vectors.cases("hmac_sm3")
    for case in cases:
        key, text = vectors.data(case["key"]), vectors.data(case["message"])
        for digestmod in (fairlane.sm3, lambda data=b"": fairlane.new("sm3", data)):
            mac = hmac.new(key, text, digestmod)
            assert mac.hexdigest() == case["output"]
        assert mac.name == "hmac-sm3"
        assert hmac.digest(key, text, fairlane.sm3).hex() == case["output"]
    ours, theirs = hmac.new(b"key", b"text", fairlane.sha3_256), hmac.new(b"key", b"text", hashlib.sha3_256)
    assert ours.digest() == theirs.digest() and ours.copy().digest() == theirs.digest()


@pytest.mark.parametrize("name", NAMES)
def test_file_digest(name, tmp_path):
    n, data = length_of(name), message(1_000_000)
    path = tmp_path / "file"
    path.write_bytes(data)
    expected = fairlane.new(name, data).digest(*n)
    with path.open("rb") as file:
        assert hashlib.file_digest(file, getattr(fairlane, name)).digest(*n) == expected
    assert hashlib.file_digest(io.BytesIO(data), lambda: fairlane.new(name)).digest(*n) == expected


def test_buffers_without_copies():
    data = message(5000)
    expected = fairlane.sm3(data).digest()
    for same in (bytearray(data), memoryview(data), memoryview(data).cast("B", (50, 100)), memoryview(data).cast("H")):
        assert fairlane.sm3(same).digest() == expected
    array = bytearray(data)
    fairlane.sm3(array)
    array.append(1)  # not held any more
    import numpy

    assert fairlane.sm3(numpy.frombuffer(data, numpy.uint8)).digest() == expected
    assert fairlane.sm3(numpy.frombuffer(data, numpy.uint16).reshape(50, 50)).digest() == expected
    assert fairlane.sm3(numpy.zeros((0, 5), numpy.uint8)).digest() == fairlane.sm3().digest()
    assert fairlane.sm3(memoryview(data)[100:4900]).digest() == fairlane.sm3(data[100:4900]).digest()


def test_attributes():
    assert fairlane.keccak_256().name == "keccak_256"
    assert fairlane.keccak_256().digest_size == 32
    assert fairlane.keccak_256().block_size == 136
    assert fairlane.kt128().digest_size == 0
    assert len(fairlane.algorithms_available) == 15
    for name in NAMES:
        hasher = fairlane.new(name)
        assert hasher.name == name and isinstance(hasher, fairlane.Hash)
        assert repr(hasher) == f"<{name} fairlane.Hash>"
        assert getattr(fairlane, name).__doc__
        with pytest.raises(AttributeError):
            hasher.name = "other"


def test_other_threads_run_meanwhile():
    # The counter stands still while a thread holds the interpreter.
    data, counted, stop = bytes(40_000_000), [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        thread.start()
        before = counted[0]
        fairlane.sha3_512(data)
        meanwhile = counted[0] - before
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    assert meanwhile > 1000


def test_a_free_threaded_interpreter_stays_so():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this interpreter is not free-threaded")
    program = "import sys, fairlane; sys.exit(sys._is_gil_enabled())"
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_one_object_in_many_threads():
    # Updates of equal pieces: the result does not depend on their order, but on each being whole.
    for size in (10, 5000):
        hasher = fairlane.sha3_256()

        def work():
            for _ in range(200):
                hasher.update(b"x" * size)
                hasher.copy().digest()

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert hasher.digest() == hashlib.sha3_256(b"x" * size * 1600).digest()


def test_lengths_of_outputs():
    for name in sorted(XOFS):
        hasher = fairlane.new(name, b"abc")
        long = hasher.digest(100_000)
        for length in (0, 1, 63, 64, 65, 5000):
            assert hasher.digest(length) == long[:length] == hasher.digest(length=length)
            assert hasher.hexdigest(length) == long[:length].hex()
            assert fairlane.digest(name, b"abc", length=length) == long[:length]
        with pytest.raises(TypeError, match="give a length"):
            hasher.digest()
        for wrong in (-1, 1 << 29, 1 << 62):
            with pytest.raises(ValueError, match="from 0 to 536870911"):
                hasher.digest(wrong)
            with pytest.raises(ValueError, match="from 0 to 536870911"):
                hasher.hexdigest(wrong)
        with pytest.raises(OverflowError):
            hasher.digest(1 << 70)
    assert fairlane.sm3().digest(32) == fairlane.sm3().digest()
    with pytest.raises(ValueError, match="the length of sm3 is 32 bytes"):
        fairlane.sm3().digest(31)


def test_bad_input():
    import numpy

    for name in ("md5", "", "SHA3_256", "sha3\n256", "\0", "sha3_256 "):
        with pytest.raises(ValueError, match="^no hash is called '.*'; there are keccak224, .*sm3$"):
            fairlane.new(name)
        with pytest.raises(ValueError, match="^no hash is called"):
            fairlane.digest(name, b"")
    for name in (None, 3, b"sm3"):
        with pytest.raises(TypeError):
            fairlane.new(name)
    for data in ("text", None, 3, [1, 2], object()):
        for call in (fairlane.sm3, fairlane.sm3().update, lambda data: fairlane.digest("sm3", data)):
            with pytest.raises(TypeError, match="a bytes-like object is required, not"):
                call(data)
    strided = [memoryview(bytes(100))[::2], numpy.zeros((10, 10), numpy.uint8)[:, ::2]]
    strided += [numpy.zeros((10, 10), numpy.uint8).T[1:], numpy.asfortranarray(numpy.zeros((10, 10), numpy.uint8))]
    for data in strided:
        for call in (fairlane.sm3, fairlane.sm3().update, lambda data: fairlane.digest("sm3", data)):
            with pytest.raises(BufferError, match="^the buffer is not contiguous"):
                call(data)
    released = memoryview(bytes(5))
    released.release()
    with pytest.raises(ValueError):
        fairlane.sm3(released)
    with pytest.raises(TypeError):
        fairlane.Hash()
    with pytest.raises(TypeError):
        fairlane.sm3(b"", b"")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(fairlane.sm3(), protocol)
