"""Cities, pens and signs of a board as RB3 takes them."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mapkit.core.errors import ExportError
from mapkit.kinds.rail.model.board import Board, City, Pattern

PENS: Final[Mapping[Pattern, int]] = {"solid": 0, "dash": 1, "dot": 2, "dash-dot": 3}
"""Line styles that a board has too; others are drawn solid."""


@dataclass(frozen=True)
class MergedCities:
    """Cities of one milepost, which RB3 takes as one; `at` is the row of the first in the payoff chart."""

    name: str
    milepost: str
    cities: tuple[City, ...]
    at: int

    @property
    def region(self) -> str:
        """The region of all of them."""
        return self.cities[0].region


def merged_cities(board: Board) -> list[MergedCities]:
    """Return the cities in the order of the payoff chart, those of one milepost as one.

    Raises:
        ExportError: Twins lie in different regions, or the payoff chart has other cities than the board, or none.
    """
    by_id = {city.id: city for city in board.cities}
    if sorted(board.payoffs.cities) != sorted(by_id):
        raise ExportError("RB3: the payoff chart and the board have different cities; correct the chart")
    if not by_id:
        raise ExportError("RB3: the board has no cities; add some")
    groups: dict[str, list[tuple[int, City]]] = defaultdict(list)
    for row, ident in enumerate(board.payoffs.cities):
        groups[by_id[ident].milepost].append((row, by_id[ident]))
    names = {milepost.id: milepost.name for milepost in board.mileposts}
    out: list[MergedCities] = []
    for milepost, rows in groups.items():
        cities = tuple(city for _, city in rows)
        if len({city.region for city in cities}) > 1:
            joined = " and ".join(city.name for city in cities)
            raise ExportError(f"RB3: {joined} share a milepost but lie in different regions; RB3 has one city there")
        out.append(MergedCities(cities[0].name if len(cities) == 1 else names[milepost], milepost, cities, rows[0][0]))
    return out


def sign_code(symbol: str) -> int | None:
    """Return the Windows-1252 code of a currency sign, None if it is not a single character of it."""
    coded = symbol.encode("cp1252", errors="ignore")
    return coded[0] if len(symbol) == len(coded) == 1 else None
