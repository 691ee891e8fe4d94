"""Times hashes of Spark by turns, in one process: python bench_spark.py JAR [ROWS [ROUNDS [EXPRESSION...]]]

JAR is the jar for Spark. A table of 100-byte rows is written as Parquet, and for each expression read and its result
thrown away, with as many threads as THREADS in the environment says, or one. Prints the median of the seconds, what is
above the first expression's, and the median over the rounds of the ratio to sha2's time.
"""

import os
import statistics
import sys
import tempfile
import time

from pyspark.sql import SparkSession

EXPRESSIONS = (
    "data",
    "sha2(data, 256)",
    "md5(data)",
    "fairlane.keccak256(data)",
    "fairlane.sha3_256(data)",
    "fairlane.sm3(data)",
    # Not the whole column: row by row.
    "fairlane.keccak256(substr(data, 1, 100))",
)


def main():
    jar, rows, rounds = sys.argv[1], *map(int, (sys.argv[2:4] + ["2000000", "5"])[:2])
    expressions = sys.argv[4:] or EXPRESSIONS
    session = (
        SparkSession.builder.master(f"local[{os.environ.get('THREADS', '1')}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "4g")
        .config("spark.driver.extraClassPath", jar)
        .config("spark.sql.catalog.fairlane", "io.github.fairlane.spark.HashCatalog")
        .config("spark.sql.extensions", "io.github.fairlane.spark.HashExtension")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
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
    scan = statistics.median(seconds[expressions[0]])
    for expression, times in seconds.items():
        median = statistics.median(times)
        line = f"{expression:40} {median:6.2f} s, {(median - scan) / rows * 1e9:4.0f} ns a row above the scan"
        if sha2 := seconds.get("sha2(data, 256)"):
            ratios = sorted(other / own for own, other in zip(times, sha2))
            line += f", {statistics.median(ratios):.2f} [{ratios[0]:.2f}, {ratios[-1]:.2f}] times as fast as sha2"
        print(line)


if __name__ == "__main__":
    main()
