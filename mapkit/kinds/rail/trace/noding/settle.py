"""Passes of noding until another one would change nothing.

What a pass moves may lie near something new. Another pass needs only the lines near what was moved; where they meet
others, their nodes are held.
"""

import numpy as np
import shapely
from numpy.typing import NDArray

from mapkit.core.arrays import ranges
from mapkit.kinds.rail.trace.noding.arrays import Bools, Floats, PinOwners, Shapes
from mapkit.kinds.rail.trace.noding.clean import Notes
from mapkit.kinds.rail.trace.noding.nodes import Doubt
from mapkit.kinds.rail.trace.noding.passes import Drawing, PinPlaces, join_drawings, node_once

PASSES = 12  # each repairs less than the one before; a drawing that never settles is left as it is
_REACH = 1.01  # tolerances


def settle(
    given: Drawing, pin_xy: Floats, owners: PinOwners, tolerance: float, notes: Notes
) -> tuple[Drawing, list[Doubt]]:
    """Return lines that meet at their ends only, and what is left to the author.

    A pass that changes nothing is not reported: then nothing was repaired.

    Args:
        given: The author's lines.
        pin_xy: Places of pins, no two alike.
        owners: Whose lines they join.
        tolerance: Above 0.
        notes: For what is repaired.
    """
    mine = Notes([], [], [], [])
    passed = node_once(given, _nothing_held(pin_xy, owners), tolerance, mine)
    if not mine.kinds or not _same(given, passed.drawing):
        notes.take(mine)
    drawing, doubts, moved = passed.drawing, list(passed.doubts), passed.moved
    for _ in range(PASSES - 1):
        if len(moved) == 0:
            break
        near = _near(drawing, moved, tolerance)
        mine = Notes([], [], [], [])
        passed = node_once(drawing.only(near), _held(drawing, near, pin_xy, owners), tolerance, mine)
        asked = drawing.only(near)
        if passed.lost:  # the lines cannot be changed without the others
            near[:] = True
            asked = drawing
            mine = Notes([], [], [], [])
            passed = node_once(drawing, _nothing_held(pin_xy, owners), tolerance, mine)
        if _same(asked, passed.drawing):
            break
        _name_sources(mine, asked, given.lines)
        notes.take(mine)
        drawing = join_drawings(drawing.only(~near), passed.drawing)
        known = {_subject(doubt) for doubt in doubts}
        doubts += [doubt for doubt in passed.doubts if _subject(doubt) not in known]
        moved = np.concatenate([passed.moved, _runs_on(drawing, pin_xy)])
    return drawing, doubts


def _nothing_held(pin_xy: Floats, owners: PinOwners) -> PinPlaces:
    return PinPlaces(pin_xy, owners, np.empty((0, 2)), np.empty(0, dtype=np.int64))


def _name_sources(notes: Notes, drawing: Drawing, lines: Shapes) -> None:
    """Name the author's line that a repair is on: of those that a line was made of, the one nearest to the place."""
    if not notes.kinds:
        return
    sizes = np.bincount(drawing.part_line, minlength=len(drawing.lines))
    line, places = np.concatenate(notes.sources), np.concatenate(notes.places)
    repair = np.repeat(np.arange(len(line)), sizes[line])
    source = drawing.part_source[ranges((np.cumsum(sizes) - sizes)[line], sizes[line])]
    gap = shapely.distance(lines[source], shapely.points(places[repair]))
    order = np.lexsort((source, gap, repair))
    notes.sources = [source[order[np.flatnonzero(np.diff(repair[order], prepend=-1))]]]


def _subject(doubt: Doubt) -> tuple[object, ...]:
    kind, x, y, pin, other, railroad, _ = doubt
    return (kind, pin, other, railroad) if pin >= 0 else (kind, x, y, railroad)


def _same(before: Drawing, after: Drawing) -> bool:
    """Whether the lines are the same ones, in whatever order and direction."""
    sizes = [shapely.get_num_coordinates(drawing.lines) for drawing in (before, after)]
    if len(sizes[0]) != len(sizes[1]) or sizes[0].sum() != sizes[1].sum():
        return False
    one, other = (
        sorted(zip(drawing.railroad.tolist(), shapely.to_wkb(shapely.normalize(drawing.lines)), strict=True))
        for drawing in (before, after)
    )
    return one == other


def _near(drawing: Drawing, moved: Shapes, tolerance: float) -> Bools:
    near = np.zeros(len(drawing.lines), dtype=bool)
    tree = shapely.STRtree(drawing.lines)
    near[tree.query(moved, predicate="dwithin", distance=_REACH * tolerance)[1]] = True
    return near


def _held(drawing: Drawing, near: Bools, pin_xy: Floats, owners: PinOwners) -> PinPlaces:
    """Return the pins, and the nodes off pins at which lines that are near meet others."""
    xy, railroad, node = drawing.at_ends
    twice = np.concatenate([near, near])
    inside, outside = (np.bincount(node[rows], minlength=node.max() + 1) > 0 for rows in (twice, ~twice))
    both = np.flatnonzero((inside & outside)[node] & ~np.isin(_as_complex(xy), _as_complex(pin_xy)))
    both = both[np.unique(node[both], return_index=True)[1]]
    return PinPlaces(pin_xy, owners, xy[both], railroad[both])


def _runs_on(drawing: Drawing, pin_xy: Floats) -> Shapes:
    """Return the places off pins at which two lines end and nothing else does."""
    xy, _, node = drawing.at_ends
    n = len(drawing.lines)
    loop = node[:n] == node[n:]
    through = (np.bincount(node)[node] == 2) & ~np.concatenate([loop, loop])  # noqa: PLR2004
    through &= ~np.isin(_as_complex(xy), _as_complex(pin_xy))
    points: Shapes = np.atleast_1d(np.asarray(shapely.points(np.unique(xy[through], axis=0)), dtype=np.object_))
    return points


def _as_complex(xy: Floats) -> NDArray[np.complex128]:
    out: NDArray[np.complex128] = np.ascontiguousarray(xy + 0.0).view(np.complex128)[:, 0]
    return out
