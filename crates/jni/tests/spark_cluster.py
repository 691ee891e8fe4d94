"""Tests of the jar on a cluster whose processes are killed: python spark_cluster.py JAR

The cluster is Spark's own for tests: two executors of one core each, processes of their own, which get the jar from
the driver. An executor is killed in the middle of a job, and then a whole application, which is run again. If the
Python package is installed, it hashes beside the jar. The oracle is hashlib.
"""

import concurrent.futures
import contextlib
import hashlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import pyspark
from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

try:
    import fairlane.spark

    DIGESTS = ("jvm", "map", "udf")
except ImportError:
    DIGESTS = ("jvm",)

ROWS, TASKS, PARTS = 240_000, 16, 4


def cluster(jar, folder):
    # The workers keep the logs and jars of their executors in Spark's folder: here in one that goes away.
    home = folder / f"spark-{os.getpid()}"
    home.mkdir()
    for entry in pathlib.Path(pyspark.__file__).parent.iterdir():
        (home / entry.name).symlink_to(entry)
    os.environ.update(SPARK_HOME=str(home), SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        # The tests ask what each executor has done so far.
        .config("spark.ui.liveUpdate.period", "0")
        .config("spark.jars", jar)
        .config("spark.sql.shuffle.partitions", "2")
        # A task for each file of the table.
        .config("spark.sql.files.openCostInBytes", "128m")
        .config("spark.sql.catalog.fairlane", "io.github.fairlane.spark.HashCatalog")
        .config("spark.sql.extensions", "io.github.fairlane.spark.HashExtension")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    until(lambda: len(executors(session)) == 2)
    return session


def until(condition):
    end = time.monotonic() + 180
    while not (found := condition()):
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.05)
    return found


def executors(session):
    """What Spark knows of each executor by its number, of those that are lost, too."""
    session.sparkContext._jsc.sc().listenerBus().waitUntilEmpty()
    found = session.sparkContext._jsc.sc().statusStore().executorList(False)
    summaries = [found.apply(i) for i in range(found.size())]
    return {summary.id(): summary for summary in summaries if summary.id() != "driver"}


def descendants(parent):
    """The processes below one, with their command lines."""
    listed = subprocess.run(["ps", "-ww", "-eo", "pid=,ppid=,args="], check=True, capture_output=True, text=True)
    lines = [line.split(None, 2) for line in listed.stdout.splitlines()]
    found = {parent: ""}
    for _ in range(4):  # the driver's JVM, its executors, their Python, and Python's workers
        found |= {int(own): arguments for own, above, arguments in lines if int(above) in found}
    del found[parent]
    return found


def hashed(table):
    # Each task sleeps, so that a job has a middle, and neither needs much of the processor.
    pause = f"if(id % {ROWS // TASKS} = 0, reflect('java.lang.Thread', 'sleep', 300L), '') pause"
    frame = table.selectExpr("id", "data", "fairlane.sha3_256(data) jvm", pause)
    if "udf" in DIGESTS:
        frame = fairlane.spark.map_in_arrow(frame, {"map": ("sha3_256", "data")})
        frame = frame.withColumn("udf", fairlane.spark.hash_udf("sha3_256")("data"))
    return frame


def answer(frame):
    """How many rows there are, and the exclusive or of each column's digests, eight bytes by eight bytes."""
    word = "bit_xor(cast(conv(hex(substr({}, {}, 8)), 16, -10) as bigint))"
    words = [expr(word.format(column, start)) for column in DIGESTS for start in (1, 9, 17, 25)]
    groups = frame.groupBy(expr("id % 7"), "pause").agg(expr("count(*)"), *words).collect()
    total = [0] * len(words)
    for group in groups:
        total = [one ^ other for one, other in zip(total, group[3:])]
    whole = b"".join((word % 2**64).to_bytes(8, "big") for word in total)
    return sum(group[2] for group in groups), whole


def expected():
    total = 0
    for i in range(ROWS):
        total ^= int.from_bytes(hashlib.sha3_256(b"fairlane" * (i % 40) + b"%d" % i).digest(), "big")
    return ROWS, total.to_bytes(32, "big") * len(DIGESTS)


def lose_an_executor(session, table):
    """The answer of a job of which an executor is killed that has done a quarter of it."""
    before = executors(session)
    driver = session.sparkContext._gateway.proc.pid
    backends = {own: line for own, line in descendants(driver).items() if "CoarseGrainedExecutorBackend" in line}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        job = pool.submit(answer, hashed(table))
        done = {number: summary.completedTasks() + TASKS // 4 for number, summary in before.items()}
        busy = until(lambda: [n for n, summary in executors(session).items() if summary.completedTasks() >= done[n]])
        (process,) = (own for own, line in backends.items() if f"--executor-id {busy[0]} " in line)
        os.kill(process, signal.SIGKILL)
        result = job.result()
    # Spark starts another in its place.
    until(lambda: executors(session).keys() - before.keys())
    after = executors(session)
    assert not after[busy[0]].isActive() and process not in descendants(driver)
    # What it had done was lost with it: the others did all of the job's first stage, and the second besides.
    others = after.keys() - {busy[0]}
    done = sum(after[number].completedTasks() for number in others)
    assert done - sum(before[number].completedTasks() for number in others & before.keys()) > TASKS
    return result


def write(table, folder):
    """Writes the parts that are not there, and returns which. Spark puts _SUCCESS into a folder that is whole."""
    missing = [part for part in range(PARTS) if not (folder / f"part={part}" / "_SUCCESS").exists()]
    for part in missing:
        rows = table.where(f"id div {ROWS // PARTS} = {part}")
        hashed(rows).write.mode("overwrite").parquet(f"{folder}/part={part}")
    return missing


def lose_the_application(jar, folder):
    """Runs an application that writes parts, and kills all of its processes while it writes the third."""
    application = subprocess.Popen([sys.executable, __file__, jar, folder])
    until(lambda: list(folder.glob("parts/part=2/_temporary/0/task_*")) or application.poll() is not None)
    for process in (application.pid, *descendants(application.pid)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    assert application.wait() == -signal.SIGKILL


def times(folder):
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*.parquet")}


def test(jar, folder):
    session = cluster(jar, folder)
    data = "cast(concat(repeat('fairlane', int(id % 40)), id) as binary) data"
    session.range(0, ROWS, 1, TASKS).selectExpr("id", data).write.parquet(f"{folder}/table")
    table = session.read.parquet(f"{folder}/table")
    assert "HashBatches" in hashed(table)._jdf.queryExecution().executedPlan().toString()
    right = expected()
    assert answer(hashed(table)) == right
    print("two executors: passed", flush=True)
    assert lose_an_executor(session, table) == right
    print("an executor that is killed: passed", flush=True)
    lose_the_application(jar, folder)
    parts = folder / "parts"
    done = times(parts / "part=0") | times(parts / "part=1")
    assert write(table, parts) == [2, 3]
    assert done and done.items() <= times(parts).items()
    assert answer(session.read.parquet(str(parts))) == right
    print("an application that is killed, and run again: passed", flush=True)
    session.stop()


if len(sys.argv) == 3:
    jar, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    write(cluster(jar, folder).read.parquet(f"{folder}/table"), folder / "parts")
else:
    with tempfile.TemporaryDirectory() as folder:
        test(sys.argv[1], pathlib.Path(folder))
