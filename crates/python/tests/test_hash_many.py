"""hash_many: lists, arrays and Arrow columns."""

import ctypes
import gc
import os
import random
import subprocess
import sys
import threading
import tracemalloc

import numpy
import pyarrow
import pytest

import fairlane

XOFS = {"shake_128", "shake_256", "turboshake_128", "turboshake_256", "kt128", "kt256"}
NAMES = sorted(fairlane.algorithms_available)
COUNTS = [0, 1, 2, 7, 8, 9, 63, 64, 65, 1023, 1024, 1025, 3000]


def length_of(name):
    return {"length": 40} if name in XOFS else {}


def messages_of(count, seed=1):
    chosen = random.Random(seed)
    return [chosen.randbytes(chosen.choice([0, 1, 32, 100, 135, 136, 137, 500])) for _ in range(count)]


def one_by_one(name, messages):
    return [None if m is None else fairlane.digest(name, m, **length_of(name)) for m in messages]


@pytest.mark.parametrize("name", NAMES)
def test_lists(name):
    for count in COUNTS if name in ("keccak_256", "sm3") else [0, 1, 9, 100]:
        messages = messages_of(count)
        expected = one_by_one(name, messages)
        for threads in (1, 2, 5):
            assert fairlane.hash_many(name, messages, threads=threads, **length_of(name)) == expected
        assert fairlane.hash_many(name, tuple(messages), **length_of(name)) == expected
        assert fairlane.hash_many(name, iter(messages), **length_of(name)) == expected
        assert fairlane.hash_many(name, map(bytearray, messages), **length_of(name)) == expected
        out = bytearray(sum(map(len, expected)))
        assert fairlane.hash_many(name, messages, out=out, **length_of(name)) is out
        assert out == b"".join(expected)


@pytest.mark.parametrize("name", NAMES)
def test_arrays(name):
    chosen = numpy.random.default_rng(1)
    for count, width in [(0, 5), (1, 32), (9, 0), (9, 32), (100, 137), (3000, 33)]:
        array = chosen.integers(0, 256, (count, width), numpy.uint8)
        expected = one_by_one(name, [row.tobytes() for row in array])
        for threads in (1, 3):
            digests = fairlane.hash_many(name, array, threads=threads, **length_of(name))
            assert type(digests) is numpy.ndarray and digests.dtype == numpy.uint8
            assert digests.shape == (count, fairlane.new(name).digest_size or 40)
            assert [row.tobytes() for row in digests] == expected
        out = numpy.empty_like(digests)
        assert fairlane.hash_many(name, array, out=out, **length_of(name)) is out
        assert (out == digests).all()
        if count and width:
            view = memoryview(array.tobytes()).cast("B", (count, width))
            same = fairlane.hash_many(name, view, **length_of(name))
            assert isinstance(same, fairlane.Digests) and list(same) == expected
            assert (numpy.asarray(same) == digests).all()


def test_arrays_of_ctypes():
    rows = (ctypes.c_ubyte * 32 * 5)()
    for array in (rows, memoryview(rows)):
        assert list(fairlane.hash_many("sm3", array)) == [fairlane.digest("sm3", bytes(32))] * 5
    for wrong in ((ctypes.c_byte * 32 * 5)(), (ctypes.c_ushort * 32 * 5)()):
        with pytest.raises(ValueError, match="unsigned bytes as elements"):
            fairlane.hash_many("sm3", wrong)


def test_a_slice_of_rows_is_contiguous():
    array = numpy.arange(3200, dtype=numpy.uint16).astype(numpy.uint8).reshape(100, 32)
    digests = fairlane.hash_many("sm3", array[10:20])
    assert (digests == fairlane.hash_many("sm3", array)[10:20]).all()


def arrow_types():
    return [
        pyarrow.binary(),
        pyarrow.large_binary(),
        pyarrow.binary_view(),
        pyarrow.string(),
        pyarrow.large_string(),
        pyarrow.string_view(),
        pyarrow.binary(20),
        pyarrow.dictionary(pyarrow.int8(), pyarrow.binary()),
        pyarrow.dictionary(pyarrow.uint32(), pyarrow.string()),
        pyarrow.dictionary(pyarrow.int64(), pyarrow.large_binary()),
    ]


