"""Lines somebody drew become a network: they are joined where they meet, and what was drawn amiss is repaired.

Everything is done railroad by railroad, in a plane, with arrays over all lines at once:

1. doubled vertices, spikes and lines of no length go (`noding_clean`);
2. crossings, and ends and vertices within the tolerance of another line, are found (`noding_near`);
3. places within the tolerance of each other become one node, at a pin if there is one (`noding_join`);
4. doubled lines go, and nodes at which a line only runs on are merged away (`noding_doubles`, `noding_graph`);
5. the same again near whatever was moved, until nothing moves (`noding_pass`, `noding_settle`).

The order and the direction of the lines change nothing, and noding the network again changes and reports nothing.
A tolerance in the unit of the coordinates should be well below the distance between lines that are different.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.arrays import number_rows
from mapkit.kinds.rail.trace.noding.arrays import NO_XY, Floats, Ints, PinOwners, Shapes, number_places
from mapkit.kinds.rail.trace.noding.clean import Notes
from mapkit.kinds.rail.trace.noding.graph import Stretches, draw, ends_of, merge_stretches
from mapkit.kinds.rail.trace.noding.nodes import Doubt, pin_doubts
from mapkit.kinds.rail.trace.noding.passes import Drawing
from mapkit.kinds.rail.trace.noding.settle import settle


@dataclass(frozen=True, order=True)
class Repair:
    """What was repaired: what, where, by how much (in the unit of the coordinates), on which line.

    Kinds: `doubled vertex`, `spike`, `zero-length line`, `undershoot` (an end carried on to a line), `overshoot` (an
    end cut back to it), `gap` (two ends joined), `end at pin` (an end moved to a pin), `moved vertex` (a vertex
    farther than the tolerance from the node that it became), `short piece` (a piece within one node, as a small loop;
    the size is its length), `doubled line` (a stretch that lies on another one, at its middle; the size is its length)
    and `near-duplicate` (one within the tolerance of another; the size is the greatest distance between the two).
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
        node_railroad: The railroad of a node that is not a pin, else -1.
        edge_a: Node at the start of each edge.
        edge_b: Node at the end of each edge.
        edge_railroad: Its railroad.
        edge_source: The line that its first stretch comes from.
        edge_lines: LineStrings from node a to node b.
        part_edge: The edges again, once for each line that has a part in one, or that was left out as its double,
        part_source: and these lines.
        repairs: What was repaired, sorted.
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
    lines: Shapes,
    *,
    railroad: NDArray[np.integer[Any]],
    pins: Shapes | None = None,
    pin_railroads: Sequence[Collection[int]] | None = None,
    tolerance: float,
) -> NodedNetwork:
    """Join lines of one railroad where they meet, cross or end within the tolerance; lines of others at pins only.

    Args:
        lines: LineStrings in a plane, finite, two-dimensional: metres of a projection, or degrees if the tolerance
            may be wider north-south than east-west.
        railroad: A number for the railroad of each line.
        pins: Points of mileposts; they keep their places.
        pin_railroads: The railroads whose lines each pin joins, none for all; None if all do.
        tolerance: Above 0, in the unit of the coordinates.

    Raises:
        ValueError: The tolerance is not above 0, or not every line has a railroad, or not every pin its owners.
    """
    if not tolerance > 0 or not np.isfinite(tolerance):
        raise ValueError(f"tolerance {tolerance} is not above 0")
    if len(lines) != len(railroad):
        raise ValueError(f"{len(lines)} lines, but {len(railroad)} railroads")
    notes = Notes([], [], [], [])
    codes = np.asarray(railroad, dtype=np.int64)
    pin_xy = _pin_places(pins)
    number = np.arange(len(lines), dtype=np.int64)
    ends = np.full((len(lines), 2, 2), np.nan)
    given = Drawing(np.asarray(lines, dtype=np.object_), codes, number, number, number, ends)
    owners = PinOwners.of(pin_railroads, len(pin_xy))
    places, number_of, place_of = np.unique(pin_xy, axis=0, return_index=True, return_inverse=True)
    drawing, found = settle(given, places, owners.together(place_of.ravel(), len(places)), tolerance, notes)
    doubts = pin_doubts(pin_xy, owners, tolerance)
    for kind, x, y, pin, other, code, of_lines in found:
        doubts.append((kind, x, y, int(number_of[pin]) if pin >= 0 else -1, other, code, of_lines))
    return _network(drawing, pin_xy, notes, doubts)


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
    node, node_xy = _number_nodes(pin_xy, xy[first], xy[last], codes)
    n = len(lines)
    stretches = Stretches(node[:n], node[n:], first + 1, counts - 2, codes, np.arange(n, dtype=np.int64))
    merged = merge_stretches(stretches, np.arange(len(node_xy)) < len(pin_xy))
    edge = np.empty(n, dtype=np.int64)
    edge[merged.order // 2] = np.repeat(np.arange(len(merged.starts)), merged.sizes)
    order = np.argsort(edge, kind="stable")
    one = merged.order[merged.starts] // 2
    ends = node_xy[np.stack(ends_of(stretches, merged), axis=1)]
    drawing = Drawing(draw(stretches, merged, node_xy, xy), codes[one], one, edge[order], order, ends)
    return _network(drawing, pin_xy, Notes([], [], [], []), [])


def _pin_places(pins: Shapes | None) -> Floats:
    return NO_XY if pins is None or len(pins) == 0 else shapely.get_coordinates(pins) + 0.0


def _number_nodes(pin_xy: Floats, first_xy: Floats, last_xy: Floats, codes: Ints) -> tuple[Ints, Floats]:
    """Return the node of each line's first, then last place, and the nodes' places; pins are the first nodes.

    A node off a pin belongs to one railroad, so that lines of others pass through it.
    """
    places = np.concatenate([pin_xy, first_xy, last_xy]) + 0.0
    pins = len(pin_xy)
    same_place = number_places(places)
    whose = number_rows(codes)
    at_pin = np.full(same_place.max(initial=-1) + 1, -1, dtype=np.int64)
    at_pin[same_place[:pins][::-1]] = np.arange(pins)[::-1]
    pin = at_pin[same_place[pins:]]
    off = pin < 0
    key = same_place[pins:] * (whose.max(initial=0) + 1) + np.concatenate([whose, whose])
    node = pin
    node[off] = number_rows(key[off]) + pins
    node_xy = np.empty((node.max(initial=pins - 1) + 1, 2))
    node_xy[node] = places[pins:]
    node_xy[:pins] = pin_xy
    return node, node_xy


def _network(drawing: Drawing, pin_xy: Floats, notes: Notes, doubts: list[Doubt]) -> NodedNetwork:
    """Number the nodes that are left."""
    n, pins = len(drawing.lines), len(pin_xy)
    node, node_xy = _number_nodes(pin_xy, drawing.ends[:, 0], drawing.ends[:, 1], drawing.railroad)
    node_railroad = np.full(len(node_xy), -1, dtype=np.int64)
    node_railroad[node] = np.concatenate([drawing.railroad, drawing.railroad])
    node_railroad[:pins] = -1
    node_pin = np.where(np.arange(len(node_xy)) < pins, np.arange(len(node_xy)), -1)
    return NodedNetwork(
        node_xy=node_xy,
        node_pin=node_pin,
        node_railroad=node_railroad,
        edge_a=node[:n],
        edge_b=node[n:],
        edge_railroad=drawing.railroad,
        edge_source=drawing.source,
        edge_lines=drawing.lines,
        part_edge=drawing.part_line,
        part_source=drawing.part_source,
        repairs=tuple(sorted(Repair(*row) for row in notes.rows())),
        ambiguities=tuple(sorted(Ambiguity(*row) for row in doubts)),
    )
