"""Columns that are sealed value by value."""

import pyarrow
import pytest
from test_aead import AEADS, made

import fairlane
from fairlane.arrow import open_column, seal_column

KEYS = {"2026": fairlane.XChaCha20Poly1305(bytes(range(32))), "old": fairlane.ChaCha20Poly1305(bytes(32))}
VALUES = [b"one", None, b"", b"four" * 100]
NONCES = [bytes([row]) * 24 for row in range(4)]


@pytest.mark.parametrize(
    "kind", [pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view(), pyarrow.string(), pyarrow.large_string()]
)
def test_round_trip(kind):
    column = pyarrow.array([None if v is None else v.decode() for v in VALUES]).cast(kind)
    nonces = pyarrow.array(NONCES, pyarrow.binary(24))
    sealed = seal_column(column, nonces, KEYS, "2026", associated_data=b"table t")
    assert sealed.null_count == 1 and len(sealed) == 4
    expected = KEYS["2026"].encrypt(NONCES[0], b"one", (4).to_bytes(8, "big") + b"2026table t" + NONCES[0])
    assert sealed[0].as_py() == expected
    assert open_column(sealed, nonces, KEYS, "2026", associated_data=b"table t").to_pylist() == VALUES
    chunked = pyarrow.chunked_array([sealed[:1], sealed[1:1], sealed[1:]])
    assert open_column(chunked, nonces, KEYS, "2026", associated_data=b"table t").to_pylist() == VALUES
    assert open_column(sealed[2:], nonces[2:], KEYS, "2026", associated_data=b"table t").to_pylist() == VALUES[2:]
    dictionary = column.cast(pyarrow.binary()).dictionary_encode()
    assert seal_column(dictionary, nonces, KEYS, "2026", associated_data=b"table t") == sealed
    assert seal_column(column[:0], nonces[:0], KEYS, "2026").to_pylist() == []


def test_forged_empty_values():
    nonces = pyarrow.array(NONCES, pyarrow.binary(24))
    sealed = seal_column(VALUES, nonces, KEYS, "2026").to_pylist()
    for row in (0, 2):
        forged = [*sealed[:row], bytes(16), *sealed[row + 1 :]]
        with pytest.raises(fairlane.InvalidTag):
            open_column(forged, nonces, KEYS, "2026")


def test_wrong_types():
    for keys, key in (({3: KEYS["2026"]}, 3), ({"a": b"bytes"}, "a")):
        with pytest.raises(TypeError):
            seal_column(VALUES, NONCES, keys, key)


def test_wrong_nonces():
    with pytest.raises(ValueError, match="row 3 has the nonce of row 0"):
        seal_column(VALUES, [*NONCES[:3], NONCES[0]], KEYS, "2026")
    # The nonce of a null is not used.
    seal_column(VALUES, [NONCES[0], NONCES[0], *NONCES[2:]], KEYS, "2026")
    seal_column(VALUES, [NONCES[0], None, *NONCES[2:]], KEYS, "2026")
    with pytest.raises(ValueError, match="row 0 has no nonce"):
        seal_column(VALUES, [None, *NONCES[1:]], KEYS, "2026")
    with pytest.raises(ValueError, match="row 0: the nonce has 24 bytes, not 12"):
        seal_column(VALUES, NONCES, KEYS, "old")
    with pytest.raises(ValueError, match="4 values need as many nonces, not 3"):
        seal_column(VALUES, NONCES[:3], KEYS, "2026")


def test_not_authentic():
    sealed = seal_column(VALUES, NONCES, KEYS, "2026").to_pylist()
    same = {**KEYS, "copy": KEYS["2026"]}
    with pytest.raises(fairlane.InvalidTag, match="row 0"):
        open_column(sealed, NONCES, same, "copy")
    with pytest.raises(fairlane.InvalidTag, match="row 0"):
        open_column(sealed, NONCES, KEYS, "2026", associated_data=b"other")
    sealed[3] = sealed[3][:-1] + bytes([sealed[3][-1] ^ 1])
    with pytest.raises(fairlane.InvalidTag, match="row 3"):
        open_column(sealed, NONCES, KEYS, "2026")
    with pytest.raises(fairlane.InvalidTag, match="row 0"):
        open_column([b"short"], NONCES[:1], KEYS, "2026")


@pytest.mark.parametrize("name", AEADS)
def test_another_nonce(name):
    # The tag of Kalyna's GCM alone does not cover it.
    keys = {"k": made(AEADS, name)}
    nonces = [bytes([row]) * keys["k"].nonce_size for row in range(2)]
    sealed = seal_column([b"one", b"two"], nonces, keys, "k")
    assert open_column(sealed, nonces, keys, "k").to_pylist() == [b"one", b"two"]
    for changed in (bytes([nonces[1][0] ^ 1]) + nonces[1][1:], nonces[1][:-1] + b"\x81"):
        with pytest.raises(fairlane.InvalidTag, match="row 1"):
            open_column(sealed, [nonces[0], changed], keys, "k")


def test_a_null_is_not_authenticated():
    sealed = [None, *seal_column(VALUES, NONCES, KEYS, "2026").to_pylist()[1:]]
    assert open_column(sealed, NONCES, KEYS, "2026").to_pylist() == [None, *VALUES[1:]]


def test_wrong_arguments():
    with pytest.raises(ValueError, match="no key is called '2027'"):
        seal_column(VALUES, NONCES, KEYS, "2027")
    with pytest.raises(TypeError, match="int64 holds neither bytes nor text"):
        seal_column([1, 2], NONCES[:2], KEYS, "2026")
