"""Expressions for Polars: after `import fairlane.polars`, `polars.col("c").fairlane.keccak256()` is one.

The column holds binary data or text, and the result binary data; nulls stay nulls. Expressions work in lazy and
streaming queries, where each batch is one call of `fairlane.hash_many`.
"""

import polars

from ._fairlane import hash_many

__all__ = ["Expressions"]


@polars.api.register_expr_namespace("fairlane")
class Expressions:
    """The hashes of a column's values."""

    def __init__(self, expression: polars.Expr) -> None:
        self._expression = expression

    def hash(self, name: str, *, length: int | None = None, threads: int = 1) -> polars.Expr:
        """The hash of a name that `fairlane.new` takes; extendable-output functions need a length in bytes."""
        hash_many(name, [], length=length, threads=threads)  # raises what is wrong before the query runs

        def digests(column: polars.Series) -> polars.Series:
            made = polars.from_arrow(hash_many(name, column, length=length, threads=threads))
            assert isinstance(made, polars.Series)
            return made.rename(column.name)

        return self._expression.map_batches(digests, return_dtype=polars.Binary, is_elementwise=True)

    def keccak256(self, *, threads: int = 1) -> polars.Expr:
        """Keccak-256 with its original padding, as Ethereum uses it: not SHA3-256."""
        return self.hash("keccak_256", threads=threads)

    def sha3_256(self, *, threads: int = 1) -> polars.Expr:
        """SHA3-256."""
        return self.hash("sha3_256", threads=threads)

    def sm3(self, *, threads: int = 1) -> polars.Expr:
        """SM3."""
        return self.hash("sm3", threads=threads)
