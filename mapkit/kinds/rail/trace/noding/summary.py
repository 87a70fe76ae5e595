"""What noding made of the lines, in numbers."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork

_BRANCHES = 3


@dataclass(frozen=True)
class Tally:
    """How often something happened, and its sizes added up (in the unit of the coordinates)."""

    kind: str
    count: int
    size: float = 0.0


@dataclass(frozen=True)
class NodingStats:
    """Lines in, edges out; lengths in the unit of the coordinates.

    Attributes:
        lines: How many lines were given.
        edges: How many edges they became.
        vertices_in: Vertices of the lines.
        vertices_out: Vertices of the edges.
        length_in: Length of the lines.
        length_out: Length of the edges.
        loose_ends: Nodes off mileposts at which one edge ends and nothing else.
        joins: By kind, sorted: `milepost` (pinned, on at least one line), `shared milepost` (one of several
            railroads), `junction` (three or more edge ends off a milepost), `through` (an edge of several lines).
        repairs: By kind, sorted.
        ambiguities: By kind, sorted; they have no size.
    """

    lines: int
    edges: int
    vertices_in: int
    vertices_out: int
    length_in: float
    length_out: float
    loose_ends: int
    joins: tuple[Tally, ...]
    repairs: tuple[Tally, ...]
    ambiguities: tuple[Tally, ...]


def summarise(lines: Shapes, network: NodedNetwork) -> NodingStats:
    """Return the numbers of a network made of the lines."""
    ends = np.concatenate([network.edge_a, network.edge_b])
    degree = np.bincount(ends, minlength=len(network.node_xy))
    pinned = network.node_pin >= 0
    pairs = np.unique(np.stack([ends, np.tile(network.edge_railroad, 2)], axis=1), axis=0)
    railroads = np.bincount(pairs[:, 0], minlength=len(network.node_xy))
    parts = np.bincount(network.part_edge, minlength=len(network.edge_a))
    joins = {
        "milepost": pinned & (degree > 0),
        "shared milepost": pinned & (railroads > 1),
        "junction": ~pinned & (degree >= _BRANCHES),
        "through": parts > 1,
    }
    return NodingStats(
        lines=len(lines),
        edges=len(network.edge_a),
        vertices_in=int(shapely.get_num_coordinates(lines).sum()),
        vertices_out=int(shapely.get_num_coordinates(network.edge_lines).sum()),
        length_in=float(shapely.length(lines).sum()),
        length_out=float(shapely.length(network.edge_lines).sum()),
        loose_ends=int((~pinned & (degree == 1)).sum()),
        joins=tuple(Tally(kind, int(where.sum())) for kind, where in sorted(joins.items()) if where.any()),
        repairs=_tallies((repair.kind, repair.size) for repair in network.repairs),
        ambiguities=_tallies((doubt.kind, 0.0) for doubt in network.ambiguities),
    )


def _tallies(rows: Iterable[tuple[str, float]]) -> tuple[Tally, ...]:
    sizes: defaultdict[str, list[float]] = defaultdict(list)
    for kind, size in rows:
        sizes[kind].append(size)
    return tuple(Tally(kind, len(sizes[kind]), sum(sizes[kind])) for kind in sorted(sizes))
