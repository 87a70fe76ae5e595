"""The one conversion of a board to networkx, as a MultiGraph of mileposts; and connected components.

networkx serves people's own analyses. Queries on all pairs of mileposts, on every board or after each edit use faster
code. Figures of `python tests/bench/bench_networkx.py` on the United States:

- Connected parts are found by following the pairs: networkx alone takes 50 ms to load.
- Distances between all pairs are found as rows of bits (`mapkit.kinds.rail.network.distances`): 7 ms in place of 80.
- Spurs are found by stripping dead ends (`mapkit.kinds.rail.network.service`): 1 ms in place of the
  4 of `k_core`, after each edit.
- Points of drawings that touch are arrays of up to 500,000 pairs: numpy groups 50,000 of them in 3 ms, where networkx
  takes 160 (`mapkit.kinds.rail.trace.noding`).
- Names that touch, and ways between cities, are found by numpy (`mapkit.kinds.rail.render.text.placing`,
  `mapkit.kinds.rail.network.ways`), from all cities at once.
- Routes use no track piece twice (`mapkit.kinds.rail.network.routes`), for which networkx has no algorithm.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from mapkit.core import heavy
from mapkit.kinds.rail.model.board import Board

if TYPE_CHECKING:
    MilepostGraph = heavy.networkx.MultiGraph[str]

_MILEPOST_FIELDS: Final = ("name", "kind", "lon", "lat", "x", "y")
_PIECE_SEPARATOR: Final = " "


def multigraph(board: Board, *, places: Mapping[str, Mapping[str, float]] | None = None) -> "MilepostGraph":
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


def components(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the connected components of a graph given as pairs of nodes, largest first, each sorted."""
    neighbours: dict[str, list[str]] = defaultdict(list)
    for first_node, second_node in pairs:
        neighbours[first_node].append(second_node)
        neighbours[second_node].append(first_node)
    components_found: list[list[str]] = []
    visited_nodes: set[str] = set()
    for start in neighbours:
        if start in visited_nodes:
            continue
        component = [start]
        visited_nodes.add(start)
        for node in component:  # the list grows during the loop
            new_nodes = [second_node for second_node in neighbours[node] if second_node not in visited_nodes]
            component += dict.fromkeys(new_nodes)
            visited_nodes.update(new_nodes)
        components_found.append(sorted(component))
    return sorted(components_found, key=lambda part: (-len(part), part))
