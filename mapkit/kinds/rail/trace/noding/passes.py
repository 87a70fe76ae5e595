"""Pass of noding: from lines to lines that meet at their ends only, with the segments that moved."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mapkit.core.arrays import concatenate_ranges, number_rows
from mapkit.kinds.rail.trace.noding.arrays import (
    NO_INTS,
    Bools,
    Chains,
    Floats,
    Ints,
    PinOwners,
    Shapes,
    number_places,
    to_lines,
    vector_lengths,
)
from mapkit.kinds.rail.trace.noding.clean import RepairNotes, clean_lines
from mapkit.kinds.rail.trace.noding.doubles import EXACT, StretchParts, remove_doubles
from mapkit.kinds.rail.trace.noding.graph import MergedEdges, Stretches, draw, edge_end_nodes
from mapkit.kinds.rail.trace.noding.near_segments import find_near, make_boxes, project_on_segments
from mapkit.kinds.rail.trace.noding.nodes import (
    Doubt,
    NodeJoints,
    cut_at_nodes,
    find_runs,
    join_pins,
    join_places,
    note_ends,
)

_FOLD_REACH = 2.0  # tolerances along a chain from a place where it may turn back


@dataclass(frozen=True)
class LineDrawing:
    """Lines with their railroads and sources.

    Attributes:
        lines: LineStrings.
        railroad: The number of each one's railroad.
        source: The first of the author's lines in each line.
        part_line: Lines, sorted, once for each of their sources.
        part_source: The source of each row of `part_line`.
        ends: First and last place of each line, shape (n, 2, 2); unknown (nan) of the author's lines.
    """

    lines: Shapes
    railroad: Ints
    source: Ints
    part_line: Ints
    part_source: Ints
    ends: Floats

    @cached_property
    def at_ends(self) -> tuple[Floats, Ints, Ints]:
        """Places of first, then last ends of the lines, their railroads, and the number of the node at each."""
        end_xy = np.concatenate([self.ends[:, 0], self.ends[:, 1]])
        end_railroad = np.concatenate([self.railroad, self.railroad])
        railroad_code = number_rows(end_railroad)
        return (
            end_xy,
            end_railroad,
            number_rows(number_places(end_xy) * (railroad_code.max(initial=0) + 1) + railroad_code),
        )

    def only(self, keep: Bools) -> "LineDrawing":
        """Return a selection of the lines."""
        is_kept_part = keep[self.part_line]
        new_number = np.cumsum(keep) - 1
        return LineDrawing(
            self.lines[keep],
            self.railroad[keep],
            self.source[keep],
            new_number[self.part_line[is_kept_part]],
            self.part_source[is_kept_part],
            self.ends[keep],
        )


def join_drawings(one: LineDrawing, other: LineDrawing) -> LineDrawing:
    """Return the lines of both."""
    return LineDrawing(
        np.concatenate([one.lines, other.lines]),
        np.concatenate([one.railroad, other.railroad]),
        np.concatenate([one.source, other.source]),
        np.concatenate([one.part_line, other.part_line + len(one.lines)]),
        np.concatenate([one.part_source, other.part_source]),
        np.concatenate([one.ends, other.ends]),
    )


@dataclass(frozen=True)
class PinPlaces:
    """Distinct places of pins, the lines that they join, and nodes off pins that must stay: place and railroad."""

    xy: Floats
    owners: PinOwners
    held_xy: Floats
    held_railroad: Ints


@dataclass(frozen=True)
class PassResult:
    """Result of a pass.

    Attributes:
        drawing: The lines.
        moved: Segments at places that the pass moved or cut; another pass can only find repairs near these.
        doubts: Ambiguities left to the author.
        lost: Whether a held node was moved or joined to another.
    """

    drawing: LineDrawing
    moved: Shapes
    doubts: tuple[Doubt, ...]
    lost: bool


def node_once(given: LineDrawing, pins: PinPlaces, tolerance: float, notes: RepairNotes) -> PassResult:
    """Clean, join and cut lines, leave out doubles, and merge; the notes name lines by their rows in `given`."""
    chains = clean_lines(given.lines, given.railroad, tolerance, notes)
    if len(chains.first) == 0:
        empty_drawing = given.only(np.zeros(len(given.lines), dtype=bool))
        return PassResult(empty_drawing, np.empty(0, dtype=object), (), lost=len(pins.held_xy) > 0)
    boxes = make_boxes(chains, pins.xy, tolerance)
    near = find_near(chains, boxes, tolerance)
    runs = find_runs(chains, near, tolerance)
    joints = join_places(chains, near, runs, tolerance)
    joints, doubts = join_pins(chains, boxes, runs, joints, pins.xy, pins.owners, tolerance)
    note_ends(chains, joints, len(pins.xy), tolerance, notes)
    cut_stretches = cut_at_nodes(chains, joints, tolerance, notes)
    fixed_nodes, lost_held = _find_fixed_nodes(chains, joints, pins)
    stretches, merged, parts = remove_doubles(cut_stretches, joints.node_xy, chains.xy, fixed_nodes, tolerance, notes)
    is_unsettled = np.zeros(len(joints.node_xy), dtype=bool)
    is_unsettled[joints.node[joints.away > EXACT * tolerance]] = True
    for events in (_find_shallow_crossings(chains, joints, tolerance), _find_folds(chains, joints, tolerance)):
        is_unsettled[joints.node[events]] = True
    if len(stretches.a) < len(cut_stretches.a):
        for end in ("a", "b"):
            degree_before, degree_after = (
                np.bincount(getattr(s, end), minlength=len(is_unsettled)) for s in (cut_stretches, stretches)
            )
            is_unsettled |= degree_before != degree_after
    return PassResult(
        drawing=_build_drawing(given, chains, joints.node_xy, (stretches, merged, parts)),
        moved=_segments_at_nodes(stretches, is_unsettled, joints.node_xy, chains.xy),
        doubts=tuple(
            [(*doubt[:-1], tuple(sorted({int(given.source[line]) for line in doubt[-1]}))) for doubt in doubts]
        ),
        lost=lost_held,
    )


def _build_drawing(
    given: LineDrawing, chains: Chains, node_xy: Floats, graph: tuple[Stretches, MergedEdges, StretchParts]
) -> LineDrawing:
    stretches, merged, parts = graph
    edge_of = np.empty(len(stretches.a), dtype=np.int64)
    edge_of[merged.order // 2] = np.repeat(np.arange(len(merged.starts)), merged.sizes)
    edge, source = edge_of[parts.stretch], parts.source
    if len(given.part_line) > len(given.lines) or (given.part_source != np.arange(len(given.lines))).any():
        part_counts = np.bincount(given.part_line, minlength=len(given.lines))
        part_rows = concatenate_ranges((np.cumsum(part_counts) - part_counts)[source], part_counts[source])
        edge, source = np.repeat(edge, part_counts[source]), given.part_source[part_rows]
    by_edge_and_source = np.lexsort((source, edge))
    edge, source = edge[by_edge_and_source], source[by_edge_and_source]
    is_new_pair = np.ones(len(by_edge_and_source), dtype=bool)
    is_new_pair[1:] = (edge[1:] != edge[:-1]) | (source[1:] != source[:-1])
    first_stretch = merged.order[merged.starts] // 2 if len(merged.starts) else NO_INTS
    return LineDrawing(
        draw(stretches, merged, node_xy, chains.xy),
        stretches.railroad[first_stretch],
        given.source[stretches.source[first_stretch]],
        edge[is_new_pair],
        source[is_new_pair],
        node_xy[np.stack(edge_end_nodes(stretches, merged), axis=1)],
    )


def _find_fixed_nodes(chains: Chains, joints: NodeJoints, pins: PinPlaces) -> tuple[Bools, bool]:
    """Return the nodes that stay at any degree, and whether a held node is gone."""
    is_fixed = np.arange(len(joints.node_xy)) < len(pins.xy)
    if len(pins.held_xy) == 0:
        return is_fixed, False
    node_railroad = np.full(len(joints.node_xy), -1, dtype=np.int64)
    node_railroad[joints.node] = chains.railroad[joints.events.chain]
    node_rows = zip(joints.node_xy.tolist(), node_railroad.tolist(), strict=True)
    node_by_place = {(x, y, railroad): node for node, ((x, y), railroad) in enumerate(node_rows) if not is_fixed[node]}
    held_rows = zip(pins.held_xy.tolist(), pins.held_railroad.tolist(), strict=True)
    held_nodes = [node_by_place.get((x, y, railroad), -1) for (x, y), railroad in held_rows]
    is_fixed[[node for node in held_nodes if node >= 0]] = True
    return is_fixed, min(held_nodes) < 0


def _find_shallow_crossings(chains: Chains, joints: NodeJoints, tolerance: float) -> Ints:
    """Return the events of crossings so shallow that the lines run together beyond them."""
    first_crossing = 2 * len(chains.first)
    crossing_count = (joints.crossings - first_crossing) // 2
    # Where both have a vertex already, the cut adds none.
    frac = joints.events.frac[first_crossing : first_crossing + 2 * crossing_count].reshape(2, -1)
    crossing_rows = first_crossing + np.flatnonzero(((frac > 0) & (frac < 1)).any(axis=0))
    a, b = joints.events.seg[crossing_rows], joints.events.seg[crossing_rows + crossing_count]
    is_shallow = np.zeros(len(crossing_rows), dtype=bool)
    for own_segment, other_segment in ((a, b), (b, a)):
        for vertex in (own_segment, own_segment + 1):
            is_close = project_on_segments(chains, other_segment, chains.xy[vertex])[1] <= tolerance
            vertex_offsets = chains.xy[vertex] - joints.events.xy[crossing_rows]
            is_shallow |= is_close & (vector_lengths(vertex_offsets[:, 0], vertex_offsets[:, 1]) > tolerance)
    return crossing_rows[is_shallow]


def _find_folds(chains: Chains, joints: NodeJoints, tolerance: float) -> Ints:
    """Return the events that cut a chain where it turns back, so that its two ends may run together."""
    chain, seg = joints.events.chain, joints.events.seg
    event_position = chains.arc[seg] + joints.events.frac * (chains.arc[seg + 1] - chains.arc[seg])
    chain_start, chain_end = chains.arc[chains.first[chain]], chains.arc[chains.last[chain]]
    inner_events = np.flatnonzero((event_position > chain_start) & (event_position < chain_end))
    side_points: list[Floats] = []
    for step in (-_FOLD_REACH * tolerance, _FOLD_REACH * tolerance):
        stepped = np.clip(event_position[inner_events] + step, chain_start[inner_events], chain_end[inner_events])
        vertex = np.searchsorted(chains.arc, stepped, side="right") - 1
        vertex = np.clip(vertex, chains.first[chain[inner_events]], chains.last[chain[inner_events]] - 1)
        length = chains.arc[vertex + 1] - chains.arc[vertex]
        segment_share = np.divide(stepped - chains.arc[vertex], length, out=np.zeros(len(stepped)), where=length > 0)
        side_points.append(chains.xy[vertex] + segment_share[:, None] * (chains.xy[vertex + 1] - chains.xy[vertex]))
    side_offsets = side_points[0] - side_points[1]
    return inner_events[vector_lengths(side_offsets[:, 0], side_offsets[:, 1]) < _FOLD_REACH * tolerance]


def _segments_at_nodes(stretches: Stretches, uneasy: Bools, node_xy: Floats, chain_xy: Floats) -> Shapes:
    """Return the segments from the ends of stretches at some nodes."""
    segment_ends: list[Floats] = []
    for end, other, vertex in (
        (stretches.a, stretches.b, stretches.first),
        (stretches.b, stretches.a, stretches.first + stretches.count - 1),
    ):
        stretch_rows = np.flatnonzero(uneasy[end])
        inner_xy = chain_xy[np.where(stretches.count[stretch_rows] > 0, vertex[stretch_rows], 0)]
        far_xy = np.where((stretches.count[stretch_rows] > 0)[:, None], inner_xy, node_xy[other[stretch_rows]])
        segment_ends.append(np.stack([node_xy[end[stretch_rows]], far_xy], axis=1))
    return to_lines(np.concatenate(segment_ends))
