"""Draws rows a second by engine and function: python draw_columns.py TITLE FILE... >columns.svg

Each FILE has lines `engine,function,rows,seconds`, one for each run, as bench_columns.py and crates/jni/bench_spark.py
write them. A bar ends at the median; the line across its end goes from the slowest to the fastest run. fairlane's
functions have a colour of their own.
"""

import csv
import statistics
import sys
from xml.sax.saxutils import escape

ROW, HEAD, LEFT, RIGHT, WIDTH = 22, 34, 290, 60, 800
STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --soft: #59636e; --line: #d8dee4; --own: #0b62b5; --other: #a3acb5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ed; --soft: #9aa5b1; --line: #303842; --own: #6cb2ff; --other: #5d6874; }
}
text { font: 12.5px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--ink); }
.engine { font-weight: 600; } .soft { fill: var(--soft); } .name { text-anchor: end; } .tick { text-anchor: middle; }
.own { fill: var(--own); } .other { fill: var(--other); } path { fill: none; } .grid { stroke: var(--line); }
.range { stroke: var(--ink); stroke-width: 1.5; }
"""


def read(files):
    """{engine: {function: [rows a second, in millions, of each run]}}, in the order of the files."""
    engines = {}
    for name in files:
        with open(name, newline="") as file:
            for engine, function, rows, seconds in csv.reader(file):
                rate = int(rows) / float(seconds) / 1e6
                engines.setdefault(engine, {}).setdefault(function, []).append(rate)
    return engines


def draw(title, engines):
    # What only reads the column, such as its length, would make every hash look alike.
    shown = {engine: {f: r for f, r in functions.items() if f != "length"} for engine, functions in engines.items()}
    most = max(max(rates) for functions in shown.values() for rates in functions.values())
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if most / step <= 8)
    scale = (WIDTH - LEFT - RIGHT) / most
    height = 40 + sum(HEAD + ROW * len(functions) for functions in shown.values()) + 30
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-labelledby="t"><title id="t">{escape(title)}</title><style>{STYLE}</style>'
    )
    yield f'<text x="10" y="24" class="engine">{escape(title)}</text>'
    for number in range(int(most / step) + 1):
        x = LEFT + number * step * scale
        yield f'<path class="grid" d="M{x:.1f} 44V{height - 28}"/>'
        yield f'<text x="{x:.1f}" y="{height - 10}" class="tick soft">{number * step}</text>'
    y = 40
    for engine, functions in shown.items():
        y += HEAD
        yield f'<text x="10" y="{y - 8}" class="engine">{escape(engine)}</text>'
        for function, rates in functions.items():
            end = LEFT + statistics.median(rates) * scale
            low, high = LEFT + min(rates) * scale, LEFT + max(rates) * scale
            kind = "own" if function.startswith("fairlane") else "other"
            yield f'<text x="{LEFT - 8}" y="{y + 14}" class="name">{escape(function)}</text>'
            yield f'<rect x="{LEFT}" y="{y + 3}" width="{end - LEFT:.1f}" height="15" class="{kind}"/>'
            yield f'<path class="range" d="M{low:.1f} {y + 10.5}H{high:.1f}"/>'
            value = f"{statistics.median(rates):.1f}"
            yield f'<text x="{high + 6:.1f}" y="{y + 14}" class="soft">{value}</text>'
            y += ROW
    yield "</svg>"


if __name__ == "__main__":
    sys.stdout.write("\n".join(draw(sys.argv[1], read(sys.argv[2:]))) + "\n")