def values_of(kind, count, nulls):
    chosen = random.Random(count)
    kind = getattr(kind, "value_type", kind)
    fixed = kind.byte_width if pyarrow.types.is_fixed_size_binary(kind) else None
    text = "string" in str(kind)
    pool = []
    for _ in range(50):
        value = chosen.randbytes(fixed if fixed is not None else chosen.choice([0, 1, 11, 12, 13, 32, 200]))
        pool.append(value.hex() if text else value)
    return [None if nulls and chosen.random() < 0.3 else chosen.choice(pool) for _ in range(count)]


def as_bytes(values):
    return [value.encode() if isinstance(value, str) else value for value in values]


@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("kind", arrow_types(), ids=str)
def test_arrow(kind, nulls):
    name = "keccak_256"
    for count in [0, 1, 7, 8, 9, 100, 2000]:
        values = values_of(kind, count, nulls)
        array = pyarrow.array(values, kind)
        expected = one_by_one(name, as_bytes(values))
        for threads in (1, 2):
            digests = fairlane.hash_many(name, array, threads=threads)
            assert isinstance(digests, fairlane.Digests)
            back = pyarrow.array(digests)
            back.validate(full=True)
            assert back.type == pyarrow.binary(32)
            assert back.to_pylist() == expected == list(digests)
            assert digests.null_count == back.null_count == expected.count(None)
        for start, stop in [(1, count), (3, count - 5), (8, 16)]:
            sliced = fairlane.hash_many(name, array[start:stop])
            assert pyarrow.array(sliced).to_pylist() == expected[slice(start, start + len(array[start:stop]))]
        chunked = pyarrow.chunked_array([array[:3], array[3:3], array[3:11], array[11:]], kind)
        digests = fairlane.hash_many(name, chunked)
        assert pyarrow.array(digests).to_pylist() == expected
        column = pyarrow.chunked_array(digests)
        column.validate(full=True)
        assert column.type == pyarrow.binary(32) and column.to_pylist() == expected
        assert fairlane.hash_many(name, pyarrow.chunked_array([], kind)).null_count == 0
        if count and None not in expected:
            out = bytearray(32 * count)
            assert fairlane.hash_many(name, chunked, out=out) is out and out == b"".join(expected)


def test_more_rows_than_memory():
    def rows(count):
        """Rows without bytes, which need no memory."""
        return pyarrow.Array.from_buffers(pyarrow.binary(0), count, [None, pyarrow.py_buffer(b"")], null_count=0)

    for count in (2**58 - 1, 2**59 - 1, 2**59, 2**60):
        for chunks in ([rows(count)], [rows(1), rows(count)]):
            with pytest.raises(MemoryError, match="^no memory for"):
                fairlane.hash_many("sm3", pyarrow.chunked_array(chunks))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process's memory are Linux's")
def test_no_memory_for_bytes():
    program = """
import fairlane, resource
def limit(megabytes):
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (megabytes << 20), -1))
def fails(call):
    try:
        call()
    except MemoryError:
        return
    raise AssertionError("there was memory")
size = 64 << 20
digests = fairlane.hash_many("shake_128", memoryview(b"a").cast("B", (1, 1)), length=size)
limit(32)
fails(lambda: digests[0])
fails(lambda: fairlane.digest("shake_128", b"a", length=size))
limit(96)  # for the outputs, and not for a copy
fails(lambda: fairlane.hash_many("shake_128", [b"a"], length=size))
"""
    # The allocator of a free-threaded Python would have address space of 1 GiB from the beginning.
    environment = {**os.environ, "MIMALLOC_ARENA_RESERVE": "0"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment)
    assert done.returncode == 0, done


@pytest.mark.skipif(sys.platform != "linux", reason="the threads of a process are counted as Linux lists them")
@pytest.mark.parametrize("name", ["sm3", "kt128"])
def test_few_long_messages_have_threads(name):
    hashed, new = [], set()

    def work(messages):
        hashed[:] = fairlane.hash_many(name, messages, threads=3, **length_of(name))

    # A thread can be over before this one looks, so that messages become longer until all are seen.
    for megabytes in (1, 2, 4, 8, 16, 32, 64, 128):
        message = bytes(megabytes << 20)
        thread = threading.Thread(target=work, args=([message] * 3,))
        new.clear()
        before = set(os.listdir("/proc/self/task"))
        thread.start()
        while thread.is_alive():
            new |= set(os.listdir("/proc/self/task")) - before
        thread.join()
        assert hashed == [fairlane.digest(name, message, **length_of(name))] * 3 and len(new) <= 3
        if len(new) == 3:
            break
    assert len(new) == 3


