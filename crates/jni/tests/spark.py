"""The tests of the jar for Spark: python spark.py JAR. The oracle is hashlib."""

import hashlib
import sys
import tempfile

from pyspark.sql import SparkSession

session = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.extraClassPath", sys.argv[1])
    .config("spark.sql.catalog.fairlane", "io.github.fairlane.spark.HashCatalog")
    .config("spark.sql.extensions", "io.github.fairlane.spark.HashExtension")
    .getOrCreate()
)
session.sparkContext.setLogLevel("OFF")
values = [None if i % 7 == 0 else bytes([i % 251]) * i for i in range(1500)]
frame = session.createDataFrame(list(enumerate(values)), "number long, data binary").repartition(5)
rows = frame.selectExpr("data", "fairlane.sha3_256(data) s", "fairlane.keccak256(cast('' as binary)) k").collect()
assert len(rows) == len(values)
for row in rows:
    expected = None if row.data is None else hashlib.sha3_256(bytes(row.data)).digest()
    assert (None if row.s is None else bytes(row.s)) == expected
    assert bytes(row.k).hex().startswith("c5d2460186f7233c")
assert frame.limit(0).selectExpr("fairlane.sm3(data)").collect() == []
for expression, message in (
    ("fairlane.md5(data)", "UNRESOLVED_ROUTINE"),
    ("fairlane.sm3(number)", "sm3 takes one column of binary data"),
    ("fairlane.sm3(data, data)", "sm3 takes one column of binary data"),
):
    try:
        frame.selectExpr(expression)
    except Exception as error:
        assert message in str(error), error
    else:
        raise AssertionError(expression)


def plan(frame):
    return frame._jdf.queryExecution().executedPlan().toString()


def check(rows, value, digest, hash):
    for row in rows:
        value_of, digest_of = row[value], row[digest]
        expected = None if value_of is None else hash(bytes(value_of)).digest()
        assert (None if digest_of is None else bytes(digest_of)) == expected


# Batches of Parquet: plain pages, dictionaries, nulls only, nothing, and rows that are longer than a batch's room.
assert "HashBatches" not in plan(frame.selectExpr("fairlane.sm3(data)"))
columns = [
    (i, value, bytes([i % 3]) * 50, None, b"" if i % 2 else b"%d" % i * 5000)
    for i, value in enumerate(values + values)
]
table = session.createDataFrame(columns, "number long, data binary, few binary, none binary, long binary")
with tempfile.TemporaryDirectory() as folder:
    table.coalesce(1).write.parquet(folder + "/table")
    table.limit(0).write.parquet(folder + "/empty")
    table = session.read.parquet(folder + "/table")
    for column in ("data", "few", "none", "long"):
        hashed = table.selectExpr("number", column, f"fairlane.sha3_256({column}) digest")
        assert "HashBatches" in plan(hashed)
        rows = hashed.collect()
        assert [row.number for row in rows] == list(range(len(columns)))
        check(rows, column, "digest", hashlib.sha3_256)
    several = table.selectExpr(
        "upper(hex(fairlane.sha3_512(data))) text",
        "fairlane.sha3_256(few) few",
        "if(number > 5, fairlane.sha3_224(data), null) some",
        "data",
        "few message",
    )
    assert plan(several).count("HashBatches") == 1
    rows = several.collect()
    check(rows, "message", "few", hashlib.sha3_256)
    check(rows[6:], "data", "some", hashlib.sha3_224)
    assert all(row.some is None for row in rows[:6])
    for row in rows:
        assert row.text == (None if row.data is None else hashlib.sha3_512(bytes(row.data)).hexdigest().upper())
    # The same hash twice is one expression, and another hash another one.
    twice = table.selectExpr("fairlane.sm3(few) a", "fairlane.sm3(few) b", "fairlane.sha3_256(few) c")
    assert plan(twice).count("fairlane.sm3.invoke") == 1, plan(twice)
    assert twice.where("a = b and a <> c").count() == len(columns)
    for name, frame in (("parquet", table), ("rows", session.createDataFrame(columns[:90], table.schema))):
        frame.createOrReplaceTempView(name)
        grouped = session.sql(
            f"select fairlane.sha3_256(few) digest, count(*) number from {name} group by fairlane.sha3_256(few)"
        )
        assert {(bytes(row.digest), row.number) for row in grouped.collect()} == {
            (hashlib.sha3_256(bytes([i]) * 50).digest(), frame.count() // 3) for i in range(3)
        }
    one, other = (f"select fairlane.{hash}(few) h, count(*) n from parquet group by 1" for hash in ("sm3", "sha3_256"))
    assert session.sql(f"select h from ({one}) union all select h from ({other})").distinct().count() == 6
    assert session.sql(f"select a.h from ({one}) a join ({one}) b on a.h = b.h").count() == 3
    # Under a shuffle, a filter and a join, some of which Spark plans while the query runs.
    assert table.selectExpr("fairlane.sm3(few) digest").groupBy("digest").count().count() == 3
    assert table.selectExpr("fairlane.sm3(data) digest").where("digest is null").count() == 2 * values.count(None)
    twice = table.selectExpr("number", "fairlane.sha3_256(data) a").join(
        table.selectExpr("number", "data", "fairlane.sha3_256(data) b"), "number"
    )
    check(twice.collect(), "data", "a", hashlib.sha3_256)
    assert twice.where("a = b").count() == len(columns) - 2 * values.count(None)
    assert session.read.parquet(folder + "/empty").selectExpr("fairlane.sm3(data)").collect() == []
    table.selectExpr("data", "fairlane.sha3_256(data) digest").write.parquet(folder + "/hashed")
    check(session.read.parquet(folder + "/hashed").collect(), "data", "digest", hashlib.sha3_256)
session.stop()
print("Spark: all tests passed")
