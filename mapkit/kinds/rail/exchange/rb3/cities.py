"""Cities, pens and currency signs of a board in the form of RB3."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import ExportError
from mapkit.kinds.rail.model.board import Board, City, Pattern

PENS: Final[Mapping[Pattern, int]] = {"solid": 0, "dash": 1, "dot": 2, "dash-dot": 3}
"""Line styles that RB3 and boards have in common; others are drawn solid."""


@dataclass(frozen=True)
class MergedCities:
    """Cities of one milepost, one city in RB3; `at` is the row of the first in the payoff chart."""

    name: str
    milepost: str
    cities: tuple[City, ...]
    at: int

    @property
    def region(self) -> str:
        """Region of all of them."""
        return self.cities[0].region


def merge_cities(board: Board) -> list[MergedCities]:
    """Return the cities in the order of the payoff chart, with the cities of one milepost merged.

    Raises:
        ExportError: Twins lie in different regions, or the payoff chart has other cities than the board, or none.
    """
    by_id = {city.id: city for city in board.cities}
    if sorted(board.payoffs.cities) != sorted(by_id):
        raise ExportError("RB3: the payoff chart and the board have different cities; correct the chart")
    if not by_id:
        raise ExportError("RB3: the board has no cities; add some")
    cities_by_milepost: dict[str, list[tuple[int, City]]] = defaultdict(list)
    for chart_row, city_id in enumerate(board.payoffs.cities):
        cities_by_milepost[by_id[city_id].milepost].append((chart_row, by_id[city_id]))
    milepost_names = {milepost.id: milepost.name for milepost in board.mileposts}
    merged: list[MergedCities] = []
    for milepost_id, numbered_cities in cities_by_milepost.items():
        cities = tuple(city for _, city in numbered_cities)
        if len({city.region for city in cities}) > 1:
            joined_names = " and ".join(city.name for city in cities)
            raise ExportError(
                f"RB3: {joined_names} share a milepost but lie in different regions; RB3 has one city there"
            )
        merged.append(
            MergedCities(
                cities[0].name if len(cities) == 1 else milepost_names[milepost_id],
                milepost_id,
                cities,
                numbered_cities[0][0],
            )
        )
    return merged


def sign_code(symbol: str) -> int | None:
    """Return the Windows-1252 code of a currency sign; None if it is not a single character of it."""
    cp1252_bytes = symbol.encode("cp1252", errors="ignore")
    return cp1252_bytes[0] if len(symbol) == len(cp1252_bytes) == 1 else None
