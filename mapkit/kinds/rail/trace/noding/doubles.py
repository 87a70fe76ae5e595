"""Of lines drawn twice one stays, and knows the others' sources.

An edge is a double if it and another one of its railroad between the same two nodes lie within the tolerance of each
other, all along and whatever vertices they have. Of several the one stays that most of the others are near, so that of
three side by side it is the middle one. Without a double, nodes may be left at which a line only runs on; what is
merged there may be a double again.
"""

from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.core.arrays import number_rows, ranges
from mapkit.kinds.rail.trace.noding.arrays import NO_INTS, Bools, Floats, Ints, Shapes
from mapkit.kinds.rail.trace.noding.clean import Notes
from mapkit.kinds.rail.trace.noding.cover import covered
from mapkit.kinds.rail.trace.noding.graph import Merged, Stretches, draw, draw_each, ends_of, merge_stretches, unmerged

_SLACK = 1e-9  # of the tolerance, for rounding
EXACT = 1e-6  # of the tolerance: below it two lines are one


@dataclass(frozen=True)
class StretchParts:
    """The source lines of stretches: line `source[i]` has a part in stretch `stretch[i]`."""

    stretch: Ints
    source: Ints


@dataclass(frozen=True)
class _Doubles:
    """Edges to leave out, the edge that stays in the place of each, and how far apart they are: 0 for the same."""

    gone: Ints
    stays: Ints
    gap: Floats


def every_part(stretches: Stretches) -> StretchParts:
    """Return each stretch as a part of its own line."""
    return StretchParts(np.arange(len(stretches.a), dtype=np.int64), stretches.source)


def without_doubles(
    stretches: Stretches, node_xy: Floats, chain_xy: Floats, fixed: Bools, tolerance: float, notes: Notes
) -> tuple[Stretches, Merged, StretchParts]:
    """Leave out doubles, merge what is left, and so on until there is none.

    Args:
        stretches: All of the network.
        node_xy: Coordinates of the nodes.
        chain_xy: Coordinates of the chains' vertices.
        fixed: For each node, whether it stays whatever its degree.
        tolerance: How near a double is.
        notes: What is left out is noted here, by its source, with its middle, and with its length if it lies on the
            line that stays, else with its distance from it.
    """
    parts = every_part(stretches)
    merged = unmerged(len(stretches.a))
    for _ in range(len(stretches.a) + 1):
        doubles = _find(stretches, merged, node_xy, chain_xy, tolerance)
        if len(doubles.gone):
            _note(stretches, merged, doubles, node_xy, chain_xy, notes)
            stretches, parts = _leave_out(stretches, merged, parts, doubles)
        elif merged.final:
            break
        merged = merge_stretches(stretches, fixed)
    return stretches, merged, parts


