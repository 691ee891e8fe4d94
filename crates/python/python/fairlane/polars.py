"""Expressions for Polars: after `import fairlane.polars`, `polars.col("c").fairlane.keccak256()` is one.

The column holds binary data, text, categories, or lists or arrays of unsigned bytes; the result is binary data, and
nulls stay nulls. Expressions are those of a plugin: the engines, eager, lazy and streaming, call the compiled library
for each batch, and not Python.
"""

from pathlib import Path

import polars
from polars.plugins import register_plugin_function

from . import _fairlane

__all__ = ["Expressions"]

LIBRARY = Path(_fairlane.__file__)


@polars.api.register_expr_namespace("fairlane")
class Expressions:
    """The hashes of a column's values. `threads` are those of one batch; the streaming engine has threads itself."""

    def __init__(self, expression: polars.Expr) -> None:
        self._expression = expression

    def hash(self, name: str, *, length: int | None = None, threads: int = 1) -> polars.Expr:
        """The hash of a name that `fairlane.new` takes; extendable-output functions need a length in bytes."""
        _fairlane.hash_many(name, [], length=length, threads=threads)  # raises what is wrong before the query runs
        return register_plugin_function(
            plugin_path=LIBRARY,
            function_name="hash",
            args=[self._expression],
            kwargs={"job": f"{name} {'-' if length is None else int(length)} {int(threads)}"},
            is_elementwise=True,
        )

    def keccak224(self, *, threads: int = 1) -> polars.Expr:
        """Keccak with its original padding, 224 bits: not SHA3-224."""
        return self.hash("keccak_224", threads=threads)

    def keccak256(self, *, threads: int = 1) -> polars.Expr:
        """Keccak with its original padding, 256 bits, as Ethereum uses it: not SHA3-256."""
        return self.hash("keccak_256", threads=threads)

    def keccak384(self, *, threads: int = 1) -> polars.Expr:
        """Keccak with its original padding, 384 bits: not SHA3-384."""
        return self.hash("keccak_384", threads=threads)

    def keccak512(self, *, threads: int = 1) -> polars.Expr:
        """Keccak with its original padding, 512 bits: not SHA3-512."""
        return self.hash("keccak_512", threads=threads)

    def sha3_224(self, *, threads: int = 1) -> polars.Expr:
        """SHA3-224, of FIPS 202."""
        return self.hash("sha3_224", threads=threads)

    def sha3_256(self, *, threads: int = 1) -> polars.Expr:
        """SHA3-256, of FIPS 202."""
        return self.hash("sha3_256", threads=threads)

    def sha3_384(self, *, threads: int = 1) -> polars.Expr:
        """SHA3-384, of FIPS 202."""
        return self.hash("sha3_384", threads=threads)

    def sha3_512(self, *, threads: int = 1) -> polars.Expr:
        """SHA3-512, of FIPS 202."""
        return self.hash("sha3_512", threads=threads)

    def sm3(self, *, threads: int = 1) -> polars.Expr:
        """SM3, of GB/T 32905-2016."""
        return self.hash("sm3", threads=threads)

    def shake128(self, length: int, *, threads: int = 1) -> polars.Expr:
        """SHAKE128, of FIPS 202: `length` bytes."""
        return self.hash("shake_128", length=length, threads=threads)

    def shake256(self, length: int, *, threads: int = 1) -> polars.Expr:
        """SHAKE256, of FIPS 202: `length` bytes."""
        return self.hash("shake_256", length=length, threads=threads)

    def turboshake128(self, length: int, *, threads: int = 1) -> polars.Expr:
        """TurboSHAKE128, of RFC 9861: `length` bytes."""
        return self.hash("turboshake_128", length=length, threads=threads)

    def turboshake256(self, length: int, *, threads: int = 1) -> polars.Expr:
        """TurboSHAKE256, of RFC 9861: `length` bytes."""
        return self.hash("turboshake_256", length=length, threads=threads)

    def kt128(self, length: int, *, threads: int = 1) -> polars.Expr:
        """KT128, of RFC 9861: `length` bytes."""
        return self.hash("kt128", length=length, threads=threads)

    def kt256(self, length: int, *, threads: int = 1) -> polars.Expr:
        """KT256, of RFC 9861: `length` bytes."""
        return self.hash("kt256", length=length, threads=threads)
