"""Times a variant of 1,000 operations on the United States board against a rebuild of the board, in one run.

    python tests/bench/bench_variants.py

A rebuild is what `mapkit build usa` does: trace, compile, check, draw, write. The variant is applied as read. Compiling
alone (with the gazetteer read before) and reading the variant's file are measured beside. They take turns, and the
best time of the process counts.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mapkit
from mapkit.kinds.rail.model.board import Board
from mapkit.kinds.rail.render.layout import clear_layout_cache
from mapkit.kinds.rail.variants.apply import apply_variants
from mapkit.kinds.rail.variants.variant import parse_variant
from mapkit.variants.applying import PlacedVariant

ROUNDS = 5
OPERATIONS = 1000
REPOSITORY = Path(__file__).resolve().parent.parent.parent


def thousand(board: Board) -> str:
    """Return the text of a variant with 1,000 operations of ten kinds that all fit the board."""
    out = ['name = "thousand"', 'board = "usa"']
    dots = [m for m in board.mileposts if m.kind == "dot"]
    single = [s for s in board.segments if len(s.pieces) == 1 and s.railroad != "wp"]
    cities = board.payoffs.cities
    pairs = [(a, b) for i, a in enumerate(cities) for b in cities[i + 1 :]]

    def add(op: str, **fields: object) -> None:
        lines = [f"{key} = {_toml(value)}" for key, value in fields.items()]
        out.extend(["[[operations]]", f'op = "{op}"', *lines, 'reason = "Measured."'])

    for k in range(OPERATIONS // 10):
        dot, one, other, third = dots[k], dots[-1 - k], single[2 * k], single[-1 - k]
        add("rename-milepost", id=dot.id, name=f"Renamed {k}", was=dot.name)
        add("edit-place", place=one.id, lon=round(one.lon + 0.01, 5), lat=one.lat)
        add("add-milepost", id=f"new-{k}", name=f"New {k}", segments=[other.id])
        add("add-line", railroad="wp", mileposts=[third.a, third.b], along=third.railroad)
        add("add-milepost", id=f"more-{k}", name=f"More {k}", lon=dot.lon + 0.05, lat=dot.lat)
        add("add-piece", railroad="bm", a=f"more-{k}", b=dot.id)
        add("set-payoff", a=pairs[k][0], b=pairs[k][1], value=12.5)
        add("edit-railroad", id=board.railroads[k % 28].id, price=1000 + k)
        add("set-destination", chart="regions", parity="odd", total=2 + k % 11, value="plains")
        add("set-rule", path="setup.starting_cash", value=20000 + k)
    return "\n".join(out) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def best(jobs: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the best time of each job, run in turns."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            start = time.process_time()
            job()
            times[name].append(time.process_time() - start)
    return {name: min(values) for name, values in times.items()}


def rebuild(folder: Path) -> None:
    """Build the board as a program that has just started: without its last layout, and with nothing kept."""
    clear_layout_cache()
    mapkit.build("usa", workspace=REPOSITORY, out=folder)


def main() -> None:
    """Print the times and the ratio."""
    os.environ["MAPKIT_CACHE"] = "off"
    board = mapkit.load("usa", workspace=REPOSITORY)
    text = thousand(board)
    variant = parse_variant(text, file="variants/thousand.toml").variant
    with tempfile.TemporaryDirectory() as folder:
        found = best(
            {
                "rebuild": lambda: rebuild(Path(folder)),
                "compile": lambda: mapkit.load("usa", workspace=REPOSITORY),
                "apply": lambda: apply_variants(board, [PlacedVariant(variant)]),
                "read": lambda: parse_variant(text, file="variants/thousand.toml"),
            }
        )
    ratio, compiled = found["apply"] / found["rebuild"], found["apply"] / found["compile"]
    print(
        f"{len(variant.operations)} operations: applied in {found['apply'] * 1000:.0f} ms (limit 100), read in "
        f"{found['read'] * 1000:.0f} ms; {ratio:.3f} x a rebuild ({found['rebuild']:.2f} s; limit 0.1), "
        f"{compiled:.2f} x compiling alone ({found['compile']:.2f} s)"
    )


if __name__ == "__main__":
    main()
