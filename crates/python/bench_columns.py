"""Rows a second in Polars and DuckDB on two threads, beside hashes that are there already.

    POLARS_MAX_THREADS=2 python bench_columns.py [EXTENSION]

EXTENSION is fairlane.duckdb_extension, of crates/duckdb/package. Polars' other hash is that of polars-hash, if it is
installed. Rows are texts of 100 bytes. Each figure is the best of several runs, which alternate.
"""

import sys
import time

import polars

import fairlane.polars

ROWS = 2_000_000
RUNS = 5


def race(title, runs):
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(RUNS):
        for name, run in runs.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    print(f"{title}, M rows/s")
    for name, seconds in best.items():
        print(f"  {name:40}{ROWS / seconds / 1e6:8.1f}")


def main():
    numbers = polars.select(polars.int_range(ROWS).cast(polars.String).str.zfill(20)).to_series()
    frame = polars.DataFrame({"data": numbers + numbers + numbers + numbers + numbers}).rechunk()
    column = polars.col("data")
    expressions = {
        "fairlane.keccak256": column.fairlane.keccak256(),
        "fairlane.sha3_256": column.fairlane.sha3_256(),
        "fairlane.sm3": column.fairlane.sm3(),
    }
    try:
        import polars_hash

        expressions["polars-hash chash.sha3_256"] = polars_hash.col("data").chash.sha3_256()
        expressions["polars-hash chash.sha2_256"] = polars_hash.col("data").chash.sha2_256()
    except ImportError:
        pass
    runs = {
        f"{name}, {engine}": (lambda e=expression, g=engine: frame.lazy().select(e).collect(engine=g))
        for name, expression in expressions.items()
        for engine in ("streaming", "in-memory")
    }
    threads = frame.lazy().select(column.fairlane.sha3_256(threads=2))
    runs["fairlane.sha3_256(threads=2), in-memory"] = lambda: threads.collect(engine="in-memory")
    race(f"Polars {polars.__version__}", runs)

    if sys.argv[1:]:
        import duckdb

        connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "2"})
        connection.execute(f"LOAD '{sys.argv[1]}'")
        connection.execute(
            f"CREATE TABLE t AS SELECT repeat(lpad(i::VARCHAR, 20, '0'), 5) AS data FROM range({ROWS}) r(i)"
        )
        functions = ("octet_length", "sha256", "md5", "fairlane_keccak256", "fairlane_sha3_256", "fairlane_sm3")
        argument = {"octet_length": "encode(data)"}
        queries = {name: f"SELECT count({name}({argument.get(name, 'data')})) FROM t" for name in functions}
        race(
            f"DuckDB {duckdb.__version__}",
            {name: (lambda q=query: connection.execute(q).fetchall()) for name, query in queries.items()},
        )


if __name__ == "__main__":
    main()
