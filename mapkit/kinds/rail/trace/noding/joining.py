"""Noding: drawn lines become a network, joined where they meet, with drawing faults repaired.

Everything is done railroad by railroad, in a plane, with arrays over all lines at once:

1. remove doubled vertices, spikes and lines of no length (`clean`);
2. find crossings, and ends and vertices within the tolerance of another line (`near`);
3. merge places within the tolerance of each other into one node, at a pin if there is one (`nodes`);
4. remove doubled lines, and merge lines at nodes of degree two (`doubles`, `graph`);
5. repeat near the places that moved, until nothing moves (`passes`, `settle`).

The result does not depend on the order and the direction of the lines, and noding the network again changes and
reports nothing. The tolerance should be well below the distance between different lines.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.arrays import number_rows
from mapkit.kinds.rail.trace.noding.arrays import NO_XY, Floats, Ints, PinOwners, Shapes, number_places
from mapkit.kinds.rail.trace.noding.clean import RepairNotes
from mapkit.kinds.rail.trace.noding.graph import Stretches, draw, edge_end_nodes, merge_stretches
from mapkit.kinds.rail.trace.noding.nodes import Doubt, find_pin_doubts
from mapkit.kinds.rail.trace.noding.passes import LineDrawing
from mapkit.kinds.rail.trace.noding.settle import node_until_stable


@dataclass(frozen=True, order=True)
class Repair:
    """Repair of a line: kind, place, size (in the unit of the coordinates), source line.

    Kinds: `doubled vertex`, `spike`, `zero-length line`, `undershoot` (an end extended to a line), `overshoot` (an
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
    """Ambiguity that is left to the author.

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
        edge_source: The source line of its first stretch.
        edge_lines: LineStrings from node a to node b.
        part_edge: Edges, once for each line that contributes to one or was left out as its double.
        part_source: The line of each row of `part_edge`.
        repairs: Repairs, sorted.
        ambiguities: Ambiguities that were not repaired, sorted.
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
    notes = RepairNotes([], [], [], [])
    railroad_codes = np.asarray(railroad, dtype=np.int64)
    pin_xy = _pin_coordinates(pins)
    line_numbers = np.arange(len(lines), dtype=np.int64)
    unknown_ends = np.full((len(lines), 2, 2), np.nan)
    author_drawing = LineDrawing(
        np.asarray(lines, dtype=np.object_), railroad_codes, line_numbers, line_numbers, line_numbers, unknown_ends
    )
    owners = PinOwners.of(pin_railroads, len(pin_xy))
    distinct_pins, first_pin, place_of_pin = np.unique(pin_xy, axis=0, return_index=True, return_inverse=True)
    drawing, found_doubts = node_until_stable(
        author_drawing, distinct_pins, owners.together(place_of_pin.ravel(), len(distinct_pins)), tolerance, notes
    )
    all_doubts = find_pin_doubts(pin_xy, owners, tolerance)
    for kind, x, y, pin, other, code, doubt_lines in found_doubts:
        all_doubts.append((kind, x, y, int(first_pin[pin]) if pin >= 0 else -1, other, code, doubt_lines))
    return _build_network(drawing, pin_xy, notes, all_doubts)


def join_noded(lines: Shapes, *, railroad: NDArray[np.integer[Any]], pins: Shapes | None = None) -> NodedNetwork:
    """Make the network of lines that meet only at their ends, in exactly the same coordinates.

    Args:
        lines: LineStrings, two-dimensional, finite.
        railroad: A number for the railroad of each line.
        pins: Points of mileposts; a line that has one is cut there already.
    """
    pin_xy = _pin_coordinates(pins)
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines).astype(np.int64)
    codes = np.asarray(railroad, dtype=np.int64)
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    node, node_xy = _number_nodes(pin_xy, xy[first], xy[last], codes)
    n = len(lines)
    stretches = Stretches(node[:n], node[n:], first + 1, counts - 2, codes, np.arange(n, dtype=np.int64))
    merged = merge_stretches(stretches, np.arange(len(node_xy)) < len(pin_xy))
    edge_of_line = np.empty(n, dtype=np.int64)
    edge_of_line[merged.order // 2] = np.repeat(np.arange(len(merged.starts)), merged.sizes)
    by_edge = np.argsort(edge_of_line, kind="stable")
    first_line = merged.order[merged.starts] // 2
    edge_ends = node_xy[np.stack(edge_end_nodes(stretches, merged), axis=1)]
    drawing = LineDrawing(
        draw(stretches, merged, node_xy, xy),
        codes[first_line],
        first_line,
        edge_of_line[by_edge],
        by_edge,
        edge_ends,
    )
    return _build_network(drawing, pin_xy, RepairNotes([], [], [], []), [])


def _pin_coordinates(pins: Shapes | None) -> Floats:
    return NO_XY if pins is None or len(pins) == 0 else shapely.get_coordinates(pins) + 0.0


def _number_nodes(pin_xy: Floats, first_xy: Floats, last_xy: Floats, codes: Ints) -> tuple[Ints, Floats]:
    """Return the node of each line's first, then last place, and the nodes' places; pins are the first nodes.

    A node off a pin belongs to one railroad, so that lines of others pass through it.
    """
    places = np.concatenate([pin_xy, first_xy, last_xy]) + 0.0
    pin_count = len(pin_xy)
    same_place = number_places(places)
    code_index = number_rows(codes)
    pin_of_place = np.full(same_place.max(initial=-1) + 1, -1, dtype=np.int64)
    pin_of_place[same_place[:pin_count][::-1]] = np.arange(pin_count)[::-1]
    line_end_pin = pin_of_place[same_place[pin_count:]]
    is_off_pin = line_end_pin < 0
    place_key = same_place[pin_count:] * (code_index.max(initial=0) + 1) + np.concatenate([code_index, code_index])
    node = line_end_pin
    node[is_off_pin] = number_rows(place_key[is_off_pin]) + pin_count
    node_xy = np.empty((node.max(initial=pin_count - 1) + 1, 2))
    node_xy[node] = places[pin_count:]
    node_xy[:pin_count] = pin_xy
    return node, node_xy


def _build_network(drawing: LineDrawing, pin_xy: Floats, notes: RepairNotes, doubts: list[Doubt]) -> NodedNetwork:
    """Number the remaining nodes."""
    n, pin_count = len(drawing.lines), len(pin_xy)
    node, node_xy = _number_nodes(pin_xy, drawing.ends[:, 0], drawing.ends[:, 1], drawing.railroad)
    node_railroad = np.full(len(node_xy), -1, dtype=np.int64)
    node_railroad[node] = np.concatenate([drawing.railroad, drawing.railroad])
    node_railroad[:pin_count] = -1
    node_pin = np.where(np.arange(len(node_xy)) < pin_count, np.arange(len(node_xy)), -1)
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
