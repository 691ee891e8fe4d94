"""The examples of docs/python.md, docs/columns.md, the guide and the README."""

import importlib.util
import pathlib
import re

import pytest

HERE = pathlib.Path(__file__).resolve()


def examples():
    docs = HERE.parents[3] / "docs"
    for page in (docs / "python.md", docs / "columns.md", *sorted((docs / "guide").glob("*.md")), HERE.parents[1] / "README.md"):
        text = page.read_text()
        for found in re.finditer(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
            line = text[: found.start()].count("\n") + 2
            yield pytest.param("\n" * (line - 1) + found[1], page, id=f"{page.name}-{line}")


@pytest.mark.parametrize("source, page", list(examples()))
def test_example(source, page, tmp_path, monkeypatch):
    needed = re.match(r"\s*# needs (\w+)", source)
    if needed and importlib.util.find_spec(needed[1]) is None:
        pytest.skip(f"no {needed[1]} here")
    monkeypatch.chdir(tmp_path)
    exec(compile(source, page, "exec"), {"__name__": "example"})
