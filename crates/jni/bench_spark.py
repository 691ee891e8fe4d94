"""Times hashes of Spark by turns, in one process: python bench_spark.py JAR [ROWS [ROUNDS [EXPRESSION...]]]

JAR is the jar for Spark. A table of 100-byte rows is written as Parquet, and for each expression read and its result
thrown away, by one thread, or on the MASTER in the environment: local[2] is two threads, local-cluster[2,1,2048] two
executors of one core each, which leave their logs in SPARK_HOME/work. Prints the median of the seconds, what is above
the first expression's, and the median over the rounds of the ratio to sha2's time. With the Python package an arrow_udf
is timed, too, against one that returns its argument. CSV in the environment is a file that gets a line for each run, as
crates/python/draw_columns.py reads them.
"""

import contextlib
import csv
import os
import statistics
import sys
import tempfile
import time

import pyspark
from pyspark.sql import SparkSession

SHA2, IDENTITY = "sha2(data, 256)", "python_identity(data)"
EXPRESSIONS = (
    "data",
    SHA2,
    "md5(data)",
    "fairlane.keccak256(data)",
    "fairlane.sha3_256(data)",
    "fairlane.sm3(data)",
    # Not the whole column: row by row.
    "fairlane.keccak256(substr(data, 1, 100))",
)
NAMES = {
    "data": "the scan alone",
    IDENTITY: "arrow_udf, identity",
    "python_keccak256(data)": "fairlane.spark.hash_udf",
}


def register(session):
    """Python's functions, and the expressions that call them."""
    import pyarrow
    from pyspark.sql.functions import arrow_udf

    import fairlane.spark

    def identity(column: pyarrow.Array) -> pyarrow.Array:
        return column

    session.udf.register("python_identity", arrow_udf(identity, "binary"))
    session.udf.register("python_keccak256", fairlane.spark.hash_udf("keccak_256"))
    return IDENTITY, "python_keccak256(data)"


def main():
    jar, rows, rounds = sys.argv[1], *map(int, (sys.argv[2:4] + ["2000000", "5"])[:2])
    # Where the executors of a local-cluster are started from.
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master(os.environ.get("MASTER", "local[1]"))
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "4g")
        .config("spark.driver.extraClassPath", jar)
        .config("spark.executor.extraClassPath", jar)
        .config("spark.executor.memory", "2g")
        .config("spark.sql.catalog.fairlane", "io.github.fairlane.spark.HashCatalog")
        .config("spark.sql.extensions", "io.github.fairlane.spark.HashExtension")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    expressions = EXPRESSIONS
    with contextlib.suppress(ImportError):
        expressions += register(session)
    expressions = sys.argv[4:] or expressions
    with tempfile.TemporaryDirectory() as folder:
        table = os.environ.get("TABLE", folder + "/table")
        if not os.path.exists(table):
            row = "cast(rpad(concat(id, '-', sha2(cast(cast(id as string) as binary), 256)), 100, 'x') as binary) data"
            session.range(rows).selectExpr(row).repartition(8).write.option("compression", "none").parquet(table)
        frame = session.read.parquet(table)
        seconds = {expression: [] for expression in expressions}
        for number in range(rounds + 1):
            for expression in expressions:
                start = time.perf_counter()
                frame.selectExpr(expression).write.format("noop").mode("overwrite").save()
                # The first round is for the compiler of the virtual machine.
                if number:
                    seconds[expression].append(time.perf_counter() - start)
    session.stop()
    if "CSV" in os.environ:
        with open(os.environ["CSV"], "w", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            for expression, times in seconds.items():
                name = NAMES.get(expression, expression)
                lines.writerows([f"Spark {pyspark.__version__}", name, rows, f"{time:.4f}"] for time in times)
    scan = statistics.median(seconds[expressions[0]])
    for expression, times in seconds.items():
        median = statistics.median(times)
        line = f"{expression:40} {median:6.2f} s, {(median - scan) / rows * 1e9:4.0f} ns a row above the scan"
        other = IDENTITY if expression.startswith("python") else SHA2
        if other in seconds:
            ratios = sorted(whole / own for own, whole in zip(times, seconds[other]))
            line += f", {statistics.median(ratios):.2f} [{ratios[0]:.2f}, {ratios[-1]:.2f}] times as fast as {other}"
        print(line)


if __name__ == "__main__":
    main()
