"""Recall of `mapkit payoffs check`: slips planted in the classic chart and in computed ones; seeds are fixed.

Run: `python tests/bench/payoffs/bench_payoffs.py [PLANTINGS]` (200 by default; about half an hour on one core). Prints
recall by kind and size beside the targets, and times; exits 1 if a target is missed. Slips are planted in both
halves of the chart alike, so that symmetry shows nothing.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

from mapkit.kinds.rail.api import loading as api
from mapkit.kinds.rail.charts.payoffs.diagnosis import FLAG, diagnose
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances, board_distances, great_circle
from mapkit.kinds.rail.charts.payoffs.regression import fit_robustly
from mapkit.kinds.rail.charts.payoffs.structural_slips import Structure
from mapkit.kinds.rail.charts.payoffs.typing_slips import TYPED, Slip, slip_outcomes, to_hundredths

Matrix = NDArray[np.float64]
STEP = 0.5
NOISE = 0.55
AT_ONCE = 10
FIRST = 40
KINDS = (*TYPED, Slip.NEIGHBOUR)
ASKED = (Slip.DROPPED, Slip.DOUBLED, Slip.SWAPPED, Slip.DECIMAL, Slip.NEIGHBOUR)
"""The kinds whose suggested value is to be right for 80 %: digit, decimal, neighbour."""
SIZES = ((0.0, 2.0), (2.0, 3.0), (3.0, np.inf))


@dataclass(frozen=True)
class Planted:
    """A slip and what became of it."""

    size: float
    flagged: bool
    first: bool
    named: bool
    suggested: bool
    close: bool


class Charts:
    """The charts that slips are planted in."""

    def __init__(self) -> None:
        board = api.load("usa")
        self.distances = board_distances(board, board.payoffs.cities)
        self.classic = np.array(board.payoffs.thousands, dtype=float)
        n = len(self.classic)
        self.paid = ~self.distances.twins & ~np.eye(n, dtype=bool)
        upper = np.triu(self.paid, 1)
        design = np.stack([np.ones((n, n)), *self.distances.features], axis=2)
        self.trend = design @ fit_robustly(design[upper], self.classic[upper])[0]

    def computed(self, rng: np.random.Generator) -> Matrix:
        """Return a chart computed from the board, plus noise, rounded."""
        noise = np.triu(rng.normal(0, NOISE, self.trend.shape), 1)
        chart = np.maximum(np.round((self.trend + noise + noise.T) / STEP), 1) * STEP
        return np.where(self.paid, chart, 0.0)


def plant(
    chart: Matrix, paid: NDArray[np.bool_], slip: Slip, rng: np.random.Generator
) -> tuple[Matrix, list[tuple[int, int, float, float]]]:
    """Return a chart with ten slips of a kind, and `(i, j, right, wrong)` of each."""
    out = chart.copy()
    done: dict[tuple[int, int], tuple[float, float]] = {}
    n = len(chart)
    while len(done) < AT_ONCE:
        i, j = sorted(int(k) for k in rng.choice(n, 2, replace=False))
        if not paid[i, j] or (i, j) in done:
            continue
        if slip is Slip.NEIGHBOUR:
            near = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
            near = [c for c in near if min(c) >= 0 and max(c) < n and paid[c]]
            wrong = out[near[rng.integers(len(near))]]
        else:
            found = {v: p for v, p in slip_outcomes(slip, out[i, j]).items() if v > 0}
            if not found:
                continue
            chances = np.array(list(found.values()))
            wrong = rng.choice(list(found), p=chances / chances.sum()) / 100
        if wrong != out[i, j]:
            done[i, j] = (out[i, j], wrong)
            out[i, j] = out[j, i] = wrong
    return out, [(i, j, right, wrong) for (i, j), (right, wrong) in done.items()]


def trial(chart: Matrix, charts: Charts, slip: Slip, rng: np.random.Generator) -> tuple[list[Planted], int]:
    """Plant, diagnose; return what became of each slip, and the number of false alarms."""
    typed, done = plant(chart, charts.paid, slip, rng)
    found = diagnose(typed, charts.distances, step=STEP)
    s, order = found.scores, found.order
    rank = {(int(s.rows[k]), int(s.cols[k])): place for place, k in enumerate(order)}
    planted = []
    for i, j, right, wrong in done:
        k = order[rank[i, j]] if (i, j) in rank else None
        planted.append(
            Planted(
                size=abs(right - wrong),
                flagged=k is not None and s.score[k] >= FLAG,
                first=k is not None and rank[i, j] < FIRST,
                named=k is not None and s.slip[k] is slip,
                suggested=k is not None and to_hundredths(s.suggested[k]) == to_hundredths(right),
                close=k is not None and abs(s.suggested[k] - right) <= 2 * found.fit.sd[i, j],
            )
        )
    return planted, len(found.flagged) - sum(p.flagged for p in planted) + len(found.structure)


def share(values: Iterator[bool]) -> str:
    """Return a share as text."""
    all_ = list(values)
    return f"{np.mean(all_):7.1%} {len(all_):5}" if all_ else "      -     0"


def cells(charts: Charts, plantings: int, failed: list[str]) -> None:
    """Print the table of single cells."""
    for base, hit in (("computed", "flagged"), ("classic", "first")):
        everything: dict[Slip, list[Planted]] = {}
        alarms = []
        for kind in KINDS:
            rng = np.random.default_rng([7, KINDS.index(kind)])
            everything[kind] = []
            for _ in range(plantings):
                chart = charts.computed(rng) if base == "computed" else charts.classic
                planted, false = trial(chart, charts, kind, rng)
                everything[kind] += planted
                alarms.append(false)
        how = f"score at least {FLAG}" if hit == "flagged" else f"among the first {FIRST}"
        print(f"\n{base} chart, {plantings} x {AT_ONCE} slips of each kind; found: {how}")
        print(
            f"{'kind':20}  below 2 (no target)   2 to below 3      3 and more     kind named  value exact  within 2 sd"
        )
        rows: list[tuple[str, list[Planted]]] = [
            *everything.items(),
            ("all", [p for ps in everything.values() for p in ps]),
        ]
        for name, planted in rows:
            parts = [share(getattr(p, hit) for p in planted if low <= p.size < high) for low, high in SIZES]
            seen = [p for p in planted if p.size >= SIZES[1][0]]
            rest = [f"{np.mean([getattr(p, what) for p in seen]):11.1%}" for what in ("named", "suggested", "close")]
            print(f"{name:20}  {'  '.join(parts)}  {' '.join(rest)}")
        every = rows[-1][1]
        wanted = {"flagged": (0.75, 0.99), "first": (0.85, 0.99)}[hit]
        for (low, high), target in zip(SIZES[1:], wanted, strict=True):
            got = float(np.mean([getattr(p, hit) for p in every if low <= p.size < high]))
            judge(f"{base}: slips of {low:g} to {high:g}", got, target, failed)
        if hit == "flagged":
            judge("computed: false alarms a chart", -float(np.mean(alarms)), -1.0, failed)
        asked = [p for kind in ASKED for p in everything[kind] if p.size >= SIZES[1][0]]
        judge(
            f"{base}: value right (digit, decimal, neighbour)",
            float(np.mean([p.suggested for p in asked])),
            0.8,
            failed,
        )


def judge(what: str, got: float, target: float, failed: list[str]) -> None:
    """Print a figure beside its target."""
    good = got >= target
    print(f"  {'pass' if good else 'FAIL'}  {what}: {abs(got):.3f} (target {abs(target):g})")
    if not good:
        failed.append(what)


def shifted(chart: Matrix, rng: np.random.Generator) -> tuple[Matrix, tuple[int, ...], float]:
    """Shift the rest of a half row by one, mirrored."""
    n = len(chart)
    out, row, way = chart.copy(), int(rng.integers(6, n - 6)), int(rng.choice([-1, 1]))
    half = np.arange(row) if rng.random() < 0.5 else np.arange(row + 1, n)
    part = half[rng.integers(0, len(half) - 3) :]
    old = out[row, part].copy()
    new = np.append(old[1:], old[-1]) if way < 0 else np.append(old[0], old[:-1])
    out[row, part] = out[part, row] = new
    return out, (row,), float(np.abs(new - old).mean())


def exchanged(chart: Matrix, rng: np.random.Generator) -> tuple[Matrix, tuple[int, ...], float]:
    """Exchange two cities."""
    a, b = sorted(int(k) for k in rng.choice(len(chart), 2, replace=False))
    order = np.arange(len(chart))
    order[[a, b]] = b, a
    out = chart[np.ix_(order, order)]
    return out, (a, b), float(np.abs(out - chart)[[a, b]].mean())


def scaled(chart: Matrix, rng: np.random.Generator) -> tuple[Matrix, tuple[int, ...], float]:
    """Scale a city's amounts."""
    out, city = chart.copy(), int(rng.integers(len(chart)))
    factor = rng.choice([10.0, 0.1, 1.609344, 0.75, 1.15, 1.25])
    row = np.where(chart[city] > 0, np.maximum(np.round(chart[city] * factor / STEP), 1) * STEP, 0)
    out[city] = out[:, city] = row
    return out, (city,), float(np.abs(row - chart[city]).mean())