def _find(stretches: Stretches, merged: Merged, node_xy: Floats, chain_xy: Floats, tolerance: float) -> _Doubles:
    a, b = ends_of(stretches, merged)
    codes = stretches.railroad[merged.order[merged.starts] // 2]
    low, high = np.minimum(a, b), np.maximum(a, b)
    group = number_rows(number_rows(codes) * len(node_xy) ** 2 + low * len(node_xy) + high)
    rows = np.flatnonzero(np.bincount(group)[group] > 1)
    if len(rows) == 0:
        return _Doubles(NO_INTS, NO_INTS, np.zeros(0))
    rows = rows[np.argsort(group[rows], kind="stable")]
    lines = draw(stretches, merged.only(rows), node_xy, chain_xy)
    group = group[rows]
    gone, stays = _same(lines, group)
    left = np.setdiff1d(np.arange(len(rows)), gone)
    near_gone, near_stays, gap = _near(lines[left], group[left], tolerance)
    return _Doubles(
        gone=rows[np.concatenate([gone, left[near_gone]])],
        stays=rows[np.concatenate([stays, left[near_stays]])],
        gap=np.concatenate([np.zeros(len(gone)), np.where(gap <= EXACT * tolerance, 0.0, gap)]),
    )


def _same(lines: Shapes, group: Ints) -> tuple[Ints, Ints]:
    """Return lines with the coordinates of an earlier one of their group, and that one."""
    first: dict[tuple[int, bytes], int] = {}
    found = [
        (row, keeper)
        for row, key in enumerate(zip(group.tolist(), shapely.to_wkb(shapely.normalize(lines)), strict=True))
        if (keeper := first.setdefault(key, row)) != row
    ]
    gone, stays = np.array(found, dtype=np.int64).reshape(-1, 2).T
    return gone, stays


def _near(lines: Shapes, group: Ints, tolerance: float) -> tuple[Ints, Ints, Floats]:
    """Return lines within the tolerance of one that stays, that one, and the distance; `group` is sorted."""
    n = len(lines)
    ends = np.searchsorted(group, group, side="right")
    later = ends - np.arange(n) - 1
    one, other = np.repeat(np.arange(n), later), ranges(np.arange(1, n + 1), later)
    bounds = shapely.bounds(lines)
    alike = (np.abs(bounds[one] - bounds[other]) <= tolerance * (1 + _SLACK)).all(axis=1)  # else farther than that
    one, other = one[alike], other[alike]
    gap = shapely.hausdorff_distance(lines[one], lines[other])  # at vertices only
    close = np.flatnonzero(gap <= tolerance)
    mutual = covered(
        np.concatenate([lines[one[close]], lines[other[close]]]),
        np.concatenate([lines[other[close]], lines[one[close]]]),
        tolerance,
    )
    close = close[mutual[: len(close)] & mutual[len(close) :]]
    one, other, gap = np.concatenate([one[close], other[close]]), np.concatenate([other[close], one[close]]), gap[close]
    gap = np.concatenate([gap, gap])
    gone: list[Ints] = [NO_INTS]
    stays: list[Ints] = [NO_INTS]
    gaps: list[Floats] = [np.empty(0)]
    while len(one):
        friends = np.bincount(one, minlength=n)
        order = np.lexsort((one, -friends[one], group[one]))
        head = np.flatnonzero(np.diff(group[one[order]], prepend=-1) != 0)
        keeper = np.zeros(n, dtype=bool)
        keeper[one[order[head]]] = True
        mine = keeper[one]
        gone.append(other[mine])
        stays.append(one[mine])
        gaps.append(gap[mine])
        settled = keeper.copy()
        settled[other[mine]] = True
        rest = ~settled[one] & ~settled[other]
        one, other, gap = one[rest], other[rest], gap[rest]
    return np.concatenate(gone), np.concatenate(stays), np.concatenate(gaps)


def _members(merged: Merged, edges: Ints) -> tuple[Ints, Ints]:
    """Return the stretches of some edges, and for each the row of its edge in `edges`."""
    sizes = merged.sizes[edges]
    return merged.order[ranges(merged.starts[edges], sizes)] // 2, np.repeat(np.arange(len(edges)), sizes)


def _note(
    stretches: Stretches, merged: Merged, doubles: _Doubles, node_xy: Floats, chain_xy: Floats, notes: Notes
) -> None:
    member, row = _members(merged, doubles.gone)
    lines = draw_each(stretches, member, node_xy, chain_xy)
    middle = shapely.get_coordinates(shapely.line_interpolate_point(lines, 0.5, normalized=True))
    gap = doubles.gap[row]
    for kind, which, size in (
        ("doubled line", gap == 0, shapely.length(lines)),
        ("near-duplicate", gap > 0, gap),
    ):
        notes.add(kind, middle[which], size[which], stretches.source[member[which]])


def _leave_out(
    stretches: Stretches, merged: Merged, parts: StretchParts, doubles: _Doubles
) -> tuple[Stretches, StretchParts]:
    """Return the stretches that stay; the parts of the others become parts of those that stay for them."""
    member, row = _members(merged, doubles.gone)
    heir = np.arange(len(stretches.a), dtype=np.int64)
    heir[member] = merged.order[merged.starts[doubles.stays[row]]] // 2
    keep = np.ones(len(stretches.a), dtype=bool)
    keep[member] = False
    number = np.cumsum(keep) - 1
    return stretches.only(keep), StretchParts(number[heir[parts.stretch]], parts.source)
