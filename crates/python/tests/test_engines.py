"""Columns of Polars, DuckDB and Spark, on the engines themselves."""

import random
import shutil
import sys

import pyarrow
import pytest

import fairlane

CHOSEN = random.Random(7)
VALUES = [None if CHOSEN.random() < 0.2 else CHOSEN.randbytes(CHOSEN.choice([0, 5, 32, 200])) for _ in range(5000)]


def expected(name, values=VALUES):
    return [None if value is None else fairlane.digest(name, value) for value in values]


def test_polars():
    polars = pytest.importorskip("polars")
    import fairlane.polars

    frame = polars.DataFrame({"data": VALUES, "text": [None if v is None else v.hex() for v in VALUES]})
    column = polars.col("data").fairlane
    for name, expression in (
        ("keccak_256", column.keccak256()),
        ("sha3_256", column.sha3_256(threads=2)),
        ("sm3", column.sm3()),
        ("sha3_512", column.hash("sha3-512")),
    ):
        made = frame.select(expression)
        assert made.columns == ["data"] and made.schema["data"] == polars.Binary
        assert made["data"].to_list() == expected(name)
    lazy = frame.lazy().filter(polars.col("data").is_not_null()).with_columns(hash=column.keccak256())
    present = [value for value in VALUES if value is not None]
    for engine in ("in-memory", "streaming"):
        assert lazy.collect(engine=engine)["hash"].to_list() == expected("keccak_256", present)
    text = frame.select(polars.col("text").fairlane.sm3())["text"].to_list()
    assert text == expected("sm3", [None if value is None else value.hex().encode() for value in VALUES])
    assert frame[:0].select(column.sm3())["data"].to_list() == []
    assert frame[13:77].select(column.sm3())["data"].to_list() == expected("sm3", VALUES[13:77])
    chunks = polars.concat([frame[:5], frame[5:5], frame[5:2000]], rechunk=False)
    assert chunks.select(column.sm3(threads=3))["data"].to_list() == expected("sm3", VALUES[:2000])
    constant = frame.with_columns(hash=polars.lit(b"abc").fairlane.sm3())["hash"]
    assert constant.to_list() == [fairlane.digest("sm3", b"abc")] * len(VALUES)
    groups = frame.group_by(polars.col("data").is_null()).agg(hash=column.sm3().first()).sort("data")
    assert groups["hash"].to_list() == [expected("sm3", [v for v in VALUES if v is not None][:1])[0], None]
    for length in (0, 5, 12, 13, 100):
        made = frame.select(column.hash("shake_128", length=length))["data"].to_list()
        assert made == [None if v is None else fairlane.digest("shake_128", v, length=length) for v in VALUES]
    for name in fairlane.algorithms_available:
        size = fairlane.new(name).digest_size
        expression = getattr(column, name.replace("shake_", "shake").replace("keccak_", "keccak"))
        made = frame[:50].select(expression() if size else expression(20))["data"].to_list()
        length = {} if size else {"length": 20}
        assert made == [None if v is None else fairlane.digest(name, v, **length) for v in VALUES[:50]]


def test_polars_types():
    polars = pytest.importorskip("polars")
    import fairlane.polars

    bytes_like = {
        "array": polars.Series([[97, 98], None, [99, 100], [97, 98]], dtype=polars.Array(polars.UInt8, 2)),
        "list": polars.Series([[97, 98], None, [99, 100], [97, 98]], dtype=polars.List(polars.UInt8)),
        "category": polars.Series(["ab", None, "cd", "ab"], dtype=polars.Categorical),
        "enum": polars.Series(["ab", None, "cd", "ab"], dtype=polars.Enum(["cd", "ab"])),
        "text": polars.Series(["ab", None, "cd", "ab"]),
    }
    frame = polars.DataFrame(bytes_like)
    for name in bytes_like:
        for part in (slice(None), slice(1, 3), slice(2, 2)):
            made = frame[part].select(polars.col(name).fairlane.sm3())[name].to_list()
            assert made == expected("sm3", [b"ab", None, b"cd", b"ab"][part])
    series = frame["text"]
    assert list(fairlane.hash_many("sm3", series)) == expected("sm3", [b"ab", None, b"cd", b"ab"])

    class OwnSeries(polars.Series):
        pass

    for values in (polars.Series([object()]), OwnSeries([object()])):
        with pytest.raises(TypeError, match="a column of objects has no bytes to hash"):
            fairlane.hash_many("sm3", values)
    for other in (frame, frame[:0], frame.lazy(), polars.col("text")):
        with pytest.raises(TypeError):
            fairlane.hash_many("sm3", other)
    nothing = polars.DataFrame({"data": [None, None]}).select(polars.col("data").fairlane.sm3())
    assert nothing["data"].to_list() == [None, None] and nothing.schema["data"] == polars.Binary


