"""Printed links by sea to islands, so that a board of a country with islands can be built without edits."""

from dataclasses import dataclass

from mapkit.kinds.hex.grid.cubes import hex_distance
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.groups import city_groups
from mapkit.kinds.hex.network.ways import Ways


@dataclass(frozen=True)
class SeaLink:
    """Link by sea.

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


def find_sea_links(board: HexBoard) -> tuple[SeaLink, ...]:
    """Return a link to each group of cities off the largest one, from the nearest port."""
    city_by_id = {city.id: city for city in board.cities}
    cube_by_city = {key: cube for key, city in city_by_id.items() if (cube := board.grid.hex_of(city.hex)) is not None}
    groups = city_groups(board, Ways(board))
    joined_cities = list(groups[0]) if groups else []
    links = []
    for group in groups[1:]:
        mainland_city, new_city = min(
            ((joined_city, island_city) for joined_city in joined_cities for island_city in group),
            key=lambda pair: (
                sum(not city_by_id[city].port for city in pair),
                hex_distance(cube_by_city[pair[0]], cube_by_city[pair[1]]),
                pair,
            ),
        )
        cost = board.rules.track.water * max(1, hex_distance(cube_by_city[mainland_city], cube_by_city[new_city]) - 1)
        note = (
            f"no track reaches {city_by_id[new_city].name}; "
            f"a link by sea from {city_by_id[mainland_city].name} was added for ${cost:,}: "
            "change or remove it in links.csv"
        )
        links.append(SeaLink(mainland_city, new_city, cost, note))
        joined_cities += group
    return tuple(links)
