"""Expected amounts of the diagnosing model, for a comparison of charts."""

from collections.abc import Sequence

import numpy as np

from mapkit.kinds.rail.charts.payoffs.diagnosis import diagnose
from mapkit.kinds.rail.charts.payoffs.distances import CityDistances
from mapkit.kinds.rail.model.payoffs.chart import Matrix
from mapkit.kinds.rail.model.payoffs.diagnosis import FEWEST_CITIES

AMOUNTS_A_CITY = 3


class DiagnosedGeometry:
    """Model of `diagnose`, fitted to the amounts of the majority.

    Each cell is predicted by all others, independently of its own reading; cells without a majority are predicted too.

    Args:
        distances: Distances of the board's cities; there are no predictions for others.
        step: The grid of the amounts, thousands.
    """

    def __init__(self, distances: CityDistances, *, step: float = 0.5) -> None:
        self.distances = distances
        self.step = step

    def __call__(self, cities: tuple[str, ...], matrix: Matrix, /) -> tuple[Matrix, Matrix]:
        """Return expected amounts and their standard deviations, NaN without a prediction."""
        row_by_city = {city: k for k, city in enumerate(self.distances.cities)}
        known_indices = [k for k, city in enumerate(cities) if city in row_by_city]
        expected, sd = np.full(matrix.shape, np.nan), np.full(matrix.shape, np.nan)
        known_cells = np.ix_(known_indices, known_indices)
        amount_count = int(np.isfinite(matrix[known_cells][np.triu_indices(len(known_indices), 1)]).sum())
        if len(known_indices) < FEWEST_CITIES or amount_count < AMOUNTS_A_CITY * len(known_indices):
            return expected, sd
        distances = _select_cities(self.distances, [row_by_city[cities[k]] for k in known_indices])
        chart_diagnosis = diagnose(matrix[known_cells], distances, step=self.step)
        expected[known_cells] = np.where(distances.twins, np.nan, chart_diagnosis.fit.expected)
        sd[known_cells] = chart_diagnosis.fit.sd
        return expected, sd


def _select_cities(distances: CityDistances, rows: Sequence[int]) -> CityDistances:
    row_cells = np.ix_(rows, rows)
    return CityDistances(
        tuple(distances.cities[k] for k in rows),
        distances.ground[row_cells],
        None if distances.rail is None else distances.rail[row_cells],
        None if distances.moves is None else distances.moves[row_cells],
    )
