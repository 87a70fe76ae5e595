"""Times reading RB3 against splitting the same bytes into lines and fields, in one run; exits 1 below 10 MB/s.

    python tests/bench/bench_rb3.py                 # the United States board, exported
    python tests/bench/bench_rb3.py MAP.RB3 ...     # maps

The best of many takes counts, since others may be at work here. Speed is in processor time.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mapkit
from mapkit.kinds.rail.exchange.rb3.exporting import board_to_rb3
from mapkit.kinds.rail.exchange.rb3.reading import read_rb3
from mapkit.kinds.rail.exchange.rb3.writing import write_rb3

ROOT = Path(__file__).resolve().parents[2]
LEAST = 10.0  # MB/s
TAKES = 200


def best(call: Callable[[], object]) -> float:
    """Return the shortest processor time of many calls, seconds."""
    out = float("inf")
    for _ in range(TAKES):
        start = time.process_time()
        call()
        out = min(out, time.process_time() - start)
    return out


def split(data: bytes) -> list[list[str]]:
    """Return the fields of all lines, without looking at them."""
    return [line.split(",") for line in data.decode("cp1252").splitlines()]


def main() -> int:
    """Measure, print, and return whether it is fast enough."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("maps", nargs="*", type=Path)
    maps = {path.name: path.read_bytes() for path in parser.parse_args().maps}
    if not maps:
        maps["usa"] = write_rb3(board_to_rb3(mapkit.load("usa", workspace=ROOT))[0])
    slow = False
    for name, data in maps.items():
        ours, theirs = best(lambda: read_rb3(data)), best(lambda: split(data))  # noqa: B023 - called at once
        speed = len(data) / ours / 1e6
        slow |= speed < LEAST
        print(f"{name}: {len(data):,} bytes, {ours * 1000:.2f} ms, {speed:.1f} MB/s, {ours / theirs:.1f} x splitting")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
