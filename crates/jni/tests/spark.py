"""The tests of the jar for Spark: python spark.py JAR. The oracle is hashlib."""

import hashlib
import sys

from pyspark.sql import SparkSession

session = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.extraClassPath", sys.argv[1])
    .config("spark.sql.catalog.fairlane", "io.github.fairlane.spark.HashCatalog")
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
session.stop()
print("Spark: all tests passed")
