"""Removal of lines drawn twice; the line that stays keeps the sources of the others.

An edge is a double if it and another edge of its railroad between the same two nodes lie within the tolerance of each
other along their whole length, independent of their vertices. Of several doubles the one near most of the others
stays, so that of three side by side it is the middle one. Removing a double can leave nodes of degree two; the edges
merged there may be doubles again.
"""

from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.core.arrays import concatenate_ranges, number_rows
from mapkit.kinds.rail.trace.noding.arrays import NO_INTS, Bools, Floats, Ints, Shapes
from mapkit.kinds.rail.trace.noding.clean import RepairNotes
from mapkit.kinds.rail.trace.noding.coverage import is_covered_by
from mapkit.kinds.rail.trace.noding.graph import (
    MergedEdges,
    Stretches,
    draw,
    draw_stretches,
    edge_end_nodes,
    keep_unmerged,
    merge_stretches,
)

_SLACK = 1e-9  # of the tolerance, for rounding
EXACT = 1e-6  # of the tolerance: below it two lines are one


@dataclass(frozen=True)
class StretchParts:
    """Source lines of stretches: line `source[i]` has a part in stretch `stretch[i]`."""

    stretch: Ints
    source: Ints


@dataclass(frozen=True)
class _Doubles:
    """Edges to leave out, the edge that replaces each, and their distance: 0 for equal lines."""

    gone: Ints
    stays: Ints
    gap: Floats


def make_parts(stretches: Stretches) -> StretchParts:
    """Return each stretch as a part of its own line."""
    return StretchParts(np.arange(len(stretches.a), dtype=np.int64), stretches.source)


def remove_doubles(
    stretches: Stretches, node_xy: Floats, chain_xy: Floats, fixed: Bools, tolerance: float, notes: RepairNotes
) -> tuple[Stretches, MergedEdges, StretchParts]:
    """Leave out doubles and merge the remaining stretches, repeatedly, until there are none.

    Args:
        stretches: All of the network.
        node_xy: Coordinates of the nodes.
        chain_xy: Coordinates of the chains' vertices.
        fixed: For each node, whether it stays at any degree.
        tolerance: How near a double is.
        notes: Collects each edge left out, with its source, its middle, and as size its length if it coincides with
            the edge that stays, else its distance from it.
    """
    parts = make_parts(stretches)
    merged = keep_unmerged(len(stretches.a))
    for _ in range(len(stretches.a) + 1):
        doubles = _find_doubles(stretches, merged, node_xy, chain_xy, tolerance)
        if len(doubles.gone):
            gone_stretch, gone_edge = _member_stretches(merged, doubles.gone)
            lines = draw_stretches(stretches, gone_stretch, node_xy, chain_xy)
            middle_points = shapely.get_coordinates(shapely.line_interpolate_point(lines, 0.5, normalized=True))
            gap = doubles.gap[gone_edge]
            for kind, is_kind, repair_size in (
                ("doubled line", gap == 0, shapely.length(lines)),
                ("near-duplicate", gap > 0, gap),
            ):
                notes.add(kind, middle_points[is_kind], repair_size[is_kind], stretches.source[gone_stretch[is_kind]])
            # Parts of the edges left out become parts of their replacements.
            heir_stretch = np.arange(len(stretches.a), dtype=np.int64)
            heir_stretch[gone_stretch] = merged.order[merged.starts[doubles.stays[gone_edge]]] // 2
            is_kept = np.ones(len(stretches.a), dtype=bool)
            is_kept[gone_stretch] = False
            new_number = np.cumsum(is_kept) - 1
            stretches = stretches.only(is_kept)
            parts = StretchParts(new_number[heir_stretch[parts.stretch]], parts.source)
        elif merged.final:
            break
        merged = merge_stretches(stretches, fixed)
    return stretches, merged, parts


