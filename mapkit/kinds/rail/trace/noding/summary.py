"""Statistics of noding."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.kinds.rail.trace.noding.arrays import Shapes
from mapkit.kinds.rail.trace.noding.joining import NodedNetwork

_MIN_BRANCHES = 3


@dataclass(frozen=True)
class Tally:
    """Number of occurrences of a kind, and the sum of their sizes (in the unit of the coordinates)."""

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


def summarise_noding(lines: Shapes, network: NodedNetwork) -> NodingStats:
    """Return the statistics of a network made of the lines."""
    edge_ends = np.concatenate([network.edge_a, network.edge_b])
    node_degree = np.bincount(edge_ends, minlength=len(network.node_xy))
    is_pinned = network.node_pin >= 0
    node_railroads = np.unique(np.stack([edge_ends, np.tile(network.edge_railroad, 2)], axis=1), axis=0)
    railroad_counts = np.bincount(node_railroads[:, 0], minlength=len(network.node_xy))
    part_counts = np.bincount(network.part_edge, minlength=len(network.edge_a))
    joins_by_kind = {
        "milepost": is_pinned & (node_degree > 0),
        "shared milepost": is_pinned & (railroad_counts > 1),
        "junction": ~is_pinned & (node_degree >= _MIN_BRANCHES),
        "through": part_counts > 1,
    }
    return NodingStats(
        lines=len(lines),
        edges=len(network.edge_a),
        vertices_in=int(shapely.get_num_coordinates(lines).sum()),
        vertices_out=int(shapely.get_num_coordinates(network.edge_lines).sum()),
        length_in=float(shapely.length(lines).sum()),
        length_out=float(shapely.length(network.edge_lines).sum()),
        loose_ends=int((~is_pinned & (node_degree == 1)).sum()),
        joins=tuple(
            Tally(kind, int(is_of_kind.sum())) for kind, is_of_kind in sorted(joins_by_kind.items()) if is_of_kind.any()
        ),
        repairs=_tally_by_kind((repair.kind, repair.size) for repair in network.repairs),
        ambiguities=_tally_by_kind((doubt.kind, 0.0) for doubt in network.ambiguities),
    )


def _tally_by_kind(rows: Iterable[tuple[str, float]]) -> tuple[Tally, ...]:
    sizes_by_kind: defaultdict[str, list[float]] = defaultdict(list)
    for kind, size in rows:
        sizes_by_kind[kind].append(size)
    return tuple(Tally(kind, len(sizes_by_kind[kind]), sum(sizes_by_kind[kind])) for kind in sorted(sizes_by_kind))
