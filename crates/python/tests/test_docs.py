"""The examples of docs/python.md, docs/columns.md, the guide and the README."""

import importlib.util
import os
import pathlib
import re

import pytest

HERE = pathlib.Path(__file__).resolve()
# With packages named here, the examples that need one of them, and no others; none of these may be skipped.
OF = os.environ.get("FAIRLANE_EXAMPLES_OF", "").split()


def needed(source):
    found = re.match(r"\s*# needs (\w+)", source)
    return found and found[1]


def examples():
    docs = HERE.parents[3] / "docs"
    for page in (docs / "python.md", docs / "columns.md", *sorted((docs / "guide").glob("*.md")), HERE.parents[1] / "README.md"):
        text = page.read_text()
        for found in re.finditer(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            if OF and needed(found[1]) not in OF:
                continue
            line = text[: found.start()].count("\n") + 2
            yield pytest.param("\n" * (line - 1) + found[1], page, id=f"{page.name}-{line}")


def test_there_are_examples():
    assert len(list(examples())) >= (1 if OF else 10)


@pytest.mark.parametrize("source, page", list(examples()))
def test_example(source, page, tmp_path, monkeypatch):
    package = needed(source)
    if package and not OF and importlib.util.find_spec(package) is None:
        pytest.skip(f"no {package} here")
    monkeypatch.chdir(tmp_path)
    exec(compile(source, page, "exec"), {"__name__": "example"})