def _find_doubles(
    stretches: Stretches, merged: MergedEdges, node_xy: Floats, chain_xy: Floats, tolerance: float
) -> _Doubles:
    a, b = edge_end_nodes(stretches, merged)
    codes = stretches.railroad[merged.order[merged.starts] // 2]
    low_node, high_node = np.minimum(a, b), np.maximum(a, b)
    group = number_rows(number_rows(codes) * len(node_xy) ** 2 + low_node * len(node_xy) + high_node)
    candidate_rows = np.flatnonzero(np.bincount(group)[group] > 1)
    if len(candidate_rows) == 0:
        return _Doubles(NO_INTS, NO_INTS, np.zeros(0))
    candidate_rows = candidate_rows[np.argsort(group[candidate_rows], kind="stable")]
    lines = draw(stretches, merged.only(candidate_rows), node_xy, chain_xy)
    group = group[candidate_rows]
    first_row: dict[tuple[int, bytes], int] = {}
    equal_pairs = [
        (row, keeper)
        for row, key in enumerate(zip(group.tolist(), shapely.to_wkb(shapely.normalize(lines)), strict=True))
        if (keeper := first_row.setdefault(key, row)) != row
    ]
    equal_gone, equal_stays = np.array(equal_pairs, dtype=np.int64).reshape(-1, 2).T
    other_lines = np.setdiff1d(np.arange(len(candidate_rows)), equal_gone)
    near_gone, near_stays, gap = _find_near_lines(lines[other_lines], group[other_lines], tolerance)
    return _Doubles(
        gone=candidate_rows[np.concatenate([equal_gone, other_lines[near_gone]])],
        stays=candidate_rows[np.concatenate([equal_stays, other_lines[near_stays]])],
        gap=np.concatenate([np.zeros(len(equal_gone)), np.where(gap <= EXACT * tolerance, 0.0, gap)]),
    )


def _find_near_lines(lines: Shapes, group: Ints, tolerance: float) -> tuple[Ints, Ints, Floats]:
    """Return lines within the tolerance of one that stays, that one, and the distance; `group` is sorted."""
    n = len(lines)
    group_ends = np.searchsorted(group, group, side="right")
    later_counts = group_ends - np.arange(n) - 1
    line_a, line_b = np.repeat(np.arange(n), later_counts), concatenate_ranges(np.arange(1, n + 1), later_counts)
    bounds = shapely.bounds(lines)
    # Lines with bounds farther apart than the tolerance are farther apart themselves.
    has_similar_bounds = (np.abs(bounds[line_a] - bounds[line_b]) <= tolerance * (1 + _SLACK)).all(axis=1)
    line_a, line_b = line_a[has_similar_bounds], line_b[has_similar_bounds]
    gap_size = shapely.hausdorff_distance(lines[line_a], lines[line_b])  # at vertices only
    close_pairs = np.flatnonzero(gap_size <= tolerance)
    is_covered = is_covered_by(
        np.concatenate([lines[line_a[close_pairs]], lines[line_b[close_pairs]]]),
        np.concatenate([lines[line_b[close_pairs]], lines[line_a[close_pairs]]]),
        tolerance,
    )
    close_pairs = close_pairs[is_covered[: len(close_pairs)] & is_covered[len(close_pairs) :]]
    line_a, line_b, gap_size = (
        np.concatenate([line_a[close_pairs], line_b[close_pairs]]),
        np.concatenate([line_b[close_pairs], line_a[close_pairs]]),
        gap_size[close_pairs],
    )
    gap_size = np.concatenate([gap_size, gap_size])
    gone_parts: list[Ints] = [NO_INTS]
    stays_parts: list[Ints] = [NO_INTS]
    gap_parts: list[Floats] = [np.empty(0)]
    while len(line_a):
        near_counts = np.bincount(line_a, minlength=n)
        by_near_count = np.lexsort((line_a, -near_counts[line_a], group[line_a]))
        group_heads = np.flatnonzero(np.diff(group[line_a[by_near_count]], prepend=-1) != 0)
        is_keeper = np.zeros(n, dtype=bool)
        is_keeper[line_a[by_near_count[group_heads]]] = True
        keeps_line = is_keeper[line_a]
        gone_parts.append(line_b[keeps_line])
        stays_parts.append(line_a[keeps_line])
        gap_parts.append(gap_size[keeps_line])
        is_settled = is_keeper.copy()
        is_settled[line_b[keeps_line]] = True
        is_open = ~is_settled[line_a] & ~is_settled[line_b]
        line_a, line_b, gap_size = line_a[is_open], line_b[is_open], gap_size[is_open]
    return np.concatenate(gone_parts), np.concatenate(stays_parts), np.concatenate(gap_parts)


def _member_stretches(merged: MergedEdges, edges: Ints) -> tuple[Ints, Ints]:
    """Return the stretches of some edges, and for each the row of its edge in `edges`."""
    sizes = merged.sizes[edges]
    return merged.order[concatenate_ranges(merged.starts[edges], sizes)] // 2, np.repeat(np.arange(len(edges)), sizes)
