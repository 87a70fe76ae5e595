"""Passes of noding until another one would change nothing.

What a pass moves may lie near something new. Another pass needs only the lines near what was moved; where they meet
others, their nodes are held.
"""

import numpy as np
import shapely

from mapkit.trace.noding_arrays import Bools, Floats, Ints, Shapes, number_rows
from mapkit.trace.noding_clean import Notes
from mapkit.trace.noding_join import Doubt
from mapkit.trace.noding_pass import Drawing, Passed, Pins, join_drawings, node_once

PASSES = 12  # each repairs less than the one before; a drawing that never settles is left as it is
_REACH = 1.01  # tolerances


def settle(given: Drawing, pin_xy: Floats, tolerance: float, notes: Notes) -> tuple[Drawing, list[Doubt]]:
    """Return lines that meet at their ends only, and what is left to the author.

    Args:
        given: The author's lines.
        pin_xy: Places of pins, no two alike.
        tolerance: Above 0.
        notes: For what is repaired.
    """
    nothing_held = Pins(pin_xy, np.empty((0, 2)), np.empty(0, dtype=np.int64))
    passed = node_once(given, nothing_held, tolerance, notes)
    drawing, doubts = passed.drawing, list(passed.doubts)
    moved = passed.moved
    for _ in range(PASSES - 1):
        if len(moved) == 0:
            break
        near = _near(drawing, moved, tolerance)
        ends = _Ends(drawing)
        passed, rest = _again(drawing, near, ends, pin_xy, tolerance, notes)
        drawing = join_drawings(rest, passed.drawing)
        known = {doubt[0:1] + doubt[3:6] for doubt in doubts}
        doubts += [doubt for doubt in passed.doubts if doubt[0:1] + doubt[3:6] not in known]
        moved = np.concatenate([passed.moved, _runs_on(drawing, pin_xy)])
    return drawing, doubts


class _Ends:
    """The first and last places of lines, and the number of the distinct place and railroad of each."""

    def __init__(self, drawing: Drawing) -> None:
        ends = [shapely.get_coordinates(shapely.get_point(drawing.lines, at)) for at in (0, -1)]
        self.xy = np.concatenate(ends)
        place = number_rows(np.ascontiguousarray(self.xy).view(np.complex128)[:, 0])
        self.railroad = np.concatenate([drawing.railroad, drawing.railroad])
        code = number_rows(self.railroad)
        self.node: Ints = number_rows(place * (code.max(initial=0) + 1) + code)


def _near(drawing: Drawing, moved: Shapes, tolerance: float) -> Bools:
    near = np.zeros(len(drawing.lines), dtype=bool)
    tree = shapely.STRtree(drawing.lines)
    near[tree.query(moved, predicate="dwithin", distance=_REACH * tolerance)[1]] = True
    return near


def _again(  # noqa: PLR0913, PLR0917
    drawing: Drawing, near: Bools, ends: _Ends, pin_xy: Floats, tolerance: float, notes: Notes
) -> tuple[Passed, Drawing]:
    """Pass over some lines, or over all if those cannot be changed without the others."""
    twice = np.concatenate([near, near])
    inside = np.zeros(ends.node.max() + 1, dtype=bool)
    inside[ends.node[twice]] = True
    outside = np.zeros(len(inside), dtype=bool)
    outside[ends.node[~twice]] = True
    held = np.flatnonzero((inside & outside)[ends.node])
    held = held[np.unique(ends.node[held], return_index=True)[1]]
    at_pin = np.isin(_complex(ends.xy[held]), _complex(pin_xy))
    held = held[~at_pin]
    mine = Notes([], [], [], [])
    passed = node_once(drawing.only(near), Pins(pin_xy, ends.xy[held], ends.railroad[held]), tolerance, mine)
    if not passed.lost:
        notes.take(mine)
        return passed, drawing.only(~near)
    nothing_held = Pins(pin_xy, np.empty((0, 2)), np.empty(0, dtype=np.int64))
    return node_once(drawing, nothing_held, tolerance, notes), drawing.only(np.zeros(len(near), dtype=bool))


def _runs_on(drawing: Drawing, pin_xy: Floats) -> Shapes:
    """Return the places, as lines of no length, at which two lines end and nothing else does."""
    ends = _Ends(drawing)
    n = len(drawing.lines)
    through = np.bincount(ends.node)[ends.node] == 2  # noqa: PLR2004
    loop = ends.node[:n] == ends.node[n:]
    through &= ~np.concatenate([loop, loop]) & ~np.isin(_complex(ends.xy), _complex(pin_xy))
    at = np.unique(ends.xy[through], axis=0)
    points: Shapes = np.atleast_1d(np.asarray(shapely.points(at), dtype=np.object_))
    return points


def _complex(xy: Floats) -> np.ndarray[tuple[int], np.dtype[np.complex128]]:
    return np.ascontiguousarray(xy + 0.0).view(np.complex128)[:, 0]
