"""Groups of cities that track or printed links can join."""

from mapkit.core import heavy
from mapkit.kinds.hex.model.board import HexBoard
from mapkit.kinds.hex.network.ways import Ways


def city_groups(board: HexBoard, ways: Ways) -> list[list[str]]:
    """Return the cities that track or printed links can join, the largest group first."""
    city_ids = [city.id for city in board.cities]
    links: heavy.networkx.Graph[str] = heavy.networkx.Graph()
    links.add_nodes_from(city_ids)
    links.add_edges_from((city_ids[a], city_ids[b]) for a, b in ways.pairs().tolist())
    links.add_edges_from((link.a, link.b) for link in board.links if link.b)
    groups = map(sorted, heavy.networkx.connected_components(links))
    return sorted(groups, key=lambda group: (-len(group), group))