def test_arrays_of_objects():
    objects = numpy.full((4, 16), None, dtype=object)
    fields = numpy.zeros(4, dtype=[("a", "u1"), ("O", "u1")])
    assert fairlane.sm3(fields).digest() == fairlane.sm3(bytes(8)).digest()
    for call in (
        lambda: fairlane.hash_many("sm3", [b"a"] * 16, out=objects),
        lambda: fairlane.sm3(objects),
        lambda: fairlane.ChaCha20(bytes(32), bytes(12)).update_in_place(objects),
        lambda: fairlane.sm3(numpy.zeros(4, dtype=[("a", "u1"), ("b", object)])),
    ):
        with pytest.raises(TypeError, match="array of objects"):
            call()
    assert (objects == None).all()  # noqa: E711


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a class in Python has no buffers")
def test_an_output_that_is_another_one_each_time():
    class Out:
        asked = 0

        def __buffer__(self, flags):
            self.asked += 1
            return memoryview(both) if self.asked == 1 else memoryview(both)[::-1]

    both = bytearray(4096)
    with pytest.raises(BufferError, match="not contiguous"):
        fairlane.hash_many("sm3", [b"a"] * 128, out=Out())
    assert both == bytes(4096)


def test_a_list_of_bytes_with_nulls_and_wild_offsets():
    offsets = numpy.array([1, 3, 16], "i4")
    child = pyarrow.array([None] + [1] * 15, pyarrow.uint8())
    buffers = [None, pyarrow.py_buffer(offsets)]
    lists = pyarrow.ListArray.from_buffers(pyarrow.list_(pyarrow.uint8()), 2, buffers, children=[child])
    assert len(fairlane.hash_many("sm3", lists)) == 2
    offsets[:] = [1, 10**6, 16]
    with pytest.raises(ValueError, match="malformed"):
        fairlane.hash_many("sm3", lists)


def test_digests_are_a_sequence():
    digests = fairlane.hash_many("sm3", pyarrow.array([b"a", b"b", None]))
    assert digests[-1] is None and digests[-3] == digests[0] == fairlane.digest("sm3", b"a")
    for index in (3, -4, 2**70, -(2**70)):
        with pytest.raises(IndexError):
            digests[index]
    with pytest.raises(TypeError):
        digests[:1]


class OwnArray(numpy.ndarray):
    pass


def test_a_class_made_of_numpys():
    made = fairlane.hash_many("sm3", numpy.zeros((3, 5), "u1").view(OwnArray))
    assert isinstance(made, numpy.ndarray) and made.shape == (3, 32)


