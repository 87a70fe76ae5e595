"""One pass of noding: lines in, lines out that meet at their ends only, and where the pass moved anything."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mapkit.core.arrays import number_rows, ranges
from mapkit.kinds.rail.trace.noding.arrays import (
    NO_INTS,
    Bools,
    Chains,
    Floats,
    Ints,
    PinOwners,
    Shapes,
    norms,
    number_places,
    to_lines,
)
from mapkit.kinds.rail.trace.noding.clean import Notes, clean_lines
from mapkit.kinds.rail.trace.noding.doubles import EXACT, StretchParts, without_doubles
from mapkit.kinds.rail.trace.noding.graph import Merged, Stretches, draw, ends_of
from mapkit.kinds.rail.trace.noding.near import find_near, make_boxes, project
from mapkit.kinds.rail.trace.noding.nodes import (
    Doubt,
    Joints,
    cut_at_nodes,
    find_runs,
    join_pins,
    join_places,
    note_ends,
)

_FOLD = 2.0  # tolerances along a chain from a place where it may turn back


@dataclass(frozen=True)
class Drawing:
    """Lines with their railroads and sources.

    Attributes:
        lines: LineStrings.
        railroad: The number of each one's railroad.
        source: The first line, of those given by the author, that is in each.
        part_line: The lines again, sorted, once for each source of one,
        part_source: and these sources.
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
        """The first, then the last places of the lines, their railroads, and the number of the node at each."""
        xy = np.concatenate([self.ends[:, 0], self.ends[:, 1]])
        railroad = np.concatenate([self.railroad, self.railroad])
        code = number_rows(railroad)
        return xy, railroad, number_rows(number_places(xy) * (code.max(initial=0) + 1) + code)

    def only(self, keep: Bools) -> "Drawing":
        """Return some of the lines."""
        part = keep[self.part_line]
        number = np.cumsum(keep) - 1
        return Drawing(
            self.lines[keep],
            self.railroad[keep],
            self.source[keep],
            number[self.part_line[part]],
            self.part_source[part],
            self.ends[keep],
        )


def join_drawings(one: Drawing, other: Drawing) -> Drawing:
    """Return the lines of both."""
    return Drawing(
        np.concatenate([one.lines, other.lines]),
        np.concatenate([one.railroad, other.railroad]),
        np.concatenate([one.source, other.source]),
        np.concatenate([one.part_line, other.part_line + len(one.lines)]),
        np.concatenate([one.part_source, other.part_source]),
        np.concatenate([one.ends, other.ends]),
    )


@dataclass(frozen=True)
class PinPlaces:
    """Places of pins, no two alike, whose lines they join, and nodes off pins that must stay: place and railroad."""

    xy: Floats
    owners: PinOwners
    held_xy: Floats
    held_railroad: Ints


@dataclass(frozen=True)
class Passed:
    """What a pass made.

    Attributes:
        drawing: The lines.
        moved: Segments of them at places that the pass moved or cut: only near these can another pass find more.
        doubts: What it left to the author.
        lost: Whether a held node was moved or joined to another.
    """

    drawing: Drawing
    moved: Shapes
    doubts: tuple[Doubt, ...]
    lost: bool


def node_once(given: Drawing, pins: PinPlaces, tolerance: float, notes: Notes) -> Passed:
    """Clean, join, cut, leave out doubles, and merge; the notes name lines by their rows in `given`."""
    chains = clean_lines(given.lines, given.railroad, tolerance, notes)
    if len(chains.first) == 0:
        nothing = given.only(np.zeros(len(given.lines), dtype=bool))
        return Passed(nothing, np.empty(0, dtype=object), (), lost=len(pins.held_xy) > 0)
    boxes = make_boxes(chains, pins.xy, tolerance)
    near = find_near(chains, boxes, tolerance)
    runs = find_runs(chains, near, tolerance)
    joints = join_places(chains, near, runs, tolerance)
    joints, doubts = join_pins(chains, boxes, runs, joints, pins.xy, pins.owners, tolerance)
    note_ends(chains, joints, len(pins.xy), tolerance, notes)
    cut = cut_at_nodes(chains, joints, tolerance, notes)
    fixed, lost = _fixed(chains, joints, pins)
    stretches, merged, parts = without_doubles(cut, joints.node_xy, chains.xy, fixed, tolerance, notes)
    uneasy = _uneasy(joints, tolerance)
    for events in (_shallow(chains, joints, tolerance), _folded(chains, joints, tolerance)):
        uneasy[joints.node[events]] = True
    if len(stretches.a) < len(cut.a):
        for end in ("a", "b"):
            before, after = (np.bincount(getattr(s, end), minlength=len(uneasy)) for s in (cut, stretches))
            uneasy |= before != after
    return Passed(
        drawing=_drawn(given, chains, joints.node_xy, (stretches, merged, parts)),
        moved=_segments(stretches, uneasy, joints.node_xy, chains.xy),
        doubts=tuple(_with_sources(doubts, given.source)),
        lost=lost,
    )


