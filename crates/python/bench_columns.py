"""Times hashes of a column in Polars and DuckDB on two threads, beside the hashes that these engines have already.

    POLARS_MAX_THREADS=2 python bench_columns.py [--csv FILE] [EXTENSION]

EXTENSION is fairlane.duckdb_extension, of crates/duckdb/package. Polars' other hashes are those of polars-hash, if it
is installed. Rows are texts of 100 bytes. The expressions of an engine run in turns; each figure is the median of all
rounds, with the slowest and the fastest. FILE gets a line for each run, which draw_columns.py draws.
"""

import argparse
import csv
import statistics
import sys
import time

import polars

import fairlane.polars

ROWS = 2_000_000
ROUNDS = 9


def race(engine, runs):
    """Prints rows a second; yields (engine, function, rows, seconds) for each run."""
    seconds = {name: [] for name in runs}
    for number in range(ROUNDS + 1):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            # The first round warms memory and caches.
            if number:
                seconds[name].append(time.perf_counter() - start)
    print(f"{engine}, M rows/s: median [slowest, fastest]")
    for name, times in seconds.items():
        median, slowest, fastest = (ROWS / 1e6 / f(times) for f in (statistics.median, max, min))
        print(f"  {name:30}{median:6.1f} [{slowest:.1f}, {fastest:.1f}]", flush=True)
        yield from ([engine, name, ROWS, f"{time:.4f}"] for time in times)


def in_polars():
    numbers = polars.select(polars.int_range(ROWS).cast(polars.String).str.zfill(20)).to_series()
    frame = polars.DataFrame({"data": numbers + numbers + numbers + numbers + numbers}).rechunk()
    column = polars.col("data")
    expressions = {
        "length": column.str.len_bytes(),
        "fairlane keccak256": column.fairlane.keccak256(),
        "fairlane sha3_256": column.fairlane.sha3_256(),
        "fairlane sm3": column.fairlane.sm3(),
    }
    try:
        import polars_hash

        expressions["polars-hash sha3_256"] = polars_hash.col("data").chash.sha3_256()
        expressions["polars-hash sha2_256"] = polars_hash.col("data").chash.sha2_256()
    except ImportError:
        pass

    def run(expression, engine):
        return lambda: frame.lazy().select(expression).collect(engine=engine)

    version = f"Polars {polars.__version__}"
    streaming = {name: run(expression, "streaming") for name, expression in expressions.items()}
    yield from race(f"{version}, streaming", streaming)
    in_memory = {name: run(expression, "in-memory") for name, expression in expressions.items()}
    in_memory["fairlane sha3_256, threads=2"] = run(column.fairlane.sha3_256(threads=2), "in-memory")
    yield from race(f"{version}, in memory", in_memory)


def in_duckdb(extension):
    import duckdb

    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "2"})
    connection.execute(f"LOAD '{extension}'")
    connection.execute(
        f"CREATE TABLE t AS SELECT repeat(lpad(i::VARCHAR, 20, '0'), 5) AS data FROM range({ROWS}) r(i)"
    )
    functions = {
        "length": "octet_length(encode(data))",
        "fairlane keccak256": "fairlane_keccak256(data)",
        "fairlane sha3_256": "fairlane_sha3_256(data)",
        "fairlane sm3": "fairlane_sm3(data)",
        "its own sha256": "sha256(data)",
        "its own md5": "md5(data)",
    }

    def run(call):
        return lambda: connection.execute(f"SELECT count({call}) FROM t").fetchall()

    return race(f"DuckDB {duckdb.__version__}", {name: run(call) for name, call in functions.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("extension", nargs="?")
    arguments = parser.parse_args()
    rows = list(in_polars())
    if arguments.extension:
        rows += in_duckdb(arguments.extension)
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
