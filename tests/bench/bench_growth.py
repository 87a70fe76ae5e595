"""Times ten times the steps, variants, exported mileposts and vertices against a tenth, in seconds of the processor.

    python tests/bench/bench_growth.py

The best of three counts, but for exports: the first one lays the board out, and the others have its layout.
`bench_scale.py` measures mileposts.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from test_growth import WORKS, Work

SIZES = {"steps": 500, "variants": 100, "exported": 300, "vertices": 3_000}


def best(work: Work, runs: int) -> float:
    """Return the least seconds of the processor of some runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print the figures."""
    os.environ["MAPKIT_CACHE"] = "off"
    with tempfile.TemporaryDirectory() as home:
        for name, few in SIZES.items():
            prepare, _ = WORKS[name]
            prepare(Path(home) / f"{name}0", 3)()  # imports
            runs = 1 if name == "exported" else 3
            less, more = (best(prepare(Path(home) / f"{name}{size}", size), runs) for size in (few, 10 * few))
            print(f"{name}: {more / less:.1f} times from {few} to {10 * few}, then {more:.2f} s")


if __name__ == "__main__":
    main()
