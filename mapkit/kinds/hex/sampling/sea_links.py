"""Printed links by sea to islands, so that a board of a country with islands can be built as it is."""

from dataclasses import dataclass

from mapkit.kinds.hex.grid.cubes import distance
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.groups import city_groups
from mapkit.kinds.hex.network.ways import Ways


@dataclass(frozen=True)
class SeaLink:
    """A link by sea.

    Args:
        a: A city on the mainland.
        b: A city on the island.
        cost: In dollars: as much as tiles on water would cost between the two.
        note: What its author should know.
    """

    a: str
    b: str
    cost: int
    note: str


def sea_links(board: HexBoard) -> tuple[SeaLink, ...]:
    """Return a link for each group of cities that no track joins to the largest; it begins at the nearest port."""
    cities = {city.id: city for city in board.cities}
    at = {key: cube for key, city in cities.items() if (cube := board.grid.hex_of(city.hex)) is not None}
    groups = city_groups(board, Ways(board))
    joined = list(groups[0]) if groups else []
    out = []
    for group in groups[1:]:
        a, b = min(
            ((one, other) for one in joined for other in group),
            key=lambda pair: (sum(not cities[city].port for city in pair), distance(at[pair[0]], at[pair[1]]), pair),
        )
        cost = board.rules.track.water * max(1, distance(at[a], at[b]) - 1)
        note = (
            f"no track reaches {cities[b].name}; a link by sea from {cities[a].name} was added for ${cost:,}: "
            "change or remove it in links.csv"
        )
        out.append(SeaLink(a, b, cost, note))
        joined += group
    return tuple(out)
