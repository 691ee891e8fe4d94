"""The extension in DuckDB itself: python -m pytest test_extension.py, with FAIRLANE_EXTENSION set to its file."""

import os
import random

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
