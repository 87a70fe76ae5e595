"""Lines somebody drew become a network: they are joined where they meet, and what was drawn amiss is repaired.

Everything is done railroad by railroad, in a plane, with arrays over all lines at once:

1. doubled vertices, spikes and lines of no length go (`noding_clean`);
2. crossings, and ends and vertices within the tolerance of another line, are found (`noding_near`);
3. places within the tolerance of each other become one node, at a pin if there is one;
4. doubled lines go, and nodes at which a line only runs on are merged away (`noding_graph`).

A tolerance in the unit of the coordinates should be well below the distance between lines that are different.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.trace.noding_arrays import NO_XY, Floats, Ints, Shapes, number_rows
from mapkit.trace.noding_clean import Notes, clean_lines
from mapkit.trace.noding_doubles import Parts, every_part, without_doubles
from mapkit.trace.noding_graph import Merged, Stretches, draw, ends_of, merge_stretches, no_stretches, unmerged
from mapkit.trace.noding_join import (
    Doubt,
    cut_at_nodes,
    find_runs,
    join_pins,
    join_places,
    note_ends,
    pin_doubts,
)
from mapkit.trace.noding_near import find_near, make_boxes


@dataclass(frozen=True, order=True)
class Repair:
    """What was mended: what, where, by how much (in the unit of the coordinates), on which line.

    Kinds: `doubled vertex`, `spike`, `zero-length line`, `undershoot` (an end carried on to a line), `overshoot` (an
    end cut back to it), `gap` (two ends joined), `short piece` (a piece within one node), `doubled line` and
    `near-duplicate` (a stretch that lies on, or within the tolerance of, another one; the size is its length).
    """

    kind: str
    x: float
    y: float
    size: float
    source: int


@dataclass(frozen=True, order=True)
class Ambiguity:
    """What the author must decide; nothing was done.

    Kinds: `pin between lines` (pin, railroad: the pin was joined to neither), `pins within tolerance` (pin, other pin),
    `crowded` (railroad: many places within the tolerance of the next, over more than four tolerances).
    """

    kind: str
    x: float
    y: float
    pin: int
    other: int
    railroad: int
    lines: tuple[int, ...]


@dataclass(frozen=True)
class NodedNetwork:
    """Nodes and the edges between them; every edge is a chain between pins, junctions and ends.

    Attributes:
        node_xy: Coordinates of the nodes, shape (n, 2); the pins come first, all of them, in their order.
        node_pin: The number of the pin that a node is, else -1.
        node_railroad: The railroad of a node that is no pin, else -1.
        edge_a: Node at the start of each edge.
        edge_b: Node at the end of each edge.
        edge_railroad: Its railroad.
        edge_source: The line that its first stretch comes from.
        edge_lines: LineStrings from node a to node b.
        part_edge: The edges again, once for each line that has a part in one,
        part_source: and these lines.
        repairs: What was mended, sorted.
        ambiguities: What was not, sorted.
    """

    node_xy: Floats
    node_pin: Ints
    node_railroad: Ints
    edge_a: Ints
    edge_b: Ints
    edge_railroad: Ints
    edge_source: Ints
    edge_lines: Shapes
    part_edge: Ints
    part_source: Ints
    repairs: tuple[Repair, ...]
    ambiguities: tuple[Ambiguity, ...]


def node_lines(
    lines: Shapes, *, railroad: NDArray[np.integer[Any]], pins: Shapes | None = None, tolerance: float
) -> NodedNetwork:
    """Join lines of one railroad where they meet, cross or end within the tolerance; lines of others at pins only.

    Args:
        lines: LineStrings in a plane, finite, two-dimensional: metres of a projection, or degrees if the tolerance
            may be wider north-south than east-west.
        railroad: A number for the railroad of each line.
        pins: Points of mileposts; they keep their places.
        tolerance: Above 0, in the unit of the coordinates.

    Raises:
        ValueError: The tolerance is not above 0, or not every line has a railroad.
    """
    if not tolerance > 0 or not np.isfinite(tolerance):
        raise ValueError(f"tolerance {tolerance} is not above 0")
    if len(lines) != len(railroad):
        raise ValueError(f"{len(lines)} lines, but {len(railroad)} railroads")
    notes = Notes([], [], [], [])
    pin_xy = _pin_places(pins)
    chains = clean_lines(lines, np.asarray(railroad, dtype=np.int64), tolerance, notes)
    if len(chains.first) == 0:
        doubts = pin_doubts(pin_xy, tolerance)
        none = no_stretches()
        return _finish((none, unmerged(0), every_part(none)), pin_xy, len(pin_xy), chains.xy, notes, doubts)
    boxes = make_boxes(chains, tolerance)
    near = find_near(chains, boxes, tolerance)
    runs = find_runs(chains, near, tolerance)
    joints = join_places(chains, near, runs, tolerance)
    joints, doubts = join_pins(chains, boxes, runs, joints, pin_xy, tolerance)
    note_ends(chains, joints, len(pin_xy), tolerance, notes)
    stretches = cut_at_nodes(chains, joints, tolerance, notes)
    fixed = np.arange(len(joints.node_xy)) < len(pin_xy)
    graph = without_doubles(stretches, joints.node_xy, chains.xy, fixed, tolerance, notes)
    return _finish(graph, joints.node_xy, len(pin_xy), chains.xy, notes, doubts)


def join_noded(lines: Shapes, *, railroad: NDArray[np.integer[Any]], pins: Shapes | None = None) -> NodedNetwork:
    """Make the network of lines that meet only at their ends, in exactly the same coordinates.

    Args:
        lines: LineStrings, two-dimensional, finite.
        railroad: A number for the railroad of each line.
        pins: Points of mileposts; a line that has one is cut there already.
    """
    pin_xy = _pin_places(pins)
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines).astype(np.int64)
    codes = np.asarray(railroad, dtype=np.int64)
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    places = np.concatenate([pin_xy, xy[first], xy[last]]) + 0.0
    # A node off a pin belongs to one railroad, so that lines of others pass through it.
    same_place = number_rows(places.view(np.complex128)[:, 0])
    whose = np.concatenate([np.full(len(pin_xy), codes.min(initial=0)), codes, codes])
    at_pin = np.full(same_place.max(initial=-1) + 1, -1, dtype=np.int64)
    at_pin[same_place[: len(pin_xy)]] = np.arange(len(pin_xy))
    shift = whose - codes.min(initial=0)
    node = number_rows(same_place * (shift.max(initial=0) + 1) + shift) + len(pin_xy)
    node_xy = np.empty((node.max(initial=len(pin_xy) - 1) + 1, 2))
    node_xy[node] = places
    node_xy[: len(pin_xy)] = pin_xy
    node = np.where(at_pin[same_place] >= 0, at_pin[same_place], node)[len(pin_xy) :]
    n = len(lines)
    stretches = Stretches(node[:n], node[n:], first + 1, counts - 2, codes, np.arange(n, dtype=np.int64))
    merged = merge_stretches(stretches, np.arange(len(node_xy)) < len(pin_xy))
    return _finish((stretches, merged, every_part(stretches)), node_xy, len(pin_xy), xy, Notes([], [], [], []), [])


def _pin_places(pins: Shapes | None) -> Floats:
    return NO_XY if pins is None or len(pins) == 0 else shapely.get_coordinates(pins)


def _finish(  # noqa: PLR0913, PLR0917
    graph: tuple[Stretches, Merged, Parts],
    node_xy: Floats,
    pins: int,
    chain_xy: Floats,
    notes: Notes,
    doubts: list[Doubt],
) -> NodedNetwork:
    """Draw, and number the nodes that are left."""
    stretches, merged, parts = graph
    lines = draw(stretches, merged, node_xy, chain_xy)
    a, b = ends_of(stretches, merged)
    fixed = np.arange(len(node_xy)) < pins
    fixed[a] = True
    fixed[b] = True
    number = np.cumsum(fixed) - 1
    a, b = number[a], number[b]
    first = merged.order[merged.starts] // 2
    codes = stretches.railroad[first]
    node_railroad = np.full(int(fixed.sum()), -1, dtype=np.int64)
    node_railroad[a], node_railroad[b] = codes, codes
    node_railroad[:pins] = -1
    node_pin = np.full(len(node_railroad), -1, dtype=np.int64)
    node_pin[:pins] = np.arange(pins)
    edge_of = np.empty(len(stretches.a), dtype=np.int64)
    edge_of[merged.order // 2] = np.repeat(np.arange(len(a)), merged.sizes)
    part, source = edge_of[parts.stretch], parts.source
    order = np.lexsort((source, part))
    part, source = part[order], source[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (part[1:] != part[:-1]) | (source[1:] != source[:-1])
    return NodedNetwork(
        node_xy=node_xy[fixed],
        node_pin=node_pin,
        node_railroad=node_railroad,
        edge_a=a,
        edge_b=b,
        edge_railroad=codes,
        edge_source=stretches.source[first],
        edge_lines=lines,
        part_edge=part[new],
        part_source=source[new],
        repairs=tuple(sorted(Repair(*row) for row in notes.rows())),
        ambiguities=tuple(sorted(Ambiguity(*row) for row in doubts)),
    )
