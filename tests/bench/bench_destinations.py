"""Times the solver of destination charts against its limit of 5 seconds a chart, on charts of many sizes.

    python tests/bench/bench_destinations.py

Weights are log-normal with a fixed seed, as populations are. For each size three charts are solved; the slowest counts,
as a share of the limit.
"""

import random
import time
from fractions import Fraction

from mapkit.kinds.rail.charts.destinations.chart_targets import Wish
from mapkit.kinds.rail.charts.destinations.solver import SECONDS, solve_chart

SIZES = (2, 5, 7, 8, 10, 12, 14, 16, 18, 20, 22)
CHARTS = 3


def main() -> None:
    """Print the shares of the limit, and how many charts were proven."""
    weights = random.Random(3)  # noqa: S311 - a fixed series
    for size in SIZES:
        slowest, proven = 0.0, 0
        for _ in range(CHARTS):
            wishes = [Wish(f"c{i:02}", Fraction(int(weights.lognormvariate(12, 1)))) for i in range(size)]
            start = time.perf_counter()
            proven += solve_chart(wishes).proven
            slowest = max(slowest, time.perf_counter() - start)
        print(
            f"{size:2} items: slowest {slowest / SECONDS:.2f} of the limit ({slowest:.2f} s); {proven}/{CHARTS} proven"
        )


if __name__ == "__main__":
    main()
