"""Columns that are encrypted value by value, with a key that has a name, and a column of nonces.

`seal_column` and `open_column` take and return Arrow arrays; nulls stay nulls. The key's name and the nonce are
authenticated with every value, so that a value cannot be passed off as one under another name or nonce. It needs
pyarrow.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow

from ._fairlane import Aead, InvalidTag

__all__ = ["open_column", "seal_column"]


def seal_column(
    column: Any, nonces: Any, keys: Mapping[str, Aead], key: str, *, associated_data: bytes = b""
) -> pyarrow.Array:
    """Encrypt each value of a column of binary data or text with the key of a name and the nonce of its row.

    A nonce that stands twice in the column, is missing or has the wrong size raises `ValueError`. Nonces of earlier
    calls are not known: under one key the caller uses each only once.
    """
    cipher, authenticated = _cipher(keys, key, associated_data)
    rows = list(_rows(column, nonces, cipher.nonce_size))
    first: dict[bytes, int] = {}
    for row, value, nonce in rows:
        if value is not None and first.setdefault(nonce, row) != row:
            raise ValueError(f"row {row} has the nonce of row {first[nonce]}: under one key a nonce is used once")
    sealed = [
        None if value is None else cipher.encrypt(nonce, value, authenticated + nonce) for _, value, nonce in rows
    ]
    return pyarrow.array(sealed, pyarrow.large_binary())


def open_column(
    column: Any, nonces: Any, keys: Mapping[str, Aead], key: str, *, associated_data: bytes = b""
) -> pyarrow.Array:
    """Decrypt each value of a column that `seal_column` made.

    If any value is not authentic, `fairlane.InvalidTag` names the row, and nothing is returned. A null is not
    authenticated: a value that was replaced by a null opens as a null.
    """
    cipher, authenticated = _cipher(keys, key, associated_data)
    opened: list[bytes | None] = []
    for row, value, nonce in _rows(column, nonces, cipher.nonce_size):
        try:
            opened.append(None if value is None else cipher.decrypt(nonce, value, authenticated + nonce))
        except InvalidTag as error:
            raise InvalidTag(f"row {row}: {error}") from None
    return pyarrow.array(opened, pyarrow.large_binary())


def _cipher(keys: Mapping[str, Aead], key: str, associated_data: bytes) -> tuple[Aead, bytes]:
    """The cipher of a key's name, and what is authenticated with every value: the name with its length, and the data.

    The nonce of each row follows, which the tag of Kalyna's GCM does not cover by itself.
    """
    if not isinstance(key, str):
        raise TypeError(f"the name of a key is a str, not {type(key).__name__}")
    if key not in keys:
        raise ValueError(f"no key is called {key!r}")
    if not isinstance(keys[key], Aead):
        raise TypeError(f"the key {key!r} is not a fairlane.Aead but {type(keys[key]).__name__}")
    name = key.encode()
    return keys[key], len(name).to_bytes(8, "big") + name + associated_data


def _rows(column: Any, nonces: Any, size: int) -> Iterator[tuple[int, bytes | None, bytes]]:
    """Each row's number, value and nonce."""
    values, given = _bytes(column), _bytes(nonces)
    if len(values) != len(given):
        raise ValueError(f"{len(values)} values need as many nonces, not {len(given)}")
    for row, (value, nonce) in enumerate(zip(values, given, strict=True)):
        if value is not None and nonce is None:
            raise ValueError(f"row {row} has no nonce")
        if value is not None and len(nonce) != size:
            raise ValueError(f"row {row}: the nonce has {len(nonce)} bytes, not {size}")
        yield row, value, nonce or b""


def _bytes(column: Any) -> list[Any]:
    array = column if isinstance(column, pyarrow.ChunkedArray) else pyarrow.array(column)
    if pyarrow.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    values: list[Any] = array.to_pylist()
    for row, value in enumerate(values):
        if isinstance(value, str):
            values[row] = value.encode()
        elif value is not None and not isinstance(value, bytes):
            raise TypeError(f"a column of {array.type} holds neither bytes nor text")
    return values
