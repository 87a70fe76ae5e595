"""Charts computed with noise, with slips planted in them: trials of the diagnosis, for tests and benches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import mapkit
from mapkit.kinds.rail.charts.payoffs.diagnosis import FLAG, Diagnosis, diagnose
from mapkit.kinds.rail.charts.payoffs.distances import board_distances
from mapkit.kinds.rail.charts.payoffs.regression import fit_robustly

Matrix = NDArray[np.float64]
Cell = tuple[int, int]
STEP = 0.5
NOISE = 0.55
FIRST = 40


class Charts:
    """The chart of a shipped board, and charts computed from its distances."""

    def __init__(self, name: str) -> None:
        board = mapkit.load(name)
        self.distances = board_distances(board, board.payoffs.cities)
        self.printed: Matrix = np.array(board.payoffs.thousands, dtype=float)
        n = len(self.printed)
        self.paid = ~self.distances.twins & ~np.eye(n, dtype=bool)
        upper = np.triu(self.paid, 1)
        design = np.stack([np.ones((n, n)), *self.distances.features], axis=2)
        self.trend: Matrix = design @ fit_robustly(design[upper], self.printed[upper])[0]

    def computed(self, rng: np.random.Generator, noise: float = NOISE) -> Matrix:
        """Return a chart computed from the board, plus noise, rounded."""
        half = np.triu(rng.normal(0, noise, self.trend.shape), 1)
        chart = np.maximum(np.round((self.trend + half + half.T) / STEP), 1) * STEP
        return np.where(self.paid, chart, 0.0)


def ranks(found: Diagnosis) -> dict[Cell, tuple[int, float]]:
    """Return the place in the list, and the score, of each cell."""
    s = found.scores
    return {(int(s.rows[k]), int(s.cols[k])): (place, float(s.score[k])) for place, k in enumerate(found.order)}


@dataclass(frozen=True)
class Exchanges:
    """What became of exchanged cells."""

    first: list[bool]
    """For each cell whether it was among the first 40."""
    moved: float
    """Slips of many cells that were claimed, a chart."""
    alarms: float
    """Other cells that were flagged, a chart."""


def exchange(
    chart: Matrix, paid: NDArray[np.bool_], rng: np.random.Generator, *, count: int, low: float, high: float
) -> tuple[Matrix, set[Cell]]:
    """Return a chart with pairs of neighbours exchanged that differ by `low` to `high`, and the cells touched."""
    n = len(chart)
    able = [
        (i, j)
        for i in range(n)
        for j in range(n - 1)
        if paid[i, j] and paid[i, j + 1] and low <= abs(chart[i, j] - chart[i, j + 1]) < high
    ]
    out, touched, pairs = chart.copy(), set[Cell](), 0
    for k in rng.permutation(len(able)):
        i, j = able[k]
        cells = {(min(i, j), max(i, j)), (min(i, j + 1), max(i, j + 1))}
        if cells & touched:
            continue
        out[i, [j, j + 1]] = out[[j, j + 1], i] = chart[i, [j + 1, j]]
        touched |= cells
        pairs += 1
        if pairs == count:
            break
    return out, touched


def exchanges(charts: Charts, *, trials: int, rng: np.random.Generator, count: int = 5) -> Exchanges:
    """Exchange neighbours with 2 to 3 thousand between them, some in each computed chart, and diagnose."""
    first, moved, alarms = [], 0, 0
    for _ in range(trials):
        typed, touched = exchange(charts.computed(rng), charts.paid, rng, count=count, low=2, high=3)
        found = diagnose(typed, charts.distances, step=STEP)
        seen = ranks(found)
        moved += len(found.structure)
        first += [seen[cell][0] < FIRST if cell in seen else False for cell in sorted(touched)]
        alarms += sum(score >= FLAG for cell, (_, score) in seen.items() if cell not in touched)
    return Exchanges(first, moved / trials, alarms / trials)


def crowded_rows(
    charts: Charts, *, rows: int, trials: int, rng: np.random.Generator, noise: float | None = None
) -> dict[int, list[bool]]:
    """Plant 86 wrong amounts in the rows of a few cities; return by size (0, 2, 3 thousand and more) which are flagged.

    Args:
        charts: Of which board.
        rows: How many cities.
        trials: How many charts.
        rng: Randomness.
        noise: Of computed charts; None for the printed chart.
    """
    out: dict[int, list[bool]] = {0: [], 2: [], 3: []}
    for _ in range(trials):
        right = charts.printed if noise is None else charts.computed(rng, noise)
        typed, done = right.copy(), dict[Cell, float]()
        full = rng.choice(len(right), rows, replace=False)
        for size in (*rng.choice([0.5, 1, 1.5], 65), *rng.choice([2, 2.5], 11), *rng.choice([3, 3.5, 4, 5, 6], 10)):
            free = [
                (min(i, j), max(i, j))
                for i in full.tolist()
                for j in range(len(right))
                if charts.paid[i, j] and (min(i, j), max(i, j)) not in done
            ]
            i, j = free[rng.integers(len(free))]
            off = right[i, j] + size * rng.choice([-1, 1])
            typed[i, j] = typed[j, i] = off if off > 0 else right[i, j] + size
            done[i, j] = size
        seen = ranks(diagnose(typed, charts.distances, step=STEP))
        for cell, size in done.items():
            out[0 if size < 2 else 2 if size < 3 else 3].append(cell in seen and seen[cell][1] >= FLAG)
    return out
