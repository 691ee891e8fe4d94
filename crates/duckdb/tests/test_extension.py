"""The extension in DuckDB itself: python -m pytest test_extension.py, with FAIRLANE_EXTENSION set to its file."""

import os
import random
import resource
import subprocess
import sys

import duckdb
import pytest

import fairlane

EXTENSION = os.environ["FAIRLANE_EXTENSION"]
CHOSEN = random.Random(5)
LENGTHS = [0, 1, 4, 5, 11, 12, 13, 32, 100, 135, 136, 137, 5000]
VALUES = [None if CHOSEN.random() < 0.2 else CHOSEN.randbytes(CHOSEN.choice(LENGTHS)) for _ in range(6000)]


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as connection:
        connection.execute(f"LOAD '{EXTENSION}'")
        connection.execute("CREATE TABLE t (number BIGINT, data BLOB, length BIGINT)")
        rows = [(i, value, None if i % 11 == 0 else i % 40) for i, value in enumerate(VALUES)]
        for first in range(0, len(rows), 1000):
            part = rows[first : first + 1000]
            marks = ", ".join(["(?, ?, ?)"] * len(part))
            connection.execute(f"INSERT INTO t VALUES {marks}", [value for row in part for value in row])
        yield connection


def resident():
    """The most memory that the process has had, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10


def first(connection, query):
    return [row[0] for row in connection.execute(query).fetchall()]


def test_every_hash(connection):
    for name in fairlane.algorithms_available:
        size = fairlane.new(name).digest_size
        function = "fairlane_" + name.replace("keccak_", "keccak").replace("shake_", "shake")
        length = {} if size else {"length": 45}
        made = first(connection, f"SELECT {function}(data{'' if size else ', 45'}) FROM t ORDER BY number")
        assert made == [None if v is None else fairlane.digest(name, v, **length) for v in VALUES]


def test_known_answer(connection):
    (empty,) = first(connection, "SELECT hex(fairlane_keccak256(''))")
    assert empty == "C5D2460186F7233C927E7DB2DCC703C0E500B653CA82273B7BFAD8045D85A470"


def test_lengths_by_row(connection):
    made = first(connection, "SELECT fairlane_shake256(data, length) FROM t ORDER BY number")
    for i, (value, found) in enumerate(zip(VALUES, made, strict=True)):
        if value is None or i % 11 == 0:
            assert found is None
        else:
            assert found == fairlane.digest("shake_256", value, length=i % 40)


def test_constants_and_text(connection):
    abc = fairlane.digest("sm3", b"abc")
    assert connection.execute("SELECT fairlane_sm3('abc'), fairlane_sm3('abc'::BLOB)").fetchall() == [(abc, abc)]
    assert first(connection, "SELECT fairlane_sm3(NULL::BLOB)") == [None]
    assert first(connection, "SELECT fairlane_sm3('abc') FROM range(5000)") == [abc] * 5000
    assert first(connection, "SELECT fairlane_sm3(NULL) FROM range(3)") == [None] * 3
    text = "täxt, " * 3
    assert first(connection, f"SELECT fairlane_sm3('{text}')") == [fairlane.digest("sm3", text.encode())]


def test_slices_and_dictionaries(connection):
    assert first(connection, "SELECT fairlane_sm3(data) FROM t WHERE number < 0") == []
    wanted = range(1501, len(VALUES), 3)[:1000]
    query = "SELECT fairlane_sm3(data) FROM t WHERE number % 3 = 1 ORDER BY number LIMIT 1000 OFFSET 500"
    answers = [None if VALUES[i] is None else fairlane.digest("sm3", VALUES[i]) for i in wanted]
    assert first(connection, query) == answers
    # A join gives vectors whose rows are chosen from others.
    query = "SELECT fairlane_sm3(a.data) FROM t a JOIN range(0, 6000, 7) r(i) ON a.number = r.i ORDER BY r.i"
    assert first(connection, query) == [None if v is None else fairlane.digest("sm3", v) for v in VALUES[::7]]
    letters = "SELECT fairlane_sm3(chr(65 + (i % 7)::INT)) h FROM range(50000) r(i)"
    query = f"SELECT count(*), count(DISTINCT h) FROM ({letters})"
    assert connection.execute(query).fetchall() == [(50000, 7)]


def test_results_stay(connection):
    connection.execute("CREATE OR REPLACE TABLE u AS SELECT number, fairlane_keccak512(data) AS hash FROM t")
    made = first(connection, "SELECT hash FROM u ORDER BY hash NULLS FIRST")
    answers = sorted((fairlane.digest("keccak_512", v) for v in VALUES if v is not None))
    assert made == [None] * (len(VALUES) - len(answers)) + answers


def test_long(connection):
    (made,) = first(connection, "SELECT fairlane_sha3_256(repeat('x', 50000000))")
    assert made == fairlane.digest("sha3_256", b"x" * 50_000_000)
    (made,) = first(connection, "SELECT fairlane_kt128('x', 65536)")
    assert made == fairlane.digest("kt128", b"x", length=65536)


@pytest.mark.parametrize("query, error", [
    ("fairlane_sm3(5)", "No function matches"),
    ("fairlane_sm3()", "No function matches"),
    ("fairlane_shake128('a')", "No function matches"),
    ("fairlane_shake128('a', -1)", "the length must be from 0 to 65536, not -1"),
    ("fairlane_shake128('a', 65537)", "the length must be from 0 to 65536, not 65537"),
])
def test_errors(connection, query, error):
    with pytest.raises(duckdb.Error, match=error):
        connection.execute(f"SELECT {query}").fetchall()


def test_unsigned_extensions_are_refused_by_default():
    with duckdb.connect() as plain, pytest.raises(duckdb.Error, match="unsigned"):
        plain.execute(f"LOAD '{EXTENSION}'")


def test_two_databases():
    for _ in range(2):
        with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as other:
            other.execute(f"LOAD '{EXTENSION}'")
            assert first(other, "SELECT fairlane_sm3('abc')") == [fairlane.digest("sm3", b"abc")]


def test_no_memory():
    # 2048 rows of the longest results are more than DuckDB may take: the query fails, and nothing of it is left.
    query = "SELECT count(fairlane_shake128(i::VARCHAR, 65536)) FROM range(5000) r(i)"
    config = {"allow_unsigned_extensions": "true", "memory_limit": "100MB", "threads": "1"}
    with duckdb.connect(config=config) as small:
        small.execute(f"LOAD '{EXTENSION}'")
        before = resident()
        for _ in range(4):
            with pytest.raises(duckdb.OutOfMemoryException):
                small.execute(query).fetchall()
        assert resident() - before < 200 << 20
        assert first(small, "SELECT fairlane_sm3('abc')") == [fairlane.digest("sm3", b"abc")]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process's memory are Linux's")
@pytest.mark.parametrize("megabytes", [60, 140, 200])
def test_no_memory_in_the_process(megabytes):
    program = f"""