def test_without_numpy(monkeypatch):
    # None is what forbids an import.
    for name in ("numpy", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    rows = memoryview(bytes(64)).cast("B", (2, 32))
    assert list(fairlane.hash_many("sm3", rows)) == [fairlane.digest("sm3", bytes(32))] * 2


def test_nulls_after_a_chunk_without():
    for first in range(20):
        for last in ([None], [b"x", None], [None, b"x"]):
            values = messages_of(first) + last
            chunks = [pyarrow.array(part, pyarrow.binary()) for part in (values[:first], last)]
            digests = fairlane.hash_many("sm3", pyarrow.chunked_array(chunks))
            assert digests.null_count == 1 and list(digests) == one_by_one("sm3", values)
            back = pyarrow.array(digests)
            back.validate(full=True)
            assert back.null_count == 1 and back.to_pylist() == list(digests)
            with pytest.raises(ValueError, match="has nulls"):
                fairlane.hash_many("sm3", pyarrow.chunked_array(chunks), out=bytearray(32 * len(values)))


@pytest.mark.parametrize("name", NAMES)
def test_arrow_hashes(name):
    values = messages_of(200) + [None]
    digests = fairlane.hash_many(name, pyarrow.array(values, pyarrow.binary()), **length_of(name))
    assert list(digests) == one_by_one(name, values)
    assert digests.digest_size == (fairlane.new(name).digest_size or 40)


def test_arrow_of_nulls_only():
    digests = fairlane.hash_many("sm3", pyarrow.nulls(5))
    assert list(digests) == [None] * 5 and pyarrow.array(digests).null_count == 5
    assert list(fairlane.hash_many("sm3", pyarrow.array([None] * 5, pyarrow.binary()))) == [None] * 5
    assert not numpy.asarray(digests).any()
    with pytest.raises(ValueError, match="the column has nulls"):
        fairlane.hash_many("sm3", pyarrow.nulls(5), out=bytearray(160))


def test_digests_go_through_arrow_again():
    once = fairlane.hash_many("keccak_256", pyarrow.array([b"a", None, b"b"]))
    twice = fairlane.hash_many("keccak_256", once)
    assert list(twice)[1] is None and twice[0] == fairlane.digest("keccak_256", once[0])
    assert repr(once) == "<3 digests of 32 bytes, 1 of them null>"
    with pytest.raises(IndexError):
        once[3]
    assert memoryview(once).readonly and memoryview(once).shape == (3, 32)
    assert numpy.frombuffer(once, numpy.uint8).tobytes() == bytes(once) == once[0] + bytes(32) + once[2]


def test_arrow_lives_as_long_as_needed():
    array = pyarrow.array(fairlane.hash_many("sm3", pyarrow.array(messages_of(1000))))
    view = memoryview(fairlane.hash_many("sm3", pyarrow.array(messages_of(1000))))
    schema, capsule = fairlane.hash_many("sm3", pyarrow.array(messages_of(10))).__arrow_c_array__()
    stream = fairlane.hash_many("sm3", pyarrow.array(messages_of(10))).__arrow_c_stream__()
    gc.collect()
    assert array.to_pylist() == one_by_one("sm3", messages_of(1000)) == [bytes(row) for row in numpy.asarray(view)]
    del schema, capsule, stream
    gc.collect()


def test_nothing_leaks():
    def work():
        column = pyarrow.chunked_array([pyarrow.array(messages_of(100) + [None])] * 3)
        for _ in range(200):
            pyarrow.array(fairlane.hash_many("keccak_256", column))
            fairlane.hash_many("keccak_256", column).__arrow_c_stream__()
            fairlane.hash_many("keccak_256", [bytearray(100)] * 50)
            with pytest.raises(TypeError):
                fairlane.hash_many("keccak_256", [b"", bytearray(10), 3])

    work()
    before = pyarrow.total_allocated_bytes()
    tracemalloc.start()
    work()
    gc.collect()
    assert pyarrow.total_allocated_bytes() <= before
    assert tracemalloc.get_traced_memory()[0] < 1_000_000
    tracemalloc.stop()
    array = bytearray(10)
    fairlane.hash_many("sm3", [array])
    array.append(1)  # released


def test_many_threads_at_once():
    array = numpy.random.default_rng(3).integers(0, 256, (5000, 50), numpy.uint8)
    expected, wrong = fairlane.hash_many("sha3_256", array), []

    def work():
        for _ in range(5):
            if (fairlane.hash_many("sha3_256", array, threads=2) != expected).any():
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_list_that_changes_meanwhile():
    messages, stop = [bytes([i % 256]) * 3000 for i in range(300)], threading.Event()

    def change():
        while not stop.is_set():
            messages.append(bytes(3000))
            messages.pop()
            messages[5] = bytes(3000)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(50):
            assert len(fairlane.hash_many("sm3", messages)) in (300, 301)
    finally:
        stop.set()
        thread.join()


def test_backends():
    messages = messages_of(50)
    expected = one_by_one("keccak_256", messages)
    for backend in fairlane.cpu()["primitives"]["keccak"]["available"]:
        assert fairlane.hash_many("keccak_256", messages, backend=backend) == expected
    for backend in ("sse9", "", "Scalar"):
        with pytest.raises(ValueError, match="^unknown backend"):
            fairlane.hash_many("keccak_256", messages, backend=backend)
    missing = [name for name in ("neon", "avx2") if name not in fairlane.cpu()["backends"]]
    with pytest.raises(ValueError, match="not available"):
        fairlane.hash_many("keccak_256", [], backend=missing[0])


class Wrong:
    """Has the interface of Arrow, and gives something else."""

    def __init__(self, name, value):
        setattr(self, name, lambda requested_schema=None: value)


def test_bad_input():
    many = fairlane.hash_many
    with pytest.raises(ValueError, match="^no hash is called"):
        many("md5", [])
    for messages in (b"one", bytearray(b"one"), "one"):
        with pytest.raises(TypeError, match="^several messages are needed"):
            many("sm3", messages)
    for messages in (None, 3, object()):
        with pytest.raises(TypeError):
            many("sm3", messages)
    for item in ("text", None, 3):
        with pytest.raises(TypeError, match="^message 2: a bytes-like object is required"):
            many("sm3", [b"", b"", item])
    with pytest.raises(BufferError, match="^message 1: the buffer is not contiguous"):
        many("sm3", [b"", memoryview(bytes(10))[::2]])
    with pytest.raises(ZeroDivisionError):
        many("sm3", (1 // 0 for _ in range(3)))

    wrong = [numpy.zeros(5, numpy.uint8), numpy.zeros((2, 2, 2), numpy.uint8), numpy.zeros((2, 2)), numpy.zeros(())]
    wrong += [numpy.zeros((2, 2), numpy.int8), numpy.zeros((2, 2), bool), numpy.zeros((2, 2), numpy.uint16)]
    for array in wrong:
        with pytest.raises(ValueError, match=r"has the shape \(n, k\), and unsigned bytes"):
            many("sm3", array)
    for array in (numpy.zeros((8, 8), numpy.uint8).T[:, ::2], numpy.zeros((8, 8), numpy.uint8)[:, :4]):
        with pytest.raises(BufferError, match="not contiguous"):
            many("sm3", array)
    with pytest.raises((TypeError, ValueError)):
        many("sm3", numpy.array([b"a", None], object))

    for column in (pyarrow.array([1, 2]), pyarrow.array([True]), pyarrow.array([[b"a"]]), pyarrow.array([1.5])):
        for same in (column, pyarrow.chunked_array([column]), column[:0], pyarrow.array([], column.type)):
            with pytest.raises(TypeError, match="holds neither bytes nor text"):
                many("sm3", same)
    with pytest.raises(TypeError, match=r"format '\+s' holds neither"):
        many("sm3", pyarrow.table({"a": [b"x"]}))
    for name in ("__arrow_c_array__", "__arrow_c_stream__"):
        for value in (None, 3, (1, 2), (), "text", object()):
            with pytest.raises((TypeError, ValueError, IndexError)):
                many("sm3", Wrong(name, value))
    digests = many("sm3", pyarrow.array([b"a"]))
    schema, array = digests.__arrow_c_array__()
    with pytest.raises(ValueError):
        many("sm3", Wrong("__arrow_c_array__", (array, schema)))
    pyarrow.Array._import_from_c_capsule(schema, array)
    with pytest.raises(ValueError, match="already released"):
        many("sm3", Wrong("__arrow_c_array__", (schema, array)))
    stream = digests.__arrow_c_stream__()
    pyarrow.chunked_array(Wrong("__arrow_c_stream__", stream))
    with pytest.raises(ValueError, match="already released"):
        many("sm3", Wrong("__arrow_c_stream__", stream))


@pytest.mark.parametrize("name", ["__arrow_c_array__", "__arrow_c_stream__"])
def test_capsules_are_consumed(name):
    digests = fairlane.hash_many("sm3", pyarrow.array([b"a", None]))
    # A producer that gives the same capsules again and again.
    kept = Wrong(name, getattr(digests, name)())
    taken, refused = [], []

    def take():
        try:
            taken.append(fairlane.hash_many("sm3", kept))
        except ValueError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # In a free-threaded Python one thread may have the schema, and another one the array.
    assert len(taken) == 1 or name == "__arrow_c_array__" and not taken
    assert all(list(each) == one_by_one("sm3", digests) for each in taken)
    assert len(taken) + len(refused) == 8 and all("already released" in error for error in refused)
    with pytest.raises(ValueError):
        pyarrow.array(kept) if name == "__arrow_c_array__" else pyarrow.chunked_array(kept)


def test_a_stream_that_fails():
    def batches():
        yield pyarrow.record_batch({"a": [b"x"]})
        raise KeyError("no more")

    reader = pyarrow.RecordBatchReader.from_batches(pyarrow.schema({"a": pyarrow.binary()}), batches())
    with pytest.raises(TypeError, match="holds neither"):
        fairlane.hash_many("sm3", reader)


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("schema", "next", "last_error", "release", "private_data")]


@pytest.mark.parametrize("reason, said", [(b"the disk is full", "the disk is full"), (None, "code 5")])
def test_a_stream_that_fails_after_an_array(reason, said):
    capsule = pyarrow.chunked_array([[b"x"], [b"y"]]).__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = Stream.from_address(pointer(capsule, b"arrow_array_stream"))
    following = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    text = ctypes.create_string_buffer(reason) if reason else None
    given, filled = following(stream.next), []

    def get_next(stream, array):
        filled.append(array)
        return given(stream, array) if len(filled) == 1 else 5

    def get_last_error(stream):
        return text and ctypes.addressof(text)

    # What is behind the addresses stays until the end of the test.
    kept = [following(get_next), ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(get_last_error)]
    stream.next, stream.last_error = (ctypes.cast(function, ctypes.c_void_p).value for function in kept)
    out = bytearray(64)
    with pytest.raises(RuntimeError, match=f"^the Arrow stream failed: {said}$"):
        fairlane.hash_many("sm3", Wrong("__arrow_c_stream__", capsule), out=out)
    assert len(filled) == 2 and out == bytes(64) and not stream.release


def test_bad_outputs():
    messages, array = [b"a", b"b"], numpy.zeros((2, 5), numpy.uint8)
    for given in (messages, array, pyarrow.array(messages)):
        for out in (bytearray(63), bytearray(65), bytearray(), numpy.empty((2, 31), numpy.uint8)):
            before = bytes(out)
            with pytest.raises(ValueError, match="^the output has .* bytes, but"):
                fairlane.hash_many("sm3", given, out=out)
            assert bytes(out) == before
        readonly = numpy.zeros((2, 32), numpy.uint8)
        readonly.setflags(write=False)
        for out in (bytes(64), readonly, memoryview(bytes(64))):
            with pytest.raises(BufferError, match="^the output is read-only"):
                fairlane.hash_many("sm3", given, out=out)
        with pytest.raises(BufferError, match="not contiguous"):
            fairlane.hash_many("sm3", given, out=numpy.zeros((2, 64), numpy.uint8)[:, ::2])
        for out in ("text", 3, []):
            with pytest.raises(TypeError, match="bytes-like"):
                fairlane.hash_many("sm3", given, out=out)
    same = numpy.zeros((4, 32), numpy.uint8)
    with pytest.raises(BufferError, match="^the output overlaps"):
        fairlane.hash_many("sm3", same, out=same)
    with pytest.raises(BufferError, match="^the output overlaps"):
        fairlane.hash_many("sm3", same[:2], out=same[1:3])
    assert fairlane.hash_many("sm3", same[:2], out=same[2:]).any()
    # A list's messages are read before the output is written.
    own = bytearray(64)
    fairlane.hash_many("sm3", [own, b"b"], out=own)
    assert own == fairlane.digest("sm3", bytes(64)) + fairlane.digest("sm3", b"b")
    out = bytearray(64)
    with pytest.raises(TypeError):
        fairlane.hash_many("sm3", [b"a", 3], out=out)
    assert out == bytes(64)


def test_lengths_and_threads():
    for threads in (0, -1, -(1 << 40)):
        with pytest.raises(ValueError, match="threads must be at least 1"):
            fairlane.hash_many("sm3", [], threads=threads)
    for threads in (1.5, "2", None):
        with pytest.raises(TypeError):
            fairlane.hash_many("sm3", [], threads=threads)
    assert fairlane.hash_many("sm3", [b"a"] * 9, threads=1 << 40) == [fairlane.digest("sm3", b"a")] * 9
    with pytest.raises(TypeError, match="give a length"):
        fairlane.hash_many("shake_128", [])
    with pytest.raises(ValueError, match="from 0 to"):
        fairlane.hash_many("shake_128", [], length=-1)
    assert fairlane.hash_many("shake_128", [b"", b"a"], length=0) == [b"", b""]
    assert len(fairlane.hash_many("shake_128", pyarrow.array([b"", b"a"]), length=0)) == 2
    assert fairlane.hash_many("shake_128", numpy.zeros((3, 5), numpy.uint8), length=0).shape == (3, 0)
    with pytest.raises((MemoryError, OverflowError)):
        fairlane.hash_many("shake_128", [b""] * (1 << 20), length=(1 << 29) - 1)
