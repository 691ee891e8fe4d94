"""The repository's known answers, which crates/vectors/README.md describes."""

import itertools
import json
import pathlib

ANSWERS = pathlib.Path(__file__).resolve().parents[2] / "vectors" / "answers"


def cases(file):
    """The cases of one file."""
    groups = json.loads((ANSWERS / f"{file}.json").read_text())
    found = [case for group in groups for case in group["cases"]]
    assert found
    return found


def data(value):
    """The bytes that a message, a plaintext or associated data stands for."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    ((kind, of),) = value.items()
    match kind:
        case "text":
            return of.encode()
        case "pattern":
            return bytes(itertools.islice(itertools.cycle(range(0xFB)), of))
        case "repeat":
            return bytes.fromhex(of[0]) * of[1]
    raise ValueError(kind)