import duckdb, resource
connection = duckdb.connect(config={{"allow_unsigned_extensions": "true", "threads": "1"}})
connection.execute("LOAD '{EXTENSION}'")
connection.execute("SELECT fairlane_sm3('abc')").fetchall()
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + ({megabytes} << 20), -1))
try:
    connection.execute("SELECT count(fairlane_shake128(i::VARCHAR, 65536)) FROM range(5000) r(i)").fetchall()
except duckdb.Error as error:
    print("an error of DuckDB:", error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and "an error of DuckDB" in done.stdout, done


@pytest.mark.skipif(sys.platform != "linux", reason="the library's file is that of Linux")
def test_another_duckdb_in_the_process(tmp_path):
    # DuckDB a second time, from a copy of its library: what the first has loaded must not be called with its objects.
    program = f"""
import ctypes, duckdb, shutil, _duckdb
def load(file):
    config, database, connection = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    other.duckdb_create_config(ctypes.byref(config))
    other.duckdb_set_config(config, b"allow_unsigned_extensions", b"true")
    assert other.duckdb_open_ext(None, ctypes.byref(database), config, None) == 0
    assert other.duckdb_connect(database, ctypes.byref(connection)) == 0
    result = (ctypes.c_char * 256)()
    failed = other.duckdb_query(connection, b"LOAD '%s'" % file.encode(), result)
    other.duckdb_result_error.restype = ctypes.c_char_p
    if failed:
        return other.duckdb_result_error(result).decode()
    assert other.duckdb_query(connection, b"SELECT fairlane_sm3(i::VARCHAR) FROM range(3000) r(i)", result) == 0
    return "loaded"
first = duckdb.connect(config={{"allow_unsigned_extensions": "true"}})
first.execute("LOAD '{EXTENSION}'")
shutil.copy(_duckdb.__file__, "{tmp_path}/other.so")
other = ctypes.CDLL("{tmp_path}/other.so")
print(load("{EXTENSION}"))
shutil.copy("{EXTENSION}", "{tmp_path}/fairlane.duckdb_extension")
print(load("{tmp_path}/fairlane.duckdb_extension"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and "another DuckDB in this process" in lines[0] and lines[-1] == "loaded", done
