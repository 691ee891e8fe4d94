"""Hashes of columns of Spark, by way of Arrow: a function for columns, and a transformation of whole frames.

Both run in Python's workers on each executor, where fairlane must be installed. Moving a column to a worker and back
costs more than hashing it: `map_in_arrow` moves it once for any number of hashes.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._fairlane import hash_many

__all__ = ["hash_udf", "map_in_arrow"]


def hash_udf(name: str, *, length: int | None = None) -> Callable[..., Any]:
    """A function from a column of binary data or text to its hashes, as binary data; nulls stay nulls.

    For example `frame.withColumn("hash", hash_udf("keccak_256")("data"))`. It needs Spark 4.1 or newer.
    """
    from pyspark.sql.functions import arrow_udf
    from pyspark.sql.types import BinaryType

    hash_many(name, [], length=length)

    # Its annotations tell Spark its kind, and must be types rather than text.
    import pyarrow

    def digests(column: pyarrow.Array) -> pyarrow.Array:
        return pyarrow.array(hash_many(name, column, length=length)).cast(pyarrow.binary())

    udf: Callable[..., Any] = arrow_udf(digests, BinaryType())
    return udf


def map_in_arrow(frame: Any, hashes: Mapping[str, tuple[str, str] | tuple[str, str, int]]) -> Any:
    """A frame with more columns: for each name in `hashes`, the hash of a column. Extendable outputs need a length.

    For example `map_in_arrow(frame, {"hash": ("keccak_256", "data"), "short": ("shake_128", "data", 20)})`. A name that
    a column has already raises `ValueError`, also if it differs only in case, unless `spark.sql.caseSensitive` is
    true. It needs Spark 3.3 or newer.
    """
    from pyspark.sql.types import BinaryType, StructType

    sensitive = str(frame.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true"
    same: Callable[[str], str] = str if sensitive else str.casefold
    taken = {same(column): column for column in frame.columns}
    schema = StructType(list(frame.schema.fields))
    wanted: dict[str, tuple[str, str, int | None]] = {}
    for column, (name, source, *rest) in hashes.items():
        (length,) = rest or (None,)
        hash_many(name, [], length=length)
        if same(column) in taken:
            raise ValueError(f"the frame has a column {taken[same(column)]!r} already")
        taken[same(column)] = column
        schema.add(column, BinaryType())
        wanted[column] = (name, source, length)

    def add(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            for column, (name, source, length) in wanted.items():
                digests = pyarrow.array(hash_many(name, batch.column(source), length=length))
                batch = batch.append_column(column, digests.cast(pyarrow.binary()))
            yield batch

    return frame.mapInArrow(add, schema)
