"""SHA3-256 of Python's hashlib, as a plug-in of fairlane's race.

    fairlane race --plugin 'cmd: python3 sha3.py'
"""

import hashlib
import json
import platform
import ssl
import sys
import time

CONTESTANTS = [
    {
        "contest": "sha3-256/message",
        "name": "python hashlib",
        "library": "hashlib of " + platform.python_implementation(),
        "version": platform.python_version(),
        "backend": ssl.OPENSSL_VERSION,
        "labels": ["constant-time"],
        "how_to_use": "hashlib.sha3_256(message).digest()",
    }
]

message = b""


def answer(ask):
    global message
    message = bytes.fromhex(ask["input"])
    return {"output": hashlib.sha3_256(message).hexdigest()}


def run(ask):
    sha3, data = hashlib.sha3_256, message
    start = time.perf_counter_ns()
    for _ in range(ask["times"]):
        sha3(data).digest()
    return {"ns": time.perf_counter_ns() - start}


REPLIES = {
    "hello": lambda ask: {"version": 1, "contestants": CONTESTANTS},
    "set-up": lambda ask: {},
    "answer": answer,
    "run": run,
}

for line in sys.stdin:
    ask = json.loads(line)
    print(json.dumps(REPLIES[ask["ask"]](ask)), flush=True)
