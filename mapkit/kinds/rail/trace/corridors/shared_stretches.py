"""Search for lines of different railroads that run side by side.

Every line is sampled twice per tolerance, and each sample is projected onto the lines of other railroads within the
tolerance. A run of samples that advances equally steadily along the other line is a shared stretch. The work is
proportional to the number of vertices and of samples, not to the number of pairs of lines.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.core.arrays import concatenate_ranges, connected_components
from mapkit.kinds.rail.trace.noding.arrays import Bools, Floats, Ints, Shapes

MIN_SHARED = 6.0
"""In tolerances: lines near each other for less than this only cross or touch."""

_SAMPLES_PER_TOLERANCE = 2  # samples
_MIN_STRETCH = 1.0  # in tolerances: for a stretch that others continue
_MAX_GAP = 2.0  # in tolerances: longer gaps end a stretch
_MAX_LENGTH_RATIO = 2.0  # the other line may be this many times longer or shorter


@dataclass(frozen=True, eq=False)
class LineArrays:
    """Lines as one array of vertices.

    Attributes:
        xy: Vertices of all lines, shape (v, 2).
        arc: Length from the start of its line to each vertex.
        first: The first vertex of each line.
        last: Its last.
    """

    xy: Floats
    arc: Floats
    first: Ints
    last: Ints

    @property
    def lengths(self) -> Floats:
        """Length of each line."""
        return self.arc[self.last]

    def at(self, line: int, along: float) -> Floats:
        """Return the point at a distance along a line."""
        line_slice = slice(int(self.first[line]), int(self.last[line]) + 1)
        arc, xy = self.arc[line_slice], self.xy[line_slice]
        return np.array([np.interp(along, arc, xy[:, 0]), np.interp(along, arc, xy[:, 1])])

    def between(self, line: int, start: float, end: float, *, clear: float) -> Floats:
        """Return the vertices of a line from `start` to `end` along it that are more than `clear` from both."""
        first, last = int(self.first[line]), int(self.last[line]) + 1
        first_inner, last_inner = np.searchsorted(self.arc[first:last], (start + clear, end - clear), side="right")
        return self.xy[first + int(first_inner) : first + max(int(last_inner), int(first_inner))]


def lines_to_rails(lines: Shapes) -> LineArrays:
    """Convert LineStrings to arrays."""
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines).astype(np.int64)
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    step_lengths = np.zeros(len(xy))
    step_lengths[1:] = np.linalg.norm(np.diff(xy, axis=0), axis=1)
    step_lengths[first] = 0.0
    # Summed line by line: in one running sum, the lengths of a line would depend on the rounding of others.
    arc = np.concatenate(
        [np.cumsum(step_lengths[a : b + 1]) for a, b in zip(first, last, strict=True)] or [step_lengths]
    )
    return LineArrays(xy, arc, first, last)


@dataclass(frozen=True, eq=False)
class SharedStretch:
    """Stretch that two lines share: `along[i]` on line `one` is beside `beside[i]` on line `other`.

    `along` grows; `beside` grows or falls.
    """

    one: int
    other: int
    along: Floats
    beside: Floats

    @property
    def length(self) -> float:
        """Length along `one`."""
        return float(self.along[-1] - self.along[0])

    def turned(self) -> "SharedStretch":
        """Return the stretch as seen from the other line."""
        if self.beside[-1] > self.beside[0]:
            return SharedStretch(self.other, self.one, self.beside, self.along)
        return SharedStretch(self.other, self.one, self.beside[::-1], self.along[::-1])

    def across(self, along: float, slack: float) -> float | None:
        """Return the point on `other` beside one on `one`; None if it is more than `slack` outside the stretch."""
        first_along, last_along = float(self.along[0]), float(self.along[-1])
        if not first_along - slack <= along <= last_along + slack:
            return None
        overshoot = along - min(max(along, first_along), last_along)
        direction = 1.0 if self.beside[-1] > self.beside[0] else -1.0
        return float(np.interp(along, self.along, self.beside)) + direction * overshoot


def find_shared_stretches(
    track: LineArrays, *, railroad: Ints, rank: Ints, nodes: Ints, pinned: Bools, tolerance: float
) -> list[SharedStretch]:
    """Return the stretches shared by lines of two railroads, seen from the line of smaller rank.

    A stretch is long enough by itself, or together with those of the same two railroads that continue it.

    Args:
        track: The lines, in a plane.
        railroad: A number for the railroad of each.
        rank: Distinct ranks of the lines, independent of their numbering.
        nodes: The nodes at both ends of each line, shape (n, 2); two lines between the same nodes that are never
            further apart share all of it, however short they are.
        pinned: For each node, whether it is a pin; a stretch ends there.
        tolerance: Greatest distance between them, in the unit of the coordinates.
    """
    if len(np.unique(railroad)) < 2:  # noqa: PLR2004 - it takes two
        return []
    sample_counts = np.maximum(1, np.ceil(track.lengths * _SAMPLES_PER_TOLERANCE / tolerance)).astype(np.int64)
    sample_line = np.repeat(np.arange(len(sample_counts)), sample_counts + 1)
    sample_number = concatenate_ranges(np.zeros(len(sample_counts), dtype=np.int64), sample_counts + 1)
    sample_along = sample_number * (track.lengths / sample_counts)[sample_line]
    sample, other_line, beside = _find_samples_beside(track, sample_line, sample_along, railroad, rank, tolerance)
    if len(sample) == 0:
        return []
    own_line = sample_line[sample]
    starts_run = np.ones(len(sample), dtype=bool)
    step, jump = np.diff(sample_along[sample]), np.abs(np.diff(beside))
    starts_run[1:] = (
        (own_line[1:] != own_line[:-1])
        | (other_line[1:] != other_line[:-1])
        | (step > _MAX_GAP * tolerance)
        | (jump > _MAX_LENGTH_RATIO * step + _MAX_GAP * tolerance)
    )
    starts = np.flatnonzero(starts_run)
    ends = np.append(starts[1:], len(sample))
    end_nodes = np.sort(nodes, axis=1)
    has_same_ends = (end_nodes[own_line[starts]] == end_nodes[other_line[starts]]).all(axis=1)
    last_number = sample_counts[own_line[starts]]
    has_all_samples = (sample_number[sample[starts]] == 0) & (sample_number[sample[ends - 1]] == last_number)
    has_all_samples &= ends - starts == last_number + 1
    is_whole = has_all_samples & has_same_ends
    is_long = sample_along[sample[ends - 1]] - sample_along[sample[starts]] >= _MIN_STRETCH * tolerance
    stretches: list[SharedStretch] = []
    is_always_kept: list[bool] = []
    for run in np.flatnonzero(is_whole | is_long):
        run_start, run_end = starts[run], ends[run]
        stretch = _run_to_stretch(
            int(own_line[run_start]),
            int(other_line[run_start]),
            sample_along[sample[run_start:run_end]],
            beside[run_start:run_end],
        )
        if stretch and (is_whole[run] or stretch.length >= _MIN_STRETCH * tolerance):
            stretches.append(stretch)
            is_always_kept.append(bool(is_whole[run]))
    linked_lengths = _sum_linked_lengths(stretches, track, railroad, nodes, pinned, _MAX_GAP * tolerance)
    long_stretches = [
        stretch
        for stretch, is_kept, length in zip(stretches, is_always_kept, linked_lengths, strict=True)
        if is_kept or length >= MIN_SHARED * tolerance
    ]
    return sorted(long_stretches, key=lambda s: (int(rank[s.one]), int(rank[s.other]), float(s.along[0])))


def _sum_linked_lengths(
    found: list[SharedStretch], track: LineArrays, railroad: Ints, nodes: Ints, pinned: Bools, reach: float
) -> list[float]:
    """Return the length of each stretch together with those that go on from it at a junction or end."""
    stretches_at_node: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, stretch in enumerate(found):
        railroad_pair = sorted((int(railroad[stretch.one]), int(railroad[stretch.other])))
        for edge, places_along in ((stretch.one, stretch.along), (stretch.other, stretch.beside)):
            for node, end_distance in zip(
                nodes[edge].tolist(), (places_along.min(), track.lengths[edge] - places_along.max()), strict=True
            ):
                if end_distance <= reach and not pinned[node]:
                    stretches_at_node[railroad_pair[0], railroad_pair[1], node].append(number)
    pairs = np.array(
        [(numbers[0], stretch_number) for numbers in stretches_at_node.values() for stretch_number in numbers],
        dtype=np.int64,
    ).reshape(-1, 2)
    group_numbers = connected_components(pairs, len(found))
    group_lengths = np.bincount(group_numbers, weights=[stretch.length for stretch in found])
    linked_lengths: list[float] = group_lengths[group_numbers].tolist()
    return linked_lengths


def _find_samples_beside(
    track: LineArrays, line: Ints, along: Floats, railroad: Ints, rank: Ints, tolerance: float
) -> tuple[Ints, Ints, Floats]:
    """Find samples within the tolerance of lines of other railroads, by line, other line and sample."""
    segment_start = np.setdiff1d(np.arange(len(track.xy)), track.last)
    segment_line = np.repeat(np.arange(len(track.first)), track.last - track.first)
    lengths = track.arc[segment_start + 1] - track.arc[segment_start]
    segment_start, segment_line, lengths = (
        segment_start[lengths > 0],
        segment_line[lengths > 0],
        lengths[lengths > 0],
    )
    vectors = track.xy[segment_start + 1] - track.xy[segment_start]
    # The last vertex at or before each place; places are sorted by line, then along.
    line_offsets = np.concatenate(([0.0], np.cumsum(track.lengths + 1.0)))[:-1]  # lines end to end, one unit apart
    running_lengths = track.arc + np.repeat(line_offsets, track.last - track.first + 1)
    edge_start = np.clip(
        np.searchsorted(running_lengths, along + line_offsets[line], side="right") - 1,
        track.first[line],
        np.maximum(track.last[line] - 1, 0),
    )
    edge_share = along - track.arc[edge_start]
    edge_length = track.arc[edge_start + 1] - track.arc[edge_start]
    edge_share = np.divide(edge_share, edge_length, out=np.zeros_like(edge_share), where=edge_length > 0)
    sample_xy = track.xy[edge_start] + edge_share[:, None] * (track.xy[edge_start + 1] - track.xy[edge_start])
    segment_ends = np.stack((track.xy[segment_start], track.xy[segment_start + 1]), axis=1)
    segments: Shapes = np.asarray(shapely.linestrings(segment_ends))
    sample, segment = shapely.STRtree(segments).query(
        np.asarray(shapely.points(sample_xy)), predicate="dwithin", distance=tolerance
    )
    is_candidate = (railroad[line[sample]] != railroad[segment_line[segment]]) & (
        rank[line[sample]] < rank[segment_line[segment]]
    )
    sample, segment = sample[is_candidate], segment[is_candidate]
    start_offset = sample_xy[sample] - track.xy[segment_start[segment]]
    segment_share = np.clip(np.sum(start_offset * vectors[segment], axis=1) / lengths[segment] ** 2, 0.0, 1.0)
    distance_off = np.linalg.norm(start_offset - segment_share[:, None] * vectors[segment], axis=1)
    beside_along = track.arc[segment_start[segment]] + segment_share * lengths[segment]
    own_line, other_line = line[sample], segment_line[segment]
    order = np.lexsort((beside_along, distance_off, sample, rank[other_line], rank[own_line]))
    sample, other_line, beside_along = sample[order], other_line[order], beside_along[order]
    is_nearest = np.ones(len(sample), dtype=bool)
    is_nearest[1:] = (sample[1:] != sample[:-1]) | (other_line[1:] != other_line[:-1])
    return sample[is_nearest], other_line[is_nearest], beside_along[is_nearest]


def _run_to_stretch(one: int, other: int, along: Floats, beside: Floats) -> SharedStretch | None:
    """Return a run as a stretch if it proceeds in one direction; drop samples beyond the other line's end."""
    direction = 1.0 if beside[-1] > beside[0] else -1.0
    monotonic_places = np.maximum.accumulate(beside * direction)
    first_sample = int(np.searchsorted(monotonic_places, monotonic_places[0], side="right")) - 1
    last_sample = int(np.searchsorted(monotonic_places, monotonic_places[-1], side="left"))
    if last_sample <= first_sample:
        return None
    along, beside = along[first_sample : last_sample + 1], monotonic_places[first_sample : last_sample + 1] * direction
    length, other_length = float(along[-1] - along[0]), abs(float(beside[-1] - beside[0]))
    if not length / _MAX_LENGTH_RATIO <= other_length <= length * _MAX_LENGTH_RATIO:
        return None
    return SharedStretch(one, other, along, beside)
