"""What a call from Python costs, beside the library's own call and other packages.

    python bench.py PROGRAM

PROGRAM is target/release/examples/bench, of `cargo build --release -p fairlane-python --example bench`. Packages that
are not installed are left out: safe-pysha3, pycryptodome. Each figure is the best of several samples, in nanoseconds.
"""

import subprocess
import sys
import timeit

import numpy

import fairlane

ROWS = 100_000
MESSAGE = bytes(32)


def best(statement, number, repeat, **names):
    timer = timeit.Timer(statement, globals=names)
    return min(timer.repeat(repeat, number)) / number * 1e9


def one():
    names = {"data": MESSAGE, "fairlane": fairlane, "keccak_256": fairlane.keccak_256, "digest": fairlane.digest}
    statements = {
        "fairlane.digest": 'digest("keccak_256", data)',
        "fairlane.keccak_256(…).digest()": "keccak_256(data).digest()",
        "fairlane.keccak_256(…).hexdigest()": "keccak_256(data).hexdigest()",
    }
    try:
        from sha3 import keccak_256 as theirs

        names["theirs"] = theirs
        statements["safe-pysha3"] = "theirs(data).digest()"
    except ImportError:
        pass
    try:
        from Crypto.Hash import keccak

        names["keccak"] = keccak
        statements["pycryptodome"] = "keccak.new(digest_bits=256, data=data).digest()"
    except ImportError:
        pass
    return {name: best(statement, 20_000, 10, **names) for name, statement in statements.items()}


def batches():
    for width in (32, 100):
        array = (numpy.arange(ROWS * width) * 7 % 251).astype(numpy.uint8).reshape(ROWS, width)
        out, rows = numpy.empty((ROWS, 32), numpy.uint8), [row.tobytes() for row in array]
        names = {"hash_many": fairlane.hash_many, "array": array, "out": out, "rows": rows}
        for name, statement in (
            ("hash_many(array, out=…)", 'hash_many("keccak_256", array, out=out)'),
            ("hash_many(array)", 'hash_many("keccak_256", array)'),
            ("hash_many(list)", 'hash_many("keccak_256", rows)'),
            ("hash_many(array, threads=2)", 'hash_many("keccak_256", array, threads=2)'),
        ):
            yield f"{name}, {width} B", f"batch-{width}", best(statement, 1, 10, **names) / ROWS


def main():
    # Alternately, so that a disturbance is not of one side only.
    rust, python, many = {}, {}, {}
    for _ in range(3):
        for line in subprocess.run(sys.argv[1:], check=True, capture_output=True, text=True).stdout.splitlines():
            name, nanoseconds = line.split()
            rust[name] = min(float(nanoseconds), rust.get(name, float("inf")))
        for name, nanoseconds in one().items():
            python[name] = min(nanoseconds, python.get(name, nanoseconds))
        for name, base, nanoseconds in batches():
            many[name] = (base, min(nanoseconds, many.get(name, (base, nanoseconds))[1]))
    print(f"{'one Keccak-256 of 32 bytes':44}{'ns':>8}{'over Rust':>11}{'× safe-pysha3':>15}")
    print(f"{'Rust: keccak256':44}{rust['one']:8.0f}")
    for name, nanoseconds in python.items():
        ratio = f"{nanoseconds / python['safe-pysha3']:15.2f}" if "safe-pysha3" in python else ""
        print(f"{name:44}{nanoseconds:8.0f}{nanoseconds - rust['one']:11.0f}{ratio}")
    print(f"\n{f'{ROWS} messages, ns a message':44}{'ns':>8}{'× Rust':>11}")
    for base in ("batch-32", "batch-100"):
        print(f"{f'Rust: hash_many, {base[6:]} B':44}{rust[base]:8.1f}")
        for name, (of, nanoseconds) in many.items():
            if of == base:
                print(f"{name:44}{nanoseconds:8.1f}{nanoseconds / rust[base]:11.2f}")


if __name__ == "__main__":
    main()