def structures(charts: Charts, plantings: int, failed: list[str]) -> None:
    """Print the table of slips of many cells, one planted in a chart."""
    print(f"\nslips of many cells, {plantings} charts each, one a chart; size: mean change of its cells")
    print(f"{'chart':10} {'kind':22}   below 2         2 to below 3    3 and more      false alarms a chart")
    for base in ("computed", "classic"):
        for make, kind in ((shifted, Structure.SHIFTED), (exchanged, Structure.EXCHANGED), (scaled, Structure.SCALED)):
            rng = np.random.default_rng([11, len(kind)])
            seen, false = [], 0
            for _ in range(plantings):
                chart = charts.computed(rng) if base == "computed" else charts.classic
                typed, cities, size = make(chart, rng)
                found = diagnose(typed, charts.distances, step=STEP).structure
                right = [s for s in found if s.kind is kind and s.cities[: len(cities)] == cities]
                seen.append((size, bool(right)))
                false += len(found) - len(right)
            parts = [share(hit for size, hit in seen if low <= size < high) for low, high in SIZES]
            print(f"{base:10} {kind:22} {'   '.join(parts)}   {false / plantings:.2f}")
            judge(
                f"{base}: {kind}, 3 and more",
                float(np.mean([hit for size, hit in seen if size >= SIZES[2][0]])),
                0.99,
                failed,
            )


