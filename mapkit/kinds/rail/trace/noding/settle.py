"""Passes of noding until another one would change nothing.

Lines that a pass moves may come near others. The next pass needs only the lines near the moved places; nodes between
these and other lines are held.
"""

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.arrays import concatenate_ranges
from mapkit.kinds.rail.trace.noding.arrays import Bools, Floats, PinOwners, Shapes
from mapkit.kinds.rail.trace.noding.clean import RepairNotes
from mapkit.kinds.rail.trace.noding.nodes import Doubt
from mapkit.kinds.rail.trace.noding.passes import LineDrawing, PinPlaces, join_drawings, node_once

PASSES = 12  # each repairs less than the one before; a drawing that is still unstable is left as it is
_REACH_TOLERANCES = 1.01  # tolerances


def node_until_stable(
    given: LineDrawing, pin_xy: Floats, owners: PinOwners, tolerance: float, notes: RepairNotes
) -> tuple[LineDrawing, list[Doubt]]:
    """Node lines until they meet at their ends only, and return them with the doubts left to the author.

    The notes of a pass that changes nothing are dropped: it repaired nothing.

    Args:
        given: The author's lines.
        pin_xy: Places of pins, no two alike.
        owners: Railroads with lines that they join.
        tolerance: Above 0.
        notes: Collects the repairs.
    """
    pass_notes = RepairNotes([], [], [], [])
    passed = node_once(given, _hold_nothing(pin_xy, owners), tolerance, pass_notes)
    if not pass_notes.kinds or not _has_same_lines(given, passed.drawing):
        notes.take(pass_notes)
    drawing, doubts, moved = passed.drawing, list(passed.doubts), passed.moved
    for _ in range(PASSES - 1):
        if len(moved) == 0:
            break
        near_lines = np.zeros(len(drawing.lines), dtype=bool)
        tree = shapely.STRtree(drawing.lines)
        near_lines[tree.query(moved, predicate="dwithin", distance=_REACH_TOLERANCES * tolerance)[1]] = True
        pass_notes = RepairNotes([], [], [], [])
        passed = node_once(
            drawing.only(near_lines), _hold_nodes(drawing, near_lines, pin_xy, owners), tolerance, pass_notes
        )
        noded_drawing = drawing.only(near_lines)
        if passed.lost:  # the lines cannot be changed without the others
            near_lines[:] = True
            noded_drawing = drawing
            pass_notes = RepairNotes([], [], [], [])
            passed = node_once(drawing, _hold_nothing(pin_xy, owners), tolerance, pass_notes)
        if _has_same_lines(noded_drawing, passed.drawing):
            break
        _attribute_repairs(pass_notes, noded_drawing, given.lines)
        notes.take(pass_notes)
        drawing = join_drawings(drawing.only(~near_lines), passed.drawing)
        known_subjects = {_doubt_subject(doubt) for doubt in doubts}
        doubts += [doubt for doubt in passed.doubts if _doubt_subject(doubt) not in known_subjects]
        moved = np.concatenate([passed.moved, _find_through_ends(drawing, pin_xy)])
    return drawing, doubts


def _hold_nothing(pin_xy: Floats, owners: PinOwners) -> PinPlaces:
    return PinPlaces(pin_xy, owners, np.empty((0, 2)), np.empty(0, dtype=np.int64))


def _attribute_repairs(notes: RepairNotes, drawing: LineDrawing, lines: Shapes) -> None:
    """Attribute each repair to the author's line nearest to it, of those that its line was made of."""
    if not notes.kinds:
        return
    part_counts = np.bincount(drawing.part_line, minlength=len(drawing.lines))
    line, places = np.concatenate(notes.sources), np.concatenate(notes.places)
    repair_number = np.repeat(np.arange(len(line)), part_counts[line])
    source = drawing.part_source[concatenate_ranges((np.cumsum(part_counts) - part_counts)[line], part_counts[line])]
    repair_distance = shapely.distance(lines[source], shapely.points(places[repair_number]))
    by_distance = np.lexsort((source, repair_distance, repair_number))
    notes.sources = [source[by_distance[np.flatnonzero(np.diff(repair_number[by_distance], prepend=-1))]]]


def _doubt_subject(doubt: Doubt) -> tuple[object, ...]:
    kind, x, y, pin, other, railroad, _ = doubt
    return (kind, pin, other, railroad) if pin >= 0 else (kind, x, y, railroad)


def _has_same_lines(base: LineDrawing, after: LineDrawing) -> bool:
    """Return whether two drawings have the same lines, in any order and direction."""
    vertex_counts = [shapely.get_num_coordinates(drawing.lines) for drawing in (base, after)]
    if len(vertex_counts[0]) != len(vertex_counts[1]) or vertex_counts[0].sum() != vertex_counts[1].sum():
        return False
    lines_before, lines_after = (
        sorted(zip(drawing.railroad.tolist(), shapely.to_wkb(shapely.normalize(drawing.lines)), strict=True))
        for drawing in (base, after)
    )
    return lines_before == lines_after


def _hold_nodes(drawing: LineDrawing, near: Bools, pin_xy: Floats, owners: PinOwners) -> PinPlaces:
    """Return the pins, and the nodes off pins between near and other lines."""
    xy, railroad, node = drawing.at_ends
    is_near_end = np.concatenate([near, near])
    has_near_line, has_other_line = (
        np.bincount(node[rows], minlength=node.max() + 1) > 0 for rows in (is_near_end, ~is_near_end)
    )
    held_ends = np.flatnonzero((has_near_line & has_other_line)[node] & ~np.isin(_as_complex(xy), _as_complex(pin_xy)))
    held_ends = held_ends[np.unique(node[held_ends], return_index=True)[1]]
    return PinPlaces(pin_xy, owners, xy[held_ends], railroad[held_ends])


def _find_through_ends(drawing: LineDrawing, pin_xy: Floats) -> Shapes:
    """Return the places off pins with exactly two ends of lines."""
    xy, _, node = drawing.at_ends
    n = len(drawing.lines)
    is_loop = node[:n] == node[n:]
    is_through = (np.bincount(node)[node] == 2) & ~np.concatenate([is_loop, is_loop])  # noqa: PLR2004
    is_through &= ~np.isin(_as_complex(xy), _as_complex(pin_xy))
    points: Shapes = np.atleast_1d(np.asarray(shapely.points(np.unique(xy[is_through], axis=0)), dtype=np.object_))
    return points


def _as_complex(xy: Floats) -> NDArray[np.complex128]:
    complex_xy: NDArray[np.complex128] = np.ascontiguousarray(xy + 0.0).view(np.complex128)[:, 0]
    return complex_xy
