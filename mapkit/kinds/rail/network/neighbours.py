"""Cities next to each other on the rails."""

from mapkit.core import heavy
from mapkit.kinds.rail.model.board import Board


def find_city_neighbours(board: Board) -> dict[str, frozenset[str]]:
    """Return for each city (id) the cities that its rails reach without passing the milepost of another city.

    Twins (RB-C06) are neighbours of each other.
    """
    network: heavy.networkx.Graph[str] = heavy.networkx.Graph((segment.a, segment.b) for segment in board.segments)
    network.add_nodes_from(city.milepost for city in board.cities)
    city_mileposts = {city.milepost for city in board.cities}
    linked_mileposts = {milepost: {milepost, *network[milepost]} & city_mileposts for milepost in city_mileposts}
    for stretch in heavy.networkx.connected_components(network.subgraph(network.nodes - city_mileposts)):
        end_mileposts = set().union(*(network[milepost] for milepost in stretch)) & city_mileposts
        for milepost in end_mileposts:
            linked_mileposts[milepost] |= end_mileposts
    return {
        city.id: frozenset(other.id for other in board.cities if other.milepost in linked_mileposts[city.milepost])
        - {city.id}
        for city in board.cities
    }