def times(charts: Charts, failed: list[str]) -> None:
    """Print how long a whole check takes."""
    rng = np.random.default_rng(5)
    lon, lat = rng.uniform(-120, -70, 500), rng.uniform(28, 48, 500)
    ground = great_circle(lon.tolist(), lat.tolist())
    big = CityDistances(tuple(map(str, range(500))), ground, ground * 1.2, np.ceil(ground / 25))
    noise = np.triu(rng.normal(0, NOISE, ground.shape), 1)
    wide = np.maximum(np.round((ground * 0.012 + noise + noise.T) / STEP), 1) * STEP
    print()
    cases = (
        ("67 cities", charts.classic, charts.distances, 1.0),
        ("67 cities, coordinates", charts.classic, replace(charts.distances, rail=None, moves=None), 1.0),
        ("67 cities, chart alone", charts.classic, None, 1.0),
        ("500 cities", wide, big, 30.0),
    )
    for what, chart, distances, limit in cases:
        took = []
        for _ in range(3 if len(chart) < 100 else 1):
            begin = time.perf_counter()
            found = diagnose(chart, distances, step=STEP)
            found.triangles  # noqa: B018 - part of the check
            took.append(time.perf_counter() - begin)
        judge(f"seconds, {what}", -min(took), -limit, failed)


def main() -> int:
    """Run the bench."""
    plantings = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    failed: list[str] = []
    charts = Charts()
    times(charts, failed)
    structures(charts, plantings, failed)
    cells(charts, plantings, failed)
    print(f"\n{len(failed)} targets missed" + "".join(f"\n  {what}" for what in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
