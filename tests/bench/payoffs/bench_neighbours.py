"""Recall of exchanged neighbours on three boards, and of many wrong amounts in the same rows; seeds are fixed.

Run: `python tests/bench/payoffs/bench_neighbours.py [TRIALS]` (40 by default; two minutes). Prints each figure beside
its target, and exits 1 if one is missed.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from payoff_trials import Charts, crowded_rows, exchanges

ROWS = (2, 3, 5, 8)


def main() -> int:
    """Run the bench."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    missed = 0
    for name in ("portugal", "mexico", "usa"):
        for count in (1, 5, 10):
            seen = exchanges(Charts(name), trials=trials, rng=np.random.default_rng(17), count=count)
            got = float(np.mean(seen.first))
            missed += got < 0.85
            print(
                f"{name}, {count} exchanges of 2 to 3: {got:6.1%} of the cells among the first 40 (target 85 %), "
                f"{seen.moved:.2f} slips of many cells claimed, {seen.alarms:.1f} other cells flagged a chart"
            )
    for rows in ROWS:
        for noise in (None, 0.3):
            by_size = crowded_rows(
                Charts("usa"), rows=rows, trials=trials // 2, rng=np.random.default_rng(17), noise=noise
            )
            middle, large = (float(np.mean(by_size[size])) for size in (2, 3))
            missed += (middle < 8 / 11) + (large < 0.97)
            chart = "the printed chart" if noise is None else f"noise {noise}"
            print(
                f"86 in {rows} rows, {chart}: {middle:6.1%} of 2 to 3 (target 73 %), {large:6.1%} of 3 and more (97 %)"
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
