#!/usr/bin/env python3
"""Checks the published known answers, and computes the others, with independent programs.

    python3 -m venv venv && venv/bin/pip install pycryptodome==4.4.0 cryptography==50.0.2 pyskein==1.0
    venv/bin/python crates/vectors/generate/generate.py

Every published answer (typed in from its document) is recomputed and must agree. The group that this script computed
before is then replaced, so running it twice changes nothing, apart from the versions named in "origin". hashes.py,
ciphers.py, sm.py and kalyna.py say which programs answer. kt256.json is published answers only: pycryptodome has no
KT256, so nothing here checks it. ../README.md describes the files.
"""

import json
import pathlib

import ciphers
import hashes
import kalyna
import sm

ANSWERS = pathlib.Path(__file__).parent.parent / "answers"
COMPUTED = "Computed by generate.py"


def data(value):
    """The bytes that a value stands for: hex, or one of the generators."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    ((kind, argument),) = value.items()
    if kind == "text":
        return argument.encode()
    if kind == "pattern":
        return (bytes(range(0xFB)) * (argument // 0xFB + 1))[:argument]
    if kind == "repeat":
        return bytes.fromhex(argument[0]) * argument[1]
    raise ValueError(f"unknown generator {kind}")


def answer(case, length):
    """The answers by key, whole: `length` bytes of output for a hash or a tag, what there is for the others."""
    if case["function"].startswith(sm.PREFIXES):
        return sm.answer(case, data)
    if case["function"].startswith(kalyna.PREFIXES):
        return kalyna.answer(case, length, data)
    if "plaintext" in case or "key" in case:
        return ciphers.answer(case, data)
    return {"output": hashes.answer(case, length, data)}


def check(case):
    """Whether a published case is what the independent implementation gives."""
    skip = case.get("skip", 0)
    for key, whole in answer(case, skip + len(case.get("output", "")) // 2).items():
        if whole[0 if key == "tag" else skip :].hex() != case[key]:
            raise SystemExit(f"{case} is not what the independent implementation gives")


def complete(case, length=None):
    """Adds the answers: whole up to 512 bytes, else the last 64, with "skip" for those before."""
    answers = answer(case, length)
    skip = max(len(whole) - 64 if len(whole) > 512 else 0 for whole in answers.values())
    shown = {key: whole[0 if key == "tag" else skip :].hex() for key, whole in answers.items()}
    return case | ({"skip": skip} if skip else {}) | shown


def dump(groups):
    """JSON with one case a line."""
    parts = []
    for group in groups:
        lines = ",\n".join(f"    {json.dumps(case)}" for case in group["cases"])
        origin = json.dumps(group["origin"], ensure_ascii=False)
        parts.append(f'{{\n  "origin": {origin},\n  "cases": [\n{lines}\n  ]\n}}')
    return "[\n" + ",\n".join(parts) + "\n]\n"


def main():
    whole = ciphers.families() | sm.families()
    whole = {name: (how, [(case,) for case in cases]) for name, (how, cases) in whole.items()}
    families = hashes.families() | whole | kalyna.families()
    for name, (how, cases) in families.items():
        path = ANSWERS / f"{name}.json"
        published = [g for g in json.loads(path.read_text("utf-8")) if not g["origin"].startswith(COMPUTED)]
        for case in (case for group in published for case in group["cases"]):
            check(case)
        computed = {"origin": f"{COMPUTED} {how}", "cases": [complete(*case) for case in cases]}
        path.write_text(dump([*published, computed]), "utf-8")
        total = sum(len(group["cases"]) for group in published)
        print(f"{path.name}: {total} published answers agree, {len(computed['cases'])} computed")


if __name__ == "__main__":
    main()