def test_polars_errors():
    polars = pytest.importorskip("polars")
    import fairlane.polars

    column = polars.col("data").fairlane
    with pytest.raises(ValueError, match="no hash is called 'md5'"):
        column.hash("md5")
    with pytest.raises(TypeError, match="give a length"):
        column.hash("shake_128")
    with pytest.raises(ValueError, match="threads must be at least 1"):
        column.sm3(threads=0)
    frame = polars.DataFrame({"data": [5], "list": [[1, None]]}, schema_overrides={"list": polars.List(polars.UInt8)})
    with pytest.raises(polars.exceptions.ComputeError, match="neither bytes nor text"):
        frame.select(column.sm3())
    with pytest.raises(polars.exceptions.ComputeError, match="neither bytes nor text"):
        frame[:0].lazy().select(column.sm3()).collect(engine="streaming")
    with pytest.raises(polars.exceptions.ComputeError, match="a null among them"):
        frame.select(polars.col("list").fairlane.sm3())

    # The library is called with arguments that the module would not make.
    from polars.plugins import register_plugin_function

    for arguments in (None, {"job": "md5 - 1"}, {"job": "sm3 - 0"}, {"job": "shake_128 - 1"}, {"other": "sm3 - 1"}):
        wrong = register_plugin_function(
            plugin_path=fairlane.polars.LIBRARY, function_name="hash", args=[polars.col("list")], kwargs=arguments
        )
        with pytest.raises(polars.exceptions.ComputeError, match="does not know"):
            frame.select(wrong)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    import fairlane.duckdb

    with duckdb.connect() as connection:
        fairlane.duckdb.register(connection)
        table = pyarrow.table({"number": range(len(VALUES)), "data": pyarrow.array(VALUES, pyarrow.binary())})
        connection.register("t", table)
        for name in ("keccak256", "sha3_256", "sm3", "sha3_512"):
            made = connection.sql(f"select fairlane_{name}(data) from t order by number").fetchall()
            assert [row[0] for row in made] == expected(name)
        constant = connection.sql("select fairlane_sm3('abc'::blob), fairlane_sm3(null)").fetchall()
        assert constant == [(fairlane.digest("sm3", b"abc"), None)]
        assert connection.sql("select fairlane_sm3(data) from t where number < 0").fetchall() == []
        with pytest.raises(duckdb.Error):
            connection.sql("select fairlane_sm3(5::int)").fetchall()
        fairlane.duckdb.register(connection, threads=2)
        assert connection.sql("select fairlane_sm3('abc'::blob)").fetchall() == [(fairlane.digest("sm3", b"abc"),)]
        with pytest.raises(ValueError, match="threads must be at least 1"):
            fairlane.duckdb.register(connection, threads=0)


def test_spark(monkeypatch):
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("no java here")
    # Its workers are to be of this environment, where fairlane is.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import sha2

    import fairlane.spark

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    try:
        rows = [(i, value) for i, value in enumerate(VALUES[:2000])]
        frame = session.createDataFrame(rows, "number long, data binary").repartition(3)
        wanted = {"k": ("keccak_256", "data"), "s": ("sm3", "data"), "x": ("shake_128", "data", 20)}
        made = fairlane.spark.map_in_arrow(frame, wanted)
        made = made.withColumn("u", fairlane.spark.hash_udf("sha3_256")("data")).orderBy("number").collect()
        for column, name in (("k", "keccak_256"), ("s", "sm3"), ("u", "sha3_256")):
            found = [None if row[column] is None else bytes(row[column]) for row in made]
            assert found == expected(name, VALUES[:2000])
        found = [None if row["x"] is None else bytes(row["x"]) for row in made]
        assert found == [None if v is None else fairlane.digest("shake_128", v, length=20) for v in VALUES[:2000]]
        with pytest.raises(ValueError, match="the frame has a column 'data' already"):
            fairlane.spark.map_in_arrow(frame, {"data": ("sm3", "data")})
        # Names that differ only in case are one name, unless the session says otherwise.
        with pytest.raises(ValueError, match="the frame has a column 'data' already"):
            fairlane.spark.map_in_arrow(frame, {"Data": ("sm3", "data")})
        with pytest.raises(ValueError, match="the frame has a column 'k' already"):
            fairlane.spark.map_in_arrow(frame, {"k": ("sm3", "data"), "K": ("sm3", "data")})
        session.conf.set("spark.sql.caseSensitive", "true")
        both = fairlane.spark.map_in_arrow(frame, {"Data": ("sm3", "data"), "DATA": ("keccak_256", "data")})
        assert both.columns == ["number", "data", "Data", "DATA"] and both.count() == 2000
        with pytest.raises(ValueError, match="the frame has a column 'data' already"):
            fairlane.spark.map_in_arrow(frame, {"data": ("sm3", "data")})
        session.conf.set("spark.sql.caseSensitive", "false")
        with pytest.raises(TypeError, match="give a length"):
            fairlane.spark.map_in_arrow(frame, {"k": ("shake_128", "data")})
        assert frame.select(sha2("data", 256)).count() == 2000
        assert fairlane.spark.map_in_arrow(frame.limit(0), {"k": ("sm3", "data")}).collect() == []
        with pytest.raises(ValueError, match="no hash is called 'md5'"):
            fairlane.spark.hash_udf("md5")
    finally:
        session.stop()
