"""The one conversion of a board to networkx, as a MultiGraph of mileposts; connected components and spurs.

Searches that run from all cities or mileposts at once, on every board, use arrays. Figures of
`python tests/bench/bench_networkx.py` on the United States:

- Distances between all pairs are found as rows of bits (`mapkit.kinds.rail.network.distances`): 7 ms in place of 80.
- Miles from all cities are found in numpy (`mapkit.kinds.rail.network.shortest_paths`): 9 ms in place of 150.
- Points of drawings that touch are arrays of up to 500,000 pairs: numpy groups 50,000 of them in 3 ms, where networkx
  takes 160 (`mapkit.kinds.rail.trace.noding`).

networkx takes 0.3 s to load, a sixth of `mapkit route`. So tracing and reports do without it
(`python tests/bench/bench_build.py`).
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from mapkit.core import heavy
from mapkit.kinds.rail.model.board import Board

if TYPE_CHECKING:
    MilepostGraph = heavy.networkx.MultiGraph[str]

_MILEPOST_FIELDS: Final = ("name", "kind", "lon", "lat", "x", "y")
_PIECE_SEPARATOR: Final = " "


def board_to_multigraph(board: Board, *, places: Mapping[str, Mapping[str, float]] | None = None) -> "MilepostGraph":
    """Return the network of a board as an undirected multigraph (RB-C09).

    Nodes are mileposts by id, with `name`, `kind`, `lon`, `lat` (degrees), `x`, `y` (mm), `cities` (names, joined by
    ` / `) and `region`, both empty for dots. Edges are segments, keyed by their railroad's id (`pa--2` for a second
    segment of it between the same mileposts), with `id`, `railroad`, `a`, `b`, `miles`, `pieces` (ids of track pieces,
    joined by spaces) and `colour`. All values are plain, as networkx's writers need them.

    Args:
        board: The board.
        places: More attributes of mileposts, by id; they come after `y`.
    """
    graph: MilepostGraph = heavy.networkx.MultiGraph()
    cities_by_milepost: dict[str, list[Any]] = {}
    for city in board.cities:
        cities_by_milepost.setdefault(city.milepost, []).append(city)
    for milepost in board.mileposts:
        milepost_cities = cities_by_milepost.get(milepost.id, [])
        milepost_fields = {field: getattr(milepost, field) for field in _MILEPOST_FIELDS}
        city_fields = {
            "cities": " / ".join(c.name for c in milepost_cities),
            "region": milepost_cities[0].region if milepost_cities else "",
        }
        graph.add_node(milepost.id, **milepost_fields, **(places or {}).get(milepost.id, {}), **city_fields)
    colours = {r.id: r.style.colour for r in board.railroads}
    for segment in board.segments:
        parallel_edges = graph.get_edge_data(segment.a, segment.b) or {}
        railroad_id, number = segment.railroad, 2
        while railroad_id in parallel_edges:
            railroad_id, number = f"{segment.railroad}--{number}", number + 1
        row = segment.model_dump(exclude={"path", "pieces"})
        piece_ids = _PIECE_SEPARATOR.join(segment.pieces)
        graph.add_edge(segment.a, segment.b, key=railroad_id, **row, pieces=piece_ids, colour=colours[segment.railroad])
    return graph


def find_node_components(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the connected components of a graph given as pairs of nodes, largest first, each sorted."""
    graph: heavy.networkx.Graph[str] = heavy.networkx.Graph(pairs)
    return sorted(map(sorted, heavy.networkx.connected_components(graph)), key=lambda part: (-len(part), part))


def spurs(track: Iterable[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return the spurs (RB-C25) of track: stretches without a return path, each from the network to its far end.

    Args:
        track: The mileposts and junctions (ids) that each piece of track joins.

    Returns:
        Ids of each spur: first a milepost or junction on a cycle of track, or between two cycles, last the dead end.
        Where a spur forks, each end has a spur of its own, with the common stem. In a component without a cycle, spurs
        meet in its middle.
    """
    graph: heavy.networkx.Graph[str] = heavy.networkx.Graph()
    for number, (a, b) in enumerate(track):
        if graph.has_edge(a, b):  # of two pieces between the same nodes, the second one gets a node to make a cycle
            heavy.networkx.add_path(graph, (a, f" {number}", b))
        elif a != b:
            graph.add_edge(a, b)
    core_number = heavy.networkx.core_number(graph)
    layer = heavy.networkx.onion_layers(graph)  # the round in which dead ends are stripped up to a node
    spur_runs: list[tuple[str, ...]] = []
    for far_end in sorted(node for node, degree in graph.degree if degree == 1):
        spur_nodes = [far_end]
        while core_number[spur_nodes[-1]] == 1:
            rank = (layer[spur_nodes[-1]], spur_nodes[-1])
            inner_node = next((node for node in graph[spur_nodes[-1]] if (layer[node], node) > rank), None)
            if inner_node is None:  # the middle of a component without a cycle
                break
            spur_nodes.append(inner_node)
        spur_runs.append(tuple(reversed(spur_nodes)))
    return tuple(spur_nodes for spur_nodes in spur_runs if len(spur_nodes) > 1)
