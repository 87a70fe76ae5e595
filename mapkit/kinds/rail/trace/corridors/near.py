"""Which lines of different railroads run side by side, from where to where.

Every line is sampled twice a tolerance, and each sample is laid on the lines of other railroads within the tolerance
of it. A run of samples whose places on the other line go on as steadily as they do is a shared stretch. The work
grows with the number of vertices and of samples, not with the number of pairs of lines.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import shapely

from mapkit.core.arrays import connected, ranges
from mapkit.kinds.rail.trace.noding.arrays import Bools, Floats, Ints, Shapes

MIN_SHARED = 6.0
"""In tolerances: lines that are near each other for less than this only cross or touch."""

_PER_TOLERANCE = 2  # samples
_LEAST = 1.0  # in tolerances: of one stretch, where others go on from it
_GAP = 2.0  # in tolerances: lines may part for so long without ending the stretch
_STEEP = 2.0  # the other line may be this many times longer or shorter


@dataclass(frozen=True, eq=False)
class Rails:
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
        """The length of each line."""
        return self.arc[self.last]

    def at(self, line: int, along: float) -> Floats:
        """Return the place that far along a line."""
        own = slice(int(self.first[line]), int(self.last[line]) + 1)
        arc, xy = self.arc[own], self.xy[own]
        return np.array([np.interp(along, arc, xy[:, 0]), np.interp(along, arc, xy[:, 1])])

    def between(self, line: int, start: float, end: float, *, clear: float) -> Floats:
        """Return the vertices of a line from `start` to `end` along it that are more than `clear` from both."""
        first, last = int(self.first[line]), int(self.last[line]) + 1
        low, high = np.searchsorted(self.arc[first:last], (start + clear, end - clear), side="right")
        return self.xy[first + int(low) : first + max(int(high), int(low))]


def rails(lines: Shapes) -> Rails:
    """Return LineStrings as arrays."""
    xy, counts = shapely.get_coordinates(lines), shapely.get_num_coordinates(lines).astype(np.int64)
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    step = np.zeros(len(xy))
    step[1:] = np.linalg.norm(np.diff(xy, axis=0), axis=1)
    step[first] = 0.0
    # Summed line by line: in a running sum over all of them one line would round another's lengths.
    arc = np.concatenate([np.cumsum(step[a : b + 1]) for a, b in zip(first, last, strict=True)] or [step])
    return Rails(xy, arc, first, last)


@dataclass(frozen=True, eq=False)
class Shared:
    """A stretch that two lines share: `along[i]` on line `one` is beside `beside[i]` on line `other`.

    `along` grows; `beside` grows or falls.
    """

    one: int
    other: int
    along: Floats
    beside: Floats

    @property
    def length(self) -> float:
        """The length along `one`."""
        return float(self.along[-1] - self.along[0])

    def turned(self) -> "Shared":
        """Return the stretch as seen from the other line."""
        if self.beside[-1] > self.beside[0]:
            return Shared(self.other, self.one, self.beside, self.along)
        return Shared(self.other, self.one, self.beside[::-1], self.along[::-1])

    def across(self, along: float, slack: float) -> float | None:
        """Return the place on `other` beside one on `one`; None if it is more than `slack` outside the stretch."""
        low, high = float(self.along[0]), float(self.along[-1])
        if not low - slack <= along <= high + slack:
            return None
        beyond = along - min(max(along, low), high)
        way = 1.0 if self.beside[-1] > self.beside[0] else -1.0
        return float(np.interp(along, self.along, self.beside)) + way * beyond


def shared_stretches(
    track: Rails, *, railroad: Ints, rank: Ints, nodes: Ints, pinned: Bools, tolerance: float
) -> list[Shared]:
    """Return where lines of different railroads run side by side, each pair from the line of the smaller rank.

    A stretch is long enough alone, or with those of the same two railroads that it goes on in at junctions.

    Args:
        track: The lines, in a plane.
        railroad: A number for the railroad of each.
        rank: An order of the lines, as different numbers, that does not depend on how they are numbered.
        nodes: The nodes at both ends of each line, shape (n, 2); two lines between the same nodes that are never
            further apart share all of it, however short they are.
        pinned: For each node, whether it is a pin; a stretch ends there.
        tolerance: How far apart they may be, in the unit of the coordinates.
    """
    if len(np.unique(railroad)) < 2:  # noqa: PLR2004 - it takes two
        return []
    count = np.maximum(1, np.ceil(track.lengths * _PER_TOLERANCE / tolerance)).astype(np.int64)
    line = np.repeat(np.arange(len(count)), count + 1)
    number = ranges(np.zeros(len(count), dtype=np.int64), count + 1)
    along = number * (track.lengths / count)[line]
    sample, other, beside = _beside(track, line, along, railroad, rank, tolerance)
    if len(sample) == 0:
        return []
    one = line[sample]
    new = np.ones(len(sample), dtype=bool)
    step, jump = np.diff(along[sample]), np.abs(np.diff(beside))
    new[1:] = (
        (one[1:] != one[:-1])
        | (other[1:] != other[:-1])
        | (step > _GAP * tolerance)
        | (jump > _STEEP * step + _GAP * tolerance)
    )
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(sample))
    whole = _whole(number[sample], count[one], starts, ends) & _same_ends(nodes, one[starts], other[starts])
    long = along[sample[ends - 1]] - along[sample[starts]] >= _LEAST * tolerance
    found: list[Shared] = []
    kept: list[bool] = []
    for run in np.flatnonzero(whole | long):
        low, high = starts[run], ends[run]
        stretch = _stretch(int(one[low]), int(other[low]), along[sample[low:high]], beside[low:high])
        if stretch and (whole[run] or stretch.length >= _LEAST * tolerance):
            found.append(stretch)
            kept.append(bool(whole[run]))
    lengths = _linked_lengths(found, track, railroad, nodes, pinned, _GAP * tolerance)
    out = [
        stretch
        for stretch, keep, length in zip(found, kept, lengths, strict=True)
        if keep or length >= MIN_SHARED * tolerance
    ]
    return sorted(out, key=lambda s: (int(rank[s.one]), int(rank[s.other]), float(s.along[0])))


def _linked_lengths(
    found: list[Shared], track: Rails, railroad: Ints, nodes: Ints, pinned: Bools, reach: float
) -> list[float]:
    """Return the length of each stretch together with those that go on from it at a junction or end."""
    of_node: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, stretch in enumerate(found):
        two = sorted((int(railroad[stretch.one]), int(railroad[stretch.other])))
        for edge, at in ((stretch.one, stretch.along), (stretch.other, stretch.beside)):
            for node, away in zip(nodes[edge].tolist(), (at.min(), track.lengths[edge] - at.max()), strict=True):
                if away <= reach and not pinned[node]:
                    of_node[two[0], two[1], node].append(number)
    pairs = np.array([(same[0], each) for same in of_node.values() for each in same], dtype=np.int64).reshape(-1, 2)
    group = connected(pairs, len(found))
    lengths = np.bincount(group, weights=[stretch.length for stretch in found])
    out: list[float] = lengths[group].tolist()
    return out


def _beside(
    track: Rails, line: Ints, along: Floats, railroad: Ints, rank: Ints, tolerance: float
) -> tuple[Ints, Ints, Floats]:
    """Return samples, lines of other railroads near them, and where on those; by line, other line, sample."""
    start = np.setdiff1d(np.arange(len(track.xy)), track.last)
    owner = np.repeat(np.arange(len(track.first)), track.last - track.first)
    lengths = track.arc[start + 1] - track.arc[start]
    start, owner, lengths = start[lengths > 0], owner[lengths > 0], lengths[lengths > 0]
    way = track.xy[start + 1] - track.xy[start]
    edge = np.clip(_last_vertex(track, line, along), track.first[line], np.maximum(track.last[line] - 1, 0))
    share = along - track.arc[edge]
    step = track.arc[edge + 1] - track.arc[edge]
    share = np.divide(share, step, out=np.zeros_like(share), where=step > 0)
    spot = track.xy[edge] + share[:, None] * (track.xy[edge + 1] - track.xy[edge])
    ends = np.stack((track.xy[start], track.xy[start + 1]), axis=1)
    segments: Shapes = np.asarray(shapely.linestrings(ends))
    sample, segment = shapely.STRtree(segments).query(
        np.asarray(shapely.points(spot)), predicate="dwithin", distance=tolerance
    )
    keep = (railroad[line[sample]] != railroad[owner[segment]]) & (rank[line[sample]] < rank[owner[segment]])
    sample, segment = sample[keep], segment[keep]
    gone = spot[sample] - track.xy[start[segment]]
    on = np.clip(np.sum(gone * way[segment], axis=1) / lengths[segment] ** 2, 0.0, 1.0)
    off = np.linalg.norm(gone - on[:, None] * way[segment], axis=1)
    beside = track.arc[start[segment]] + on * lengths[segment]
    one, other = line[sample], owner[segment]
    order = np.lexsort((beside, off, sample, rank[other], rank[one]))
    sample, other, beside = sample[order], other[order], beside[order]
    best = np.ones(len(sample), dtype=bool)
    best[1:] = (sample[1:] != sample[:-1]) | (other[1:] != other[:-1])
    return sample[best], other[best], beside[best]


def _last_vertex(track: Rails, line: Ints, along: Floats) -> Ints:
    """Return the last vertex at or before each place; places are sorted by line, then along."""
    base = np.concatenate(([0.0], np.cumsum(track.lengths + 1.0)))[:-1]  # lines end to end, one unit apart
    whole = track.arc + np.repeat(base, track.last - track.first + 1)
    return np.searchsorted(whole, along + base[line], side="right") - 1


def _whole(number: Ints, count: Ints, starts: Ints, ends: Ints) -> Bools:
    """Return which runs hold every sample of their line."""
    out: Bools = (number[starts] == 0) & (number[ends - 1] == count[ends - 1]) & (ends - starts == count[starts] + 1)
    return out


def _same_ends(nodes: Ints, one: Ints, other: Ints) -> Bools:
    low, high = nodes.min(axis=1), nodes.max(axis=1)
    out: Bools = (low[one] == low[other]) & (high[one] == high[other])
    return out


def _stretch(one: int, other: int, along: Floats, beside: Floats) -> Shared | None:
    """Return a run as a stretch, if its places on the other line go one way; samples beyond that line's end go."""
    way = 1.0 if beside[-1] > beside[0] else -1.0
    steady = np.maximum.accumulate(beside * way)
    first = int(np.searchsorted(steady, steady[0], side="right")) - 1
    last = int(np.searchsorted(steady, steady[-1], side="left"))
    if last <= first:
        return None
    along, beside = along[first : last + 1], steady[first : last + 1] * way
    length, travelled = float(along[-1] - along[0]), abs(float(beside[-1] - beside[0]))
    if not length / _STEEP <= travelled <= length * _STEEP:
        return None
    return Shared(one, other, along, beside)
