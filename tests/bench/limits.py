"""Runs the benchmarks of `limits.toml` and prints each figure beside its limit.

    python tests/bench/run.py            # the short form, in less than three minutes on two cores
    python tests/bench/run.py --long     # all of them
    python tests/bench/run.py --report   # exits 0 whatever is over

Exits 1 if a figure is over its limit, or missing, and `limits.toml` does not say why.
"""

import argparse
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Final

import msgspec

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
TABLE: Final = HERE / "limits.toml"
PATIENCE_S: Final = 900
LONG_S: Final = 7200


class Ratio(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A figure of a benchmark's output, and its limit."""

    name: str
    find: str
    most: float | None = None
    least: float | None = None
    over: str = ""

    def value(self, output: str) -> float | None:
        """Return the worst figure that the output has; None if it has none."""
        found = [float(text) for text in re.findall(self.find, output, re.MULTILINE)]
        return (min(found) if self.least is not None else max(found)) if found else None

    def holds(self, value: float | None) -> bool:
        """Return whether a figure is within the limit."""
        if value is None:
            return False
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)


class Bench(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program that measures, and what of its output is limited."""

    run: list[str]
    ratio: list[Ratio]
    short: bool = False
    judges: bool = False
    why_long: str = ""


def benches() -> list[Bench]:
    """Return the table of limits."""
    with TABLE.open("rb") as file:
        return msgspec.convert(tomllib.load(file)["bench"], type=list[Bench])


def output_of(bench: Bench, patience_s: float) -> tuple[str, bool]:
    """Return what a benchmark prints, and whether it ended well; one without patience has no output."""
    command = [sys.executable, str(HERE / bench.run[0]), *bench.run[1:]]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=patience_s, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        return "", False
    return done.stdout, done.returncode == 0


def line(ratio: Ratio, value: float | None) -> str:
    """Return a figure, its limit, and what is to be said of it."""
    limit = f"<= {ratio.most:g}" if ratio.most is not None else f">= {ratio.least:g}"
    shown = "-" if value is None else f"{value:.2f}"
    said = "" if ratio.holds(value) else f"  {'known: ' + ratio.over if ratio.over else 'OVER'}"
    return f"{ratio.name:52} {shown:>10} {limit:>9}{said}"


def main() -> int:
    """Print the table; return 1 if something is over without a reason."""
    parser = argparse.ArgumentParser(description="Run the benchmarks and compare their figures with limits.toml.")
    parser.add_argument("--long", action="store_true", help="run all of them, not only the short ones")
    parser.add_argument("--report", action="store_true", help="exit 0 whatever is over")
    options = parser.parse_args()
    bad = 0
    start = time.perf_counter()
    for bench in benches():
        if not (bench.short or options.long):
            continue
        output, well = output_of(bench, PATIENCE_S if bench.short else LONG_S)
        if bench.judges and not well:
            bad += 1
            print(f"{bench.run[0]}: FAILED")
        for ratio in bench.ratio:
            value = ratio.value(output)
            bad += not ratio.holds(value) and not ratio.over
            print(line(ratio, value), flush=True)
    print(f"{time.perf_counter() - start:.0f} s; {bad} over without a reason")
    return int(bool(bad) and not options.report)
