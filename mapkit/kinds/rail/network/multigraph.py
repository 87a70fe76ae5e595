"""The one bridge to networkx: a board as a MultiGraph of mileposts; and the connected parts of a network.

networkx is for what people analyse. What is asked of all pairs of mileposts, of every board or after each edit is not
asked of it. `python tests/bench/bench_networkx.py` gives the figures, here on the United States:

- Connected parts are found by following the pairs: networkx alone takes 50 ms to load.
- Distances between all pairs are found as rows of bits (`mapkit.kinds.rail.network.distances`): 7 ms in place of 80.
- Spurs are found by stripping dead ends (`mapkit.kinds.rail.network.service`): 1 ms in place of the
  4 of `k_core`, after each edit.
- Points of drawings that touch are arrays of up to 500,000 pairs: numpy groups 50,000 of them in 3 ms, where networkx
  takes 160 (`mapkit.kinds.rail.trace.noding`).
- Names that touch, and ways between cities, are found by numpy (`mapkit.kinds.rail.render.text.placing`,
  `mapkit.kinds.rail.network.ways`), from all cities at once.
- Routes use no track piece twice (`mapkit.kinds.rail.network.routes`), which no algorithm of networkx knows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from mapkit.core import heavy
from mapkit.kinds.rail.model.board import Board

if TYPE_CHECKING:
    MilepostGraph = heavy.networkx.MultiGraph[str]

_KEEP: Final = ("name", "kind", "lon", "lat", "x", "y")
_APART: Final = " "


def multigraph(board: Board, *, places: Mapping[str, Mapping[str, float]] | None = None) -> "MilepostGraph":
    """Return the network of a board as an undirected multigraph (RB-C09).

    Nodes are mileposts by id, with `name`, `kind`, `lon`, `lat` (degrees), `x`, `y` (mm), `cities` (names, joined by
    ` / `) and `region`, both empty for dots. Edges are segments, keyed by their railroad's id (`pa--2` for a second
    segment of it between the same mileposts), with `id`, `railroad`, `a`, `b`, `miles`, `pieces` (ids of track pieces,
    joined by spaces) and `colour`. All values are plain, so that networkx's own writers take them.

    Args:
        board: The board.
        places: More attributes of mileposts, by id; they stand after `y`.
    """
    graph: MilepostGraph = heavy.networkx.MultiGraph()
    cities: dict[str, list[Any]] = {}
    for city in board.cities:
        cities.setdefault(city.milepost, []).append(city)
    for milepost in board.mileposts:
        own = cities.get(milepost.id, [])
        kept = {key: getattr(milepost, key) for key in _KEEP}
        named = {"cities": " / ".join(c.name for c in own), "region": own[0].region if own else ""}
        graph.add_node(milepost.id, **kept, **(places or {}).get(milepost.id, {}), **named)
    colours = {r.id: r.style.colour for r in board.railroads}
    for segment in board.segments:
        taken = graph.get_edge_data(segment.a, segment.b) or {}
        key, number = segment.railroad, 2
        while key in taken:
            key, number = f"{segment.railroad}--{number}", number + 1
        row = segment.model_dump(exclude={"path", "pieces"})
        pieces = _APART.join(segment.pieces)
        graph.add_edge(segment.a, segment.b, key=key, **row, pieces=pieces, colour=colours[segment.railroad])
    return graph


def components(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return the connected parts of what pairs of nodes join, largest first, each sorted."""
    near: dict[str, list[str]] = defaultdict(list)
    for one, other in pairs:
        near[one].append(other)
        near[other].append(one)
    parts: list[list[str]] = []
    seen: set[str] = set()
    for start in near:
        if start in seen:
            continue
        part = [start]
        seen.add(start)
        for node in part:  # it grows meanwhile
            new = [other for other in near[node] if other not in seen]
            part += dict.fromkeys(new)
            seen.update(new)
        parts.append(sorted(part))
    return sorted(parts, key=lambda part: (-len(part), part))