def _drawn(given: Drawing, chains: Chains, node_xy: Floats, graph: tuple[Stretches, Merged, StretchParts]) -> Drawing:
    stretches, merged, parts = graph
    edge_of = np.empty(len(stretches.a), dtype=np.int64)
    edge_of[merged.order // 2] = np.repeat(np.arange(len(merged.starts)), merged.sizes)
    edge, source = edge_of[parts.stretch], parts.source
    if len(given.part_line) > len(given.lines) or (given.part_source != np.arange(len(given.lines))).any():
        sizes = np.bincount(given.part_line, minlength=len(given.lines))
        rows = ranges((np.cumsum(sizes) - sizes)[source], sizes[source])
        edge, source = np.repeat(edge, sizes[source]), given.part_source[rows]
    order = np.lexsort((source, edge))
    edge, source = edge[order], source[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (edge[1:] != edge[:-1]) | (source[1:] != source[:-1])
    first = merged.order[merged.starts] // 2 if len(merged.starts) else NO_INTS
    return Drawing(
        draw(stretches, merged, node_xy, chains.xy),
        stretches.railroad[first],
        given.source[stretches.source[first]],
        edge[new],
        source[new],
        node_xy[np.stack(ends_of(stretches, merged), axis=1)],
    )


def _fixed(chains: Chains, joints: Joints, pins: PinPlaces) -> tuple[Bools, bool]:
    """Return which nodes stay whatever their degree, and whether one that should is gone."""
    fixed = np.arange(len(joints.node_xy)) < len(pins.xy)
    if len(pins.held_xy) == 0:
        return fixed, False
    code = np.full(len(joints.node_xy), -1, dtype=np.int64)
    code[joints.node] = chains.railroad[joints.events.chain]
    rows = zip(joints.node_xy.tolist(), code.tolist(), strict=True)
    at = {(x, y, railroad): node for node, ((x, y), railroad) in enumerate(rows) if not fixed[node]}
    held = zip(pins.held_xy.tolist(), pins.held_railroad.tolist(), strict=True)
    found = [at.get((x, y, railroad), -1) for (x, y), railroad in held]
    fixed[[node for node in found if node >= 0]] = True
    return fixed, min(found) < 0


def _uneasy(joints: Joints, tolerance: float) -> Bools:
    """Whether each node gathers places that are not its own."""
    out = np.zeros(len(joints.node_xy), dtype=bool)
    out[joints.node[joints.away > EXACT * tolerance]] = True
    return out


def _shallow(chains: Chains, joints: Joints, tolerance: float) -> Ints:
    """Return the events of crossings so shallow that the lines run together on from them."""
    start = 2 * len(chains.first)
    half = (joints.crossings - start) // 2
    # Where both have a vertex already, the cut adds none.
    frac = joints.events.frac[start : start + 2 * half].reshape(2, -1)
    rows = start + np.flatnonzero(((frac > 0) & (frac < 1)).any(axis=0))
    a, b = joints.events.seg[rows], joints.events.seg[rows + half]
    flat = np.zeros(len(rows), dtype=bool)
    for seg, other in ((a, b), (b, a)):
        for vertex in (seg, seg + 1):
            close = project(chains, other, chains.xy[vertex])[1] <= tolerance
            away = chains.xy[vertex] - joints.events.xy[rows]
            flat |= close & (norms(away[:, 0], away[:, 1]) > tolerance)
    return rows[flat]


def _folded(chains: Chains, joints: Joints, tolerance: float) -> Ints:
    """Return the events that cut a chain where it turns back: its two ends there may run together."""
    chain, seg = joints.events.chain, joints.events.seg
    position = chains.arc[seg] + joints.events.frac * (chains.arc[seg + 1] - chains.arc[seg])
    start, end = chains.arc[chains.first[chain]], chains.arc[chains.last[chain]]
    inner = np.flatnonzero((position > start) & (position < end))
    sides: list[Floats] = []
    for step in (-_FOLD * tolerance, _FOLD * tolerance):
        at = np.clip(position[inner] + step, start[inner], end[inner])
        vertex = np.searchsorted(chains.arc, at, side="right") - 1
        vertex = np.clip(vertex, chains.first[chain[inner]], chains.last[chain[inner]] - 1)
        length = chains.arc[vertex + 1] - chains.arc[vertex]
        share = np.divide(at - chains.arc[vertex], length, out=np.zeros(len(at)), where=length > 0)
        sides.append(chains.xy[vertex] + share[:, None] * (chains.xy[vertex + 1] - chains.xy[vertex]))
    across = sides[0] - sides[1]
    return inner[norms(across[:, 0], across[:, 1]) < _FOLD * tolerance]


def _segments(stretches: Stretches, uneasy: Bools, node_xy: Floats, chain_xy: Floats) -> Shapes:
    """Return the segments from the ends of stretches at some nodes."""
    pairs: list[Floats] = []
    for end, other, vertex in (
        (stretches.a, stretches.b, stretches.first),
        (stretches.b, stretches.a, stretches.first + stretches.count - 1),
    ):
        rows = np.flatnonzero(uneasy[end])
        inner = chain_xy[np.where(stretches.count[rows] > 0, vertex[rows], 0)]
        far = np.where((stretches.count[rows] > 0)[:, None], inner, node_xy[other[rows]])
        pairs.append(np.stack([node_xy[end[rows]], far], axis=1))
    return to_lines(np.concatenate(pairs))


def _with_sources(doubts: list[Doubt], source: Ints) -> list[Doubt]:
    return [(*doubt[:-1], tuple(sorted({int(source[line]) for line in doubt[-1]}))) for doubt in doubts]
