"""What the diagnosing model expects of each cell, so that a comparison of charts can say which reading it supports."""

from collections.abc import Sequence

import numpy as np

from mapkit.kinds.rail.charts.payoffs.diagnosis import diagnose
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.model.payoffs.chart import Matrix
from mapkit.kinds.rail.model.payoffs.diagnosis import FEWEST_CITIES

AMOUNTS_A_CITY = 3


class DiagnosedGeometry:
    """The model of `diagnose`, fitted to the amounts on which most charts agree.

    Each cell is predicted by all others, so its own reading has no say; cells without a majority are predicted too.

    Args:
        distances: Of the cities that the board has; of others nothing is said.
        step: The grid of the amounts, thousands.
    """

    def __init__(self, distances: CityDistances, *, step: float = 0.5) -> None:
        self.distances = distances
        self.step = step

    def __call__(self, cities: tuple[str, ...], matrix: Matrix, /) -> tuple[Matrix, Matrix]:
        """Return what is expected and its standard deviation, NaN where the model says nothing."""
        there = {city: k for k, city in enumerate(self.distances.cities)}
        known = [k for k, city in enumerate(cities) if city in there]
        expected, sd = np.full(matrix.shape, np.nan), np.full(matrix.shape, np.nan)
        at = np.ix_(known, known)
        amounts = int(np.isfinite(matrix[at][np.triu_indices(len(known), 1)]).sum())
        if len(known) < FEWEST_CITIES or amounts < AMOUNTS_A_CITY * len(known):
            return expected, sd
        distances = _of(self.distances, [there[cities[k]] for k in known])
        found = diagnose(matrix[at], distances, step=self.step)
        expected[at] = np.where(distances.twins, np.nan, found.fit.expected)
        sd[at] = np.maximum(found.fit.sd, self.step / 4)
        return expected, sd


def _of(distances: CityDistances, rows: Sequence[int]) -> CityDistances:
    at = np.ix_(rows, rows)
    return CityDistances(
        tuple(distances.cities[k] for k in rows),
        distances.ground[at],
        None if distances.rail is None else distances.rail[at],
        None if distances.moves is None else distances.moves[at],
    )
