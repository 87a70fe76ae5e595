"""Times commands against the imports that the user named, as ratios in one run; `limits.toml` has the limits.

    python tests/bench/bench_build.py [ROUNDS]

Each command runs as a program of its own, taking turns, and the best time counts. `MAPKIT_CACHE` is off, but for the
commands that are run a second time with nothing changed, and for builds after one thing was changed. Python keeps what
it compiles, as it does for who installed mapkit, but in a folder that is deleted afterwards.
"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROUNDS: Final = 3
IMPORTS: Final = "import geopandas, networkx, pydantic, typer, svgwrite"
CHANGES: Final = {
    "a price": ("railroads.csv", 100, (("pa", "price"),)),
    "a payoff": ("charts/payoffs.csv", 0.5, (("Albany", "Boston"), ("Boston", "Albany"))),
    "a place": ("places.csv", 0.01, (("Abanda AL", "lon"), ("Abanda AL", "lat"))),
}
"""What is changed: its file, by how much in the first turn, its cells by row and column."""
SOURCES: Final = Path(__file__).resolve().parent.parent.parent / "sources" / "usa"


def seconds(arguments: list[str], cache: str, compiled: Path) -> float:
    """Return the wall-clock time of one run of this Python."""
    environment = {**os.environ, "MAPKIT_CACHE": cache, "PYTHONPYCACHEPREFIX": str(compiled)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start


def changed(sources: Path, what: str, turn: int) -> None:
    """Change one thing of a copy of the United States, each turn to what it never was before."""
    file, step, cells = CHANGES[what]
    with (sources / file).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    for row, column in cells:
        found, at = next(one for one in rows if one[0] == row), rows[0].index(column)
        found[at] = f"{float(found[at]) + step * turn:g}"
    with (sources / file).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)


def commands(out: Path) -> Mapping[str, tuple[list[str], bool]]:
    """Return what is run, and whether what was kept may be taken, by name."""
    usa = str(SOURCES)
    build = ["-m", "mapkit", "build", usa, "--out", str(out / "bundle")]
    check = ["-m", "mapkit", "check", usa]
    draw = ["-m", "mapkit", "draw", usa, "--out", str(out / "usa.svg")]
    return {
        "the imports": (["-c", IMPORTS], False),
        "typer": (["-c", "import typer"], False),
        "help": (["-m", "mapkit", "--help"], False),
        "build": (build, False),
        "check": (check, False),
        "draw": (draw, False),
        "route": (["-m", "mapkit", "route", "-b", usa, "Boston", "Los Angeles"], False),
        "report": (["-m", "mapkit", "report", usa], False),
        "odds": (["-m", "mapkit", "destinations", "odds", usa], False),
        "place": (["-m", "mapkit", "place", "-b", usa, "Chicago"], False),
        "build again": (build, True),
        "check again": (check, True),
        "draw again": (draw, True),
    }


def main() -> None:
    """Print the ratios."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        runs = commands(out)
        for arguments, kept in runs.values():  # also writes the code that Python compiles
            seconds(arguments, str(out / "cache") if kept else "off", out / "compiled")
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name, (arguments, kept) in runs.items():
                times[name].append(seconds(arguments, str(out / "cache") if kept else "off", out / "compiled"))
        for what in CHANGES:
            copy = Path(shutil.copytree(SOURCES, out / what.replace(" ", "-") / "usa"))
            build = ["-m", "mapkit", "build", str(copy), "--allow-errors", "--out", str(out / "bundle")]
            seconds(build, str(out / "cache"), out / "compiled")
            times[f"build after {what}"] = []
            for turn in range(1, rounds + 1):
                changed(copy, what, turn)
                times[f"build after {what}"].append(seconds(build, str(out / "cache"), out / "compiled"))
    best = {name: min(values) for name, values in times.items()}
    print(f"the imports take {best['the imports']:.2f} s, typer's {best['typer']:.2f} s")
    print(f"help: {best['help'] / best['typer']:.2f} x typer's import ({best['help']:.2f} s)")
    for name in list(times)[3:]:
        print(f"{name}: {best[name] / best['the imports']:.2f} x the imports ({best[name]:.2f} s)")


if __name__ == "__main__":
    main()
