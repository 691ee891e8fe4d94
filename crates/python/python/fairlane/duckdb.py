"""Scalar functions for DuckDB: after `fairlane.duckdb.register(connection)`, `fairlane_keccak256(blob)` is one.

Each hash of fixed length has a function `fairlane_NAME` from BLOB to BLOB; the prefix keeps it apart from functions of
other extensions. It needs pyarrow. DuckDB calls Python for each batch: the loadable extension of docs/columns.md, whose
functions have the same names, is faster.
"""

from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow

from ._fairlane import algorithms_available, hash_many, new

__all__ = ["register"]


def register(connection: duckdb.DuckDBPyConnection, *, prefix: str = "fairlane_", threads: int = 1) -> None:
    """Make the functions known to a connection, in place of those of an earlier call."""
    hash_many("sm3", [], threads=threads)
    for name in sorted(algorithms_available):
        if new(name).digest_size:
            # DuckDB takes the name of the type as well as the type.
            types: Any = "BLOB"
            function: Any = _function(name, threads)
            function_name = prefix + name.replace("keccak_", "keccak")
            try:
                connection.remove_function(function_name)
            except duckdb.InvalidInputException:
                pass  # There was no earlier call.
            connection.create_function(function_name, function, [types], types, type="arrow")  # type: ignore


def _function(name: str, threads: int) -> Callable[[Any], Any]:
    def digests(column: Any) -> Any:
        return pyarrow.array(hash_many(name, column, threads=threads))

    return digests
